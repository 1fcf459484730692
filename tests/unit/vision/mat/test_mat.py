import itertools
import math

import cv2
import numpy as np
import pytest

from vision.mat.layout import ENOUGH, layout_of_marker
from vision.mat.pose import PAPERS, MatError, MatLayout, MatPose, draw_mat, find_mat
from vision.readings import Zone, ZoneKind

LAYOUTS = [
    pytest.param(MatLayout(seats, paper), id=f"{paper}-{seats}")
    for paper, seats in itertools.product(PAPERS, range(2, 9))
]
TABLE = (96, 110, 140)


def seats(layout: MatLayout) -> list[Zone]:
    return [zone for zone, _ in layout.zones if zone.kind is ZoneKind.SEAT]


def card(slot: tuple[float, float, float], size: tuple[float, float] = (63, 88)) -> np.ndarray:
    """Corners of a card lying in a slot, from its own top left clockwise."""
    x, y, degrees = slot
    turn = math.radians(degrees)
    matrix = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(size) / 2
    return half @ matrix.T + (x, y)


def view(
    layout: MatLayout,
    tilt: float = 0.0,
    about: float = 0.0,
    size: tuple[int, int] = (1600, 1200),
    fill: float = 0.8,
) -> tuple[np.ndarray, np.ndarray]:
    """Photograph the mat from a camera *tilt* degrees off vertical, standing *about* it.

    Returns:
        The picture, and the true homography from millimetres to pixels.
    """
    width, height = layout.size_mm
    focal = 1.1 * size[0]
    away = focal * max(width / size[0], height / size[1]) / fill
    tip, spin = math.radians(tilt), math.radians(about)
    turned = np.array(
        [[math.cos(spin), -math.sin(spin), 0], [math.sin(spin), math.cos(spin), 0], [0, 0, 1]]
    )
    tipped = np.array(
        [[1, 0, 0], [0, math.cos(tip), -math.sin(tip)], [0, math.sin(tip), math.cos(tip)]]
    )
    pose = (tipped @ turned)[:, :2]
    middle = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1.0]])
    lens = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1.0]])
    true = lens @ np.column_stack([pose, [0, 0, away]]) @ middle
    scale = 2.0
    paint = draw_mat(layout, scale)
    from_paint = true @ np.array(
        [[1 / scale, 0, 0.5 / scale], [0, 1 / scale, 0.5 / scale], [0, 0, 1]]
    )
    picture = cv2.warpPerspective(paint, from_paint, size, flags=cv2.INTER_AREA, borderValue=TABLE)
    return picture, true


def photograph(picture: np.ndarray, blur: float = 0.8, noise: float = 4.0) -> np.ndarray:
    soft = cv2.GaussianBlur(picture, (0, 0), blur).astype(np.float64)
    grain = np.random.default_rng(7).normal(0, noise, soft.shape)
    return np.clip(soft * 0.85 + grain, 0, 255).astype(np.uint8)


def worst_mm(pose: MatPose, true: np.ndarray) -> float:
    """How far the pose is from the truth anywhere in the zones."""
    points = np.concatenate([polygon for _, polygon in pose.layout.zones])
    in_picture = cv2.perspectiveTransform(points[None], true)[0]
    return float(np.linalg.norm(pose.to_mm(in_picture) - points, axis=1).max())


# The layout


@pytest.mark.parametrize("layout", LAYOUTS)
def test_zones_lie_on_the_paper_and_apart_from_each_other_and_the_markers(layout):
    areas = [polygon for _, polygon in layout.zones]
    quiet = layout.marker_mm / 6
    for corners in layout.markers.values():
        low, high = corners.min(axis=0) - quiet, corners.max(axis=0) + quiet
        areas.append(np.array([low, (high[0], low[1]), high, (low[0], high[1])]))
    for one, other in itertools.combinations(areas, 2):
        apart = np.maximum(other.min(axis=0) - one.max(axis=0), one.min(axis=0) - other.max(axis=0))
        assert apart.max() >= -1e-9
    for _, polygon in layout.zones:
        assert polygon.min() >= 5
        assert (polygon.max(axis=0) <= np.array(layout.size_mm) - 5).all()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_zones_are_the_seats_in_order_then_dealer_stock_discard(layout):
    assert [zone for zone, _ in layout.zones] == [
        *(Zone(ZoneKind.SEAT, number) for number in range(layout.seats)),
        Zone(ZoneKind.DEALER),
        Zone(ZoneKind.STOCK),
        Zone(ZoneKind.DISCARD),
    ]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_seats_run_clockwise_from_the_bottom_left(layout):
    """G-1, as seen from above with y down."""
    middle = np.array(layout.size_mm) / 2
    outward = []
    for zone in seats(layout):
        centre = layout.zone_polygon(zone).mean(axis=0)
        # Where the player sits: outside the paper, in front of the middle of the zone.
        turn = math.radians(layout.degrees(zone))
        player = centre + 400 * np.array([-math.sin(turn), math.cos(turn)])
        outward.append(math.atan2(*(player - middle)[::-1]))
    assert layout.degrees(seats(layout)[0]) == 0
    steps = np.diff([*outward, outward[0]]) % (2 * math.pi)
    assert (steps > 0).all()
    assert steps.sum() == pytest.approx(2 * math.pi)
    low = [zone for zone in seats(layout) if layout.degrees(zone) == 0]
    assert min(low, key=lambda zone: layout.zone_polygon(zone)[0, 0]) == Zone(ZoneKind.SEAT, 0)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_slots_hold_whole_cards_apart_in_their_own_zone(layout):
    quads = []
    for zone, polygon in layout.zones:
        for slot in layout.slots(zone):
            quad = card(slot)
            assert (quad.min(axis=0) >= polygon.min(axis=0)).all()
            assert (quad.max(axis=0) <= polygon.max(axis=0)).all()
            assert layout.zone_at(slot[0], slot[1]) == zone
            quads.append(quad)
    low = np.array([quad.min(axis=0) for quad in quads])
    high = np.array([quad.max(axis=0) for quad in quads])
    gap = np.maximum(low[:, None] - high[None], low[None] - high[:, None]).max(axis=2)
    np.fill_diagonal(gap, np.inf)
    assert gap.min() >= 5 - 1e-3


@pytest.mark.parametrize("layout", LAYOUTS)
def test_slots_come_in_reading_order_for_the_player(layout):
    for zone in seats(layout):
        places = layout.slots(zone)
        assert places
        turn = math.radians(layout.degrees(zone))
        right, near = (math.cos(turn), math.sin(turn)), (-math.sin(turn), math.cos(turn))
        seen = [(np.dot(near, p[:2]).round(1), np.dot(right, p[:2]).round(1)) for p in places]
        assert seen == sorted(seen)
        (lies,) = {(place[2] - layout.degrees(zone)) % 360 for place in places}
        assert lies in (0, 90), "straight before him, or all sideways"


@pytest.mark.parametrize(("seats_", "least"), [(4, 8), (5, 5), (6, 5), (8, 5)])
def test_an_a1_mat_has_room(seats_, least):
    assert MatLayout(seats_, "A1").fits() >= least


@pytest.mark.parametrize("seats_", [5, 6])
def test_an_a2_mat_saves_room_with_cards_sideways(seats_):
    layout = MatLayout(seats_, "A2")
    assert layout.fits() == 4
    turned = {
        zone.seat: {place[2] for place in layout.slots(zone)}
        for zone in seats(layout)
        if layout.degrees(zone) in (0, 180)
    }
    assert turned[0] == {90}
    assert set.union(*turned.values()) == {90, 270}
    for zone in seats(layout):
        if layout.degrees(zone) in (90, 270):
            assert {place[2] for place in layout.slots(zone)} == {layout.degrees(zone)}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_cards_lie_straight_where_that_leaves_room_enough(layout):
    straight = all(
        place[2] == layout.degrees(zone) for zone in seats(layout) for place in layout.slots(zone)
    )
    assert straight or layout.fits() < ENOUGH


def test_stock_and_discard_take_one_card():
    for parameter in LAYOUTS:
        layout = parameter.values[0]
        assert len(layout.slots(Zone(ZoneKind.STOCK))) == 1
        assert len(layout.slots(Zone(ZoneKind.DISCARD))) == 1


def test_top_seat_reads_upside_down():
    layout = MatLayout(2, "A1")
    places = layout.slots(Zone(ZoneKind.SEAT, 1))
    assert places[0][2] == 180
    assert places[0][0] > places[1][0], "his left is the right of the mat's view"


@pytest.mark.parametrize(
    ("x", "y", "turn_deg", "zone"),
    [
        (300, 534, 0, Zone(ZoneKind.SEAT, 0)),
        (400, 456, 5, Zone(ZoneKind.SEAT, 0)),  # its foot is over the line
        (400, 440, 0, None),
        (300, 456, 0, Zone(ZoneKind.SEAT, 0)),  # its middle at seat 1, for whom it is on its side
        (300, 456, 90, Zone(ZoneKind.SEAT, 1)),
        (300, 456, 45, Zone(ZoneKind.SEAT, 1)),  # upright before nobody
        (400, 600, 0, Zone(ZoneKind.SEAT, 0)),  # over the edge of the mat
        (360, 350, 90, Zone(ZoneKind.DEALER)),  # more of it lies there
        (440, 280, 90, Zone(ZoneKind.DISCARD)),
    ],
)
def test_a_card_over_a_line_is_of_whom_it_lies_upright_before(x, y, turn_deg, zone):
    corners = cv2.boxPoints(((x, y), (63, 88), turn_deg))
    assert MatLayout(4, "A1").zone_of_card(corners, turn_deg) == zone


def test_point_between_zones_is_in_none():
    layout = MatLayout(4, "A1")
    assert layout.zone_at(2, 2) is None
    assert layout.zone_at(-50, 300) is None


@pytest.mark.parametrize(
    ("seats_", "paper", "what"),
    [
        (4, "A5", "unknown paper 'A5'; choose one of A3, A2"),
        (1, "A1", "2 to 8 seats, not 1; try"),
        (9, "A1", "2 to 8 seats, not 9; try"),
    ],
)
def test_impossible_mats_say_what_is_possible(seats_, paper, what):
    with pytest.raises(MatError, match=what):
        MatLayout(seats_, paper)


def test_unknown_zone_is_refused():
    with pytest.raises(MatError, match="4 seats has no"):
        MatLayout(4).zone_polygon(Zone(ZoneKind.SEAT, 4))


# The markers


def test_every_mat_is_known_by_each_of_its_markers():
    seen = {}
    for parameter in LAYOUTS:
        layout = parameter.values[0]
        assert len(layout.markers) == 4
        for number in layout.markers:
            assert layout_of_marker(number) == layout
            assert number not in seen
            assert 0 <= number < 250
            seen[number] = layout
    assert layout_of_marker(249) is None


def test_printed_numbers_never_change():
    """Mats on people's tables carry these."""
    assert list(MatLayout(2, "A3").markers) == [0, 1, 2, 3]
    assert list(MatLayout(4, "A1").markers) == [64, 65, 66, 67]
    assert list(MatLayout(8, "ANSI-E").markers) == [192, 193, 194, 195]


# Finding it


@pytest.mark.parametrize("layout", LAYOUTS)
def test_each_drawn_mat_is_found_where_it_is(layout):
    pose = find_mat(draw_mat(layout, 1.5))
    assert pose is not None
    assert pose.layout == layout
    assert pose.px_per_mm == pytest.approx(1.5, rel=0.002)
    corners = pose.to_px([[0, 0], layout.size_mm])
    # Pixel centres are whole numbers, so the paper's edge lies at -0.5.
    assert corners == pytest.approx(np.array([[0, 0], layout.size_mm]) * 1.5 - 0.5, abs=0.15)


@pytest.mark.parametrize("tilt", [0, 12, 25, 35])
@pytest.mark.parametrize("about", [0, 17, 90, 200])
def test_found_from_any_side_at_a_slant(tilt, about):
    layout = MatLayout(6, "A1")
    picture, true = view(layout, tilt, about, fill=0.6)
    pose = find_mat(photograph(picture))
    assert pose is not None
    assert pose.layout == layout
    assert worst_mm(pose, true) < 1.0


@pytest.mark.slow
@pytest.mark.parametrize("size", [(960, 720), (1280, 720), (4000, 3000)])
def test_found_in_small_and_large_pictures(size):
    picture, true = view(MatLayout(4, "A1"), 12, 3, size, fill=0.75)
    pose = find_mat(photograph(picture))
    assert pose is not None
    assert worst_mm(pose, true) < 1.5


def cover(picture: np.ndarray, true: np.ndarray, corners: np.ndarray) -> None:
    hidden = cv2.perspectiveTransform(corners[None].astype(np.float64), true)[0]
    centre = hidden.mean(axis=0)
    cv2.circle(picture, np.round(centre).astype(int).tolist(), 45, (140, 170, 220), -1)


@pytest.mark.parametrize("hidden", range(4))
def test_three_markers_are_enough(hidden):
    layout = MatLayout(4, "A1")
    picture, true = view(layout, 15, 5)
    cover(picture, true, list(layout.markers.values())[hidden])
    pose = find_mat(photograph(picture))
    assert pose is not None
    assert worst_mm(pose, true) < 2.0


@pytest.mark.slow
def test_two_markers_give_a_good_pose_or_none():
    layout = MatLayout(4, "A1")
    given = 0
    for pair in itertools.combinations(range(4), 2):
        picture, true = view(layout, 10, 5)
        for number in pair:
            cover(picture, true, list(layout.markers.values())[number])
        pose = find_mat(photograph(picture, noise=2))
        if pose is not None:
            given += 1
            assert worst_mm(pose, true) < 15.0
    assert given


@pytest.mark.parametrize("shown", range(4))
def test_one_marker_is_not_a_mat(shown):
    layout = MatLayout(4, "A1")
    picture, true = view(layout)
    for number in set(range(4)) - {shown}:
        cover(picture, true, list(layout.markers.values())[number])
    assert find_mat(picture) is None


def test_no_mat_in_noise_nor_on_an_empty_table():
    noise = np.random.default_rng(3).integers(0, 255, (720, 1280, 3), dtype=np.uint8)
    assert find_mat(noise) is None
    assert find_mat(np.full((720, 1280, 3), 120, np.uint8)) is None


def test_mat_seen_in_a_mirror_is_no_mat():
    picture, _ = view(MatLayout(4, "A1"))
    assert find_mat(np.ascontiguousarray(picture[:, ::-1])) is None


def test_one_marker_put_elsewhere_is_left_out():
    layout = MatLayout(4, "A1")
    picture, true = view(layout)
    corners = layout.markers[64]
    x, y = np.round(cv2.perspectiveTransform(corners[None], true)[0].mean(axis=0)).astype(int)
    patch = picture[y - 36 : y + 36, x - 36 : x + 36].copy()
    picture[y - 36 : y + 36, x - 36 : x + 36] = TABLE
    picture[y + 64 : y + 136, x - 6 : x + 66] = patch
    pose = find_mat(picture)
    assert pose is not None
    assert worst_mm(pose, true) < 2.0


def test_strange_markers_beside_the_mat_do_no_harm():
    layout = MatLayout(6, "A2")
    picture, true = view(layout, fill=0.6)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_250)
    for number, x in ((249, 20), (8, 120), (9, 220)):
        picture[20:90, x : x + 70] = 255
        picture[25:85, x + 5 : x + 65] = dictionary.generateImageMarker(number, 60)[..., None]
    pose = find_mat(picture)
    assert pose is not None
    assert pose.layout == layout
    assert worst_mm(pose, true) < 1.0


def test_pose_goes_both_ways_and_names_zones():
    layout = MatLayout(6, "A1")
    picture, _ = view(layout, 20, 30)
    pose = find_mat(picture)
    assert pose is not None
    points = np.array([[100.0, 100.0], [500.0, 300.0], [800.0, 560.0]])
    assert pose.to_mm(pose.to_px(points)) == pytest.approx(points, abs=0.01)
    for zone, polygon in layout.zones:
        x, y = pose.to_mm(pose.to_px(polygon.mean(axis=0)[None]))[0].tolist()
        assert pose.layout.zone_at(x, y) == zone
