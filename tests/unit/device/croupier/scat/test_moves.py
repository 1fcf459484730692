"""What people do at Thirty-one is found again in what was seen (HISTORIES: the oracle test)."""

import pytest

from tests.support.scat_people import CAREFUL, MIXED, People, Table, follow_truth


def played(seed, habits):
    people = People(seed, 2 + seed % 5, habits)
    people.play()
    return people


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("habits", [CAREFUL, MIXED], ids=["careful", "mixed"])
def test_the_moves_can_explain_whatever_people_really_did(seed, habits):
    people = played(seed, habits)
    costs, kept = follow_truth(people)
    assert kept is not None, f"no move explains look {len(costs)}"
    assert len(kept[0].events) == len(people.state.log)


@pytest.mark.parametrize("seed", range(8))
def test_careful_people_are_understood_without_a_question(seed):
    people = played(seed, CAREFUL)
    table = Table(people).run()
    assert table.state.log == people.state.log
    assert table.asked == []


@pytest.mark.parametrize("seed", [0, 5, 8, 9, 15])
def test_mixed_people_are_paid_rightly_or_asked(seed):
    people = played(seed, MIXED)
    table = Table(people).run()
    money = table.moves.money
    if money(table.state) is not None:
        assert money(table.state) == money(people.state)
    else:
        assert table.result.question is not None
