"""A card that lies on top is told from one that others cover, whatever is printed on both."""

import cv2
import numpy as np
import pytest

from device.simulator.deck.faces import draw_face
from engine import Card
from vision.cards.outline import is_seen_whole

WIDE, TALL = 126, 176
"""Pixels of a card in these pictures."""


def table(*laid: tuple[str, float, float, float]) -> tuple[np.ndarray, list[np.ndarray]]:
    """Lay cards, the last on top: code, middle x and y, and degrees; return corners, too."""
    rng = np.random.default_rng(5)
    image = rng.normal((60, 90, 45), 3, (480, 640, 3)).clip(0, 255).astype(np.float32)
    quads = []
    for code, x, y, degrees in laid:
        face = cv2.resize(draw_face(Card.parse(code), "old"), (WIDE, TALL))
        matrix = cv2.getRotationMatrix2D((WIDE / 2, TALL / 2), -degrees, 1.0)
        matrix[:, 2] += np.array([x - WIDE / 2, y - TALL / 2])
        drawn = cv2.warpAffine(face[..., :3], matrix, (640, 480), borderMode=cv2.BORDER_REPLICATE)
        cover = (
            cv2.warpAffine(face[..., 3:], matrix, (640, 480)).astype(np.float32)[..., None] / 255
        )
        shade = cv2.GaussianBlur(np.roll(cover[..., 0], (2, 2), (0, 1)), (0, 0), 2)[..., None]
        image = drawn * cover + image * (1 - 0.35 * shade) * (1 - cover)
        corners = np.array([[0, 0], [WIDE, 0], [WIDE, TALL], [0, TALL]], np.float32)
        quads.append(cv2.transform(corners[None], matrix)[0].astype(np.float32))
    return image.clip(0, 255).astype(np.uint8), quads


def test_a_card_alone_is_seen_whole():
    image, (card,) = table(("9H", 320, 240, 7))
    assert is_seen_whole(image, card)


@pytest.mark.parametrize("top", ["AS", "4C", "9D", "TH"])
@pytest.mark.parametrize("by", [(40, 6, 3), (70, -9, -4), (-12, 14, 5)])
def test_of_two_that_overlap_only_the_one_on_top_is(top, by):
    x, y, degrees = by
    image, (below, above) = table(("7S", 300, 240, 0), (top, 300 + x, 240 + y, degrees))
    assert is_seen_whole(image, above)
    assert not is_seen_whole(image, below)


def test_what_lies_over_two_cards_is_none_of_them():
    image, (left, _) = table(("6C", 260, 240, 0), ("6S", 380, 240, 0))
    assert not is_seen_whole(image, left + np.float32([60, 0]))


def test_a_place_half_beside_a_card_is_no_card():
    image, (card,) = table(("8D", 320, 240, 0))
    assert not is_seen_whole(image, card + np.float32([14, 0]))


def test_plain_cloth_is_no_card():
    image, _ = table()
    corners = [[200, 100], [326, 100], [326, 276], [200, 276]]
    assert not is_seen_whole(image, np.array(corners, np.float32))
