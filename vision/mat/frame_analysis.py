"""One frame, and what is computed from it once for all who need it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Image
from vision.mat.foreground import Box
from vision.mat.pose import MatPose
from vision.mat.segmentation import MatScene, find_on_mat

CELL_PX = 8
"""Pixels of the frame, across and down, that are compared as one."""


class FrameAnalysis:
    """Made once a frame, and handed to all that look for hands, for changes and for cards in it.

    Attributes:
        image: the frame.
    """

    def __init__(self, image: Image) -> None:
        """Compute nothing yet."""
        self.image = image
        self._scenes: dict[tuple[MatPose, tuple[Box, ...] | None], MatScene] = {}

    @cached_property
    def cells(self) -> NDArray[np.float32]:
        """Return the mean colour of each cell: float32, shape (rows, columns, 3)."""
        height, width = self.image.shape[:2]
        size = (max(width // CELL_PX, 1), max(height // CELL_PX, 1))
        small = cv2.resize(self.image, size, interpolation=cv2.INTER_AREA)
        return np.asarray(small, np.float32)

    def scene(self, pose: MatPose, boxes: Sequence[Box] | None = None) -> MatScene:
        """Return what lies on the mat, as :func:`find_on_mat` does."""
        key = (pose, None if boxes is None else tuple(boxes))
        if key not in self._scenes:
            self._scenes[key] = find_on_mat(self.image, pose, boxes)
        return self._scenes[key]
