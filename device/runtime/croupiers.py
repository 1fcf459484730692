"""Which croupier deals at which table."""

from __future__ import annotations

from device.croupier.base import Croupier
from device.croupier.bones.mat import BoneMat
from device.croupier.bones.moves import BoneMoves
from device.croupier.bones.words import BoneWords
from device.croupier.interpreter import Interpreter
from device.croupier.resume import resume
from device.croupier.scat.mat import ScatMat
from device.croupier.scat.moves import ScatMoves
from device.croupier.scat.words import ScatWords
from device.croupier.seat_cards import CardCroupier
from device.runtime.session import Session
from engine.core.views import TableKind
from engine.games import catalog


def croupier_for(session: Session) -> Croupier | Interpreter[BoneMat] | Interpreter[ScatMat]:
    """Return a croupier for the kind of table that the game of *session* is played at.

    Those of bones and of Thirty-one hold all plausible histories, and know what was seen of the
    hand in play as far as the journal has it. That of cards at the seats, in
    ``device/croupier/seats``, does so too, and takes over once it brings every hand to its end.
    """
    table = catalog.find(session.view.game).table
    if table is TableKind.MIDDLE:
        moves = ScatMoves()
        laid = Interpreter(moves, ScatWords(moves))
        resume(laid, session.state, session.looks())
        return laid
    if table is TableKind.SEATS:
        return CardCroupier()
    thrown = Interpreter(BoneMoves(), BoneWords())
    resume(thrown, session.state, session.looks())
    return thrown
