"""The disk fills up, the journal is hurt, the clock goes wrong: nothing recorded is lost."""

import contextlib
import json
import shutil
import sqlite3
from dataclasses import replace

import pytest

from device.cli import main
from device.clock import LAST_DAY_S, HandClock, local, utc
from device.ports import Button, Press
from device.runtime.session import Session
from device.runtime.table import RETRY_S, TableController
from device.storage.journal.journal import Journal
from device.storage.journal.reader import JournalReader
from device.storage.record_files import load
from display import PromptKind
from engine import Player
from engine.core.events import Deal, Undo
from tests.support.booth_rig import Rig as BoothRig
from tests.support.mat_readings import NAMES, Mat

DAY_S = 86_400.0
YEAR_S = 365 * DAY_S


class NoEyes:
    frame, trouble, ended = 0, None, False

    def poll(self):
        return ()


@pytest.fixture
def clock():
    return HandClock(wall=1_700_000_000.0)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.sqlite3"


def begin(journal, clock, players=2, game="bone-ace"):
    company = [Player(seat, NAMES[seat]) for seat in range(players)]
    return Session.begin(journal, clock, game, company, dealer=players - 1)


def played(path, clock, deals=4):
    """A journal with an unfinished hand in it; what the last event left."""
    with Journal(path) as journal:
        session = begin(journal, clock)
        for number in range(deals):
            session.apply(Deal(number % 2, None))
        return session.state


def fill(db):
    """Fill the disk to the last byte: the pages that are there take no event more."""
    other = "INSERT INTO sittings (number, started, game, preset, options, players)"
    db.execute(f"{other} VALUES (2, 0, '', '', '', '')")
    pages = db.execute("PRAGMA page_count").fetchone()[0]
    db.execute(f"PRAGMA max_page_count = {pages}")
    filler = "INSERT INTO events (sitting, number, time, event) VALUES (2, ?, 0, 'xxxxxxxx')"
    with pytest.raises(sqlite3.OperationalError, match="full"):
        db.executemany(filler, ((number,) for number in range(1000, 2000)))


def make_room(db):
    db.execute("DELETE FROM events WHERE sitting = 2")
    db.execute("PRAGMA max_page_count = 100000")


@pytest.mark.fault(
    "disk full",
    sees="This could not be written down, so it does not count.",
    does="plays nothing that is not on disk; tries again every 5 seconds, and by the next press",
)
def test_a_full_disk_is_tried_again_by_itself(path, clock, sees):
    with Journal(path) as journal:
        session, mat = begin(journal, clock), Mat(2)
        app = TableController(session, NoEyes(), [], clock)
        db = journal._connection()
        fill(db)
        mat.lay(0)
        app.see(mat.reading())
        assert (app.prompt_text.title, app.prompt_text.kind) == (sees, PromptKind.TROUBLE)
        assert "free some space" in app.prompt_text.detail
        assert (session.events, session.view.seat(0).cards) == (0, ())
        clock.wait(RETRY_S + 0.1)
        app.step()
        assert app.prompt_text.title == sees, "it is still full"
        make_room(db)
        clock.wait(RETRY_S / 2)
        app.step()
        assert session.events == 0
        clock.wait(RETRY_S)
        app.step()
        assert app.prompt_text.kind is PromptKind.TURN
        assert session.events == 1
        assert [record["e"] for _, record in journal.events(1)] == ["deal"]


@pytest.mark.fault("disk full")
@pytest.mark.parametrize("presses", [[Button.STICK], [Button.HAVE, Button.STICK]])
def test_the_last_press_on_a_full_disk_counts_once_there_is_room(path, clock, presses):
    """Readings come all the time: what is told stays until the press is written."""
    with Journal(path) as journal:
        session, mat = begin(journal, clock, game="one-and-thirty"), Mat(2)
        app = TableController(session, NoEyes(), [], clock)
        for _ in range(3):
            for seat in range(2):
                mat.lay(seat)
                app.see(mat.reading())
        assert session.view.turn == 0
        dealt = session.events
        db = journal._connection()
        fill(db)
        for button in presses:
            app.press(Press(button, 0))
            for _ in range(3):
                clock.wait(RETRY_S - 0.1)
                app.step()
                app.see(mat.reading())
                assert app.prompt_text.title.startswith("This could not be written down")
        assert session.events == dealt
        mat.lay(1)  # while nobody could play
        app.see(mat.reading())
        make_room(db)
        clock.wait(RETRY_S)
        app.step()
        assert [record["e"] for _, record in journal.events(1)][dealt:] == ["stick"]
        assert session.view.turn == 1
        assert "Bess" in app.prompt_text.title
        assert app.prompt_text.detail == "A card at Bess's place does not count."


def torn_in_the_middle(path):
    """Zero one leaf page of the events, as a card does that lost power while writing."""
    whole = bytearray(path.read_bytes())
    whole[-4096:] = bytes(4096)
    path.write_bytes(whole)


@pytest.mark.fault(
    "journal with a torn page",
    sees="The journal was damaged. It is kept as … ; so many of its events could be read …",
    does="puts the damaged file aside, saves all that is sound into a new one, and goes on with it",
)
def test_a_torn_page_costs_only_what_was_on_it(path, clock):
    with Journal(path) as journal:
        session = begin(journal, clock)
        for _ in range(250):
            session.apply(Deal(0, None))
            session.apply(Undo())
        whole = journal.events(1)
    torn_in_the_middle(path)
    rig = BoothRig(path.parent)
    saved = rig.journal.events(1)
    assert saved == whole[: len(saved)]
    assert 0 < len(saved) < len(whole)
    # The booth goes on with the hand by itself, and says what has happened.
    assert rig.booth.session is not None
    assert rig.booth.session.events == len(saved)
    rig.step()
    assert "The journal was damaged. It is kept as" in rig.glass.prompt.title
    assert f"{len(saved)} of its events could be read" in rig.glass.prompt.title
    rig.journal.close()


def leave_wal(path, copy, clock):
    """Return a journal as a power cut leaves it, its events still in the WAL; and the states."""
    states = []
    with Journal(path) as journal:
        session = begin(journal, clock)
        for number in range(4):
            session.apply(Deal(number % 2, None))
            states.append(session.state)
        for tail in ("", "-wal"):
            shutil.copy(f"{path}{tail}", f"{copy}{tail}")
    return states


@pytest.mark.fault(
    "journal with a truncated WAL",
    sees="the hand as it was at the last whole event",
    does="takes every event whose last byte is there; a power cut tears only what nobody has seen",
)
def test_every_whole_event_of_a_torn_wal_is_there(tmp_path, path, clock):
    copy = tmp_path / "copy.sqlite3"
    states = leave_wal(path, copy, clock)
    wal = (tmp_path / "copy.sqlite3-wal").read_bytes()
    found = []
    for cut in range(0, 4 * 4120 + 1, 1030):
        torn = tmp_path / f"torn-{cut}.sqlite3"
        shutil.copy(copy, torn)
        (tmp_path / f"{torn.name}-wal").write_bytes(wal[: len(wal) - cut])
        with Journal(torn) as journal:
            assert journal.notices == []
            session = Session.resume_last(journal, clock)
        events = 0 if session is None else session.events
        if session is not None:
            assert session.state == states[events - 1]
        found.append(events)
    assert found[0] == 4, "uncut, nothing is lost"
    assert found == sorted(found, reverse=True)
    assert found[1] == 3, "a torn event is not half there"


def spoil(path, change):
    """Change rows as a card does that forgets: their digests stay."""
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute(change)
        db.commit()


@pytest.mark.fault(
    "a sitting that the rules refuse",
    sees="The last game cannot be gone on with; sitting 1 is kept in the journal. "
    "A new one can begin.",
    does="ends the sitting, keeps all of it on record, and waits for new players",
)
@pytest.mark.parametrize(
    ("change", "entry"),
    [
        pytest.param({}, {"e": "stick", "seat": 1}, id="illegal"),
        pytest.param({}, {"e": "dance"}, id="no event"),
        pytest.param({"game": "bone-acf"}, {"e": "undo"}, id="unknown game"),
        pytest.param({"options": {"stake": -1}}, {"e": "undo"}, id="option"),
        pytest.param({"players": ({"seat": 0},)}, {"e": "undo"}, id="player"),
    ],
)
def test_a_sitting_that_cannot_be_played_stops_nobody(path, clock, change, entry, sees):
    played(path, clock, deals=0)
    with Journal(path) as journal:
        journal.end(1, clock.wall())
        wrong = journal.begin(replace(journal.sittings()[0], closed=None, **change))
        journal.append(wrong.number, 0, entry, clock.wall())
    rig = BoothRig(path.parent)
    assert rig.booth.is_waiting
    said = sees.replace("sitting 1", "sitting 2")
    assert rig.journal.notices == [said]
    assert rig.journal.sittings()[1].closed is not None
    rig.press("have").press("have").press("have")
    assert rig.glass.prompt.title == said
    assert rig.booth.session.record.number == 3
    assert rig.journal.events(2) == ((clock.wall(), entry),)
    rig.press("stick")
    rig.booth.end_session()
    rig.step()
    rig.press("have").press("have").press("have")
    assert "cannot be gone on with" not in rig.glass.prompt.title, "said to one company only"
    rig.journal.close()


@pytest.mark.fault(
    "a damaged event in the hand in play",
    sees="The journal was damaged. It is kept as … ; so many of its events could be read …",
    does="goes on after the last event before the damaged one; the damaged file is kept",
)
@pytest.mark.parametrize(
    "change",
    ['event = \'{"e":"de\'', "event = '[]'", "time = 0", "batch = 77", "assumed = 'by hand'"],
)
def test_a_damaged_event_costs_only_what_came_after_it(path, clock, change):
    played(path, clock)
    spoil(path, f"UPDATE events SET {change} WHERE number = 2")
    with Journal(path) as journal:
        (notice,) = journal.notices
        assert "2 of its events could be read" in notice
        assert Session.resume_last(journal, clock).events == 2
        (note,) = journal.notes()
        assert note.kind == "salvaged"
        assert "event 2 is damaged; 2 events before it are used" in note.body["damage"][0]
    assert list(path.parent.glob("*.damaged-*"))


@pytest.mark.fault(
    "journal with a turned bit",
    sees="The journal was damaged. It is kept as … ; so many of its events could be read …",
    does="finds the bit by the digest of its row, turns it back, and goes on with everything",
)
@pytest.mark.parametrize(
    "change",
    [
        "events SET event = replace(event, 'deal', 'dead') WHERE number = 2",
        "events SET time = time + 1024 WHERE number = 2",
        "events SET digest = digest & x'' WHERE number = 2",
        "sittings SET game = 'cone-ace'",
        "sittings SET players = replace(players, 'Ann', 'Ajn')",
        "sittings SET dealer = 3",
    ],
)
def test_a_turned_bit_is_turned_back(path, clock, change):
    state = played(path, clock)
    if "digest" in change:
        with contextlib.closing(sqlite3.connect(path)) as db:
            query = "SELECT digest FROM events WHERE number = 2"
            (digest,) = db.execute(query).fetchone()
            other = bytes([digest[0] ^ 16]) + digest[1:]
            db.execute("UPDATE events SET digest = ? WHERE number = 2", (other,))
            db.commit()
    else:
        spoil(path, f"UPDATE {change}")
    with Journal(path) as journal:
        (notice,) = journal.notices
        assert "4 of its events could be read" in notice
        assert Session.resume_last(journal, clock).state == state


def test_a_damaged_row_hides_no_other_sitting(path, clock, caplog):
    played(path, clock)
    with Journal(path) as journal:
        journal.end(1, clock.wall())
        begin(journal, clock).apply(Deal(0, None))
    spoil(path, "UPDATE sittings SET options = '{\"stake\"' WHERE number = 1")
    with JournalReader(path) as journal:
        assert [sitting.number for sitting in journal.sittings()] == [2]
    with Journal(path) as journal:
        assert [sitting.number for sitting in journal.sittings()] == [2]
        assert Session.resume_last(journal, clock).events == 1
        assert journal.damage == (), "a note says that the other is gone"
        assert journal.notes()[0].body["gone"] == [1]
    assert "sitting 1: its names and options: damaged" in caplog.text


@pytest.mark.parametrize("by_s", [-60 * YEAR_S, -20 * YEAR_S, 75 * YEAR_S, 1e12, float("nan")])
@pytest.mark.fault(
    "clock jumps by years",
    sees="nothing of it; the evening's date may be wrong",
    does="waits by a clock that never jumps; writes the wall's time beside each event, as it is",
)
def test_the_wall_clock_jumps_in_the_middle(path, clock, tmp_path, capsys, by_s):
    with Journal(path) as journal:
        session = begin(journal, clock)
        session.apply(Deal(0, None))
        clock._wall += by_s
        if clock._wall != clock._wall:
            clock._wall = 1e300  # SQLite keeps no NaN
        session.apply(Deal(1, None))
        state = session.state
        session.close()
        again = Session.resume(journal, clock, journal.sittings()[0])
        assert again.state == state
    out = tmp_path / "evening.json"
    assert main(["export", "--journal", str(path), "--out", str(out)]) == 0
    assert load(out).final() == state
    document = json.loads(out.read_text())
    assert all(event["t"] >= 0 for event in document["events"])
    assert main(["ledger", "--journal", str(path)]) == 0
    assert main(["replay", "--journal", str(path)]) == 0
    capsys.readouterr()


def test_every_second_has_a_date():
    assert utc(-1e15) == "1970-01-01T00:00:00Z"
    assert utc(float("nan")) == "1970-01-01T00:00:00Z"
    assert utc(1e15) == utc(LAST_DAY_S)
    assert utc(1_700_000_000.0) == "2023-11-14T22:13:20Z"
    assert local(1e300, "%Y") == "9999"
