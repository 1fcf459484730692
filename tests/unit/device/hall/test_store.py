"""What a hall keeps: each event once, a ranking of it, and nothing of what was erased."""

import asyncio
import csv
import io
import re
import socket
import sqlite3

import httpx
import pytest

from device.cli import main
from device.clock import local
from device.commands.hall import AGAIN_S, _forget
from device.config.model import HallConfig
from device.feed.wire import plain
from device.hall.listener import Hall
from device.hall.messages import encode
from device.hall.pages import COLUMNS, make_app, ranking_rows
from device.hall.store import HallFileError, Store
from device.storage.journal.erase_rows import Erasure
from device.web.guard import HEADERS, PROBLEMS
from display.i18n.languages import LANGUAGES
from display.i18n.translate import Translator
from engine import TABLE, Card, Deal, Facing, Player, apply, new_table, view
from tests.support.fake_feed import FakeTable
from tests.support.hall_rig import ledger

DAY_S = 86_400.0
NOW = 1_764_100_000.0


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "hall.sqlite3") as store:
        yield store


def hall_of(store):
    return Hall(HallConfig(broker="nowhere"), store)


def told(table, kind="event", **change):
    """Return what a table has told, as messages."""
    at = f"boneace/v1/{table.name}/{kind}"
    if kind == "status":
        return [(at, encode({"table": table.name, "online": True, **change}))]
    if kind == "state":
        state = table.state()
        names = ("at", "sitting", "number", "view", "prompt")
        body = {name: state[name] for name in names} | {
            "newest": [state["sitting"], state["number"]]
        }
        return [(at, encode({"table": table.name, **body, **change}))]
    return [(at, encode({"table": table.name, **event, **change})) for event in table.events]


@pytest.fixture
def table():
    return FakeTable("red-otter", None)


def test_each_event_counts_once(store, table):
    for number in range(4):
        table.add(1, tokens=(number, -number))
    hall = hall_of(store)
    messages = told(table)
    hall.take(messages[:2], lambda: NOW)
    hall.take([*messages, *messages[1:3]], lambda: NOW)
    assert ledger(store) == {("red-otter", 1): {"Ann": 3, "Bess": -3}}
    assert store.have() == {"red-otter": (1, 3)}
    assert hall.tables["red-otter"].have == (1, 3)


def test_what_comes_out_of_order_waits_for_what_is_missing(store, table):
    for number in range(4):
        table.add(1, tokens=(number, -number))
    first, second, third, fourth = told(table)
    hall = hall_of(store)
    hall.take([first, fourth, third], lambda: NOW)
    assert store.have() == {"red-otter": (1, 0)}
    assert hall.tables["red-otter"].newest == (1, 3), "it will be asked for"
    hall.take([second, third, fourth], lambda: NOW)
    assert ledger(store) == {("red-otter", 1): {"Ann": 3, "Bess": -3}}


def test_a_broker_that_lies_changes_nothing_and_stands_in_the_log(store, table, caplog):
    table.add(1, tokens=(2, -2))
    hall = hall_of(store)
    hall.take(told(table), lambda: NOW)
    before = ledger(store)
    other = FakeTable("blue-owl", None)
    other.add(1, tokens=(50, -50))
    wrong = told(table, players=[{"seat": 0, "name": "Ann", "tokens": 999}])
    hall.take(
        [
            *wrong,
            ("boneace/v1/red-otter/event", told(other)[0][1]),
            ("boneace/v1/red-otter/event", b"{"),
            ("boneace/v1/red-otter/event", b" " * 300_000),
            ("boneace/v1/red-otter/state", told(table)[0][1]),
            ("boneace/v1/Eve's/event", wrong[0][1]),
        ],
        lambda: NOW,
    )
    assert ledger(store) == before
    for said in ("another event is already known as [1, 0]", "refused"):
        assert said in caplog.text
    lines = len(caplog.records)
    hall.take([("boneace/v1/red-otter/event", b"{")] * 1_000, lambda: NOW)
    assert len(caplog.records) == lines, "a flood of lies is no flood of lines"


def test_a_journal_that_goes_back_is_told(store, table, caplog):
    table.add(1)
    table.add(1)
    hall = hall_of(store)
    hall.take(told(table), lambda: NOW)
    table.events.pop()
    hall.take(told(table, "state"), lambda: NOW)
    assert "its numbers have gone back" in caplog.text


@pytest.mark.parametrize("at", [0.0, 1e300, 10**400, NOW + 3 * DAY_S])
def test_of_a_table_whose_clock_is_wrong_the_halls_counts(store, table, at, caplog):
    table.add(1)
    hall_of(store).take(told(table, at=at, started=at), lambda: NOW)
    (one, _) = store.ranking()
    assert (one.first, one.last) == (NOW, NOW)
    assert "its clock is wrong" in caplog.text


def test_the_ranking_is_over_tables_and_evenings_by_name(store):
    hall = hall_of(store)
    result = {"end": "showdown"}
    euro = {"minor": 25, "currency": "EUR", "digits": 2}
    red, blue = FakeTable("red-otter", None), FakeTable("blue-owl", None)
    red.add(1, tokens=(3, -3), hand=1, result=result)
    red.add(1, tokens=(4, -4), hand=2, result=result)
    blue.add(1, tokens=(-6, 6), hand=1, result=result, worth=euro, started=NOW - 9 * DAY_S)
    hall.take(told(red) + told(blue), lambda: NOW)
    found = [(one.rank, one.name, one.tokens, one.hands, one.money) for one in store.ranking()]
    assert found == [
        (1, "Bess", 2, 3, {("EUR", 2): 150}),
        (2, "Ann", -2, 3, {("EUR", 2): -150}),
    ]
    old, new = sorted(store.evenings())
    assert [(one.name, one.tokens) for one in store.ranking(new)] == [("Ann", 4), ("Bess", -4)]
    assert [(one.name, one.tokens) for one in store.ranking(old)] == [("Bess", 6), ("Ann", -6)]


def test_who_comes_late_and_who_leaves_early_keep_what_they_have(store, table):
    people = [
        {"seat": 0, "name": "Ann", "tokens": 2},
        {"seat": 1, "name": "Bess", "tokens": -2},
    ]
    late = {"seat": 2, "name": "Zoë", "tokens": 0}
    end = {"end": "showdown"}
    table.add(1, players=people, hand=1, result=end)
    table.add(1, "join", players=[*people, late], hand=1, result=end)
    left = [people[0], {**people[1], "tokens": -5}, {**late, "tokens": 3}]
    table.add(1, players=left, hand=2, result=end)
    hall_of(store).take(told(table), lambda: NOW)
    found = {one.name: (one.tokens, one.first) for one in store.ranking()}
    start = table.events[0]["at"]
    assert found == {"Ann": (2, start), "Bess": (-5, start), "Zoë": (3, start + 1)}


def test_a_hand_that_is_taken_back_is_not_counted_and_who_sat_down_by_mistake_has_not(store, table):
    people = [{"seat": 0, "name": "Ann", "tokens": 1}, {"seat": 1, "name": "Bess", "tokens": -1}]
    table.add(1, players=people, result={"end": "showdown"})
    table.add(1, "join", players=[*people, {"seat": 2, "name": "Cecil", "tokens": 0}])
    table.add(1, "undo", players=[{**each, "tokens": 0} for each in people])
    hall_of(store).take(told(table), lambda: NOW)
    assert [(o.rank, o.name, o.tokens, o.hands) for o in store.ranking()] == [
        (1, "Ann", 0, 0),
        (1, "Bess", 0, 0),
    ]


def test_what_is_erased_is_in_no_byte_and_is_not_sent_again(tmp_path, store, table):
    table.add(1, texts={"en": ["Ann sticks, and Annabel laughs."]})
    table.add(2, tokens=(1, -1))
    hall = hall_of(store)
    hall.take(told(table), lambda: NOW)
    store.erase(Erasure("ann"))
    names = {name for one in ledger(store).values() for name in one}
    assert names == {"Player 1", "Bess"}
    texts = [event["texts"]["en"] for event in store.last_events("red-otter", 9)]
    assert texts[0] == ["Player 1 sticks, and Annabel laughs."]
    data = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b'"Ann"' not in data
    store.erase(Erasure(before_s=float("inf")))
    assert ledger(store) == {}
    assert b"Bess" not in b"".join(path.read_bytes() for path in tmp_path.iterdir())
    hall.take(told(table), lambda: NOW)
    assert ledger(store) == {}, "it is known by its number"


def test_boneace_erase_reaches_the_hall(tmp_path, store, table, capsys):
    table.add(1)
    hall_of(store).take(told(table), lambda: NOW)
    config = tmp_path / "config.toml"
    journal = tmp_path / "journal.sqlite3"
    config.write_text(
        f"[hall]\nfile = '{tmp_path / 'hall.sqlite3'}'\n[journal]\npath = '{journal}'\n"
    )
    erase = ["--config", str(config), "erase"]
    assert main([*erase, "--player", "BESS", "--yes"]) == 0
    assert ledger(store) == {("red-otter", 1): {"Ann": 1, "Player 2": -1}}
    assert "1 sitting of the hall's tables" in capsys.readouterr().out
    assert main([*erase, "--all", "--yes", "--journal", str(journal)]) == 0
    assert ledger(store) != {}, "a journal that is named may be another table's"
    assert main([*erase, "--before", "2026-11-01", "--yes"]) == 0
    assert ledger(store) == {}


def test_boneace_erase_makes_no_journal_of_a_name_that_is_misspelt(tmp_path, capsys):
    path = tmp_path / "jurnal.sqlite3"
    assert main(["erase", "--all", "--yes", "--journal", str(path)]) == 1
    assert str(path) in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_another_programs_file_is_left_alone(tmp_path):
    path = tmp_path / "notes.sqlite3"
    path.write_bytes(b"not a database at all, but somebody's letter" * 20)
    before = path.read_bytes()
    with pytest.raises(HallFileError, match="cannot be used"):
        Store(path)
    assert path.read_bytes() == before


# A file that cannot be used


def fill(store):
    """Let the disk be full: the file may not grow."""
    (pages,) = store._db.execute("PRAGMA page_count").fetchone()
    store._db.execute(f"PRAGMA max_page_count = {pages}")


def lock(store):
    """Let another program write."""
    store._db.execute("PRAGMA busy_timeout = 0")
    other = sqlite3.connect(store._db.execute("PRAGMA database_list").fetchone()[2])
    other.execute("BEGIN IMMEDIATE")
    return other


def damage(path):
    """Let every page but the first be zeros."""
    data = path.read_bytes()
    path.write_bytes(data[:4096] + bytes(len(data) - 4096))


def test_what_a_full_disk_refuses_is_asked_for_until_there_is_room(store, table, caplog):
    table.add(1)
    hall = hall_of(store)
    fill(store)
    for _ in range(9):
        hall.take(told(table, texts={"en": ["x" * 90_000]}), lambda: NOW)
    (line,) = caplog.messages
    assert "nothing is kept: " in line
    assert "hall.sqlite3: cannot be used (database or disk is full); check its owner" in line
    live = hall.tables["red-otter"]
    assert live.have < live.newest, "it will be asked for"
    store._db.execute("PRAGMA max_page_count = 1000000")
    hall.take(told(table), lambda: NOW)
    assert live.have == live.newest == (1, 0)


def test_what_another_program_locks_is_an_error_of_ours_and_can_be_done_later(store, table):
    table.add(1)
    hall_of(store).take(told(table), lambda: NOW)
    other = lock(store)
    with pytest.raises(HallFileError, match=r"cannot be used \(database is locked\)"):
        store.erase(Erasure("Ann"))
    other.close()
    store.erase(Erasure("Ann"))
    assert ledger(store) == {("red-otter", 1): {"Player 1": 1, "Bess": -1}}


def test_a_damaged_file_is_told_in_a_line(tmp_path, table, capsys):
    path = tmp_path / "hall.sqlite3"
    with Store(path) as store:
        table.add(1)
        hall_of(store).take(told(table), lambda: NOW)
    damage(path)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    config = tmp_path / "config.toml"
    config.write_text(
        f"[hall]\nfile = '{path}'\nbroker = '127.0.0.1'\npage_port = {port}\n"
        f"[journal]\npath = '{tmp_path / 'journal.sqlite3'}'\n"
    )
    commands = (
        ["hall", "--csv"],
        ["hall"],
        ["erase", "--player", "Ann", "--yes"],
    )
    for command in commands:
        assert main(["--config", str(config), *command]) == 1
        said = capsys.readouterr().err
        assert "hall.sqlite3: cannot be used (database disk image is malformed)" in said
        assert "move it away: the tables send everything again" in said
        assert "Traceback" not in said


def test_what_cannot_be_opened_is_closed(tmp_path, monkeypatch):
    opened = []

    class Watched(sqlite3.Connection):
        def __init__(self, *args, **named):
            super().__init__(*args, **named)
            opened.append(self)

    connect = sqlite3.connect
    monkeypatch.setattr(
        sqlite3, "connect", lambda path, **named: connect(path, factory=Watched, **named)
    )
    path = tmp_path / "notes.sqlite3"
    path.write_bytes(b"no database" * 900)
    with pytest.raises(HallFileError):
        Store(path)
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        opened[0].execute("SELECT 1")


def test_what_cannot_be_forgotten_is_tried_again(monkeypatch, caplog):
    tried, slept = [], []

    class Full:
        def forget_old(self, keep_days):
            tried.append(keep_days)
            if len(tried) == 1:
                raise HallFileError("hall.sqlite3: cannot be used")

    async def sleep(pause_s):
        slept.append(pause_s)
        if len(slept) == 2:
            raise asyncio.CancelledError

    monkeypatch.setattr(asyncio, "sleep", sleep)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(_forget(Full(), 30))
    assert tried == [30, 30]
    assert slept == [AGAIN_S, DAY_S]
    assert "hall.sqlite3: cannot be used; it is tried again" in caplog.text


# The pages


class Browser:
    """Asks for pages, without a network."""

    def __init__(self, hall, store):
        app = make_app(hall, store, "127.0.0.1", "felt")
        self._pages = httpx.ASGITransport(app, raise_app_exceptions=False)

    def get(self, path, **asked):
        return self.ask("GET", path, **asked)

    def ask(self, method, path, **asked):
        async def ask():
            address = "http://127.0.0.1"
            async with httpx.AsyncClient(transport=self._pages, base_url=address) as client:
                return await client.request(method, path, **asked)

        return asyncio.run(ask())


def a_view():
    """Return what the whole table sees of a hand in the deal, as a feed tells it."""
    state = new_table("bone-ace", [Player(0, "<i>Ann</i>"), Player(1, "Bess")], dealer=1)
    for seat, card in ((0, None), (1, None), (0, None), (1, None), (0, "TH"), (1, "4C")):
        facing = Facing.UP if card else Facing.DOWN
        state = apply(state, Deal(seat, Card.parse(card) if card else None, facing))
    return plain(view(state, TABLE))


@pytest.fixture
def client(store, table):
    worth = {"minor": 50, "currency": "EUR", "digits": 2}
    table.add(1, tokens=(5, -5), hand=3, result={"end": "showdown"}, worth=worth)
    table.add(1, tokens=(5, -5), hand=4, texts={code: ["<b>Ann</b> sticks."] for code in LANGUAGES})
    table.view = a_view()
    hall = hall_of(store)
    hall.take(told(table) + told(table, "status") + told(table, "state"), lambda: NOW)
    hall.is_connected = True
    return Browser(hall, store)


@pytest.mark.parametrize("language", list(LANGUAGES))
def test_the_pages_show_the_tables_in_each_language(client, language):
    page = client.get("/", params={"lang": language})
    assert page.status_code == 200
    assert f'<html lang="{language}">' in page.text
    assert "red-otter" in page.text
    assert "&lt;i&gt;Ann" in page.text
    assert "<i>" not in page.text
    assert page.text.count('class="turn"') == 1
    assert "+5" in page.text
    table = client.get("/table/red-otter", headers={"Accept-Language": f"{language}, en"})
    assert f'<html lang="{language}">' in table.text
    assert table.text.count('class="card back"') == 4
    assert table.text.count('class="card H"') == 1
    assert "&lt;b&gt;Ann" in table.text
    assert "<b>Ann" not in table.text


@pytest.mark.parametrize("language", list(LANGUAGES))
def test_a_table_that_is_gone_says_since_when_and_lights_no_turn(client, store, table, language):
    hall = hall_of(store)
    now = NOW + 60
    hall.is_connected = True
    hall.take(told(table, "status") + told(table, "state"), lambda: NOW)
    asked = {"lang": language}
    assert 'class="turn"' in Browser(hall, store).get("/board", params=asked).text
    hall.take(told(table, "status", online=False), lambda: now)
    since = local(now, "%Y-%m-%d %H:%M")
    for path in ("/", "/board", "/table/red-otter"):
        page = Browser(hall, store).get(path, params=asked).text
        assert "gone since" not in page or language == "en"
        assert since in page, path
        assert "gone" in page
        assert 'class="turn"' not in page
        assert 'class="plate turn"' not in page
        assert "stick, or have it?" not in page, "nobody is asked there"
        assert page.count(since) == 1 + path.startswith("/table"), "large above the table, too"
    hall.is_connected = False
    assert since not in Browser(hall, store).get("/", params=asked).text, "the broker has gone"
    hall.take(told(table, "status"), lambda: now)
    assert "stick, or have it?" in Browser(hall, store).get("/", params=asked).text


def test_a_table_that_was_gone_before_the_hall_came_was_seen_in_its_last_state(store, table):
    table.add(1)
    table.view = a_view()
    hall = hall_of(store)
    hall.is_connected = True
    hall.take(told(table, "status", online=False), lambda: NOW)
    page = Browser(hall, store).get("/", params={"lang": "en"}).text
    assert "offline" in page
    hall.take(told(table, "state"), lambda: NOW)
    since = local(table.state()["at"], "%Y-%m-%d %H:%M")
    assert f"gone since {since}" in Browser(hall, store).get("/", params={"lang": "en"}).text


def test_what_chooses_a_ranking_leads_back_to_it(client):
    page = client.get("/", params={"lang": "en"}).text
    assert '<section id="ranking"' in page
    assert '<a href="#ranking">Ranking</a>' in page
    links = re.findall(r'href="(\?[^"]*(?:evening|by)=[^"]*)"', page)
    assert len(links) == 4, "all evenings and one, by tokens and by money"
    assert all(link.endswith("#ranking") for link in links)


def test_money_and_tokens_have_one_kind_of_minus(client):
    page = client.get("/", params={"lang": "en"}).text
    assert "<td>\N{MINUS SIGN}5</td>" in page
    assert "\N{MINUS SIGN}€2.50" in page


def test_a_page_that_has_not_changed_is_not_sent_again(client):
    first = client.get("/")
    assert client.get("/", headers={"If-None-Match": first.headers["ETag"]}).status_code == 304


def test_the_ranking_is_a_file_too_and_no_name_in_it_is_a_formula(client, store, table):
    found = client.get("/ranking.csv")
    assert found.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(found.text)))
    assert tuple(rows[0]) == COLUMNS
    assert [(row["name"], row["tokens"], row["money"]) for row in rows] == [
        ("Ann", "5", "2.50"),
        ("Bess", "-5", "-2.50"),
    ]
    assert len(ranking_rows(store.ranking())) == 2
    table.events.clear()
    table.add(2, players=[{"seat": 0, "name": "=1+1", "tokens": 9}])
    table.events[0]["previous"] = [1, 1]
    hall_of(store).take(told(table), lambda: NOW)
    assert ",'=1+1," in client.get("/ranking.csv").text


def test_the_file_of_an_evening_has_its_date_in_its_name(client, store):
    (evening,) = store.evenings()
    for asked, name in (("", "ranking.csv"), (evening, f"ranking-{evening}.csv")):
        found = client.get("/ranking.csv", params={"evening": asked})
        assert found.headers["content-disposition"] == f'attachment; filename="{name}"'
        assert len(found.text.splitlines()) == 3
    for wrong in ("yesterday", '2026-11-25"; x="', "2026-11-25\r\nSet-Cookie: a=b"):
        for page in ("/", "/board", "/ranking.csv"):
            assert client.get(page, params={"evening": wrong}).status_code == 404


def test_a_table_that_lies_about_what_it_asks_spoils_no_page(store, table):
    table.add(1)
    table.view = a_view()
    hall = hall_of(store)
    hall.take(told(table, "status") + told(table, "state", prompt={"title": {"en": 5}}))
    assert Browser(hall, store).get("/").status_code == 200


def test_fault_of_ours_is_told_without_its_cause(client, monkeypatch):
    monkeypatch.setattr(Store, "ranking", lambda *_, **__: 1 / 0)
    answer = client.get("/", headers={"accept-language": "es"})
    assert answer.status_code == 500
    assert Translator.of("es").render(PROBLEMS["fault"][1]) in answer.text
    assert answer.headers["content-security-policy"] == HEADERS["content-security-policy"]


def test_only_this_machine_is_answered_for_and_nothing_can_be_written(client):
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 421
    assert client.get("/", headers={"Host": "[::1]:8032"}).status_code == 200
    assert client.get("/", headers={"Host": "localhost:8032"}).status_code == 200
    assert client.ask("POST", "/", content=b"x" * 100).status_code == 405
    assert client.get("/table/nobody").status_code == 404
    assert client.get("/table/..%2f..%2fetc").status_code == 404
    assert client.get("/hall/../pages.py").status_code == 404
    for page in ("/", "/hall/hall.css", "/table/nobody"):
        headers = client.get(page).headers
        assert "'unsafe-inline'" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "change",
    [
        {"view": {"seats": []}},
        {"view": {**a_view(), "seats": [{"seat": 0, "name": "Ann"}]}},
        {"view": {**a_view(), "seats": "Ann"}},
        {"view": {**a_view(), "game": "poker"}},
        {"prompt": {"title": 5}},
        {"prompt": []},
        {"newest": [1]},
    ],
)
def test_a_state_that_lies_breaks_no_page_and_stands_in_the_log(store, table, change, caplog):
    table.add(1)
    hall = hall_of(store)
    hall.take(told(table) + told(table, "state", **change), lambda: NOW)
    for page in ("/", "/table/red-otter"):
        answer = Browser(hall, store).get(page)
        assert answer.status_code == 200
        assert 'class="turn"' not in answer.text
    assert "refused" in caplog.text or change == {"prompt": {"title": 5}}


def test_a_state_that_cannot_be_breaks_no_page(store, table):
    """It is a view to the letter; but its result is of a seat where nobody sits."""
    table.add(1)
    result = {
        "end": "showdown", "winners": [7], "settlement": [[7, 1]], "payments": [[7, 6, 1]],
        "next_dealer": 7, "losses": None, "late": False,
    }  # fmt: skip
    table.view = {**a_view(), "result": result, "turn": 7, "dealer": 7, "phase": "done"}
    hall = hall_of(store)
    hall.take(told(table, "state"), lambda: NOW)
    for page in ("/", "/table/red-otter"):
        assert Browser(hall, store).get(page).status_code == 200
