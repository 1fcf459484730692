"""The virtual table's knucklebones: real shapes in their resting poses, seen by the same camera."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from device.simulator.bone_table import FALLS, BonesTable
from device.simulator.bones import DYES, PlacedBone, bone_points, draw_bone, length_mm, project
from device.simulator.scenery import apply_homography
from engine.core.bones import Face
from vision.bones.shape import UP, knucklebone
from vision.mat.pose import MatLayout

pytestmark = pytest.mark.slow

LAYOUT = MatLayout(4, "A2")
SIZE = (800, 600)


@pytest.fixture
def table() -> BonesTable:
    return BonesTable(LAYOUT, seed=4, size=SIZE)


def settle(table: BonesTable):
    """All frames up to the first at rest."""
    frames = []
    while table.is_moving:
        frames.append(table.frame())
    return [*frames, table.frame()]


def test_the_shape_is_closed_and_has_the_proportions_of_a_bone() -> None:
    shape = knucklebone(32.0, 4)
    edges = Counter()
    for a, b, c in shape.triangles.tolist():
        for one, two in ((a, b), (b, c), (c, a)):
            edges[one, two] += 1
    assert all(count == 1 and edges[two, one] == 1 for (one, two), count in edges.items())
    length, wide, high = np.ptp(shape.points, axis=0)
    assert length == pytest.approx(32.0)
    assert 0.5 < high / length < wide / length < 0.75


def test_the_pit_is_less_open_than_the_ridges() -> None:
    shape = knucklebone(32.0, 4)
    x, y, z = shape.points.T
    dorsal = shape.normals[:, 2] > 0.3
    pit = dorsal & (np.abs(x) < 4) & (np.abs(y) < 3)
    ridge = dorsal & (z > 0.8 * z.max())
    assert shape.openness[pit].mean() < shape.openness[ridge].mean() - 0.1


@pytest.mark.parametrize("face", list(Face))
@pytest.mark.parametrize("number", [0, 1])
def test_a_bone_rests_on_the_face_that_is_opposite(face, number) -> None:
    lying = PlacedBone(number, 200.0, 150.0, 33.0, face)
    points = bone_points(lying)
    assert points[:, 2].min() == pytest.approx(0.0)
    # What was thrown up is on top: the axis of the face, carried by the same pose, points up.
    shape = knucklebone(length_mm(number), 4).points * ([-1, 1, 1] if number % 2 else [1, 1, 1])
    linear, *_ = np.linalg.lstsq(shape - shape.mean(0), points - points.mean(0), rcond=None)
    assert (np.array(UP[face]) @ linear)[2] > 0.9
    assert abs(np.linalg.det(linear)) == pytest.approx(1.0, abs=1e-6)
    # It lies where its middle is low: turned by some degrees it would be higher.
    resting = points[:, 2].mean()
    assert all(
        bone_points(PlacedBone(number, 200, 150, 33, face, roll=r, pitch=p))[:, 2].mean() > resting
        for r, p in ((12.0, 0.0), (-12.0, 0.0), (0.0, 12.0), (0.0, -12.0))
    )


def test_a_point_on_the_mat_is_seen_where_the_mat_is_and_a_high_one_farther_off(table) -> None:
    flat = np.array([[100.0, 90.0, 0.0], [400.0, 300.0, 0.0]])
    seen = project(table.matrix, SIZE, flat)
    assert seen[:, :2] == pytest.approx(apply_homography(table.matrix, flat[:, :2]))
    high = project(table.matrix, SIZE, flat + np.array([0, 0, 30.0]))
    # The camera stands at the lower edge and leans back: what is high moves up the picture.
    assert (high[:, 1] < seen[:, 1] - 1).all()
    assert (high[:, 2] > seen[:, 2]).all()


@pytest.mark.parametrize("dye", list(DYES))
def test_a_bone_has_the_colour_of_its_dye(table, dye) -> None:
    lying = PlacedBone(0, 300.0, 200.0, 10.0, Face.CONVEX)
    sprite = draw_bone(table.matrix, SIZE, lying, dye)
    assert sprite is not None
    mean = sprite.layer[sprite.alpha > 200].mean(axis=0)
    wanted = np.array(DYES[dye], float)
    assert np.dot(mean, wanted) / np.linalg.norm(mean) / np.linalg.norm(wanted) > 0.97


def test_a_bone_outside_the_picture_is_not_drawn(table) -> None:
    assert draw_bone(table.matrix, SIZE, PlacedBone(0, 9000.0, 0.0, 0, Face.FLAT), "red") is None


def test_a_throw_tumbles_and_comes_to_rest_where_the_table_says(table) -> None:
    empty = table.frame().astype(int)
    faces = table.throw(0, 5)
    assert table.is_moving
    frames = settle(table)
    assert len(frames) > 4
    last = frames[-1].astype(int)
    assert [bone.face for bone in table.bones] == list(faces)
    for bone in table.bones:
        x, y = table.outline(bone).mean(axis=0).round().astype(int)
        patch = (slice(y - 3, y + 4), slice(x - 3, x + 4))
        assert np.abs(last[patch] - empty[patch]).mean() > 10
    still = np.abs(table.frame().astype(int) - last).mean()
    moving = np.abs(frames[-3].astype(int) - last).mean()
    assert still < 4
    assert moving > still


def test_a_second_throw_leaves_the_first_bones_where_they_lie(table) -> None:
    table.throw(0, 5)
    settle(table)
    first = table.bones
    table.throw(0, 3, faces=(Face.FLAT, Face.TWISTED, None))
    settle(table)
    assert table.bones[:5] == first
    assert [bone.face for bone in table.bones[5:]] == [Face.FLAT, Face.TWISTED, None]
    assert len({bone.number for bone in table.bones}) == 8


def test_bones_do_not_lie_in_each_other(table) -> None:
    table.throw(1, 10)
    hulls = [bone_points(bone)[:, :2] for bone in table.bones]
    for k, one in enumerate(hulls):
        for other in hulls[k + 1 :]:
            gaps = np.linalg.norm(one[:, None, :] - other[None, ::4, :], axis=2)
            assert gaps.min() > 0.3


def test_a_bumped_bone_moves_and_turns_and_the_others_stay(table) -> None:
    table.throw(0, 5, faces=[Face.CONVEX] * 5)
    settle(table)
    before = table.bones
    table.bump(2, by=1, face=Face.FLAT)
    settle(table)
    assert table.bones[2].face is Face.FLAT
    assert np.hypot(table.bones[2].x_mm - before[2].x_mm, table.bones[2].y_mm - before[2].y_mm) > 2
    assert [b for k, b in enumerate(table.bones) if k != 2] == [
        b for k, b in enumerate(before) if k != 2
    ]


def test_lifting_leaves_an_empty_mat(table) -> None:
    empty = table.frame().astype(int)
    table.throw(0, 5)
    settle(table)
    table.lift(0)
    last = settle(table)[-1].astype(int)
    assert table.bones == ()
    assert np.abs(last - empty).mean() < 4


def test_faces_fall_as_often_as_those_of_real_bones() -> None:
    table = BonesTable(LAYOUT, seed=1, size=(160, 120))
    thrown = Counter(table._fall() for _ in range(4000))
    assert sum(FALLS.values()) == pytest.approx(1.0)
    for face, share in FALLS.items():
        # Five standard deviations of a count.
        assert abs(thrown[face] - 4000 * share) < 5 * (4000 * share * (1 - share)) ** 0.5
    assert 0 <= thrown[None] < 25


def test_the_same_seed_throws_the_same(table) -> None:
    again = BonesTable(LAYOUT, seed=4, size=SIZE)
    assert table.throw(0, 5) == again.throw(0, 5)
    assert table.bones == again.bones


def test_misuse_says_what_to_do(table) -> None:
    with pytest.raises(ValueError, match="choose one of ivory"):
        BonesTable(LAYOUT, size=SIZE, dye="plaid")
    with pytest.raises(ValueError, match="name each"):
        table.throw(0, 3, faces=[Face.FLAT])
