"""What was read and what people corrected, by card, face, seat and game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from device.croupier.by_hand import BY_HAND
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
    correction. What people entered by hand is no reading, nor is its correction one of a reading.

    Attributes:
        taken: how often each was read.
        wrong: a reading and what it really was, and how often.
        entered: how many were entered by hand.
    """

    taken: Counter[Reading] = field(default_factory=Counter)
    wrong: Counter[tuple[Reading, str]] = field(default_factory=Counter)
    entered: int = 0

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
            {place for place, word in record.assumed if word == BY_HAND},
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
            whole.entered += part.entered
    return total


def _of_session(journal: JournalReader, session: SessionRecord) -> AccuracyReport:
    stored = journal.stored(session.number)
    entered = {place for place, each in enumerate(stored) if each.assumed == BY_HAND.encode()}
    return _measure(partial(replay_session, journal, session), session.game, entered)


Target = tuple[int, str] | tuple[int, int, int, int]
"""What is corrected, after the number of its hand: a card by its name, a bone by seat, throw and
place."""


class _Correction(NamedTuple):
    """One correction that counts, unless it is undone."""

    of: Readings
    was: Reading
    now: str
    target: Target
    becomes: Target


class _Reads(NamedTuple):
    """What one event read, unless it is undone: a repair writes again what stands."""

    of: Readings
    read: list[Reading]
    targets: Sequence[Target]
    by_hand: bool


def _measure(
    play: Callable[[Listener], object], game: str, entered: Collection[int]
) -> AccuracyReport:
    """Return the readings of a session that *play* folds for a listener.

    *entered* are the places of the events that people entered by hand.
    """
    found = AccuracyReport()
    seat_of: dict[Card, int | None] = {}
    done: list[_Correction | _Reads] = []
    thrown: dict[tuple[int, int, int, int], Reading] = {}
    typed: dict[Target, bool] = {}
    hand = 0
    place = -1

    def listen(event: Event, before: View, after: View) -> None:
        nonlocal hand, place
        place += 1
        if after.hand_number != hand:
            hand = after.hand_number
            _settle(done, typed)
            done.clear()
        of_hand = getattr(event, "hand", None)
        of_hand = hand if of_hand is None else of_hand
        seat = getattr(event, "seat", None)
        match event:
            case Undo():
                # The journal keeps what was undone; an undo takes the last event that counts.
                if done:
                    done.pop()
                return
            case Correct(was=Card() as was, card=Card() as card):
                seat = seat_of[card] = seat_of.get(was) if seat is None else seat
                read, now = Reading(str(was), seat, game), str(card)
                done.append(
                    _Correction(found.cards, read, now, (of_hand, str(was)), (of_hand, now))
                )
                return
            case CorrectBone(seat=seat, roll=roll, pos=pos):
                bone = (of_hand, seat, roll, pos)
                now = str(Face.from_points(event.face))
                done.append(_Correction(found.bones, thrown[bone], now, bone, bone))
                return
            case Roll(seat=seat):
                roll = next(len(each.throws) for each in before.seats if each.seat == seat)
                faces = map(Face.from_points, event.faces)
                reads = [Reading(str(face), seat, game) for face in faces]
                bones = {(hand, seat, roll, pos): read for pos, read in enumerate(reads)}
                thrown.update(bones)
                done.append(_Reads(found.bones, reads, tuple(bones), place in entered))
            case _:
                cards = [card for _, _, card in cards_of(event)]
                seat_of.update(dict.fromkeys(cards, seat))
                reads = [Reading(str(card), seat, game) for card in cards]
                targets = [(hand, read.name) for read in reads]
                done.append(_Reads(found.cards, reads, targets, place in entered))

    play(listen)
    _settle(done, typed)
    return found


def _settle(done: Iterable[_Correction | _Reads], typed: dict[Target, bool]) -> None:
    """Count what was read in a hand and the corrections that stand, those of one target as one.

    *typed* keeps of all that was found whether people entered it before it was read.
    """
    first: dict[Target, _Correction] = {}
    for each in done:
        if isinstance(each, _Reads):
            if each.by_hand:
                each.of.entered += sum(target not in typed for target in each.targets)
            else:
                each.of.taken.update(each.read)
            for target in each.targets:
                typed.setdefault(target, each.by_hand)
            continue
        typed[each.becomes] = typed.get(each.target, False)
        if typed[each.becomes]:
            continue
        before = first.pop(each.target, None)
        first[each.becomes] = each if before is None else each._replace(was=before.was)
    for each in first.values():
        if each.was.name != each.now:
            each.of.wrong[each.was, each.now] += 1
