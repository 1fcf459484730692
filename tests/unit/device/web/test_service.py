"""What the web service answers, over a real socket to a real table."""

import json
import logging
import re
import threading
import time

import httpx
import jsonschema
import pytest

from device.feed import door
from device.feed.phones import mark
from device.web import guard, look, pages
from device.web.guard import PROBLEMS
from display.i18n.languages import languages
from display.i18n.translate import Translator
from display.pages.list import Item, ListPage
from engine import TABLE, Card, Have, Phase, Undo, view
from engine.core.messages.message import Message
from engine.core.messages.prompt import Prompt
from tests.support.paths import ROOT
from tests.support.played_table import PlayedTable
from tests.support.web_service import served, until

PAGES = ("/", "/board", "/overlay", "/hand/1", "/seat/1", "/host", "/rules")
PHONE = {"boneace-phone": "a" * 32}


def phone_of(table, seat, name="a"):
    return {"boneace-secret": table.secrets[seat], "boneace-phone": name * 32}


def stream(web, address, wanted, **headers):
    """Read events of a stream until *wanted* says that is all; return (event, id, data) of each."""
    found, event, id = [], "", ""
    with web.stream("GET", address, headers=headers) as answer:
        assert answer.status_code == 200
        for line in answer.iter_lines():
            name, _, value = line.partition(": ")
            if name == "event":
                event = value
            elif name == "id":
                id = value
            elif name == "data":
                found.append((event, id, json.loads(value)))
                id = ""
                if wanted(found):
                    return found
    raise AssertionError("the stream has ended")


# --- pages ------------------------------------------------------------------------------------


def test_seat_at_which_nobody_sits_has_no_page(still):
    _, web = still
    until(lambda: web.get("/api/state").json()["view"])
    assert web.get("/seat/7").status_code == 409
    assert "Nobody plays here now." in web.get("/seat/7").text
    assert web.get("/seat/1").status_code == 200


@pytest.mark.parametrize("language", languages())
def test_each_page_is_in_the_language_that_is_asked_for(still, language):
    table, web = still
    title = Translator.of(language).render(table.do(lambda: table.table.prompt).title)
    until(lambda: web.get("/api/state").json()["prompt"]["title"][language] == title)
    for page in PAGES:
        html = web.get(page, params={"lang": language}).text
        assert f'<html lang="{language}"' in html
        is_told = page not in ("/hand/1", "/rules")
        assert not is_told or title in html.replace("&#39;", "'").replace("&#34;", '"')


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("covered", [False, True])
def test_each_page_is_there_while_nobody_plays(table, web, page, covered):
    table.is_played = False
    title = Message("Which game?")
    table.page = ListPage(title=title, items=(Item(Message("Players")),)) if covered else None

    def is_told():
        state = web.get("/api/state").json()
        return state["view"] is None and bool(state["page"]) is covered

    until(is_told)
    html = web.get(page).text
    assert html.count("<h1>") == (0 if page == "/overlay" else 2 if 'id="enter"' in html else 1)
    if page not in ("/overlay", "/hand/1"):
        assert ("Which game?" if covered else "Nobody plays here now.") in html


def test_language_of_the_browser_counts_where_none_is_asked_for(still):
    _, web = still
    accepted = {"accept-language": "it, nl;q=0.9, en;q=0.5"}
    assert '<html lang="nl"' in web.get("/", headers=accepted).text


def test_table_that_is_not_there_is_told_and_comes_back(table, web):
    assert "Nobody plays" not in web.get("/").text
    table.close()
    until(lambda: "The table is not there now." in web.get("/").text)
    answer = web.get("/api/state")
    assert (answer.status_code, answer.json()["problem"]) == (503, "gone")


def test_story_of_a_hand_has_what_is_told_of_its_events(table, web):
    until(lambda: (table.go_on(), table.session.view.phase is Phase.DONE)[1])
    winner = table.session.view.seat(table.session.view.result.winners[0]).name
    html = until(lambda: web.get("/hand/1").text if winner in web.get("/hand/1").text else "")
    assert html.count("<li>") > 5
    assert "Nothing is told of this hand." in web.get("/hand/7").text


def test_page_stream_tells_its_part_again_when_something_happens(table, web):
    def play(found):
        if len(found) == 2:
            table.deal()
        return any(event == "part" and "To play" in data for event, _, data in found)

    found = stream(web, "/live/", play)
    assert [event for event, _, _ in found[:2]] == ["build", "part"]


def test_names_are_shown_as_text(tmp_path):
    from device.web.pages import render

    html = render("part-hand", "en", story=["<b>Ann</b>"], number=1, hands=0)
    assert "&lt;b&gt;Ann" in html


@pytest.mark.parametrize("page", [*PAGES, "/api/state", "/static/page.js", "/nothing"])
def test_every_answer_has_the_headers(still, page):
    _, web = still
    headers = web.get(page).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    assert "set-cookie" not in headers
    assert "server" not in headers


def test_only_the_head_of_a_stream_can_be_asked_for(still):
    _, web = still
    for page in ("/live/", "/api/events"):
        answer = web.head(page, timeout=3)
        assert (answer.status_code, answer.content) == (200, b"")


def test_fault_of_ours_is_told_without_its_cause(still, monkeypatch):
    _, web = still
    monkeypatch.setattr(pages.Pages, "draw", lambda *_: 1 / 0)
    answer = web.get("/", headers={"accept-language": "es"})
    assert answer.status_code == 500
    assert Translator.of("es").render(PROBLEMS["fault"][1]) in answer.text
    assert "Zero" not in answer.text
    assert answer.headers["content-security-policy"] == guard.HEADERS["content-security-policy"]


@pytest.mark.parametrize("page", PAGES)
def test_no_page_has_script_or_style_in_it(still, page):
    _, web = still
    html = web.get(page).text
    assert " style=" not in html
    assert "<style" not in html
    assert " on" not in html.replace(" on ", "").replace(" on&", "").split("<body")[0]
    assert html.count("<script") == html.count("<script src=")
    assert "//" not in html.replace("http://www.w3.org", "")


# --- what other programs ask ------------------------------------------------------------------


def test_state_is_what_the_whole_table_may_see(table, web):
    table.deal()
    from device.feed.wire import plain

    wanted = json.loads(json.dumps(plain(table.do(lambda: view(table.session.state, TABLE)))))
    state = until(lambda: (s := web.get("/api/state").json())["view"] == wanted and s)
    assert "own" not in state
    assert "kind" not in state


def test_seat_gets_its_own_view_with_its_secret_alone(table, web):
    table.deal()
    assert web.get("/api/state?seat=0", headers=PHONE).json()["problem"] == "secret"
    mine = web.get("/api/state?seat=0", headers=phone_of(table, 0)).json()
    assert mine["own"]["seats"][0]["cards"]
    assert "own" not in web.get("/api/state").json()
    assert web.get("/api/state?seat=1", headers=phone_of(table, 0)).status_code == 403


def test_events_have_ids_by_which_they_are_asked_for_again(table, web):
    table.go_on(6)
    number = table.session.events - 1
    sitting = table.session.record.number
    until(lambda: web.get("/api/state").json()["number"] == number)
    all_of_it = stream(web, "/api/events?after=all", lambda found: found[-1][0] == "state")
    ids = [id for event, id, _ in all_of_it if event == "event"]
    assert ids == [f"{sitting}.{n}" for n in range(number + 1)]
    again = stream(
        web, "/api/events", lambda f: f[-1][0] == "state", **{"last-event-id": f"{sitting}.2"}
    )
    assert [id for event, id, _ in again if event == "event"] == ids[3:]


def test_events_from_now_on_are_no_others_where_the_table_comes_later(tmp_path):
    place = tmp_path / "table"
    with PlayedTable(place) as table:
        table.go_on(5)
    (place / "feed.sock").unlink(missing_ok=True)
    with served(place / "feed.sock") as url, httpx.Client(base_url=url, timeout=20) as web:
        found = []

        def read():
            found.extend(stream(web, "/api/events", lambda f: any(e == "event" for e, *_ in f)))

        reading = threading.Thread(target=read, daemon=True)
        reading.start()
        time.sleep(0.3)
        with PlayedTable(place) as table:
            until(lambda: httpx.get(f"{url}/api/state").status_code == 200)
            time.sleep(0.5)
            table.do(lambda: table.session.apply(Undo()))
            reading.join(10)
            assert [id for event, id, _ in found if event == "event"] == [
                f"{table.session.record.number}.{table.session.events - 1}"
            ]


def test_events_of_an_earlier_sitting_come_from_the_journal(table, web):
    from device.runtime.session import Session
    from engine import Player

    table.go_on(4)
    first = table.session.record.number

    def another():
        table.session.close()
        people = [Player(0, "Ann"), Player(1, "Bess")]
        table.session = Session.begin(
            table.session._journal, table.table.clock, "one-and-thirty", people, dealer=0
        )
        table.driver.state = table.session.state
        table.driver.shuffle()
        table.feed.open(table.session)

    table.do(another)
    with httpx.Client(base_url=web.base_url, timeout=10) as fresh, served(table.path) as url:
        fresh.base_url = url
        table.go_on(3)
        until(lambda: fresh.get("/api/state").json()["number"] == 2)
        found = stream(
            fresh, "/api/events", lambda f: f[-1][0] == "state", **{"last-event-id": f"{first}.1"}
        )
    ids = [id for event, id, _ in found if event == "event"]
    second = table.session.record.number
    assert ids == [*(f"{first}.{n}" for n in (2, 3)), *(f"{second}.{n}" for n in range(3))]


SCHEMA = json.loads((ROOT / "docs/reference/web.schema.json").read_text(encoding="utf-8"))


def test_what_the_page_says_of_a_view_is_in_the_schema():
    page = (ROOT / "docs" / "reference" / "web.md").read_text(encoding="utf-8")
    told = page.partition("## What stands in a view")[2].partition("\n## ")[0]
    names = {
        name.rpartition(".")[2]
        for row in re.findall(r"^\| `view.*", told, re.MULTILINE)
        for name in re.findall(r"`([\w.\[\]]+)`", row.split("|")[1])
    } - {"view"}
    known = [SCHEMA["$defs"][each]["properties"] for each in ("View", "SeatView")]
    assert len(names) > 12
    assert names <= set().union(*known)


def fits(told, kind):
    jsonschema.validate(told, {"$ref": f"#/$defs/{kind}", "$defs": SCHEMA["$defs"]})


@pytest.mark.parametrize(
    ("game", "preset"), [("bone-ace", None), ("scat", "switch"), ("knucklebones", None)]
)
def test_what_is_told_is_as_the_schema_says(tmp_path, game, preset):
    with (
        PlayedTable(tmp_path / "table", game, preset) as table,
        served(table.path) as url,
        httpx.Client(base_url=url) as web,
    ):
        while table.session.view.result is None:
            table.go_on()
        number = table.session.events - 1
        until(lambda: web.get("/api/state").json()["number"] == number)
        fits(web.get("/api/state").json(), "state")
        fits(web.get("/api/state?seat=1", headers=phone_of(table, 1)).json(), "state")
        found = stream(web, "/api/events?after=all", lambda f: f[-1][0] == "state")
        assert len(found) == number + 2
        for event, _, told in found:
            fits(told, event)
        fits(web.post("/api/host", json={"pin": table.do(table.feed.show_pin)}).json(), "answer")
        fits(web.post("/api/host", json={"pin": "1"}).json(), "answer")


def test_schema_says_of_itself_what_is_one_of_its_things(still):
    """A validator that is given no part of it does not take whatever comes."""
    _, web = still
    jsonschema.validate(web.get("/api/state").json(), SCHEMA)
    jsonschema.validate({"ok": True}, SCHEMA)
    for wrong in ({}, [], 7, {"ok": 1}, {**web.get("/api/state").json(), "extra": 1}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, SCHEMA)


def test_another_site_is_told_nothing_in_a_browser(still):
    """docs/reference/web.md says so: programs outside of a browser, and the overlay."""
    _, web = still
    for path in ("/api/state", "/api/events", "/overlay"):
        answer = web.head(path, headers={"origin": "http://stream.example"})
        assert not [name for name in answer.headers if name.startswith("access-control")]
        assert answer.headers["x-frame-options"] == "DENY"
    page = (ROOT / "docs/reference/web.md").read_text(encoding="utf-8")
    assert "page of your own in a browser cannot read" in page


def test_schema_takes_no_other_state(still):
    _, web = still
    state = web.get("/api/state").json()
    fits(state, "state")
    for wrong in ({**state, "extra": 1}, {**state, "view": {**state["view"], "turn": "0"}}):
        with pytest.raises(jsonschema.ValidationError):
            fits(wrong, "state")


def test_press_of_a_phone_is_one_at_the_table(table, web):
    table.deal()
    turn = table.session.view.turn
    phone = phone_of(table, turn)
    answer = web.post("/api/press", json={"seat": turn, "button": "have"}, headers=phone)
    assert answer.json() == {"ok": True}
    until(lambda: table.session.state.log[-1] == Have(turn))


def test_answers_that_are_cards_come_before_those_in_words(table, web):
    cards = tuple(map(Card.parse, ("AS", "TH")))
    words = Message("none of these"), Message("Not yet")
    asked = Prompt(Message("Which suit is it?"), choices=words, card_choices=cards)
    table.question = asked, 1
    until(lambda: "none of these" in web.get("/seat/2").text)
    html = web.get("/seat/2").text
    answers = re.findall(r'data-choice="(\d)".*?</button>', html, re.DOTALL)
    assert answers == ["0", "1", "2", "3"]
    assert html.index('aria-label="ace of spades"') < html.index('aria-label="ten of hearts"')
    assert html.index("ten of hearts") < html.index("none of these")
    assert "data-choice" not in web.get("/seat/1").text, "another player is asked"
    state = web.get("/api/state").json()["prompt"]
    press = {"choice": 3, "prompt": state["id"]}
    refused = web.post("/api/press", json={"seat": 0, **press}, headers=phone_of(table, 0))
    assert refused.json()["problem"] == "other"
    web.post("/api/press", json={"seat": 1, **press}, headers=phone_of(table, 1))
    until(lambda: [each.choice for each in table.pressed] == [3])


def test_phone_that_takes_over_is_asked_for_at_the_table(table, web):
    first, other = phone_of(table, 0), phone_of(table, 0, "b")
    assert web.post("/api/seat", json={"seat": 0}, headers=first).status_code == 200
    asked = web.post("/api/seat", json={"seat": 0}, headers=other)
    assert (asked.status_code, asked.json()["problem"]) == (202, "asked")
    until(lambda: table.do(table.feed.door.page) is not None)
    assert web.post("/api/seat", json={"seat": 0}, headers=other).json()["problem"] == "asked"
    from device.ports import Button, Press

    table.do(lambda: table.feed.door.press(Press(Button.HAVE, time.monotonic())))
    until(lambda: web.post("/api/seat", json={"seat": 0}, headers=other).status_code == 200)
    assert table.do(lambda: dict(table.feed.phones.holders)) == {0: mark("b" * 32)}


def test_others_let_a_phone_in_to_press_only(table, web, monkeypatch):
    monkeypatch.setattr(door, "NOTICE_S", 0.3)
    for seat in range(3):
        mine = phone_of(table, seat, "abc"[seat])
        assert web.post("/api/seat", json={"seat": seat}, headers=mine).status_code == 200
    new = phone_of(table, 0, "n")
    assert web.post("/api/seat", json={"seat": 0}, headers=new).status_code == 202
    page = until(lambda: web.get("/api/state").json()["page"])
    assert page["asks"] == [0, 1, 2]
    for seat in (1, 2):
        assert 'data-choice="1"' in web.get(f"/seat/{seat + 1}").text
        answer = {"seat": seat, "choice": 0, "prompt": page["id"]}
        mine = phone_of(table, seat, "abc"[seat])
        assert web.post("/api/press", json=answer, headers=mine).json() == {"ok": True}
    until(lambda: web.post("/api/seat", json={"seat": 0}, headers=new).status_code == 200)
    told = web.get("/api/state?seat=0", headers=new).json()
    assert told["own"] is None
    fits(told, "state")
    assert web.get("/api/state?seat=1", headers=phone_of(table, 1, "b")).json()["own"]
    told = web.post("/api/press", json={"seat": 0, "button": "have"}, headers=new).json()
    assert told["problem"] == "rules", "it presses, while cards are dealt"
    assert [press.seat for press in table.pressed] == [0]


def test_phone_gives_its_seat_back(table, web):
    phone = phone_of(table, 0)
    web.post("/api/seat", json={"seat": 0}, headers=phone)
    assert web.post("/api/leave", json={"seat": 0}, headers=phone).json() == {"ok": True}
    until(lambda: web.get("/api/state").json()["phones"] == [])


def test_host_comes_in_with_the_pin_and_presses_the_console(table, web):
    assert web.post("/api/host", json={"pin": "000000"}).json()["problem"] == "pin"
    pin = table.do(table.feed.show_pin)
    token = web.post("/api/host", json={"pin": pin}).json()["token"]
    refused = web.post("/api/press", json={"button": "next"}, headers={"boneace-host": "x"})
    assert refused.json()["problem"] == "secret"
    pressed = web.post("/api/press", json={"button": "next"}, headers={"boneace-host": token})
    assert "This hand is not over." in pressed.json()["text"]
    until(lambda: [press.button.value for press in table.pressed] == ["next"])


def test_delayed_viewer_gets_nothing_younger(table, web):
    time.sleep(0.3)
    began = time.monotonic()
    delay = 1.5
    table.deal()
    dealt = table.session.events - 1
    assert web.get(f"/api/state?delay={delay}").status_code in (200, 503)
    until(lambda: web.get("/api/state").json()["number"] == dealt)

    def number():
        answer = web.get(f"/api/state?delay={delay}").json()
        return answer.get("number", -2)

    first = number()
    assert first < dealt
    until(lambda: number() == dealt)
    assert time.monotonic() - began >= delay


def test_delayed_stream_gets_nothing_younger(table, web):
    came = []

    def note(found):
        came.append(time.monotonic())
        return sum(event == "event" for event, _, _ in found) >= 3

    reading = threading.Thread(target=lambda: stream(web, "/api/events?delay=1", note), daemon=True)
    time.sleep(1.2)
    reading.start()
    time.sleep(0.3)
    played = []
    for _ in range(3):
        table.go_on()
        played.append(time.monotonic())
    reading.join(10)
    assert not reading.is_alive()
    events = came[-3:]
    assert all(at - was >= 0.95 for at, was in zip(events, played, strict=True))


# --- bad input --------------------------------------------------------------------------------


def press_of_nobody(web, **more):
    return web.post("/api/press", json={"seat": 0, "button": "have"}, **more)


@pytest.mark.parametrize(
    ("headers", "status", "problem"),
    [
        ({"boneace-secret": "wrong", **PHONE}, 403, "secret"),
        ({"boneace-secret": "ü".encode(), **PHONE}, 403, "secret"),
        ({"host": "evil.example"}, 421, "host"),
        ({"host": ""}, 421, "host"),
        ({"origin": "http://evil.example"}, 403, "site"),
        ({"origin": "null"}, 403, "site"),
        ({"sec-fetch-site": "cross-site"}, 403, "site"),
        ({"content-type": "text/plain"}, 400, "bad"),
    ],
)
def test_press_of_a_stranger_is_answered_and_does_nothing(
    table, web, headers, status, problem, caplog
):
    headers = {"accept-language": "de", **headers}
    answer = web.post(
        "/api/press",
        content=b'{"seat": 0, "button": "have"}',
        headers={"content-type": "application/json", **headers},
    )
    assert (answer.status_code, answer.json()["problem"]) == (status, problem)
    assert answer.json()["text"] == Translator.of("de").render(PROBLEMS[problem][1])
    assert any(f"refused ({problem})" in each for each in caplog.messages)
    assert table.pressed == []


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"null",
        b"\xff",
        b"[" * 4000,
        b'{"seat": true, "button": "have"}',
        b'{"seat": -1, "button": "have"}',
        b'{"seat": 1e3, "button": "have"}',
        b'{"seat": 0}',
        b'{"seat": 0, "button": "quit"}',
        b'{"seat": 0, "button": "have", "choice": 0}',
        b'{"seat": 0, "button": "have", "secret": "x"}',
        b'{"seat": 0, "button": ["have"]}',
        b'{"seat": 99999999999999999999, "button": "have"}',
    ],
)
def test_body_that_is_not_understood_is_refused(still, body):
    table, web = still
    headers = {"content-type": "application/json", **phone_of(table, 0)}
    answer = web.post("/api/press", content=body, headers=headers)
    assert (answer.status_code, answer.json()["problem"]) == (400, "bad")
    assert table.pressed == []


def test_body_of_ten_megabytes_is_refused(still):
    _, web = still
    headers = {"content-type": "application/json"}
    answer = web.post("/api/press", content=b"x" * 10_000_000, headers=headers)
    assert (answer.status_code, answer.json()["problem"]) == (413, "long")


def test_answer_to_what_is_asked_no_more_is_refused(table, web):
    table.deal()
    turn = table.session.view.turn
    old = web.get("/api/state").json()["prompt"]["id"] - 1
    answer = web.post(
        "/api/press", json={"seat": turn, "choice": 0, "prompt": old}, headers=phone_of(table, turn)
    )
    assert (answer.status_code, answer.json()["problem"]) == (409, "stale")


def test_secret_of_an_earlier_sitting_is_refused(table, web):
    before = phone_of(table, 0)
    table.do(lambda: table.feed.phones.sit_down(99, [0, 1, 2], ""))
    assert press_of_nobody(web, headers=before).json()["problem"] == "secret"
    assert table.pressed == []


@pytest.mark.parametrize(
    ("page", "status"),
    [
        ("/seat/0", 404),
        ("/seat/9", 404),
        ("/hand/99999999999", 404),
        ("/nothing", 404),
        ("/overlay?delay=x", 400),
        ("/overlay?delay=-1", 400),
        ("/overlay?delay=nan", 400),
        ("/overlay?delay=121", 400),
        ("/overlay?position=middle", 400),
        ("/overlay?postion=top", 400),
        ("/overlay?plate=zz", 400),
        ("/overlay?ink=1234567", 400),
        ("/overlay?accent=", 400),
        ("/api/events?after=x", 400),
        ("/api/events?after=1.-1", 400),
        ("/api/state?seat=x", 400),
        ("/static/../app.py", 404),
        ("/api/press", 405),
    ],
)
def test_address_that_is_none_is_told_in_the_readers_language(still, page, status):
    _, web = still
    answer = web.get(page, headers={"accept-language": "fr"})
    assert answer.status_code == status
    word = {400: "bad", 404: "missing", 405: "method"}[status]
    told = Translator.of("fr").render(PROBLEMS[word][1])
    if status == 400:  # what is wrong is named, and what can be there
        what = page.partition("?")[2]
        can_be = {
            "/overlay?delay": "0 ... 120",
            "/overlay?position": "top, bottom, left, right",
            "/overlay?postion": ", ".join(look.TAKES),
            **dict.fromkeys(map("/overlay?{}".format, look.OVERLAY), "0c1e1a, 0c1e1acc"),
        }
        if known := can_be.get(page.partition("=")[0]):
            what = f"{what.partition('=')[0] if 'postion' in what else what} ({known})"
        told = Translator.of("fr").render(Message("This cannot be understood: {what}", what=what))
    assert told in (answer.json()["text"] if page.startswith("/api/") else answer.text)


def test_of_the_server_below_only_what_is_wrong_is_logged(web, caplog):
    assert web.get("/board").status_code == 200
    assert logging.getLogger("uvicorn.error").level == logging.WARNING
    assert [each for each in caplog.records if each.name.startswith("uvicorn")] == []


def test_what_is_wrong_with_an_address_is_named_as_text(still):
    _, web = still
    html = web.get("/overlay?delay=<b>" + 100 * "x").text
    assert "delay=&lt;b&gt;xxx" in html
    assert 60 * "x" not in html


def test_too_many_requests_are_refused_and_then_heard_again(table, web, caplog, monkeypatch):
    monkeypatch.setattr(guard, "BURST", 20.0)
    monkeypatch.setattr(guard, "PER_SECOND", 5.0)
    codes = [web.get("/colours.css").status_code for _ in range(60)]
    assert codes[:15] == [200] * 15
    assert codes.count(429) >= 20
    assert sum("refused (many)" in each for each in caplog.messages) == 1
    time.sleep(0.5)
    assert web.get("/colours.css").status_code == 200


def test_overlay_takes_colours_and_nothing_else_from_its_address(still):
    _, web = still
    css = web.get("/overlay.css?ink=ff0000&accent=12345678&plate=red}body{x&nose=111111").text
    assert "--ivory:#ff0000;" in css
    assert "--brass:#12345678;" in css
    assert "body" not in css
    assert "111111" not in css
    assert 'class="overlay bottom"' in web.get("/overlay").text
    assert 'class="overlay left' in web.get("/overlay?position=left&plate=0c1e1acc&ink=fff").text
    assert "plate=zz" in web.get("/overlay?plate=zz").text, "what is wrong is named"
