"""A report for an issue holds what helps, and nobody."""

import json
import sqlite3
import unicodedata
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from device.cli import main
from device.clock import HandClock
from device.diagnostics.check import Check, Status
from device.diagnostics.redaction import Redactor
from device.diagnostics.support_bundle import SupportError, write_report
from device.diagnostics.taught import taught
from device.runtime.session import Session
from device.runtime.without_sets import passed_over
from device.storage.custom_sets import save_set
from device.storage.journal.journal import Journal
from device.storage.taught import DECKS, problem_with_set
from engine import Card, Deal, Facing, Player
from vision.cards.custom_deck import CustomDeck

PEOPLE = ("Bartholomew", "Zoë Müller", "O'Brien", 'Kim "K"', "李雷")
OLD_FRIEND = "Ermintrude"
HOST = "anns-kitchen-pi"


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """A person's home, whose path is the person's business."""
    home = tmp_path / "grandmas-home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("STATE_DIRECTORY", str(home / "state"))
    monkeypatch.setattr("device.config.model.SYSTEM_PATH", tmp_path / "none.toml")
    monkeypatch.setattr("device.diagnostics.redaction.socket.gethostname", lambda: HOST)
    return home


@pytest.fixture
def journal(home):
    path = home / "state" / "journal.sqlite3"
    clock = HandClock(wall=1_700_000_000.0)
    with Journal(path) as opened:
        company = [Player(seat, name) for seat, name in enumerate((OLD_FRIEND, "Wilhelmina"))]
        Session.begin(opened, clock, "bone-ace", company, dealer=1).close()
        company = [Player(seat, name) for seat, name in enumerate(PEOPLE)]
        session = Session.begin(opened, clock, "bone-ace", company, dealer=4)
        session.apply(Deal(0, Card.parse("TS"), Facing.UP))
        opened.append(2, 1, {"e": "join", "seat": 6, "name": "Ophelia"}, 1.0)
    return path


def configure(home, text):
    path = home / "config" / "boneace" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def entry(text):
    return json.dumps(
        {
            "MESSAGE": text,
            "PRIORITY": "4",
            "__REALTIME_TIMESTAMP": "1700000000000000",
            "_HOSTNAME": HOST,
            "_MACHINE_ID": "0123456789abcdef",
        }
    )


LOG = "\n".join(
    [
        entry("refused after all: ZOË MÜLLER has stuck already"),
        entry("asked Bartholomew, Ermintrude and ophelia's cousin"),
        entry(f"cannot write /home/wilhelmina/x on {HOST}"),
        "no JSON",
        "[" * 2000,
        entry(unicodedata.normalize("NFD", "Zoë Müller, in two signs a letter")),
    ]
)


def run(words):
    if words[0] == "journalctl":
        assert "--priority=warning" in words
        return LOG
    return "ActiveState=active\nNRestarts=3\n" if words[0] == "systemctl" else ""


def texts(path):
    with zipfile.ZipFile(path) as bundle:
        return {name: bundle.read(name).decode("utf-8") for name in bundle.namelist()}


def assert_nobody(told, home):
    everything = unicodedata.normalize("NFC", "\n".join(told.values())).casefold()
    for name in (*PEOPLE, OLD_FRIEND, "Wilhelmina", "Ophelia", "Bartholo", "Müller"):
        for written in (name, json.dumps(name)[1:-1], json.dumps(name, ensure_ascii=False)[1:-1]):
            assert written.casefold() not in everything, name
    for place in (str(home), home.name, "/home/", HOST, "0123456789abcdef"):
        assert place.casefold() not in everything, place


def test_nobody_is_in_it(home, journal, tmp_path):
    configure(home, '[game]\nplayers = ["Bartholomew", "Zoë Müller"]\n[camera]\nspec = "~/x.mp4"\n')
    out = tmp_path / "report.zip"
    detail, remedy = f'{journal}: Kim "K" and O\'Brien', f"look in {home}"
    check = Check(Status.PROBLEM, detail, remedy, title="journal")
    write_report(out, journal, [check], run=run)
    told = texts(out)
    assert_nobody(told, home)
    # But what helps is.
    assert set(told) == {
        *("README.txt", "checks.json", "config.json", "journal.json", "system.json"),
        "log.jsonl",
    }
    checks = json.loads(told["checks.json"])
    assert (checks[0]["status"], checks[0]["title"]) == ("problem", "journal")
    found = json.loads(told["journal.json"])
    assert [each["players"] for each in found["sittings"]] == [2, 5]
    assert found["sittings"][1]["events"] == {"deal": 1, "join": 1}
    assert found["last events"][0]["card"] == "TS"
    assert json.loads(told["system.json"])["service"]["NRestarts"] == "3"
    config = json.loads(told["config.json"])
    assert config["game.stake"]["value"] == 1
    assert config["camera.spec"]["from"].startswith("~/")
    lines = [json.loads(line)["message"] for line in told["log.jsonl"].splitlines()]
    assert len(lines) == 4
    assert lines[2] == "cannot write ~/x on host"


def test_one_person_is_one_token_in_a_report_and_another_in_the_next(journal, home, tmp_path):
    tokens = []
    for number in range(2):
        out = tmp_path / f"{number}.zip"
        write_report(out, journal, [], run=run)
        lines = [json.loads(line)["message"] for line in texts(out)["log.jsonl"].splitlines()]
        first = lines[0].split()[3]
        assert first.startswith("name-")
        assert lines[3].split(",")[0] == first, "in whatever signs it is written"
        tokens.append(first)
    assert tokens[0] != tokens[1]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('[game]\nplayers = ["Bartholomew"]\n', id="one"),
        pytest.param('[game]\nplayers = "Bartholomew"\n', id="no list"),
        pytest.param(f"[game]\nplayers = {['Bartholomew' * 9, '']!r}\n", id="cut short"),
        pytest.param("[game\nplayers = Bartholomew", id="no TOML"),
    ],
)
def test_nobody_is_told_by_a_config_that_cannot_be_used(home, journal, capsys, text):
    configure(home, text)
    out = home / "report.zip"
    assert main(["support", "--out", str(out)]) == 0
    told = texts(out)
    assert_nobody(told, home)
    assert "config" in told["checks.json"]
    assert "problem" in json.loads(told["config.json"])


def test_of_a_damaged_journal_nobody_knows_whom_the_log_names(home, journal, tmp_path):
    whole = bytearray(journal.read_bytes())
    whole[4096:] = b"\xff" * (len(whole) - 4096)
    journal.write_bytes(whole)
    out = tmp_path / "report.zip"
    write_report(out, journal, [], run=run)
    told = texts(out)
    assert told["log.jsonl"] == ""
    assert "pages of the file are damaged" in json.loads(told["journal.json"])["damage"]
    assert_nobody(told, home)


def test_a_journal_nested_too_deeply_is_as_a_damaged_one(home, journal, tmp_path):
    with closing(sqlite3.connect(journal)) as db, db:
        db.execute("UPDATE sittings SET players = ?", ("[" * 2000,))
    out = tmp_path / "report.zip"
    write_report(out, journal, [], run=run)
    assert texts(out)["log.jsonl"] == ""


def test_names_of_a_journal_that_was_put_aside_are_known(home, journal, tmp_path):
    journal.rename(journal.with_name(f"{journal.name}.damaged-20260101-000000"))
    out = tmp_path / "report.zip"
    write_report(out, journal, [], run=run)
    told = texts(out)
    assert_nobody(told, home)
    assert len(told["log.jsonl"].splitlines()) == 4


def test_without_a_journal_there_is_a_report_all_the_same(home, tmp_path):
    out = tmp_path / "deep" / "report.zip"
    write_report(out, home / "state" / "journal.sqlite3", [], run=lambda words: "")
    assert json.loads(texts(out)["journal.json"])["problem"] == "no journal yet"


def test_where_it_cannot_be_written_another_place_is_asked_for(journal, tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(SupportError, match="name another file with --out"):
        write_report(tmp_path / "file" / "report.zip", journal, [], run=run)


def test_it_is_kept_with_the_state_and_never_where_somebody_stands(
    home, journal, tmp_path, monkeypatch, capsys
):
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    assert main(["support"]) == 0
    assert list(here.iterdir()) == []
    (made,) = (home / "state" / "support").iterdir()
    assert capsys.readouterr().out.startswith(str(made))
    assert_nobody(texts(made), home)


@pytest.mark.parametrize("as_file", [False, True], ids=["name", "file"])
def test_no_deck_or_set_of_bones_is_named(home, journal, tmp_path, as_file):
    """Neither one in use nor one that was played with, is kept or stands in the log alone."""
    for name in ("Xanthia", "Quillon"):
        save_set(CustomDeck(name), DECKS.path(name))
    deck = str(DECKS.path("Xanthia")) if as_file else "Xanthia"
    bones = """Kim's "pyxis\""""
    configure(home, f"[game]\ndeck = {deck!r}\nbones = {json.dumps(bones)}\n")
    with Journal(journal) as opened:
        company = [Player(seat, PEOPLE[seat]) for seat in range(2)]
        session = Session.begin(
            opened, HandClock(), "knucklebones", company, dealer=0, bones="Zephyra"
        )
        session.close()
    lines = [
        f"{problem_with_set('deck', 'Ottoline')}; the table plays without what was taught",
        f"{problem_with_set('bones', bones)}; the table plays without what was taught",
        f"{DECKS.path('Yseult')}: is damaged; copy it again or teach the deck again",
        str(passed_over("deck", "Ottoline")),
        str(passed_over("bones", bones)),
        "boneace bones stats Zephyra",
    ]
    out = tmp_path / "report.zip"
    write_report(out, journal, [taught()], run=lambda words: "\n".join(map(entry, lines)))
    told = texts(out)
    everything = "\n".join(told.values()).casefold()
    for name in ("xanthia", "quillon", "pyxis", "kim", "zephyra", "ottoline", "yseult"):
        assert name not in everything
    assert len(told["log.jsonl"].splitlines()) == len(lines)
    assert json.loads(told["config.json"])["game.deck"]["value"] == "left out"
    assert "boneace teach bones name-" in json.loads(told["checks.json"])[0]["remedy"]


def test_a_name_within_a_word_is_no_name():
    redactor = Redactor(["Ann", "", "  "], host="")
    assert redactor.text("Ann annoys Annabel") == f"{redactor.token('ann')} annoys Annabel"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/home/pi/x.toml: is broken", "~/x.toml: is broken"),
        ("/root/x and /rooted", "~/x and /rooted"),
        ("/media/pi/STICK", "~/STICK"),
        ("/var/lib/boneace/journal.sqlite3", "/var/lib/boneace/journal.sqlite3"),
    ],
)
def test_homes_are_left_out(text, expected):
    assert Redactor([], host="").text(text) == expected


def test_home_of_who_asks(home):
    assert Redactor([], host="").text(f"{Path.home()}/x") == "~/x"
