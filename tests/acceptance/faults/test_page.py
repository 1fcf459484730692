"""docs/why/reliability.md says what the tests say."""

import ast

import pytest

from tests.acceptance.faults import measured, table


def test_the_page_is_up_to_date():
    assert table.PAGE.read_text(encoding="utf-8") == table.page(), (
        "run: python tests/acceptance/faults/table.py"
    )


@pytest.mark.parametrize("fault", table.FAULTS)
def test_every_fault_is_injected_and_told(fault):
    mine = [each for each in table.injections() if each.fault == fault]
    assert mine, f"no test injects: {fault}"
    assert sum(bool(each.sees) for each in mine) == 1, "said once, where it is asserted"
    assert sum(bool(each.does) for each in mine) == 1


def test_no_test_names_a_fault_that_is_none():
    assert {each.fault for each in table.injections()} == set(table.FAULTS)


def test_marks_within_parameters_are_of_known_faults():
    for path in (table.ROOT / "tests").rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.fault":
                assert ast.literal_eval(node.args[0]) in table.FAULTS


def test_nothing_was_lost_and_nothing_came_past_an_error():
    told = measured.told()
    assert told["kills"]["kills"] > 100
    assert told["kills"]["lost"] == 0
    for name, (tried, lost) in told["kills_at_calls"].items():
        assert tried > 50, name
        assert lost == 0, name
    for name, found in told["flips"].items():
        assert found["at_random"] >= 20_000, name
        assert found["wrong"] == 0, name
    assert told["flips"]["journal.sqlite3"]["every"] > 100_000
    assert told["fuzz"]["inputs"] > 1000
    assert told["fuzz"]["escaped"] == 0
    for name, (median, worst) in told["recover_s"].items():
        assert 0 < median <= worst < 30, name


def test_what_fuzzing_found_has_been_looked_at():
    found = table.CASES / "found"
    assert not found.exists(), f"mend what {found} shows, and keep it as a case of its kind"
