"""Tables written down by hand from the rules, or that were once taken wrongly, with their truth."""

import json
from pathlib import Path

import pytest

from device.simulator.people import setup_for
from tests.support.readings_player import play

LOGS = sorted((Path(__file__).parent / "logs").glob("*.jsonl"))
AGES = (30, 40, 50, 60, 70, 80, 90, 100)


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_table_comes_out_as_the_rules_have_it(path):
    told = json.loads(path.with_suffix(".json").read_text("utf-8"))
    players = tuple(told["players"])
    ages = AGES[: len(players)]
    setup = setup_for(told["game"], told["preset"], players, ages, told["dealer"], told["options"])
    played = play(path.read_text("utf-8").splitlines(), told["answers"], setup)
    assert [line["asked"]["kind"] for line in played.out if "asked" in line] == told["asked"]
    assert len(played.hands) == len(told["results"])
    for found, wanted in zip(played.hands, told["results"], strict=True):
        assert {key: _without_noughts(found[key]) for key in wanted} == wanted


def _without_noughts(value):
    """Leave out seats that neither pay nor are paid, as the files do."""
    if not isinstance(value, dict):
        return value
    return {str(seat): number for seat, number in value.items() if number}
