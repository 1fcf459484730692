"""Brag hands against a second, plainer ranking of all 22,100 hands (rules SB-1, SB-4 to SB-6)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from engine import Card, deck
from engine.games.scat.brag import Kind, kind_of, strength
from tests.support.scat_reference import plain_brag

ORDER = "23456789TJQKA"
COUNTS = {
    # Exact counts of three-card hands in one pack: 52 choose 3 is 22,100.
    "prial": 13 * 4,
    "running flush": 12 * 4,
    "run": 12 * (4**3 - 4),
    "flush": 4 * (286 - 12),
    "pair": 13 * 6 * 48,
    "high card": (286 - 12) * (4**3 - 4),
}


def cards(text: str) -> list[Card]:
    return [Card.parse(code) for code in text.split()]


def plain_ladder(a23_top: bool, threes_top: bool) -> dict[tuple[bool, str], int]:
    """Every hand's rung, found by laying out the ladder from the bottom, not by comparing.

    A hand is whether it is of one suit, and its ranks from the top, as ``AKQ``.
    """
    down = ORDER[::-1]
    threes = ["".join(three) for three in combinations(down, 3)]
    runs = ["".join(down[i : i + 3]) for i in range(11)]  # AKQ first, 432 last
    runs = [*runs, "A32"] if not a23_top else ["A32", *runs]
    odd = [three for three in threes if three not in runs]  # high cards come sorted from the top
    pairs = [(pair, other) for pair in down for other in down if other != pair]
    prials = [rank * 3 for rank in down]
    if threes_top:
        prials.remove("333")
        prials.insert(0, "333")
    ladder = [(False, three) for three in prials]
    ladder += [(True, run) for run in runs] + [(False, run) for run in runs]
    ladder += [(True, three) for three in odd]
    ladder += [(False, "".join(sorted(p * 2 + o, key=down.index))) for p, o in pairs]
    ladder += [(False, three) for three in odd]
    return {key: len(ladder) - rung for rung, key in enumerate(ladder)}


def key_of(hand) -> tuple[bool, str]:
    ranks = "".join(sorted((str(card.rank) for card in hand), key=ORDER[::-1].index))
    return len({card.suit for card in hand}) == 1, ranks


@pytest.mark.parametrize("threes_top", [True, False])
@pytest.mark.parametrize("a23", ["top", "low"])
def test_all_hands_stand_in_the_order_of_the_ladder(a23, threes_top):
    ladder = plain_ladder(a23 == "top", threes_top)
    rungs: dict[tuple[int, ...], int] = {}
    for hand in combinations(deck(), 3):
        rung = ladder[key_of(hand)]
        assert rungs.setdefault(strength(hand, a23, threes_top), rung) == rung, hand
    in_order = [rungs[found] for found in sorted(rungs)]
    assert in_order == sorted(in_order)
    assert len(set(in_order)) == len(in_order) == len(ladder)


@pytest.mark.parametrize("threes_top", [True, False])
@pytest.mark.parametrize("a23", ["top", "low"])
def test_the_plain_scorer_orders_all_hands_in_the_same_way(a23, threes_top):
    pairs = {
        (strength(hand, a23, threes_top), plain_brag(hand, a23, threes_top))
        for hand in combinations(deck(), 3)
    }
    assert [plain for _, plain in sorted(pairs)] == sorted(plain for _, plain in pairs)
    assert len({found for found, _ in pairs}) == len({plain for _, plain in pairs}) == len(pairs)


def test_the_kinds_are_as_many_as_arithmetic_says():
    found = Counter(kind_of(hand).words for hand in combinations(deck(), 3))
    assert found == COUNTS
    assert sum(COUNTS.values()) == 22100


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("3S 3D 3C", "AH AD AC"),  # SB-6
        ("AH AD AC", "KH KD KC"),
        ("2S 2D 2C", "AH 2H 3H"),
        ("2H 3H 4H", "AS 2D 3C"),
        ("AS 2D 3C", "AH KD QC"),  # SB-5
        ("4S 3D 2C", "AH KH JH"),  # any run beats any flush
        ("5H 3H 2H", "AH AD KC"),  # any flush beats any pair
        ("2H 2D 3C", "AH KD JC"),  # any pair beats any high card
        ("9H 9D KC", "9S 9C QD"),  # SB-4: the odd card
        ("TH TD 2C", "9S 9C AD"),
        ("AH JD 9C", "AS JC 8D"),
    ],
)
def test_sb4_to_sb6_one_hand_beats_another(better, worse):
    assert strength(cards(better)) > strength(cards(worse))


def test_sb4_suits_never_decide():
    assert strength(cards("9H 8H 2H")) == strength(cards("9S 8S 2S"))


@pytest.mark.parametrize("text", ["KH AD 2C", "QH KD 2C", "QD AC 2H"])
def test_sb5_no_run_goes_round_the_corner(text):
    assert kind_of(cards(text)) is Kind.HIGH_CARD


def test_g5_with_two_packs_a_flush_with_a_pair_is_a_flush():
    assert kind_of(cards("9H 9H 5H")) is Kind.FLUSH
    assert kind_of(cards("9H 9H 9H")) is Kind.PRIAL
    assert kind_of(cards("9H 9H 5D")) is Kind.PAIR


def test_a_hand_has_three_cards():
    with pytest.raises(ValueError, match="has 3 cards, not 2"):
        strength(cards("9H 9D"))
