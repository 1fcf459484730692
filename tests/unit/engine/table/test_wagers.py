"""Side wagers: when they are decided, how, and what is due after a correction (rule WL-7)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine import Card, Correct, IllegalActionError, State, apply
from engine.core.events import Entry
from engine.records.codec import event_from_dict
from engine.records.referee import table_of
from engine.table.wagers import (
    Course,
    Verdict,
    Wager,
    WagerError,
    check_wager,
    course_of,
    due,
    in_match,
    judge,
)
from tests.support.rulebook import golden_cases
from tests.support.scat_notation import dealt, go_on, sit

ANN, BESS, CECIL, DOLL = range(4)
WINS = Wager(CECIL, DOLL, 2, ANN)
"""Cecil bets Doll 2 that Ann wins."""
FURTHER = Wager(CECIL, DOLL, 3, ANN, BESS)
"""Cecil bets Doll 3 that Ann goes further than Bess."""


@pytest.mark.parametrize(
    ("wager", "out", "left", "winner", "verdict"),
    [
        pytest.param(WINS, {}, {}, None, "open", id="nobody is out"),
        pytest.param(WINS, {BESS: (1, 0)}, {}, None, "open", id="another is out"),
        pytest.param(WINS, {ANN: (1, 0)}, {}, None, "lost", id="at once when she is out"),
        pytest.param(WINS, {BESS: (1, 0), CECIL: (2, 0), DOLL: (3, 0)}, {}, ANN, "won", id="wins"),
        pytest.param(WINS, {s: (3, 0) for s in range(4)}, {}, None, "lost", id="a shared match"),
        pytest.param(FURTHER, {}, {}, None, "open", id="both are in"),
        pytest.param(FURTHER, {BESS: (2, 0)}, {}, None, "won", id="the other is out"),
        pytest.param(FURTHER, {ANN: (2, 0)}, {}, None, "lost", id="she is out"),
        pytest.param(FURTHER, {ANN: (2, 0), BESS: (2, 0)}, {}, None, "even", id="the same hand"),
        pytest.param(FURTHER, {ANN: (3, 0), BESS: (2, 0)}, {}, None, "won", id="one hand later"),
        pytest.param(FURTHER, {ANN: (2, 0), BESS: (2, 1)}, {}, None, "lost", id="left after it"),
        pytest.param(FURTHER, {CECIL: (2, 0)}, {}, None, "open", id="who bet may be out"),
        pytest.param(WINS, {}, {CECIL: (1, 1)}, None, "void", id="one left"),
        pytest.param(WINS, {}, {DOLL: (1, -1)}, None, "void", id="the other left in mid-hand"),
        pytest.param(WINS, {ANN: (2, 0)}, {DOLL: (2, -1)}, None, "void", id="left in that hand"),
        pytest.param(WINS, {ANN: (2, 0)}, {DOLL: (2, 1)}, None, "lost", id="left after the end"),
        pytest.param(WINS, {}, {BESS: (1, 1)}, None, "open", id="somebody else left"),
        pytest.param(
            Wager(ANN, BESS, 1, ANN), {ANN: (1, 1)}, {ANN: (1, 1)}, None, "void", id="on oneself"
        ),
    ],
)
def test_wl7_decided_by_the_match(wager, out, left, winner, verdict) -> None:
    course = Course(out, left, winner)
    assert judge(wager, course) == verdict
    assert due(wager, course) == {"won": wager.tokens, "lost": -wager.tokens}.get(verdict, 0)
    turned = replace(wager, bettor=wager.other, other=wager.bettor)
    assert judge(turned, course) == verdict, "it stands the same whoever says it"


def test_wl7_goes_further_is_the_same_bet_from_the_other_side() -> None:
    for out in ({ANN: (1, 0)}, {BESS: (1, 0)}, {ANN: (2, 0), BESS: (2, 0)}, {}):
        course = Course(out)
        other_way = Wager(DOLL, CECIL, 3, BESS, ANN)
        assert due(FURTHER, course) == -due(other_way, course)


# Played matches


HANDS = {ANN: "KH QH 2C", BESS: "5D 6D 7S", CECIL: "9S 8S 3H", DOLL: "TC 9C 4D"}  # 20 11 17 19


def play(script: str = "k0 s1 s2 s3", **start: Any) -> State:
    """A hand of four that Bess loses."""
    lives = start.pop("lives", {ANN: 3, BESS: 1, CECIL: 1, DOLL: 1})
    begun = {"lives": {str(seat): count for seat, count in lives.items()}, **start}
    return sit(script, HANDS, preset="west-lansing", up="4C", start=begun)


def test_wl7_out_at_the_end_of_the_hand_that_took_the_last_life() -> None:
    state = play("")
    assert in_match(state) == (ANN, BESS, CECIL, DOLL)
    assert course_of(state) == Course()
    state = go_on(state, "k0 s1 s2 s3")
    assert course_of(state) == Course({BESS: (1, 0)})
    assert in_match(state) == (ANN, CECIL, DOLL)


def test_wl7_a_correction_changes_who_went_further_and_undo_changes_it_back() -> None:
    wager = Wager(BESS, DOLL, 2, CECIL, BESS)  # she bets against herself
    state = play()
    assert due(wager, course_of(state)) == 2
    equal = go_on(state, "fix1:5D>AD")  # 17, as much as Cecil: both are out
    assert judge(wager, course_of(equal)) is Verdict.EVEN
    better = go_on(state, "fix1:7S>7D")  # 18: Cecil alone is lowest
    assert due(wager, course_of(better)) == -2
    assert due(wager, course_of(go_on(better, "undo"))) == 2


def test_wl7_who_leaves_is_out_from_then_on() -> None:
    state = play("k0 s1 s2 s3 leave2 leave1")
    assert course_of(state) == Course({BESS: (1, 0), CECIL: (1, 1)}, {CECIL: (1, 1), BESS: (1, 2)})
    wager = Wager(BESS, DOLL, 1, CECIL, BESS)
    assert due(wager, course_of(state)) == 1, "decided before anybody left"
    state = play("k0 leave2")
    assert course_of(state) == Course({}, {CECIL: (1, -1)}), "a hand goes on"
    state = go_on(state, "s1 s3")
    assert course_of(state) == Course({BESS: (1, 0), CECIL: (1, 0)}, {CECIL: (1, -1)})


def test_wl7_who_was_out_before_the_first_hand_went_least_far() -> None:
    hands = {seat: HANDS[seat] for seat in (ANN, CECIL, DOLL)}
    state = sit(
        "",
        {},
        seats=range(4),
        preset="west-lansing",
        start={"eliminated": [BESS]},
    )
    state = go_on(state, dealt(hands, DOLL) + " up:4C k0 s2 s3")
    assert course_of(state).out == {BESS: (0, 0)}


def test_wl7_the_winner_of_the_match_ends_it() -> None:
    lives = {ANN: 1, BESS: 1, CECIL: 1, DOLL: 1}
    state = play("k0 s1 s2 s3 leave2 leave3", lives=lives)
    assert course_of(state).winner == ANN
    assert due(Wager(BESS, ANN, 4, ANN), course_of(state)) == 4
    assert in_match(state) == ()
    state = go_on(state, "leave0")
    assert due(Wager(BESS, ANN, 4, ANN), course_of(state)) == 4, "it was decided"


def test_wl7_hands_played_since_a_match_was_won_after_all_count_for_nothing() -> None:
    two = {seat: HANDS[seat] for seat in (ANN, BESS)}
    begun = {"lives": {"0": 2, "1": 3}}
    state = sit("k0 s1 next", two, preset="west-lansing", start=begun)
    state = go_on(state, dealt({0: "KD QD 2S", 1: "5H 6H 7C"}, 0) + " up:4S k1 s0")
    wager = Wager(ANN, BESS, 5, ANN)
    assert due(wager, course_of(state)) == 5, "Bess has lost one life, then two as the knocker"
    after = apply(state, Correct(Card.parse("7S"), Card.parse("AD"), BESS, 1))
    assert course_of(after) == Course({ANN: (1, 0)}, {}, BESS), "Ann knocked and lost both"
    assert due(wager, course_of(after)) == -5


@pytest.mark.parametrize(
    ("wager", "said"),
    [
        (Wager(ANN, ANN, 1, BESS), "two players"),
        (Wager(ANN, 7, 1, BESS), "two players"),
        (Wager(ANN, BESS, 1, 7), "players in the match"),
        (Wager(ANN, BESS, 1, CECIL, CECIL), "players in the match"),
        (Wager(ANN, BESS, 0, CECIL), "whole tokens"),
        (Wager(ANN, BESS, -3, CECIL), "whole tokens"),
        (Wager(ANN, BESS, 10**12, CECIL), "whole tokens"),
    ],
)
def test_a_wager_nobody_can_make_is_refused(wager, said) -> None:
    with pytest.raises(WagerError, match=said):
        check_wager(wager, play(""))


def test_who_is_out_may_bet_but_nobody_on_them() -> None:
    state = play()
    check_wager(Wager(BESS, ANN, 1, CECIL), state)
    with pytest.raises(WagerError, match="players in the match"):
        check_wager(Wager(ANN, CECIL, 1, BESS), state)
    with pytest.raises(WagerError, match="two players"):
        check_wager(Wager(BESS, ANN, 1, CECIL), go_on(state, "leave1"))


@pytest.mark.parametrize("preset", ["no-elimination", "banking"])
def test_without_lives_there_is_nothing_to_bet_on(preset) -> None:
    state = sit("", {}, seats=range(3), preset=preset)
    assert in_match(state) == ()
    with pytest.raises(WagerError, match="no match"):
        check_wager(Wager(0, 1, 1, 2), state)


# The golden cases


@pytest.mark.parametrize(
    ("case", "wager", "entries"),
    [
        ("sc-115", Wager(CECIL, BESS, 2, ANN), 1),
        ("sc-116", Wager(ANN, BESS, 1, ANN), 2),
    ],
)
def test_golden_entries_are_those_that_are_due(case, wager, entries) -> None:
    found = {each["id"]: each for each in golden_cases().get("west-lansing", ())}.get(case)
    if found is None:
        pytest.skip("the golden cases do not lie beside the project")
    state, paid, seen = table_of(found), 0, 0
    for each in found["events"]:
        event = event_from_dict(each)
        if isinstance(event, Entry) and sum(net for _, net in event.tokens) == 0:
            more = due(wager, course_of(state)) - paid
            assert dict(event.tokens) == {wager.bettor: more, wager.other: -more}
            paid, seen = paid + more, seen + 1
        try:
            state = apply(state, event)
        except IllegalActionError:
            assert isinstance(event, Entry)
    assert seen == entries
    assert due(wager, course_of(state)) == paid
