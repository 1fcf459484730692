"""Which croupier deals at which table."""

from __future__ import annotations

from device.bone_croupier import BoneCroupier
from device.card_croupier import CardCroupier
from device.croupier import Croupier
from device.scat_croupier import ScatCroupier
from engine import games

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
    names = (game, games.find(game).family)
    return next((_CROUPIERS[name] for name in names if name in _CROUPIERS), CardCroupier)()
