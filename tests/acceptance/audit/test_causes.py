"""Which rule a payment names: each of them comes up in a written case that is about it."""

from __future__ import annotations

import json
import re

import pytest

from engine import Card, Deal, Have, Player, Stick, apply, event_from_dict, new_table
from engine.core.payments import Unit
from engine.core.refusals import IllegalActionError
from engine.records.referee import table_of
from engine.table.state import payments_of
from tests.acceptance.audit.audit_sessions import PAYING, ROOT
from tests.support.rulebook import BOOK, golden_cases

SOURCE = "".join(path.read_text(encoding="utf-8") for path in PAYING)
IDS = set(re.findall(r'"([A-Z]{1,2}-\d+)"', SOURCE))
OWN = ROOT / "tests/unit/engine/cases"


def states(case):
    """Every state of a case; what is refused changes nothing."""
    state = table_of(case)
    yield state
    for record in case["events"]:
        try:
            state = apply(state, event_from_dict(record))
        except IllegalActionError:
            continue
        yield state


def golden():
    return [case for group in golden_cases().values() for case in group]


def own():
    return [
        case
        for path in sorted(OWN.glob("*.json"))
        for case in json.loads(path.read_text(encoding="utf-8"))["cases"]
    ]


def named(case):
    """The rules that the payments of a case name, in its midst and at its end."""
    return {rule for state in states(case) for paid in payments_of(state) for rule in paid.rules}


def net(state):
    """Net tokens of the payments by seat, and what they leave in the pot."""
    seats, pot = {player.seat: 0 for player in state.round.players}, 0
    for paid in payments_of(state):
        if paid.unit is not Unit.TOKENS:
            continue
        assert paid.amount > 0
        for seat, amount in ((paid.payer, -paid.amount), (paid.payee, paid.amount)):
            if seat is None:
                pot += amount
            else:
                seats[seat] = seats.get(seat, 0) + amount
    return seats, pot


@pytest.mark.skipif(not BOOK.is_file(), reason="the golden cases lie beside the project only")
def test_a_case_about_a_rule_has_a_payment_that_names_it():
    """Of each rule that pays, at least one golden case; those are rules by which somebody pays."""
    about = {}
    for case in golden():
        for rule in set(case["rules"]) & IDS & named(case):
            about.setdefault(rule, case["id"])
    # No golden case is about these: their payments name them in the tests below.
    assert sorted(IDS - set(about)) == ["BK-8", "KB-6", "OT-15", "SC-25"]


@pytest.mark.parametrize("cases", [golden, own])
def test_the_payments_of_every_case_make_its_settlement(cases):
    written = cases()
    if not written:
        pytest.skip("the golden cases lie beside the project only")
    ends = 0
    for case in written:
        for state in states(case):
            last = state.outcome
            if last is None:
                continue
            ends += 1
            want = dict(last.settlement)
            for seat, tokens in (
                state.round.standing.settlement if state.round.standing.over else ()
            ):
                want[seat] = want.get(seat, 0) + tokens
            seats, pot = net(state)
            assert {s: n for s, n in seats.items() if n} == {s: n for s, n in want.items() if n}
            assert pot == last.to_pot, case["id"]
    assert ends > 50


def dealt(game, codes, **options):
    players = [Player(seat, name, 20 + seat) for seat, name in enumerate(("Ann", "Bess", "Cecil"))]
    state = new_table(game, players, dealer=2, options=options)
    for place, code in enumerate(codes.split()):
        face = "up" if game == "bone-ace" and place >= 6 else "down"
        record = {"e": "deal", "seat": place % 3, "card": code, "face": face}
        state = apply(state, event_from_dict(record))
    return state


def test_ba10_who_paid_for_the_bone_pays_one_stake_less_for_31():
    state = dealt("bone-ace", "9H TH JH 8D 9D 2D KC 3C 4C", cap_double="whole_hand")
    state = apply(state, Stick(0))
    for event in (Have(1), Deal(1, Card.parse("9S"))):
        state = apply(state, event)
    game = [paid for paid in payments_of(state) if paid.cause == "thirty-one"]
    assert [(paid.payer, paid.payee, paid.amount, paid.rules) for paid in game] == [
        (0, 1, 2, ("OT-9", "OT-10")),  # she holds the Bone and has paid nothing
        (2, 1, 1, ("OT-9", "OT-10", "BA-10")),
    ]


def test_ot15_the_older_person_wins_a_tie():
    state = dealt("one-and-thirty", "KH TH 2H 9D 9C 2D 5C 5D 4C", eldest_means="age")
    for seat in (1, 0, 2):  # the oldest but the dealer begins
        state = apply(state, Stick(seat))
    assert {paid.payee for paid in payments_of(state)} == {1}
    assert {paid.rules for paid in payments_of(state)} == {("OT-12", "OT-15")}


def test_kb6_who_goes_over_with_the_bones_he_chose():
    players = [Player(0, "Ann"), Player(1, "Bess"), Player(2, "Cecil")]
    state = new_table("knucklebones", players, dealer=2)
    for record in (
        {"e": "stake", "seat": 0, "amount": 4},
        {"e": "roll", "seat": 0, "faces": [4, 4, 4, 4, 4]},
        {"e": "choose", "seat": 0, "n": 1},
    ):
        state = apply(state, event_from_dict(record))
        assert payments_of(state) == ()
    state = apply(state, event_from_dict({"e": "roll", "seat": 0, "faces": [3]}))
    (paid,) = payments_of(state)
    assert (paid.payer, paid.payee, paid.amount, paid.rules) == (0, 2, 4, ("KB-6",))


def test_bk8_a_draw_gives_the_antes_back_and_sc25_a_pot_is_shared():
    banking = next(c for c in own() if "BK-8" in named(c))
    assert any(
        paid.payer is None and paid.rules == ("BK-8",)
        for state in states(banking)
        for paid in payments_of(state)
    )
    shared = next(c for c in own() if "SC-25" in named(c))
    last = [*states(shared)][-1]
    takers = [paid.payee for paid in payments_of(last) if paid.rules[0] == "SC-25"]
    assert len(takers) > 1
    assert sorted(takers) == sorted(set(takers))
