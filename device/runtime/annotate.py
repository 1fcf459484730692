"""Draw a reading on the picture it was read from."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from device.ports import Image
from vision import Reading
from vision.readings import Point

GREEN, BLUE, AMBER = (70, 190, 60), (220, 130, 40), (0, 150, 255)
"""BGR: read, face down or a joker, unsure."""


def annotate(image: Image, reading: Reading, *, words: bool = True) -> Image:
    """Return a copy with an outline and, with *words*, a word on every card and every bone."""
    out = image.copy()

    def mark(outline: Sequence[Point], word: str, colour: tuple[int, int, int]) -> None:
        _mark(out, outline, word if words else "", colour)

    for card in reading.cards:
        mark(card.place.corners, f"{card.card} {card.confidence:.2f}", GREEN)
    for back in reading.backs:
        mark(back.place.corners, "back", BLUE)
    for joker in reading.jokers:
        mark(joker.place.corners, "joker", BLUE)
    for unsure in reading.unsure:
        names = "/".join(str(card) for card in unsure.candidates)
        mark(unsure.place.corners, f"{names}?", AMBER)
    for bone in reading.bones:
        mark(bone.spot.outline, f"{bone.face} {bone.value}", GREEN)
    for doubtful in reading.unsure_bones:
        mark(doubtful.spot.outline, f"{'/'.join(doubtful.candidates)}?", AMBER)
    return out


def _mark(out: Image, outline: Sequence[Point], word: str, colour: tuple[int, int, int]) -> None:
    corners = np.array(outline)
    unit = max(max(out.shape[:2]) / 1000, 0.4)
    thick = max(round(2 * unit), 1)
    cv2.polylines(out, [np.rint(corners).astype(np.int32)], True, colour, thick, cv2.LINE_AA)
    if not word:
        return
    (wide, tall), _ = cv2.getTextSize(word, cv2.FONT_HERSHEY_SIMPLEX, 0.7 * unit, thick)
    x, y = np.rint(corners.mean(axis=0) + np.array([-wide / 2, tall / 2])).astype(int).tolist()
    pad = round(4 * unit)
    cv2.rectangle(out, (x - pad, y - tall - pad), (x + wide + pad, y + pad), colour, cv2.FILLED)
    white = (255, 255, 255)
    cv2.putText(out, word, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.7 * unit, white, thick, cv2.LINE_AA)
