"""Which croupier deals at which table."""

from __future__ import annotations

from typing import Any

from device.croupier.base import Croupier
from device.croupier.bones.moves import BoneMoves
from device.croupier.bones.words import BoneWords
from device.croupier.interpreter import Interpreter
from device.croupier.resume import resume
from device.croupier.scat.interpreter import ScatCroupier
from device.croupier.seats.moves import SeatMoves
from device.croupier.seats.words import SeatWords
from device.runtime.session import Session
from engine.core.views import TableKind
from engine.games import catalog


def croupier_for(session: Session) -> Croupier | Interpreter[Any]:
    """Return a croupier for the kind of table that the game of *session* is played at.

    That of bones and that of cards at the seats hold all plausible histories, and know what was
    seen of the hand in play as far as the journal has it. That of cards in the middle in
    ``device/croupier/scat/moves.py`` takes over once it brings every hand to its end.
    """
    table = catalog.find(session.view.game).table
    if table is TableKind.MIDDLE:
        return ScatCroupier()
    croupier: Interpreter[Any]
    if table is TableKind.SEATS:
        moves = SeatMoves(session.open_cards)
        croupier = Interpreter(moves, SeatWords(moves))
    else:
        croupier = Interpreter(BoneMoves(), BoneWords())
    resume(croupier, session.state, session.looks())
    return croupier
