"""The scoreboard of a hall on a television: twelve full tables at once, more of them in turn."""

import contextlib
import sqlite3
import threading
import time

import pytest
import uvicorn

from device.config.model import HallConfig
from device.feed.wire import plain
from device.hall.listener import Hall
from device.hall.messages import encode, event_body, state_body, topic
from device.hall.pages import make_app
from device.hall.store import Store
from engine import TABLE, Player, new_table, view
from tests.support.chromium import chromium, needs_chromium, serious_problems
from tests.support.fake_feed import FakeTable, in_all
from tests.support.mosquitto import free_port

pytestmark = [pytest.mark.slow, needs_chromium]

SIZES = [(1366, 768), (1920, 1080), (3840, 2160)]
NAMES = ("Ann", "Bess", "Cecil", "Bartholomew", "Edgar", "Fay", "Gil", "Hal")
PLAYERS = ".ranking tbody th"
LONG = "Deal the next card to Bartholomew, face down, please"


def full_table(number):
    """Return what a table of eight tells, each of whom plays at no other one."""
    table = FakeTable(f"table-{number}", None)
    people = [Player(seat, f"{name} {number}") for seat, name in enumerate(NAMES)]
    told = [{"seat": each.seat, "name": each.name, "tokens": -each.seat} for each in people]
    table.add(1, players=told, worth={"minor": 25, "currency": "EUR", "digits": 2})
    table.view = plain(view(new_table("bone-ace", people, dealer=0), TABLE))
    state = table.state()
    state["prompt"]["title"] = in_all(LONG)
    bodies = {
        "event": event_body(table.name, table.events[0]),
        "state": state_body(table.name, state, (1, 0)),
        "status": {"table": table.name, "online": number > 0},
    }
    return [(topic(table.name, kind), encode(body)) for kind, body in bodies.items()]


@contextlib.contextmanager
def board(folder, tables):
    """Serve the pages of a hall that has heard of so many tables."""
    with Store(folder / "hall.sqlite3") as store:
        # The pages are served beside the test, by a thread.
        store._db = sqlite3.connect(
            folder / "hall.sqlite3", isolation_level=None, check_same_thread=False
        )
        hall = Hall(HallConfig(), store)
        hall.take([message for number in range(tables) for message in full_table(number)])
        hall.is_connected, port = True, free_port()
        app = make_app(hall, store, "127.0.0.1", "felt")
        server = uvicorn.Server(uvicorn.Config(app, port=port, log_config=None))
        thread = threading.Thread(target=server.run)
        thread.start()
        try:
            while not server.started:
                time.sleep(0.01)
            yield f"http://127.0.0.1:{port}/board?lang=en", hall
        finally:
            server.should_exit = True
            thread.join()


def open_page(driver, address):
    """Open a page, and wait until all of it is there: Chromium may say so before its looks are."""
    driver.get(address)
    wait_until(
        lambda: driver.execute_script("return document.readyState") == "complete", "the page"
    )


def wait_until(true, what):
    end_s = time.monotonic() + 30
    while not true():
        assert time.monotonic() < end_s, f"in vain: {what}"
        time.sleep(0.05)


def shown(driver, what):
    """Return the text of each element that stands whole in the box that it is turned in."""
    return driver.execute_script(
        "return [...document.querySelectorAll(arguments[0])].filter(e => {"
        " const box = e.closest('[data-turns]').getBoundingClientRect();"
        " const at = e.getBoundingClientRect();"
        " return at.top >= box.top - 1 && at.bottom <= box.bottom + 1;"
        "}).map(e => e.innerText.split('\\n')[0].split('\\t')[0])",
        what,
    )


@pytest.mark.parametrize("tables", [1, 4, 12])
def test_a_television_shows_every_table_whole(tmp_path, tables):
    with board(tmp_path, tables) as (address, _), chromium(SIZES[0]) as driver:
        for width, height in SIZES:
            about = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", about)
            open_page(driver, address)
            page = driver.execute_script(
                "const e = document.documentElement; return [e.scrollWidth, e.scrollHeight]"
            )
            assert page == [width, height], "nothing to scroll"
            assert len(shown(driver, "article")) == tables
            cut = driver.execute_script(
                "return [...document.querySelectorAll('article')].filter("
                "e => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1"
                ").map(e => [e.innerText, e.scrollHeight, e.clientHeight])"
            )
            assert cut == [], (width, height)


def test_what_does_not_fit_is_shown_in_turn(tmp_path):
    with board(tmp_path, 14) as (address, _), chromium(SIZES[1]) as driver:
        open_page(driver, address)
        seen, players = set(shown(driver, "article")), set(shown(driver, PLAYERS))
        assert len(seen) == 12
        for _ in range(8):
            driver.execute_script("turn()")
            seen.update(shown(driver, "article"))
            players.update(shown(driver, PLAYERS))
        assert len(seen) == 14
        assert len(players) == 14 * len(NAMES)
        driver.execute_script("document.getElementById('tables').focus()")
        before = shown(driver, "article")
        driver.execute_script("turn()")
        assert shown(driver, "article") == before, "whoever reads it holds it"


def test_a_page_that_is_renewed_stays_where_it_is(tmp_path):
    with board(tmp_path, 14) as (address, hall), chromium(SIZES[1]) as driver:
        open_page(driver, address)
        driver.execute_script("turn()")
        before = shown(driver, "article")
        away = {"table": "table-5", "online": False}
        hall.take([(topic("table-5", "status"), encode(away))])
        gone = "return document.querySelectorAll('article.gone').length"
        wait_until(lambda: driver.execute_script(gone) == 2, "the page is renewed")
        assert shown(driver, "article") == before


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_axe_finds_nothing_serious_where_a_table_is_gone(tmp_path, scheme):
    with board(tmp_path, 14) as (address, _), chromium(SIZES[1]) as driver:
        feature = {"name": "prefers-color-scheme", "value": scheme}
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
        for page in ("board", "", "table/table-0"):
            open_page(driver, address.replace("board", page))
            assert driver.execute_script("return document.body.innerText.includes('gone since')")
            assert serious_problems(driver, 5) == [], page


def test_nothing_turns_for_who_wants_no_motion(tmp_path):
    with board(tmp_path, 14) as (address, _), chromium(SIZES[1]) as driver:
        feature = {"name": "prefers-reduced-motion", "value": "reduce"}
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
        open_page(driver, address)
        before = shown(driver, "article")
        driver.execute_script("turn()")
        assert shown(driver, "article") == before
