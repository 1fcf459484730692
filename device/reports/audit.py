"""Follow every token of a session: who paid whom, by which event and rule, with running totals.

A payment that a correction or an undo takes back keeps its line; another line takes it back. The
payments are then compared with the settlements and the ledger.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain
from operator import attrgetter
from typing import Any

from engine import Event, State, apply
from engine.core.errors import BoneAceError
from engine.core.events import (
    Correct,
    CorrectBone,
    Declare,
    Entry,
    Join,
    Leave,
    Misdeal,
    NextHand,
    Undo,
)
from engine.core.outcome import MatchState
from engine.core.payments import Payment, PaymentReason, Payments, Unit, of_entry
from engine.table.book import PutRight
from engine.table.state import past_payments, payments_of

Person = tuple[int, str]
"""A seat and a name: a seat may change hands."""


class AuditError(BoneAceError, ValueError):
    """A session that cannot be followed to its end."""


class Kind(StrEnum):
    """Kind of a line."""

    PAID = "paid"
    TAKEN_BACK = "taken back"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Line:
    """One payment, one taken back, or a note of what changed the hand.

    Attributes:
        hand: from 1.
        event: the event that brought it about, from 0 as in the record; -1 before the first.
        at_s: seconds after the start; ``None`` where no time was kept.
        payer: ``None`` is the pot, or the box of points; of a note nobody.
        totals: of payer and payee after it, in *unit*; nothing for the pot.
        pot: tokens on the table after it.
        text: of a note what happened.
    """

    hand: int
    event: int
    at_s: float | None
    kind: Kind
    payer: Person | None = None
    payee: Person | None = None
    amount: int = 0
    unit: Unit = Unit.TOKENS
    cause: PaymentReason | None = None
    rules: tuple[str, ...] = ()
    totals: tuple[int | None, int | None] = (None, None)
    pot: int = 0
    text: str = ""


@dataclass(slots=True)
class Audit:
    """The audit of a session.

    Attributes:
        lines: in the order things happened.
        totals: of each unit what everybody has in the end; lives are those left.
        pot: tokens that the hands left on the table.
        people: of each hand, from 1, who played it, by seat.
        hands: how many were finished.
        problems: what does not add up, in words; empty when everything does.
        state: the table after the last event.
        whole: no event of the journal was damaged; those after it are not in it.
    """

    state: State
    lines: list[Line] = field(default_factory=list)
    totals: dict[Unit, Counter[Person]] = field(default_factory=dict)
    pot: int = 0
    people: dict[int, dict[int, str]] = field(default_factory=dict)
    hands: int = 0
    problems: list[str] = field(default_factory=list)
    whole: bool = True

    def by_seat(self, unit: Unit) -> list[tuple[Person, int]]:
        """Return what everybody has in the end, by seat, then in the order in which they came."""
        return sorted(self.totals[unit].items(), key=lambda each: each[0][0])


def audit(opening: State, events: Iterable[tuple[float | None, Event]]) -> Audit:
    """Follow *events*, each with its seconds after the start, from the table *opening*.

    Raises:
        AuditError: the rules refuse an event; nothing refused stands in a journal or a record.
    """
    replay = _LedgerReplay(opening)
    for number, (at_s, event) in enumerate(events):
        replay.add(number, at_s, event)
    return replay.close()


_RESULT = attrgetter("end", "winners", "totals")


class _LedgerReplay:
    """Collects the lines while the session is replayed."""

    def __init__(self, opening: State) -> None:
        self.found = Audit(opening, totals={unit: Counter() for unit in Unit})
        self._names: dict[int, str] = {}
        self._posted: dict[int, Payments] = {}
        self._entries: Payments = ()
        self._log: list[int] = []
        self._kinds: dict[int, str] = {}
        self._undone = ""
        self._here: tuple[int, float | None] = (-1, None)
        self._add_players(opening)
        self._post_hand(opening.hand_number, payments_of(opening), ())

    def add(self, number: int, at_s: float | None, event: Event) -> None:
        before = self.found.state
        try:
            after = apply(before, event)
        except BoneAceError as problem:
            raise AuditError(
                f"event {number} is refused ({problem}); it was changed by hand, is damaged, or "
                "comes from another version of the rules: compare it with a copy (boneace backup)"
            ) from problem
        self._here = number, at_s
        self._kinds[number] = event.kind
        self.found.state = after
        if isinstance(event, NextHand):
            self._log = []
        self._add_players(after)
        why = self._note(event, before, after)
        self._note_result(before, after)
        if after.book is not before.book and not isinstance(event, NextHand):
            for hand, paid in enumerate(past_payments(after), start=1):
                self._post_hand(hand, paid, why)
            self._post_entries(after, why)
        self._post_hand(after.hand_number, payments_of(after), why)
        if isinstance(event, Join) or (
            isinstance(event, Undo) and self._undone in (Join.kind, Leave.kind)
        ):
            # From the match: a player who comes back begins with none (NE-6).
            for player in after.players:
                points = _stands(after, after.round.standing, player.seat).get(Unit.POINTS)
                if points is not None:
                    self.found.totals[Unit.POINTS][player.seat, player.name] = points

    def close(self) -> Audit:
        found, state = self.found, self.found.state
        self._compare_hands(state)
        by_seat: Counter[int] = Counter()
        for (seat, _name), tokens in found.totals[Unit.TOKENS].items():
            by_seat[seat] += tokens
        booked = dict(state.ledger.entries)
        for seat in sorted(set(booked) | set(by_seat)):
            # A hand that goes on has moved tokens which the ledger counts when it is over.
            goes_on = self._posted[state.hand_number] if state.outcome is None else ()
            open_hand = _net(goes_on)[seat]
            if by_seat[seat] - open_hand != booked.get(seat, 0):
                found.problems.append(
                    f"seat {seat}: the payments make {by_seat[seat] - open_hand:+d}, the ledger "
                    f"says {booked.get(seat, 0):+d}"
                )
        for player in state.round.players:
            standing = state.round.standing
            if state.outcome is None:  # an earlier hand that was put right counts when it is over
                standing = state.round.counted or standing
            for unit, stands in _stands(state, standing, player.seat).items():
                counted = found.totals[unit].get((player.seat, player.name))
                if counted != stands:
                    found.problems.append(
                        f"seat {player.seat}: the payments leave {counted} {unit}, the match says "
                        f"{stands}"
                    )
        if total := sum(by_seat.values()) + found.pot:
            found.problems.append(f"all payments and the pot sum to {total:+d}, not to 0")
        return found

    def _add_players(self, state: State) -> None:
        playing, totals = state.round.players, self.found.totals
        self.found.people[state.hand_number] = {player.seat: player.name for player in playing}
        # Who plays the hand comes last: its payments are theirs, even if another has their seat.
        for player in (*state.players, *playing):
            person = (player.seat, player.name)
            self._names[player.seat] = player.name
            if person not in totals[Unit.TOKENS]:
                totals[Unit.TOKENS][person] = 0
                for unit, begins in _stands(state, state.start.standing, player.seat).items():
                    totals[unit][person] = begins

    def _note(self, event: Event, before: State, after: State) -> tuple[str, ...]:
        """Note what *event* changes in earlier lines; return the rules for that."""
        rules: tuple[str, ...]
        if isinstance(event, Undo):
            undone = self._log.pop()
            self._undone = self._kinds[undone]
            text = f"taken back: event {undone} ({self._kinds[undone]})"
            rules = ("G-14", "G-12") if before.outcome is not None else ("G-14",)
        else:
            text, rules = _told(event, before, after)
        if isinstance(event, PutRight) and event.hand not in (None, after.hand_number):
            text, rules = f"hand {event.hand}: {text}", (*rules[:1], "G-12")
        if not isinstance(event, Undo | NextHand):
            self._log.append(self._here[0])
        if text:
            self._line(after.hand_number, Kind.NOTE, text=text, rules=rules)
        return rules

    def _line(self, hand: int, kind: Kind, **about: Any) -> None:
        self.found.lines.append(Line(hand, *self._here, kind, pot=self.found.pot, **about))

    def _note_result(self, before: State, after: State) -> None:
        """Note that a hand is over, and again whenever its result changes."""
        was = before.outcome if before.hand_number == after.hand_number else None
        last = after.outcome
        if last is None:
            if was is not None:
                self._line(after.hand_number, Kind.NOTE, text="the hand goes on")
        elif was is None or _RESULT(was) != _RESULT(last):
            parts = [str(last.end)]
            if last.winners:
                parts.append(f"{' and '.join(self._names[seat] for seat in last.winners)} won")
            parts += [
                f"{self._names[seat]} {total:g}" for seat, total in last.totals if total is not None
            ]
            text = f"the hand is over: {', '.join(parts)}"
            self._line(after.hand_number, Kind.NOTE, text=text)

    def _post_hand(self, hand: int, new: Payments, why: tuple[str, ...]) -> None:
        """Write new payments of a hand, and take back those that no longer stand."""
        old = self._posted.get(hand, ())
        self._posted[hand] = new
        if new != old:
            self._post(hand, {**self._names, **self.found.people[hand]}, old, new, why)

    def _post_entries(self, state: State, why: tuple[str, ...]) -> None:
        """Write a new entry, or take back one that was undone (rule G-22)."""
        old = self._entries
        entries = (of_entry(noted.entry.tokens) for noted in state.book.entries)
        self._entries = tuple(chain.from_iterable(entries))
        now = {player.seat: player.name for player in state.players}
        self._post(state.hand_number, {**self._names, **now}, old, self._entries, why)

    def _post(
        self,
        hand: int,
        names: Mapping[int, str],
        old: Payments,
        new: Payments,
        why: tuple[str, ...],
    ) -> None:
        old_counts, new_counts = Counter(old), Counter(new)
        for payment in reversed(list((old_counts - new_counts).elements())):
            self._write(hand, names, payment, Kind.TAKEN_BACK, why)
        for payment in new:
            if old_counts[payment]:
                old_counts[payment] -= 1
            else:
                self._write(hand, names, payment, Kind.PAID, payment.rules)

    def _write(
        self,
        hand: int,
        names: Mapping[int, str],
        paid: Payment,
        kind: Kind,
        rules: tuple[str, ...],
    ) -> None:
        payer, payee = (
            None if seat is None else (seat, names[seat]) for seat in (paid.payer, paid.payee)
        )
        amount = paid.amount
        if kind is Kind.TAKEN_BACK:
            payer, payee = payee, payer
        totals = self.found.totals[paid.unit]
        for person, change in ((payer, -amount), (payee, amount)):
            if person is not None:
                totals[person] += change
            elif paid.unit is Unit.TOKENS:
                self.found.pot += change
        self._line(
            hand,
            kind,
            payer=payer,
            payee=payee,
            amount=amount,
            unit=paid.unit,
            cause=paid.cause,
            rules=rules,
            totals=(payer and totals[payer], payee and totals[payee]),
        )

    def _compare_hands(self, state: State) -> None:
        """Compare the payments of each finished hand with its settlement."""
        self.found.hands = len(state.hands)
        for number, hand in enumerate(state.hands, start=1):
            want = Counter(dict(hand.settlement))
            if number == state.hand_number and state.round.standing.over:
                want.update(dict(state.round.standing.settlement))
            paid = _net(self._posted[number])
            for seat in sorted(set(want) | set(paid)):
                if want[seat] != paid[seat]:
                    self.found.problems.append(
                        f"hand {number}, seat {seat}: the payments make {paid[seat]:+d}, "
                        f"the settlement {want[seat]:+d}"
                    )


def _stands(state: State, standing: MatchState, seat: int) -> dict[Unit, int]:
    """Return the lives and the points of the player at *seat*, as far as the match counts them."""
    setup = state.setup
    match = setup.game.match.player_view(setup.options, standing, seat)
    told = {} if match is None else {Unit.LIVES: match.lives, Unit.POINTS: match.points}
    return {unit: count for unit, count in told.items() if count is not None}


def _told(event: Event, before: State, after: State) -> tuple[str, tuple[str, ...]]:
    """Return what *event* changes in earlier lines, in words, and the rules for that."""
    rules: tuple[str, ...] = ()
    text = ""
    match event:
        case Correct():
            text = f"a misreading: {event.was or 'an unread card'} is {event.card}"
            rules = ("G-10", "G-12") if before.outcome is not None else ("G-10",)
        case CorrectBone():
            text = f"a misreading: bone {event.pos + 1} of throw {event.roll + 1} of "
            text += f"{_name(after, event.seat)} counts {event.face}"
            rules = ("KB-20", "G-10")
        case Misdeal():
            text, rules = f"a misdeal: {event.reason or 'the hand is void'}", ("G-13",)
        case Entry():
            text, rules = f"an entry: {event.reason}", ("G-22",)
        case Declare():
            rules = ("SC-24",)  # the one claim that can change a hand that is over
        case Join():
            text = f"{_name(after, event.seat)} sits down"
        case Leave():
            text, rules = f"{_name(before, event.seat)} leaves", ("G-17",)
    return text, rules


def _name(state: State, seat: int) -> str:
    return next((player.name for player in state.players if player.seat == seat), f"seat {seat}")


def _net(payments: Iterable[Payment]) -> Counter[int]:
    found: Counter[int] = Counter()
    for paid in payments:
        if paid.unit is Unit.TOKENS:
            if paid.payer is not None:
                found[paid.payer] -= paid.amount
            if paid.payee is not None:
                found[paid.payee] += paid.amount
    return found
