"""What was read and what people corrected, by card, face, seat and game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, replace
from functools import partial

from device.storage.journal import Journal, SessionRecord
from device.storage.replay import Listener, fold, for_each_session, replay_session
from engine import Card, Event
from engine.core.bones import Face
from engine.core.events import Correct, CorrectBone, Roll, Undo
from engine.core.views import View
from engine.records.record import Record
from engine.table.card_tracking import cards_of


@dataclass(slots=True)
class Readings:
    """Readings of cards, or of bones.

    A card that is read again, as when a hand is laid open, counts again. What nobody corrected
    counts as right, so the share of errors is a lower bound. A card corrected twice counts as
    one error: from the first reading to the last correction.

    Attributes:
        taken: how often each name was read, such as ``9S`` or ``convex``.
        wrong: ``(as read, as it really was)`` and how often.
        by_seat: readings at each seat; ``None`` is the middle of the table.
        wrong_by_seat: those of them that were corrected.
        by_game: readings in each game, such as ``bone-ace``.
        wrong_by_game: those of them that were corrected.
    """

    taken: Counter[str] = field(default_factory=Counter)
    wrong: Counter[tuple[str, str]] = field(default_factory=Counter)
    by_seat: Counter[int | None] = field(default_factory=Counter)
    wrong_by_seat: Counter[int | None] = field(default_factory=Counter)
    by_game: Counter[str] = field(default_factory=Counter)
    wrong_by_game: Counter[str] = field(default_factory=Counter)

    def wrong_by_name(self) -> Counter[str]:
        """Return how often each name was a misreading."""
        found: Counter[str] = Counter()
        for (was, _now), times in self.wrong.items():
            found[was] += times
        return found

    def _count(self, name: str, seat: int | None, game: str) -> None:
        self.taken[name] += 1
        self.by_seat[seat] += 1
        self.by_game[game] += 1

    def _count_error(self, was: str, now: str, seat: int | None, game: str) -> None:
        self.wrong[was, now] += 1
        self.wrong_by_seat[seat] += 1
        self.wrong_by_game[game] += 1

    def _merge(self, other: Readings) -> None:
        for each in fields(self):
            getattr(self, each.name).update(getattr(other, each.name))


@dataclass(slots=True)
class AccuracyReport:
    """The readings of *cards* and *bones*, in how many *sittings*."""

    cards: Readings = field(default_factory=Readings)
    bones: Readings = field(default_factory=Readings)
    sittings: int = 0


def measure_accuracy(journal: Journal, number: int | None = None) -> AccuracyReport:
    """Compare what was read with what people corrected, in session *number* or in all.

    A correction that was taken back does not count. A session that cannot be played any more is
    left out with a warning.

    Raises:
        JournalError: the journal cannot be read.
    """
    wanted = (each for each in journal.sittings() if number in (None, each.number))
    return _sum(report for _, report in for_each_session(journal, wanted, _of_session))


def measure_records(records: Iterable[Record]) -> AccuracyReport:
    """Compare what was read with what people corrected, in game records.

    Raises:
        BoneAceError: an event of one cannot be played any more.
    """
    return _sum(map(_of_record, records))


def _sum(reports: Iterable[AccuracyReport]) -> AccuracyReport:
    total = AccuracyReport()
    for report in reports:
        total.sittings += 1
        total.cards._merge(report.cards)
        total.bones._merge(report.bones)
    return total


def _of_record(record: Record) -> AccuracyReport:
    events = [event for _, event in record.events]
    return _measure(partial(fold, record.opening, events), record.opening.setup.game.name)


def _of_session(journal: Journal, session: SessionRecord) -> AccuracyReport:
    return _measure(partial(replay_session, journal, session), session.game)


@dataclass(frozen=True, slots=True)
class _Correction:
    """One correction that counts, unless it is undone.

    Attributes:
        target: what was corrected: a card by its name, a bone by seat, throw and place.
    """

    of: Readings
    was: str
    now: str
    seat: int | None
    target: str | tuple[int, int, int]


def _measure(play: Callable[[Listener], object], game: str) -> AccuracyReport:
    """Return the readings of a session that *play* folds for a listener."""
    found = AccuracyReport()
    seat_of: dict[Card, int | None] = {}
    done: list[_Correction | None] = []
    hand = 0

    def listen(event: Event, before: View, after: View) -> None:
        nonlocal hand
        if after.hand_number != hand:
            hand = after.hand_number
            _settle(done, game)
            seat_of.clear()
            done.clear()
        if isinstance(event, Undo):
            # The journal keeps what was undone; an undo takes the last event that still counts.
            if done:
                done.pop()
            return
        correction = _correction(event, before, seat_of, found)
        if correction is None:
            _count(event, seat_of, found, game)
        done.append(correction)

    play(listen)
    _settle(done, game)
    return found


def _settle(done: Iterable[_Correction | None], game: str) -> None:
    """Count the corrections of a hand that stand, several of one target as one."""
    first: dict[str | tuple[int, int, int], _Correction] = {}
    for each in done:
        if each is None:
            continue
        before = first.pop(each.target, None)
        whole = each if before is None else replace(each, was=before.was, seat=before.seat)
        first[each.now if isinstance(each.target, str) else each.target] = whole
    for each in first.values():
        if each.was != each.now:
            each.of._count_error(each.was, each.now, each.seat, game)


def _correction(
    event: Event, before: View, seat_of: dict[Card, int | None], found: AccuracyReport
) -> _Correction | None:
    """Return what *event* corrects; ``None`` when it is no correction."""
    if isinstance(event, Correct) and event.was is not None and event.card is not None:
        seat = seat_of.get(event.was) if event.seat is None else event.seat
        seat_of[event.card] = seat
        return _Correction(found.cards, str(event.was), str(event.card), seat, str(event.was))
    if isinstance(event, CorrectBone):
        throws = next(seat.throws for seat in before.seats if seat.seat == event.seat)
        was = Face.from_points(throws[event.roll][event.pos])
        now = Face.from_points(event.face)
        target = (event.seat, event.roll, event.pos)
        return _Correction(found.bones, str(was), str(now), event.seat, target)
    return None


def _count(event: Event, seat_of: dict[Card, int | None], found: AccuracyReport, game: str) -> None:
    """Count the readings in *event*."""
    seat = getattr(event, "seat", None)
    if isinstance(event, Roll):
        for points in event.faces:
            found.bones._count(str(Face.from_points(points)), seat, game)
        return
    for _, _, card in cards_of(event):
        seat_of[card] = seat
        found.cards._count(str(card), seat, game)
