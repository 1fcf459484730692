"""What lies on a mat is found by what the mat is not, whatever its print."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from device.simulator.sprites import PlacedCard
from device.simulator.table import SimulatedTable
from engine import Card, deck
from vision.geometry import Box
from vision.mat.artwork import labels_mm
from vision.mat.foreground import is_bare_label, segment_foreground
from vision.mat.pose import MatLayout, MatPose, find_mat
from vision.mat.segmentation import find_on_mat, with_card_size
from vision.readings import Zone, ZoneKind

pytestmark = pytest.mark.slow


def laid(style: str, seats: int, cards: int, seed: int = 6) -> SimulatedTable:
    table = SimulatedTable(MatLayout(seats, "A1"), style=style, seed=seed, size=(1600, 1200))
    for number, card in enumerate(deck()[seed :: 52 // cards][:cards]):
        table.lay(number % seats, card, face_up=number % 3 != 2)
        while table.is_moving:
            table.frame()
    return table


def missed(table: SimulatedTable, image: np.ndarray, near: float = 9) -> tuple[int, int]:
    """How many cards have no outline within *near* pixels, and how many outlines have no card."""
    pose = find_mat(image)
    assert pose is not None
    found = find_on_mat(image, pose).cards
    # The stock's topmost card may slip by a millimetre: it is no card of `cards`.
    taken: set[int] = set()
    lost = 0
    for lying in table.cards:
        true = table.quad(lying)
        off = [min(np.abs(np.roll(q, r, 0) - true).max() for r in range(4)) for q in found]
        if off and min(off) < near:
            taken.add(int(np.argmin(off)))
        else:
            lost += 1
    return lost, len(found) - len(taken)


@pytest.mark.parametrize("style", ["modern", "four-colour", "old"])
def test_every_card_that_lies_alone_is_found(style) -> None:
    table = laid(style, seats=6, cards=6)
    lost, beyond = missed(table, table.frame())
    assert lost == 0
    assert beyond <= 1  # the stock


def test_cards_are_found_where_they_cover_more_than_half_of_the_mat() -> None:
    # All of one colour, they are most of what is seen: the mat is not to be taken for them, nor
    # the narrow gaps between them, where their edges are near, for cards.
    table = SimulatedTable(MatLayout(4, "A2"), style="modern", seed=14000, size=(2304, 1296))
    for number, card in enumerate(deck()[1::2][:24]):
        seat = next(seat for seat in range(4) if table.room((number + seat) % 4))
        table.lay((number + seat) % 4, card, face_up=number % 6 != 5)
    table.settle()
    lost, beyond = missed(table, table.frame(), near=15)
    assert lost <= 8  # some have a bridge to the next
    assert beyond <= 1  # the stock


def test_a_mat_under_yellowed_cards_is_told_from_them_by_its_paper() -> None:
    table = SimulatedTable(MatLayout(4, "A2"), style="old", seed=14000, size=(2304, 1296))
    for number, card in enumerate(deck()[1::2][:24]):
        seat = next(seat for seat in range(4) if table.room((number + seat) % 4))
        table.lay((number + seat) % 4, card, face_up=True)
    table.settle()
    image = table.frame()
    pose = find_mat(image)
    assert pose is not None
    wide, high = pose.layout.size_mm
    there = segment_foreground(image, pose, (0, 0, round(wide), round(high))) > 0
    lies = np.zeros(there.shape, np.uint8)
    for lying in table.cards:
        cv2.fillConvexPoly(lies, np.rint(pose.to_mm(table.quad(lying))).astype(np.int32), 1)
    bare = np.zeros(there.shape, np.uint8)
    dealer = pose.layout.zone_polygon(Zone(ZoneKind.DEALER))
    cv2.fillConvexPoly(bare, np.rint(dealer).astype(np.int32), 1)
    assert there[lies > 0].mean() > 0.9
    assert there[bare > 0].mean() < 0.05


def test_an_empty_mat_has_nothing_but_its_stock() -> None:
    table = SimulatedTable(MatLayout(4), style="modern", seed=8)
    image = table.frame()
    pose = find_mat(image)
    assert pose is not None
    found = find_on_mat(image, pose)
    assert len(found.cards) + len(found.unresolved) <= 1


def test_a_shadow_and_a_warm_lamp_are_no_cards() -> None:
    table = SimulatedTable(MatLayout(4), style="modern", seed=8)
    image = table.frame().astype(np.float32)
    x = np.arange(image.shape[1])[None, :, None]
    image *= 1.0 - 0.22 / (1 + np.exp((x - 900) / 40))  # the shadow of an arm, soft at its edge
    image *= np.array([0.82, 0.95, 1.05])
    dim = image.clip(0, 255).astype(np.uint8)
    pose = find_mat(dim)
    assert pose is not None
    assert len(find_on_mat(dim, pose).cards) <= 1


def test_a_hand_and_cards_that_overlap_are_left_to_the_finder() -> None:
    table = SimulatedTable(MatLayout(4), style="modern", seed=8)
    image = table.frame()
    pose = find_mat(image)
    assert pose is not None
    x, y = pose.to_px(np.array([[300.0, 500.0]]))[0].astype(int).tolist()
    cv2.ellipse(image, (x, y), (190, 80), 20, 0, 360, (95, 130, 200), -1)
    found = find_on_mat(image, pose)
    (box,) = (box for box in found.unresolved if box[0] < x < box[2] and box[1] < y < box[3])
    assert box[2] - box[0] > 300


def test_a_pile_that_lies_beyond_the_frame_of_the_discard_is_not_taken_for_the_frame() -> None:
    # Beyond the frame the paper is as white as the cards: only what lies within shows.
    table = SimulatedTable(MatLayout(7), style="modern", seed=8)
    image = table.frame()
    pose = find_mat(image)
    assert pose is not None
    frame = next(at for zone, at in pose.layout.zones if zone.kind is ZoneKind.DISCARD)
    turned = cv2.boxPoints((frame.mean(axis=0), (82.0, 108.0), 5.0))
    at = pose.to_px(turned)
    beside = (frame[:, 0].max() + 4.0, frame[:, 1].mean())
    paper = image[tuple(pose.to_px([beside])[0].astype(int)[::-1])]
    cv2.fillConvexPoly(image, np.rint(at).astype(np.int32), paper.tolist(), cv2.LINE_AA)
    found = find_on_mat(image, pose)
    zones = [pose.layout.zone_at(*pose.to_mm(quad).mean(axis=0)) for quad in found.cards]
    assert Zone(ZoneKind.DISCARD) not in zones
    low, high = at.min(axis=0), at.max(axis=0)
    assert any(
        left <= low[0] and top <= low[1] and right >= high[0] and bottom >= high[1]
        for left, top, right, bottom in found.unresolved
    )


@pytest.mark.parametrize(
    ("wide", "high", "becomes"),
    [
        pytest.param(57.0, 88.0, (57.0, 88.0), id="a bridge card stays"),
        pytest.param(85.0, 107.0, (60.0, 88.0), id="a card with the gap beside it"),
        pytest.param(30.0, 40.0, (30.0, 40.0), id="a bone is no card"),
        pytest.param(200.0, 300.0, (200.0, 300.0), id="nor is a book"),
    ],
)
def test_a_find_too_large_for_a_card_gets_the_size_of_one(wide, high, becomes) -> None:
    pose = find_mat(SimulatedTable(MatLayout(4), seed=3).frame())
    assert pose is not None
    turn = np.array([[np.cos(0.4), -np.sin(0.4)], [np.sin(0.4), np.cos(0.4)]])
    corners = np.array([[-wide, -high], [wide, -high], [wide, high], [-wide, high]]) / 2
    quad = np.asarray(pose.to_px(corners @ turn.T + [400.0, 300.0]), np.float32)
    at = pose.to_mm(with_card_size(pose, quad))
    assert at.mean(axis=0) == pytest.approx([400, 300], abs=0.3)
    sides = np.linalg.norm(np.roll(at, -1, axis=0) - at, axis=1)
    assert sides[:2] == pytest.approx(becomes, abs=0.3)
    assert (at[1] - at[0]) @ (turn @ [1, 0]) == pytest.approx(becomes[0], abs=0.3)


def test_half_a_card_and_half_the_mat_is_told_from_a_card() -> None:
    table = SimulatedTable(MatLayout(4), seed=3)
    table.lay(0, Card.parse("7H"), face_up=True)
    table.settle()
    image = table.frame()
    pose = find_mat(image)
    assert pose is not None
    found = find_on_mat(image, pose)
    card = table.cards[0].corners_mm().astype(np.float32)
    assert found.share_taken(card) > 0.9
    assert found.share_taken(card + np.float32([30.0, 0.0])) < 0.8
    assert found.share_taken(card + np.float32([-900.0, 0.0])) == 1.0, (
        "beyond the mat nothing is known"
    )


@pytest.fixture(scope="module")
def six() -> tuple[SimulatedTable, np.ndarray, MatPose]:
    """A table of six cards far from each other, its picture, and where the mat lies in it."""
    table = laid("modern", seats=6, cards=6)
    image = table.frame()
    pose = find_mat(image)
    assert pose is not None
    return table, image, pose


def box_of(pose: MatPose, quad: np.ndarray) -> Box:
    """A box on the mat in the middle of a card, smaller than it."""
    x, y = (round(value) for value in pose.to_mm(quad).mean(axis=0).tolist())
    return (x - 8, y - 8, x + 8, y + 8)


def test_in_a_part_of_the_mat_only_what_lies_there_is_found_and_as_well(six) -> None:
    table, image, pose = six
    everywhere = find_on_mat(image, pose).cards
    for lying in table.cards:
        true = table.quad(lying)
        (found,) = find_on_mat(image, pose, [box_of(pose, true)]).cards
        off = [np.abs(found - other).max() for other in everywhere]
        assert min(off) < 1.2 * pose.px_per_mm  # a pixel of the mat may fall otherwise
        assert np.abs(found.mean(axis=0) - true.mean(axis=0)).max() < 4


def test_two_parts_of_the_mat_give_each_thing_once(six) -> None:
    table, image, pose = six
    one, other = (box_of(pose, table.quad(lying)) for lying in table.cards[:2])
    assert len(find_on_mat(image, pose, [one, other, one]).cards) == 2
    assert find_on_mat(image, pose, []).cards == ()
    assert find_on_mat(image, pose, [(-90, -90, -20, -20)]).cards == ()


def test_what_goes_on_beyond_a_part_is_seen_whole(six) -> None:
    _, image, pose = six
    image = image.copy()
    middle, end = (
        np.rint(pose.to_px([at])[0]).astype(int).tolist() for at in ((560, 185), (560, 12))
    )
    cv2.line(image, middle, end, (230, 40, 230), 60)  # a sleeve
    (box,) = find_on_mat(image, pose, [(555, 180, 565, 190)]).unresolved
    assert box[1] < end[1]
    assert box[3] > middle[1]
    (plain,) = (b for b in find_on_mat(image, pose).unresolved if b[0] < middle[0] < b[2])
    assert np.abs(np.array(box) - plain).max() <= 2


def test_the_whole_mat_is_looked_at_where_most_of_it_changed(six) -> None:
    _, image, pose = six
    wide, high = (round(side) for side in pose.layout.size_mm)
    everywhere = find_on_mat(image, pose)
    again = find_on_mat(image, pose, [(0, 0, wide, high)])
    assert len(again.cards) == len(everywhere.cards) >= 6


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_backs_of_one_grey_in_a_corner_are_not_taken_for_its_light(seed):
    """Three hands of backs and six in a corner, of a deck that is as dark all over."""
    table = SimulatedTable(MatLayout(7, "A1"), style="old", seed=seed, size=(1280, 960))
    pack = iter(deck())
    for seat, cards in enumerate((3, 3, 6, 3, 3, 3)):
        for _ in range(cards):
            table.lay(seat, next(pack), face_up=False)
    table.settle()
    image = table.frame()
    pose = find_mat(image)
    assert pose is not None
    seen = segment_foreground(image, pose, (0, 0, 841, 594))
    # Where nobody's cards lie the mat is bare: seat 7's place, and the paper beside it.
    assert seen[400:590, 310:540].mean() == 0
    right = seen[20:580, 800:835]
    assert right[:200].mean() < 0.02, "the bare rim is no card"
    assert right[400:].mean() < 0.02


@pytest.mark.parametrize(
    ("count", "turned", "middle"),
    [(2, 0, (110, 210)), (2, 30, (110, 210)), (3, 90, (110, 210)), (4, 0, (297, 366))],
)
def test_cards_that_touch_are_a_row_of_so_many(count, turned, middle) -> None:
    """Where nothing lies between them, as between backs without a border."""
    table = SimulatedTable(MatLayout(4, "A2"), seed=3, size=(1600, 1200))
    image, pose = table.frame(), find_mat(table.frame())
    assert pose is not None
    across = np.array([np.cos(np.radians(turned)), np.sin(np.radians(turned))])
    down = np.array([-across[1], across[0]])
    half = 30 * count
    corners = np.array([[-half, -44], [half, -44], [half, 44], [-half, 44]])
    at = pose.to_px(np.array(middle) + corners @ np.array([across, down]))
    cv2.fillConvexPoly(image, np.rint(at).astype(np.int32), (140, 40, 30))
    (row,) = find_on_mat(image, pose).rows
    middles = sorted(float((pose.to_mm(q).mean(axis=0) - middle) @ across) for q in row)
    assert middles == pytest.approx([60 * n - 30 * (count - 1) for n in range(count)], abs=3)
    for quad in row:
        sides = np.linalg.norm(np.roll(pose.to_mm(quad), -1, axis=0) - pose.to_mm(quad), axis=1)
        assert sides == pytest.approx([60, 88, 60, 88], abs=6), "upright"


@pytest.mark.parametrize("wide", [80, 150])
def test_what_is_as_wide_as_no_number_of_cards_is_no_row(wide) -> None:
    table = SimulatedTable(MatLayout(4, "A2"), seed=3, size=(1600, 1200))
    image = table.frame()
    pose = find_mat(image)
    assert pose is not None
    corners = np.array([[20, 160], [20 + wide, 160], [20 + wide, 248], [20, 248]])
    cv2.fillConvexPoly(image, np.rint(pose.to_px(corners)).astype(np.int32), (140, 40, 30))
    assert not find_on_mat(image, pose).rows


def test_a_bare_word_of_the_print_is_no_index_and_a_card_over_it_may_have_one():
    layout = MatLayout(4)
    table = SimulatedTable(layout, style="modern", seed=12)
    label = labels_mm(layout)[0].astype(np.float32)
    card = PlacedCard(Card.parse("7H"), 0, 0, label[0] + 20, label[1] - 38, 0.0, face_up=True)
    for lying, is_bare in (((), True), ((card,), False)):
        table._cards.things = lying
        frame = table.frame()
        pose = find_mat(frame)
        assert is_bare_label(frame, pose, label) is is_bare
        assert not is_bare_label(frame, pose, np.array([200, 200], np.float32))
