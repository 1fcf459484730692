"""Chances that count only what lies open are not meant for who sees more."""

import random
from collections import Counter
from dataclasses import replace

import pytest

import engine
from device.runtime.hints import for_onlookers, hint_for
from display.i18n.translate import Translator
from engine import TABLE, Player, new_table
from engine.bots import Driver, player
from engine.core.views import Phase
from engine.games import catalog
from tests.support.table_moments import moments

HINT = "To go over 31: 12 of 100."


def test_a_player_with_cards_face_down_knows_more_than_the_chances():
    view = moments(4)["turn"][0]
    assert None in view.seat(view.turn).cards
    assert str(for_onlookers(HINT, view)) == f"For onlookers: {HINT}"
    said = Translator.of("de").render(for_onlookers(HINT, view))
    assert said == f"Für Zuschauer: {HINT}"


def test_open_hands_and_the_end_need_no_mark():
    view = moments(4)["turn"][0]
    shown = replace(view.seat(view.turn), cards=view.seat(view.turn).cards[-1:])
    seats = tuple(shown if seat.seat == view.turn else seat for seat in view.seats)
    assert for_onlookers(HINT, replace(view, seats=seats)) == HINT
    assert for_onlookers(HINT, replace(view, phase=Phase.DONE)) == HINT
    assert for_onlookers("", view) == ""


@pytest.mark.parametrize("name", [game.name for game in catalog.all_games()])
def test_in_every_game_chances_that_leave_out_own_cards_are_marked(name):
    game, found = catalog.find(name), Counter()
    for preset in game.presets:
        people = [Player(seat, f"P{seat}", 30 + seat) for seat in range(3)]
        state = new_table(game, people, dealer=2, preset=preset.name)
        play = Driver(state, [player("bold", name)] * 3, random.Random(preset.name))
        for _ in range(80):
            play.go_on()
            shown = engine.view(play.state, TABLE)
            if shown.phase is Phase.DONE:
                break
            hint = hint_for(shown, play.state.setup.options)
            if shown.phase is not Phase.PLAY or shown.turn is None or not hint:
                continue
            own = engine.view(play.state, shown.turn).seat(shown.turn).cards
            hides = sorted(map(str, own)) != sorted(map(str, shown.seat(shown.turn).cards))
            assert (for_onlookers(hint, shown) != hint) == hides, (preset.name, str(hint))
            found[hides] += 1
    assert found[name != "knucklebones"], "bones lie open; of cards some are a player's own"
