"""Whole rounds of random play, scored again from the hands laid open (SC, CQ, BK, NE, SB)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine import Phase
from engine.games.catalog import find
from tests.support.scat_reference import (
    plain_blitz_points,
    plain_brag,
    plain_loss,
    plain_points,
    plain_pot,
    plain_value,
    plainly_gone,
)
from tests.support.scat_walker import Walker

PRESETS = [preset.name for preset in find("scat").presets]
VARIATIONS = [
    {},
    {"knock_tie": "both", "free_ride": False, "three_kind": "rank"},
    {"knock_tie": "all_lose", "knock_penalty": 1, "double_loss_last": "county", "all_out": "split"},
    {"blitz_after_knock": "ends", "post_knock_31": 6, "ante": 2, "blitz_bonus": 3, "decks": 2},
    {"draw_pot": "carry", "high_tie": "eldest", "deck": 32, "blitz_others": "zero"},
]


def finished(seed, preset, options, count=150):
    """Iterate over ``(options, play, outcome, standing)`` of the hands that counted.

    A correction may end a hand anew whose players have gone home since: they are out of the match,
    as if they had left in it. What is counted again stands in ``table/test_counted_again.py``.
    """
    for before, _, after in Walker(seed, preset, options).steps(count):
        ended = after.phase is Phase.DONE and before.phase is not Phase.DONE
        if ended and after.round.misdeal is None and after.round.counted is None:
            play = after.round.play
            there = {player.seat for player in after.players}
            home = [hand.seat for hand in play.hands if hand.seat not in there]
            play = replace(play, standing=with_out(play.standing, home))
            yield play.options, play, after.outcome, after.round.standing


def with_out(standing, seats):
    out = {*standing.eliminated, *seats}
    return replace(standing, eliminated=tuple(sorted(out)))


def strengths(options, play):
    """What is compared, of everybody still in; ``None`` if a card was never read.

    A hand thrown in is below all others, and the last one held is the best unseen (SC-27).
    """
    found = {}
    nothing, best = ((-1,), (99,)) if options.ranking == "brag" else (-1, 99)
    held = [hand for hand in play.hands if not hand.out]
    for hand in play.hands:
        if hand.left:
            continue
        if hand.out:
            found[hand.seat] = nothing
        elif None in hand.cards:
            if len(held) > 1:
                return None
            found[hand.seat] = best
        else:
            found[hand.seat] = (
                plain_brag(hand.cards, options.run_a23, options.prial_threes_top)
                if options.ranking == "brag"
                else plain_value(hand.cards, options.three_kind, options.three_kind_suits)
            )
    return found


def check_lives(options, play, outcome, standing):
    before, found = dict(play.standing.lives), outcome.details
    values = strengths(options, play)
    active = [hand.seat for hand in play.hands if not hand.left]
    lost = dict.fromkeys(active, 0)
    if outcome.end == "blitz":
        for seat in active:
            if seat not in outcome.winners:
                lost[seat] = options.knock_penalty if seat == play.knocker else 1
    elif outcome.end in ("showdown", "out-of-gate"):
        lost = {
            seat: plain_loss(seat, values, play.knocker, options.knock_penalty, options.knock_tie)
            for seat in active
        }
    ride, last = options.free_ride, options.double_loss_last
    gone = {seat for seat in active if plainly_gone(before[seat], lost[seat], ride, last)}
    void = gone == set(active) and options.all_out == "void"
    if void:
        lost, gone = dict.fromkeys(active, 0), set()
    after = {seat: max(0, count - lost.get(seat, 0)) for seat, count in before.items()}
    assert found.void is void
    assert dict(found.lost) == {seat: count for seat, count in lost.items() if count}
    assert dict(found.lives) == dict(standing.lives) == after
    assert set(found.eliminated) == gone
    county = {seat for seat in active if after[seat] == 0 and seat not in gone}
    assert set(found.county) == county
    check_match(options, play, standing, gone)


def check_match(options, play, standing, gone):
    entrants = dict(standing.lives)
    left = {hand.seat for hand in play.hands if hand.left}
    out = set(play.standing.eliminated) | gone | left
    still = [seat for seat in entrants if seat not in out]
    assert set(standing.eliminated) == out
    assert standing.over is (len(still) <= 1)
    if standing.over:
        pot = options.buy_in * len(entrants)
        sharers = still or [s for s in play.order if s in gone]
        got = dict(standing.settlement)
        assert sum(got.values()) == 0
        assert sum(got[seat] + options.buy_in for seat in sharers) == pot
        assert standing.winner == (still[0] if still else None)


def check_points(options, play, outcome, standing):
    values = strengths(options, play)
    active = [hand.seat for hand in play.hands if not hand.left]
    gained = dict.fromkeys((hand.seat for hand in play.hands), 0)
    if outcome.end == "blitz":
        for seat in active:
            gained[seat] = plain_blitz_points(
                seat, values or {}, outcome.winners, play.knocker, options.blitz_others
            )
    elif outcome.end in ("showdown", "out-of-gate"):
        for seat in active:
            gained[seat] = plain_points(seat, values, play.knocker, options.post_knock_31)
    gained |= {hand.seat: 0 for hand in play.hands if hand.out}  # thrown in: SC-27
    assert dict(outcome.details.gained) == gained
    before = dict(play.standing.points)
    for seat, count in standing.points:
        assert count == before.get(seat, 0) + gained.get(seat, 0)


def check_pot(options, play, outcome, standing):
    values = strengths(options, play)
    seats, carried = [hand.seat for hand in play.hands], play.standing.pot
    if outcome.end == "draw":
        paid = options.ante if options.draw_pot == "carry" else 0
        assert dict(outcome.settlement) == dict.fromkeys(seats, -paid)
        assert standing.pot == carried + paid * len(seats)
        return
    winners = list(outcome.winners)
    if outcome.end in ("showdown", "out-of-gate"):
        best = [s for s in play.order if values.get(s) == max(values.values())]
        winners = best[:1] if options.high_tie == "eldest" else best
        assert list(outcome.winners) == winners
    bonus = options.blitz_bonus if outcome.end == "blitz" else 0
    assert dict(outcome.settlement) == plain_pot(seats, winners, options.ante, bonus, carried)
    assert standing.pot == 0


CHECKS = {"lives": check_lives, "points": check_points, "ante": check_pot}


@example(885, "wikipedia", VARIATIONS[3])
@given(st.integers(0, 10**6), st.sampled_from(PRESETS), st.sampled_from(VARIATIONS))
@settings(max_examples=25, deadline=None)
def test_every_round_comes_out_as_the_plain_scorer_says(seed, preset, options):
    for agreed, play, outcome, standing in finished(seed, preset, options):
        CHECKS[agreed.scoring](agreed, play, outcome, standing)
        for hand in play.hands:
            value = dict(outcome.totals)[hand.seat]
            if hand.out or None in hand.cards:
                assert value is None
            else:
                kind = agreed.three_kind, agreed.three_kind_suits
                assert value == plain_value(hand.cards, *kind)


@pytest.mark.parametrize("preset", ["wikipedia", "banking", "no-elimination", "stop-the-bus"])
def test_the_scorer_meets_many_rounds(preset):
    ends = Counter()
    for seed in range(4):
        for _, _, outcome, _ in finished(seed, preset, {}):
            ends[str(outcome.end)] += 1
    assert ends["showdown"] >= 2
