"""Lives, points and pots against rules written out seat by seat (SC-7 to SC-11, SC-20, NE, BK)."""

from __future__ import annotations

from itertools import product

import pytest

from engine.core.payments import net_tokens
from engine.games.scat.settlement import (
    charge,
    lost_in_showdown,
    lost_to_blitz,
    points_in_showdown,
    points_of_blitz,
    pot_payments,
)
from tests.support.scat_reference import plain_blitz_points, plain_loss, plain_points, plainly_gone


def counts(scores):
    """Return lives or points by seat, without their reasons."""
    return {seat: n for seat, (n, _cause, _rules) in scores.items()}


VALUES = (10, 20, 31)
TABLES = [(count, values) for count in (2, 3, 4) for values in product(VALUES, repeat=count)]


@pytest.mark.parametrize("tie", ["safe", "both", "knocker_only", "all_lose"])
@pytest.mark.parametrize("penalty", [1, 2])
def test_sc7_to_sc10_lives_of_every_situation_of_two_to_four_players(tie, penalty):
    for count, given in TABLES:
        values = dict(enumerate(given))
        for knocker in (None, 9, *range(count)):  # 9 has left: their knock stands (SC-26)
            found = counts(lost_in_showdown(values, knocker, penalty, tie))
            expected = {seat: plain_loss(seat, values, knocker, penalty, tie) for seat in values}
            assert {seat: found.get(seat, 0) for seat in values} == expected, (values, knocker)
            assert set(found) <= set(values)


def test_sc11_cq3_a_blitz_costs_everybody_else_one_and_the_knocker_his_penalty():
    assert counts(lost_to_blitz([0, 1, 2], (1,), None, 2)) == {0: 1, 2: 1}
    assert counts(lost_to_blitz([0, 1, 2], (1, 2), None, 2)) == {0: 1}
    assert counts(lost_to_blitz([0, 1, 2], (1,), 2, 2)) == {0: 1, 2: 2}
    assert counts(lost_to_blitz([0, 1, 2], (1,), 2, 1)) == {0: 1, 2: 1}


@pytest.mark.parametrize("free_ride", [True, False])
@pytest.mark.parametrize("last", ["out", "county"])
def test_sc19_sc20_what_is_left_of_lives(free_ride, last):
    for before, count in product(range(5), range(3)):
        if not before and not free_ride:
            continue  # they are out already
        left, gone = charge({0: before, 1: 3}, {0: count} if count else {}, free_ride, last)
        assert left == {0: max(0, before - count), 1: 3}
        assert (0 in gone) is plainly_gone(before, count, free_ride, last), (before, count)
        assert 1 not in gone


def test_ne1_to_ne3_points_of_every_situation_of_two_to_four_players():
    for count, given in TABLES:
        values = dict(enumerate(given))
        for knocker in (None, 9, *range(count)):
            found = counts(points_in_showdown(values, knocker))
            expected = {seat: plain_points(seat, values, knocker) for seat in values}
            assert found == expected, (values, knocker)


def test_ne4_points_of_a_blitz_in_every_situation_of_two_to_four_players():
    for others in ("rank", "zero"):
        for count, given in TABLES:
            values = dict(enumerate(given))
            for winners, knocker in product([(0,), (0, 1)], (None, *range(count))):
                found = counts(points_of_blitz(values, winners, knocker, others))
                for seat in values:
                    due = plain_blitz_points(seat, values, winners, knocker, others)
                    assert found[seat] == due, (values, winners, knocker)


def test_ne5_a_31_after_a_knock_may_be_worth_six():
    values = {0: 20, 1: 31, 2: 31, 3: 25}
    assert counts(points_in_showdown(values, 0, high=6)) == {0: 0, 1: 6, 2: 6, 3: 2}
    the_knockers_is_4 = points_in_showdown({0: 31, 1: 20}, 0, high=6)
    assert counts(the_knockers_is_4) == {0: 4, 1: 1}


def test_ne4_points_of_a_blitz():
    values = {0: 31, 1: 11, 2: 20, 3: 11}
    assert counts(points_of_blitz(values, (0,), None, "rank")) == {0: 6, 1: 2, 2: 2, 3: 2}
    assert counts(points_of_blitz({0: 31, 1: 11, 2: 20}, (0,), None, "rank")) == {0: 6, 1: 1, 2: 2}
    assert counts(points_of_blitz({0: 31, 1: 11}, (0,), None, "rank")) == {0: 6, 1: 1}
    assert counts(points_of_blitz(values, (0,), None, "zero")) == {0: 6, 1: 0, 2: 0, 3: 0}
    assert counts(points_of_blitz({0: 31, 1: 31}, (0, 1), None, "rank")) == {0: 6, 1: 6}
    assert counts(points_of_blitz({0: 31, 1: 11, 2: 20}, (0,), 1, "rank")) == {0: 6, 1: 0, 2: 2}


@pytest.mark.parametrize(("ante", "bonus", "carried"), list(product((1, 3), (0, 1, 2), (0, 7))))
def test_bk_every_pot_goes_out_whole_and_the_eldest_has_the_rest(ante, bonus, carried):
    for count in range(2, 6):
        for sharers in range(1, count + 1):
            winners = tuple(range(count))[-sharers:]
            net = net_tokens(pot_payments(range(count), ante, bonus, carried, winners))
            losers = [seat for seat in range(count) if seat not in winners]
            pot = count * ante + carried + len(losers) * bonus
            assert [net[seat] for seat in losers] == [-ante - bonus] * len(losers)
            taken = [net[seat] + ante for seat in winners]
            assert sum(taken) == pot
            assert taken[1:] == [pot // sharers] * (sharers - 1)
            assert sum(net.values()) == carried


def test_bk8_a_pot_nobody_takes_stays():
    assert net_tokens(pot_payments([0, 1], 2, 0, 5, ())) == {0: -2, 1: -2}
