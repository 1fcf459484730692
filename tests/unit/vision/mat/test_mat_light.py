"""Noise, lamps that flicker and glare hide neither the mat nor what lies on it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from device.simulator.table import SimulatedTable
from engine import Card
from tests.support import lights
from vision import TableReader
from vision.mat.foreground import are_shadows, is_unoccupied, segment_foreground, whole_mat
from vision.mat.lighting import ONE, STRIPS, fit_light, light_of_rows
from vision.mat.pose import MatLayout, MatPose, find_mat
from vision.mat.segmentation import find_on_mat
from vision.readings import Zone, ZoneKind

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def table() -> SimulatedTable:
    """A mat for four with two cards face up and one face down, far from each other."""
    table = SimulatedTable(MatLayout(4), style="modern", seed=8, size=(1600, 1200))
    for seat, code in enumerate(("7H", "KS", "2D")):
        table.lay(seat, Card.parse(code), face_up=seat < 2)
    table.settle()
    return table


def covered(image: np.ndarray) -> np.ndarray:
    pose = find_mat(image)
    assert pose is not None
    return segment_foreground(image, pose, whole_mat(pose.layout))


BAD = {
    "noise": [("noise", 1.0)],
    "dim": [("dim", 1.0)],
    "bands": [("rolling bands", 1.0)],
    "bands twice as dark as a lamp makes them": [("rolling bands", 2.0)],
    "dim, and bands": [("dim", 1.0), ("rolling bands", 1.0)],
}


@pytest.mark.parametrize("evils", BAD.values(), ids=BAD)
def test_what_lies_on_the_mat_is_told_from_it_as_in_good_light(table, evils) -> None:
    plain = table.frame()
    image, rng = plain, np.random.default_rng(3)
    for name, strength in evils:
        image = lights.EVILS[name](image, rng, strength)
    good, bad = covered(plain), covered(image)
    assert 0.03 < good.mean() < 0.2
    assert (good != bad).mean() < 0.02


@pytest.mark.parametrize("strength", [0.6, 1.0])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_rows_of_cards_are_told_from_the_bands_of_a_lamp(seed, strength) -> None:
    table = SimulatedTable(MatLayout(7), style="old", seed=seed, size=(1280, 960))
    for number, code in enumerate(f"{rank}{suit}" for suit in "SHC" for rank in "A23456"):
        table.lay(number // 3, Card.parse(code), face_up=False)
    table.settle()
    plain = table.frame()
    image = lights.EVILS["rolling bands"](plain, np.random.default_rng(seed), strength)
    assert (covered(plain) != covered(image)).mean() < 0.035


@pytest.mark.parametrize("style", ["modern", "four-colour"])
def test_a_full_mat_is_told_apart_without_the_networks(style) -> None:
    table = SimulatedTable(MatLayout(8), style=style, seed=1, size=(1280, 960))
    for number, code in enumerate(f"{rank}{suit}" for suit in "SHCD" for rank in "A23456789TJQ"):
        table.lay(number // 6, Card.parse(code), face_up=number % 3 > 0)
    table.settle()
    image = table.frame()
    pose = find_mat(image)
    assert pose is not None
    scene = find_on_mat(image, pose)
    assert len(scene.cards) == 48 + 1, "and the stock"
    assert not scene.unresolved


@pytest.mark.parametrize("evil", ["noise", "dim"])
def test_the_stock_between_its_printed_lines_keeps_the_size_of_a_card_in_noise(evil) -> None:
    table = SimulatedTable(MatLayout(6), style="four-colour", seed=41, size=(2304, 1296))
    image = lights.EVILS[evil](table.frame(), np.random.default_rng(1))
    pose = find_mat(image)
    assert pose is not None
    (stock,) = find_on_mat(image, pose).cards
    x, y = pose.to_mm(stock).mean(axis=0).tolist()
    assert pose.layout.zone_at(x, y) == Zone(ZoneKind.STOCK)


def test_good_light_is_told_without_bands() -> None:
    values, matrix, places = plain_cells()
    assert fit_light(values, matrix, lambda: places).bands is None


@pytest.mark.parametrize("hz", [100.0, 120.0], ids=["50 Hz mains", "60 Hz mains"])
def test_a_flickering_lamp_is_told_from_the_light_under_it(hz) -> None:
    values, matrix, places = plain_cells()
    wave = np.sin(2 * np.pi * hz * places / STRIPS * 0.028)
    values = values + 0.1 * ONE * wave[:, None]
    values[:60] += 0.25 * ONE  # cards, lighter than the mat
    light = fit_light(values, matrix, lambda: places)
    assert light.bands is not None
    rows = light_of_rows(light.bands, 1200)[(places / STRIPS * 1199).astype(int)]
    terms = [light.surface[0, j, i] for i in range(4) for j in range(4 - i)]
    left = values[60:, 0] - matrix[60:] @ [*terms, light.paper[0]] - rows[60:]
    assert np.median(np.abs(left)) < 0.01 * ONE


def plain_cells() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Six hundred cells of a mat in even light: how light, the terms of it, and their strips."""
    rng = np.random.default_rng(1)
    x, y = rng.uniform(-1, 1, (2, 600))
    paper = (rng.random(600) < 0.3).astype(float)
    matrix = np.column_stack([*(x**i * y**j for i in range(4) for j in range(4 - i)), paper])
    even = 100 + 40 * x - 25 * y * y + 60 * paper
    values = even[:, None] + rng.normal(0, 0.004 * ONE, (600, 3))
    return values, matrix, (y + 1) / 2 * STRIPS


@pytest.fixture(scope="module")
def seen(table) -> tuple[np.ndarray, MatPose]:
    image = table.frame()
    pose = find_mat(image)
    assert pose is not None
    return image, pose


def place(pose: MatPose, kind: ZoneKind) -> np.ndarray:
    return np.asarray(pose.layout.zone_polygon(Zone(kind)), np.float32)


def test_the_print_of_the_discard_is_bare_and_a_card_on_it_is_not(table, seen) -> None:
    image, pose = seen
    discard = place(pose, ZoneKind.DISCARD)
    assert is_unoccupied(image, pose, discard)
    assert not is_unoccupied(image, pose, place(pose, ZoneKind.STOCK))
    for lying in table.cards:
        quad = pose.to_mm(table.quad(lying))
        assert not is_unoccupied(image, pose, quad)
        assert not is_unoccupied(image, pose, quad + np.float32([25.0, 0.0])), (
            "an edge of it is seen"
        )


def test_a_marker_that_was_read_is_bare_and_one_that_was_not_may_be_covered(seen) -> None:
    image, pose = seen
    number = max(pose.bare)
    marker = np.asarray(pose.layout.markers[number], np.float32)
    assert is_unoccupied(image, pose, marker)
    assert not is_unoccupied(image, replace(pose, bare=pose.bare - {number}), marker)


def test_a_blank_card_is_told_by_its_edge(seen) -> None:
    image, pose = seen
    blank = image.copy()
    middle = pose.layout.zone_polygon(Zone(ZoneKind.SEAT, 3)).mean(axis=0)
    card = np.float32([[-30, -44], [30, -44], [30, 44], [-30, 44]]) + np.float32(middle)
    assert is_unoccupied(image, pose, card)
    cv2.fillConvexPoly(blank, np.rint(pose.to_px(card)).astype(np.int32), (238, 240, 240))
    assert not is_unoccupied(blank, pose, card)


def test_where_light_drowns_all_nothing_is_called_bare(seen) -> None:
    image, pose = seen
    discard = place(pose, ZoneKind.DISCARD)
    drowned = image.copy()
    cv2.fillConvexPoly(drowned, np.rint(pose.to_px(discard)).astype(np.int32), (255, 255, 255))
    assert not is_unoccupied(drowned, pose, discard)
    assert not is_unoccupied(image, pose, discard + np.float32([-2000.0, 0.0])), "off the mat"


def test_a_shadow_does_not_keep_the_mat_from_being_bare(seen) -> None:
    image, pose = seen
    discard = place(pose, ZoneKind.DISCARD)
    x = pose.to_px(discard)[:, 0].mean()
    columns = np.arange(image.shape[1])[None, :, None]
    shade = 1 - 0.5 / (1 + np.exp((columns - x) / 30))
    assert is_unoccupied((image * shade).astype(np.uint8), pose, discard)


def test_a_print_in_glare_is_not_asked_about() -> None:
    # The glare lies round the discard, whose frame is then all that looks like a card.
    table = SimulatedTable(MatLayout(8), style="old", seed=702, size=(2304, 1296))
    image = lights.glare(table.frame(), np.random.default_rng([4, 0, 2, 0]))
    pose = find_mat(image)
    assert pose is not None
    reading = TableReader().read(image)
    elsewhere = [u for u in reading.unsure if u.place.zone != Zone(ZoneKind.STOCK)]
    assert elsewhere == []
    assert [back.place.zone for back in reading.backs] == [Zone(ZoneKind.STOCK)]


@pytest.mark.parametrize("seed", [6, 8, 11])
def test_cards_beside_glare_are_found_that_join_with_it_to_one_thing(backs, seed) -> None:
    image = lights.glare(backs, np.random.default_rng(seed))
    assert len(TableReader().read(image).backs) == 13, "twelve, and the stock"


@pytest.fixture(scope="module")
def backs() -> np.ndarray:
    """Two cards face down before each of six players."""
    table = SimulatedTable(MatLayout(6), style="old", seed=5, size=(1280, 960))
    for seat in range(6):
        for code in ("7H", "9C"):
            table.lay(seat, Card.parse(code), face_up=False)
    table.settle()
    return table.frame()


@pytest.mark.parametrize(
    ("paint", "is_shade"),
    [
        pytest.param(lambda mat: mat * 0.55, True, id="a shadow"),
        pytest.param(lambda mat: mat * 0.2, False, id="a black bone"),
        pytest.param(lambda mat: mat * [0.25, 0.4, 0.55], False, id="a brown one"),
        pytest.param(lambda mat: mat * 0 + [190.0, 220.0, 232.0], False, id="an ivory one"),
        pytest.param(lambda mat: mat, True, id="the bare mat"),
    ],
)
@pytest.mark.parametrize("evil", ["warm lamp", "noise", "rolling bands"])
def test_shade_is_the_mat_darker_but_of_its_own_colour(seen, paint, is_shade, evil) -> None:
    image, pose = seen
    middle = pose.layout.zone_polygon(Zone(ZoneKind.SEAT, 3)).mean(axis=0)
    turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    outline = np.float32(middle + np.stack([16 * np.cos(turns), 10 * np.sin(turns)], axis=1))
    inside = np.zeros(image.shape[:2], np.uint8)
    cv2.fillPoly(inside, [np.rint(pose.to_px(outline)).astype(np.int32)], 1)
    there = np.where(inside[..., None] > 0, paint(image.astype(np.float64)), image)
    lit = lights.EVILS[evil](there.astype(np.uint8), np.random.default_rng(2))
    assert are_shadows(lit, pose, [outline]) == [is_shade]
    assert are_shadows(lit, pose, [outline - np.float32([900, 0])]) == [False], "off the mat"
