"""A view that has gone over the feed is the view that the engine made."""

import json

import pytest

from device.feed.wire import plain
from device.web.pages import render
from device.web.views import read_view
from engine import TABLE, Phase, bots, view
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
        state={"prompt": None, "page": None},
        view=None,
        facts=("Player 2 <b>", "Ann"),
        told=(),
        number=0,
        buttons=(),
    )
    sign = '<span class="sign s2" aria-hidden="true">▲</span>'
    assert f"<li>{sign}\N{NO-BREAK SPACE}Joueur 2 &lt;b&gt;</li>" in page
    assert "<li>Ann</li>" in page
