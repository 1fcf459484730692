"""What is none of the 52 is never forced into them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision import TableReader

WIDE, TALL = 252, 352


def joker(mark: str) -> np.ndarray:
    """A card with a star, a figure and letters down its side, as jokers have them."""
    face = np.full((TALL, WIDE, 3), 245, np.uint8)
    angles = np.arange(10) * np.pi / 5 - np.pi / 2
    radii = np.where(np.arange(10) % 2, 30, 75)[:, None]
    star = np.stack([np.cos(angles), np.sin(angles)], 1) * radii + (WIDE / 2, TALL / 2)
    cv2.fillPoly(face, [star.astype(np.int32)], (40, 40, 190))
    for each, letter in enumerate(mark):
        cv2.putText(
            face, letter, (12, 40 + 30 * each), cv2.FONT_HERSHEY_DUPLEX, 0.9, (30, 30, 30), 2
        )
    return np.maximum(cv2.flip(face, -1) // 2, face) if mark == "FOOL" else face


@pytest.fixture(scope="module")
def reader() -> TableReader:
    return TableReader()


@pytest.mark.parametrize("mark", ["JOKER", "FOOL", "JOLLY"])
@pytest.mark.parametrize("degrees", [0, 35, 140, 250])
def test_a_joker_is_unsure(reader, mark, degrees) -> None:
    rng = np.random.default_rng(degrees)
    table = np.full((720, 960, 3), (70, 105, 60), np.uint8)
    table = cv2.add(table, rng.integers(0, 14, table.shape, np.uint8))
    matrix = cv2.getRotationMatrix2D((WIDE / 2, TALL / 2), degrees, 0.9)
    matrix[:, 2] += (480 - WIDE / 2, 360 - TALL / 2)
    cover = cv2.warpAffine(np.ones((TALL, WIDE), np.float32), matrix, (960, 720))[..., None]
    card = cv2.warpAffine(joker(mark), matrix, (960, 720))
    picture = (card * cover + table * (1 - cover)).astype(np.uint8)
    reading = reader.read(picture)
    assert reading.cards == ()
    middle = (480.0, 360.0)
    quads = [np.array(unsure.place.corners, np.float32) for unsure in reading.unsure]
    assert any(cv2.pointPolygonTest(quad, middle, False) > 0 for quad in quads)
