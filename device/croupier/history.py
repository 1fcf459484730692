"""One history: what may have happened in the hand in play."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from device.croupier.assumptions import Assumption
from device.croupier.looks import Said
from engine import State
from engine.core.cards import Card
from engine.core.events import Event

M = TypeVar("M")

Step = tuple[Event, tuple[Assumption, ...]]
"""An event, and what was assumed about it."""


@dataclass(frozen=True)
class History(Generic[M]):
    """What may have happened in this hand.

    Attributes:
        state: the engine's; ``state.log`` are the events.
        mat: what is believed of the mat.
        cost: the rank of all that was assumed.
        assumed: for each event what was assumed about it.
        ends: for each look that added something: its number, and how many events there were then.
        done: how many events there were when the hand was over; ``None`` while it goes on.
        said: presses that explain nothing yet, with the number of their look.
        hands: hands over the mat that explain nothing yet; ``None`` where nobody tells them apart.
        forks: cards whose way was left open when equals were joined.
        about: what was noticed, by the numbers of cards and bones, beside each event.
        untraced: the states before moves that left no trace, when the last one was such a move.
        states: the states before the last events, as far as they are at hand, the newest last.
        undo_slipped: in this history the last UNDO was pressed by mistake, and took nothing back.
    """

    state: State
    mat: M
    cost: int = 0
    assumed: tuple[tuple[Assumption, ...], ...] = ()
    ends: tuple[tuple[int, int], ...] = ()
    done: int | None = None
    said: tuple[tuple[int, Said], ...] = ()
    hands: tuple[int | None, ...] | None = ()
    forks: frozenset[Card] = frozenset()
    about: tuple[frozenset[int], ...] = ()
    untraced: tuple[State, ...] = ()
    states: tuple[State, ...] = ()
    undo_slipped: bool = False

    @property
    def events(self) -> tuple[Event, ...]:
        """The events of the hand."""
        return self.state.log

    @property
    def steps(self) -> tuple[Step, ...]:
        """The events, each with what was assumed about it."""
        return tuple(zip(self.events, self.assumed, strict=True))


def common(logs: Iterable[tuple[Event, ...]]) -> int:
    """Return how many events all *logs* begin with."""
    found = 0
    for first, *others in zip(*logs, strict=False):
        if any(event is not first and event != first for event in others):
            break
        found += 1
    return found
