"""Bones on the mat become throws: readings written by hand, no camera."""

from dataclasses import replace

import pytest

from device.croupier import questions as ask
from device.croupier.assumptions import Assumption, cost_of
from device.croupier.bones.moves import BoneMoves
from device.croupier.bones.words import BoneWords
from device.croupier.interpreter import Interpreter
from device.ports import Button
from engine import Player, new_table
from engine.core.bones import Face
from engine.core.events import CorrectBone
from engine.core.views import Phase
from engine.games.knucklebones.prompts import prompt
from tests.support.croupier_bench import CroupierBench
from vision.readings import BoneReading, Reading, Spot, UnsureBoneReading

NAMES = ("Ann", "Bess", "Cecil")
POINTS = {1: Face.FLAT, 3: Face.CONCAVE, 4: Face.CONVEX, 6: Face.TWISTED}
CENTRE = 400.0


class Mat:
    """Bones by place: ``throw`` lays them, ``lift`` takes them up."""

    def __init__(self):
        self.bones = {}
        self.time_s = 0.0
        self.seats = 4
        self.beside = set()
        self.hands = None
        self._next = 0

    def throw(self, *points):
        """Lay bones at new places; ``"?"`` unread, ``"46?"`` unread with candidates."""
        laid = []
        for each in points:
            self._next += 1
            self.bones[self._next] = [each, 60.0 * self._next, CENTRE]
            laid.append(self._next)
        return laid

    def lift(self, *numbers):
        for number in numbers or list(self.bones):
            del self.bones[number]

    def turn(self, number, points):
        self.bones[number][0] = points

    def push(self, number, by):
        self.bones[number][1] += by

    def drop(self, points):
        """Lay one bone beside the mat."""
        (number,) = self.throw(points)
        self.beside.add(number)
        return number

    def reading(self):
        self.time_s += 1.0
        bones, unsure = [], []
        for number, (points, x, y) in self.bones.items():
            rim = ((x, y), (x + 30, y), (x + 30, y + 20), (x, y + 20))
            spot = Spot(rim, (x + 15, y + 10), (x, y), off_mat=number in self.beside)
            if isinstance(points, str):
                faces = tuple(POINTS[int(each)] for each in points.rstrip("?"))
                unsure.append(UnsureBoneReading(faces, 0.4, spot))
            else:
                bones.append(BoneReading(POINTS[points], 0.99, spot))
        return Reading(
            self.time_s,
            seats=self.seats,
            bones=tuple(bones),
            unsure_bones=tuple(unsure),
            hands=self.hands,
        )


def croupier():
    return Interpreter(BoneMoves(), BoneWords())


class Bench(CroupierBench):
    def __init__(self, **options):
        players = [Player(seat, name) for seat, name in enumerate(NAMES)]
        stakes = {"stakes": {"0": 2, "1": 1}}
        state = new_table("knucklebones", players, dealer=2, options=options, start=stakes)
        super().__init__(state, croupier(), Mat())

    def choose(self, number):
        """Say a number: the knob goes up from 0 and HAVE confirms, STICK is none."""
        for _ in range(number):
            self.press(Button.RIGHT)
        return self.press(Button.HAVE if number else Button.STICK)

    def throws(self, seat):
        return self.view.seat(seat).throws


@pytest.fixture
def bench():
    made = Bench()
    made.look()
    return made


def test_five_bones_at_rest_are_the_first_throw(bench):
    bench.mat.throw(3, 3, 4, 4, 1)
    bench.look()
    assert sorted(bench.throws(0)[0]) == [1, 3, 3, 4, 4]
    assert bench.advice.question is None, "the number is seen, not asked"
    assert "how many more bones?" in str(prompt(bench.view).title)


def test_four_bones_wait_for_the_fifth(bench):
    bench.mat.throw(3, 3, 4, 4)
    bench.look()
    assert bench.events == []
    assert "I see four bones of 5." in bench.said
    bench.mat.throw(1)
    bench.look()
    assert sorted(bench.throws(0)[0]) == [1, 3, 3, 4, 4]


def test_six_bones_are_too_many(bench):
    bench.mat.throw(3, 3, 4, 4, 1, 1)
    bench.look()
    assert bench.events == []
    assert "Take the others off" in bench.said


@pytest.mark.parametrize("lifted", [0, 2, 5])
def test_the_second_throw_is_told_from_the_first(bench, lifted):
    first = bench.mat.throw(3, 3, 4, 1, 1)
    bench.look()
    bench.choose(3)
    bench.mat.lift(*first[:lifted]) if lifted else None
    bench.mat.throw(1, 1, 3)
    bench.look()
    assert [sorted(throw) for throw in bench.throws(0)] == [[1, 1, 3, 3, 4], [1, 1, 3]]
    assert bench.view.turn == 1


def test_bones_lifted_and_thrown_onto_old_places_are_new(bench):
    first = bench.mat.throw(3, 3, 4, 1, 1)
    bench.look()
    bench.choose(3)
    bench.mat.lift(*first[1:])
    bench.mat.turn(first[0], 4)  # another bone fell where that one had lain
    bench.look()
    bench.mat.throw(1, 3)
    bench.look()
    assert sorted(bench.throws(0)[1]) == [1, 3, 4]


def test_a_bone_of_the_first_throw_that_was_pushed_is_not_thrown_again(bench):
    first = bench.mat.throw(3, 3, 4, 1, 1)
    bench.look()
    bench.choose(2)
    bench.mat.throw(1, 6)
    bench.mat.push(first[2], 25.0)
    bench.look()
    assert sorted(bench.throws(0)[1]) == [1, 6]


def lay_five(bench, *others):
    """Let Ann throw five bones, and take the third up; no number is said."""
    bench.mat.hands = (0,)
    first = bench.mat.throw(4, 3, 4, 6, 1)
    bench.look()
    bench.mat.lift(first[2], *(first[place] for place in others))
    return first


def wait_for_a_question(bench):
    bench.mat.hands = ()
    for _ in range(6):
        bench.look()


def test_a_bone_left_lying_that_is_not_read_for_a_moment_is_not_thrown_again(bench):
    first = lay_five(bench)
    bench.mat.turn(first[3], "63?")
    bench.look()
    assert len(bench.throws(0)) == 1
    bench.mat.turn(first[3], 6)
    bench.mat.throw(3)
    bench.look()
    assert bench.question is None
    assert bench.throws(0)[1:] == ((3,),)


def test_a_bone_left_lying_that_is_not_read_beside_those_thrown_is_not_thrown_again(bench):
    first = lay_five(bench)
    bench.mat.turn(first[3], "63?")
    bench.mat.throw(3)
    bench.look()
    bench.mat.turn(first[3], 6)
    bench.look()
    assert bench.question is None
    assert bench.throws(0)[1:] == ((3,),)


@pytest.mark.parametrize("looks", [1, 2], ids=["at once", "after a look"])
def test_a_bone_left_lying_that_is_read_otherwise_is_not_thrown_again(bench, looks):
    first = lay_five(bench)
    bench.mat.turn(first[3], 3)
    for _ in range(looks - 1):
        bench.look()
    bench.mat.throw(3)
    bench.look()
    assert bench.question is None
    assert bench.throws(0)[1:] == ((3,),)


@pytest.mark.parametrize("answer", [0, 1])
def test_a_bone_near_where_one_lay_is_asked_about_beside_a_new_one(bench, answer):
    """Either it was nudged, or both were thrown and one was kept in the hand."""
    first = lay_five(bench)
    bench.mat.push(first[3], 6.0)
    bench.mat.throw(3)
    bench.look()
    assert len(bench.throws(0)) == 1, "nothing is booked that may not have been thrown"
    wait_for_a_question(bench)
    assert (bench.question.kind, bench.question.candidates) == ("number", (1, 2))
    bench.press((Button.HAVE, Button.STICK)[answer])
    assert sorted(bench.throws(0)[1]) == [[3], [3, 6]][answer]


@pytest.mark.parametrize(("number", "lifted", "second"), [(1, 2, [3]), (2, 1, [3, 6])])
def test_the_number_said_tells_whether_a_bone_near_where_one_lay_was_thrown(
    bench, number, lifted, second
):
    first = bench.mat.throw(4, 3, 4, 6, 1)
    bench.look()
    bench.choose(number)
    bench.mat.lift(first[lifted])
    bench.mat.push(first[3], 6.0)
    bench.mat.throw(3)
    bench.look()
    assert bench.question is None
    assert sorted(bench.throws(0)[1]) == second


def test_a_bone_nudged_while_another_is_taken_up_is_not_thrown_again(bench):
    first = lay_five(bench)
    bench.mat.push(first[3], 6.0)
    bench.look()
    bench.mat.throw(3)
    bench.look()
    assert bench.question is None
    assert bench.throws(0)[1:] == ((3,),)


@pytest.mark.parametrize("thrown", [(), (3,)], ids=["alone", "beside a new one"])
def test_a_bone_that_was_overlooked_for_a_look_is_not_thrown_again(bench, thrown):
    first = lay_five(bench)
    overlooked = bench.mat.bones.pop(first[3])
    bench.look()
    bench.mat.bones[first[3]] = overlooked
    bench.mat.throw(*thrown)
    bench.look()
    wait_for_a_question(bench)
    assert bench.question is None
    assert bench.throws(0)[1:] == ((thrown,) if thrown else ())


def test_the_next_player_begins_anew(bench):
    bench.mat.throw(6, 6, 6, 6, 1)  # 25: over at once
    bench.look()
    assert bench.view.turn == 1
    bench.look()
    assert len(bench.events) == 1, "the same bones are nobody else's throw"
    bench.mat.lift()
    bench.look()
    bench.mat.throw(1, 1, 1, 1, 1)
    bench.look()
    assert bench.throws(1) == ((1, 1, 1, 1, 1),)


def test_a_bone_that_is_not_sure_is_asked_about(bench):
    bench.mat.throw(3, 3, 4, 4, "46?")
    bench.look()
    assert "leans or stands on end" in bench.said
    bench.look()
    bench.look()
    question = bench.advice.question
    assert question.kind == "face"
    assert question.candidates[:2] == (Face.CONVEX, Face.TWISTED)
    assert set(question.candidates) == set(Face)
    bench.press(Button.STICK)
    bench.press(Button.HAVE)
    assert sorted(bench.throws(0)[0]) == [3, 3, 4, 4, 6]


def test_the_knob_goes_both_ways(bench):
    bench.mat.throw(3, 3, 4, 4, 1)
    bench.look()
    for button in (Button.RIGHT, Button.RIGHT, Button.LEFT):
        bench.press(button)
    assert bench.said.startswith("1 more?")
    bench.press(Button.HAVE)
    assert bench.view.bones_due == 1


def test_a_number_that_was_dialled_means_nothing_before_the_first_throw(bench):
    bench.mat.throw(3, 3, 4, 4, 1)
    bench.look()
    bench.press(Button.LEFT)
    assert bench.said.startswith("0 more?")
    for _ in range(9):
        bench.press(Button.UNDO)
    assert "stake" not in bench.said, "0 bones are no player whose stake is changed"


def test_a_cocked_bone_is_thrown_again(bench):
    *_, cocked = bench.mat.throw(3, 3, 4, 4, "6?")
    for _ in range(3):
        bench.look()
    assert bench.question.kind == "face"
    bench.press(Button.UNDO)
    assert bench.events == []
    assert "Throw that bone again" in bench.said
    bench.mat.lift(cocked)
    bench.look()
    bench.mat.throw(1)
    bench.look()
    assert sorted(bench.throws(0)[0]) == [1, 3, 3, 4, 4]


def test_a_bone_on_its_end_has_no_candidates_and_is_thrown_again(bench):
    bench.mat.throw(3, 3, 4, 4, "?")
    bench.look()
    assert bench.advice.question is None
    assert "leans or stands on end" in bench.said


def test_a_bumped_bone_is_asked_about_and_corrected_if_it_was_misread(bench):
    *_, last = bench.mat.throw(3, 3, 4, 4, 1)
    bench.look()
    bench.mat.turn(last, 6)
    bench.look()
    question = bench.advice.question
    assert question.kind == "bumped"
    assert [each.key for each in question.candidates] == ["old", "new"]
    assert [str(each) for each in question.answers] == ["1", "6"]
    bench.press(Button.STICK)
    assert sorted(bench.throws(0)[0]) == [3, 3, 4, 4, 6]
    assert bench.question is None


def test_a_bone_of_an_earlier_throw_is_put_right_and_no_other_is_named(bench):
    """Rule KB-20: the bones that lie there now are Bess's; Ann's are corrected by word alone."""
    bench.mat.throw(3, 3, 4, 4, 1)
    bench.look()
    bench.choose(0)
    bench.mat.lift()
    bench.look()
    bench.mat.throw(3, 3, 3, 3, 4)
    bench.look()
    where = bench.throws(0)[0].index(1)
    bench.correct(CorrectBone(0, 0, where, 6))
    assert sorted(bench.throws(0)[0]) == [3, 3, 4, 4, 6]
    assert sorted(bench.throws(1)[0]) == [3, 3, 3, 3, 4]
    bench.look()
    assert bench.question is None, "no bone of hers looks changed"


def test_a_correction_of_a_bone_is_taken_back(bench):
    bench.mat.throw(3, 3, 4, 4, 1)
    bench.look()
    where = bench.throws(0)[0].index(1)
    bench.correct(CorrectBone(0, 0, where, 6))
    bench.look()
    assert bench.question is None
    bench.press(Button.UNDO)
    assert sorted(bench.throws(0)[0]) == [1, 3, 3, 4, 4]
    bench.look()
    assert bench.question is None, "what lies there is what counts"


def test_a_bone_pushed_away_and_turned_keeps_its_points(bench):
    *_, last = bench.mat.throw(3, 3, 4, 4, 1)
    bench.look()
    bench.mat.push(last, 25.0)
    bench.mat.turn(last, 6)
    bench.look()
    assert bench.question is None
    assert sorted(bench.throws(0)[0]) == [1, 3, 3, 4, 4]


def test_a_bone_that_was_touched_a_little_and_turned_keeps_its_points(bench):
    *_, last = bench.mat.throw(3, 3, 4, 4, 1)
    bench.mat.hands = ()
    bench.look()
    bench.mat.push(last, 5.0)
    bench.mat.turn(last, 6)
    bench.look()
    assert bench.question is None


def test_a_bone_beside_the_mat_belongs_to_the_throw_that_lacks_it(bench):
    bench.mat.throw(3, 3, 4, 1, 1)
    bench.look()
    bench.choose(1)
    bench.mat.lift()
    bench.look()
    fallen = bench.mat.drop(4)
    bench.look()
    assert (bench.question.kind, bench.question.thing is None) == ("offmat", False)
    bench.press(Button.STICK)
    bench.mat.lift(fallen)
    bench.look()
    bench.mat.throw(3)
    bench.look()
    assert bench.throws(0)[1] == (3,)


def test_bones_swept_aside_with_the_same_faces_are_asked_about(bench):
    first = bench.mat.throw(3, 3, 4, 4, 1)
    bench.look()
    for number in first[1:4]:
        bench.mat.push(number, 500.0)
    for _ in range(3):
        bench.look()
    assert (bench.question.kind, bench.question.candidates) == ("number", (3, 0))
    bench.press(Button.STICK)
    assert bench.throws(0) == ((3, 3, 4, 4, 1),), "what was swept aside is not thrown again"
    bench.choose(2)
    bench.mat.throw(1, 1)
    bench.look()
    assert bench.throws(0)[1] == (1, 1)


def test_five_bones_early_are_the_next_players_first_throw(bench):
    first = bench.mat.throw(3, 3, 4, 4, 1)
    bench.look()
    bench.mat.lift(*first)
    bench.mat.throw(1, 1, 4, 4, 6)
    bench.look()
    assert bench.question is None
    assert bench.throws(0) == ((3, 3, 4, 4, 1),)
    assert [sorted(throw) for throw in bench.throws(1)] == [[1, 1, 4, 4, 6]]


@pytest.mark.parametrize(("hand", "thrower"), [(0, 0), (1, 1), (None, 1)])
def test_whose_five_bones_they_are_tells_the_hand(bench, hand, thrower):
    bench.mat.throw(3, 3, 4, 1, 1)
    bench.mat.hands = (0,)
    bench.look()
    bench.mat.lift()
    bench.mat.hands = (hand,)
    bench.look()
    bench.mat.throw(1, 1, 4, 4, 6)
    bench.look()
    assert bench.question is None
    assert sorted(bench.throws(thrower)[-1]) == [1, 1, 4, 4, 6]
    assert len(bench.throws(thrower)) == (2 if thrower == 0 else 1)


def test_who_took_the_bones_up_has_mostly_thrown_them(bench):
    bench.mat.throw(1, 1, 1, 1, 1)  # so few that all five might be thrown again
    bench.mat.hands = (0,)
    bench.look()
    bench.mat.lift()
    bench.mat.hands = (1,)
    bench.look()
    bench.mat.throw(1, 1, 4, 4, 6)
    bench.mat.hands = (None,)
    bench.look()
    assert bench.question is None
    assert [sorted(throw) for throw in bench.throws(1)] == [[1, 1, 4, 4, 6]]


def test_a_throw_after_which_another_hand_came_over_the_mat_is_hardly_doubted(bench):
    bench.mat.throw(3, 3, 3, 1, 1)
    bench.mat.hands = (0,)
    bench.look()
    bench.mat.lift()
    bench.mat.throw(1, 4, 4)
    bench.mat.hands = (0, 3)
    bench.look()
    bench.wait()
    assert [len(throw) for throw in bench.throws(0)] == [5, 3]
    doubt = bench.croupier._set.best.cost
    assert doubt <= cost_of([Assumption.OTHER_LIFTED]), "a later look would turn it over"


def test_whether_a_player_pushed_a_bone_or_threw_it_is_asked(bench):
    *_, last = bench.mat.throw(3, 3, 4, 4, 1)
    bench.mat.hands = (0,)
    bench.look()
    bench.mat.push(last, 25.0)
    bench.look()
    bench.mat.hands = ()
    for _ in range(6):
        bench.look()
    assert bench.question is not None
    assert len(bench.throws(0)) == 1, "nothing is counted that may not have been thrown"
    bench.mat.hands = (1,)
    bench.mat.lift()
    bench.look()
    bench.mat.throw(3, 3, 3, 4, 4)
    for _ in range(7):
        bench.look()
    assert bench.question.kind == "whose", "it is Ann's second throw or Bess's first that fell then"


def test_a_bone_of_a_throw_that_fell_out_of_sight_is_thrown_again(bench):
    bench.mat.hands = (0,)
    bench.mat.throw(3, 3, 4, 1, 1)
    bench.look()
    bench.mat.lift()
    bench.look()
    bench.mat.throw(1, 3)
    bench.look()
    bench.mat.throw(4)
    bench.look()
    assert bench.question is None
    assert [sorted(throw) for throw in bench.throws(0)] == [[1, 1, 3, 3, 4], [1, 3, 4]]


def test_after_the_bank_has_won_a_bone_that_was_missing_repairs_the_round(bench):
    for throw in ((1, 1, 3, 4, 4), (1, 3, 3, 4, 4)):
        bench.mat.throw(*throw)
        bench.look()
        bench.press(Button.STICK)
        bench.mat.lift()
        bench.look()
    bench.mat.throw(3, 3, 3, 3, 1)
    bench.look()
    bench.mat.lift()
    bench.look()
    bench.mat.throw(3)
    bench.look()
    assert bench.view.result is not None, "16 beats 13 and 15"
    bench.mat.throw(6)
    bench.look()
    assert [sorted(throw) for throw in bench.throws(2)] == [[1, 3, 3, 3, 3], [3, 6]]
    assert dict(bench.view.result.settlement) == {0: 2, 1: 1, 2: -3}


def test_the_last_player_who_says_nothing_is_asked(bench):
    for throw in ((1, 1, 3, 4, 4), (4, 4, 4, 4, 4)):
        bench.mat.throw(*throw)
        bench.look()
        bench.press(Button.STICK)
        bench.mat.lift()
        bench.look()
    bench.mat.throw(3, 3, 4, 4, 3)
    for _ in range(3):
        bench.look()
    assert (bench.question.kind, bench.question.seat) == ("number", 2)
    bench.press(Button.UNDO)
    assert (bench.question, bench.view.result) == (None, None), "left open, and unpaid"
    bench.press(Button.NEXT)
    assert bench.view.hand_number == 2, "who wants the next round wants no bone"


def test_the_bank_that_beats_everybody_needs_to_say_nothing(bench):
    for throw in ((1, 1, 3, 4, 4), (1, 3, 3, 4, 4)):
        bench.mat.throw(*throw)
        bench.look()
        bench.press(Button.STICK)
        bench.mat.lift()
        bench.look()
    bench.mat.throw(3, 3, 4, 4, 3)
    bench.look()
    assert bench.view.result is None
    for _ in range(2):
        bench.look()
    assert bench.question is None
    assert dict(bench.view.result.settlement) == {0: -2, 1: -1, 2: 3}


def test_who_is_out_says_so_in_anothers_turn(bench):
    bench.press(Button.OUT, 1)
    assert [seat.thrown_in for seat in bench.view.seats] == [False, True, False]
    assert bench.view.turn == 0


def test_stakes_are_laid_at_the_console(bench):
    bench.press(Button.RIGHT)
    assert "Bess's stake: 1" in bench.said
    bench.press(Button.HAVE)
    assert bench.view.seat(1).stake_laid == 2


def test_fewer_bones_early_are_more_of_the_same_player(bench):
    bench.mat.throw(3, 3, 4, 1, 1)
    bench.look()
    bench.mat.lift()
    bench.look()
    bench.mat.throw(1, 3)
    bench.look()
    assert bench.question is None
    assert [sorted(throw) for throw in bench.throws(0)] == [[1, 1, 3, 3, 4], [1, 3]]


def test_a_number_said_after_the_throw_changes_nothing(bench):
    bench.mat.throw(3, 3, 4, 1, 1)
    bench.look()
    bench.mat.lift()
    bench.look()
    bench.mat.throw(1, 3)
    bench.look()
    events = list(bench.events)
    for button in (Button.RIGHT, Button.RIGHT, Button.HAVE):
        bench.press(button, 0)
    assert (bench.events, bench.view.turn) == (events, 1)
    assert bench.advice.refused == ()


@pytest.mark.parametrize("counts", [True, False], ids=["counts", "thrown again"])
def test_a_bone_that_fell_beside_the_mat_is_asked_about(bench, counts):
    bench.mat.throw(3, 3, 4, 4)
    fallen = bench.mat.drop(6)
    bench.look()
    assert bench.events == []
    assert bench.advice.question.kind == "offmat"
    assert bench.advice.question.place == tuple(bench.mat.bones[fallen][1:]), "it is pointed out"
    bench.press(Button.HAVE if counts else Button.STICK)
    if counts:
        assert sorted(bench.throws(0)[0]) == [3, 3, 4, 4, 6]
        return
    assert bench.events == []
    assert "off the mat. Throw that bone again" in bench.said
    bench.mat.lift(fallen)
    bench.look()
    bench.mat.throw(1)
    bench.look()
    assert sorted(bench.throws(0)[0]) == [1, 3, 3, 4, 4]


def test_spare_bones_beside_the_mat_are_nobodys_throw(bench):
    bench.mat.drop(6)
    bench.mat.drop(1)
    bench.look()
    assert (bench.events, bench.said) == ([], "")
    bench.mat.throw(3, 3, 4)
    bench.look()
    assert bench.advice.question.kind == "offmat", "two are missing, and two lie there"
    bench.mat.throw(4, 4)
    bench.look()
    assert sorted(bench.throws(0)[0]) == [3, 3, 4, 4, 4]
    assert bench.question is None


def test_a_bumped_bone_keeps_its_points_and_is_asked_about_once(bench):
    *_, last = bench.mat.throw(3, 3, 4, 4, 1)
    bench.look()
    bench.mat.turn(last, 6)
    bench.look()
    bench.press(Button.HAVE)
    assert sorted(bench.throws(0)[0]) == [1, 3, 3, 4, 4]
    bench.look()
    assert bench.question is None


def test_an_undone_throw_is_not_made_again_by_itself(bench):
    bench.mat.throw(3, 3, 4, 4, 1)
    bench.look()
    bench.press(Button.UNDO)
    assert bench.throws(0) == ()
    bench.look()
    assert bench.throws(0) == ()
    bench.mat.lift()
    bench.look()
    bench.mat.throw(1, 1, 1, 1, 3)
    bench.look()
    assert bench.throws(0) == ((1, 1, 1, 1, 3),) or sorted(bench.throws(0)[0]) == [1, 1, 1, 1, 3]


def test_a_whole_round_from_bones_to_payment(bench):
    mat = bench.mat
    for points, more, extra in (((3, 3, 4, 4, 4), 1, (3,)), ((1, 3, 4, 4, 4), 0, ())):
        mat.throw(*points)
        bench.look()
        bench.choose(more)
        if extra:
            mat.lift()
            bench.look()
            mat.throw(*extra)
            bench.look()
        mat.lift()
        bench.look()
    mat.throw(4, 4, 4, 3, 3)
    bench.look()
    bench.choose(0)
    assert bench.view.result is not None
    assert dict(bench.view.result.settlement) == {0: 2, 1: -1, 2: -1}
    bench.press(Button.NEXT)
    assert bench.view.hand_number == 2
    bench.look()
    assert bench.throws(0) == (), "what still lies there was thrown in the last round"


def test_the_bank_lays_no_stake(bench):
    assert bench.press("stick", 2) == []
    assert "The bank lays no stake." in bench.said


def test_stakes_are_laid_by_the_players_own_buttons_before_the_first_throw(bench):
    bench.press(Button.HAVE, 0)
    assert bench.view.seat(0).stake_laid == 3
    for _ in range(5):
        bench.press(Button.STICK, 0)
    assert bench.view.seat(0).stake_laid == 1
    bench.mat.throw(3, 3, 4, 4, 1)
    bench.look()
    bench.press(Button.UNDO)
    assert bench.view.seat(0).stake_laid == 1


@pytest.mark.parametrize("button", [Button.HAVE, Button.STICK])
def test_a_button_at_a_free_seat_lays_no_stake_and_breaks_nothing(bench, button):
    before = bench.view
    bench.press(button, 5)
    assert bench.view == before
    assert bench.said.startswith("Nobody plays at that seat.")


def test_one_at_a_time_is_asked_with_have_and_stick():
    bench = Bench(extra_mode="one_at_a_time")
    bench.look()
    bench.mat.throw(3, 3, 4, 4, 1)
    bench.look()
    bench.press(Button.HAVE)
    assert bench.view.bones_due == 1
    bench.mat.throw(1)
    bench.look()
    bench.press(Button.STICK)
    assert bench.view.turn == 1


def test_after_a_new_start_the_bones_that_lie_there_are_the_last_throw(bench):
    bench.mat.throw(3, 3, 4, 4, 1)
    bench.look()
    bench.choose(2)
    bench.croupier = croupier()
    bench.look()
    assert len(bench.throws(0)) == 1
    bench.mat.throw(1, 1)
    bench.look()
    assert bench.throws(0)[1] == (1, 1)


def test_no_mat_no_throw(bench):
    bench.mat.throw(3, 3, 4, 4, 1)
    bench.mat.seats = None
    bench.look()
    assert bench.events == []
    assert "cannot see the play mat" in bench.said


@pytest.mark.parametrize("button", [Button.HAVE, Button.STICK])
def test_a_button_while_bones_are_to_be_thrown_is_answered(bench, button):
    bench.mat.throw(3, 3, 4, 1, 1)
    bench.look()
    bench.choose(2)
    events = len(bench.events)
    bench.press(button)
    assert len(bench.events) == events
    assert "The bones speak now" in bench.said


def test_a_correction_of_an_earlier_throw_names_no_bone_that_lies_there(bench):
    first = bench.mat.throw(3, 3, 4, 1, 1)
    bench.look()
    bench.choose(2)
    bench.mat.lift(*first)
    bench.look()
    bench.mat.throw(4, 4)
    bench.look()
    bench.correct(CorrectBone(0, 0, 0, 1))
    assert bench.throws(0)[0][0] == 1
    assert bench.throws(0)[1] == (4, 4)
    bench.look()
    assert (bench.throws(0)[1], bench.question) == ((4, 4), None)


@pytest.mark.parametrize("again", [False, True], ids=["thrown again", "lying there"])
def test_bones_are_of_the_next_round_only_if_they_were_thrown_since_the_end(bench, again):
    for seat in range(3):
        bench.mat.lift()
        bench.mat.throw(3, 3, 4, 1, 1)
        bench.look()
        bench.press(Button.STICK, seat)
    assert bench.state.phase is Phase.DONE
    if again:  # the program was started anew while the last throw lay there
        bench.croupier = Interpreter(BoneMoves(), BoneWords())
    else:
        bench.mat.lift()
        bench.mat.throw(6, 4, 4, 1, 1)
    bench.look()
    bench.press(Button.NEXT)
    bench.look()
    thrown = [sorted(throw) for seat in range(3) for throw in bench.throws(seat)]
    assert thrown == ([] if again else [[1, 1, 4, 4, 6]])


def test_no_number_is_marked_for_have_before_one_is_chosen():
    """HAVE is a word of the bank until then: that it throws again, however many."""
    question = replace(ask.how_many("Ann", 0, (0, 1, 2)), hints=ask.SAID)
    assert question.marked is None
    assert "have" not in [hint.button for hint in question.keys]
    chosen = replace(question, selected=2)
    assert (chosen.marked, chosen.keys) == (2, ask.SAID)
