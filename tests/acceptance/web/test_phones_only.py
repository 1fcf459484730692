"""Hands without a camera and without a wired button: phones enter the cards, and say everything.

In Chromium, two hands of each game: python -m tests.acceptance.web.test_phones_only 2
"""

import random
import sys
import tempfile
import time
from pathlib import Path

import httpx
import pytest

from tests.acceptance.web.conftest import SIZES, Browser
from tests.support.chromium import chromium
from tests.support.played_table import PlayedTable
from tests.support.web_service import served
from tests.support.web_service import until as wait_for

GAMES = ("one-and-thirty", "bone-ace", "scat", "knucklebones")
HAND_S = 240.0
PRESS = """
const [where, said, other] = arguments;
const answers = document.querySelectorAll("#choices button");
const refused = document.querySelector("#told:not([hidden])");
const name = refused && other ? other : answers.length ? "" : said;
(name ? document.getElementById("b-" + name) : answers[Math.floor(where * answers.length)]).click();
"""
"""One press of what the page shows in this moment: an answer, else what is said."""


def asked_of(table, state, rng):
    """Return the seat that is asked."""
    view, prompt = state["view"], state["prompt"]
    seat = view["turn"] if prompt["whose"] is None else prompt["whose"]
    return rng.choice(view["to_cut"] or sorted(table.secrets)) if seat is None else seat


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_phones_play_a_hand_that_nobody_sees(tmp_path, game):
    rng = random.Random(game)
    with (
        PlayedTable(tmp_path / "table", game, by_hand=True) as table,
        served(table.path) as url,
        httpx.Client(base_url=url, timeout=10) as web,
    ):
        phones = {
            seat: {"boneace-secret": secret, "boneace-phone": f"phone-{seat}"}
            for seat, secret in table.secrets.items()
        }
        until, refused = time.monotonic() + 90, []
        while table.session.view.result is None:
            assert time.monotonic() < until, table.session.view
            state = web.get("/api/state").json()
            prompt = state["prompt"]
            seat = asked_of(table, state, rng)
            answers = len(prompt["cards"]) + len(prompt["choices"])
            said = {"button": rng.choice(["have", "stick", "stick"])}
            if answers:
                said = {"choice": rng.randrange(answers), "prompt": prompt["id"]}
            if prompt["refused"]["en"] and rng.random() < 0.5:
                said = {"button": "undo"}  # a card that was named before
            answer = web.post("/api/press", json={"seat": seat, **said}, headers=phones[seat])
            if not answer.json()["ok"]:
                refused.append(answer.json()["problem"])
            time.sleep(0.11)  # the table takes ten presses a second
        # Between looking and pressing the table may ask something else.
        assert set(refused) <= {"stale", "rules"}
        assert sum(seat.tokens for seat in table.session.view.seats) == 0
        assert {press.seat for press in table.pressed if press.choice is None} <= set(phones)


def play_in(browser, table, url, rng, hands):
    """Play hands in a browser, a tab for each seat; return the presses."""
    from selenium.common.exceptions import TimeoutException

    tabs = {}

    def to(seat):
        browser.driver.switch_to.window(tabs[seat])

    for seat, secret in table.secrets.items():
        browser.driver.switch_to.new_window("tab")
        tabs[seat] = browser.driver.current_window_handle
        browser.open(f"{url}/seat/{seat + 1}?lang=en#{secret}")
        browser.until("document.querySelector('main').offsetParent !== null")
    pressed, ended, until = 0, 0, time.monotonic() + HAND_S * hands
    with httpx.Client(base_url=url, timeout=10) as web:
        while True:
            assert time.monotonic() < until, table.session.view
            state = web.get("/api/state").json()
            if state["view"]["result"]:
                ended += 1
                if ended == hands:
                    break
                number = state["view"]["hand_number"]
                to(rng.choice(sorted(table.secrets)))  # whoever is quickest
                browser.until("document.getElementById('b-next') !== null")
                browser.settle()
                browser.click("#b-next")
                wait_for(lambda: table.session.view.hand_number > number, 10)  # noqa: B023
                continue
            seat = asked_of(table, state, rng)
            to(seat)
            # Only what the page of this phone shows is pressed, as soon as it shows it.
            shown = "document.querySelector('#ask h1').textContent"
            title = state["prompt"]["title"]["en"]
            try:
                browser.until(f"{shown} === {title!r}", 2)
            except TimeoutException:
                continue  # the table asks something else by now
            other = "undo" if rng.random() < 0.5 else ""
            browser.run(PRESS, rng.random(), rng.choice(("have", "stick", "stick")), other)
            pressed += 1
            time.sleep(0.11)
    return pressed


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_phones_play_a_hand_in_a_browser(tmp_path, browser, game):
    with (
        PlayedTable(tmp_path / "table", game, seats=4, by_hand=True) as table,
        served(table.path) as url,
    ):
        play_in(browser, table, url, random.Random(game), 1)
        assert sum(seat.tokens for seat in table.session.view.seats) == 0
        assert {press.seat for press in table.pressed} <= {*table.secrets, None}
        browser.close_others()
        browser.driver.get("about:blank")
    # A press by a script is no touch: the browser does not vibrate. Some presses the rules refuse.
    mostly = ("navigator.vibrate", "409 (Conflict)")
    assert [line for line in browser.console() if not any(each in line for each in mostly)] == []


if __name__ == "__main__":
    for name in GAMES:
        with (
            tempfile.TemporaryDirectory() as folder,
            PlayedTable(Path(folder), name, seats=4, by_hand=True) as played,
            served(played.path) as address,
            chromium(SIZES["phone"]) as opened,
        ):
            began = time.monotonic()
            presses = play_in(
                Browser(opened), played, address, random.Random(name), int(sys.argv[1])
            )
            took_s = time.monotonic() - began
            print(f"{name}: {sys.argv[1]} hands, {presses} presses, {took_s:.0f} s", flush=True)
