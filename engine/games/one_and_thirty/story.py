"""The story of One-and-Thirty and Bone-Ace: hands that had ended before they were shown."""

from __future__ import annotations

from engine.core.events import Event, Reveal
from engine.core.messages.message import Message, Value
from engine.core.outcome import End
from engine.core.views import ResultView, View
from engine.games.story import Story, name_of, payments


class OneAndThirtyStory(Story):
    """Tells too what was found by the order in which the cards were dealt (OT-18, OT-19)."""

    def tell(self, event: Event, before: View, after: View) -> list[Value]:
        """Return what *event* did; a hand shown after the end may change it."""
        lines = super().tell(event, before, after)
        was, now = before.result, after.result
        if not isinstance(event, Reveal) or was is None or now is None:
            return lines
        changed = (was.end, was.winners) != (now.end, now.winners)
        return [*lines, *self.result(after, now)] if changed else lines

    def ending(self, view: View, result: ResultView) -> list[Value]:
        """Return how a hand ended, and who pays whom."""
        if not result.late or not result.winners:
            return super().ending(view, result)
        name = name_of(view, result.winners[0])
        if result.end is End.THIRTY_ONE:
            said = Message("{name} had thirty-one before that: the hand had ended then.", name=name)
        elif result.end is End.DEALER_WINS:
            said = Message(
                "All the others were out before {name}'s turn: the hand had ended then.", name=name
            )
        else:
            said = Message("All but {name} were out before: the hand had ended then.", name=name)
        won = Message("{names} wins.", names=name)
        return [said, won, *payments(view, result.payments)]
