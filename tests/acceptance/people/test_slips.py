"""UNDO put into logs by mistake, or on purpose; its counts stand in docs/why/histories.md."""

import pytest

from tests.acceptance.people import slips


def table(name, place, *, meant=False):
    made = slips.tables(slips.LOGS / f"{name}.jsonl", 1000, 1, meant=meant)
    return next(each for each in made if each.place == place)


@pytest.mark.parametrize(
    ("name", "place", "came"),
    [
        ("kb_two_rounds", 14, "right"),
        ("kb_no_empty_mat", 5, "asked"),
        ("ba_bone_ace_and_over", 14, "right"),
    ],
)
def test_people_play_on_as_if_nobody_had_pressed_undo(name, place, came):
    slipped = table(name, place)
    assert [line for line in slipped.lines if line.get("press") == "undo"]
    assert slips.outcome(slipped) == came


def test_a_hand_that_ends_with_undo_stays_open():
    assert slips.outcome(table("ba_row_pushed", 30)) == "open"


def test_cards_that_are_laid_again_after_an_undo_count_as_before():
    assert slips.outcome(table("ba_bone_ace_and_over", 13, meant=True)) == "right"


def test_a_wrong_result_is_told_as_one():
    right = table("kb_two_rounds", 14)
    told = {**right.told, "results": [{**right.told["results"][0], "settlement": {"0": 99}}]}
    assert slips.outcome(slips.Table(right.name, 14, right.lines, told)) == "wrong"
