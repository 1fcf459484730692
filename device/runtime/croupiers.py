"""Which croupier deals at which table."""

from __future__ import annotations

from device.croupier.base import Croupier
from device.croupier.knucklebones import BoneCroupier
from device.croupier.scat.interpreter import ScatCroupier
from device.croupier.seat_cards import CardCroupier
from engine.games import catalog

_CROUPIERS: dict[str, type[Croupier]] = {
    "one-and-thirty": CardCroupier,
    "knucklebones": BoneCroupier,
    "scat": ScatCroupier,
}


def croupier_for(game: str) -> Croupier:
    """Return a croupier who knows *game*, or its family; any other is dealt as One-and-Thirty is.

    Raises:
        UnknownGameError: there is no such game.
    """
    names = (game, catalog.find(game).family)
    return next((_CROUPIERS[name] for name in names if name in _CROUPIERS), CardCroupier)()
