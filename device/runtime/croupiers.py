"""Which croupier deals at which table."""

from __future__ import annotations

from device.croupier.base import Croupier
from device.croupier.knucklebones import BoneCroupier
from device.croupier.scat.interpreter import ScatCroupier
from device.croupier.seat_cards import CardCroupier
from engine.core.views import TableKind
from engine.games import catalog

_CROUPIERS: dict[TableKind, type[Croupier]] = {
    TableKind.SEATS: CardCroupier,
    TableKind.MIDDLE: ScatCroupier,
    TableKind.BONES: BoneCroupier,
}


def croupier_for(game: str) -> Croupier:
    """Return a croupier for the kind of table that *game* is played at.

    Raises:
        UnknownGameError: there is no such game.
    """
    return _CROUPIERS[catalog.find(game).table]()
