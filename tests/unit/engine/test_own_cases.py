"""Our own cases, worked out by hand from the book: Thirty-one with its variants, knucklebones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine import apply, legal_actions
from engine.records.codec import event_from_dict
from engine.records.referee import cases_of, differences, replay, table_of

FOLDER = Path(__file__).parent / "cases"
FILES = sorted(FOLDER.glob("*.json"))
CASES = [
    (path.stem, case)
    for path in FILES
    for case in cases_of(json.loads(path.read_text(encoding="utf-8")))
]


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for _, case in CASES])
def test_a_case_of_our_own_comes_out_as_the_book_says(case: dict[str, Any]) -> None:
    found = replay(case)
    assert differences(case, found) == []
    for refusal in found["rejected"]:
        assert refusal["message"].strip(), "a refusal without a word helps no dealer"


def test_every_case_expects_something_and_says_why() -> None:
    assert len({case["id"] for _, case in CASES}) == len(CASES) >= 120
    for group, case in CASES:
        expect = case["expect"]
        assert all(case[key] for key in ("why", "title", "rules")), (group, case["id"])
        assert expect["hands"] or expect.get("state") or expect["rejected"], (group, case["id"])


def test_a_case_fails_when_the_hand_ends_otherwise() -> None:
    """The comparison itself must bite, or the cases above would prove nothing."""
    for _, case in CASES:
        hands = case["expect"]["hands"]
        if hands:
            wrong = {**case["expect"], "hands": [{**hands[0], "end": "cut"}, *hands[1:]]}
            said = differences({**case, "expect": wrong}, replay(case))
            assert [line.split(":")[0] for line in said] == ["hands[0].end"], case["id"]


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
