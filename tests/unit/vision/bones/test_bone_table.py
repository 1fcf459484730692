"""Bones beside cards and on the mat, by hand-written finds: no network is needed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from device.simulator.bone_table import BonesTable
from device.storage.taught import bone_reader
from engine.core.bones import Face
from engine.core.cards import Card
from vision.bones.on_table import BonesOnMat, with_bones
from vision.mat.pose import MatLayout, draw_mat, find_mat
from vision.readings import (
    BackReading,
    BoneReading,
    CardReading,
    Place,
    Reading,
    Spot,
    UnsureBoneReading,
    UnsureReading,
    ZoneKind,
)

EMPTY = np.zeros((400, 600, 3), np.uint8)


class Found:
    """Reads the same bones from every picture, and remembers the scale it was told."""

    def __init__(self, *bones) -> None:
        self.bones = bones
        self.px_per_mm: float | None = -1.0

    def read(self, image, px_per_mm=None, *, alone=False):
        self.px_per_mm = px_per_mm
        return self.bones


def spot(x: float, y: float, half: float = 15.0) -> Spot:
    rim = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
    return Spot(rim, (x, y))


def place(x: float, y: float, wide: float = 60.0, tall: float = 84.0) -> Place:
    w, h = wide / 2, tall / 2
    return Place(((x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)))


def bone(x: float, y: float, face: Face = Face.CONVEX, half: float = 15.0) -> BoneReading:
    return BoneReading(face, 0.995, spot(x, y, half))


def test_bones_read_and_doubtful_ones_are_kept_apart_and_counted() -> None:
    doubtful = UnsureBoneReading((Face.FLAT,), 0.5, spot(300, 100))
    found = (bone(100, 100), bone(200, 100, Face.TWISTED), doubtful)
    reading = with_bones(Reading(0.0), found, EMPTY, None)
    assert [b.face for b in reading.bones] == [Face.CONVEX, Face.TWISTED]
    assert reading.unsure_bones == (doubtful,)
    assert reading.bones_total == 4 + 6
    assert reading.bones[0].spot.centre_mm is None


@pytest.mark.parametrize("kind", ["card", "back"])
def test_a_bone_in_the_picture_of_a_card_is_no_bone(kind) -> None:
    if kind == "card":
        cards = Reading(0.0, cards=(CardReading(Card.parse("KH"), 0.9, place(100, 100)),))
    else:
        cards = Reading(0.0, backs=(BackReading(0.9, place(100, 100)),))
    reading = with_bones(cards, (bone(110, 90), bone(200, 100)), EMPTY, None)
    assert [b.spot.centre for b in reading.bones] == [(200, 100)]
    assert reading.cards == cards.cards
    assert reading.backs == cards.backs


@pytest.mark.parametrize(
    ("card", "confidence", "kept"),
    [(0.8, 0.9, 0), (0.8, 0.98, 0), (0.4, 0.9, 1)],
    ids=["its-picture", "its-picture-beyond-doubt", "hardly-a-card"],
)
def test_a_bone_in_the_picture_of_a_card_that_is_not_sure_is_no_bone(card, confidence, kept):
    doubtful = UnsureReading((Card.parse("KH"), Card.parse("QH")), card, place(300, 200))
    within = BoneReading(Face.FLAT, confidence, spot(310, 190, 10))
    reading = with_bones(Reading(0.0, unsure=(doubtful,)), (within,), EMPTY, None)
    assert len(reading.bones) + len(reading.unsure_bones) == kept


def test_a_doubtful_card_the_size_of_a_bone_is_the_bone() -> None:
    small = UnsureReading((), 0.4, place(100, 100, 34, 40))
    card = UnsureReading((Card.parse("AS"),), 0.4, place(300, 100))
    found = (bone(100, 100), bone(310, 110))
    reading = with_bones(Reading(0.0, unsure=(small, card)), found, EMPTY, None)
    # A bone may lie on a card, which is then hard to read: both stay.
    assert reading.unsure == (card,)
    assert len(reading.bones) == 2


def test_backs_seen_where_bones_lie_are_the_bones_and_give_no_scale() -> None:
    backs = tuple(BackReading(0.95, place(x, 100, 34, 40)) for x in (100, 200))
    shadow = BackReading(0.6, place(300, 180, 20, 12))
    found = (bone(100, 100), bone(200, 100), bone(300, 100))
    reading = with_bones(Reading(0.0, backs=(*backs, shadow)), found, EMPTY, None)
    # A card is six times as large as a bone: what is hardly larger than one is none.
    assert reading.backs == ()
    assert len(reading.bones) == 3


@pytest.mark.parametrize("kind", ["back", "unsure"])
@pytest.mark.parametrize(
    ("wide", "tall", "stays"),
    [
        pytest.param(16, 20, False, id="a part of it"),
        pytest.param(44, 50, False, id="the bone and its shadow"),
        pytest.param(60, 84, True, id="a card under it"),
    ],
)
def test_what_looks_like_a_card_in_the_middle_of_a_bone_is_the_bone(kind, wide, tall, stays):
    """The middle of the bone lies outside of the first: only its outline tells."""
    where = place(112, 110, wide, tall)
    half = BoneReading(Face.FLAT, 0.8, spot(100, 100, 14))
    seen = BackReading(0.7, where) if kind == "back" else UnsureReading((), 0.4, where)
    cards = Reading(0.0, backs=(seen,)) if kind == "back" else Reading(0.0, unsure=(seen,))
    reading = with_bones(cards, (half,), EMPTY, None)
    assert bool(reading.backs or reading.unsure) is stays


def test_what_is_too_small_for_a_card_beside_bones_beyond_doubt_is_none() -> None:
    small, large = BackReading(0.6, place(300, 180, 40, 50)), BackReading(0.6, place(300, 300))
    unread = UnsureReading((), 0.4, place(500, 180, 40, 50))
    cards = Reading(0.0, backs=(small, large), unsure=(unread,))
    reading = with_bones(cards, (bone(100, 100),), EMPTY, None)
    assert (reading.backs, reading.unsure) == ((large,), ())
    half = BoneReading(Face.FLAT, 0.8, spot(100, 100))
    doubted = with_bones(cards, (half,), EMPTY, None)
    assert (doubted.backs, doubted.unsure) == ((small, large), (unread,)), "it may be no bone"


def test_on_a_mat_a_bone_has_a_place_in_millimetres_and_a_zone() -> None:
    layout = MatLayout(4, "A2")
    mat = find_mat(draw_mat(layout, 2.0))
    assert mat is not None
    middle = layout.zone_polygon(_dealer(layout)).mean(axis=0)
    x, y = mat.to_px([middle])[0].tolist()
    outside = mat.to_px([[-50.0, -20.0]])[0].tolist()
    found = (bone(x, y), bone(*outside))
    reading = with_bones(Reading(0.0), found, EMPTY, mat)
    first, second = (b.spot for b in reading.bones)
    assert first.centre_mm == pytest.approx(tuple(middle), abs=1.5)
    assert first.zone is not None
    assert first.zone.kind is ZoneKind.DEALER
    # A bone off the mat is told too, with its place: somebody must be asked about it.
    assert second.centre_mm == pytest.approx((-50, -20), abs=2)
    assert second.zone is None
    assert (first.off_mat, second.off_mat) == (False, True)


def _dealer(layout: MatLayout):
    for x in np.linspace(0, layout.size_mm[0], 60):
        for y in np.linspace(0, layout.size_mm[1], 60):
            zone = layout.zone_at(x, y)
            if zone is not None and zone.kind is ZoneKind.DEALER:
                return zone
    raise AssertionError("the mat has no place for the dealer")


@pytest.mark.parametrize(("half", "stays"), [(3.0, False), (15.0, True), (30.0, False)])
def test_beside_a_card_only_what_has_the_size_of_a_bone_is_one(half, stays) -> None:
    """A knot of the wood is smaller, a book is larger: the card tells the scale."""
    cards = Reading(0.0, cards=(CardReading(Card.parse("KH"), 0.9, place(100, 100)),))
    reading = with_bones(cards, (bone(300, 100, half=half),), EMPTY, None)
    assert bool(reading.bones) is stays
    assert with_bones(Reading(0.0), (bone(300, 100, half=half),), EMPTY, None).bones


def test_a_bone_half_sure_is_asked_about_on_a_photograph_of_cards_and_not_on_a_bare_one() -> None:
    cards = Reading(0.0, cards=(CardReading(Card.parse("KH"), 0.9, place(100, 100)),))
    half = BoneReading(Face.FLAT, 0.98, spot(300, 100))
    reading = with_bones(cards, (half,), EMPTY, None)
    assert reading.bones == ()
    assert [bone.candidates for bone in reading.unsure_bones] == [(Face.FLAT,)]
    assert with_bones(Reading(0.0), (half,), EMPTY, None).bones == (half,)


def test_one_bone_beyond_doubt_outweighs_shadows_taken_for_backs() -> None:
    shadow = BackReading(0.6, place(300, 180, 120, 90))
    half = BoneReading(Face.FLAT, 0.8, spot(200, 60))
    alone = with_bones(Reading(0.0, backs=(shadow,)), (half,), EMPTY, None)
    assert alone.bones == ()
    both = with_bones(Reading(0.0, backs=(shadow,)), (half, bone(60, 60)), EMPTY, None)
    assert half in both.bones
    assert len(both.bones) == 2


def test_where_no_cards_are_played_nothing_is_taken_for_one() -> None:
    """Bones close together have been taken for a card face down, and one of them was lost."""
    image = draw_mat(MatLayout(4, "A2"), 2.0)
    found = Found(bone(400, 300), bone(424, 300), bone(400, 324))
    reading = BonesOnMat(found).read(image, 7.0)
    assert (reading.time_s, reading.seats) == (7.0, 4)
    assert found.px_per_mm == pytest.approx(2.0, rel=0.05)
    assert (len(reading.bones), reading.cards, reading.backs) == (3, (), ())
    assert reading.bones[0].spot.centre_mm == pytest.approx((200, 150), abs=1.5)


def test_without_a_mat_in_view_bones_have_no_places() -> None:
    reading = BonesOnMat(Found(bone(100, 100))).read(EMPTY)
    assert reading.seats is None
    assert reading.bones[0].spot.centre_mm is None


def test_a_bare_marker_of_the_mat_is_no_bone_but_a_covered_one_may_hide_one() -> None:
    mat = draw_mat(MatLayout(4), 2.0)
    pose = find_mat(mat)
    assert pose is not None
    number = min(pose.bare)
    x, y = pose.to_px(pose.layout.markers[number]).mean(axis=0).tolist()
    assert with_bones(Reading(0.0), (bone(x, y),), mat, pose).bones == ()
    covered = mat.copy()
    covered[int(y) - 20 : int(y) + 20, int(x) - 20 : int(x) + 20] = 200
    pose = find_mat(covered)
    assert pose is not None
    assert pose.bare == set(pose.layout.markers) - {number}
    assert len(with_bones(Reading(0.0), (bone(x, y),), covered, pose).bones) == 1


@pytest.mark.parametrize(("half_mm", "stays"), [(5.0, False), (7.5, True), (15.0, True)])
def test_on_a_mat_what_is_shorter_than_any_bone_is_print(half_mm, stays) -> None:
    mat = find_mat(draw_mat(MatLayout(4, "A2"), 2.0))
    assert mat is not None
    x, y = mat.to_px([[200.0, 150.0]])[0].tolist()
    found = (bone(x, y, half=2.0 * half_mm),)
    assert bool(with_bones(Reading(0.0), found, EMPTY, mat).bones) is stays


@pytest.mark.parametrize(("thick_mm", "stays"), [(4.0, False), (12.0, True)])
def test_on_a_mat_what_is_thinner_than_any_bone_is_print(thick_mm, stays) -> None:
    mat = find_mat(draw_mat(MatLayout(4, "A2"), 2.0))
    assert mat is not None
    x, y = mat.to_px([[200.0, 150.0]])[0].tolist()
    long = bone(x, y, half=26.0)
    around = tuple((a, y + (b - y) * thick_mm / 26.0) for a, b in long.spot.outline)
    found = (replace(long, spot=replace(long.spot, outline=around)),)
    assert bool(with_bones(Reading(0.0), found, EMPTY, mat).bones) is stays


def test_nothing_printed_on_an_empty_mat_is_a_bone() -> None:
    """The word "stock" in the middle of this one was read as a bone, in just this noise."""
    table = BonesTable(MatLayout(6, "A1"), seed=1)
    pictures = [table.frame() for _ in range(70)]
    reader = BonesOnMat(bone_reader(""))
    for picture in pictures[-6:]:
        reading = reader.read(picture)
        assert reading.seats == 6
        assert (reading.bones, reading.unsure_bones) == ((), ())


def test_a_faint_card_round_a_bone_beyond_doubt_is_its_shadow() -> None:
    faint = UnsureReading((Card.parse("AS"),), 0.1, place(100, 100))
    likely = UnsureReading((Card.parse("AS"),), 0.6, place(100, 100))
    assert with_bones(Reading(0.0, unsure=(faint,)), (bone(100, 110),), EMPTY, None).unsure == ()
    kept = with_bones(Reading(0.0, unsure=(likely,)), (bone(100, 110),), EMPTY, None)
    assert kept.unsure == (likely,)


@pytest.mark.parametrize(("confidence", "stays"), [(0.983, False), (0.995, True)])
def test_a_bone_in_the_picture_of_a_card_that_is_surely_there_is_a_court(confidence, stays) -> None:
    """A jack of clubs of which nobody could tell the suit held one of 0.983."""
    mat = find_mat(draw_mat(MatLayout(4, "A2"), 2.0))
    assert mat is not None
    x, y = mat.to_px([[200.0, 150.0]])[0].tolist()
    jack = UnsureReading((Card.parse("JC"),), 0.4, place(x, y, 114.0, 176.0), face_up=0.93)
    head = replace(bone(x, y - 40, half=20.0), confidence=confidence)
    reading = with_bones(Reading(0.0, unsure=(jack,)), (head,), EMPTY, mat)
    assert bool(reading.bones) is stays
    assert reading.unsure == (jack,)
