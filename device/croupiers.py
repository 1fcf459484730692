"""Which croupier deals which game."""

from __future__ import annotations

from device.bone_croupier import BoneCroupier
from device.card_croupier import CardCroupier
from device.croupier import Croupier
from device.scat_croupier import ScatCroupier

_CROUPIERS: dict[str, type[Croupier]] = {
    "one-and-thirty": CardCroupier,
    "bone-ace": CardCroupier,
    "knucklebones": BoneCroupier,
    "scat": ScatCroupier,
}


def croupier_for(game: str) -> Croupier:
    """Return a croupier who knows *game*; a new card game is dealt as One-and-Thirty is."""
    return _CROUPIERS.get(game, CardCroupier)()
