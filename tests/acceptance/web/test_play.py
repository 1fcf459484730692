"""Phones, the scoreboard and the overlay while a hand is played."""

import asyncio
import contextlib
import io
import threading
import time
from functools import partial

import httpx
import numpy as np
import pytest
from PIL import Image

from device.feed import door
from device.feed.phones import mark
from device.ports import Button
from device.web.pages import Reader, draw_part
from device.web.table import Table
from engine import Phase, SeatStatus
from engine.core.messages.message import Message
from engine.core.messages.prompt import Prompt, PromptKind
from tests.support import web_service
from tests.support.played_table import PlayedTable
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
        time.sleep(0.5)  # who presses twice at once trembles
        browser.click("#b-have" if seat in asked_for else "#b-stick")
        asked_for.discard(seat)
        until(lambda: table.session.events > before)  # noqa: B023
        pressed += 1
        table.deal()
        if table.session.view.phase is Phase.PLAY and table.session.view.turn == seat:
            total = sum(min(card.rank.points, 10) for card in table.driver.hand_of(seat))
            if total > 31:
                time.sleep(0.5)
                browser.click("#b-out")
                browser.until("document.getElementById('told').textContent.includes('again')")
                time.sleep(0.5)
                browser.click("#b-out")
                until(lambda: table.session.view.seat(seat).status is not SeatStatus.WAITING)  # noqa: B023
    assert table.session.view.phase is not Phase.PLAY
    buttons = {press.button for press in table.pressed}
    assert {Button.HAVE, Button.STICK} <= buttons
    assert {press.seat for press in table.pressed} == set(secrets)
    assert browser.console() == []
    browser.close_others()


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


def taken(browser, url, secret, seat, lang="en"):
    """Open the page of a seat with its secret."""
    browser.open(f"{url}/seat/{seat + 1}?lang={lang}#{secret}")
    browser.until("document.querySelector('main').offsetParent !== null")


def test_trembling_finger_says_one_word(table, url, browser):
    table.deal()
    turn = table.session.view.turn
    taken(browser, url, table.secrets[turn], turn)
    browser.until("document.getElementById('b-have') !== null")
    browser.run("for (const n of [1, 2, 3]) document.getElementById('b-have').click()")
    until(lambda: table.pressed)
    time.sleep(0.3)
    assert [press.button for press in table.pressed] == [Button.HAVE]


def test_nobody_throws_a_hand_in_by_one_press(table, url, browser):
    table.deal()
    taken(browser, url, table.secrets[1], 1)
    browser.until("document.getElementById('b-out') !== null")
    top = "return document.getElementById('b-out').getBoundingClientRect().top"
    before = browser.run(top)
    browser.click("#b-out")
    browser.until("document.getElementById('told').textContent.includes('OUT again')")
    assert browser.run(top) == before, "the second press must find it where it was"
    assert table.pressed == []
    browser.until("document.getElementById('told').hidden", 30)
    browser.click("#b-out")
    browser.until("document.getElementById('told').textContent.includes('OUT again')")
    assert table.pressed == [], "what is asked no more is not answered"
    browser.settle()
    browser.click("#b-out")
    until(lambda: [press.button for press in table.pressed] == [Button.OUT])


def test_way_back_to_a_seat(table, url, browser):
    browser.open(f"{url}/board?lang=en")
    assert browser.run("return document.getElementById('to-seat')") is None
    browser.open(f"{url}/?lang=en")
    assert browser.run("return document.getElementById('to-seat').hidden")
    taken(browser, url, table.secrets[2], 2)
    browser.open(f"{url}/?lang=en")
    browser.click("#to-seat")
    browser.until("document.getElementById('b-have') !== null")
    assert browser.run("return location.pathname") == "/seat/3"


def test_what_another_phone_is_refused_is_not_told_here(table, url, browser):
    table.deal()
    other = (table.session.view.turn + 2) % 4
    taken(browser, url, table.secrets[other], other)
    phone = {"boneace-secret": table.secrets[(other + 1) % 4], "boneace-phone": "another"}
    body = {"seat": (other + 1) % 4, "button": "stick"}
    told = httpx.post(f"{url}/api/press", json=body, headers=phone).json()
    assert told["problem"] == "rules"
    until(lambda: httpx.get(f"{url}/api/state").json()["prompt"]["refused"]["en"])
    time.sleep(0.3)
    assert browser.run("return document.getElementById('told').hidden")
    assert told["text"] not in browser.run("return document.body.innerText")
    browser.run("document.getElementById('call').textContent = ''")
    browser.click("#b-stick")
    browser.until("!document.getElementById('told').hidden")
    assert "turn" in browser.driver.find_element("id", "told").text
    assert browser.run("return document.getElementById('told').getAttribute('role')") == "alert"
    assert browser.run("return document.getElementById('call').textContent") == "", "not: done"


def test_finger_that_comes_late_answers_no_other_question(tmp_path, browser):
    """Both phones show which rank is asked for; the other one answers first."""
    with PlayedTable(tmp_path / "hand", "scat", by_hand=True) as table, served(table.path) as url:
        asked = until(lambda: table.do(lambda: table.table.question))
        number = httpx.get(f"{url}/api/state").json()["prompt"]["id"]
        seat = asked.seat or 0
        taken(browser, url, table.secrets[seat], seat)
        browser.until("document.querySelectorAll('#choices button').length === 13")
        browser.settle()
        phone = {
            "boneace-secret": table.secrets[seat],
            "boneace-phone": browser.run("return localStorage.phone"),
        }
        rank = {"seat": seat, "choice": 11, "prompt": number}
        assert httpx.post(f"{url}/api/press", json=rank, headers=phone).json()["ok"]
        browser.until("document.querySelectorAll('#choices button').length === 4")
        browser.click("#choices button")
        browser.until("document.getElementById('told').textContent.includes('Something else')")
        asks_suit = lambda: "which suit is it?" in str(table.table.question.text)  # noqa: E731
        assert table.do(asks_suit)
        browser.settle()
        browser.click("#choices button")
        until(lambda: not table.do(asks_suit))


def test_word_counts_at_once_after_that_of_another(table, url, browser):
    table.deal()
    turn = table.session.view.turn
    follows = (turn + 1) % 4
    taken(browser, url, table.secrets[follows], follows)
    browser.settle()
    phone = {"boneace-secret": table.secrets[turn], "boneace-phone": "another"}
    body = {"seat": turn, "button": "stick"}
    assert httpx.post(f"{url}/api/press", json=body, headers=phone).json()["ok"]
    browser.until("document.getElementById('mine').dataset.turn === '1'")
    browser.click("#b-stick")
    until(lambda: (table.pressed[-1].button, table.pressed[-1].seat) == (Button.STICK, follows))
    until(lambda: table.session.view.turn not in (turn, follows))


def test_page_says_that_it_is_not_connected(table, browser):
    with served(table.path) as url:
        browser.open(f"{url}/?lang=en")
        browser.until("document.getElementById('lost').hidden")
        port = int(url.rpartition(":")[2])
    browser.until("!document.getElementById('lost').hidden", 10)
    with served(table.path, port=port):
        browser.until("document.getElementById('lost').hidden", 10)
    browser.console()


def test_phone_is_asked_whether_another_may_have_its_seat(table, url, browser):
    taken(browser, url, table.secrets[1], 1)
    until(lambda: 1 in table.feed.phones.holders)
    other = {"boneace-secret": table.secrets[1], "boneace-phone": "another"}
    answer = httpx.post(f"{url}/api/seat", json={"seat": 1}, headers=other)
    assert answer.json()["problem"] == "asked"
    browser.until("document.querySelector('#cover')?.textContent.includes('Another phone')")
    heard = browser.run("return document.getElementById('call').textContent")
    assert heard.startswith("Another phone wants the seat of Bess")
    browser.settle()
    browser.click("#choices button")
    until(lambda: table.feed.phones.holders[1] == mark("another"))
    assert table.pressed == []


def test_phone_of_another_seat_is_asked_where_the_old_one_is_dead(table, url, browser, monkeypatch):
    monkeypatch.setattr(door, "NOTICE_S", 0.5)
    taken(browser, url, table.secrets[0], 0)

    def ask(seat, phone, what="seat", **more):
        headers = {"boneace-secret": table.secrets[seat], "boneace-phone": phone}
        return httpx.post(f"{url}/api/{what}", json={"seat": seat, **more}, headers=headers).json()

    assert ask(1, "dead")["ok"]
    assert ask(2, "cecil")["ok"]
    assert ask(1, "new")["problem"] == "asked"
    browser.until("document.querySelector('#cover')?.textContent.includes('Two other players')")
    browser.settle()
    browser.click("#choices button")
    number = httpx.get(f"{url}/api/state").json()["page"]["id"]
    assert ask(2, "cecil", "press", choice=0, prompt=number)["ok"]
    until(lambda: table.feed.phones.holders[1] == mark("new"))
    browser.until("document.querySelector('#cover') === null")
    assert table.pressed == []


def test_secret_of_a_former_evening_is_told_as_such(table, url, browser):
    taken(browser, url, table.secrets[1], 1)
    browser.run("sessionStorage.setItem('seat1', 'yesterdays')")
    browser.driver.refresh()
    browser.until("document.getElementById('told').textContent.includes('counts no more')")
    browser.until("document.querySelector('main').offsetParent === null")
    browser.console()


def test_answers_by_keyboard_go_on_at_the_question(tmp_path, browser):
    with PlayedTable(tmp_path / "hand", "scat", by_hand=True) as table, served(table.path) as url:
        asked = until(lambda: table.do(lambda: table.table.question))
        seat = asked.seat or 0
        taken(browser, url, table.secrets[seat], seat, "fr")
        browser.until("document.querySelectorAll('#choices button').length === 13")
        queen = browser.run("return document.querySelectorAll('#choices button')[11].textContent")
        assert queen == "Ddame", "the letter is drawn, the word is read out"
        browser.run("document.querySelectorAll('#choices button')[11].focus()")
        browser.run("document.activeElement.click()")
        browser.until("document.querySelectorAll('#choices button').length === 4")
        assert browser.run("return document.activeElement.id") == "asked"
        assert browser.run("return document.querySelector('#choices .card b').textContent") == "D"


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


def test_phone_that_is_asked_out_of_turn_is_told_what_it_shows(table, url, browser):
    table.deal()
    seat = (table.session.view.turn + 1) % 4
    table.question = Prompt(Message("Which?"), kind=PromptKind.QUESTION), seat
    browser.open(f"{url}/seat/{seat + 1}?lang=en#{table.secrets[seat]}")
    browser.until("document.querySelector('#mine .badge')?.textContent === 'You are asked.'")
    browser.until("document.getElementById('call').textContent === 'You are asked.'")


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


class Watching(Table):
    """Notes what the overlay shows without delay, and from when on, for each state of the table."""

    def __init__(self, feed):
        super().__init__(feed)
        self.parts = []

    def _see(self, line):
        super()._see(line)
        self.parts.append((time.time(), draw_part(Reader("overlay", "en"), line, ())))


@contextlib.contextmanager
def watching(feed):
    """Watch a table from a thread of its own."""
    table, loop = Watching(feed), asyncio.new_event_loop()
    task = loop.create_task(table.run())
    thread = threading.Thread(target=lambda: loop.run_until_complete(asyncio.wait([task])))
    thread.start()
    yield table
    loop.call_soon_threadsafe(task.cancel)
    thread.join()
    loop.close()


FRAMES = """
window.seen = [];
window.elements = (root) => [...root.children].map((each) => each.outerHTML).join("");
const main = document.getElementById("main");
const note = () => window.seen.push([Date.now() / 1000, window.elements(main)]);
note();
new MutationObserver(note).observe(main, { childList: true, subtree: true });
"""
AS_DRAWN = """
return arguments[0].map((html) => {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  return window.elements(fresh.content);
});
"""
BOXES = """
return [...document.querySelectorAll(".ask, .plate")].map((each) => {
  const box = each.getBoundingClientRect();
  const plain = each.matches(".plate:not(.wins)") ? 1 : 0;
  return [box.left, box.top, box.right, box.bottom].map(Math.round).concat(plain);
});
"""


PLATE = (255, 0, 0, 0x80)


def is_clear_around(browser):
    """Look at one frame; return whether it stood still for so long that anything can be said."""
    boxes = browser.run(BOXES)
    picture = io.BytesIO(browser.driver.get_screenshot_as_png())
    if not boxes or browser.run(BOXES) != boxes:
        return False
    pixels = np.asarray(Image.open(picture).convert("RGBA"))
    alpha = pixels[..., 3]
    around = np.ones_like(alpha, bool)
    for left, top, right, bottom, is_plain in boxes:
        around[top - 8 : bottom + 8, left - 8 : right + 8] = False  # the frame of who is asked
        if not is_plain:
            continue  # what heads the picture, and winners, have colours of their own
        inside = pixels[top + 12 : bottom - 12, left + 12 : right - 12].reshape(-1, 4)
        assert inside[:, 3].max() == 255, "words let nothing through"
        ground = inside[inside[:, 3] < 200]
        assert len(ground) > len(inside) / 4
        assert abs(np.median(ground, axis=0) - PLATE).max() <= 2, "not the colour asked for"
        assert inside[:, 3].min() >= PLATE[3] - 2
    assert alpha[around].max() == 0
    return True


def test_overlay_is_clear_and_shows_nothing_younger_than_its_delay(table, url, browser):
    """Every frame of two hands is one that the table had shown, and at least so long before."""
    delay, looked, last = 2.0, 0, 0.0
    browser.driver.execute_cdp_cmd(
        "Emulation.setDefaultBackgroundColorOverride", {"color": {"r": 0, "g": 0, "b": 0, "a": 0}}
    )
    with watching(table.path) as now:
        until(lambda: now.parts)
        browser.open(f"{url}/overlay?lang=en&delay={delay:g}&plate=ff000080", "television")
        browser.run(FRAMES)
        while table.session.view.hand_number < 3:
            table.go_on()
            time.sleep(0.35)  # the pace of people: states that are close together are thinned out
            looked += is_clear_around(browser)
            last = time.time()
        until(lambda: time.time() > last + delay + 1.5)
        frames, parts = browser.run("return window.seen"), now.parts
        drawn = browser.run(AS_DRAWN, [part for _, part in parts])
    browser.driver.execute_cdp_cmd("Emulation.setDefaultBackgroundColorOverride", {})
    since = {}
    for (when, _), part in zip(parts, drawn, strict=True):
        since.setdefault(part, when)
    frames = [(when, html) for when, html in frames if html]
    assert len(frames) > 30
    assert looked > 20
    # What this test itself is late by on a busy machine; a state too soon would be 0.35 s early.
    early = [when - since[html] for when, html in frames if when < since[html] + delay - 0.2]
    assert early == []
