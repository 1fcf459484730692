"""How people think at Thirty-one: simple and sensible, from what they know themselves."""

from __future__ import annotations

from collections.abc import Sequence

from device.simulator.people.oracle.scat import value
from device.simulator.people.packs import suit_points
from device.simulator.people.settings import Options

_KNOCK_FROM = 26
_STAND_FROM = 23
_WORTH_TAKING = 3


def keep_best(cards: Sequence[str], options: Options, not_away: str | None = None) -> str:
    """Return which of four cards to lay away; *not_away* may not be laid back (SC-16)."""

    def left(card: str) -> tuple[float, int]:
        rest = list(cards)
        rest.remove(card)
        return value(rest, options), -suit_points(card)

    return max((card for card in cards if card != not_away), key=left)


def wants(hand: Sequence[str], top: str, options: Options) -> bool:
    """Return whether the top of the discard is worth taking."""
    cards = [*hand, top]
    away = keep_best(cards, options, top)
    cards.remove(away)
    return value(cards, options) >= value(hand, options) + _WORTH_TAKING


def knocks(hand: Sequence[str], nerve: int, turn: int, options: Options) -> bool:
    """Return whether a hand is good enough to knock with; later in a hand less will do."""
    return value(hand, options) >= _KNOCK_FROM - nerve - min(turn // 3, 4)


def stands(hand: Sequence[str], nerve: int, options: Options) -> bool:
    """Return whether to stand in the last turn."""
    return value(hand, options) >= _STAND_FROM + nerve
