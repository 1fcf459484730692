"""Collects events after checking each against a copy of the state."""

from __future__ import annotations

import re
from collections.abc import Sequence

from device.croupier.mat_tracker import TrackedCard
from device.croupier.messages import refused
from device.croupier.questions import Notice, Question
from engine import TABLE, Event, IllegalActionError, State, apply, view
from engine.core.cards import Card
from engine.core.messages.message import Message, Value
from engine.core.views import View

Hand = tuple[Card | None, ...]


class Proposal:
    """The game's state with the events found so far applied to it.

    Attributes:
        events: the events that the engine accepts, in order.
        question: the first question that came up.
    """

    def __init__(self, state: State) -> None:
        """Start from *state*, which never changes."""
        self.state = state
        self.view: View = view(state, TABLE)
        self.events: list[Event] = []
        self.notices: list[Notice] = []
        self.question: Question | None = None

    def refusal(self, event: Event) -> IllegalActionError | None:
        """Return why the engine would refuse *event*; ``None`` when it would not."""
        try:
            apply(self.state, event)
        except IllegalActionError as refusal:
            return refusal
        return None

    def refusal_of(self, events: Sequence[Event]) -> IllegalActionError | None:
        """Return why the engine would refuse *events* in a row; ``None`` when it would not."""
        state = self.state
        try:
            for event in events:
                state = apply(state, event)
        except IllegalActionError as refusal:
            return refusal
        return None

    def play_all(self, events: Sequence[Event]) -> bool:
        """Apply *events* together, or none of them where one is refused."""
        refusal = self.refusal_of(events)
        if refusal is not None:
            self.notify(self.explain(refusal))
            return False
        for event in events:
            self.play(event)
        return True

    def play(self, event: Event) -> bool:
        """Apply *event*; a refusal becomes a notice and changes nothing (rule G-19)."""
        try:
            self.state = apply(self.state, event)
        except IllegalActionError as refusal:
            self.notify(self.explain(refusal))
            return False
        self.view = view(self.state, TABLE)
        self.events.append(event)
        return True

    def add_notice(self, notice: Notice) -> None:
        """Add *notice*, once."""
        if notice not in self.notices:
            self.notices.append(notice)

    def notify(self, text: Value, detail: Value = "", *, urgent: bool = True) -> None:
        """Add a notice, once."""
        self.add_notice(Notice(text, detail, urgent))

    def ask(self, question: Question) -> None:
        """Ask *question*, unless another one was asked before."""
        if self.question is None:
            self.question = question

    def name(self, seat: int | None) -> Value:
        """Return the name of the player at *seat*."""
        for each in self.view.seats:
            if each.seat == seat:
                return each.name
        return Message("Seat {number}", number="?" if seat is None else seat + 1)

    def explain(self, refusal: IllegalActionError) -> Value:
        """Return why the rules refuse: in English the engine's own sentence, with names."""
        text = re.sub(r"\bseat (\d+)", lambda found: str(self.name(int(found[1]))), str(refusal))
        return refused(refusal, f"{text[:1].upper()}{text[1:]}.")

    def order(self) -> tuple[int, ...]:
        """Return the seats in the order in which cards are expected: who is due, then eldest."""
        seats = [seat.seat for seat in self.view.seats]
        dealer = self.view.dealer
        if dealer is not None:
            seats.sort(key=lambda seat: (seat <= dealer, seat))
        due = self.view.deal_to[0] if self.view.deal_to is not None else self.view.turn
        if due in seats:
            seats.remove(due)
            seats.insert(0, due)
        return tuple(seats)

    def total_after(self, event: Event, seat: int) -> int | None:
        """Return the points that *seat* would be seen to have after *event*."""
        try:
            return view(apply(self.state, event), TABLE).seat(seat).total
        except IllegalActionError:
            return None


def shown(cards: Sequence[TrackedCard]) -> Hand:
    """Return what the cards show, in the order they appeared."""
    return tuple(thing.card for thing in cards)


def aligned(known: Hand, cards: Sequence[TrackedCard]) -> Hand | None:
    """Put the cards shown into the order dealt, as far as the game knows it.

    A card that the game knows by name has its place; the others fill the gaps in the order in
    which they appeared. ``None`` when a card that the game knows does not show.
    """
    left = [thing.card for thing in cards]
    for card in known:
        if card is not None:
            if card not in left:
                return None
            left.remove(card)
    rest = iter(left)
    return tuple(card if card is not None else next(rest, None) for card in known)
