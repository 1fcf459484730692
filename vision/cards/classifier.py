"""Read whole cards, and the indices in their corners: cut out, run the networks, return logits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from engine.core.cards import Card, Rank, Suit
from vision.cards.geometry import (
    READ,
    WIDE,
    CropShape,
    IndexFrame,
    cut_patch,
    straighten,
    unstraighten,
)
from vision.geometry import Image, Points
from vision.inference import Network

CARDS = tuple(Card(rank, suit) for suit, rank in product(Suit, Rank))
"""The 52 cards in the order of the network: 13 * suit + rank."""

LOGITS = 3 + 13 + 4
"""Logits of kind, rank and suit at the head of the reader's answer; the rest is the embedding."""

CHANNELS = 32
"""Maps that an embedding is made of."""


@dataclass(frozen=True, slots=True, eq=False)
class CardPrediction:
    """What is made of one quad.

    Attributes:
        quad: float32 (4, 2), pixels of the image, truer than the quad that was found.
        face_up: probability, 0.0-1.0, that a card lies there face up.
        face_down: probability that a card lies there face down.
        cards: float64 (52,), probability of each of :data:`CARDS`, given that it lies face up.
        has_index: an index is read at one of its corners.
        is_joker: it is none of them, if the deck is one with indices.
    """

    quad: Points
    face_up: float
    face_down: float
    cards: NDArray[np.float64]
    has_index: bool = False
    is_joker: bool = False

    @property
    def best(self) -> int:
        """Return the index of the likeliest card in :data:`CARDS`."""
        return int(self.cards.argmax())

    @property
    def confidence(self) -> float:
        """Return the probability that the likeliest card lies there face up, 0.0-1.0."""
        return self.face_up * float(self.cards.max())

    def candidates(self, least: float = 0.001, most: int = 4) -> tuple[Card, ...]:
        """Return the likeliest cards, best first, none of them below *least*."""
        order = np.argsort(-self.cards)[:most]
        return tuple(CARDS[index] for index in order if self.cards[index] >= least)


@dataclass(frozen=True, slots=True, eq=False)
class FacePrediction:
    """What the network says of a whole face, before it is fused with the indices.

    Attributes:
        kinds: float64 (3,), probability of face up, face down, no card.
        ranks: float64 (13,), logits.
        suits: float64 (4,), logits.
        embedding: float32 (numbers,), of length 1, for comparing with other cards.
    """

    kinds: NDArray[np.float64]
    ranks: NDArray[np.float64]
    suits: NDArray[np.float64]
    embedding: NDArray[np.float32]


class FaceClassifier:
    """Runs the straightener and the reader of whole faces.

    The straightener says how far each corner of the card lies from where the quad has it. The
    reader gives rank and suit apart: a card never seen in one deck is known by its parts in others.
    """

    def __init__(self) -> None:
        """Load the networks."""
        self._straightener = Network("straightener.onnx")
        self._reader = Network("reader.onnx")

    def straightened(self, image: Image, quads: Sequence[Points], times: int = 2) -> list[Points]:
        """Return truer quads, (4, 2) each: the corners are corrected *times* times in turn."""
        out = list(quads)
        for _ in range(times):
            offs = _run(self._straightener, _crops(image, out, WIDE))
            out = [
                unstraighten(
                    WIDE.corners + (off.reshape(4, 2) * WIDE.width).astype(np.float32), quad, WIDE
                )
                for quad, off in zip(out, offs, strict=True)
            ]
        return out

    def read(
        self,
        image: Image,
        quads: Sequence[Points],
        *,
        augment: bool = False,
        one_end: bool = False,
    ) -> list[FacePrediction]:
        """Read the straightened cards under *quads*, float32 (4, 2) each.

        *augment* reads each from crops cut a little larger, smaller and turned, too: their mean
        errs less than any. *one_end* reads each from one end only, in half the time.
        """
        if not quads:
            return []
        cut = [other for quad in quads for other in (_variants(quad) if augment else [quad])]
        crops = _crops(image, cut, READ)
        # From both ends: the card looks the same, and the two err differently.
        ends = 1 if one_end else 2
        both = [
            side for crop in crops for side in (crop, np.ascontiguousarray(crop[::-1, ::-1]))[:ends]
        ]
        outs = _run(self._reader, both).reshape(len(quads), len(both) // len(quads), -1)
        logits = outs[:, :, :LOGITS].mean(axis=1)
        features = (outs[:, end::ends, LOGITS:].mean(axis=1) for end in (0, ends - 1))
        return [
            FacePrediction(softmax(out[:3]), out[3:16], out[16:20], embedding)
            for out, embedding in zip(logits, _embeddings(*features), strict=True)
        ]

    def embed(self, crops: Sequence[Image]) -> NDArray[np.float32]:
        """Return the embeddings of straightened cards: float32 (len(crops), numbers), length 1."""
        turned = [np.ascontiguousarray(crop[::-1, ::-1]) for crop in crops]
        return _embeddings(*(_run(self._reader, each)[:, LOGITS:] for each in (crops, turned)))


def softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Turn logits, float64 (n,), into probabilities of the same shape."""
    powers = np.exp(logits - logits.max())
    return np.asarray(powers / powers.sum(), np.float64)


def _embeddings(
    one_end: NDArray[np.float64], other_end: NDArray[np.float64]
) -> NDArray[np.float32]:
    """Join the features of a card's two ends, with mean 0 in each map and length 1."""
    maps = np.stack([one_end, other_end], axis=1)
    shaped = maps.reshape(len(maps), 2 * CHANNELS, -1)
    flat = (shaped - shaped.mean(axis=2, keepdims=True)).reshape(len(maps), -1)
    lengths = np.linalg.norm(flat, axis=1, keepdims=True)
    return np.asarray(flat / np.maximum(lengths, 1e-6), np.float32)


def _crops(image: Image, quads: Sequence[Points], shape: CropShape) -> list[Image]:
    return [straighten(image, quad, shape) for quad in quads]


def _variants(quad: Points) -> list[Points]:
    """Return the quad, and others a little larger, smaller and turned."""
    middle = quad.mean(axis=0)
    out = [quad]
    for scale, degrees in ((1.05, 0.0), (0.95, 0.0), (1.0, 2.5), (1.0, -2.5)):
        angle = np.radians(degrees)
        turn = scale * np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        out.append(((quad - middle) @ turn + middle).astype(np.float32))
    return out


def _run(net: Network, crops: Sequence[Image]) -> NDArray[np.float64]:
    """Run a network over crops of one shape: float64 (len(crops), numbers)."""
    if not crops:
        return np.zeros((0, 1))
    return net.run(crops).astype(np.float64)


PATCHES = 48
"""Patches of indices read in one pass: they are small."""

NO_INDEX = 0.05
"""Probability below which no index lies there: no other way to cut its patch finds one.

On the rendered mats and a full one none of 171 such patches had 0.5 or more as the mean of all.
"""


@dataclass(frozen=True, slots=True, eq=False)
class IndexPrediction:
    """What the network says of an index.

    Attributes:
        readable: probability, 0.0-1.0, that an index lies there and can be read.
        ranks: float64 (13,), logits.
        suits: float64 (4,), logits.
    """

    readable: float
    ranks: NDArray[np.float64]
    suits: NDArray[np.float64]


class IndexClassifier:
    """Runs the network that reads indices."""

    def __init__(self) -> None:
        """Load the network."""
        self._net = Network("corner_reader.onnx")

    def read(
        self, image: Image, frames: Sequence[IndexFrame], *, augment: bool = False
    ) -> list[IndexPrediction]:
        """Read the indices at *frames* of *image*.

        *augment* reads each that may be one from patches cut in several variants, whose mean errs
        less.
        """
        if not frames:
            return []
        out = self._read(image, frames, _VARIANTS[:1])
        if augment:
            unclear = [n for n, row in enumerate(out) if _readable(row) >= NO_INDEX]
            more = self._read(image, [frames[n] for n in unclear], _VARIANTS[1:])
            for n, row in zip(unclear, more, strict=True):
                out[n] = (out[n] + (len(_VARIANTS) - 1) * row) / len(_VARIANTS)
        return [IndexPrediction(_readable(row), row[2:15], row[15:19]) for row in out]

    def _read(
        self,
        image: Image,
        frames: Sequence[IndexFrame],
        ways: Sequence[tuple[float, float, float, float]],
    ) -> NDArray[np.float64]:
        """Return the mean of what the network says of each frame's patches, float64 (n, 19)."""
        patches = [cut_patch(image, moved(f, *way)) for f in frames for way in ways]
        if not patches:
            return np.zeros((0, 19))
        outs = self._net.run(patches, PATCHES).astype(np.float64)
        return np.asarray(outs.reshape(len(frames), len(ways), -1).mean(axis=1))


def _readable(row: NDArray[np.float64]) -> float:
    """Return the probability that an index lies there, of the network's numbers of a patch."""
    return float(1 / (1 + np.exp(row[1] - row[0])))


_VARIANTS: tuple[tuple[float, float, float, float], ...] = (
    (0.0, 0.0, 1.0, 0.0),
    (0.02, 0.015, 1.06, 2.0),
    (-0.02, 0.015, 0.95, -2.0),
    (0.015, -0.02, 1.1, -1.0),
)
"""How a patch is cut: moved across and down, in parts of the card; scaled; turned, in degrees."""


def moved(
    frame: IndexFrame, across: float, down: float, scale: float, degrees: float
) -> IndexFrame:
    """Return *frame* moved, scaled and turned a little."""
    middle = frame.middle + frame.across * across + frame.down * down
    a = np.radians(degrees)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) * scale
    return IndexFrame(
        middle.astype(np.float32),
        (turn @ frame.across).astype(np.float32),
        (turn @ frame.down).astype(np.float32),
        frame.centre,
    )
