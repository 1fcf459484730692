"""A world so small that it is played to every end: two players, seven cards.

Each end is worked out a second time from nothing but the cards and what was said.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

import pytest

from engine import Card, Deal, End, Facing, Have, Phase, Player, Stick
from engine.games import catalog
from engine.games.base import Game, Play

pytestmark = pytest.mark.slow

PACK = ("AH", "KH", "QD", "9S", "8C", "7H", "5D")
POINTS = {"A": 1, "K": 10, "Q": 10, "9": 9, "8": 8, "7": 7, "5": 5}
ORDER = "A5789QK"
ELDER, DEALER = 0, 1


def total(cards: list[str]) -> int:
    return sum(POINTS[card[0]] for card in cards)


def deal(game: Game, cards: tuple[str, ...]) -> Play:
    options = catalog.make_options(game, game.presets[0], {})
    play = game.begin(options, [Player(ELDER, "Ann"), Player(DEALER, "Bess")], DEALER)
    for place, code in enumerate(cards):
        third = place >= 4 and game.name == "bone-ace"
        play = game.step(
            play, Deal(place % 2, Card.parse(code), Facing.UP if third else Facing.DOWN)
        )
    return play


def every_end(game: Game, play: Play, left: tuple[str, ...]) -> Iterator[tuple[Play, int]]:
    """Every way the hand can go on; how many cards are drawn is told with each end."""
    if play.phase is Phase.DONE:
        yield play, len(left)
        return
    assert play.turn is not None
    yield from every_end(game, game.step(play, Stick(play.turn)), left)
    if left:
        asked = game.step(play, Have(play.turn))
        drawn = game.step(asked, Deal(play.turn, Card.parse(left[0])))
        yield from every_end(game, drawn, left[1:])


def paid_on_paper(bone: bool, hands: tuple[list[str], list[str]]) -> tuple[End, int, int]:
    """Who wins, why, and what they get in all: OT-8 to OT-13, OT-22, BA-2 to BA-4, BA-10."""
    won = {ELDER: 0, DEALER: 0}
    if bone:
        ranks = [99 if hand[2] == "AH" else ORDER.index(hand[2][0]) for hand in hands]
        won[ELDER if ranks[ELDER] >= ranks[DEALER] else DEALER] += 1
    mine, his = map(total, hands)
    if mine == 31:
        end, winner, stakes = End.THIRTY_ONE, ELDER, 2
    elif mine > 31:
        end, winner, stakes = End.DEALER_WINS, DEALER, 1
    elif his == 31:
        end, winner, stakes = End.THIRTY_ONE, DEALER, 2
    elif his > 31:
        end, winner, stakes = End.SOLE_SURVIVOR, ELDER, 1
    else:
        end, winner, stakes = End.SHOWDOWN, ELDER if mine >= his else DEALER, 1
    won[winner] += stakes
    return end, winner, won[ELDER] - won[DEALER]


@pytest.mark.parametrize("name", ["one-and-thirty", "bone-ace"])
def test_every_order_of_seven_cards_and_every_choice(name: str) -> None:
    game = catalog.find(name)
    ends: dict[End, int] = {}
    for order in permutations(PACK):
        if name == "one-and-thirty" and not (order[0] < order[2] < order[4]):
            continue  # in this game the order within a hand is nothing
        play = deal(game, order[:6])
        for end, _ in every_end(game, play, order[6:]):
            hands = tuple([str(card) for card in end.hand(seat).cards] for seat in (ELDER, DEALER))
            expected = paid_on_paper(name == "bone-ace", (hands[0], hands[1]))
            result = game.result(end)
            found: Any = result.end, result.winners[0], dict(result.settlement)[ELDER]
            assert found == expected, (order, hands)
            ends[result.end] = ends.get(result.end, 0) + 1
    assert set(ends) == {End.THIRTY_ONE, End.DEALER_WINS, End.SOLE_SURVIVOR, End.SHOWDOWN}
    assert sum(ends.values()) > 2_000
