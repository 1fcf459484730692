"""Phones, the scoreboard and the overlay while a hand is played."""

import io
import time
from functools import partial

import pytest

from device.ports import Button
from engine import Phase, SeatStatus
from tests.support import web_service
from tests.support.web_service import served

pytestmark = pytest.mark.slow

until = partial(web_service.until, most_s=10.0)


def test_phones_alone_play_a_hand(table, url, browser):
    """Everybody presses on a phone of their own: a tab of its own for each seat."""
    secrets = table.secrets
    tabs = {}
    for seat, secret in secrets.items():
        browser.driver.switch_to.new_window("tab")
        browser.open(f"{url}/seat/{seat + 1}?lang=en#{secret}")
        tabs[seat] = browser.driver.current_window_handle
        browser.until("document.querySelector('main').offsetParent !== null")
        assert secret not in browser.run("return location.href")
    table.deal()
    pressed = 0
    asked_for = {0, 1}
    while table.session.view.phase is Phase.PLAY and pressed < 20:
        seat = table.session.view.turn
        browser.driver.switch_to.window(tabs[seat])
        browser.until("document.getElementById('mine')?.dataset.turn === '1'")
        before = table.session.events
        browser.click("#b-have" if seat in asked_for else "#b-stick")
        asked_for.discard(seat)
        until(lambda: table.session.events > before)  # noqa: B023
        pressed += 1
        table.deal()
        if table.session.view.phase is Phase.PLAY and table.session.view.turn == seat:
            total = sum(min(card.rank.points, 10) for card in table.driver.hand_of(seat))
            if total > 31:
                browser.click("#b-out")
                until(lambda: table.session.view.seat(seat).status is not SeatStatus.WAITING)  # noqa: B023
    assert table.session.view.phase is not Phase.PLAY
    buttons = {press.button for press in table.pressed}
    assert {Button.HAVE, Button.STICK} <= buttons
    assert {press.seat for press in table.pressed} == set(secrets)
    assert browser.console() == []
    for handle in tabs.values():
        browser.driver.switch_to.window(handle)
        browser.driver.close()
    browser.driver.switch_to.window(browser.driver.window_handles[0])


def test_slip_is_taken_back(table, url, browser):
    table.deal()
    turn = table.session.view.turn
    browser.open(f"{url}/seat/{turn + 1}?lang=en#{table.secrets[turn]}")
    browser.until("document.getElementById('mine')?.dataset.turn === '1'")
    before = table.session.state.log
    browser.click("#b-stick")
    until(lambda: len(table.session.state.log) > len(before))
    browser.click("#b-undo")
    until(lambda: table.session.state.log == before)


def test_secret_can_be_typed_and_a_wrong_one_is_told(table, url, browser):
    browser.open(f"{url}/seat/2?lang=en")
    assert browser.run("return document.querySelector('main').offsetParent") is None
    field = browser.driver.find_element("id", "secret")
    field.send_keys("wrong")
    browser.click("#enter button")
    browser.until("!document.getElementById('told').hidden")
    assert "not the secret" in browser.driver.find_element("id", "told").text
    assert browser.run("return sessionStorage.getItem('seat1')") is None
    field.send_keys(table.secrets[1])
    browser.click("#enter button")
    browser.until("document.querySelector('main').offsetParent !== null")
    until(lambda: 1 in table.feed.phones.holders)
    assert [line for line in browser.console() if "403" not in line] == []


def test_host_presses_the_console(table, url, browser):
    browser.open(f"{url}/host?lang=en")
    pin = table.do(table.feed.show_pin)
    browser.driver.find_element("id", "secret").send_keys(pin)
    browser.click("#enter button")
    browser.until("document.querySelector('main').offsetParent !== null")
    browser.click("#b-next")
    until(lambda: [press.button for press in table.pressed] == [Button.NEXT])
    assert table.pressed[0].seat is None


def test_phone_that_wakes_is_told_its_turn(table, url, browser):
    table.deal()
    turn = table.session.view.turn
    browser.open(f"{url}/seat/{turn + 1}?lang=en#{table.secrets[turn]}")
    browser.until("document.getElementById('call').textContent === 'It is your turn.'")
    browser.run("document.getElementById('call').textContent = ''")
    browser.run("document.dispatchEvent(new Event('visibilitychange'))")
    browser.until("document.getElementById('call').textContent === 'It is your turn.'")


def test_page_says_what_the_caller_says(table, url, browser):
    browser.open(f"{url}/?lang=en")
    table.deal()
    turn = table.session.view.seat(table.session.view.turn).name
    browser.until(f"document.getElementById('call').textContent.includes({turn!r})")
    assert browser.run("return document.getElementById('call').getAttribute('aria-live')")


def test_page_is_right_again_after_the_service_was_away(table, browser):
    with served(table.path) as url:
        browser.open(f"{url}/?lang=en")
        port = int(url.rpartition(":")[2])
    table.deal()
    name = table.session.view.seat(table.session.view.turn).name
    began = time.monotonic()
    with served(table.path, port=port):
        browser.until(f"document.getElementById('ask').textContent.includes({name!r})", 10)
        assert time.monotonic() - began < 5


def test_overlay_is_transparent_where_nothing_lies(table, url, browser):
    from PIL import Image

    table.deal()
    browser.driver.execute_cdp_cmd(
        "Emulation.setDefaultBackgroundColorOverride", {"color": {"r": 0, "g": 0, "b": 0, "a": 0}}
    )
    try:
        browser.open(f"{url}/overlay?lang=en&plate=ff000080", "television")
        browser.until("document.querySelectorAll('.plate').length === 4")
        picture = Image.open(io.BytesIO(browser.driver.get_screenshot_as_png())).convert("RGBA")
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setDefaultBackgroundColorOverride", {})
    width, height = picture.size
    assert picture.getpixel((width // 2, height // 4))[3] == 0
    box = browser.run(
        "const r = document.querySelector('.plate').getBoundingClientRect();"
        "return [r.x + r.width * 0.7, r.y + r.height / 2]"
    )
    red, green, _blue, alpha = picture.getpixel(tuple(map(round, box)))
    assert (red, green) == (255, 0)
    assert 120 <= alpha <= 136


def test_overlay_shows_nothing_younger_than_its_delay(table, url, browser):
    """Every change of two hands is looked for on the page: none is there before its time."""
    delay = 2.0
    browser.open(f"{url}/overlay?lang=en&delay={delay:g}")
    browser.run(
        "window.seen = [];"
        "new MutationObserver(() => window.seen.push("
        "[Date.now() / 1000, document.getElementById('main').innerHTML]))"
        ".observe(document.getElementById('main'), {childList: true, subtree: true})"
    )
    last = time.time()
    asked = []
    initial = table.do(lambda: str(table.table.prompt.title))
    while table.session.view.hand_number < 3:
        before = table.do(lambda: str(table.table.prompt.title))
        table.go_on()
        now = table.do(lambda: str(table.table.prompt.title))
        if now != before:
            asked.append((time.time(), now))
        time.sleep(0.35)  # the pace of people: states that are close together are thinned out
        last = time.time()
    until(lambda: time.time() > last + delay + 1.5)
    seen = browser.run("return window.seen")
    assert len(seen) > 10
    first_asked = {}
    for at, title in asked:
        first_asked.setdefault(title, at)
    first_asked.setdefault(initial, 0.0)
    looked = 0
    del first_asked[initial]
    for title, at in first_asked.items():
        escaped = title.replace("&", "&amp;")
        shown = [when for when, html in seen if f"<h1>{escaped}</h1>" in html]
        if shown:
            looked += 1
            assert min(shown) >= at + delay - 0.1, title
    assert looked > len(first_asked) / 2
    assert looked > 5
