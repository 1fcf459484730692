"""Bones are counted once each: thrown, gathered, pushed, hidden, leaning, named and taken back."""

import random

import pytest

from device.croupier.counting.bones import BoneCounter
from engine.core.bones import Face
from tests.support.count_readings import (
    CONCAVE,
    CONVEX,
    FIVE,
    FLAT,
    TWISTED,
    reading,
    thrown,
)

BARE = ()


class Table:
    """A counter that is shown one rest after the other, three seconds apart."""

    def __init__(self, counter=None):
        self.counter, self.time_s = counter or BoneCounter(), 0.0

    def show(self, *bones, after_s=3.0, mat=True):
        self.time_s += after_s
        self.counter.see(reading(bones, self.time_s, mat))
        return self

    @property
    def throws(self):
        """The points of each throw, bone by bone."""
        return [[item.value for item in throw.items] for throw in self.counter.throws]


def moved(bones, by, which=None):
    return tuple(
        (face, x + by, y, *more) if which in (None, number) else (face, x, y, *more)
        for number, (face, x, y, *more) in enumerate(bones)
    )


def test_a_throw_is_counted_once_with_its_total():
    table = Table().show().show(*FIVE).show(*FIVE).show(*FIVE[:3]).show()
    assert table.throws == [[6, 1, 4, 4, 3]]  # from left to right
    (throw,) = table.counter.throws
    assert (throw.number, throw.total, throw.time_s, throw.kept) == (1, 18, 6.0, ())
    assert table.counter.counts == {FLAT: 1, CONCAVE: 1, CONVEX: 2, TWISTED: 1}


def test_the_values_are_those_of_the_game():
    each = [(face, 50 * n, 50) for n, face in enumerate(Face)]
    assert Table().show(*each).throws == [[1, 3, 4, 6]]


@pytest.mark.parametrize("between", [[BARE], [], [FIVE[:2], BARE], [FIVE[3:]]])
def test_bones_gathered_and_thrown_again_are_a_new_throw(between):
    table = Table().show(*FIVE)
    for bones in between:
        table.show(*bones, after_s=0.3)
    table.show(*thrown(1), after_s=0.4)
    assert [len(throw) for throw in table.throws] == [5, 5]
    assert table.counter.throws[1].kept == ()


def test_a_thousand_throws_without_a_look_at_the_bare_mat():
    table, rng = Table(), random.Random(5)
    for n in range(1000):
        table.show(*thrown(n), after_s=rng.uniform(0.5, 3))
        if rng.random() < 0.5:
            table.show(after_s=rng.uniform(0.2, 1))
    assert len(table.throws) == 1000


def test_bones_that_lie_near_to_where_others_lay_are_thrown_with_the_rest():
    near = ((CONCAVE, 105, 101), *thrown(3, 4))
    assert [len(throw) for throw in Table().show(*FIVE).show(*near).throws] == [5, 5]


@pytest.mark.parametrize("by", [1, 6, 25, 60])
def test_a_pushed_bone_is_no_throw_and_counts_as_it_fell(by):
    table = Table().show(*FIVE).show(*moved(FIVE, by, which=4))
    assert len(table.throws) == 1
    assert table.counter.throws[0].total == 18
    table.show().show(*thrown(2))
    assert len(table.throws) == 2


def test_who_pushes_a_bone_may_touch_another():
    touched = moved(moved(FIVE, 25, which=4), 3, which=1)
    assert len(Table().show(*FIVE).show(*touched).throws) == 1


def test_a_bone_is_pushed_and_another_is_only_then_read():
    unread = (*FIVE[:3], (None, 60, 190), FIVE[4])
    table = Table().show(*unread).show(*moved(FIVE, 25, which=4))
    assert [throw.total for throw in table.counter.throws] == [18]


def test_a_bone_that_is_turned_by_a_push_keeps_its_points():
    turned = (*FIVE[:4], (TWISTED, 240, 200))
    table = Table().show(*FIVE).show(*turned)
    assert [throw.total for throw in table.counter.throws] == [18]


def test_a_table_that_is_knocked_is_no_throw():
    assert len(Table().show(*FIVE).show(*moved(FIVE, 4)).throws) == 1


def test_two_bones_swept_aside_are_no_throw():
    swept = ((FLAT, 110, 300), (CONVEX, 150, 310), *FIVE[2:])
    assert len(Table().show(*FIVE).show(*swept).throws) == 1


def test_some_bones_thrown_again_are_a_throw_beside_those_that_stay():
    again = (*FIVE[:2], (FLAT, 300, 90), (FLAT, 320, 190), (FLAT, 90, 320))
    table = Table().show(*FIVE).show(*again)
    assert [len(throw) for throw in table.throws] == [5, 3]
    last = table.counter.throws[1]
    assert (len(last.kept), last.total) == (2, 1 + 4 + 3)


def test_one_bone_thrown_again_far_off_is_a_throw():
    assert Table().show(*FIVE).show(*FIVE[:4], (FLAT, 330, 60)).throws[1:] == [[1]]


def test_bones_thrown_one_by_one_add_up():
    table = Table()
    for count in range(1, 6):
        table.show(*FIVE[:count])
    assert [len(throw) for throw in table.throws] == [1] * 5
    assert [throw.total for throw in table.counter.throws] == [1, 5, 9, 15, 18]


def test_a_bone_that_comes_to_rest_a_moment_later_is_of_the_same_throw():
    table = Table().show(*FIVE[:4]).show(*FIVE, after_s=0.5)
    assert [len(throw) for throw in table.throws] == [5]


def test_bones_that_a_hand_hid_are_not_counted_again():
    table = Table().show(*FIVE).show(*FIVE[:2]).show(*FIVE).show().show(*FIVE)
    assert len(table.throws) == 1


def test_a_leaning_bone_counts_when_it_lies():
    leans = (*FIVE[:4], (None, 230, 200))
    table = Table().show(*leans)
    assert (len(table.throws[0]), len(table.counter.unread)) == (4, 1)
    table.show(*FIVE)
    assert ([len(t) for t in table.throws], table.counter.unread) == ([5], ())
    assert table.counter.throws[0].total == 18


def test_a_leaning_bone_that_is_thrown_again_belongs_to_the_throw():
    leans = (*FIVE[:4], (None, 230, 200))
    table = Table().show(*leans).show(*FIVE[:4], (TWISTED, 330, 80))
    assert [len(throw) for throw in table.throws] == [5]


def test_a_bone_beside_the_mat_is_told_and_counts_when_it_is_thrown_again():
    table = Table().show(*FIVE[:4], (TWISTED, 500, 100, "off"))
    assert (len(table.throws[0]), table.counter.beside) == (4, 1)
    table.show(*FIVE[:4], (TWISTED, 300, 300))
    assert ([len(t) for t in table.throws], table.counter.beside) == ([5], 0)


def test_what_is_not_read_alone_is_no_throw():
    table = Table().show((None, 90, 90))
    assert (table.throws, len(table.counter.unread)) == ([], 1)
    table.show((FLAT, 90, 90))
    assert table.throws == [[1]]


def test_the_last_throw_is_taken_back_and_what_lies_is_not_counted_again():
    table = Table().show(*FIVE).show().show(*thrown(1))
    assert table.counter.undo().number == 2
    table.show(*thrown(1)[:4]).show(*thrown(1))
    assert [throw.number for throw in table.counter.throws] == [1]
    table.show().show(*thrown(4))
    assert [throw.number for throw in table.counter.throws] == [1, 2]
    assert (table.counter.undo().number, table.counter.undo().number, table.counter.undo()) == (
        2,
        1,
        None,
    )


def test_people_name_a_face():
    table = Table().show(*FIVE)
    item = table.counter.throws[0].items[0]
    table.counter.name(item.number, TWISTED)
    assert table.counter.throws[0].items[0].what is TWISTED
    assert table.counter.throws[0].items[0].by_hand
    table.show(*FIVE[:4]).show(*FIVE)
    assert table.counter.throws[0].items[0].what is TWISTED


def test_people_name_a_leaning_bone():
    table = Table().show(*FIVE[:4], (None, 230, 200))
    (leaning,) = table.counter.unread
    table.counter.name_unread(leaning.number, CONCAVE)
    (throw,) = table.counter.throws
    assert (throw.total, throw.items[-1].by_hand, table.counter.unread) == (18, True, ())
    table.show(*FIVE[:4], (None, 230, 200)).show(*FIVE)
    assert [len(t) for t in table.throws] == [5]


def test_the_pace_is_of_the_last_throws():
    table = Table()
    assert table.counter.pace is None
    for n in range(30):
        table.show(*thrown(n), after_s=3.0 if n < 15 else 6.0)
    assert table.counter.pace == pytest.approx(10.0)


def test_it_goes_on_with_what_lies_there():
    before = Table().show(*FIVE).show().show(*thrown(1))
    table = Table(BoneCounter(before.counter.throws)).show(*moved(thrown(1), 100))
    assert (len(table.throws), table.counter.pace) == (2, None)
    table.show().show(*FIVE)
    assert [throw.number for throw in table.counter.throws] == [1, 2, 3]
    other_lies = Table(BoneCounter(before.counter.throws)).show(*FIVE[:3])
    assert len(other_lies.throws) == 3


def test_a_picture_without_a_mat_is_measured_by_its_bones():
    table = Table().show(*FIVE, mat=False).show(*FIVE, mat=False).show(mat=False)
    table.show(*thrown(2), mat=False)
    assert [len(throw) for throw in table.throws] == [5, 5]


def test_a_mat_that_is_not_seen_for_a_moment_changes_nothing():
    table = Table().show(*FIVE).show(*FIVE[:2], mat=False)
    assert not table.counter.sees
    assert len(table.show(*FIVE).throws) == 1
    assert table.counter.sees
