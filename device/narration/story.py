"""The story of a game in a language: each game tells its own, and here it is rendered."""

from __future__ import annotations

from display.i18n.translate import Translator, current
from engine import Event
from engine.core.views import View
from engine.games import catalog


def opening_lines(view: View, translator: Translator | None = None) -> list[str]:
    """Return who sits down to what; in the current language without a *translator*."""
    game = catalog.find(view.game)
    return [(translator or current()).render(line) for line in game.story.opening(game.title, view)]


def tell(
    event: Event, before: View, after: View, translator: Translator | None = None
) -> list[str]:
    """Return what *event* did, from what the whole table saw before and after it."""
    lines = catalog.find(after.game).story.tell(event, before, after)
    return [(translator or current()).render(line) for line in lines]


def closing_lines(view: View, translator: Translator | None = None) -> list[str]:
    """Return how everybody stands at the end."""
    lines = catalog.find(view.game).story.closing(view)
    return [(translator or current()).render(line) for line in lines]
