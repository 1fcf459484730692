"""Table tops under bones: cloth, wood, photographs, printed mats, cards and fringes."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from vision.mat.pose import MatLayout, draw_mat
from vision.training.common.backgrounds import Backgrounds, weave

_WORDS = ["A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2"]


@lru_cache(maxsize=8)
def _mat(seats: int, paper: str) -> np.ndarray:
    return draw_mat(MatLayout(seats, paper), 1.5)


def table_top(
    backgrounds: Backgrounds, w: int, h: int, thing_px: float, rng: np.random.Generator
) -> np.ndarray:
    """A table top, uint8 (h, w, 3) BGR, on which a bone is *thing_px* pixels long."""
    kind = rng.random()
    if kind < 0.22:
        image = weave(w, h, rng)
    elif kind < 0.32:
        image = _printed_mat(w, h, thing_px, rng)
    else:
        image = backgrounds.cut(w, h, rng)
    if rng.random() < 0.3:
        backgrounds.clutter(image, rng)
    for _ in range(int(rng.integers(1, 4)) if rng.random() < 0.25 else 0):
        _card(image, thing_px, rng)
    return image


def _printed_mat(w: int, h: int, thing_px: float, rng: np.random.Generator) -> np.ndarray:
    mat = _mat(int(rng.choice([2, 4, 6])), str(rng.choice(["A1", "A2"])))
    scale = np.clip(thing_px / (30 * 1.5) * rng.uniform(0.8, 1.25), 0.08, 6)
    turn = rng.uniform(0, 2 * np.pi)
    linear = scale * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    middle = rng.uniform([0.1, 0.1], [0.9, 0.9]) * mat.shape[1::-1]
    move = np.array([w / 2, h / 2]) - linear @ middle
    source = mat
    if scale < 0.7:
        source = cv2.GaussianBlur(mat, (0, 0), 0.4 / scale)
    colour = rng.uniform(10, 200, 3).tolist()
    return cv2.warpAffine(
        source,
        np.column_stack([linear, move]),
        (w, h),
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=colour,
    )


def _card(image: np.ndarray, thing_px: float, rng: np.random.Generator) -> None:
    """Draw a playing card or a note, in place."""
    h, w = image.shape[:2]
    wide = int(np.clip(thing_px * rng.uniform(1.7, 2.6), 12, 400))
    tall = int(wide * 1.4)
    card = np.full((tall, wide, 3), rng.uniform(190, 255), np.uint8)
    if rng.random() < 0.25:
        card[:] = rng.uniform(0, 255, 3)
        card[:: max(int(rng.integers(2, 9)), 1)] = rng.uniform(0, 255, 3)
    else:
        ink = (30, 30, 190) if rng.random() < 0.5 else (25, 25, 25)
        size = wide / 70
        word = _WORDS[rng.integers(len(_WORDS))]
        thick = max(round(2 * size), 1)
        for _ in range(2):
            cv2.putText(card, word, (wide // 20, tall // 6), 0, size, ink, thick, cv2.LINE_AA)
            card = np.ascontiguousarray(card[::-1, ::-1])
        for _ in range(int(rng.integers(1, 11))):
            x, y = int(rng.uniform(0.25, 0.75) * wide), int(rng.uniform(0.15, 0.85) * tall)
            r = max(int(wide * rng.uniform(0.05, 0.11)), 1)
            cv2.circle(card, (x - r // 2, y), r // 2 + 1, ink, -1, cv2.LINE_AA)
            cv2.circle(card, (x + r // 2, y), r // 2 + 1, ink, -1, cv2.LINE_AA)
            cv2.fillConvexPoly(
                card, np.array([[x - r, y], [x + r, y], [x, y + int(1.4 * r)]]), ink, cv2.LINE_AA
            )
    turn = rng.uniform(0, 2 * np.pi)
    linear = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    middle = rng.uniform([0, 0], [w, h])
    move = middle - linear @ np.array([wide / 2, tall / 2])
    cv2.warpAffine(
        card,
        np.column_stack([linear, move]),
        (w, h),
        dst=image,
        borderMode=cv2.BORDER_TRANSPARENT,
    )
