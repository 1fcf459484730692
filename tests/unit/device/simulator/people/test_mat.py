"""What a camera above the mat of software sees of the cards that lie there."""

import random

import pytest

from device.simulator.people.mat import HIDDEN_MM, NOISE_MM, Bone, Mat


@pytest.fixture
def mat():
    return Mat(4, random.Random(1))


def seen(mat):
    return [line["card"] for line in mat.look() if "card" in line]


def test_places_are_those_of_the_printed_mat(mat):
    x, y, _ = mat.middle("discard")
    assert mat.place_at(x, y) == "discard"
    for seat, slots in mat.slots.items():
        assert mat.place_at(*slots[0][:2]) == f"seat {seat}"
    assert mat.place_at(-5.0, 10.0) is None


def test_a_card_laid_squarely_on_another_hides_it(mat):
    mat.lay("9H", True, (300.0, 300.0, 0.0))
    mat.lay("4C", True, (303.0, 298.0, 2.0))
    assert seen(mat) == ["4C"]


def test_a_card_whose_index_peeps_out_is_seen(mat):
    mat.lay("9H", True, (300.0, 300.0, 0.0))
    mat.lay("4C", True, (318.0, 300.0, 0.0))
    assert seen(mat) == ["9H", "4C"]


def test_two_cards_that_each_leave_an_index_free_hide_both(mat):
    mat.lay("9H", True, (300.0, 300.0, 0.0))
    mat.lay("4C", True, (318.0, 300.0, 0.0))
    mat.lay("KD", True, (282.0, 300.0, 0.0))
    assert "9H" not in seen(mat)


def test_a_card_is_seen_again_when_the_one_on_it_is_taken(mat):
    under = mat.lay("9H", True, (300.0, 300.0, 0.0))
    over = mat.lay("4C", True, (300.0, 300.0, 45.0))
    assert seen(mat) == ["4C"]
    assert not under.seen
    mat.take(over)
    assert seen(mat) == ["9H"]
    assert under.seen


def test_no_card_is_listed_that_the_reader_of_a_log_drops():
    rng = random.Random(7)
    mat = Mat(4, rng)
    for number in range(40):
        mat.lay(
            f"{number}", True, (rng.uniform(280, 330), rng.uniform(280, 330), rng.uniform(0, 9))
        )
        lies = mat.look()
        for place, card in enumerate(lies):
            for later in lies[place + 1 :]:
                apart = max(abs(later["x"] - card["x"]), abs(later["y"] - card["y"]))
                assert apart > HIDDEN_MM - 2 * NOISE_MM - 0.1


def test_face_down_and_unread_cards_are_not_told(mat):
    mat.lay("9H", False, (100.0, 300.0, 0.0))
    doubtful = mat.lay("4C", True, (300.0, 300.0, 0.0))
    doubtful.maybe = ("4S", "4C")
    back, unread = mat.look()
    assert back["card"] == "back"
    assert unread["card"] == "??"
    assert unread["maybe"] == ["4S", "4C"]


def test_bones_have_their_face_or_lean(mat):
    mat.bones += [Bone(3, 400.0, 300.0), Bone(None, 450.0, 300.0), Bone(4, 900.0, 300.0, True)]
    lies = mat.look()
    assert [line["bone"] for line in lies] == [3, None, 4]
    assert lies[1]["maybe"] == [3, 4]
    assert [line.get("off", False) for line in lies] == [False, False, True]
