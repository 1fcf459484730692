"""What was read and what people corrected, by card, face, seat and game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from device.storage.journal.reader import JournalReader, SessionRecord
from device.storage.journal.replay import Listener, fold, for_each_session, replay_session
from engine import Card, Event
from engine.core.bones import Face
from engine.core.events import Correct, CorrectBone, Roll, Undo
from engine.core.views import View
from engine.records.record import Record
from engine.table.card_tracking import cards_of


class Reading(NamedTuple):
    """What was read, such as ``9S`` or ``convex``, at which seat, in which game.

    *seat* is ``None`` in the middle of the table.
    """

    name: str
    seat: int | None
    game: str


@dataclass(slots=True)
class Readings:
    """Readings of cards, or of bones.

    A card that is read again, as when a hand is laid open, counts again; what was undone or written
    anew by a repair does not. What nobody corrected counts as right, so the share of errors is a
    lower bound. A card corrected twice counts as one error: from the first reading to the last
    correction.

    Attributes:
        taken: how often each was read.
        wrong: a reading and what it really was, and how often.
    """

    taken: Counter[Reading] = field(default_factory=Counter)
    wrong: Counter[tuple[Reading, str]] = field(default_factory=Counter)

    def tally(self, what: str) -> tuple[Counter[Any], Counter[Any]]:
        """Count what was read, and what of it was corrected, by *what* of a :class:`Reading`."""
        taken, wrong = Counter[Any](), Counter[Any]()
        for reading, times in self.taken.items():
            taken[getattr(reading, what)] += times
        for (reading, _now), times in self.wrong.items():
            wrong[getattr(reading, what)] += times
        return taken, wrong

    def mistaken(self) -> list[tuple[tuple[str, str], int]]:
        """Return what was read and what it really was, with how often, the most frequent first."""
        found = Counter[tuple[str, str]]()
        for (reading, now), times in self.wrong.items():
            found[reading.name, now] += times
        return sorted(found.items(), key=lambda each: (-each[1], each[0]))


@dataclass(slots=True)
class AccuracyReport:
    """The readings of *cards* and *bones*, in how many *sittings*."""

    cards: Readings = field(default_factory=Readings)
    bones: Readings = field(default_factory=Readings)
    sittings: int = 0


def measure_accuracy(journal: JournalReader, number: int | None = None) -> AccuracyReport:
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
    return _sum(
        _measure(
            partial(fold, record.opening, [event for _, event in record.events]),
            record.opening.setup.game.name,
        )
        for record in records
    )


def _sum(reports: Iterable[AccuracyReport]) -> AccuracyReport:
    total = AccuracyReport()
    for report in reports:
        total.sittings += 1
        for whole, part in ((total.cards, report.cards), (total.bones, report.bones)):
            whole.taken.update(part.taken)
            whole.wrong.update(part.wrong)
    return total


def _of_session(journal: JournalReader, session: SessionRecord) -> AccuracyReport:
    return _measure(partial(replay_session, journal, session), session.game)


Target = str | tuple[int, int, int]
"""What is corrected: a card by its name, a bone by seat, throw and place."""


class _Correction(NamedTuple):
    """One correction that counts, unless it is undone."""

    of: Readings
    was: Reading
    now: str
    target: Target


class _Reads(NamedTuple):
    """What one event read, unless it is undone: a repair writes again what stands."""

    of: Readings
    read: list[Reading]


def _measure(play: Callable[[Listener], object], game: str) -> AccuracyReport:
    """Return the readings of a session that *play* folds for a listener."""
    found = AccuracyReport()
    seat_of: dict[Card, int | None] = {}
    done: list[_Correction | _Reads] = []
    hand = 0

    def listen(event: Event, before: View, after: View) -> None:
        nonlocal hand
        if after.hand_number != hand:
            hand = after.hand_number
            _settle(done)
            done.clear()
        seat = getattr(event, "seat", None)
        match event:
            case Undo():
                # The journal keeps what was undone; an undo takes the last event that counts.
                if done:
                    done.pop()
                return
            case Correct(was=Card() as was, card=Card() as card):
                seat = seat_of[card] = seat_of.get(was) if seat is None else seat
                read = Reading(str(was), seat, game)
                done.append(_Correction(found.cards, read, str(card), str(was)))
                return
            case CorrectBone(seat=seat, roll=roll, pos=pos):
                throws = next(each.throws for each in before.seats if each.seat == seat)
                read = Reading(str(Face.from_points(throws[roll][pos])), seat, game)
                now = str(Face.from_points(event.face))
                done.append(_Correction(found.bones, read, now, (seat, roll, pos)))
                return
            case Roll():
                faces = map(Face.from_points, event.faces)
                reads = [Reading(str(face), seat, game) for face in faces]
                done.append(_Reads(found.bones, reads))
            case _:
                cards = [card for _, _, card in cards_of(event)]
                seat_of.update(dict.fromkeys(cards, seat))
                reads = [Reading(str(card), seat, game) for card in cards]
                done.append(_Reads(found.cards, reads))

    play(listen)
    _settle(done)
    return found


def _settle(done: Iterable[_Correction | _Reads]) -> None:
    """Count what was read in a hand and the corrections that stand, those of one target as one."""
    first: dict[Target, _Correction] = {}
    for each in done:
        if isinstance(each, _Reads):
            each.of.taken.update(each.read)
            continue
        before = first.pop(each.target, None)
        whole = each if before is None else each._replace(was=before.was)
        first[each.now if isinstance(each.target, str) else each.target] = whole
    for each in first.values():
        if each.was.name != each.now:
            each.of.wrong[each.was, each.now] += 1
