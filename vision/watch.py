"""Read only what is worth reading: nothing while hands move, nothing twice."""

from __future__ import annotations

from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.readings import Reading

GRID = (96, 72)
"""Cells, across and down, in which frames are compared; a card is some cells large."""

MOVING = 9.0
"""Grey levels (0-255) by which a cell must differ from the frame before to be moving."""

CHANGED = 7.0
"""Grey levels by which a cell must differ from the frame last read to be worth reading."""


class Reader(Protocol):
    """Whatever reads a picture."""

    def read(self, image: NDArray[np.uint8], time_s: float = 0.0) -> Reading:
        """Read one picture."""
        ...


class TableWatch:
    """Turns a stream of frames into readings, one each time the table comes to rest changed.

    A frame is still when no cell of a coarse grid differs from the frame before by more than
    :data:`MOVING`; the table is at rest after *still_frames* such frames over at least *still_s*
    seconds. Cells average some hundred pixels, so camera noise does not move them.
    """

    def __init__(self, reader: Reader, *, still_frames: int = 2, still_s: float = 0.15) -> None:
        """Watch with *reader*."""
        self._reader = reader
        self._still_frames, self._still_s = still_frames, still_s
        self._before: NDArray[np.float32] | None = None
        self._read: NDArray[np.float32] | None = None
        self._calm_frames = 0
        self._calm_since_s = 0.0

    def see(self, image: NDArray[np.uint8], time_s: float) -> Reading | None:
        """Take the next frame; a reading when the table has come to rest and has changed."""
        cells = _cells(image)
        before, self._before = self._before, cells
        if before is None or float(np.abs(cells - before).max()) > MOVING:
            self._calm_frames, self._calm_since_s = 0, time_s
            return None
        self._calm_frames += 1
        if self._calm_frames < self._still_frames or time_s - self._calm_since_s < self._still_s:
            return None
        if self._read is not None and float(np.abs(cells - self._read).max()) <= CHANGED:
            return None
        self._read = cells
        return self._reader.read(image, time_s)


def _cells(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Mean colour of each cell, float32 (rows, columns, 3), less the light of the whole room."""
    small = cv2.resize(image, GRID, interpolation=cv2.INTER_AREA).astype(np.float32)
    # A lamp that flickers moves all cells alike: that is not a hand.
    return np.asarray(small - np.median(small, axis=(0, 1)), np.float32)
