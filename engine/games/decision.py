"""What one player is asked, and all that they know: nothing else reaches a strategy."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from engine.core.cards import Card
from engine.core.errors import BoneAceError
from engine.core.events import ChooseHand, Claim, Event
from engine.core.views import SeatStatus, SeatView, View
from engine.games.base import Action


class StrategyError(BoneAceError, ValueError):
    """A strategy that nobody here knows, or a question that nobody could answer."""


class Style(StrEnum):
    """How a person plays."""

    CAUTIOUS = "cautious"
    """Takes few risks, by a simple threshold."""
    BOLD = "bold"
    """Takes many, by a simple threshold."""
    EXACT = "exact"
    """Does what the chances of :mod:`engine.odds` make worth most."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person is asked.

    Attributes:
        view: the table as they see it.
        options: what was agreed.
        actions: what they may do.
        me: their own seat.
        hand: their own cards, in the order dealt.
        second: the dealer's other hand in Switch, at which they look before they choose (SW-2).
    """

    view: View
    options: Any
    actions: tuple[Action, ...]
    me: SeatView
    hand: tuple[Card, ...]
    second: tuple[Card, ...] = ()

    @property
    def seat(self) -> int:
        """Return their seat."""
        return self.me.seat

    def may(self, kind: str, what: Claim | None = None) -> Action | None:
        """Return the action of that kind which they may do; ``None`` if they may not."""
        return next(self.all_of(kind, what), None)

    def all_of(self, kind: str, what: Claim | None = None) -> Iterator[Action]:
        """Iterate over the actions of that kind which they may do."""
        for action in self.actions:
            if action.kind == kind and action.what is what:
                yield action

    @property
    def others(self) -> tuple[SeatView, ...]:
        """Return everybody else who plays this hand, gone or not."""
        return tuple(seat for seat in self.view.seats if seat.seat != self.seat)

    @property
    def rivals(self) -> tuple[SeatView, ...]:
        """Return who else is still in the hand."""
        gone = (SeatStatus.OUT, SeatStatus.LEFT)
        return tuple(seat for seat in self.others if seat.status not in gone)

    @property
    def elders(self) -> tuple[int, ...]:
        """Return the seats before their own, the eldest first (rule G-1)."""
        after = -1 if self.view.dealer is None else self.view.dealer
        seats = sorted(
            seat.seat for seat in self.view.seats if seat.match is None or not seat.match.eliminated
        )
        around = [*(s for s in seats if s > after), *(s for s in seats if s <= after)]
        return tuple(around[: around.index(self.seat)])


class Strategy(ABC):
    """A way to play the games of one family: pure, the same question has the same answer."""

    def __init__(self, style: Style) -> None:
        """Play in that style."""
        self.style = style

    def __repr__(self) -> str:
        """Return the family and the style."""
        return f"{type(self).__name__}({str(self.style)!r})"

    def decide(
        self,
        view: View,
        actions: Iterable[Action],
        options: Any,
        hand: Sequence[Card] | None = None,
        second: Sequence[Card] | None = None,
    ) -> Event | None:
        """Say what the person does now; ``None`` if they have nothing to do or to say.

        Cards that come from the stock are not named: a ``draw`` from the stock and a ``renew``
        come without them, and who deals fills them in. What is no decision is not answered: cards
        to be dealt, bones to be thrown, leaving, undoing.

        Args:
            view: the table as they see it: ``engine.view(state, seat)``.
            actions: those of ``engine.legal_actions(state)``; other people's do not matter, but
                *theirs* is told by them: see :func:`actions_of`.
            options: what was agreed, ``state.setup.options``.
            hand: their own cards in the order dealt, where the camera has not read all of them.
            second: likewise the other hand of the dealer of Switch, while they choose.

        Raises:
            StrategyError: a card of their own was neither read nor told, or the actions are those
                of several people.
        """
        mine = tuple(actions)
        seats = {action.seat for action in mine if action.seat is not None}
        if len(seats) > 1:
            raise StrategyError(
                f"actions: those of seats {sorted(seats)} together; ask one person at a time, "
                "with engine.bots.actions_of(actions, seat)"
            )
        if not seats:
            return self.without_seat(mine)
        me = view.seat(seats.pop())
        known = _told("hand", me.cards, hand)
        other = () if view.middle is None else view.middle.pile("second")
        chooses = any(action.kind == ChooseHand.kind for action in mine)
        beside = _told("second", other, second) if chooses else ()
        return self.answer(Decision(view, options, mine, me, known, beside))

    @abstractmethod
    def answer(self, asked: Decision) -> Event | None:
        """Answer a question put to one person."""

    def without_seat(self, actions: Sequence[Action]) -> Event | None:
        """Answer where only such things may be done as belong to nobody: mostly nothing."""
        return None


def _told(name: str, read: Sequence[Card | None], told: Sequence[Card] | None) -> tuple[Card, ...]:
    """Return a person's own cards, as they are told them or else as they were read."""
    known = tuple(card for card in read if card is not None) if told is None else tuple(told)
    if len(known) != len(read):
        raise StrategyError(
            f"{name}: {len(known)} of these {len(read)} cards are known; "
            "tell them all of their own cards, in the order dealt"
        )
    return known


def actions_of(actions: Iterable[Action], seat: int) -> tuple[Action, ...]:
    """Return the actions of one person, from those of the whole table."""
    return tuple(action for action in actions if action.seat == seat)
