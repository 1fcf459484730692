"""What holds in every round of every preset of Thirty-one, in random play."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    TABLE,
    Correct,
    IllegalActionError,
    Phase,
    Undo,
    apply,
    deck,
    find_inconsistencies,
    view,
)
from engine.games.catalog import find
from engine.games.scat.play import ScatPlay
from engine.records.referee import state_record
from engine.table.visibility import actions_for
from tests.support import invariants
from tests.support.scat_walker import Walker, allowed, candidates

pytestmark = pytest.mark.slow

PRESETS = [preset.name for preset in find("scat").presets]
VARIATIONS = [
    {},
    {"decks": 2, "double_loss_last": "county"},
    {"first_knock": "forbidden", "double_blitz": "eldest_only", "next_dealer": "same"},
    {"own_discard": "always", "return_discard": True, "blitz_others": "zero"},
    {"blitz_after_knock": "ends", "dealt_blitz": "after_first_turn", "post_knock_31": 6},
    {"swap_face": "same", "all_out": "split", "draw_pot": "carry", "knock_tie": "all_lose"},
    {"stop_timing": "after_swap", "knock_tie": "both", "three_kind": "value"},
    {"must_swap": True, "high_tie": "highest_card", "ante": 3, "blitz_bonus": 0},
]
walks = given(st.integers(0, 10**6), st.sampled_from(PRESETS), st.sampled_from(VARIATIONS))
few = settings(max_examples=15, deadline=None)


def walk(seed, preset, options, count=70):
    return Walker(seed, preset, options).steps(count)


@walks
@few
def test_no_play_ends_in_a_problem_and_tokens_sum_to_zero_with_the_pot(seed, preset, options):
    for _, _, after in walk(seed, preset, options):
        assert find_inconsistencies(after) == ()
        ledger = after.ledger
        assert sum(dict(ledger.entries).values()) + ledger.pot == 0
        for hand in after.hands:
            assert sum(tokens for _, tokens in hand.settlement) + hand.to_pot == 0
        standing = after.round.standing
        assert sum(tokens for _, tokens in standing.settlement) == 0
        if after.outcome is None:  # an earlier hand put right counts once this one is over
            standing = after.round.counted or standing
        assert standing.pot == ledger.pot


@walks
@few
def test_no_card_is_lost_or_made(seed, preset, options):
    """Stock and all that left it are a whole pack; nobody holds too much at their turn's end."""
    for _, _, after in walk(seed, preset, options):
        play = after.round.play
        if play is None:
            continue
        held = sum(len(hand.cards) for hand in play.hands)
        lying = sum(len(places) for _, places in play.piles) + len(play.discards)
        total = play.stock + held + lying + renewed(play, after)
        assert total == play.options.deck * play.options.decks
        for hand in play.hands:
            extra = hand.seat == play.turn and play.drawn is not None
            if (
                play.phase is not Phase.DEAL
            ):  # what was drawn may be thrown in with the hand (SC-27)
                assert len(hand.cards) in ((3, 4) if hand.out else (3 + extra,))
        assert max(Counter(play.seen()).values(), default=0) <= play.options.decks


def renewed(play: ScatPlay, state) -> int:
    """Cards that left the game, read or not: three for each renewal that counts."""
    if play.options.table != "switch":
        return 0
    used = play.stock + sum(len(hand.cards) for hand in play.hands)
    used += sum(len(places) for _, places in play.piles)
    missing = play.options.deck * play.options.decks - used
    assert missing % 3 == 0
    assert missing >= len(play.gone)
    return missing


@walks
@few
def test_folding_the_events_again_gives_the_same_state(seed, preset, options):
    walker = Walker(seed, preset, options)
    invariants.folds_again(walker.state, walker.steps(70))


@walks
@few
def test_undo_is_the_inverse_of_everything_but_a_new_hand(seed, preset, options):
    invariants.undo_takes_back(walk(seed, preset, options))


@walks
@few
def test_apply_never_changes_its_argument(seed, preset, options):
    invariants.apply_changes_nothing(walk(seed, preset, options, count=25))


@walks
@few
def test_what_is_listed_is_taken_and_what_is_not_is_refused(seed, preset, options):
    walker = Walker(seed, preset, options)
    for number, (_, _, state) in enumerate(walker.steps(60)):
        if number % 4 != seed % 4:  # every state would take long, and they are much alike
            continue
        for event in candidates(walker, state):
            assert (refused(state, event) is None) == allowed(state, event), event


def refused(state, event) -> IllegalActionError | None:
    try:
        apply(state, event)
    except IllegalActionError as refusal:
        return refusal
    return None


@walks
@few
def test_every_refusal_has_a_code_and_says_what_to_do(seed, preset, options):
    walker = Walker(seed, preset, options)
    for number, (_, _, state) in enumerate(walker.steps(40)):
        if number % 8 != seed % 8:
            continue
        for event in candidates(walker, state):
            refusal = refused(state, event)
            if refusal is not None:
                assert refusal.code.replace("_", "").isalnum()
                assert refusal.code.isupper()
                assert re.search(r"[;:,] ", str(refusal)), str(refusal)
                named = set(re.findall(r"\b[A2-9TJQK][SHDC]\b", str(refusal)))
                assert named <= public_cards(state) | set(re.findall("Card\\((..)\\)", repr(event)))


def public_cards(state) -> set[str]:
    """The cards that everybody at the table knows of."""
    return set(re.findall(r"Card\((..)\)", repr(view(state, TABLE))))


@walks
@few
def test_a_correction_keeps_to_one_card_and_can_be_taken_back(seed, preset, options):
    walker = Walker(seed, preset, {**options, "decks": 1})
    for _, _, state in walker.steps(60):
        play = state.round.play
        if play is None or state.phase is Phase.CUT or walker.rng.random() < 0.7:
            continue
        here = [card for card in play.seen() if any(walker_reads(state, card))]
        if not here:
            continue
        was, card = walker.rng.choice(here), walker.unseen(state)[0]
        after = apply(state, Correct(was, card))
        assert was not in set(after.round.play.seen())
        assert len(after.round.raw) == len(state.round.raw)
        assert apply(after, Undo()).round == state.round
        assert find_inconsistencies(after) == ()


def walker_reads(state, card):
    """Whether the card was read in this hand, and does not lie there since the last (SW-8)."""
    for event in state.round.raw:
        for name in ("card", "cards", "give", "got", "gave", "shown", "take"):
            value = getattr(event, name, None)
            yield value == card or (isinstance(value, tuple) and card in value)


# --- what the table may see -----------------------------------------------------------------------


def with_hidden_cards_swapped(state, rng):
    """The same table with other cards where only backs lie."""
    play = state.round.play

    def other(card):
        return None if card is None else rng.choice(deck())

    hands = []
    for hand in play.hands:
        pairs = zip(hand.cards, hand.known, strict=True)
        cards = tuple(card if known else other(card) for card, known in pairs)
        hands.append(hand if hand.shown else replace(hand, cards=cards))
    piles = tuple(
        (name, tuple(p if p.up else replace(p, card=other(p.card)) for p in places))
        for name, places in play.piles
    )
    swapped = replace(play, hands=tuple(hands), piles=piles)
    return replace(state, round=replace(state.round, play=swapped))


@walks
@few
def test_the_table_never_sees_an_unshown_card(seed, preset, options):
    rng = random.Random(seed)
    for _, _, state in walk(seed, preset, options):
        play = state.round.play
        if play is None or state.phase is Phase.DONE:
            continue
        swapped = with_hidden_cards_swapped(state, rng)
        assert view(swapped, TABLE) == view(state, TABLE)
        assert actions_for(swapped, TABLE) == actions_for(state, TABLE)
        public = {"phase", "dealer", "turn", "to_cut", "to_reveal", "out", "public", "stock"}
        public |= {"top", "knocker", "table_A", "table_B", "table_widow", "table_table"}
        one, other = state_record(swapped), state_record(state)
        assert {key: one[key] for key in public} == {key: other[key] for key in public}


@walks
@few
def test_a_seat_sees_its_own_cards_and_no_other_unshown_one(seed, preset, options):
    rng = random.Random(seed)
    for _, _, state in walk(seed, preset, options, count=40):
        play = state.round.play
        if play is None or state.phase is Phase.DONE:
            continue
        swapped = with_hidden_cards_swapped(state, rng)
        for hand in play.hands:
            kept = swapped.round.play
            own = tuple(play.hand(h.seat) if h.seat == hand.seat else h for h in kept.hands)
            piles = kept.piles
            if hand.seat == play.dealer:  # they look at both their hands
                second = dict(play.piles).get("second", ())
                piles = tuple((n, second if n == "second" else p) for n, p in piles)
            mine = replace(kept, hands=own, piles=piles)
            other = replace(swapped, round=replace(swapped.round, play=mine))
            assert view(other, hand.seat) == view(state, hand.seat)
            assert actions_for(other, hand.seat) == actions_for(state, hand.seat)
            assert view(state, hand.seat).seat(hand.seat).cards == hand.cards


@pytest.mark.parametrize("preset", PRESETS)
def test_random_play_reaches_the_end_of_many_hands(preset):
    """The walker must not be stuck in the first deal, or the properties would say little."""
    ends = Counter()
    for seed in range(6):
        walker = Walker(seed, preset, {})
        for _ in walker.steps(150):
            pass
        ends.update(str(hand.end) for hand in walker.state.hands)
    assert ends["showdown"] >= 3
    assert sum(ends.values()) >= 8
