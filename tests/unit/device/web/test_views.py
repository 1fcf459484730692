"""A view that has gone over the feed is the view that the engine made."""

import json

import pytest

from device.feed.feed import _agreed
from device.feed.wire import plain
from device.web.pages import Reader, draw_part, render
from device.web.views import read_view
from engine import TABLE, Phase, Player, bots, new_table, view
from engine.games import catalog
from tests.support.game_driver import Driver


@pytest.mark.parametrize("game", [each.name for each in catalog.all_games()])
def test_every_view_of_a_hand_comes_back_as_it_was(game):
    driver = Driver(game, None, [bots.player("exact", game) for _ in range(3)], seed=4)
    seen = []
    while driver.state.phase is not Phase.DONE:
        driver.go_on()
        seen += [view(driver.state, audience) for audience in (TABLE, 0)]
    assert [read_view(json.loads(json.dumps(plain(each)))) for each in seen] == seen


@pytest.mark.parametrize("wrong", [None, [], {}, {"game": 3}, "x"])
def test_what_is_no_view_is_refused(wrong):
    with pytest.raises(ValueError, match="no "):
        read_view(wrong)


def test_a_page_shows_the_sign_of_a_stranger_and_escapes_a_name():
    page = render(
        "part-seat",
        "fr",
        state={"prompt": None, "page": None, "sitting": None},
        view=None,
        facts=("Player 2 <b>", "Ann"),
        lines=(),
        deals="",
        stakes=False,
        always=(),
        my_turn=False,
        told=(),
        number=0,
        buttons=(),
    )
    sign = '<span class="sign s2" aria-hidden="true">▲</span>'
    assert f"<li>{sign}\N{NO-BREAK SPACE}Joueur 2 &lt;b&gt;</li>" in page
    assert "<li>Ann</li>" in page


@pytest.mark.parametrize(("language", "said"), [("en", "Lives: 5."), ("fr", "Vies\u00a0: 5.")])
def test_rules_are_those_in_force(language, said):
    people = [Player(seat, name) for seat, name in enumerate(("Ann", "Bess", "Cecil"))]
    usual = new_table("scat", people, dealer=0, preset="wikipedia").setup
    assert _agreed(usual.game, usual.preset, usual.options) == {}
    state = new_table("scat", people, dealer=0, preset="wikipedia", options={"lives": 5})
    agreed = _agreed(usual.game, usual.preset, state.setup.options)
    assert agreed == {"lives": 5}
    told = {"view": plain(view(state, TABLE)), "options": agreed, "prompt": None, "page": None}
    page = draw_part(Reader("rules", language), {**told, "sitting": 1}, ())
    assert said in page
