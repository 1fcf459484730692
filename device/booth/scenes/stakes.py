"""The stakes that can be chosen; and those that each player lays for themselves (rule KB-2)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from device.booth.scenes.base import Action, ListScene, Play, Then
from device.booth.summary import player_names
from device.croupier.by_hand import stakes_of
from display.pages.list import Item
from engine.core.events import Stake
from engine.core.messages.message import Message
from engine.core.messages.words import count

STAKES = (1, 2, 3, 5, 10)
"""Tokens in a stake that people go through, the last before the first."""


def next_stake(now: int) -> int:
    """Return the stake after *now*.

    >>> next_stake(1), next_stake(7), next_stake(10)
    (2, 10, 1)
    """
    return next((stake for stake in STAKES if stake > now), STAKES[0])


class StakesScene(ListScene):
    """Whose stake is another? Choosing a player goes on to the next stake."""

    title = Message("The stakes")
    note = Message("They can be changed until the first throw.")

    def rows(self) -> Sequence[tuple[Item, Then]]:
        """Return everybody who may change their stake, and how much it is."""
        names = player_names(self.context.state)
        return [
            (Item(names[seat], count(stake, "token")), partial(self._raise, seat, stake))
            for seat, stake in stakes_of(self.context.state).items()
        ]

    def _raise(self, seat: int, stake: int) -> Action:
        return Play(Stake(seat, next_stake(stake)))
