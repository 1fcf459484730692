"""The drawn decks: every card is itself, has the shape of a card, and is printed as its kind is."""

from __future__ import annotations

from itertools import combinations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from device.simulator.deck.faces import DECK_STYLES, HEIGHT_MM, WIDTH_MM, draw_back, draw_face
from device.simulator.deck.pips import pip_places
from engine.core.cards import Card, Rank, Suit, deck
from engine.core.errors import BoneAceError

HEIGHT = 176
COURTS = (Rank.JACK, Rank.QUEEN, Rank.KING)
NUMBERS = tuple(rank for rank in Rank if rank not in COURTS)
WITH_INDICES = ("modern", "four-colour")

Image = NDArray[np.uint8]

every_style = pytest.mark.parametrize("style", DECK_STYLES)
with_indices = pytest.mark.parametrize("style", WITH_INDICES)
every_suit = pytest.mark.parametrize("suit", Suit)


def difference(one: Image, other: Image) -> float:
    """Return by how many grey levels two pictures differ, on average."""
    return float(np.abs(one[..., :3].astype(int) - other[..., :3].astype(int)).mean())


def region(image: Image, left: float, top: float, right: float, bottom: float) -> Image:
    """Cut a rectangle, in millimetres of the card, out of *image*."""
    scale = image.shape[0] / HEIGHT_MM
    rows = slice(round(top * scale), round(bottom * scale))
    return image[rows, round(left * scale) : round(right * scale), :3]


def ink(image: Image) -> NDArray[np.bool_]:
    """Return which pixels are much darker or more coloured than any paper of ours."""
    return np.asarray(image[..., :3].min(axis=2) < 120)


def mean_ink(card: str, style: str) -> tuple[float, float, float]:
    """Return the mean blue, green and red of what is printed on a card."""
    image = draw_face(Card.parse(card), style, HEIGHT)
    blue, green, red = image[..., :3][ink(image) & (image[..., 3] == 255)].mean(axis=0)
    return float(blue), float(green), float(red)


@every_style
def test_no_two_cards_of_a_deck_look_alike(style: str) -> None:
    pictures = {str(card): draw_face(card, style, HEIGHT) for card in deck()}
    pictures["back"] = draw_back(style, HEIGHT)
    assert len(pictures) == 53
    for one, other in combinations(pictures, 2):
        assert difference(pictures[one], pictures[other]) > 1.0, (one, other)


@every_style
@pytest.mark.parametrize("height", [40, 125, 352])
def test_a_card_has_the_shape_of_a_card(style: str, height: int) -> None:
    for image in (draw_face(Card.parse("QH"), style, height), draw_back(style, height)):
        assert image.dtype == np.uint8
        assert image.shape == (height, round(height * WIDTH_MM / HEIGHT_MM), 4)


@every_style
def test_the_alpha_is_the_outline_of_the_card(style: str) -> None:
    for image in (draw_face(Card.parse("2C"), style), draw_back(style)):
        alpha = image[..., 3]
        middle = alpha[alpha.shape[0] // 2], alpha[:, alpha.shape[1] // 2]
        assert all((line == 255).all() for line in middle)
        corners = {int(alpha[y, x]) for y in (0, -1) for x in (0, -1)}
        assert corners == ({255} if style == "old" else {0})
        assert (alpha == 255).mean() > 0.97


def test_all_cards_of_a_deck_are_cut_alike() -> None:
    for style in DECK_STYLES:
        outline = draw_back(style, HEIGHT)[..., 3]
        for card in deck():
            np.testing.assert_array_equal(draw_face(card, style, HEIGHT)[..., 3], outline)


@every_style
def test_a_card_is_drawn_the_same_every_time(style: str) -> None:
    card = Card.parse("9S")
    first, back = draw_face(card, style, HEIGHT).copy(), draw_back(style, HEIGHT).copy()
    draw_face.cache_clear()
    draw_back.cache_clear()
    np.testing.assert_array_equal(draw_face(card, style, HEIGHT), first)
    np.testing.assert_array_equal(draw_back(style, HEIGHT), back)


def test_a_kept_picture_cannot_be_spoiled() -> None:
    image = draw_face(Card.parse("AS"), "modern", HEIGHT)
    with pytest.raises(ValueError, match="read-only"):
        image[0, 0] = 0


@with_indices
@every_suit
def test_a_double_headed_court_is_the_same_from_both_sides(style: str, suit: Suit) -> None:
    for rank in COURTS:
        image = draw_face(Card(rank, suit), style)
        assert difference(image, image[::-1, ::-1]) < 1.0


@every_suit
def test_an_old_court_stands_on_its_feet(suit: Suit) -> None:
    for rank in COURTS:
        image = draw_face(Card(rank, suit), "old")
        assert difference(image, image[::-1, ::-1]) > 10.0


@every_style
@every_suit
def test_jack_queen_and_king_differ_in_more_than_their_letter(style: str, suit: Suit) -> None:
    pictures = [draw_face(Card(rank, suit), style)[..., :3] for rank in COURTS]
    inner = [region(picture, 12, 10, 51, 78) for picture in pictures]
    for one, other in combinations(inner, 2):
        assert difference(one, other) > 12.0


@pytest.mark.parametrize("rank", NUMBERS)
def test_a_number_card_has_as_many_places_as_pips(rank: Rank) -> None:
    places = pip_places(rank)
    assert len(set(places)) == len(places) == rank.points


@pytest.mark.parametrize("rank", [rank for rank in NUMBERS if rank is not Rank.ACE])
@every_suit
@every_style
def test_a_number_card_shows_its_pips_and_no_two_touch(style: str, suit: Suit, rank: Rank) -> None:
    image = draw_face(Card(rank, suit), style)
    count, _, stats, _ = cv2.connectedComponentsWithStats(ink(image).astype(np.uint8))
    scale = image.shape[0] / HEIGHT_MM
    heights = stats[1:count, cv2.CC_STAT_HEIGHT] / scale
    widths = stats[1:count, cv2.CC_STAT_WIDTH] / scale
    # Letters and the little pips below them are lower or narrower than pips.
    pips = (heights > 11.0) & (heights < 18.0) & (widths > 8.0) & (widths < 16.0)
    assert int(pips.sum()) == rank.points


@with_indices
@pytest.mark.parametrize("rank", Rank)
def test_an_index_stands_in_two_corners_only(style: str, rank: Rank) -> None:
    image = draw_face(Card(rank, Suit.SPADES), style)
    corner = region(image, 2, 3, 10, 23)
    far = region(image, WIDTH_MM - 10, HEIGHT_MM - 23, WIDTH_MM - 2, HEIGHT_MM - 3)
    assert ink(corner).mean() > 0.1
    assert difference(corner, far[::-1, ::-1]) < 12.0
    for left, top in ((WIDTH_MM - 9.5, 2.0), (2.0, HEIGHT_MM - 23.0)):
        assert not ink(region(image, left, top, left + 7.5, top + 21)).any()


@every_suit
@pytest.mark.parametrize("rank", NUMBERS)
def test_an_old_number_card_has_nothing_in_its_corners(rank: Rank, suit: Suit) -> None:
    image = draw_face(Card(rank, suit), "old")
    for left in (0.0, WIDTH_MM - 6.0):
        for top in (0.0, HEIGHT_MM - 22.0):
            assert not ink(region(image, left, top, left + 6, top + 22)).any()


def test_four_colours_tell_the_suits_apart() -> None:
    blue, green, red = mean_ink("6D", "four-colour")
    assert blue > max(green, red) + 60
    blue, green, red = mean_ink("6C", "four-colour")
    assert green > max(blue, red) + 40
    blue, green, red = mean_ink("6H", "four-colour")
    assert red > max(blue, green) + 90
    assert max(mean_ink("6S", "four-colour")) < 80


@pytest.mark.parametrize("style", ["modern", "old"])
def test_two_colours_are_red_and_black(style: str) -> None:
    for card in ("6D", "6H"):
        blue, green, red = mean_ink(card, style)
        assert red > max(blue, green) + 80
    for card in ("6S", "6C"):
        assert max(mean_ink(card, style)) < 100


def test_the_ace_of_spades_is_the_largest() -> None:
    for style in DECK_STYLES:
        spread = {s: ink(draw_face(Card(Rank.ACE, s), style)).sum() for s in Suit}
        assert spread[Suit.SPADES] == max(spread.values())


def test_an_unknown_style_is_told_what_there_is() -> None:
    for draw in (lambda: draw_face(Card.parse("AS"), "tarot"), lambda: draw_back("tarot")):
        with pytest.raises(BoneAceError, match=r"'tarot'; choose one of modern, four-colour, old"):
            draw()


@pytest.mark.parametrize("height", [39, 0, -5])
def test_a_card_too_small_to_draw_is_refused(height: int) -> None:
    with pytest.raises(BoneAceError, match="ask for 40 or more"):
        draw_back("old", height)
