"""The oracle, written from the text of the rules, against the engine, fed with the true events."""

import random

import pytest

from device.simulator.people import (
    MIXES,
    PRESETS,
    Happening,
    bank_customs,
    options_of,
    play_sitting,
    setup_by_chance,
)
from engine.core.options import describe
from engine.games import catalog
from engine.records.referee import replay
from tests.acceptance.people.judge import RIGHT, judge
from tests.acceptance.people.protocol import case_of, truth_told

EVERY = [(game, preset) for game, presets in PRESETS.items() for preset in presets]

NEWER = frozenset(
    {
        Happening.SAID_OUT,
        Happening.THROWN_IN,
        Happening.TURNED_DOWN,
        Happening.THROWN_AT_SHOWDOWN,
        Happening.OVER_IN_SILENCE,
        Happening.UNCLAIMED_31,
        Happening.DEALT_31,
        Happening.THROWN_IN_ANOTHERS_TURN,
        Happening.SHOWN_EARLY,
        Happening.SHOWN_IN_ANOTHERS_TURN,
        Happening.SHOWN_AFTER_END,
    }
)
"""What the rules of 0.1 do not know, or judge otherwise than those after them."""


def engine_knows_newer_rules(game):
    """Return whether the engine plays *game* by the rules after 0.1 (G-17, OT-18, KB-23, SC-27)."""
    if game in ("one-and-thirty", "bone-ace"):
        rules = catalog.find(game)
        options = catalog.make_options(rules, catalog.find_preset(rules, None), {})
        return hasattr(options, "late_out")
    first = {"knucklebones": [{"e": "roll", "seat": 0, "faces": [3, 3, 3, 3, 1]}]}
    deal = [{"e": "deal", "seat": n % 2, "card": "??", "face": "down"} for n in range(6)]
    events = first.get(game, [*deal, {"e": "turn_up", "card": "4C"}])
    preset = next(iter(PRESETS[game]))
    setup = setup_by_chance(game, preset, random.Random(0))
    case = case_of(setup, [*events, {"e": "declare", "seat": 0, "what": "out"}])
    case["players"], case["dealer"] = case["players"][:2], 1
    return not replay(case)["rejected"]


@pytest.mark.parametrize(("game", "preset"), EVERY)
def test_the_engine_pays_what_the_oracle_pays(game, preset):
    newer = engine_knows_newer_rules(game)
    compared = 0
    for seed in range(24):
        rng = random.Random(f"{game} {preset} {seed}")
        mix = MIXES[seed % len(MIXES)] if newer else "careful"
        sitting = play_sitting(setup_by_chance(game, preset, rng), mix, rng, 1)
        (hand,) = sitting.hands
        if not newer and NEWER & hand.tally.keys():
            continue
        found = truth_told(sitting)
        (judged,), _ = judge(sitting, found)
        assert judged.verdict in RIGHT, (seed, judged.verdict, judged.why, found.out)
        compared += 1
    assert compared >= 8


@pytest.mark.parametrize("custom", bank_customs(), ids=lambda c: "-".join(map(str, c.values())))
def test_every_custom_of_the_bank_is_paid_as_the_oracle_pays(custom):
    """Three rounds of each mix, whose bank goes where the custom says."""
    for mix in MIXES:
        rng = random.Random(f"{mix} {custom}")
        more = {"banker_loses": rng.choice(("any", "net")), "banker_must_roll": rng.random() < 0.5}
        setup = setup_by_chance("knucklebones", "west-kingdom", rng, {**custom, **more})
        sitting = play_sitting(setup, mix, rng, 3)
        found = truth_told(sitting)
        judged, unjudged = judge(sitting, found)
        assert [each.verdict in RIGHT for each in judged] == [True] * 3, (mix, more, judged)
        assert not unjudged


def test_the_customs_of_the_bank_are_all_that_the_game_has():
    options = {info.name: info for info in describe(catalog.find("knucklebones").options_type)}
    for name in bank_customs()[0]:
        assert {each[name] for each in bank_customs()} == set(options[name].choices.values)
    assert len(bank_customs()) == 64


@pytest.mark.parametrize(("game", "preset"), EVERY)
def test_people_play_by_the_options_of_the_preset(game, preset):
    rules = catalog.find(game)
    theirs = catalog.make_options(rules, catalog.find_preset(rules, preset), {})
    ours = options_of(game, preset)
    if not hasattr(theirs, "bank_passes"):  # an engine of 0.1
        ours.pop("bank_passes", None)
    assert {key: getattr(theirs, key) for key in ours} == ours


@pytest.mark.parametrize("game", PRESETS)
def test_people_know_every_preset(game):
    assert set(PRESETS[game]) == {preset.name for preset in catalog.find(game).presets}
