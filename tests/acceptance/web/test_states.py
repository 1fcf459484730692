"""Each state of a hand on the phone of who is asked: all that is said and pressed on one screen."""

import random
import re
import time

import httpx
import pytest

from display.i18n.languages import languages
from engine import Phase
from engine.games.one_and_thirty.prompts import FIRST_CARDS
from tests.acceptance.web.test_phones_only import GAMES, asked_of
from tests.support.played_table import PlayedTable
from tests.support.web_service import served, until

pytestmark = pytest.mark.slow

SMALL = (360, 640)
MOST_PRESSES = 200
FITS = """
const end = document.getElementById("buttons").getBoundingClientRect().bottom;
const wide = [...document.querySelectorAll("main *")].filter((each) => each.offsetParent
  && !each.closest(".heard") && each.getBoundingClientRect().right > innerWidth + 1);
const broken = [...document.querySelectorAll(".press b")]
  .filter((each) => each.getClientRects().length > 1);
const fits = end <= innerHeight && !wide.length && !broken.length;
return fits ? "" : `ends at ${end}: ${main.innerText}`;
"""


def press_on(web, table, phone, rng):
    """Give some answer to what is asked, as the phone of who is asked."""
    state = web.get("/api/state").json()
    prompt, seat = state["prompt"], asked_of(table, state, rng)
    answers = len(prompt["cards"]) + len(prompt["choices"])
    said = {"button": rng.choice(["have", "stick", "stick"])}
    if answers:
        said = {"choice": rng.randrange(answers), "prompt": prompt["id"]}
    headers = {"boneace-secret": table.secrets[seat], "boneace-phone": phone}
    web.post("/api/press", json={"seat": seat, **said}, headers=headers)
    time.sleep(0.12)  # the table takes ten presses a second


@pytest.mark.parametrize("game", GAMES)
def test_nobody_need_scroll_for_what_is_asked(tmp_path, browser, game):
    rng, seen = random.Random(game), set()
    dealer = 0 if game == "knucklebones" else None
    with (
        PlayedTable(tmp_path / "table", game, seats=4, by_hand=True, dealer=dealer) as table,
        served(table.path) as url,
        httpx.Client(base_url=url, timeout=10) as web,
    ):
        browser.open(f"{url}/seat/1#{table.secrets[0]}", SMALL)
        until(lambda: 0 in table.feed.phones.holders)
        phone = browser.run("return localStorage.getItem('phone')")
        while True:
            assert len(table.session.state.log) < MOST_PRESSES
            state = web.get("/api/state").json()
            title = state["prompt"]["title"]["en"]
            turn = [each for each in state["view"]["seats"] if each["is_turn"]]
            kind = (
                re.sub(r"\d+|Ann|Bess|Cecil|Doll", "", title),
                state["prompt"]["detail"]["en"].partition(" ")[0],
                any(len(each["cards"]) > FIRST_CARDS for each in turn),
            )
            if kind not in seen:
                seen.add(kind)
                seat = asked_of(table, state, rng)
                for language in languages():
                    address = f"{url}/seat/{seat + 1}?lang={language}#{table.secrets[seat]}"
                    browser.open(address, SMALL)
                    asked = state["prompt"]["title"][language]
                    browser.until(f"document.getElementById('asked')?.textContent === {asked!r}")
                    browser.until("main.offsetParent !== null")
                    assert browser.run(FITS) == "", language
            if state["view"]["phase"] == Phase.DONE.value:
                break
            press_on(web, table, phone, rng)
    assert len(seen) >= 3
