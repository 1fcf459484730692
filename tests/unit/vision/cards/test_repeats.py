"""Each part of a picture speaks for one card: strips of it, and parts of two, are none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.support.card_evidence import face, index
from vision.cards.classifier import IndexPrediction
from vision.cards.evidence import (
    Evidence,
    is_false_positive,
    mark_duplicates,
    mark_occluded,
)
from vision.cards.geometry import frames_of
from vision.cards.repeats import without_hidden, without_repeats

_CARD = np.array([[0, 0], [120, 0], [120, 176], [0, 176]])


def quad(x: float, y: float = 40) -> np.ndarray:
    return (_CARD + np.array([x, y])).astype(np.float32)


def up(code: str, x: float, *indices: IndexPrediction) -> Evidence:
    """What was read as a card face up, its corner at x, 40."""
    read = list(indices or (index(code, 9.0),) * 2)
    return Evidence(quad(x), 1.0, True, face(code, 9.0), read)


def down(x: float) -> Evidence:
    """What the networks take for a card face down."""
    seen = replace(face("KS"), kinds=np.array([0.0, 1.0, 0.0]))
    return Evidence(quad(x), 0.5, False, seen)


def by_index(code: str, x: float, corner: int, off: float = 0.0) -> Evidence:
    """A card at x of which only the index in its top left (0) or bottom right (1) is seen."""
    frame = frames_of(quad(x))[corner].moved(np.array([off, 0], np.float32))
    return Evidence(frame.quad(), 0.8, True, None, [index(code, 9.0)], [frame])


UNSEEN = index("3S", 9.0, readable=0.1)


def doubt(x: float) -> Evidence:
    """What is hardly like any card."""
    return Evidence(quad(x), 0.5, True, face("3S", 0.1), [index("3S", 0.1, readable=0.1)] * 2)


def test_two_indices_in_the_corners_of_one_card_are_of_one() -> None:
    """The strips left and right of a card that lies on it, each with an index of its own."""
    (told,) = without_repeats([by_index("3S", 100, 0), by_index("3S", 100, 1, off=12)])
    assert len(told.indices) == 2
    assert told.fuse().best == up("3S", 100).fuse().best


def test_one_index_is_of_one_card_though_it_was_laid_on_both_sides_of_it() -> None:
    left, right = by_index("4D", 100, 0), up("4D", 100)
    assert len(without_repeats([left, right])) == 1


def test_the_same_card_twice_is_told_twice_where_it_lies_twice() -> None:
    """Of two packs, or misread: somebody is asked about the pair."""
    lying = [by_index("3S", 100, 0), by_index("3S", 130, 0)]
    assert len(without_repeats(lying)) == 2
    assert len(without_repeats([up("3S", 100), up("3S", 240)])) == 2
    assert len(without_repeats([by_index("3S", 100, 0), by_index("3C", 100, 1)])) == 2


def test_a_back_over_which_cards_show_their_indices_is_made_of_them() -> None:
    """Two number cards side by side, with pale panels, look like a back between them."""
    left, right, between = up("3S", 100), up("2D", 222), down(161)
    assert without_hidden([left, right, between]) == [left, right]


def test_a_doubt_over_which_cards_show_their_indices_is_made_of_them() -> None:
    left, right, alone = up("3S", 100), up("2D", 222), doubt(400)
    assert without_hidden([left, right, doubt(161), alone]) == [left, right, alone]


def test_what_is_no_clear_back_between_two_cards_is_made_of_them() -> None:
    """Where one card lies on the end of the other no index of that one shows between them."""
    left, right = up("3S", 100), up("2D", 222, UNSEEN, index("2D", 9.0))
    either = replace(face("KS"), kinds=np.array([0.5, 0.5, 0.0]))
    between = Evidence(quad(161), 0.6, False, either, [UNSEEN] * 2)
    assert without_hidden([left, right, between]) == [left, right]
    assert without_hidden([left, between]) == [left, between]


def test_two_indices_of_one_rank_are_of_one_card_where_neither_is_sure() -> None:
    """Of an index half covered the suit is a guess."""
    first, second = by_index("KC", 100, 0), by_index("KS", 100, 1, off=12)
    assert len(without_repeats([first, second])) == 2
    for e in (first, second):
        e.indices = [replace(each, readable=0.8) for each in e.indices]
    (told,) = without_repeats([first, second])
    assert len(told.indices) == 2


def test_a_back_that_hides_the_indices_of_the_cards_below_it_is_one() -> None:
    left = up("3S", 100, index("3S", 9.0), UNSEEN)
    right = up("2D", 222, UNSEEN, index("2D", 9.0))
    lying = [left, right, down(161)]
    assert without_hidden(lying) == lying
    beside = [left, right, down(310)]  # the right one lies on a strip of it
    assert without_hidden(beside) == beside


def test_half_a_card_and_half_the_mat_is_none_though_an_index_shows() -> None:
    """The finder sees one across the left edge of a fan, with an index of a card of the fan."""
    across = Evidence(quad(100), 0.2, True, face("2S", 0.3), [index("AS", 0.3, readable=0.8)])
    assert is_false_positive(across, lambda: 0.46)
    assert not is_false_positive(across, lambda: 0.9)
    assert not is_false_positive(up("AS", 100), lambda: 0.46)


def test_what_is_hardly_a_card_covers_none() -> None:
    card, none = up("8D", 100), doubt(150)
    mark_occluded([card, none])
    assert card.covered == 0.0 < 0.5 < none.covered
    other = up("3S", 150)
    mark_occluded([card, other])
    assert card.covered > 0.5


def test_what_was_taken_for_a_card_covers_none_once_it_is_gone() -> None:
    """The face of a five once counted for nothing, and its indices alone were read as sixes."""
    card, other = up("5H", 100), up("3S", 150)
    mark_occluded([card, other])
    assert card.covered > 0.5
    mark_occluded([card])
    assert card.covered == 0.0


def test_a_doubt_that_shares_much_with_a_card_is_none_where_the_rest_of_it_is_mat() -> None:
    card, shifted = up("5H", 100), doubt(145)
    mark_occluded([card, shifted])
    mark_duplicates([card, shifted])
    assert shifted.is_duplicate
    assert 0.6 < shifted.covered < 0.65
    assert is_false_positive(shifted, lambda: 0.86), "a third of what is beyond the card is bare"
    assert not is_false_positive(shifted, lambda: 0.95)
