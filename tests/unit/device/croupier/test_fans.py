"""A fan that reaches beyond its place, as a camera sees it: told by row, not by middle."""

import json

import pytest

from device.croupier.lines import read_line
from device.croupier.looks import Looks
from engine import Card


def seats_of(turns):
    """Whose cards these are, of a fan whose last card lies at the neighbour's place."""
    lies = [
        {"card": code, "at": place, "x": x, "y": 400.0, "deg": turn}
        for code, place, x, turn in zip(
            ("KS", "9H", "2D"), ("seat 1", "seat 1", "seat 2"), (280.0, 298.0, 316.0), turns,
            strict=True,
        )
    ]  # fmt: skip
    line = read_line(json.dumps({"t": 1.0, "ordered": False, "lies": lies}), 4)
    look = Looks().see(line.reading)
    return {card.card: card.seat for card in look.cards}


@pytest.mark.parametrize("turns", [(10.0, 3.0, 12.0), (177.0, 1.0, 4.0), (2.0, 359.0, 172.0)])
def test_cards_in_one_row_are_one_players_whichever_way_round_they_lie(turns):
    assert set(seats_of(turns).values()) == {1}


def test_a_card_that_lies_across_is_of_whose_place_it_lies_at():
    assert seats_of((10.0, 3.0, 93.0))[Card.parse("2D")] == 2


def test_a_card_of_a_fan_that_people_named_is_the_one_read_so_when_it_is_spread_out():
    looks = Looks()

    def see(*cards):
        lies = [
            {"card": code, "at": "seat 1", "x": x, "y": 400.0, "deg": 0.0}
            | ({"maybe": ["QS", "9S"]} if code == "??" else {})
            for code, x in cards
        ]
        line = json.dumps({"t": 1.0, "ordered": False, "lies": lies})
        look = looks.see(read_line(line, 4).reading, hands=(1,))
        return {str(card.card): card.number for card in look.cards}

    fan = see(("7S", 300.0), ("??", 318.0), ("4S", 336.0))
    looks.name(fan["None"], Card.parse("QS"))
    spread = see(("QS", 90.0), ("4S", 250.0), ("7S", 330.0))
    assert spread == {"7S": fan["7S"], "QS": fan["None"], "4S": fan["4S"]}
    assert see(("QS", 90.0), ("4S", 250.0), ("??", 330.0))["QS"] == fan["None"]
