"""Some of the demos of ``make demos``, and how it tells a hand that was settled."""

import pytest

from engine.games import catalog
from tests.acceptance.demos.demos import (
    Hand,
    every_hand,
    every_variation,
    fault_of,
    not_played,
    unsettled,
)

SAMPLE = [
    Hand("one-and-thirty", "davis", 2, 3),
    Hand("bone-ace", "ealdormere", 8, 2),
    Hand("knucklebones", "west-kingdom", 2, 5),
    # A bone is not read at once, and is not pushed about before the screen has asked.
    Hand("knucklebones", "west-kingdom", 4, 5),
    # A jack of spades is read as a two: who laid it puts that right by the menu.
    Hand("scat", "banking", 4, 1),
    # After a draw from the discard a card is laid that the eyes are not sure of.
    Hand("scat", "dollar-bill", 7, 2),
    Hand("scat", "switch", 3, 1),
    Hand("scat", "stop-the-bus", 5, 1),
    Hand("bone-ace", "davis", 3, 7, ("decks=2",)),
]


@pytest.mark.parametrize("hand", SAMPLE, ids=str)
def test_a_demo_ends_by_itself_and_its_record_holds(hand):
    assert fault_of(hand) == ""


def test_every_option_is_played_otherwise_and_one_that_is_not_is_named():
    hands = every_variation()
    assert not_played(hands) == []
    assert len(hands) == len(set(hands)) > 60
    rest = [hand for hand in hands if not hand.changes[0].startswith("bank_passes=")]
    assert len(hands) - len(rest) == 3
    assert not_played(rest) == ["knucklebones bank_passes"]


def test_every_preset_is_played_with_twenty_seeds_by_all_numbers_of_players():
    hands = every_hand()
    presets = {(game.name, preset.name) for game in catalog.all_games() for preset in game.presets}
    assert {(hand.game, hand.preset) for hand in hands} == presets
    assert len(hands) == len(set(hands)) == 20 * len(presets) == 440
    for game, most in (("one-and-thirty", 8), ("bone-ace", 8), ("scat", 7)):
        assert {h.players for h in hands if h.game == game} == set(range(2, most + 1))


def test_every_table_plays_each_seed_by_every_number():
    hands = [hand for hand in every_hand(2, every_table=True) if hand.preset == "banking"]
    assert {(hand.players, hand.seed) for hand in hands} == {
        (players, seed) for players in range(2, 8) for seed in (1, 2)
    }


SETTLED = {"end": "showdown", "settlement": {"0": 2, "1": -2}, "winners": [0]}


@pytest.mark.parametrize(
    ("hands", "fault"),
    [
        ([SETTLED], ""),
        ([{**SETTLED, "settlement": {"0": 0, "1": 0}, "winners": [], "lost": {"1": 1}}], ""),
        ([{**SETTLED, "end": "all-out", "settlement": {"0": 0, "1": 0}, "winners": []}], ""),
        ([], "0 hands were played"),
        ([SETTLED, SETTLED], "2 hands were played"),
        ([{**SETTLED, "end": "misdeal"}], "thrown away"),
        ([{**SETTLED, "settlement": {"0": 2, "1": -1}}], "do not sum to zero"),
        ([{**SETTLED, "settlement": {"0": 0, "1": 0}, "winners": []}], "nobody won or lost"),
    ],
)
def test_what_counts_as_settled(hands, fault):
    assert fault in unsettled(hands)
    assert bool(fault) == bool(unsettled(hands))
