"""Find cards and indices in a picture: where they lie, how they are turned.

A fully convolutional network in the manner of CenterNet (Zhou et al., "Objects as Points", 2019)
gives heat maps of cards face up, cards face down and indices, and in each cell the shape of the
card or the index there. A card looks the same when turned by half a turn, so its shape is encoded
in numbers that this leaves as they are (:func:`decode_quad`). An index has one way up; where a card
is covered but for a corner, its index alone finds it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from vision.cards.geometry import IndexFrame, has_corner_at, is_card_like, is_same_outline
from vision.geometry import (
    Box,
    Image,
    Points,
    bounds,
    grown,
    joined,
    overlap,
    within,
    without_conflicts,
)
from vision.inference import Network, peaks

STRIDE = 8
"""Pixels of the input for one cell of the maps."""

UNIT = 32.0
"""Pixels of the input for 1.0 of a shape number."""

CARD_NUMBERS = 10
"""Numbers of the shape of a card: see :func:`decode_quad`."""

INDEX_NUMBERS = 8
"""Numbers of an index: its middle, across, down, and its card's middle; x and y each."""

INPUT_SIZES = ((768, 576), (512, 384), (256, 192))
"""Widths and heights a photograph is reduced to, multiples of 32: small ones see large cards."""

CLOSE_CARD_PX = 110
"""Pixels of the input across which cards are looked at again that lie on others or are small."""

SMALL_CARD_PX = 64
"""Pixels of the largest coarse input below which a card is small."""

CLOSER = 1.25
"""How much larger than the coarse input a closer look must be to be worth its time."""

COVERED = 0.1
"""Part of a card that another must cover to be looked at again."""

ROOM = 0.7
"""How much is looked at round a card, in widths of it."""

ENLARGED = 1.5
"""How far a picture is enlarged for a closer look, at most: there is nothing more to see."""

BEST_CARD_PX = 36
"""Pixels of the input across which a card on the mat is found best."""

LARGEST_INPUT_PX = 1024
"""No first look at a mat is wider: a Pi would be too slow."""


@dataclass(frozen=True, slots=True, eq=False)
class Detection:
    """A card found: float32 (4, 2) *quad* in pixels, clockwise; *score* 0.0-1.0."""

    quad: Points
    face_up: bool
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class IndexDetection:
    """An index found: where, and *score* 0.0-1.0."""

    frame: IndexFrame
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """What one picture holds, highest score first."""

    cards: tuple[Detection, ...]
    indices: tuple[IndexDetection, ...]


def decode_quad(numbers: NDArray[np.floating]) -> Points:
    """Return the quad that ten numbers tell, up to half a turn: float32 (4, 2), clockwise.

    Every quad is corner(s, t) = c + s*u + t*v + s*t*w with s, t = -1 or 1; half a turn makes u and
    v negative and leaves c and w. So u is given as the symmetric matrix u u' / |u|, and v likewise.

    Args:
        numbers: middle x, y; three numbers of u (along the top edge); three of v; w x, y.
    """

    def vector(xx: float, xy: float, yy: float) -> NDArray[np.float64]:
        length = max(xx + yy, 1e-6)
        angle = 0.5 * np.arctan2(2 * xy, xx - yy)
        return length * np.array([np.cos(angle), np.sin(angle)])

    n = [float(value) for value in numbers]
    middle, u, v = np.array(n[:2]), vector(*n[2:5]), vector(*n[5:8])
    w = np.array(n[8:10])
    if u[0] * v[1] - u[1] * v[0] < 0:
        v = -v
    corners = [middle - u - v + w, middle + u - v - w, middle + u + v + w, middle - u + v - w]
    return np.array(corners, np.float32)


class CardDetector:
    """Runs the detector network on pictures of any size."""

    def __init__(self, *, threshold: float = 0.3, index_threshold: float = 0.3) -> None:
        """Load the network; below these scores (0.0-1.0) a peak is no card, and no index."""
        self.threshold, self.index_threshold = threshold, index_threshold
        self._net = Network("card_finder.onnx")

    def find(self, image: Image, card_px: float | None = None) -> Detections:
        """Find the cards and indices of one picture.

        *card_px* is the width of a card in pixels where it is known, as on the mat; the picture is
        then searched at the size that suits the cards, else at several sizes and from nearer where
        cards are small. Where they lie on others it is always searched once more, from nearer.
        """
        long, short = max(image.shape[:2]), min(image.shape[:2])
        if card_px is None:
            scales = [min(size[0] / long, size[1] / short) for size in INPUT_SIZES]
            found = list(map(self._find, repeat(image), scales, INPUT_SIZES))
            looks = _closer_looks(found, scales[0], image, SMALL_CARD_PX)
        else:
            scale = min(BEST_CARD_PX / max(card_px, 1.0), 1.0, LARGEST_INPUT_PX / long)
            found = [self._find(image, scale)]
            looks = _closer_looks(found, scale, image, 0.0)
        for (left, top, right, bottom), scale in looks:
            found.append(_moved(self._find(image[top:bottom, left:right], scale), left, top))
        cards = sorted((card for some in found for card in some.cards), key=_score, reverse=True)
        indices = sorted((one for some in found for one in some.indices), key=_score, reverse=True)
        return Detections(
            tuple(without_conflicts(cards, _is_same_card)),
            tuple(without_conflicts(indices, _is_same_index)),
        )

    def _find(self, image: Image, scale: float, size: tuple[int, int] | None = None) -> Detections:
        """Find what a picture reduced by *scale* holds; *size* is that of the input, at least."""
        width = image.shape[1]
        if width < image.shape[0]:
            # The network is trained on pictures wider than tall; a card has no way up.
            turned = self._find(np.ascontiguousarray(np.rot90(image, -1)), scale, size)
            height = image.shape[0]
            return Detections(
                tuple(replace(d, quad=_back(d.quad, height)) for d in turned.cards),
                tuple(replace(i, frame=_turned_back(i.frame, height)) for i in turned.indices),
            )
        maps = self._net.run_resized(image, scale, size)
        scores = 1 / (1 + np.exp(-maps[:3]))
        cards, indices = [], []
        card_scores = np.asarray(scores[:2].max(axis=0), np.float32)
        for row, column in peaks(card_scores, self.threshold):
            numbers = maps[3 : 3 + CARD_NUMBERS, row, column] * UNIT
            numbers[:2] += _cell(row, column)
            quad = (decode_quad(numbers) / np.float32(scale)).astype(np.float32)
            if is_card_like(quad):
                face_up = bool(scores[0, row, column] >= scores[1, row, column])
                cards.append(Detection(quad, face_up, float(card_scores[row, column])))
        for row, column in peaks(np.ascontiguousarray(scores[2]), self.index_threshold):
            numbers = maps[3 + CARD_NUMBERS :, row, column] * UNIT
            numbers[:2] += _cell(row, column)
            numbers[6:] += _cell(row, column)
            frame = IndexFrame(*(numbers / np.float32(scale)).reshape(4, 2))
            if _is_index_like(frame):
                indices.append(IndexDetection(frame, float(scores[2, row, column])))
        return Detections(tuple(cards), tuple(indices))


def _closer_looks(
    found: Sequence[Detections], scale: float, image: Image, small_px: float
) -> Iterator[tuple[Box, float]]:
    """Yield the parts of a picture to search again, and by how much to reduce each.

    They are where cards are small in the largest input, reduced by *scale*, where they lie on each
    other, and where indices are seen whose card is not. Cards narrower than *small_px* in the input
    are small.
    """
    cards = [card for some in found for card in some.cards]
    cards = without_conflicts(sorted(cards, key=_score, reverse=True), _is_same_card)
    doubtful: list[tuple[Points, float]] = []
    for card in cards:
        width = float(np.linalg.norm(card.quad[1] - card.quad[0]))
        others = (other.quad for other in cards if other is not card)
        if width * scale < small_px or any(overlap(card.quad, o) > COVERED for o in others):
            doubtful.append((card.quad, width))
    for index in (index for some in found for index in some.indices):
        if not any(has_corner_at(card.quad, index.frame) for card in cards):
            doubtful.append((index.frame.middle[None], index.frame.width_px))
    limits = (0, 0, image.shape[1], image.shape[0])
    boxes = [within(grown(bounds(at), round(ROOM * width)), limits) for at, width in doubtful]
    for box in joined(boxes):
        left, top, right, bottom = box
        middles = ((at.mean(axis=0).tolist(), width) for at, width in doubtful)
        widths = [w for (x, y), w in middles if left <= x <= right and top <= y <= bottom]
        closer = min(CLOSE_CARD_PX / float(np.median(widths)), ENLARGED) if widths else 0.0
        if closer > CLOSER * scale:
            yield box, closer


def _moved(found: Detections, left: int, top: int) -> Detections:
    by = np.array([left, top], np.float32)
    return Detections(
        tuple(replace(d, quad=d.quad + by) for d in found.cards),
        tuple(replace(i, frame=i.frame.moved(by)) for i in found.indices),
    )


def _score(found: Detection | IndexDetection) -> float:
    return found.score


def _cell(row: int, column: int) -> NDArray[np.float32]:
    """Return the middle of a cell in pixels of the input."""
    return np.array([column + 0.5, row + 0.5], np.float32) * STRIDE


def _is_index_like(frame: IndexFrame) -> bool:
    """Return whether a frame is one of a card seen from above: right-handed, no sliver."""
    (ax, ay), (dx, dy) = frame.across, frame.down
    across, down = float(np.hypot(ax, ay)), float(np.hypot(dx, dy))
    turn = float(ax * dy - ay * dx)
    return across > 8 and 0.6 < down / across < 3.5 and turn > 0.5 * across * down


def _back(points: NDArray[np.float32], width: int) -> NDArray[np.float32]:
    """Turn points of a picture that was turned clockwise back: float32 (n, 2)."""
    return np.stack([points[:, 1], width - 1 - points[:, 0]], axis=1).astype(np.float32)


def _turned_back(frame: IndexFrame, width: int) -> IndexFrame:
    at = _back(np.stack([frame.middle, frame.centre]), width)
    across, down = (
        np.array([vector[1], -vector[0]], np.float32) for vector in (frame.across, frame.down)
    )
    return IndexFrame(at[0], across, down, at[1])


def _is_same_card(one: Detection, other: Detection) -> bool:
    """Return whether two detections are of about the same card."""
    return is_same_outline(one.quad, other.quad, away=0.2, share=0.7)


def _is_same_index(one: IndexDetection, other: IndexDetection) -> bool:
    """Return whether an index was found again at another size."""
    away = one.frame.middle - other.frame.middle
    return float(np.hypot(*away)) <= 0.09 * other.frame.width_px
