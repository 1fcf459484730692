"""What the machine read and what people put right, from the journal.

By card, face, seat and game.
"""

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
    """Readings of one kind of thing, cards or bones.

    A card that is read again, as when a hand is laid open, counts again: it was another reading.
    What nobody put right counts as read rightly, so the share of errors is a lower bound. A card
    put right twice was misread once: from what was read first to what was said last.

    Attributes:
        taken: how often each name was taken down, such as ``9S`` or ``convex``.
        wrong: ``(as read, as it really was)`` and how often.
        by_seat: readings taken down at each seat; ``None`` is the middle of the table.
        wrong_by_seat: those of them that were put right.
        by_game: readings in each game, such as ``bone-ace``.
        wrong_by_game: those of them that were put right.
    """

    taken: Counter[str] = field(default_factory=Counter)
    wrong: Counter[tuple[str, str]] = field(default_factory=Counter)
    by_seat: Counter[int | None] = field(default_factory=Counter)
    wrong_by_seat: Counter[int | None] = field(default_factory=Counter)
    by_game: Counter[str] = field(default_factory=Counter)
    wrong_by_game: Counter[str] = field(default_factory=Counter)

    def wrong_by_name(self) -> Counter[str]:
        """Return how often each name was taken down wrongly."""
        found: Counter[str] = Counter()
        for (was, _now), times in self.wrong.items():
            found[was] += times
        return found

    def _take(self, name: str, seat: int | None, game: str) -> None:
        self.taken[name] += 1
        self.by_seat[seat] += 1
        self.by_game[game] += 1

    def _put_right(self, was: str, now: str, seat: int | None, game: str) -> None:
        self.wrong[was, now] += 1
        self.wrong_by_seat[seat] += 1
        self.wrong_by_game[game] += 1

    def _merge(self, other: Readings) -> None:
        for each in fields(self):
            getattr(self, each.name).update(getattr(other, each.name))


@dataclass(slots=True)
class Audit:
    """The readings of a journal: *cards*, *bones*, and in how many *sittings*."""

    cards: Readings = field(default_factory=Readings)
    bones: Readings = field(default_factory=Readings)
    sittings: int = 0


def audit(journal: Journal, number: int | None = None) -> Audit:
    """Compare what was read with what people corrected, in sitting *number* or in all.

    A correction that was taken back does not count. A sitting that cannot be played any more is
    left out with a warning.

    Raises:
        JournalError: the journal cannot be read.
    """
    whole = Audit()
    wanted = (each for each in journal.sittings() if number in (None, each.number))
    for _, one in for_each_session(journal, wanted, _of_sitting):
        whole.sittings += 1
        whole.cards._merge(one.cards)
        whole.bones._merge(one.bones)
    return whole


@dataclass(frozen=True, slots=True)
class _Mended:
    """One correction that counts, unless it is undone.

    Attributes:
        thing: what was corrected: a card by its name, a bone by seat, throw and place.
    """

    of: Readings
    was: str
    now: str
    seat: int | None
    thing: str | tuple[int, int, int]


def audit_records(records: Iterable[Record]) -> Audit:
    """Compare what was read with what people corrected, in game records.

    Raises:
        BoneAceError: an event of one cannot be played any more.
    """
    whole = Audit()
    for record in records:
        events = [event for _, event in record.events]
        game = record.opening.setup.game.name
        one = _told_by(partial(fold, record.opening, events), game)
        whole.sittings += 1
        whole.cards._merge(one.cards)
        whole.bones._merge(one.bones)
    return whole


def _of_sitting(journal: Journal, sitting: SessionRecord) -> Audit:
    return _told_by(partial(replay_session, journal, sitting), sitting.game)


def _told_by(play: Callable[[Listener], object], game: str) -> Audit:
    """Return the readings of a sitting that *play* folds for a listener."""
    found = Audit()
    where: dict[Card, int | None] = {}
    done: list[_Mended | None] = []
    hand = 0

    def listen(event: Event, before: View, after: View) -> None:
        nonlocal hand
        if after.hand_number != hand:
            hand = after.hand_number
            _settle(done, game)
            where.clear()
            done.clear()
        if isinstance(event, Undo):
            # The journal keeps what was undone; an undo takes the last event that still counts.
            if done:
                done.pop()
            return
        mended = _mended(event, before, where, found)
        if mended is None:
            _note(event, where, found, game)
        done.append(mended)

    play(listen)
    _settle(done, game)
    return found


def _settle(done: Iterable[_Mended | None], game: str) -> None:
    """Count the corrections of a hand that stand, several of one thing as one."""
    first: dict[str | tuple[int, int, int], _Mended] = {}
    for each in done:
        if each is None:
            continue
        before = first.pop(each.thing, None)
        whole = each if before is None else replace(each, was=before.was, seat=before.seat)
        first[each.now if isinstance(each.thing, str) else each.thing] = whole
    for each in first.values():
        if each.was != each.now:
            each.of._put_right(each.was, each.now, each.seat, game)


def _mended(
    event: Event, before: View, where: dict[Card, int | None], found: Audit
) -> _Mended | None:
    """Return what a correction puts right; ``None`` for any other event."""
    if isinstance(event, Correct) and event.was is not None and event.card is not None:
        seat = where.get(event.was) if event.seat is None else event.seat
        where[event.card] = seat
        return _Mended(found.cards, str(event.was), str(event.card), seat, str(event.was))
    if isinstance(event, CorrectBone):
        throws = next(seat.throws for seat in before.seats if seat.seat == event.seat)
        was = Face.from_points(throws[event.roll][event.pos])
        now = Face.from_points(event.face)
        thing = (event.seat, event.roll, event.pos)
        return _Mended(found.bones, str(was), str(now), event.seat, thing)
    return None


def _note(event: Event, where: dict[Card, int | None], found: Audit, game: str) -> None:
    """Count what an event says was read."""
    seat = getattr(event, "seat", None)
    if isinstance(event, Roll):
        for points in event.faces:
            found.bones._take(str(Face.from_points(points)), seat, game)
        return
    for _, _, card in cards_of(event):
        where[card] = seat
        found.cards._take(str(card), seat, game)
