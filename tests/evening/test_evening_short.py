"""Some minutes of the evening of ``tests/evening/evening.py``, with every mishap in them."""

import contextlib

import pytest
from evening import TURNS, Evening
from evening_meters import failings
from knowing_watch import KnowingWatch

from engine import games

TURNS_ONCE = tuple((game, preset, 1) for game, preset, _hands in TURNS[:7])
SMALL = (320, 240)


def knowing_eyes(room):
    watch = KnowingWatch(room)
    return lambda game, options: watch


@pytest.fixture
def evening(tmp_path, capsys):
    made = Evening(
        tmp_path, seed=4, eyes=knowing_eyes, size=SMALL, screen=(480, 320), pace=0.2, every_s=7.0
    )
    with contextlib.closing(made):
        yield made


def test_every_game_and_every_mishap_and_the_ledger_is_right(evening):
    for game, preset, hands in TURNS_ONCE:
        evening.sitting(game, preset, hands)
    evening.meters.sample(evening)
    evening.close()
    found = evening.meters.told(evening)
    assert failings(found, full=False) == []
    assert {game for game, _preset in evening.games} == {g.name for g in games.all_games()}
    print(found)
