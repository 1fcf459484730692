"""Find the play mat in a picture, and convert between its pixels and millimetres."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.camera.lens import Lens
from vision.geometry import Image, area
from vision.mat.artwork import draw_mat
from vision.mat.layout import PAPERS, Array, MatError, MatLayout, Slot, layout_of_marker

__all__ = [
    "PAPERS",
    "MatError",
    "MatLayout",
    "MatPose",
    "Slot",
    "draw_mat",
    "find_mat",
    "marker_points",
]

_SEARCH_PX = 1920
"""Longest side of the picture that is searched for markers: 12 megapixels would take a second."""

_QUICK_PX = 1100
"""Longest side at which all four markers are usually found; a large picture is tried so first."""

_QUICK_WINDOW_PX = 13
"""Window of the quick search's adaptive threshold: a marker is some of them wide."""

_SMALL_PX = 1000
"""Below this longest side a picture is searched at double size too."""

_MOST_OFF = 0.12
"""How far a corner may lie from where the others put it, as a part of a marker's side."""

_SPREAD_MM = 6.0
"""How unsure the mat's far corners may be when only some markers are seen."""

_NOISE_PX = 0.15
"""What a marker's corner is usually off by."""


@dataclass(frozen=True, slots=True, eq=False)
class MatPose:
    """Where a mat lies in a picture.

    Attributes:
        layout: which mat it is.
        homography_px_to_mm: float64, shape (3, 3), from pixels to millimetres on the mat; where
            there is a lens, from the undistorted pixels.
        lens: the camera's, if it was measured.
        bare: the ids of the markers that were seen: nothing lies on them.
    """

    layout: MatLayout
    homography_px_to_mm: NDArray[np.float64]
    lens: Lens | None = None
    bare: frozenset[int] = frozenset()

    def to_mm(self, points_px: ArrayLike) -> NDArray[np.float32]:
        """Map points of the picture, shape (n, 2), to the mat."""
        flat = points_px if self.lens is None else self.lens.undistort(points_px)
        return apply_homography(self.homography_px_to_mm, flat)

    def to_px(self, points_mm: ArrayLike) -> NDArray[np.float32]:
        """Map points of the mat, shape (n, 2), to the picture."""
        flat = apply_homography(np.linalg.inv(self.homography_px_to_mm), points_mm)
        return flat if self.lens is None else _f32(self.lens.distort(flat))

    @property
    def px_per_mm(self) -> float:
        """Return the picture's scale in the middle of the mat."""
        x, y = self.layout.size_mm[0] / 2, self.layout.size_mm[1] / 2
        middle = self.to_px([[x - 5, y - 5], [x + 5, y - 5], [x + 5, y + 5], [x - 5, y + 5]])
        return float(np.sqrt(cv2.contourArea(middle))) / 10


def find_mat(image: Image, lens: Lens | None = None) -> MatPose | None:
    """Find the mat by its markers.

    Four markers are best; three do, and two when they lie well. A pose that would be unsure by
    more than a few millimetres at the mat's far end is not given: a card read at the wrong seat is
    worse than a mat not found.
    """
    pose = _find(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8), lens)
    return pose if pose is None or lens is None else replace(pose, lens=lens)


def marker_points(image: Image) -> tuple[Array, Array] | None:
    """Return the corners of the mat's markers, in the picture and on the mat.

    Returns:
        Pixels and millimetres, float64 (4 * markers seen, 2); ``None`` where fewer than two
        markers of one mat are seen.
    """
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    # Strong distortion keeps a pose from being found: only the markers' numbers are needed here.
    for layout, seen in _mats(_markers(grey, 1.0)):
        if len(seen) > 1:
            return (
                np.concatenate([np.asarray(quad, np.float64) for quad in seen.values()]),
                np.concatenate([layout.markers[number] for number in seen]),
            )
    return None


def _find(grey: NDArray[np.uint8], lens: Lens | None) -> MatPose | None:
    longest = max(grey.shape)
    if longest >= 2 * _QUICK_PX:
        pose = _pose(_quick_markers(grey), lens)
        if _seen(pose) == 4:
            return pose
    scale = min(1.0, _SEARCH_PX / longest)
    pose = _pose(_markers(grey, scale), lens)
    if _seen(pose) < 4 and (longest < _SMALL_PX or (scale < 1.0 and pose is not None)):
        other = _pose(_markers(grey, 2.0 if longest < _SMALL_PX else 1.0), lens)
        pose = max(pose, other, key=_seen)
    return pose


def _seen(pose: MatPose | None) -> int:
    """Return how many markers agree on a pose."""
    return 0 if pose is None else len(pose.bare)


@lru_cache(maxsize=2)
def _detector(*, quick: bool = False) -> cv2.aruco.ArucoDetector:
    """Make the detector; the quick one uses one threshold window where the other uses three."""
    parameters = cv2.aruco.DetectorParameters()
    if quick:
        parameters.adaptiveThreshWinSizeMin = parameters.adaptiveThreshWinSizeMax = _QUICK_WINDOW_PX
    else:
        parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_250)
    return cv2.aruco.ArucoDetector(dictionary, parameters)


def _markers(
    grey: NDArray[np.uint8], scale: float, *, quick: bool = False
) -> list[tuple[int, Array]]:
    """Return the markers seen: id, and corners in pixels of the whole picture.

    *quick* finds most in a third of the time, their corners to about a pixel.
    """
    if scale != 1.0:
        way = cv2.INTER_AREA if scale < 1.0 else cv2.INTER_CUBIC
        resized = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=way)
        factor = np.array(grey.shape[::-1]) / np.array(resized.shape[1::-1])
    else:
        resized, factor = grey, np.ones(2)
    quads, ids, _ = _detector(quick=quick).detectMarkers(resized)
    if ids is None:
        return []
    # Pixel centres are whole numbers at every scale: half a pixel moves with the scale.
    return [
        (int(number), (np.asarray(quad, np.float64).reshape(4, 2) + 0.5) * factor - 0.5)
        for number, quad in zip(np.asarray(ids).ravel(), quads, strict=True)
    ]


def _quick_markers(grey: NDArray[np.uint8]) -> list[tuple[int, Array]]:
    """Find markers in a picture made small, and their corners in the whole one."""
    half = grey.shape[1] // 2, grey.shape[0] // 2
    small = np.asarray(cv2.resize(grey, half, interpolation=cv2.INTER_AREA), np.uint8)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.02)
    found = []
    for number, quad in _markers(small, 1.0, quick=True):
        corners = _f32((quad + 0.5) * 2 - 0.5)
        side = float(np.linalg.norm(corners[1] - corners[0]))
        reach = int(np.clip(side / 14, 2, 6))
        sharp = cv2.cornerSubPix(grey, corners.reshape(-1, 1, 2), (reach, reach), (-1, -1), stop)
        found.append((number, np.asarray(sharp, np.float64).reshape(4, 2)))
    return found


def _pose(markers: Sequence[tuple[int, Array]], lens: Lens | None) -> MatPose | None:
    """Return where the mat lies that most markers agree on."""
    if lens is not None:
        markers = [(number, lens.undistort(quad)) for number, quad in markers]
    poses = (_fit(layout, seen) for layout, seen in _mats(markers))
    return next((pose for pose in poses if pose is not None), None)


def _mats(markers: Sequence[tuple[int, Array]]) -> Iterator[tuple[MatLayout, dict[int, Array]]]:
    """Yield the mats that the markers are printed on, the one with most of them first."""
    mats: dict[int, dict[int, Array]] = defaultdict(dict)
    for number, quad in markers:
        seen = mats[number // 4]
        # Of a number seen twice the larger counts: chance finds in wood grain are small.
        if number not in seen or area(quad) > area(seen[number]):
            seen[number] = quad
    for seen in sorted(mats.values(), key=lambda seen: -len(seen)):
        layout = layout_of_marker(next(iter(seen)))
        if layout is not None:
            yield layout, seen


def _fit(layout: MatLayout, seen: dict[int, Array]) -> MatPose | None:
    """Fit a pose to the markers; one that disagrees with three others is left out."""
    if len(seen) < 2:
        return None
    pose = _fit_all(layout, seen)
    if pose is not None or len(seen) < 4:
        return pose
    without_one = (
        _fit_all(layout, {other: quad for other, quad in seen.items() if other != number})
        for number in sorted(seen)
    )
    return next((pose for pose in without_one if pose is not None), None)


def _fit_all(layout: MatLayout, seen: dict[int, Array]) -> MatPose | None:
    on_mat = np.concatenate([layout.markers[number] for number in seen])
    in_picture = np.concatenate([seen[number] for number in seen])
    matrix = _homography(in_picture, on_mat)
    if matrix is None or not _is_view_from_above(layout, matrix):
        return None
    off = np.linalg.norm(apply_homography(matrix, in_picture) - on_mat, axis=1)
    if off.max() > _MOST_OFF * layout.marker_mm:
        return None
    if len(seen) < 4 and _spread_mm(layout, in_picture, on_mat, matrix) > _SPREAD_MM:
        return None
    return MatPose(layout, matrix, bare=frozenset(seen))


def _homography(source: Array, target: Array) -> NDArray[np.float64] | None:
    matrix, _ = cv2.findHomography(_f32(source), _f32(target), 0)
    if matrix is None or not np.isfinite(matrix).all() or abs(np.linalg.det(matrix)) < 1e-12:
        return None
    return np.asarray(matrix, np.float64)


def _is_view_from_above(layout: MatLayout, matrix: NDArray[np.float64]) -> bool:
    """Return whether the mat's outline is a convex quad in the picture, and not mirrored."""
    outline = apply_homography(np.linalg.inv(matrix), layout.outline_mm)
    return bool(
        np.isfinite(outline).all()
        and np.abs(outline).max() < 1e5
        and cv2.isContourConvex(outline)
        and cv2.contourArea(outline, oriented=True) > 0
    )


def _spread_mm(
    layout: MatLayout, in_picture: Array, on_mat: Array, matrix: NDArray[np.float64]
) -> float:
    """Return how unsure the worst corner of the mat is, from the usual noise of each point."""
    outline = apply_homography(np.linalg.inv(matrix), layout.outline_mm)
    total = np.zeros(4)
    for index in np.ndindex(*in_picture.shape):
        moved = in_picture.copy()
        moved[index] += 0.5
        other = _homography(moved, on_mat)
        if other is None:
            return float("inf")
        shift = np.linalg.norm(apply_homography(other, outline) - layout.outline_mm, axis=1)
        total += (shift * _NOISE_PX / 0.5) ** 2
    return float(np.sqrt(total.max()))


def apply_homography(matrix: NDArray[np.floating], points: ArrayLike) -> NDArray[np.float32]:
    """Map points, shape (n, 2), by a homography of shape (3, 3)."""
    flat = np.asarray(points, np.float64).reshape(-1, 1, 2)
    return np.asarray(cv2.perspectiveTransform(flat, matrix).reshape(-1, 2), np.float32)


def _f32(points: Array) -> NDArray[np.float32]:
    return np.asarray(points, np.float32)
