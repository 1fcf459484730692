"""The story of a game in a language: each game tells its own, and here it is rendered."""

from __future__ import annotations

from display.i18n.translate import Translator
from engine import Event
from engine.core.views import View
from engine.games import catalog


def opening_lines(view: View, translator: Translator) -> list[str]:
    """Return who sits down to what."""
    game = catalog.find(view.game)
    return [translator.render(line) for line in game.story.opening(game.title, view)]


def tell(event: Event, before: View, after: View, translator: Translator) -> list[str]:
    """Return what *event* did, from what the whole table saw before and after it."""
    lines = catalog.find(after.game).story.tell(event, before, after)
    return [translator.render(line) for line in lines]


def closing_lines(view: View, translator: Translator) -> list[str]:
    """Return how everybody stands at the end."""
    lines = catalog.find(view.game).story.closing(view)
    return [translator.render(line) for line in lines]
