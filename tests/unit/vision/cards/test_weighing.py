"""What face and indices say is weighed: agreement makes sure, contradiction makes doubt."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine import Card
from tests.support.card_evidence import face, index
from vision.cards.classifier import CARDS
from vision.cards.evidence import (
    SURE_ON_MAT,
    Evidence,
    best_of,
    fuse_scores,
    mark_duplicates,
)
from vision.cards.geometry import IndexFrame, frames_of


def best(cards: np.ndarray) -> tuple[str, float]:
    return str(CARDS[int(cards.argmax())]), float(cards.max())


def test_agreement_is_surer_than_either() -> None:
    alone = best(fuse_scores(face("KS"), []))
    both = best(fuse_scores(face("KS"), [index("KS")]))
    assert alone[0] == both[0] == "KS"
    assert both[1] > alone[1]


def test_two_indices_that_contradict_each_other_leave_doubt() -> None:
    assert best(fuse_scores(None, [index("KS")]))[1] > 0.9
    assert best(fuse_scores(None, [index("KS"), index("QS")]))[1] < 0.6


def test_a_face_that_contradicts_the_index_leaves_doubt() -> None:
    # A face must shout to be heard over an index; then neither is believed.
    assert best(fuse_scores(face("QS", 12.0), [index("KS")]))[1] < 0.6


@pytest.mark.parametrize(
    ("says", "indices", "sure"),
    [
        ("JS", "6S", False),  # a German D looks like a six
        ("6S", "JS", False),
        ("KS", "KC", False),
        ("JS", "KS", True),  # courts are told from each other by their indices
        ("7S", "6S", True),
    ],
)
def test_a_face_that_nothing_covers_is_heard_against_its_indices(says, indices, sure) -> None:
    """However sure those are: a court is no pip card, and a spade no club."""

    def told(covered: float) -> bool:
        quad = np.array([[0, 0], [60, 0], [60, 88], [0, 88]], np.float32)
        seen = [index(indices, 20.0), index(indices, 20.0)]
        e = Evidence(quad, 1.0, True, face(says, 8.0), seen, covered=covered)
        return e.fuse().confidence > 0.9

    assert told(covered=0.0) == sure
    assert told(covered=0.5)


def test_the_face_and_one_index_outvote_another_index_on_a_mat() -> None:
    """It is that of the card beside it."""
    quad = np.array([[0, 0], [60, 0], [60, 88], [0, 88]], np.float32)

    def told(*indices: str, covered: float = 0.3) -> bool:
        seen = [index(code, strength) for code, strength in zip(indices, (5.0, 20.0), strict=True)]
        e = Evidence(quad, 0.7, True, face("AD"), seen, covered=covered, is_on_mat=True)
        return e.fuse().confidence > 0.9

    assert not told("AD", "2D")
    assert told("2D", "2D")
    assert told("AD", "2D", covered=0.7)


def test_the_rank_of_one_index_and_the_suit_of_another_are_no_card() -> None:
    quad = np.array([[0, 0], [60, 0], [60, 88], [0, 88]], np.float32)
    jack, five = index("JH", 9.0), index("5S", 12.0)
    mixed = [replace(jack, suits=jack.suits * 2), five]

    def told(code: str) -> tuple[str, bool]:
        seen = Evidence(quad, 0.6, True, face(code, 2.0), mixed, covered=0.5).fuse()
        return str(CARDS[seen.best]), seen.confidence > 0.7

    assert told("KC") == ("5H", False)
    assert told("5H") == ("5H", True)


def test_indices_that_are_hardly_read_do_not_make_each_other_sure() -> None:
    """They are of one print, and err alike."""
    quad = np.array([[0, 0], [60, 0], [60, 88], [0, 88]], np.float32)

    def told(strength: float) -> float:
        seen = [index("AC", strength) for _ in range(3)]
        return Evidence(quad, 0.5, True, indices=seen).fuse().confidence

    assert told(2.5) > 0.9
    assert told(1.4) <= 0.5


def test_an_index_that_cannot_be_read_counts_for_nothing() -> None:
    told = fuse_scores(face("KS"), [index("2H", 9.0, readable=0.0)])
    assert np.allclose(told, fuse_scores(face("KS"), []))


def test_a_face_counts_for_more_on_a_mat() -> None:
    """There its outline is true: where small pips look like another suit, it is asked about."""
    quad = np.array([[0, 0], [60, 0], [60, 88], [0, 88]], np.float32)

    def beside(code: str, *, is_on_mat: bool) -> float:
        indices = [index(code, 2.5), index(code, 2.5)]
        e = Evidence(quad, 1.0, True, face("KS", 2.5), indices, is_on_mat=is_on_mat)
        return e.fuse().confidence

    assert beside("KC", is_on_mat=True) < beside("KC", is_on_mat=False)
    assert beside("KS", is_on_mat=True) > beside("KS", is_on_mat=False)


def test_on_a_mat_an_index_is_read_where_it_was_seen_with_the_size_of_its_card() -> None:
    quad = np.array([[0, 0], [60, 0], [60, 88], [0, 88]], np.float32)
    own = frames_of(quad)[0]
    seen = IndexFrame(own.middle + np.float32(5), own.across * 0.6, own.down * 0.6, own.centre)
    for is_on_mat in (True, False):
        e = Evidence(quad, 0.9, True, own_indices=[seen], is_on_mat=is_on_mat)
        at = [frame for frame in e.index_frames()[0] if np.array_equal(frame.middle, seen.middle)]
        assert [frame.width_px for frame in at] == pytest.approx([36, 60] if is_on_mat else [36])


def test_a_covered_face_counts_for_less() -> None:
    cards = fuse_scores(face("QS", 12.0), [index("KS")], face_counts=0.0)
    assert best(cards)[0] == "KS"
    assert best(cards)[1] > 0.9


def test_a_card_with_an_index_of_its_own_is_no_half_of_another() -> None:
    quad = np.array([[0, 0], [60, 0], [60, 88], [0, 88]], np.float32)
    whole = Evidence(quad, 0.9, True, face("6S"))
    for readable, doubted in ((0.9, False), (0.1, True)):
        half = Evidence(quad, 0.6, True, face("3S"), [index("3S", readable=readable)])
        mark_duplicates([half, whole])
        assert half.is_duplicate == doubted
        assert (half.fuse().face_up <= 0.5) == doubted


def test_of_a_taught_deck_the_one_that_looks_more_like_its_card_is_the_whole_one() -> None:
    """Without indices half of a seven, found as clearly, looks like a three."""
    quad = np.array([[0, 0], [60, 0], [60, 88], [0, 88]], np.float32)
    alike = {"7D": 0.86, "3D": 0.77}
    whole, half = (
        Evidence(place, score, True, face(code), similarity=np.full(53, alike[code]))
        for code, place, score in (("7D", quad, 0.67), ("3D", quad + np.float32([15, 0]), 0.68))
    )
    mark_duplicates([half, whole])
    assert (half.is_duplicate, whole.is_duplicate) == (True, False)
    whole.similarity = half.similarity = None
    mark_duplicates([half, whole])
    assert (half.is_duplicate, whole.is_duplicate) == (False, True)


@pytest.mark.parametrize("covered", [0.0, 0.3])
def test_the_face_of_a_court_alone_counts_for_less_than_that_of_pips(covered) -> None:
    """Its figures may be like another maker's king; three pips are three pips."""
    quad = np.array([[0, 0], [60, 0], [60, 88], [0, 88]], np.float32)

    def alone(code: str) -> float:
        e = Evidence(quad, 0.9, True, face(code, 6.0), [index(code, readable=0.0)])
        e.covered = covered
        return e.fuse().confidence

    pips = [alone(code) for code in ("AS", "3H", "TC")]
    courts = [alone(code) for code in ("JS", "QH", "KC")]
    assert max(courts) < min(pips) or covered
    assert np.allclose(courts + pips, pips[0]) == bool(covered)
    assert all(confidence > 0.5 for confidence in courts)


@pytest.mark.parametrize(
    ("said", "covered", "is_sure"),
    [
        (["AH", "AH"], 0.5, True),
        (["AH"], 0.5, False),  # it may be the next card's
        (["AH", "AH"], 0.1, False),  # the whole figure is seen
    ],
)
def test_what_shows_of_a_covered_face_does_not_outweigh_two_clear_indices(
    said, covered, is_sure
) -> None:
    """The upper third of a large ace looks like a court, between the indices of both corners."""
    indices = [index(code, 6.0) for code in said]
    quad = np.array([[0, 0], [60, 0], [60, 88], [0, 88]], np.float32)
    e = Evidence(quad, 0.6, True, face("KH"), indices, is_on_mat=True)
    e.covered = covered
    assert (e.fuse().confidence >= SURE_ON_MAT) == is_sure


def test_a_taught_deck_is_heard() -> None:
    taught = np.zeros(52)
    taught[CARDS.index(Card.parse("JC"))] = 20.0
    assert best(fuse_scores(face("KC"), [], custom=taught))[0] == "JC"


@pytest.mark.parametrize("looks", [[], [index("7D")]])
def test_probabilities_sum_to_one(looks) -> None:
    assert fuse_scores(face("7D"), looks).sum() == pytest.approx(1.0)


def test_a_card_face_up_that_nobody_can_name_beats_what_may_lie_either_way() -> None:
    """Of a deck without indices a court says little of which card it is."""
    quad = np.array([[0, 0], [60, 0], [60, 88], [0, 88]], np.float32)
    court = Evidence(quad, 0.5, True, face("KH", 0.0))
    either = replace(face("KH", 0.0), kinds=np.array([0.5, 0.6, 0.0]))
    strip = Evidence((quad - np.array([9, 0])).astype(np.float32), 0.3, False, either)
    assert best_of([strip, court]) == [court]
    back = replace(either, kinds=np.array([0.0, 1.0, 0.0]))
    clear = Evidence(strip.quad, 0.9, False, back)
    assert best_of([court, clear]) == [clear]
