"""Quads: told without a way up, straightened and carried back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.quads import encode_quad
from vision.cards.detector import CardDetector, Detection, Detections, decode_quad
from vision.cards.geometry import READ, WIDE, is_card_like, straighten, unstraighten
from vision.geometry import area, overlap

CARD = np.array([[10, 10], [73, 12], [75, 98], [9, 96]], np.float32)


def turned(quad: np.ndarray, degrees: float) -> np.ndarray:
    angle = np.radians(degrees)
    matrix = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return (quad @ matrix.T).astype(np.float32)


@given(degrees=st.floats(0, 360), width=st.floats(20, 300), skew=st.floats(-0.1, 0.1))
def test_a_quad_told_in_numbers_comes_back_up_to_half_a_turn(degrees, width, skew) -> None:
    card = np.array([[0, 0], [1, 0], [1 + skew, 1.4], [-skew, 1.4]]) * width
    quad = turned(card, degrees)
    back = decode_quad(encode_quad(quad))
    either_way = min(np.abs(back - quad).max(), np.abs(np.roll(back, 2, axis=0) - quad).max())
    assert either_way < 0.01 * width


@given(degrees=st.floats(0, 360))
def test_half_a_turn_changes_no_number(degrees) -> None:
    quad = turned(CARD, degrees)
    told, again = encode_quad(quad), encode_quad(np.roll(quad, 2, axis=0))
    np.testing.assert_allclose(told, again, atol=1e-3)


@pytest.mark.parametrize("shape", [READ, WIDE], ids=["read", "wide"])
def test_straightening_a_drawn_card_puts_its_corners_where_they_belong(shape) -> None:
    image = np.full((300, 300, 3), 40, np.uint8)
    image[50:190, 60:160] = 250
    quad = np.array([[60, 50], [160, 50], [160, 190], [60, 190]], np.float32)
    crop = straighten(image, quad, shape)
    assert crop.shape == (shape.height, shape.width, 3)
    x0, y0 = shape.corners[0].astype(int)
    x1, y1 = shape.corners[2].astype(int)
    assert crop[y0 + 3 : y1 - 3, x0 + 3 : x1 - 3].min() > 240
    assert crop[: y0 - 3].max() < 60


def test_a_large_card_is_averaged_not_sampled() -> None:
    stripes = np.zeros((2000, 1400, 3), np.uint8)
    stripes[:, ::2] = 255  # finer than the crop can show: only its mean may remain
    quad = np.array([[100, 100], [1300, 100], [1300, 1900], [100, 1900]], np.float32)
    crop = straighten(stripes, quad, READ)
    assert crop[20:-20, 20:-20].std() < 30


def test_points_of_the_crop_are_carried_back_to_the_picture() -> None:
    np.testing.assert_allclose(unstraighten(WIDE.corners, CARD, WIDE), CARD, atol=1e-2)


def test_overlap_is_of_the_smaller_card() -> None:
    small = CARD * 0.5 + 20
    assert overlap(CARD, small) == pytest.approx(1.0, abs=0.01)
    assert overlap(CARD, CARD + 500) == 0.0
    assert area(CARD) > area(small)


def test_a_card_found_again_covers_itself_however_little_it_differs() -> None:
    # Both were found on a still table; OpenCV's function says that they share nothing.
    first = np.array(
        [
            [370.646240234375, 250.2270050048828],
            [447.6095275878906, 246.9582061767578],
            [449.35247802734375, 352.0904541015625],
            [371.1455993652344, 355.4127502441406],
        ],
        np.float32,
    )
    again = first.copy()
    again[:2, 1] += np.float32(1.5e-5)
    assert overlap(first, again) == pytest.approx(1.0, abs=1e-3)
    assert overlap(again, first[::-1]) == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize("turn_deg", [0, 2, 31, 90, 179])
@pytest.mark.parametrize("part", [0.0, 0.01, 0.3, 0.99])
def test_cards_pushed_along_their_side_share_the_rest(turn_deg: float, part: float) -> None:
    turn = np.deg2rad(turn_deg)
    card = np.array([[10, 10], [73, 10], [73, 98], [10, 98]])
    turned = card @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    pushed = turned + (turned[1] - turned[0]) * part
    assert overlap(turned.astype(np.float32), pushed.astype(np.float32)) == pytest.approx(
        1.0 - part, abs=1e-3
    )


def test_slivers_and_folded_quads_are_no_cards() -> None:
    assert is_card_like(CARD)
    assert not is_card_like(CARD[[0, 2, 1, 3]])
    assert not is_card_like(np.array([[0, 0], [300, 0], [300, 9], [0, 9]], np.float32))


@pytest.mark.parametrize(
    ("across", "along", "degrees", "cards"),
    [
        (0.0, 0.0, 5, 1),
        (0.2, 0.0, 0, 1),
        (0.0, 0.15, 0, 1),
        (0.27, 0.0, 0, 2),
        (0.0, 0.19, 0, 2),
        (0.0, 0.0, 35, 2),
    ],
)
def test_one_card_found_at_two_sizes_is_one_and_fanned_cards_stay_two(
    monkeypatch, across, along, degrees, cards
) -> None:
    """By how far the middles are apart, in widths and heights of a card, and by its turn."""
    card = np.array([[-32, -45], [32, -45], [32, 45], [-32, 45]], np.float32)
    other = turned(card, degrees) + np.array([64 * across, 90 * along], np.float32)
    finds = iter([(Detection(card + 100, True, 0.8),), (Detection(other + 100, True, 0.9),)])
    monkeypatch.setattr(CardDetector, "_find", lambda *_: Detections(next(finds, ()), ()))
    found = CardDetector().find(np.zeros((200, 300, 3), np.uint8)).cards
    assert [each.score for each in found] == [0.9, 0.8][:cards]
