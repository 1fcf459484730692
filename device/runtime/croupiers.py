"""Which croupier deals at which table."""

from __future__ import annotations

from typing import Any

from device.croupier.bones.moves import BoneMoves
from device.croupier.bones.words import BoneWords
from device.croupier.interpreter import Interpreter
from device.croupier.resume import resume
from device.croupier.scat.moves import ScatMoves
from device.croupier.scat.words import ScatWords
from device.croupier.seats.moves import SeatMoves
from device.croupier.seats.words import SeatWords
from device.runtime.session import Session
from engine.core.views import TableKind
from engine.games import catalog


def croupier_for(session: Session) -> Interpreter[Any]:
    """Return a croupier for the kind of table that the game of *session* is played at.

    It knows what was seen of the hand in play as far as the journal has it.
    """
    croupier: Interpreter[Any]
    match catalog.find(session.view.game).table:
        case TableKind.MIDDLE:
            croupier = Interpreter(ScatMoves(), ScatWords())
        case TableKind.SEATS:
            croupier = Interpreter(SeatMoves(session.open_cards), SeatWords())
        case TableKind.BONES:
            croupier = Interpreter(BoneMoves(), BoneWords())
    resume(croupier, session.state, session.looks())
    return croupier
