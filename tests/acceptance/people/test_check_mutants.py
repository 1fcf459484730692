"""The check that puts faults into the croupier: each fault has its place, and is told of."""

import itertools
from pathlib import Path

import pytest

from tests.acceptance.people import check_mutants


@pytest.mark.parametrize("fault", check_mutants.FAULTS, ids=lambda fault: fault[2].strip()[:40])
def test_each_fault_can_be_put_into_the_croupier(fault):
    _, name, old, new, _ = fault
    text = (Path(check_mutants.CROUPIER) / name).read_text()
    assert text.count(old) == 1
    compile(text.replace(old, new), name, "exec")


def runs_of(*runs):
    """Stand for the hands that are played: with a fault, and without it, in turn."""
    left = itertools.chain(runs, itertools.repeat(["right unasked"]))

    def verdicts(*_):
        yield from next(left)

    return verdicts


def test_it_tells_which_hand_noticed_a_fault_and_that_others_went_unnoticed(monkeypatch, capsys):
    was = ["right unasked", "asked, right"]
    runs = [["right unasked", "left open"], was, ["crashed"], was, was, was]
    monkeypatch.setattr(check_mutants, "verdicts", runs_of(*runs))
    assert check_mutants.main([]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("hand 1: left open: knucklebones")
    assert lines[1].startswith("hand 0: crashed")
    assert lines[2].startswith("NOT NOTICED")
    assert lines[-1] == "noticed: 2 of 20 (3% to 30%)"
