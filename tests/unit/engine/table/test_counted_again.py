"""Hands put right later, and entries: what is counted again, said once more in plain words."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.games.catalog import find
from tests.support.scat_walker import Walker

PRESETS = [preset.name for preset in find("scat").presets if preset.name != "switch"]
OPTIONS = [
    {},
    {"double_loss_last": "county", "draw_pot": "carry"},
    {"all_out": "split", "knock_tie": "both"},
    {"all_out": "void", "knock_tie": "all_lose"},
]


def plain_match(state):
    """Lives, who is out, and who won, by what each hand charged (rules SC-19 to SC-21, G-23)."""
    options, first = state.setup.options, state.setup.game.match.read(
        state.setup.options, state.setup.players, state.setup.start
    )  # fmt: skip
    lives, out = dict(first.lives), set(first.eliminated)
    hands = [(past.hand, past.outcome) for past in state.book.played]
    if state.outcome is not None:
        hands.append((state.round, state.outcome))
    over = False
    for hand, ended in hands:
        still = [seat for seat in lives if seat not in out]
        departed = {each.seat for each in hand.play.hands if each.left}
        gone = set()
        after = dict(lives)
        for seat, count in () if ended.end == "misdeal" or over else ended.details.lost:
            if seat in out:
                continue
            after[seat] = max(0, lives[seat] - count)
            if options.free_ride and lives[seat] > 0:
                rides = count == lives[seat] or options.double_loss_last == "county"
                beyond = count >= lives[seat] and not rides
            else:
                beyond = count >= lives[seat]
            if beyond:
                gone.add(seat)
        if options.all_out == "void" and gone and gone == set(still) - departed:
            gone, after = set(), dict(lives)
        lives = after
        leavers = departed | {one.seat for one in hand.since if one.kind == "leave"}
        for some in (gone | departed, leavers):
            over = over or len([seat for seat in still if seat not in out]) < 2
            if not over:
                out |= some & set(still)
        over = over or len([seat for seat in still if seat not in out]) < 2
    return lives, out, over


@given(st.integers(0, 10**6), st.sampled_from(PRESETS), st.sampled_from(OPTIONS))
@settings(max_examples=60, deadline=None)
def test_g23_the_match_is_what_the_hands_charged(seed, preset, options):
    for _, event, after in Walker(seed, preset, options).steps(150):
        last = after.outcome
        if last is None or after.setup.options.scoring != "lives":
            continue
        lives, out, over = plain_match(after)
        standing = after.round.standing
        assert dict(standing.lives) == lives, event
        assert standing.over is over, event
        if not over:
            assert set(standing.eliminated) == out, event
