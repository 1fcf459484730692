"""On a mat only what changed is read, doubt is voted on, and a knock is noticed."""

from __future__ import annotations

import logging
from dataclasses import replace

import cv2
import numpy as np
import pytest

from device.simulator.sprites import PlacedCard
from device.simulator.table import SimulatedTable
from engine import Card
from vision import MotionGate, TableReader
from vision.cards.classifier import CARDS, CardPrediction
from vision.cards.pipeline import CardPipeline
from vision.mat.pose import MatLayout, find_mat
from vision.mat.segmentation import FrameAnalysis
from vision.readings import Zone, ZoneKind
from vision.tracking.change_tracker import MOST_VOTES, ChangeTracker, TrackedPrediction


class SpyPipeline(CardPipeline):
    """Notes how many outlines it is asked to look at; reads every one as the same doubtful card."""

    def __init__(self, sure: float = 0.7) -> None:
        self.asked: list[int] = []
        self.parts: list[float] = []
        self.sure = sure

    def detect_on_mat(self, frame, pose, wanted=None, boxes=None, backs=()):
        wide, high = pose.layout.size_mm
        areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in boxes or [(0, 0, wide, high)]]
        self.parts.append(sum(areas) / (wide * high))
        found = frame.scene(pose, boxes).cards
        quads = [q for q in found if wanted is None or wanted(q)]
        self.asked.append(len(quads))
        return [self._predict(quad) for quad in quads]

    def reclassify(self, image, predictions):
        self.asked.append(len(predictions))
        return [self._predict(each.quad, self.sure + 0.2) for each in predictions]

    def _predict(self, quad, sure: float | None = None) -> CardPrediction:
        cards = np.zeros(52)
        cards[CARDS.index(Card.parse("7H"))] = self.sure if sure is None else sure
        return CardPrediction(quad, 1.0, 0.0, cards)


def tracker_of(pipeline: CardPipeline) -> ChangeTracker:
    return ChangeTracker(pipeline)


@pytest.fixture(scope="module")
def frames() -> list[np.ndarray]:
    """A mat for four, then with one, two and three cards on it."""
    table = SimulatedTable(MatLayout(4), style="modern", seed=12)
    out = [table.frame()]
    for seat, code in enumerate(("7H", "KS", "2D")):
        table.lay(seat, Card.parse(code), face_up=True)
        while table.is_moving:
            table.frame()
        out.append(table.frame())
    return out


class HalvesPipeline(SpyPipeline):
    """Takes all for backs, and where a part of the mat is read also halves of two known ones."""

    halves = None

    def detect_on_mat(self, frame, pose, wanted=None, boxes=None, backs=()):
        found = super().detect_on_mat(frame, pose, wanted, boxes)
        return found if boxes is None else [*found, self._predict(self.halves)]

    def _predict(self, quad, sure=None):
        return replace(super()._predict(quad, sure), face_up=0.0, face_down=1.0)


@pytest.mark.parametrize("between", [0.5, 0.3, -0.5])
def test_parts_of_backs_that_are_known_are_no_back(between: float) -> None:
    """They lie over two of them, or over one and the bare mat beside it."""
    table = SimulatedTable(MatLayout(4), style="modern", seed=12)
    pipeline = HalvesPipeline()
    tracker = tracker_of(pipeline)
    for seat, code in ((0, "7H"), (0, "KS"), (1, "2D")):
        table.lay(seat, Card.parse(code), face_up=False)
        while table.is_moving:
            table.frame()
    known = tracker.update(FrameAnalysis(table.frame())) or []
    one, other = (table.quad(card) for card in table.at(0))
    pipeline.halves = (one + between * (other - one)).astype(np.float32)
    table.turn_up(1)
    while table.is_moving:
        table.frame()
    assert len(tracker.update(FrameAnalysis(table.frame())) or []) == len(known)


def two_backs(frames):
    """Return a pipeline, its tracker, two backs side by side, and one made of half of each."""
    pipeline = HalvesPipeline()
    tracker = tracker_of(pipeline)
    tracker.update(FrameAnalysis(frames[1]))
    one = tracker.predictions()[0]
    aside = one.quad[1] - one.quad[0]
    backs = [one, pipeline._predict(one.quad + aside)]
    made = pipeline._predict(one.quad + np.float32(0.5) * aside)
    return pipeline, tracker, backs, made


def test_a_back_made_of_parts_of_two_is_gone_once_both_are_read(frames) -> None:
    """A hand had hidden the rest of them."""
    pipeline, tracker, backs, made = two_backs(frames)
    tracker._tracked = [TrackedPrediction(made, taken=0.0)]
    pipeline.detect_on_mat = lambda *where: backs
    x, y = np.rint(made.quad[0]).astype(int)
    changed = frames[1].copy()
    changed[y - 8 : y + 8, x - 8 : x + 8] = (60, 90, 200)
    tracker.update(FrameAnalysis(changed))
    assert tracker.predictions() == backs


def test_parts_of_backs_that_an_arm_hides_are_none_and_what_it_hid_is_read_again(frames) -> None:
    pipeline = HalvesPipeline()
    tracker = tracker_of(pipeline)
    tracker.update(FrameAnalysis(frames[1]))
    one, *others = tracker.predictions()
    middle = one.quad.mean(axis=0)
    across = np.float32([[0, -1], [1, 0]])
    made = pipeline._predict(((one.quad - middle) @ across + middle).astype(np.float32))
    beside = pipeline._predict(one.quad + np.float32(1.1) * (one.quad[1] - one.quad[0]))
    arm = frames[1].copy()
    x, y = np.rint(middle).astype(int)
    arm[y:, x - 60 : x + 60] = (90, 140, 190)
    pipeline.detect_on_mat = lambda *where: [made, beside]
    tracker.update(FrameAnalysis(arm))
    assert tracker.predictions() == [*others, beside]
    pipeline.detect_on_mat = lambda *where: [one]
    tracker.update(FrameAnalysis(frames[1]))
    assert tracker.predictions() == [*others, one]


def test_parts_of_two_backs_that_are_found_again_by_an_arm_are_no_back(frames) -> None:
    """Its shadow lay on two that touch, and a third one was seen between them."""
    pipeline, tracker, backs, made = two_backs(frames)
    tracker._tracked = [TrackedPrediction(each, by_arm=True) for each in backs]
    pipeline.detect_on_mat = lambda *where: [*backs, made]
    x, y = np.rint(backs[0].quad[0]).astype(int)
    changed = frames[1].copy()
    changed[y - 8 : y + 8, x - 8 : x + 8] = (60, 90, 200)
    tracker.update(FrameAnalysis(changed))
    assert tracker.predictions() == backs


def test_only_the_card_that_came_is_looked_at(frames) -> None:
    pipeline = SpyPipeline()
    tracker = tracker_of(pipeline)
    known = [len(tracker.update(FrameAnalysis(frame)) or []) for frame in frames]
    assert known == [known[0], known[0] + 1, known[0] + 2, known[0] + 3]
    assert pipeline.asked[1:] == [1, 1, 1]
    # The mat is looked at whole once, and then only where the card came.
    assert pipeline.parts[0] == pytest.approx(1.0)
    assert all(0.01 < part < 0.2 for part in pipeline.parts[1:])


@pytest.mark.parametrize(("sure", "aside"), [(0.7, 0.1), (1.0, -0.75)])
def test_an_index_of_a_known_card_is_no_second_card(sure, aside, frames) -> None:
    """Beside a new card the corner of the one before shows, and is read as a card of its own.

    It may be laid to the other side of that index, and be read for sure.
    """

    class Repeating(SpyPipeline):
        def detect_on_mat(self, frame, pose, wanted=None, boxes=None, backs=()):
            read = super().detect_on_mat(frame, pose, wanted, boxes)
            seen = tracker.predictions()
            quads = (each.quad + aside * (each.quad[1] - each.quad[0]) for each in seen)
            return [*read, *map(self._predict, quads)]

    tracker = tracker_of(Repeating(sure))
    known = [len(tracker.update(FrameAnalysis(frame)) or []) for frame in frames]
    assert known == [known[0], known[0] + 1, known[0] + 2, known[0] + 3]


def test_an_unchanged_frame_is_not_looked_at(frames) -> None:
    pipeline = SpyPipeline()
    tracker = tracker_of(pipeline)
    tracker.update(FrameAnalysis(frames[2]))
    noise = np.random.default_rng(0).normal(0, 3, frames[2].shape)
    same = (frames[2] + noise + 6).clip(0, 255).astype(np.uint8)
    assert tracker.update(FrameAnalysis(same)) == tracker.predictions()
    assert len(pipeline.asked) == 1


def test_a_card_taken_away_is_gone(frames) -> None:
    tracker = tracker_of(SpyPipeline())
    before = tracker.update(FrameAnalysis(frames[3]))
    after = tracker.update(FrameAnalysis(frames[2]))
    assert before is not None
    assert after is not None
    assert len(after) == len(before) - 1


def test_doubt_is_voted_on_and_no_longer_than_need_be(frames) -> None:
    pipeline = SpyPipeline(sure=0.7)
    tracker = tracker_of(pipeline)
    tracker.update(FrameAnalysis(frames[1]))
    votes = 0
    while tracker.in_doubt:
        tracker.vote(FrameAnalysis(frames[1]))
        votes += 1
    assert votes == MOST_VOTES - 1
    # The mean of 0.7 and twice 0.9.
    assert tracker.predictions()[0].cards.max() == pytest.approx((0.7 + 0.9 + 0.9) / 3)
    sure = tracker_of(SpyPipeline(sure=0.99))
    sure.update(FrameAnalysis(frames[1]))
    assert not sure.in_doubt


@pytest.mark.parametrize(("later", "told"), [(0.99, 0.99), (0.1, (0.6 + 0.8 + 0.8) / 3)])
def test_what_no_vote_settles_is_found_anew_and_the_surer_counts(frames, later, told) -> None:
    pipeline = SpyPipeline(sure=0.6)
    tracker = tracker_of(pipeline)
    tracker.update(FrameAnalysis(frames[1]))
    tracker.vote(FrameAnalysis(frames[1]))
    reclassify = pipeline.reclassify

    def last(image, predictions):
        read = reclassify(image, predictions)
        pipeline.sure = later  # what is found from now on
        return read

    pipeline.reclassify = last
    tracker.vote(FrameAnalysis(frames[1]))
    assert not tracker.in_doubt
    assert tracker.predictions()[0].cards.max() == pytest.approx(told)


def test_what_is_found_anew_as_a_card_that_is_known_there_is_no_other_one(frames) -> None:
    pipeline = SpyPipeline(sure=0.6)
    tracker = tracker_of(pipeline)
    tracker.update(FrameAnalysis(frames[1]))
    shadow, *_ = tracker._tracked
    shadow.prediction = pipeline._predict(shadow.prediction.quad, 0.2)
    sure = pipeline._predict(shadow.prediction.quad + 1, 0.99)
    tracker._tracked = [TrackedPrediction(sure), shadow]
    pipeline.sure = 0.99  # what is found from now on
    pipeline.reclassify = lambda image, predictions: predictions
    while tracker.in_doubt:
        tracker.vote(FrameAnalysis(frames[1]))
    assert tracker.predictions() == [sure]


def test_halves_of_two_that_are_found_anew_without_them_are_gone(frames) -> None:
    pipeline = SpyPipeline(sure=0.99)
    tracker = tracker_of(pipeline)
    tracker.update(FrameAnalysis(frames[1]))
    one, *_ = tracker._tracked
    aside = one.prediction.quad + (one.prediction.quad[1] - one.prediction.quad[0])
    other = pipeline._predict(aside)
    between = pipeline._predict((one.prediction.quad + aside) / 2, 0.6)
    tracker._tracked = [one, TrackedPrediction(other), TrackedPrediction(between)]
    pipeline.reclassify = lambda image, predictions: predictions
    pipeline.detect_on_mat = lambda *where: [one.prediction, other]
    while tracker.in_doubt:
        tracker.vote(FrameAnalysis(frames[1]))
    assert tracker.predictions() == [one.prediction, other]


def test_what_was_hardly_a_card_and_is_mostly_others_is_gone_when_it_is_not_found_again(frames):
    pipeline = SpyPipeline(sure=0.99)
    tracker = tracker_of(pipeline)
    tracker.update(FrameAnalysis(frames[1]))
    one, *_ = tracker._tracked
    across = one.prediction.quad[1] - one.prediction.quad[0]
    faint = pipeline._predict(one.prediction.quad - np.float32(0.35) * across, 0.1)
    tracker._tracked = [one, TrackedPrediction(faint)]
    pipeline.reclassify = lambda image, predictions: predictions
    pipeline.detect_on_mat = lambda *where: [one.prediction]
    while tracker.in_doubt:
        tracker.vote(FrameAnalysis(frames[1]))
    assert tracker.predictions() == [one.prediction]


@pytest.mark.fault("mat moved")
def test_a_knocked_camera_is_noticed_and_the_mat_found_again(frames, caplog) -> None:
    pipeline = SpyPipeline()
    tracker = tracker_of(pipeline)
    before = tracker.update(FrameAnalysis(frames[3]))
    shift = np.array([[1, 0.02, 25], [-0.02, 1, -14]], np.float32)
    size = frames[3].shape[1::-1]
    knocked = cv2.warpAffine(frames[3], shift, size, borderMode=cv2.BORDER_REPLICATE)
    with caplog.at_level(logging.WARNING):
        after = tracker.update(FrameAnalysis(np.asarray(knocked)))
    assert tracker.moved
    assert "moved" in caplog.text
    assert before is not None
    assert after is not None
    assert len(after) == len(before)
    true = find_mat(np.asarray(knocked))
    assert true is not None
    assert tracker.pose is not None
    middle = np.array([[400.0, 300.0]])
    assert np.abs(tracker.pose.to_px(middle) - true.to_px(middle)).max() < 1


def test_what_lies_on_a_marker_is_noticed_and_the_mat_stays_where_it_is(frames) -> None:
    tracker = tracker_of(SpyPipeline())
    tracker.update(FrameAnalysis(frames[0]))
    before = tracker.pose
    assert before is not None
    number = min(before.bare)
    covered = frames[0].copy()
    at = np.rint(before.to_px(before.layout.markers[number])).astype(np.int32)
    cv2.fillConvexPoly(covered, at, (120, 160, 190))
    tracker.update(FrameAnalysis(covered))
    assert tracker.pose is not None
    assert tracker.pose.bare == before.bare - {number}
    assert not tracker.moved
    assert np.array_equal(tracker.pose.homography_px_to_mm, before.homography_px_to_mm)
    tracker.update(FrameAnalysis(frames[0]))
    assert tracker.pose.bare == before.bare


def test_without_a_mat_there_is_nothing_to_follow() -> None:
    assert (
        tracker_of(SpyPipeline()).update(FrameAnalysis(np.full((480, 640, 3), 90, np.uint8)))
        is None
    )


def test_following_reads_what_reading_reads(frames) -> None:
    reader = TableReader()
    for frame in frames:
        followed = reader.follow(FrameAnalysis(frame))
    plain = reader.read(frames[-1])
    assert {str(c.card) for c in followed.cards} == {str(c.card) for c in plain.cards}
    assert {str(c.card) for c in followed.cards} == {"7H", "KS", "2D"}
    assert len(followed.backs) == len(plain.backs)


def test_cards_alone_are_clear_and_an_arm_is_not() -> None:
    table = SimulatedTable(MatLayout(4), style="modern", seed=12)
    tracker = tracker_of(CardPipeline())
    assert not tracker.is_clear(FrameAnalysis(table.frame())), (
        "what nobody has looked at yet is not known"
    )
    tracker.update(FrameAnalysis(table.frame()))
    assert tracker.is_clear(FrameAnalysis(table.frame()))
    table.lay(0, Card.parse("7H"), face_up=True)
    arms = []
    while table.is_moving:
        arms.append(tracker.is_clear(FrameAnalysis(table.frame())))
    # On its way in, and over the card; the third picture is taken when it has left the mat.
    assert arms == [False, False, True]
    assert tracker.is_clear(FrameAnalysis(table.frame()))
    tracker.update(FrameAnalysis(table.frame()))
    table.take_up(by=1)
    table.settle()
    assert tracker.is_clear(FrameAnalysis(table.frame()))


def test_looking_for_hands_first_changes_nothing_of_what_is_read(frames) -> None:
    plain, asked = TableReader(), TableReader()
    for frame in frames:
        analysis = FrameAnalysis(frame)
        asked.is_clear(analysis)
        assert asked.follow(analysis) == plain.follow(FrameAnalysis(frame))


def test_nothing_is_read_while_an_arm_rests_over_the_card() -> None:
    table = SimulatedTable(MatLayout(4), style="modern", seed=12)
    film = [table.frame()] * 12
    table.lay(0, Card.parse("7H"), face_up=True)
    table.frame()
    laid = table.frame()
    table.settle()
    gone = table.frame()
    # The arm stops over the card for a tenth of a second before it goes.
    film += [laid] * 4 + [gone] * 10
    watch = MotionGate(TableReader())
    read = [n for n, frame in enumerate(film) if watch.see(frame, n / 30) is not None]
    # Two still frames after the first without the arm are enough: nobody is there any more.
    assert read[1:] == [12 + 4 + 2]


class Doubtful:
    """A reader that follows, and is sure only when three frames have voted."""

    def __init__(self) -> None:
        self.votes = 0

    def read(self, image, time_s=0.0):
        raise AssertionError("a reader that follows is not asked to read all again")

    def is_clear(self, frame):
        return False

    def follow(self, frame, time_s=0.0):
        self.votes = 1
        return ("followed", time_s)

    @property
    def in_doubt(self) -> bool:
        return self.votes < 3

    def vote(self, frame, time_s=0.0):
        self.votes += 1
        return ("voted", time_s)


def test_a_reading_is_given_when_the_votes_are_in() -> None:
    watch = MotionGate(Doubtful())
    frame = np.full((480, 640, 3), 90, np.uint8)
    given = [watch.see(frame, n * 0.1) for n in range(8)]
    readings = [reading for reading in given if reading is not None]
    assert [kind for kind, _ in readings] == ["voted"]
    first = given.index(readings[0])
    assert first >= 4  # two frames to come to rest, two more to vote


def test_a_table_that_moves_during_the_vote_is_read_again_at_rest() -> None:
    watch = MotionGate(Doubtful())
    frame = np.full((480, 640, 3), 90, np.uint8)
    hand = frame.copy()
    hand[100:300, 100:300] = 200
    film = [frame] * 4 + [hand] + [frame] * 6
    given = [watch.see(picture, n * 0.1) for n, picture in enumerate(film)]
    assert [reading for reading in given[:5] if reading] == []
    assert len([reading for reading in given if reading]) == 1


@pytest.mark.parametrize(("at", "asked"), [((0.5, 0.5), 1), ((0.95, 0.5), 0)])
def test_a_back_that_changes_in_its_middle_is_read_anew_and_at_its_edge_it_stays(frames, at, asked):
    pipeline = HalvesPipeline()
    tracker = tracker_of(pipeline)
    pipeline.halves = np.zeros((4, 2), np.float32)
    tracker.update(FrameAnalysis(frames[0]))
    card = next(c for c in tracker.update(FrameAnalysis(frames[1])) or [] if c.quad.any())
    first, across, _, down = card.quad
    spot = first + at[0] * (across - first) + at[1] * (down - first)
    changed = frames[1].copy()
    cv2.circle(changed, tuple(np.rint(spot).astype(int).tolist()), 9, (0, 0, 0), -1)
    tracker.update(FrameAnalysis(changed))
    assert pipeline.asked[-1] == asked


def test_backs_that_touch_are_told_one_after_the_other() -> None:
    """Side by side, askew, with a corner on the neighbour: as people lay them."""
    table = SimulatedTable(MatLayout(3), style="old", seed=12)
    place = Zone(ZoneKind.SEAT, 0)
    x, y, degrees = table.layout.slots(place)[0]
    reader = TableReader()
    reader.follow(FrameAnalysis(table.frame()))
    for number, turn in enumerate((3, -3, 6, -5)):
        spot = (x + number * 64, y + number % 2 * 6, degrees + turn)
        card = PlacedCard(CARDS[number], 0, number, *spot, face_up=False)
        table._cards.things = (*table.cards, card)
        found = reader.follow(FrameAnalysis(table.frame())).backs
        middles = sorted(each.place.centre_mm for each in found if each.place.zone == place)
        wanted = sorted((each.x_mm, each.y_mm) for each in table.cards)
        assert np.array(middles) == pytest.approx(np.array(wanted), abs=6)
