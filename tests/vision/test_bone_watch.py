"""Bones at rest: noticed once, and again only when something happened to them."""

from __future__ import annotations

import pytest

from engine.bones import Face
from vision.bone_watch import BoneWatch, Happened, compare
from vision.readings import BoneReading, Spot, UnsureBoneReading


def spot(x: float, y: float) -> Spot:
    """A bone 40 px long about (x, y)."""
    rim = ((x - 20, y - 12), (x + 20, y - 12), (x + 20, y + 12), (x - 20, y + 12))
    return Spot(rim, (x, y))


def bone(face: Face, x: float, y: float = 100.0, confidence: float = 0.9) -> BoneReading:
    return BoneReading(face, confidence, spot(x, y))


def doubtful(x: float, y: float = 100.0) -> UnsureBoneReading:
    return UnsureBoneReading((Face.FLAT, Face.TWISTED), 0.5, spot(x, y))


def settle(watch: BoneWatch, *bones, start: float = 0.0):
    """Show the same bones for a second, ten frames; all that was told."""
    told = [watch.see(start + k / 10, bones) for k in range(10)]
    return [each for each in told if each is not None]


FIVE = tuple(
    bone(face, 100.0 * k)
    for k, face in enumerate(
        (Face.FLAT, Face.CONCAVE, Face.CONVEX, Face.TWISTED, Face.CONVEX), start=1
    )
)


def test_bones_are_told_once_when_they_have_lain_still_long_enough() -> None:
    watch = BoneWatch(frames=2, rest_s=0.2)
    assert watch.see(0.0, FIVE) is None
    assert watch.see(0.1, FIVE) is None
    told = watch.see(0.2, FIVE)
    assert told is not None
    assert told.time_s == 0.2
    assert told.total == 1 + 3 + 4 + 6 + 4
    assert [change.happened for change in told.changes] == [Happened.ADDED] * 5
    assert told.bumped == ()
    assert watch.see(0.3, FIVE) is None


@pytest.mark.parametrize("step", [6.0, 40.0], ids=["rocking", "rolling"])
def test_nothing_is_read_while_a_bone_moves(step: float) -> None:
    watch = BoneWatch(frames=2, rest_s=0.2)
    for k in range(12):
        rolling = bone(Face.FLAT, 100 + step * (k % 2 if step < 10 else k))
        assert watch.see(k / 10, (*FIVE[1:], rolling)) is None
    assert settle(watch, *FIVE[1:], bone(Face.FLAT, 900.0), start=1.2)[0].total == 18


def test_a_face_that_flickers_is_not_at_rest() -> None:
    watch = BoneWatch(frames=2, rest_s=0.2)
    for k in range(10):
        face = Face.FLAT if k % 2 else Face.TWISTED
        assert watch.see(k / 10, (bone(face, 100.0),)) is None


def test_noise_of_the_camera_moves_no_bone() -> None:
    watch = BoneWatch()
    told = [watch.see(k / 10, (bone(Face.CONVEX, 100 + (k % 3)),)) for k in range(12)]
    assert len([each for each in told if each is not None]) == 1


def test_confidence_is_the_mean_of_the_frames_of_the_rest() -> None:
    watch = BoneWatch(frames=3, rest_s=0.2)
    for k, confidence in enumerate((0.8, 0.9)):
        assert watch.see(k / 10, (bone(Face.CONVEX, 100.0, confidence=confidence),)) is None
    told = watch.see(0.2, (bone(Face.CONVEX, 100.0, confidence=1.0),))
    assert told is not None
    assert told.bones[0].confidence == pytest.approx(0.9)


def test_a_bone_turned_over_after_the_reading_is_noticed() -> None:
    watch = BoneWatch()
    settle(watch, *FIVE)
    turned = bone(Face.TWISTED, 104.0)
    (told,) = settle(watch, turned, *FIVE[1:], start=2.0)
    (change,) = told.bumped
    assert change.happened is Happened.TURNED
    assert change.before == FIVE[0]
    assert change.after.face is Face.TWISTED


def test_a_bone_pushed_aside_keeps_its_face_but_is_noticed() -> None:
    watch = BoneWatch()
    settle(watch, *FIVE)
    (told,) = settle(watch, bone(Face.FLAT, 100.0, 120.0), *FIVE[1:], start=2.0)
    assert [change.happened for change in told.changes] == [Happened.MOVED]
    assert told.total == 18


def test_a_second_throw_adds_to_the_first_and_says_which_are_new() -> None:
    watch = BoneWatch()
    settle(watch, *FIVE)
    more = (bone(Face.CONCAVE, 150.0, 300.0), bone(Face.FLAT, 250.0, 300.0))
    (told,) = settle(watch, *FIVE, *more, start=2.0)
    assert [change.happened for change in told.changes] == [Happened.ADDED] * 2
    assert [change.after.face for change in told.changes] == [Face.CONCAVE, Face.FLAT]
    assert told.total == 22


def test_a_bone_taken_away_is_gone_and_an_empty_table_is_told() -> None:
    watch = BoneWatch()
    settle(watch, *FIVE)
    (told,) = settle(watch, *FIVE[:4], start=2.0)
    assert [(c.happened, c.before.face) for c in told.changes] == [(Happened.GONE, Face.CONVEX)]
    (told,) = settle(watch, start=4.0)
    assert len(told.bumped) == 4
    assert told.bones == ()


def test_a_doubtful_bone_leaves_no_total_and_clearing_it_up_is_told() -> None:
    watch = BoneWatch()
    (told,) = settle(watch, *FIVE[:4], doubtful(500.0))
    assert told.total is None
    (told,) = settle(watch, *FIVE, start=2.0)
    assert told.total == 18
    assert [change.happened for change in told.changes] == [Happened.TURNED]


def test_doubt_about_a_bone_that_has_not_moved_is_no_news() -> None:
    watch = BoneWatch()
    settle(watch, *FIVE)
    assert settle(watch, *FIVE[:4], doubtful(500.0), start=2.0) == []
    assert watch.settled[-1].face is Face.CONVEX


def test_a_new_throw_after_forgetting_is_all_added() -> None:
    watch = BoneWatch()
    settle(watch, *FIVE)
    watch.forget()
    (told,) = settle(watch, *FIVE, start=2.0)
    assert [change.happened for change in told.changes] == [Happened.ADDED] * 5


def test_two_bones_that_change_places_nearby_are_matched_by_the_nearest() -> None:
    before = (bone(Face.FLAT, 100.0), bone(Face.TWISTED, 130.0))
    after = (bone(Face.TWISTED, 131.0), bone(Face.FLAT, 100.0))
    assert compare(before, after) == ()
    far = (bone(Face.FLAT, 400.0),)
    assert [c.happened for c in compare(before[:1], far)] == [Happened.GONE, Happened.ADDED]
