"""Not a byte that the web sends depends on a card that its audience may not see."""

import random

import pytest

from engine import TABLE
from engine.games import catalog
from tests.support.web_bytes import all_bytes, are_sent_alike, twins

GAMES = [
    (game.name, preset.name)
    for game in catalog.all_games()
    for preset in game.presets
    if game.name != "knucklebones"  # no card is in it
]


@pytest.mark.parametrize(("game", "preset"), GAMES)
def test_hands_that_differ_in_hidden_cards_alone_are_sent_alike(game, preset):
    rng = random.Random(f"{game} {preset}")
    compared = tried = 0
    while compared < 3:
        tried += 1
        assert tried < 200, "no two hands of which the table sees the same"
        audience = rng.choice((TABLE, 0, 1))
        found = twins(game, preset, rng, audience)
        if found is None:
            continue
        assert are_sent_alike(found, audience, rng)
        compared += 1


def test_a_hidden_card_in_a_state_would_be_found():
    rng = random.Random("own")
    found = None
    while found is None:
        found = twins("bone-ace", None, rng)
    true, false, events, others = found
    looks = [len(events) - 1]
    # What a player sees must not be sent to the table: here it is.
    assert any(
        all_bytes(true, events, "en", looks, seat) != all_bytes(false, others, "en", looks, seat)
        for seat in (0, 1)
    )
