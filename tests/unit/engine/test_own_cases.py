"""Our own cases, worked out by hand from the book: every rule of it, every option of every game."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from engine import apply, legal_actions
from engine.core.errors import BoneAceError
from engine.core.options import OneOf, OptionInfo, describe
from engine.games import catalog
from engine.games.base import Game
from engine.records.codec import event_from_dict
from engine.records.referee import cases_of, differences, replay, table_of
from tests.support.paths import ROOT

FOLDER = Path(__file__).parent / "cases"
FILES = sorted(FOLDER.glob("*.json"))
CASES = [
    (path.stem, case)
    for path in FILES
    for case in cases_of(json.loads(path.read_text(encoding="utf-8")))
]
RULE = re.compile(r"\b(?:[A-Z]{2}|G)-\d+\b(?! to )")
"""A rule's id; of a span ("OT-1 to OT-26") its end alone, which is named elsewhere too."""
OPTIONS = [
    pytest.param(game, info, id=f"{game.name}-{info.name}")
    for game in catalog.all_games()
    for info in describe(game.options_type)
    if not isinstance(info.choices, OneOf) or len(info.choices.values) > 1
]
BOUND = {"scoring": {"lives": 3}}
"""What else is agreed where an option is as usual."""
IDLE = {
    *((preset, "double_on_31") for preset in ("cotton", "cotton-ace-one")),
    *((preset, name) for preset in ("banking", "no-elimination") for name in ("lives", "buy_in")),
}
"""Of half a pool nothing is doubled (BA-6), and without lives nobody pays for them."""
CHANGES = [
    pytest.param(game, preset.name, info, id=f"{game.name}-{preset.name}-{info.name}")
    for game in catalog.all_games()
    for preset in game.presets
    for info in describe(game.options_type)
    if preset.changes.get(info.name, info.default) != info.default
    and (preset.name, info.name) not in IDLE
]


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for _, case in CASES])
def test_a_case_of_our_own_comes_out_as_the_book_says(case: dict[str, Any]) -> None:
    found = replay(case)
    assert differences(case, found) == []
    for refusal in found["rejected"]:
        assert refusal["message"].strip(), "a refusal without a word helps no dealer"
    hands = case["expect"]["hands"]
    if hands:  # the comparison itself must bite, or it proved nothing
        wrong = {**case["expect"], "hands": [{**hands[0], "end": "cut"}, *hands[1:]]}
        said = differences({**case, "expect": wrong}, found)
        assert [line.split(":")[0] for line in said] == ["hands[0].end"]


def test_every_case_expects_something_and_says_why() -> None:
    assert len({case["id"] for _, case in CASES}) == len(CASES) >= 450
    for group, case in CASES:
        expect = case["expect"]
        assert all(case[key] for key in ("why", "title", "rules")), (group, case["id"])
        assert expect["hands"] or expect.get("state") or expect["rejected"], (group, case["id"])


def test_every_rule_that_the_engine_names_has_a_case_of_our_own() -> None:
    """The list of the rules is what stands in the engine: none of it lies beside the project."""
    held = {rule for _, case in CASES for rule in case["rules"]}
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "engine").rglob("*.py")]
    named = {rule for source in sources for rule in RULE.findall(source)}
    assert named - held == set(), f"write a case for each of these rules into {FOLDER}"
    assert held - named == set(), "cases name rules that stand nowhere in engine/"


@pytest.mark.parametrize(("game", "info"), OPTIONS)
def test_every_value_of_an_option_decides_a_case(game: Game, info: OptionInfo) -> None:
    """Some case comes out otherwise as soon as its option is what it usually is.

    Of an option that is a whole number one value is enough.
    """
    named = isinstance(info.choices, OneOf)
    by_value: dict[object, list[dict[str, Any]]] = {}
    for case in (case for _, case in CASES if case["game"] == game.name):
        preset = catalog.find_preset(game, case.get("preset"))
        options = catalog.make_options(game, preset, case.get("options", {}))
        value = getattr(options, info.name)
        if value != info.default:
            by_value.setdefault(value if named else "any", []).append(case)
    wanted = {*info.choices.values} - {info.default} if named else {"any"}
    assert set(by_value) == wanted, (
        f"write a case of {game.name} into {FOLDER} with {info.name} agreed as each of these"
    )
    for value, cases in by_value.items():
        # Where few are agreed beside it, a case is likeliest to depend on it.
        cases.sort(key=lambda case: (info.name not in case.get("options", {}), len(case["events"])))
        assert any(depends_on(case, info) for case in cases), f"no case depends on {value!r}"


@pytest.mark.parametrize(("game", "preset", "info"), CHANGES)
def test_all_that_a_preset_changes_decides_a_case(
    game: Game, preset: str, info: OptionInfo
) -> None:
    cases = [
        case
        for _, case in CASES
        if (case["game"], case.get("preset")) == (game.name, preset)
        and info.name not in case.get("options", {})
    ]
    cases.sort(key=lambda case: len(case["events"]))
    assert any(depends_on(case, info) for case in cases), (
        f"write a case of {game.name} {preset} into {FOLDER} that ends otherwise where "
        f"{info.name} is {info.default}"
    )


def depends_on(case: dict[str, Any], info: OptionInfo) -> bool:
    usual = {**case.get("options", {}), info.name: info.default, **BOUND.get(info.name, {})}
    try:
        return differences(case, replay({**case, "options": usual})) != []
    except BoneAceError:
        return False  # the case cannot be played so, which shows nothing of its end


@pytest.mark.parametrize("decks", [1, 2])
def test_sc2_a_call_of_31_may_hold_two_aces_only_with_two_packs(decks: int) -> None:
    """At most 31: with two packs two aces and a nine, or a ten, are worth it too."""
    players = [{"seat": 0, "name": "Ann"}, {"seat": 1, "name": "Bess"}]
    case = {"game": "scat", "players": players, "dealer": 1, "options": {"decks": decks}}
    state = table_of(case)
    for seat, card in enumerate(["9S", "??", "??", "??", "??", "??"]):
        event = {"e": "deal", "seat": seat % 2, "card": card, "face": "down"}
        state = apply(state, event_from_dict(event))
    state = apply(state, event_from_dict({"e": "turn_up", "card": "3D"}))
    callers = [action.seat for action in legal_actions(state) if action.what == "31"]
    assert callers == ([1] if decks == 1 else [0, 1])
