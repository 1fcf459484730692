"""Which croupier deals at which table."""

from __future__ import annotations

from device.croupier.base import Croupier
from device.croupier.bones.mat import BoneMat
from device.croupier.bones.moves import BoneMoves
from device.croupier.bones.words import BoneWords
from device.croupier.interpreter import Interpreter
from device.croupier.resume import resume
from device.croupier.scat.interpreter import ScatCroupier
from device.croupier.seat_cards import CardCroupier
from device.runtime.session import Session
from engine.core.views import TableKind
from engine.games import catalog


def croupier_for(session: Session) -> Croupier | Interpreter[BoneMat]:
    """Return a croupier for the kind of table that the game of *session* is played at.

    That of bones holds all plausible histories, and knows what was seen of the hand in play as far
    as the journal has it. Those of cards in ``device/croupier/seats`` and ``scat/moves.py`` do so
    too, and take over once they bring every hand to its end.
    """
    table = catalog.find(session.view.game).table
    if table is TableKind.MIDDLE:
        return ScatCroupier()
    if table is TableKind.SEATS:
        return CardCroupier()
    thrown = Interpreter(BoneMoves(), BoneWords())
    resume(thrown, session.state, session.looks())
    return thrown
