"""Find what is wrong with a camera's picture of the table, and say what to do about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.lens import Lens
from vision.geometry import Image
from vision.mat.layout import CARD_WIDTH_MM
from vision.mat.pose import MatPose, find_mat

DARK = 55.0
"""Grey level (0-255) of the brighter tenth of a picture below which it is too dark to read."""

FULL = 250
"""Grey level from which a sensor is taken for full."""

GLARE = 0.015
"""Part of the mat that may be full in lumps before it is called glare."""

BLUR_MM = 0.9
"""Spread of an edge on the mat above which the strokes of an index merge."""

BLUR_PX = 2.6
"""The same in pixels, where no mat gives the scale."""

LEAST_CARD_PX = 55.0
"""Width of a card in the picture below which its index is too small."""

STEEP = 38.0
"""Degrees off the vertical from which cards are seen too much from the side."""

FLICKER = 6.0
"""Grey levels by which bands of rows may change from frame to frame."""


class IssueKind(StrEnum):
    """What can be wrong with a picture."""

    DARK = "dark"
    GLARE = "glare"
    BLURRED = "blurred"
    NO_MAT = "no mat"
    MAT_CUT = "mat cut"
    FAR = "far"
    STEEP = "steep"
    FLICKER = "flicker"


CURES = {
    IssueKind.DARK: "add a lamp beside the table, or let the camera expose longer",
    IssueKind.GLARE: "move the lamp to the side, or dim it; glossy cards mirror what hangs over "
    "them",
    IssueKind.BLURRED: "focus the lens on the mat, wipe it, and fasten the camera so that it does "
    "not shake",
    IssueKind.NO_MAT: "show the whole mat, its four corners uncovered; print one with: boneace "
    "mat; a wide-angle lens is corrected by: boneace calibrate --lens",
    IssueKind.MAT_CUT: "raise the camera, or move the mat to the middle",
    IssueKind.FAR: "lower the camera, or use one whose picture has 1080 lines or more",
    IssueKind.STEEP: "hang it over the middle of the mat",
    IssueKind.FLICKER: "use another lamp, or set the camera's exposure to a whole number of "
    "1/100 s (1/120 s where the mains have 60 Hz)",
}
"""What to do about each."""


@dataclass(frozen=True, slots=True)
class QualityIssue:
    """What is wrong, what was measured, and what to do about it."""

    kind: IssueKind
    measured: str
    cure: str


def assess(frames: Sequence[Image], lens: Lens | None = None) -> list[QualityIssue]:
    """Return what is wrong with what a camera gives, the worst first.

    *frames* are one picture or, to see lamps flicker, some in a row of a still table: uint8,
    shape (height, width, 3), BGR.

    Raises:
        ValueError: no picture is given.
    """
    if not frames:
        raise ValueError("assess needs at least one picture; take a frame from the camera")
    return [QualityIssue(kind, measured, CURES[kind]) for kind, measured in _found(frames, lens)]


def _found(frames: Sequence[Image], lens: Lens | None) -> Iterator[tuple[IssueKind, str]]:
    """Yield what is wrong, and what was measured."""
    image = frames[-1]
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    pose = find_mat(image, lens)
    level = float(np.quantile(grey[::4, ::4], 0.9))
    if level < DARK:
        yield IssueKind.DARK, f"its bright parts reach {level:.0f} of 255"
    if pose is not None:
        yield from _found_on_mat(grey, pose)
    else:
        yield IssueKind.NO_MAT, "fewer than the markers needed are seen"
        spread = _edge_spread(grey)
        if level >= DARK and spread > BLUR_PX:
            yield IssueKind.BLURRED, f"sharp edges are smeared over {spread:.1f} pixels"
    if len(frames) > 2:
        swing = _swing(frames)
        if swing >= FLICKER:
            yield (
                IssueKind.FLICKER,
                f"bands change by {swing:.0f} grey levels from frame to frame",
            )


def _found_on_mat(grey: NDArray[np.uint8], pose: MatPose) -> Iterator[tuple[IssueKind, str]]:
    height, width = grey.shape
    outline = pose.to_px(pose.layout.outline_mm)
    out = {
        "left": -float(outline[:, 0].min()),
        "right": float(outline[:, 0].max()) - (width - 1),
        "upper": -float(outline[:, 1].min()),
        "lower": float(outline[:, 1].max()) - (height - 1),
    }
    cut = [side for side, beyond in out.items() if beyond > 0.01 * width]
    if cut:
        edges = " and ".join(cut)
        yield IssueKind.MAT_CUT, f"the mat goes beyond the {edges} edge of the picture"
    card_px = pose.px_per_mm * CARD_WIDTH_MM
    if card_px < LEAST_CARD_PX:
        yield IssueKind.FAR, f"a card is {card_px:.0f} pixels wide, {LEAST_CARD_PX:.0f} are needed"
    tilt = _tilt(pose)
    if tilt > STEEP:
        yield IssueKind.STEEP, f"the camera looks about {tilt:.0f} degrees from the side"
    spread_px = _marker_spread(grey, pose)
    spread_mm = spread_px / pose.px_per_mm
    # Finer than pixels nothing can be: a picture from far off is not blurred for that.
    if spread_mm > BLUR_MM and spread_px > 1.3:
        yield IssueKind.BLURRED, f"sharp edges are smeared over {spread_mm:.1f} mm"
    mask = np.zeros(grey.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.rint(outline).astype(np.int32), 1)
    # White paper may touch the top of the scale; a lamp's mirror image fills a lump of it.
    full = cv2.erode(((grey >= FULL) & (mask > 0)).astype(np.uint8), np.ones((7, 7), np.uint8))
    share = float(full.sum()) / max(int(mask.sum()), 1)
    if share > GLARE:
        yield IssueKind.GLARE, f"{share:.1%} of the mat is burnt out"


def _marker_spread(grey: NDArray[np.uint8], pose: MatPose) -> float:
    """Return the spread, in pixels, of the edges of the markers: the standard deviation."""
    spreads = []
    for corners in pose.layout.markers.values():
        middle = np.asarray(corners, np.float64).mean(axis=0)
        # A little larger than the marker: its black border on white paper is the edge measured.
        quad = pose.to_px(middle + (np.asarray(corners) - middle) * 1.25)
        side = float(np.linalg.norm(quad[1] - quad[0]))
        size = int(np.clip(round(2 * side), 24, 400))
        target = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32)
        matrix = cv2.getPerspectiveTransform(quad, target)
        patch = np.asarray(cv2.warpPerspective(grey, matrix, (size, size)), np.uint8)
        spreads.append(_edge_spread(patch) * side / size)
    return float(np.median(spreads))


def _edge_spread(grey: NDArray[np.uint8]) -> float:
    """Estimate the spread of the sharpest edges, in pixels: contrast by steepest slope."""
    patch = grey.astype(np.float32)
    contrast = float(np.quantile(patch, 0.95) - np.quantile(patch, 0.05))
    slope = np.hypot(cv2.Sobel(patch, cv2.CV_32F, 1, 0), cv2.Sobel(patch, cv2.CV_32F, 0, 1)) / 8
    steepest = float(np.quantile(slope, 0.995))
    # A step of height c smeared with deviation s is steepest with c / (s * sqrt(2 pi)).
    return contrast / max(steepest * float(np.sqrt(2 * np.pi)), 1e-6)


def _tilt(pose: MatPose) -> float:
    """Estimate from foreshortening how many degrees off the vertical the camera looks."""
    x, y = pose.layout.size_mm[0] / 2, pose.layout.size_mm[1] / 2
    angles = np.linspace(0, np.pi, 36, endpoint=False)
    around = np.stack([x + 10 * np.cos(angles), y + 10 * np.sin(angles)], axis=1)
    across = pose.to_px(around) - pose.to_px(np.array([2 * x, 2 * y]) - around)
    lengths = np.linalg.norm(across, axis=1)
    return float(np.degrees(np.arccos(np.clip(lengths.min() / lengths.max(), 0, 1))))


def _swing(frames: Sequence[Image]) -> float:
    """Return by how many grey levels rows grow lighter and darker from frame to frame."""
    rows = np.stack([frame[:, ::8].mean(axis=(1, 2)) for frame in frames])
    # What all rows share is a cloud; what differs from row to row and frame to frame, a lamp.
    own = rows - rows.mean(axis=1, keepdims=True) - rows.mean(axis=0, keepdims=True) + rows.mean()
    smooth = cv2.blur(own.astype(np.float32), (9, 1))
    return float(np.median(np.ptp(smooth, axis=0)))
