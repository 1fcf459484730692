"""Cards of which only indices are seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from tests.support.card_evidence import face, index
from vision.cards.classifier import CARDS
from vision.cards.covered import CoveredCards
from vision.cards.detector import Detection, IndexDetection
from vision.cards.evidence import Evidence, assign_indices
from vision.cards.geometry import IndexFrame, frames_of
from vision.cards.pipeline import CardPipeline, _are_one_card, _are_one_index, _once
from vision.geometry import Points

IMAGE = np.full((400, 400, 3), 200, np.uint8)
IMAGE[::4] = (20, 20, 200)  # it shows colour: suits can be told

CARD = np.array([[0, 0], [60, 0], [60, 88], [0, 88]], np.float32)
STEP = np.array([0, 22], np.float32)


def found(frame: IndexFrame, score: float = 0.6) -> IndexDetection:
    return IndexDetection(frame, score)


def across(frame: IndexFrame) -> IndexFrame:
    """The frame of an index whose strip was taken for a card lying across."""
    return IndexFrame(frame.middle, frame.down * 0.6, -frame.across * 0.7, frame.middle)


def read_cards(
    says: Callable[[IndexFrame], tuple[str, float]],
    *indices: IndexDetection,
    whole=(),
    pose=None,
    taken=lambda quad: 1.0,
) -> list[Evidence]:
    """What is read with a network that *says* this of a frame."""

    def read(_image, frames, **_):
        return [index(card, readable=readable) for card, readable in map(says, frames)]

    return CoveredCards(SimpleNamespace(read=read)).read(IMAGE, indices, list(whole), pose, taken)


def named(says: Callable[[IndexFrame], tuple[str, float]], *indices: IndexDetection, whole=()):
    """The names of what is read, and whether each is sure."""
    cards = read_cards(says, *indices, whole=whole)
    return [(str(CARDS[e.fuse().best]), e.fuse().confidence >= 0.7) for e in cards]


def corner(quad: Points = CARD) -> IndexFrame:
    return frames_of(quad)[0]


@pytest.mark.parametrize(
    ("readable", "score", "cards"),
    [
        (0.97, 0.6, [("KS", True)]),
        (0.97, 0.3, [("KS", False)]),  # print on paper is found so
        (0.75, 0.6, [("KS", False)]),
        (0.5, 0.6, []),
    ],
)
def test_one_index_alone_is_a_card_only_where_it_is_read_well(readable, score, cards) -> None:
    assert named(lambda _: ("KS", readable), found(corner(), score)) == cards


def test_two_indices_of_one_card_are_two_witnesses_of_it() -> None:
    other = frames_of(CARD[[1, 0, 3, 2]])[0]
    assert named(lambda _: ("KS", 0.9), found(corner()), found(other)) == [("KS", True)]


def test_an_index_of_a_card_that_is_read_is_not_read_again_as_another() -> None:
    whole = Evidence(CARD, 0.9, True, face("6S"), [index("6S")])
    assert named(lambda _: ("8S", 0.99), found(corner()), whole=[whole]) == []


MAT = SimpleNamespace(to_mm=lambda at: np.asarray(at) / 2, to_px=lambda at: np.asarray(at) * 2)
"""Two pixels for a millimetre."""


def test_the_index_of_the_next_card_of_a_fan_lies_in_the_corner_of_the_one_before() -> None:
    large = CARD * 2
    seen = found(corner(large))
    whole = Evidence(large, 0.9, True, face("6S"), [index("6S")], foreign_indices=[seen.frame])
    (card,) = read_cards(lambda _: ("8S", 0.99), seen, whole=[whole], pose=MAT)
    assert str(CARDS[card.fuse().best]) == "8S"
    assert read_cards(lambda _: ("6S", 0.99), seen, whole=[whole], pose=MAT) == [], "its own"
    assert read_cards(lambda _: ("8S", 0.99), seen, whole=[whole]) == [], "of no known size"


@pytest.mark.parametrize(("is_on_mat", "own"), [(True, [1]), (False, [0, 1])])
def test_of_two_indices_in_one_corner_that_of_the_card_below_is_its_own(is_on_mat, own) -> None:
    """As in a packet that is spread by a finger's width; on photographs no card's size is known."""
    card = Evidence(CARD * 3, 0.4, True, is_on_mat=is_on_mat)
    below, above = found(corner(CARD * 3 - (18, 0))), found(corner(CARD * 3 + (1, 0)))
    assign_indices([below, above], [card])
    frames = [below.frame, above.frame]
    assert [frame is frames[n] for frame, n in zip(card.own_indices, own, strict=True)]
    assert len(card.own_indices) + len(card.foreign_indices) == 2


def test_on_a_mat_a_card_of_which_an_index_is_seen_has_the_size_of_a_card() -> None:
    small = corner(CARD + 40)  # 30 mm wide
    (card,) = read_cards(lambda _: ("KS", 0.97), found(small, 0.3), pose=MAT)
    sides = np.linalg.norm(np.roll(card.quad, -1, axis=0) - card.quad, axis=1)
    assert sides.tolist() == pytest.approx([120, 176, 120, 176])
    assert card.quad[0] == pytest.approx(small.middle - (0.12 * 120, 0.14 * 176))
    assert card.fuse().confidence >= 0.9, "no paper with print on it lies on a mat"


def test_a_card_of_another_size_than_the_others_is_none() -> None:
    whole = Evidence(CARD + 200, 0.9, True, face("6S"), [index("6S")])
    assert named(lambda _: ("8S", 0.99), found(corner(CARD * 2)), whole=[whole]) == []


def test_a_strip_taken_for_a_card_lying_across_is_read_as_its_neighbours_lie() -> None:
    top = Evidence(CARD + STEP, 0.9, True, face("6S"), [index("6S")])
    strip = across(corner())
    reader = lambda frame: ("KD", 0.99 if frame.width_px > 55 else 0.1)  # noqa: E731
    assert named(reader, found(strip)) == []  # nothing tells how it lies
    assert named(reader, found(strip), whole=[top]) == [("KD", True)]


LARGE = CARD * 2 + 100
"""A card on the mat."""


def beside(frame: IndexFrame) -> IndexFrame:
    """The frame of an index whose card was taken to lie on its other side."""
    x = 2 * frame.middle[0] - frame.centre[0]
    return replace(frame, centre=np.array([x, frame.centre[1]], np.float32))


def test_two_indices_at_one_end_of_a_card_have_it_between_them() -> None:
    """Decks with four indices have some at the right corners, too."""
    left = corner(LARGE)
    right = replace(left, middle=left.middle + np.array([91, 0], np.float32))
    for seen in ((beside(left), right), (right, beside(left))):
        (card,) = read_cards(lambda _: ("KS", 0.97), *map(found, seen), pose=MAT)
        assert card.fuse().quad.mean(axis=0) == pytest.approx(LARGE.mean(axis=0), abs=1)
        assert card.fuse().confidence >= 0.9


@pytest.mark.parametrize(
    ("there", "elsewhere", "moved", "sure"),
    [
        (0.9, 0.2, False, True),
        (0.9, 0.91, False, True),
        (0.8, 0.9, False, False),
        (0.2, 0.9, True, True),
    ],
)
def test_a_card_seen_by_an_index_alone_lies_where_something_lies(
    there, elsewhere, moved, sure
) -> None:
    seen = corner(LARGE)

    def taken(quad: Points) -> float:
        return there if quad.mean(axis=0)[0] == pytest.approx(seen.centre[0], abs=1) else elsewhere

    (card,) = read_cards(lambda _: ("KS", 0.97), found(seen), pose=MAT, taken=taken)
    aside = card.fuse().quad.mean(axis=0)[0] - seen.centre[0]
    assert aside == pytest.approx(-91.2 if moved else 0.0, abs=1)
    assert (card.fuse().confidence >= 0.9) == sure


@pytest.mark.parametrize(("code", "sure"), [("9S", True), ("QS", False)])
def test_indices_of_a_doubtful_card_are_weighed_with_its_face(code, sure) -> None:
    whole = Evidence(LARGE, 0.6, True, face("9S", 5.0), [index("9S", readable=0.0)] * 2)
    whole.is_on_mat = whole.is_joker = True
    assert whole.fuse().confidence < 0.9
    assert read_cards(lambda _: (code, 0.95), found(corner(LARGE)), whole=[whole], pose=MAT) == []
    assert (whole.fuse().confidence >= 0.9) == sure
    assert whole.fuse().has_index
    assert not whole.fuse().is_joker


def test_an_index_at_the_right_corner_of_a_card_that_is_read_is_no_other_card() -> None:
    mirrored = frames_of(LARGE)[0]
    right = replace(mirrored, middle=mirrored.middle + np.array([91, 0], np.float32))
    whole = Evidence(LARGE, 0.9, True, face("AS"), [index("AS")], foreign_indices=[right])
    whole.is_on_mat = True
    assert read_cards(lambda _: ("AC", 0.99), found(right), whole=[whole], pose=MAT) == []


def test_an_index_that_a_card_was_read_by_is_not_read_again() -> None:
    far = replace(corner(LARGE), middle=corner(LARGE).middle + np.array([25, 0], np.float32))
    whole = Evidence(LARGE, 0.9, True, face("8C"), [index("8C")], own_indices=[far])
    whole.is_on_mat = True
    assert read_cards(lambda _: ("JC", 0.99), found(far), whole=[whole], pose=MAT) == []


def test_the_panel_of_a_card_on_a_mat_does_not_stand_in_for_the_card() -> None:
    """Of two outlines of one card the one that cannot be a card's is left out before it is read."""
    pipeline = CardPipeline.__new__(CardPipeline)
    pipeline._matcher = None
    pipeline._faces = SimpleNamespace(
        straightened=lambda _, quads: quads, read=lambda _, quads, **how: [face("7H")] * len(quads)
    )
    pipeline._indices = SimpleNamespace(
        read=lambda _, frames, **how: [index("7H", readable=0.9)] * len(frames)
    )
    panel = (LARGE - LARGE.mean(axis=0)) * np.float32(0.66) + LARGE.mean(axis=0)
    found_ = [Detection(panel, True, 0.9), Detection(LARGE, True, 0.3)]
    told = pipeline._read_cards(IMAGE, found_, [], pose=MAT)
    assert [e.quad.tolist() for e in told] == [LARGE.tolist()]
    assert len(pipeline._read_cards(IMAGE, found_, [])) == 2, "of no known size"


@pytest.mark.parametrize(
    ("code", "step", "told"), [("2C", 0.0, []), ("9C", 0.0, ["9C"]), ("2C", 22.0, ["2C"])]
)
def test_a_card_does_not_lie_where_one_of_its_rank_is_read(code, step, told) -> None:
    """An index seen aside of its corner is read with another suit, not another card."""
    whole = Evidence(CARD, 0.9, True, face("2S", 8.0), [index("2S")])
    own = corner(CARD + np.array([0, step], np.float32))
    seen = replace(own, middle=own.middle + np.array([12, 0], np.float32))
    assert [name for name, _ in named(lambda _: (code, 0.97), found(seen), whole=[whole])] == told


def test_indices_that_their_face_contradicts_are_no_card_of_their_own() -> None:
    """A German queen's D looks like a six; the court beside it says that it is none."""
    whole = Evidence(CARD, 0.9, True, face("QS", 8.0), [index("6S", 20.0)])
    assert named(lambda _: ("6S", 0.97), found(corner()), whole=[whole]) == []
    assert named(lambda _: ("6S", 0.97), found(corner()), whole=[]) == [("6S", True)]


def test_what_is_found_in_two_parts_of_the_picture_is_told_once() -> None:
    """A card twice would share its indices out among the two."""
    card = np.array([[100, 100], [220, 100], [220, 276], [100, 276]], np.float32)
    better, worse = Detection(card + 3, True, 0.8), Detection(card, True, 0.7)
    beside = Detection(card + np.float32([130, 0]), True, 0.3)
    assert _once([worse], [better, beside], _are_one_card) == [better, beside]
    first, other = frames_of(card)
    seen, again, far = found(first, 0.9), found(first.moved(np.float32([2, 0])), 0.5), found(other)
    assert _once([again], [seen, far], _are_one_index) == [seen, far]
