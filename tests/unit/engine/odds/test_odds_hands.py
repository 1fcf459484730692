"""Chances of Scat and Brag hands, counted a second time: every hand, every deal of a small pack."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from engine import Card, deck
from engine.games.scat import odds as scat
from engine.games.scat.odds import beats, brag_counts, brag_hands, draw, starting_hand

ALL_HANDS = list(combinations(deck(), 3))


def cards(text):
    return [Card.parse(code) for code in text.split()]


def chances(counts):
    whole = sum(counts.values())
    return {key: Fraction(n) / whole for key, n in counts.items() if n}


def pack_of(size):
    return [card for card in deck() if size == 52 or card.rank in "A789TJQK"]


def plain_value(hand, kind="off"):
    points = {"A": 11, "T": 10, "J": 10, "Q": 10, "K": 10}
    worths = [points.get(str(c)[0]) or int(str(c)[0]) for c in hand]
    by_suit = [sum(w for w, c in zip(worths, hand, strict=True) if c.suit == s) for s in "SHDC"]
    same = {"off": set(), "rank": {str(c)[0] for c in hand}, "value": set(worths)}[kind]
    three = len(same) == 1 and len({c.suit for c in hand}) == 3
    return max([min(max(by_suit), 31), *([Fraction(61, 2)] if three else [])])


@pytest.mark.parametrize("kind", ["off", "rank", "value"])
@pytest.mark.parametrize("pack", [52, 32])
def test_sc2_all_starting_hands(pack, kind):
    seen = cards("AS 9H KD")
    left = [card for card in pack_of(pack) if card not in seen]
    counts = Counter(plain_value(hand, kind) for hand in combinations(left, 3))
    found = starting_hand(seen, pack=pack, three_kind=kind)
    assert dict(found.chances) == chances(counts)
    assert found.over(20) == sum(p for v, p in chances(counts).items() if v > 20)


@pytest.mark.parametrize("kind", ["off", "rank"])
@pytest.mark.parametrize("text", ["KS 9S 4H", "AS KS 5D", "7H 7D 2C", "AH QH KH"])
def test_sc4_one_card_of_the_stock(text, kind):
    hand, seen = cards(text), cards("TS 3D 7S JC")
    counts = Counter()
    for card in deck():
        if card not in hand and card not in seen:
            four = [*hand, card]
            counts[max(plain_value(four[:n] + four[n + 1 :], kind) for n in range(4))] += 1
    found = draw(hand, seen, three_kind=kind)
    assert found.before == plain_value(hand, kind)
    assert dict(found.after.chances) == chances(counts)
    assert found.better == sum(p for v, p in chances(counts).items() if v > found.before)
    assert found.blitz == chances(counts).get(31, 0)


def deals(rest, hands):
    if not hands:
        yield []
        return
    for hand in combinations(rest, 3):
        for others in deals([card for card in rest if card not in hand], hands - 1):
            yield [hand, *others]


@pytest.mark.parametrize(("hands", "size"), [(1, 12), (2, 10), (3, 9)])
@pytest.mark.parametrize("seed", range(3))
def test_sc7_a_value_against_unknown_hands(seed, hands, size):
    rolls = random.Random(seed)
    suits = "SH" if seed else "SHDC"
    left = rolls.sample([card for card in deck() if card.suit in suits], size)
    seen = [card for card in deck() if card not in left]
    values = [[plain_value(hand) for hand in deal] for deal in deals(left, hands)]
    for mine in (7, 15, 19, 21, 25, 29, 31):
        found = beats(mine, hands, seen)
        wanted = [
            sum(max(each) < mine for each in values),
            sum(max(each) <= mine for each in values),
            sum(min(each) > mine for each in values),
            sum(min(each) >= mine for each in values),
        ]
        assert [found.highest, found.not_beaten, found.lowest, found.among_lowest] == [
            Fraction(number, len(values)) for number in wanted
        ], mine


def test_sc7_the_quick_count_of_one_hand_agrees_with_the_count_of_several():
    suits = scat._suits(deck())
    for most in range(1, 32):
        assert scat.sets_within(suits, 3)[most][3] == scat._all_within(suits, most, 1)


def brag_kind(hand):
    """The kind of a hand, after RULES SB-1, by sorting."""
    ranks = sorted(card.rank.order for card in hand)
    flush = len({card.suit for card in hand}) == 1
    run = ranks == [0, 11, 12] or ranks == list(range(ranks[0], ranks[0] + 3))
    if len(set(ranks)) == 1:
        return "prial"
    if flush or run:
        return "running flush" if flush and run else "flush" if flush else "run"
    return "pair" if len(set(ranks)) == 2 else "high card"


def test_sb1_all_brag_hands():
    assert Counter(brag_counts()) == Counter(map(brag_kind, ALL_HANDS))


def test_sb1_brag_hands_of_what_is_left_of_two_packs():
    left = [card for card in deck() if card.rank in "A23KQ"] * 2 + cards("7H")
    seen = list((Counter([*deck(), *deck()]) - Counter(left)).elements())
    counts = Counter(map(brag_kind, combinations(left, 3)))
    assert {k: n for k, n in brag_counts(seen, decks=2).items() if n} == counts
    assert brag_hands(seen, decks=2)["pair"] == chances(counts)["pair"]
