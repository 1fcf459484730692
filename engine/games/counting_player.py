"""Players of any game of counting cards: have it, or stick."""

from __future__ import annotations

from dataclasses import replace

from engine.core import counting
from engine.core.events import Claim, Declare, Event, Have, Reveal, Stick
from engine.core.views import Phase
from engine.games.decision import Decision, Strategy, Style
from engine.games.hints import over_with_one_more

BELOW_TARGET = {Style.CAUTIOUS: 9, Style.BOLD: 4}
"""From how many points below the target on the simple players stick.

The cautious stick at the first total at which a card can put them out.
"""


class CountingPlayer(Strategy):
    """Counts their cards, and sticks or has another."""

    def answer(self, asked: Decision) -> Event | None:
        """Show, own up to be out; else stick or have a card."""
        if asked.view.phase is Phase.SHOWDOWN and asked.may(Reveal.kind):
            return Reveal(asked.seat, asked.hand)
        if not asked.may(Stick.kind):
            return None
        if self.points(asked) > asked.view.target:
            return Declare(asked.seat, Claim.OUT)
        if asked.may(Have.kind) and self.wants(asked):
            return Have(asked.seat)
        return Stick(asked.seat)

    def points(self, asked: Decision) -> int:
        """Return what their hand counts; they know all of it."""
        return counting.total(asked.hand, asked.options.ace_value, asked.view.target) or 0

    def wants(self, asked: Decision) -> bool:
        """Return whether they will have another card; they are not over the target.

        The exact player asks while the card is likelier to leave them in than not.
        """
        if self.style is Style.EXACT:
            mine = replace(asked.me, cards=asked.hand)
            return over_with_one_more(asked.view, mine, asked.options) < 1 / 2
        return self.points(asked) < asked.view.target - BELOW_TARGET[self.style]
