"""Everything that is wrong with a state is named at once, with a cure."""

from __future__ import annotations

from dataclasses import replace

from engine import Phase, find_inconsistencies


def broken(state, **changes):
    play = replace(state.round.play, **changes)
    return replace(state, round=replace(state.round, play=play))


def test_a_state_made_by_events_has_no_problems(sit, deal):
    assert find_inconsistencies(sit(deal("KH 9D 5C", "TD 8S 7H"), seats=2)) == ()


def test_all_problems_are_named_together(sit, deal, card):
    state = sit(deal("KH 9D 5C", "TD 8S 7H"), seats=2)
    one, other = state.round.play.hands
    doubled = replace(other, cards=(card("KH"), *other.cards[1:]))
    found = find_inconsistencies(broken(state, hands=(replace(one, out=True), doubled)))
    assert len(found) == 2
    assert "KH lies 2 times" in found[0]
    assert "correct one of the readings" in found[0]
    assert "the turn of seat 0, who is out" in found[1]


def test_a_hand_that_cannot_go_on(sit, deal):
    state = sit(deal("KH 9D 5C", "TD 8S 7H"), seats=2)
    assert "nobody's turn" in find_inconsistencies(broken(state, turn=None))[0]
    stuck = broken(state, turn=None, phase=Phase.SHOWDOWN)
    assert "nobody to show" in find_inconsistencies(stuck)[0]


def test_a_settlement_that_loses_tokens(sit, deal):
    state = sit(deal("KH 9D 5C", "TD 8S 7H") + " s0 s1 next", seats=2)
    (first,) = state.book.played
    wrong = replace(first, outcome=replace(first.outcome, settlement=((0, -1), (1, 2))))
    state = replace(state, book=replace(state.book, played=(wrong,)))
    assert "hand 1: the settlement" in find_inconsistencies(state)[0]
