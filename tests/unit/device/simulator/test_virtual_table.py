"""The virtual table: geometry, movement, light and the camera over it."""

import itertools

import cv2
import numpy as np
import pytest

from device.ports import CameraError
from device.simulator.camera import SimulatedCamera
from device.simulator.scenery import apply_homography
from device.simulator.table import SimulatedTable, TableFullError
from engine import BoneAceError, Card, deck
from vision import MotionGate
from vision.mat.pose import MatLayout, find_mat
from vision.readings import Reading, Zone, ZoneKind

SMALL = (640, 480)


def a_table(seats=4, **more):
    return SimulatedTable(MatLayout(seats), **{"seed": 5, "size": SMALL, **more})


def settle(table):
    frames = []
    while table.is_moving:
        frames.append(table.frame())
    return frames


def calm(image):
    """The picture without its noise."""
    return cv2.GaussianBlur(image, (0, 0), 4).astype(np.int16)


def fill(table):
    cards = iter(deck())
    for seat in range(table.layout.seats):
        while table.room(seat) and (card := next(cards, None)):
            table.lay(seat, card, face_up=seat % 2 == 0)
    return table


def overlapping(table):
    quads = [each.corners_mm().astype(np.float32) for each in table.cards]
    return [
        (one, other)
        for one, other in itertools.combinations(range(len(quads)), 2)
        if cv2.intersectConvexConvex(quads[one], quads[other])[0] > 0
    ]


def test_frame_is_a_bgr_picture():
    frame = a_table().frame()
    assert frame.dtype == np.uint8
    assert frame.shape == (480, 640, 3)


def test_full_size_is_what_a_camera_gives():
    assert SimulatedTable(MatLayout(4)).frame().shape == (1200, 1600, 3)


def test_same_seed_same_frames_other_seed_other_frames():
    def film(seed):
        table = a_table(seed=seed)
        frames = [table.frame()]
        table.lay(1, Card.parse("7H"), face_up=False, by=0)
        frames += settle(table)
        table.turn_up(1)
        return [*frames, *settle(table), table.frame()]

    one, again, other = film(1), film(1), film(2)
    assert all(np.array_equal(a, b) for a, b in zip(one, again, strict=True))
    assert np.abs(calm(one[0]) - calm(other[0])).max() > 10


def test_still_frames_differ_by_noise_alone():
    table = a_table()
    table.lay(0, Card.parse("KS"), face_up=True)
    settle(table)
    one, other = table.frame(), table.frame()
    assert not np.array_equal(one, other)
    assert np.abs(calm(one) - calm(other)).max() <= 3


@pytest.mark.parametrize("tilt", [0.0, 12.0, 25.0])
@pytest.mark.parametrize("seats", [2, 5, 8])
def test_the_mat_is_found_where_it_was_drawn(seats, tilt):
    table = SimulatedTable(MatLayout(seats), seed=seats, tilt_deg=tilt)
    pose = find_mat(table.frame())
    assert pose is not None
    assert pose.layout == table.layout
    wide, high = table.layout.size_mm
    points = np.array([[x * wide, y * high] for x in (0, 0.5, 1) for y in (0, 0.5, 1)])
    found = pose.to_mm(apply_homography(table.matrix, points))
    assert np.linalg.norm(found - points, axis=1).max() < 2.0


@pytest.mark.parametrize("tilt", [0.0, 12.0, 30.0])
def test_the_whole_mat_is_in_view(tilt):
    table = a_table(tilt_deg=tilt)
    wide, high = table.layout.size_mm
    corners = apply_homography(table.matrix, np.array([[0, 0], [wide, 0], [wide, high], [0, high]]))
    assert (corners > 0.02 * np.array(SMALL)).all()
    assert (corners < 0.98 * np.array(SMALL)).all()


@pytest.mark.parametrize("seats", range(2, 9))
def test_cards_never_overlap_however_often_they_are_pushed(seats):
    table = fill(a_table(seats, seed=seats))
    assert len(table.cards) >= 5 * seats
    assert overlapping(table) == []
    for _ in range(3):
        for seat in range(seats):
            table.turn_up(seat)
            for index in range(len(table.at(seat))):
                table.touch(seat, index)
    assert overlapping(table) == []


@pytest.mark.parametrize("seats", range(2, 9))
def test_cards_lie_in_the_zone_of_their_seat(seats):
    table = fill(a_table(seats))
    for each in table.cards:
        assert table.layout.zone_at(each.x_mm, each.y_mm) == Zone(ZoneKind.SEAT, each.seat)


def test_a_full_place_says_so():
    table = a_table(8)
    cards = iter(deck())
    while table.room(3):
        table.lay(3, next(cards), face_up=False)
    with pytest.raises(TableFullError, match="seat 3; take a larger paper"):
        table.lay(3, next(cards), face_up=False)


def test_an_act_is_three_frames_with_an_arm():
    table = a_table()
    before = calm(table.frame())
    table.lay(2, Card.parse("9D"), face_up=False, by=0)
    frames = settle(table)
    after = calm(table.frame())
    assert len(frames) == 3
    # The card changes a hundredth of the picture, an arm from the other side much more.
    card = (np.abs(after - before).max(axis=2) > 20).mean()
    for frame in frames:
        arm = (np.abs(calm(frame) - after).max(axis=2) > 20).mean()
        assert arm > 2 * card > 0


def test_what_is_seen_does_not_depend_on_who_watched():
    watched, unwatched = a_table(), a_table()
    for table in (watched, unwatched):
        for number, card in enumerate(deck()[:9]):
            table.lay(number % 4, card, face_up=number % 2 == 0)
            if table is watched:
                settle(table)
        table.turn_up(1)
        table.take_up(2, by=2)
        settle(table)
    assert watched.cards == unwatched.cards
    assert np.abs(calm(watched.frame()) - calm(unwatched.frame())).max() <= 3


def test_face_up_and_face_down_look_different_where_the_card_lies():
    table = a_table()
    empty = calm(table.frame())
    table.lay(1, Card.parse("QH"), face_up=False)
    settle(table)
    down = calm(table.frame())
    table.turn_up(1)
    settle(table)
    up = calm(table.frame())
    x, y = table.quad(table.at(1)[0]).mean(axis=0).round().astype(int)
    there = slice(y - 6, y + 7), slice(x - 6, x + 7)
    for one, other in itertools.combinations((empty, down, up), 2):
        assert np.abs(one[there] - other[there]).mean() > 8


def test_truth_is_what_lies_there_after_the_movement():
    table = a_table()
    marks = {table.fingerprint()}
    king, nine = Card.parse("KC"), Card.parse("9H")
    table.lay(0, king, face_up=True)
    marks.add(table.fingerprint())
    table.lay(1, nine, face_up=False)
    marks.add(table.fingerprint())
    assert table.face_up() == {king}
    table.turn_up(1)
    marks.add(table.fingerprint())
    assert table.face_up() == {king, nine}
    table.take_up(by=0)
    marks.add(table.fingerprint())
    assert table.face_up() == set()
    assert table.cards == ()
    assert len(marks) == 5
    table.take_up(by=0)
    assert table.fingerprint() in marks


def test_a_card_laid_again_lies_elsewhere():
    table = a_table()
    table.lay(0, Card.parse("2S"), face_up=True)
    table.lay(0, Card.parse("3S"), face_up=True)
    old = table.at(0)[0]
    table.lay_elsewhere(0, 0)
    new = next(each for each in table.at(0) if each.card == old.card)
    assert len(table.at(0)) == 2
    assert np.hypot(new.x_mm - old.x_mm, new.y_mm - old.y_mm) > 40


def test_a_touched_card_is_seen_to_move():
    table = a_table()
    for number in range(20):
        table.lay(0, deck()[number], face_up=False)
        old = table.at(0)[-1]
        table.touch(0)
        new = table.at(0)[-1]
        assert np.hypot(new.x_mm - old.x_mm, new.y_mm - old.y_mm) > 3
        table.take_up(by=0)


@pytest.mark.slow
def test_the_watch_reads_once_after_each_act_and_never_an_arm():
    table = SimulatedTable(MatLayout(4), seed=3)
    moving = []

    class Reader:
        def read(self, image, time_s=0.0):
            moving.append(table.is_moving)
            return Reading(time_s)

    camera, watch = SimulatedCamera(table), MotionGate(Reader())

    def look(frames=9):
        for _ in range(frames):
            frame = camera.read()
            watch.see(frame.image, frame.time_s)
        return len(moving)

    assert look() == 1
    for act, (seat, code) in enumerate([(0, "AS"), (1, "TD"), (2, "5C"), (3, "JH")]):
        table.lay(seat, Card.parse(code), face_up=seat != 2, by=1)
        assert look() == 2 + act
    table.turn_up(2)
    assert look() == 6
    table.touch(3)
    assert look() == 7
    table.take_up(by=3)
    assert look() == 8
    assert look(30) == 8
    assert not any(moving)


def test_an_unknown_deck_is_refused():
    with pytest.raises(BoneAceError, match="modern"):
        a_table(style="tarot")


def test_camera_keeps_the_table_s_clock():
    with SimulatedCamera(a_table()) as camera:
        times = [camera.read().time_s for _ in range(4)]
        assert camera.read(timeout_s=0.0).image.shape == (480, 640, 3)
    assert np.allclose(np.diff(times), 0.1)
    camera.close()
    with pytest.raises(CameraError, match="closed; make another"):
        camera.read()
