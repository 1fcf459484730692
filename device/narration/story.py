"""The story of a game in a language: each game tells its own, and here it is rendered."""

from __future__ import annotations

from device.croupier.assumptions import Assumption
from device.runtime.repairs import after_all
from device.runtime.session import REPAIRED
from display.i18n.translate import Translator
from engine import Event
from engine.core.events import Draw
from engine.core.views import View
from engine.games import catalog

UNTOLD = {Assumption.SOURCE.value, Assumption.ONE_MOTION.value}
"""Where a card was drawn from is not told as a fact where it is assumed so."""


def opening_lines(view: View, translator: Translator) -> list[str]:
    """Return who sits down to what."""
    game = catalog.find(view.game)
    return [translator.render(line) for line in game.story.opening(game.title, view)]


def tell(event: Event, before: View, after: View, translator: Translator) -> list[str]:
    """Return what *event* did, from what the whole table saw before and after it."""
    lines = catalog.find(after.game).story.tell(event, before, after)
    return [translator.render(line) for line in lines]


def tell_live(
    event: Event, before: View, after: View, assumed: str, translator: Translator
) -> list[str]:
    """Return what is told of *event* when it happens, or is found to have happened.

    What is only assumed and may be taken back is not told as a fact: of a turn at Thirty-one whose
    source was covered the discard is told, and not where the card came from.

    Args:
        event: what happened; after a repair the first thing that is not as it was told.
        before: what the whole table saw before it.
        after: what it sees now.
        assumed: as :class:`device.runtime.session.Session` tells it.
        translator: of the language.
    """
    if assumed == REPAIRED:
        line = after_all(event, before, after)
        return [translator.render(line)] if line else []
    lines = tell(event, before, after, translator)
    words = {word.split(":")[0] for word in assumed.split(",")}
    return lines[1:] if isinstance(event, Draw) and UNTOLD & words else lines


def closing_lines(view: View, translator: Translator) -> list[str]:
    """Return how everybody stands at the end."""
    lines = catalog.find(view.game).story.closing(view)
    return [translator.render(line) for line in lines]
