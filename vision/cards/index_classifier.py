"""Read indices: the rank and suit in the corner of a card, where only that is seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.cards.index_geometry import IndexFrame, cut_patch
from vision.geometry import Image
from vision.inference import Network

BATCH = 48
"""Patches read in one pass: more would only need more memory."""


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
        """Load the network.

        Raises:
            ModelError: the network is missing or damaged.
        """
        self._net = Network("corner_reader.onnx")

    def read(
        self, image: Image, frames: Sequence[IndexFrame], *, augment: bool = False
    ) -> list[IndexPrediction]:
        """Read the indices at *frames* of *image*.

        *augment* reads each from patches cut in several variants, whose mean errs less.
        """
        if not frames:
            return []
        variants = _VARIANTS if augment else _VARIANTS[:1]
        patches = [cut_patch(image, moved(f, *way)) for f in frames for way in variants]
        outs = self._net.run(patches, BATCH).astype(np.float64)
        out = outs.reshape(len(frames), len(variants), -1).mean(axis=1)
        return [
            IndexPrediction(float(1 / (1 + np.exp(row[1] - row[0]))), row[2:15], row[15:19])
            for row in out
        ]


_VARIANTS = (
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
