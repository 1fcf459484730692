"""What the finder should answer for a drawn scene."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.cards.detector import CARD_NUMBERS, INDEX_NUMBERS, STRIDE, UNIT, encode_quad
from vision.cards.geometry import IndexFrame, frames_of

SCENE_W, SCENE_H = 384, 288
"""Pixels of a training scene; the network itself takes any multiple of 32."""

MAPS = 3 + 1 + CARD_NUMBERS + 1 + INDEX_NUMBERS + 1
"""Heat of faces, backs and indices; what the heat of indices counts for; the numbers of the card
and their weight; the numbers of the index and their weight."""

FACE_SEEN, BACK_SEEN = 0.3, 0.1
"""Part of a card that must be seen for it to be found as a whole."""

INDEX_SEEN, INDEX_LOST = 0.75, 0.35
"""Part of an index seen above which it must be found, and below which it must not."""


@dataclass(frozen=True, eq=False)
class Laid:
    """A card in the scene: float32 (4, 2) *quad*, and whether it has four indices."""

    quad: np.ndarray
    face_up: bool
    four: bool


def targets(owners: np.ndarray, laid: list[Laid]) -> np.ndarray:
    """Draw the maps of a scene.

    Args:
        owners: int16 (SCENE_H, SCENE_W), which card each pixel shows; -1 for none.
        laid: the cards, by the numbers in *owners*.

    Returns:
        float32 (MAPS, SCENE_H / STRIDE, SCENE_W / STRIDE).
    """
    h, w = SCENE_H // STRIDE, SCENE_W // STRIDE
    maps = np.zeros((MAPS, h, w), np.float32)
    maps[3] = 1.0
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    px, py = (x + 0.5) * STRIDE, (y + 0.5) * STRIDE
    for number, card in enumerate(laid):
        _card(maps, owners == number, card, px, py)
        if card.face_up:
            for frame in index_frames(card):
                _index(maps, owners, number, frame, px, py)
    return maps


def index_frames(card: Laid) -> list[IndexFrame]:
    """Return the two indices of a card, or all four."""
    frames = list(frames_of(card.quad))
    if card.four:
        # The other two are those of the mirrored card, read from the other side.
        for frame in frames_of(card.quad[[1, 0, 3, 2]]):
            frames.append(IndexFrame(frame.middle, -frame.across, frame.down, frame.centre))
    return frames


def _bump(x: float, y: float, sigma: float, px: np.ndarray, py: np.ndarray) -> np.ndarray | None:
    bump = np.exp(-((px - x) ** 2 + (py - y) ** 2) / (2 * sigma**2))
    peak = np.unravel_index(bump.argmax(), bump.shape)
    if abs(px[peak] - x) > STRIDE or abs(py[peak] - y) > STRIDE:
        return None  # outside the picture
    bump[peak] = 1.0
    return bump


def _card(maps: np.ndarray, mine: np.ndarray, card: Laid, px: np.ndarray, py: np.ndarray) -> None:
    rows, columns = np.nonzero(mine)
    whole = max(cv2.contourArea(card.quad), 1)
    if len(rows) < (FACE_SEEN if card.face_up else BACK_SEEN) * whole or len(rows) < 70:
        return
    # The heat sits on what can be seen: of a covered card that is not its middle.
    bump = _bump(columns.mean(), rows.mean(), max(0.1 * np.sqrt(len(rows)), 3.5), px, py)
    if bump is None:
        return
    layer = maps[0 if card.face_up else 1]
    np.maximum(layer, bump, out=layer)
    weight = maps[4 + CARD_NUMBERS]
    near = bump > np.maximum(weight, 0.25)
    for k, value in enumerate(encode_quad(card.quad)):
        base = (px, py)[k][near] if k < 2 else 0.0
        maps[4 + k][near] = (value - base) / UNIT
    weight[near] = bump[near]


def _index(
    maps: np.ndarray,
    owners: np.ndarray,
    number: int,
    frame: IndexFrame,
    px: np.ndarray,
    py: np.ndarray,
) -> None:
    bump = _bump(*frame.middle, max(0.06 * frame.width_px, 3.5), px, py)
    if bump is None:
        return
    a, d = frame.across * 0.09, frame.down * 0.11
    m = frame.middle
    box = np.rint([m - a - d, m + a - d, m + a + d, m - a + d]).astype(np.int32)
    x0, y0, bw, bh = cv2.boundingRect(box)
    inside = np.zeros((bh, bw), np.uint8)
    cv2.fillConvexPoly(inside, box - [x0, y0], 1)
    left, top = max(x0, 0), max(y0, 0)
    seen = owners[top : y0 + bh, left : x0 + bw] == number
    part = inside[top - y0 :, left - x0 :][: seen.shape[0], : seen.shape[1]]
    share = float((seen & (part > 0)).sum()) / max(int(inside.sum()), 1)
    if share < INDEX_LOST:
        return
    if share < INDEX_SEEN or frame.width_px < 22:
        maps[3][bump > 0.3] = 0.0  # neither right nor wrong
        return
    np.maximum(maps[2], bump, out=maps[2])
    first = 5 + CARD_NUMBERS
    weight = maps[first + INDEX_NUMBERS]
    near = bump > np.maximum(weight, 0.25)
    for k, value in enumerate((*frame.middle, *frame.across, *frame.down, *frame.centre)):
        # The middle of the card is told from the cell, as is that of the index.
        base = (px, py)[k % 2][near] if k in (0, 1, 6, 7) else 0.0
        maps[first + k][near] = (value - base) / UNIT
    weight[near] = bump[near]
