"""The bone reader as a whole, with the networks: what is read, and what is left alone."""

from __future__ import annotations

import csv
import json
import math
from collections import Counter

import cv2
import numpy as np
import pytest

from device.simulator.bone_table import BonesTable
from device.simulator.bones import DYES
from engine.core.bones import Face
from tests.support import lights
from tests.support.paths import SHARED
from vision.bones.on_table import BonesOnMat
from vision.bones.pipeline import BoneReader
from vision.errors import ImageError
from vision.mat.pose import MatLayout, find_mat
from vision.readings import BoneReading, UnsureBoneReading
from vision.table_reader import TableReader

pytestmark = pytest.mark.slow

DEV = SHARED / "bones" / "dev"
EVERY = 4
"""A sample keeps the test short; the scorer reads them all."""


@pytest.fixture(scope="module")
def reader() -> BoneReader:
    return BoneReader()


def thrown(faces, seed: int = 2, dye: str = "ivory") -> BonesTable:
    """A virtual table with bones at rest."""
    table = BonesTable(MatLayout(4, "A2"), seed=seed, dye=dye)
    table.throw(0, len(faces), faces=faces)
    while table.is_moving:
        table.frame()
    return table


def matched(table: BonesTable, readings):
    """Pairs of bones of the table and their readings, ``None`` for a bone not seen."""
    pairs = []
    for bone in table.bones:
        x, y = table.outline(bone).mean(axis=0)
        near = [r for r in readings if math.hypot(r.spot.centre[0] - x, r.spot.centre[1] - y) < 22]
        assert len(near) <= 1, "one bone was read twice"
        pairs.append((bone, near[0] if near else None))
    return pairs


@pytest.mark.skipif(not DEV.exists(), reason="needs the rendered scenes of ../shared/bones/dev")
def test_scenes_of_another_renderer_are_read_and_hardly_ever_wrongly(reader) -> None:
    with (DEV / "manifest.csv").open(encoding="utf-8") as handle:
        rows = list(csv.DictReader(handle))
    read = wrong = labelled = outlined = 0
    for row in rows[::EVERY]:
        image = cv2.imread(str(DEV / row["file"]))
        bones = [b for b in reader.read(image) if isinstance(b, BoneReading)]
        seen = Counter(bone.face.value for bone in bones)
        wanted = Counter(row["labels"].split())
        labelled += wanted.total()
        read += (seen & wanted).total()
        wrong += (seen - wanted).total()
        middles = [(x, y) for _, x, y in json.loads(row["boxes"])]
        for bone in bones:
            rim = np.array(bone.spot.outline, np.float32)
            outlined += any(cv2.pointPolygonTest(rim, middle, False) >= 0 for middle in middles)
    assert labelled > 50
    assert read >= 0.97 * labelled
    assert wrong <= max(1, 0.02 * labelled)
    # The outline holds the middle of the bone it is drawn round.
    assert outlined >= 0.97 * (read + wrong)


@pytest.mark.parametrize("dye", DYES)
def test_bones_on_the_virtual_table_are_read_where_they_lie(reader, dye) -> None:
    faces = [Face.FLAT, Face.CONCAVE, Face.CONVEX, Face.TWISTED, Face.CONCAVE, Face.CONVEX]
    right = wrong = 0
    for seed in (2, 3):
        table = thrown(faces, seed, dye)
        image = table.frame()
        mat = find_mat(image)
        assert mat is not None
        for bone, told in matched(table, reader.read(image, mat.px_per_mm)):
            if isinstance(told, BoneReading):
                right += told.face is bone.face
                wrong += told.face is not bone.face
    assert right >= 11
    assert wrong == 0


@pytest.mark.parametrize(
    ("dye", "seed", "evil"),
    [("blue", 30, None), ("ivory", 3, "dim"), ("black", 51, "noise")],
)
def test_the_shadow_of_a_bone_is_no_bone(reader, dye, seed, evil) -> None:
    """Each of these was read once more, with 0.83 to 0.95, on its shadow."""
    layout = MatLayout(*((2, "A2"), (4, "A1"), (6, "A2"), (4, "A2"))[seed % 10])
    table = BonesTable(layout, seed=seed, dye=dye)
    table.throw(0, 8)
    while table.is_moving:
        table.frame()
    image = table.frame()
    if evil is not None:
        image = lights.EVILS[evil](image, np.random.default_rng(seed % 10))
    reading = BonesOnMat(reader).read(image)
    for told in reading.bones:
        middles = [table.outline(bone).mean(axis=0) for bone in table.bones]
        assert any(math.dist(told.spot.centre, middle) < 25 for middle in middles)
    assert len(reading.bones) >= 6


def test_a_sure_reader_doubts_more_and_names_candidates() -> None:
    table = thrown([Face.FLAT, Face.CONCAVE, Face.CONVEX, Face.TWISTED])
    image = table.frame()
    told = BoneReader(sure=1.1).read(image)
    assert len(told) >= 3
    assert all(isinstance(bone, UnsureBoneReading) for bone in told)
    assert all(0 <= bone.confidence <= 1 for bone in told)
    for bone in told:
        assert bone.candidates or bone.confidence < 0.05
    named = BoneReader(sure=0.0).read(image)
    assert [b.face for b in named] == [b.candidates[0] for b in told]


def test_the_virtual_table_reads_through_the_table_reader_with_places(reader) -> None:
    table = thrown([Face.CONCAVE, Face.CONVEX, Face.TWISTED, Face.CONVEX, Face.CONCAVE])
    reading = TableReader(bones=reader).read(table.frame(), 3.0)
    assert reading.seats == 4
    assert reading.cards == ()
    assert reading.bones_total == sum(bone.value for bone in reading.bones)
    assert len(reading.bones) >= 4
    for bone, told in matched(table, reading.bones):
        if told is not None:
            assert told.face is bone.face
            x, y = told.spot.centre_mm
            assert math.hypot(x - bone.x_mm, y - bone.y_mm) < 12
            assert told.spot.zone == MatLayout(4, "A2").zone_at(x, y)


def test_without_bones_the_table_reader_reads_none() -> None:
    table = thrown([Face.CONCAVE, Face.CONVEX])
    reading = TableReader().read(table.frame())
    assert reading.bones == ()
    assert reading.unsure_bones == ()


def test_an_empty_cloth_and_the_empty_mat_hold_no_bones(reader) -> None:
    rng = np.random.default_rng(3)
    cloth = np.clip(90 + rng.normal(0, 8, (480, 640, 3)), 0, 255).astype(np.uint8)
    assert reader.read(cloth) == ()
    table = BonesTable(MatLayout(4, "A2"), seed=5)
    image = table.frame()
    mat = find_mat(image)
    assert mat is not None
    assert [b for b in reader.read(image, mat.px_per_mm) if isinstance(b, BoneReading)] == []


@pytest.mark.parametrize("size", [(1, 1), (3, 500), (500, 3)])
def test_pictures_of_odd_shapes_are_read(reader, size) -> None:
    reader.read(np.full((*size, 3), 120, np.uint8))


@pytest.mark.parametrize(
    "image",
    [np.zeros((20, 20), np.uint8), np.zeros((20, 20, 4), np.uint8), np.zeros((20, 20, 3), float)],
    ids=["grey", "with alpha", "floats"],
)
def test_what_is_no_picture_is_refused(reader, image) -> None:
    with pytest.raises(ImageError, match="convert it to BGR"):
        reader.read(image)
