"""Remember what lies on a table without a mat, so that each change of it is told once.

A camera's compression and noise make a still table seem to change, and a card that was sure is
doubted in the next look. What is known of a card stays known while its pixels stand still: all
looks at it are weighed together, as log-odds for each card that one of them named.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.core.cards import Card
from vision.cards.geometry import READ, straighten
from vision.geometry import Image, Points, overlap
from vision.mat.segmentation import FrameAnalysis
from vision.readings import BackReading, CardReading, JokerReading, Reading, UnsureReading
from vision.tracking.motion_gate import IncrementalReader

Placed = CardReading | BackReading | JokerReading | UnsureReading

PlacedT = TypeVar("PlacedT", bound=Placed)

SAME_PLACE = 0.6
"""Part of the smaller of two outlines that the other covers where they are of one card."""

STILL, STILL_PART = 3.5, 0.25
"""Grey levels (0-255) by which a card's cells differ on average, at most, where it lies untouched;
or that part of its contrast, where this is more: in dim light and in glare all cards look alike.

In the 31 s of a compressed video of a poker table those of its eleven cards differ by 3.3 at most.
On drawn tables 360 cards that lay untouched differed by at most 0.03 of their contrast, and 972
with another laid on them by at least 0.37.
"""

ROUGHLY_STILL = 10.0
"""The same for what is no card that was read: a shadow or a back has hardly any contrast."""

CELLS = 8
"""Pixels of the straightened card on a side of a cell."""

MOST_GAIN = 1.25
"""By so much the light on a card that lies untouched may change."""

INDEX_CELLS = 5, 3
"""Rows and columns of cells in which a card's index lies."""

LEAST, MOST = 0.001, 0.999
"""Between these a look's confidence counts: no single look outweighs many."""

LOOKS = 5
"""Looks at a table that has come to rest; what most of them show is told."""

MOST_LOOKS = 3 * LOOKS
"""As many at most where a card is in two minds, in a second at most: a video renews its picture
now and then, and until then all looks err alike.
"""

PATIENCE_S = 1.0

CLEARLY = LOOKS * math.log(0.98 / 0.02)
"""Log-odds by which a card must lead what else was read there: five looks of 0.98."""


@dataclass(slots=True, eq=False)
class _Seen(Generic[PlacedT]):
    """What was read, what was first seen of it, and how many looks did and did not show it.

    Looks count while its pixels stand still.
    """

    last: PlacedT
    cells: NDArray[np.float32]
    read: int = 0
    missed: int = 0

    @property
    def is_settled(self) -> bool:
        return self.read > max(self.missed, LOOKS // 2)

    def is_still(self, image: Image, least: float = STILL) -> bool:
        return _is_like(cells_of(image, self.last), self.cells, least)


@dataclass(slots=True, eq=False)
class _Tracked(_Seen[CardReading]):
    """A card, and what speaks for each card; *beside* holds the others that a look showed too."""

    odds: Counter[Card] = field(default_factory=Counter)
    beside: list[_Tracked] = field(default_factory=list)

    @property
    def leads(self) -> float:
        """Return by how much its odds are above those of what else was read there."""
        first, *others = sorted((*self.odds.values(), 0.0), reverse=True)
        return float(first - max(others, default=0.0))

    def hear(self, said: CardReading) -> None:
        """Weigh another look."""
        likely = min(max(said.confidence, LEAST), MOST)
        self.odds[said.card] += math.log(likely / (1 - likely))  # type: ignore[assignment]
        best = max(self.odds, key=lambda card: self.odds[card])
        confidence = 1 / (1 + math.exp(-self.odds[best]))
        self.last = replace(self.last, card=best, confidence=confidence)
        self.read += 1


class Reader(IncrementalReader, Protocol):
    """What is followed; :class:`vision.TableReader` is one."""

    def read(self, image: Image, time_s: float = 0.0) -> Reading:
        """Read one picture."""
        ...


class SettledReader:
    """Follows a camera as a :class:`MotionGate` wants it, and looks at each rest several times.

    Where a mat is in view its readings are believed as they are: they are remembered already.
    """

    def __init__(self, reader: Reader, patience_s: float = PATIENCE_S) -> None:
        """Look with *reader*, for *patience_s* seconds where a card stays in two minds."""
        self._reader, self._patience_s = reader, patience_s
        self._tracked: list[_Tracked] = []
        self._others: list[_Seen[Placed]] = []
        self._rest: Image | None = None
        self._rest_before: Image | None = None
        self._looks, self._since_s, self._now_s = LOOKS, 0.0, 0.0
        self._has_mat = False

    def follow(self, frame: FrameAnalysis, time_s: float = 0.0) -> Reading:
        """Look at a table that has come to rest; *time_s* is that of the reading."""
        reading = self._reader.follow(frame, time_s)
        self._has_mat, self._now_s = reading.seats is not None, time_s
        self._rest_before, self._rest = self._rest, frame.image
        self._looks, self._since_s = 0, time_s
        return reading if self._has_mat else self._settled(reading, frame.image)

    def read(self, image: Image, time_s: float = 0.0) -> Reading:
        """Read one picture by itself."""
        return self._reader.read(image, time_s)

    def is_clear(self, frame: FrameAnalysis) -> bool:
        """Return whether what changed since the last reading shows no hand."""
        return self._reader.is_clear(frame)

    @property
    def in_doubt(self) -> bool:
        """Return whether it is to be looked at again."""
        if self._has_mat:
            return self._reader.in_doubt
        if self._looks < LOOKS:
            return True
        if self._looks >= MOST_LOOKS or self._now_s - self._since_s >= self._patience_s:
            return False
        return any(each.is_settled and each.leads < CLEARLY for each in self._tracked)

    def vote(self, frame: FrameAnalysis, time_s: float = 0.0) -> Reading:
        """Look once more at the same table."""
        self._now_s = time_s
        if self._has_mat:
            return self._reader.vote(frame, time_s)
        return self._settled(self._reader.read(frame.image, time_s), frame.image)

    def _settled(self, reading: Reading, image: Image) -> Reading:
        self._looks += 1
        before, self._tracked = [t for t in self._tracked if t.is_still(image)], []
        for card in reading.cards:
            known = _at(before, card)
            if known is None:
                known = _Tracked(card, cells_of(image, card))
            else:
                before.remove(known)
            known.hear(card)
            self._tracked.append(known)
        for tracked in self._tracked:
            tracked.beside += [each for each in self._tracked if each not in tracked.beside]
        for tracked in before:
            # Not read this time; where nothing changed, it may lie there all the same.
            tracked.missed += 1
            self._tracked.append(tracked)
        cards = tuple(each.last for each in _without_doubles(self._tracked))
        others = self._hear_others((*reading.backs, *reading.jokers, *reading.unsure), image)
        free = [each for each in others if not _any_at(cards, each)]
        return replace(
            reading,
            cards=cards,
            unsure=tuple(each for each in free if isinstance(each, UnsureReading)),
            backs=tuple(each for each in free if isinstance(each, BackReading)),
            jokers=tuple(each for each in free if isinstance(each, JokerReading)),
        )

    def _hear_others(self, read: Sequence[Placed], image: Image) -> list[Placed]:
        """Weigh what was read besides cards; return what most looks have shown."""
        before, self._others = [o for o in self._others if o.is_still(image, ROUGHLY_STILL)], []
        for each in read:
            same = (o for o in before if type(o.last) is type(each) and is_at(o.last, each))
            known = next(same, None)
            if known is None:
                known = _Seen(each, cells_of(image, each))
                if self._rest_before is not None and known.is_still(
                    self._rest_before, ROUGHLY_STILL
                ):
                    # A rest before, the same pixels were not read so: that takes more than a rest.
                    known.missed = MOST_LOOKS
            else:
                before.remove(known)
                known.last = replace(each, place=known.last.place)  # where its pixels are watched
            known.read += 1
            self._others.append(known)
        for other in before:
            other.missed += 1
            self._others.append(other)
        return [other.last for other in self._others if other.is_settled]


class Changes:
    """Lets each change through once."""

    def __init__(self) -> None:
        """Start with nothing told."""
        self._told: Reading | None = None

    def see(self, reading: Reading) -> Reading | None:
        """Return *reading* if it shows something new.

        That is a card or bone that came, went, moved or is another one, and a doubtful one where
        nothing was told before.
        """
        if self._told is not None and not _is_new(reading, self._told):
            return None
        self._told = reading
        return reading


COUNTED = ("cards", "backs", "jokers")
"""What of a reading is new where there is more of it, or less."""


def quad_of(placed: Placed) -> Points:
    """Return the corners of what was read, float32 (4, 2)."""
    return np.array(placed.place.corners, np.float32)


def is_at(one: Placed, other: Placed) -> bool:
    """Return whether two lie at one place: of cards in a fan each has a middle of its own."""
    first, second = quad_of(one), quad_of(other)
    apart = float(np.linalg.norm(first.mean(axis=0) - second.mean(axis=0)))
    side = float(np.linalg.norm(first[1] - first[0]))
    return overlap(first, second) > SAME_PLACE and apart < side / 2


def _any_at(placed: Iterable[Placed], place: Placed) -> bool:
    return any(is_at(each, place) for each in placed)


def _at(tracked: list[_Tracked], card: CardReading) -> _Tracked | None:
    """Return what is tracked where *card* lies, that card before any other."""
    near = [each for each in tracked if is_at(each.last, card)]
    return min(near, key=lambda each: each.last.card != card.card, default=None)


def _without_doubles(tracked: Sequence[_Tracked]) -> list[_Tracked]:
    """Return what is settled; of two that no look showed together one card has been both."""
    kept: list[_Tracked] = []
    for each in sorted(tracked, key=lambda t: t.missed - t.read):
        doubles = (o for o in kept if each not in o.beside)
        if each.is_settled and not any(
            overlap(quad_of(each.last), quad_of(o.last)) > SAME_PLACE for o in doubles
        ):
            kept.append(each)
    return kept


def cells_of(image: Image, card: Placed) -> NDArray[np.float32]:
    """Return the mean colour of each cell of a card: float32 (rows, columns, 3)."""
    crop = straighten(image, quad_of(card), READ).astype(np.float32)
    rows, columns = (side // CELLS for side in crop.shape[:2])
    parts = crop[: rows * CELLS, : columns * CELLS].reshape(rows, CELLS, columns, CELLS, 3)
    return np.asarray(parts.mean(axis=(1, 3)), np.float32)


def is_unmoved(image: Image, placed: Placed, cells: NDArray[np.float32]) -> bool:
    """Return whether the pixels of a card are as in a look that saw *cells*, (rows, columns, 3)."""
    return _is_like(cells_of(image, placed), cells)


def peeps_out(image: Image, placed: Placed, cells: NDArray[np.float32]) -> bool:
    """Return whether of a card that a look saw as *cells* no more is in sight than one index.

    *cells* is float32 (rows, columns, 3), as of :func:`cells_of`.
    """
    now = cells_of(image, placed)
    rows, columns = INDEX_CELLS
    corners = np.s_[:rows, :columns], np.s_[-rows:, -columns:]
    indices = (_is_like(now[at], cells[at], least=0.0) for at in corners)
    return not _is_like(now, cells) and any(indices)


def _is_like(now: NDArray[np.float32], before: NDArray[np.float32], least: float = STILL) -> bool:
    paper, paper_now = np.median(before, axis=(0, 1)), np.median(now, axis=(0, 1))
    # A camera that takes in more light, or less, shows the same card.
    now = now * np.clip(paper / np.maximum(paper_now, 1.0), 1 / MOST_GAIN, MOST_GAIN)
    contrast = float(np.abs(before - paper).mean())
    return float(np.abs(now - before).mean()) < max(least, STILL_PART * contrast)


def _is_new(now: Reading, told: Reading) -> bool:
    """Return whether *now* shows what *told* did not, or no longer what it did."""

    def lies_in(card: CardReading, cards: tuple[CardReading, ...]) -> bool:
        return any(card.card == each.card and is_at(each, card) for each in cards)

    if any(len(getattr(now, kind)) != len(getattr(told, kind)) for kind in COUNTED):
        return True
    if Counter(bone.face for bone in now.bones) != Counter(bone.face for bone in told.bones):
        return True
    before: tuple[Placed, ...] = (*told.cards, *told.backs, *told.unsure)
    return not all(lies_in(card, told.cards) for card in now.cards) or not all(
        _any_at(before, each) for each in now.unsure
    )
