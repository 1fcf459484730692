"""Which cards a table deals open by agreement: a setting of the table, not a rule of the game.

A card that is dealt open is so in the game's events too, so nothing of this stands in a record.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from engine.core.fast_replace import replace
from engine.core.views import TableKind, View
from engine.games import catalog

KEY = "open_cards"
"""Of the settings that a session is begun with."""


class OpenCards(StrEnum):
    """Which cards lie open besides those that the rules lay open."""

    NONE = "none"
    DRAWN = "drawn"
    """Those that a player asks for."""
    ALL = "all"


def has_open_cards(game: str) -> bool:
    """Return whether cards lie at the places of *game*, where they can lie open."""
    return catalog.find(game).table is TableKind.SEATS


def settings_of(game: str, open_cards: str) -> dict[str, Any]:
    """Return the settings of a session of *game*; what is as usual stands in none."""
    usual = open_cards == OpenCards.NONE or not has_open_cards(game)
    return {} if usual else {KEY: str(open_cards)}


def open_cards_in(settings: Mapping[str, object]) -> OpenCards:
    """Return which cards are dealt open by *settings*; as usual where they cannot be read."""
    value = settings.get(KEY)
    return next((each for each in OpenCards if each == value), OpenCards.NONE)


def as_agreed(seen: View, open_cards: OpenCards) -> View:
    """Return *seen* with the next card of the deal face up where all are."""
    if seen.deal_to is None or open_cards is not OpenCards.ALL:
        return seen
    return replace(seen, deal_to=(seen.deal_to[0], True))
