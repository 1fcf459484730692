"""A thing as large as some cards that touch is taken apart into them, however each is turned."""

import math

import cv2
import numpy as np
import pytest

from vision.mat.tiling import tiles_of

CARD = (62.0, 88.0)


def thing(*cards, size=CARD):
    """Return the outline of cards together, each the x and y of its middle and how it is turned."""
    mask = np.zeros((400, 500), np.uint8)
    for x, y, degrees in cards:
        quad = cv2.boxPoints(((x, y), size, degrees))
        cv2.fillConvexPoly(mask, np.rint(quad).astype(np.int32), 255)
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    return max(outlines, key=cv2.contourArea)


@pytest.mark.parametrize(
    "cards",
    [
        pytest.param([(100, 100, 0), (165, 102, 4)], id="one askew"),
        pytest.param([(100, 100, 6), (164, 99, -3), (228, 104, 5)], id="each otherwise"),
        pytest.param([(100, 100, 0), (162, 103, 0), (224, 98, 0)], id="straight, with steps"),
        pytest.param([(120, 100, 90), (122, 163, 96), (118, 227, 88)], id="one above another"),
        pytest.param([(120, 100, 0), (195, 100, 90)], id="one across"),
    ],
)
def test_cards_that_touch_are_told_apart(cards):
    found = tiles_of(thing(*cards))
    assert len(found) == len(cards)
    for x, y, degrees in cards:
        quad = min(found, key=lambda quad: math.dist(quad.mean(axis=0), (x, y)))
        assert math.dist(quad.mean(axis=0), (x, y)) < 6
        long = max(quad[1] - quad[0], quad[2] - quad[1], key=lambda side: float(np.hypot(*side)))
        turned = math.degrees(math.atan2(long[1], long[0])) - 90
        assert abs((turned - degrees + 90) % 180 - 90) < 4


@pytest.mark.parametrize(
    "cards",
    [
        pytest.param([(100, 100, 0)], id="one card"),
        pytest.param([(100, 100, 0), (130, 104, 5)], id="one over half of another"),
        pytest.param([(100, 100, 0), (125, 110, 20), (150, 125, 40), (170, 150, 60)], id="a fan"),
        pytest.param([(100, 100, 0), (100, 145, 90), (140, 180, 45)], id="strewn"),
    ],
)
def test_what_is_not_filled_by_cards_beside_each_other_is_none(cards):
    assert tiles_of(thing(*cards)) == []
