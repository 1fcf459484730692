"""Counting without a game: what the reader finds is counted, kept, and told."""

from __future__ import annotations

import logging
from collections import Counter as Multiset
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from device.clock import Clock, utc
from device.croupier.counting.bones import BoneCounter
from device.croupier.counting.cards import CardCounter
from device.croupier.counting.counter import Counter, Item, Kind, Throw, What
from device.storage.counts import append, read, throws_of
from display.pages.faces import ShareBar
from engine.core.bones import Face
from engine.core.cards import Card, Rank
from engine.core.messages.words import rank_index
from engine.games import catalog
from engine.games.knucklebones.fairness import wilson
from engine.games.knucklebones.odds_throws import PUBLISHED
from engine.games.knucklebones.story import FACE_WORDS
from vision.readings import Reading

log = logging.getLogger(__name__)

RANK_CHANCE = 1 / len(Rank)

COUNTERS: Mapping[Kind, type[Counter]] = {Kind.BONES: BoneCounter, Kind.CARDS: CardCounter}

Listener = Callable[[Throw, str], object]
"""Called with a throw, and ``"new"``, ``"again"`` where it was put right, or ``"undone"``."""


class Counting:
    """One count, from its first throw to its end.

    A count that nobody ended, as by a power cut, goes on.

    Attributes:
        kind: what is counted.
        counter: what it came to.
        is_kept: whether the file could be written.
    """

    def __init__(
        self, kind: Kind, path: Path, clock: Clock, listener: Listener | None = None
    ) -> None:
        """Count, and keep it in the file *path*."""
        self.kind, self.is_kept = kind, True
        self._path, self._clock, self._listener = path, clock, listener
        self._start_s = clock.monotonic()
        self._count_s, throws = self._unfinished()
        self.counter = COUNTERS[kind](throws)
        self._known = {throw.number: throw for throw in throws}

    def see(self, reading: Reading) -> bool:
        """Take the next settled reading; return whether it added or changed a throw."""
        changed = self.counter.see(reading)
        if changed:
            self._tell()
        return changed

    def undo(self) -> bool:
        """Take the last throw back; return whether there was one."""
        gone = self.counter.undo()
        self._tell()
        return gone is not None

    def name(self, number: int, what: What) -> None:
        """Take the word of people for what item *number* is."""
        self.counter.name(number, what)
        self._tell()

    def name_unread(self, number: int, what: What) -> None:
        """Take the word of people for what lies there as *number*, and was not read."""
        self.counter.name_unread(number, what)
        self._tell()

    def enter(self, what: What, *, begins: bool) -> None:
        """Count what no camera saw; *begins* tells whether it is the first of a throw."""
        self.counter.enter(what, self._clock.monotonic(), begins=begins)
        self._tell()

    def end(self) -> None:
        """End the count: the next one begins afresh."""
        if self._known:
            self._keep({"end": True})

    def seconds(self, throw: Throw) -> float:
        """Return how many seconds after the beginning *throw* came to rest."""
        return round(max(0.0, throw.time_s - self._start_s), 2)

    def _tell(self) -> None:
        """Keep and tell what has changed."""
        now = {throw.number: throw for throw in self.counter.throws}
        for number in sorted(self._known.keys() - now.keys(), reverse=True):
            self._keep({"throw": number, "undone": True})
            self._hear(self._known.pop(number), "undone")
        for number, throw in now.items():
            before = self._known.get(number)
            if before == throw:
                continue
            self._known[number] = throw
            self._keep(
                {
                    "throw": number,
                    "t": self.seconds(throw),
                    "items": [_code(item) for item in throw.items],
                    "kept": [_code(item) for item in throw.kept],
                }
            )
            self._hear(throw, "new" if before is None else "again")

    def _hear(self, throw: Throw, how: str) -> None:
        if self._listener is not None:
            self._listener(throw, how)

    def _keep(self, line: Mapping[str, Any]) -> None:
        head = {"count": self._count_s, "kind": str(self.kind), "at": round(self._clock.wall(), 2)}
        try:
            append(self._path, {**head, **line})
            self.is_kept = True
        except OSError as problem:
            if self.is_kept:
                log.error("%s: the counts are not kept (%s); check the disk", self._path, problem)
            self.is_kept = False

    def _unfinished(self) -> tuple[float, list[Throw]]:
        """Return when the last count of this kind began, with its throws, if nobody ended it."""
        new = round(self._clock.wall(), 2)
        try:
            lines = [line for line in read(self._path) if line["kind"] == self.kind]
        except OSError as problem:
            log.error("%s: cannot be read (%s); counting afresh", self._path, problem)
            return new, []
        if not lines or "end" in lines[-1]:
            # Two counts are told apart by when they began, whatever the clock says.
            return max([new, *(line["count"] + 0.01 for line in lines)]), []
        count_s = lines[-1]["count"]
        return count_s, _restored(throws_of(lines)[count_s])


def counted(path: Path, kind: Kind) -> tuple[Multiset[What], int, int]:
    """Return how often each face or card of the file *path* fell, in how many throws and counts.

    Raises:
        OSError: it cannot be read.
    """
    lines = [line for line in read(path) if line["kind"] == kind]
    found, throws, counts = Multiset[What](), 0, 0
    for by_number in throws_of(lines).values():
        counts += bool(by_number)
        throws += len(by_number)
        for line in by_number.values():
            found.update(item.what for item in _items(line["items"], 0))
    return found, throws, counts


def rows_of(path: Path, kind: Kind) -> Iterator[tuple[str | int, ...]]:
    """Yield :data:`ROW` of each bone or card of the file *path*, the oldest count first.

    Raises:
        OSError: it cannot be read.
    """
    lines = [line for line in read(path) if line["kind"] == kind]
    for began_s, by_number in throws_of(lines).items():
        for throw in _restored(by_number):
            when_s = by_number[throw.number]["at"]
            for number, item in enumerate(throw.items, start=1):
                by_hand = "yes" if item.by_hand else "no"
                told = (throw.number, number, str(item.what), item.value, by_hand, throw.total)
                yield (utc(began_s), utc(when_s), *told)


ROW = ("began", "when", "throw", "number", "what", "value", "by_hand", "total")
"""Columns of :func:`rows_of`; the first two are times as RFC 3339 has them."""


def game_to_count(kind: Kind) -> str:
    """Return a game that is played with what is counted: its reader is used."""
    with_bones = kind is Kind.BONES
    return next(each.name for each in catalog.all_games() if each.with_bones is with_bones)


def bars(kind: Kind, counts: Mapping[What, int]) -> tuple[ShareBar, ...]:
    """Return how often each face fell, or each rank was laid, beside its chance.

    Bones are held against published chances (KB-1), ranks against a whole pack; the bounds are
    Wilson's, 95 of 100 times.
    """
    told: dict[Face | Rank, float]
    if kind is Kind.BONES:
        told = {Face.from_points(points): float(chance) for points, chance in PUBLISHED}
    else:
        told = dict.fromkeys(Rank, RANK_CHANCE)
    fell = Multiset[Face | Rank]()
    for what, number in counts.items():
        fell[what if isinstance(what, Face) else what.rank] += number
    whole = fell.total()
    found = []
    for each, chance in told.items():
        number = fell[each]
        low, high = wilson(number, whole) if whole else (0.0, 0.0)
        face = each if isinstance(each, Face) else None
        name = FACE_WORDS[each] if isinstance(each, Face) else rank_index(each)
        share = number / whole if whole else 0.0
        found.append(ShareBar(face, name, number, share, low, high, chance))
    return tuple(found)


def _restored(lines: Mapping[int, Mapping[str, Any]]) -> list[Throw]:
    throws: list[Throw] = []
    last = 0
    for number in sorted(lines):
        items = _items(lines[number]["items"], last)
        last += len(items)
        kept = _items(lines[number].get("kept", []), last)
        last += len(kept)
        throws.append(Throw(number, float(lines[number].get("t", 0.0)), items, kept))
    return throws


BY_HAND = "!"
"""Ends what people named."""


def _code(item: Item) -> str:
    return f"{item.what}{BY_HAND if item.by_hand else ''}"


def _items(codes: list[str], last: int) -> tuple[Item, ...]:
    """Return what *codes* say, numbered from after *last*; words that nobody knows are left out."""
    found: list[Item] = []
    for code in codes:
        plain = code.removesuffix(BY_HAND)
        try:
            what = Face(plain) if plain in set(Face) else Card.parse(plain)
        except ValueError:
            continue
        found.append(Item(last + len(found) + 1, what, code != plain))
    return tuple(found)
