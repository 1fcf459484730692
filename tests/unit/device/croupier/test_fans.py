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
