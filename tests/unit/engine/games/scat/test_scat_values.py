"""Values of hands against a second, plainer count of all 22,100 (SC-2, TK-1 to TK-5, BK-9)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from engine import Card, deck
from engine.games.scat.points import counting_cards, value
from tests.support.scat_reference import plain_value


def cards(text: str) -> list[Card]:
    return [Card.parse(code) for code in text.split()]


@pytest.mark.parametrize("three_kind", ["off", "rank", "value"])
def test_sc2_tk1_tk2_every_hand_has_the_value_of_the_plain_count(three_kind):
    for hand in combinations(deck(), 3):
        assert value(hand, three_kind) == plain_value(hand, three_kind), hand


def test_sc2_how_many_hands_are_worth_31():
    """An ace and two of four tens, in four suits; and it is never more."""
    found = Counter(value(hand) for hand in combinations(deck(), 3))
    assert found[31] == 4 * 6
    assert max(found) == 31
    assert min(found) == 2  # three twos
    assert sum(found.values()) == 22100


def test_ed1_how_many_hands_of_32_cards_are_worth_31_and_what_is_the_least():
    small = [card for card in deck() if str(card)[0] in "789TJQKA"]
    found = Counter(value(hand) for hand in combinations(small, 3))
    assert (found[31], min(found), sum(found.values())) == (24, 7, 4960)


@pytest.mark.parametrize(
    ("text", "three_kind", "worth"),
    [
        ("KH QH 2C", "off", 20),
        ("AS 6D 4D", "off", 11),  # a lone ace can beat two small cards
        ("AD AC AS", "off", 11),
        ("AD AC AS", "rank", 30.5),
        ("AS KS TS", "rank", 31),
        ("TD JC KS", "rank", 10),
        ("TD JC KS", "value", 30.5),  # TK-2
        ("KH QH JS", "value", 20),  # TK-3: not three suits
        ("2D 2C 2S", "rank", 30.5),
    ],
)
def test_tk1_to_tk5_values(text, three_kind, worth):
    assert value(cards(text), three_kind) == worth


def test_tk3_with_two_packs_the_suits_must_differ_or_not():
    assert value(cards("9H 9H 9S"), "rank") == 18
    assert value(cards("9H 9H 9S"), "rank", three_kind_suits=False) == 30.5


def test_g6_an_unread_card_has_no_value_and_of_four_the_best_three_count():
    assert value([*cards("KH QH"), None]) is None
    assert value([]) is None
    assert value(cards("KH QH JH TH")) == 30
    assert value(cards("KH QH AH 2C")) == 31


@pytest.mark.parametrize(
    ("text", "ranks"),
    [
        ("KH QH 6S", (12, 11)),
        ("AH KH 2C", (13, 12)),
        ("TH 9S 8C", (9,)),
        ("KH QS JD", (12,)),  # of equal suits the higher cards
        ("5H 6H AS", (13,)),
    ],
)
def test_bk9_the_counting_cards(text, ranks):
    assert counting_cards(cards(text)) == ranks


def test_bk9_all_three_count_of_three_of_a_kind():
    assert counting_cards(cards("9H 9D 9S"), "rank") == (8, 8, 8)
    assert counting_cards(cards("9H 9D 9S")) == (8,)
