"""Whether 31 may be claimed of a hidden hand is listed exactly: found again by trying every way."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations_with_replacement

import pytest

from engine import (
    Card,
    Claim,
    Deal,
    Declare,
    Facing,
    Have,
    IllegalActionError,
    Phase,
    Player,
    Stick,
    apply,
    deck,
    legal_actions,
    new_table,
)

VALUES = {1: (1,), 11: (11,), "1or11": (1, 11)}


def points(card, ace_value):
    return VALUES[ace_value] if card.rank.points == 1 else (card.rank.points,)


def some_hand_of_31(state, seat):
    """A hand of 31 that the cards nobody has seen can make of it; ``None``: there is none."""
    play, options = state.round.play, state.setup.options
    hand = play.hand(seat).cards
    left = Counter(deck() * options.decks)
    left.subtract(play.seen())
    kinds = {}
    for card, count in left.items():
        if count > 0:
            kinds.setdefault(card.rank.points, []).extend([card] * count)
    known = [card for card in hand if card is not None]
    for chosen in combinations_with_replacement(sorted(kinds), hand.count(None)):
        if any(len(kinds[each]) < count for each, count in Counter(chosen).items()):
            continue
        spare = {each: iter(cards) for each, cards in kinds.items()}
        unread = [next(spare[each]) for each in chosen]
        totals = {0}
        for card in [*known, *unread]:
            totals = {so_far + p for so_far in totals for p in points(card, options.ace_value)}
        if 31 in totals:
            rest = iter(unread)
            return tuple(card if card is not None else next(rest) for card in hand)
    return None


def accepted(state, event):
    try:
        apply(state, event)
    except IllegalActionError:
        return False
    return True


def moments(seed, **options):
    """Every moment of a hand some of whose cards nobody has read."""
    rolls = random.Random(seed)
    players = [Player(seat, str(seat)) for seat in range(rolls.choice([2, 4, 8]))]
    read = rolls.choice([0.4, 0.9])
    game = rolls.choice(["one-and-thirty", "bone-ace"])
    state = new_table(game, players, dealer=0, options=options)
    pack = [Card.parse(str(card)) for card in deck()] * options.get("decks", 1)
    rolls.shuffle(pack)

    def dealt(seat, up=False):
        card = pack.pop()
        return Deal(seat, card if up or rolls.random() < read else None, Facing(["down", "up"][up]))

    for turn in range(3):
        for seat in range(len(players)):
            if state.phase is Phase.DEAL:
                state = apply(state, dealt(seat, up=turn == 2 and game == "bone-ace"))
    while state.phase is Phase.PLAY:
        yield state
        seat = state.turn
        if rolls.random() < 0.6:
            state = apply(state, Have(seat))
            yield state
            state = apply(state, dealt(seat))
        else:
            state = apply(state, Stick(seat))


@pytest.mark.parametrize("ace_value", [1, 11, "1or11"])
@pytest.mark.parametrize("seed", range(12))
def test_a_claim_is_listed_if_and_only_if_some_cards_would_bear_it_out(seed, ace_value):
    for state in moments(seed, ace_value=ace_value, decks=1 + seed % 2):
        listed = {
            action.seat: action
            for action in legal_actions(state)
            if action.kind == "declare" and action.what is Claim.THIRTY_ONE
        }
        for hand in state.round.play.hands:
            cards = some_hand_of_31(state, hand.seat) if not hand.out else None
            true = cards is not None and accepted(
                state, Declare(hand.seat, Claim.THIRTY_ONE, cards)
            )
            assert (hand.seat in listed) is true, (hand, cards)
            if true:
                assert listed[hand.seat].cards == len(hand.cards)


def test_one_card_is_asked_for_at_a_time(sit):
    deals = [action for action in legal_actions(sit(seats=3)) if action.kind == "deal"]
    assert [action.cards for action in deals] == [1, 1, 1]


def test_a_card_that_is_not_left_cannot_make_31(sit, deal):
    hands = ("KH ?? 2C", "9H 9S 3D", "9D 9C 4D", "8H 3S 4H")
    state = sit(deal(*hands), seats=4)
    claims = {a.seat for a in legal_actions(state) if a.what is Claim.THIRTY_ONE}
    assert claims == set(), "twelve and an unread card are at most 22"


@pytest.mark.parametrize(
    ("drawn", "others", "may"), [("TS", "9H 9S 9D", True), ("TS", "9H 9S 9D 9C", False)]
)
def test_exhausted_ranks_are_known(sit, drawn, others, may):
    """KH 2C TS and one unread: only a nine makes 31."""
    nines = [*others.split(), "3H", "3S", "3D"]
    state = sit(
        " ".join(
            [
                "0KH",
                f"1{nines[0]}",
                f"2{nines[1]}",
                "02C",
                f"1{nines[2]}",
                f"2{nines[3]}",
                f"0{drawn}",
                f"1{nines[4]}",
                f"2{nines[5]}",
                "h0",
                "0??",
            ]
        ),
        seats=3,
    )
    claims = {a.seat for a in legal_actions(state) if a.what is Claim.THIRTY_ONE}
    assert (0 in claims) is may
