"""A name is in no byte of any file afterwards, and nobody's score has changed."""

import io
import logging
import threading
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor

import pytest

from device.cli import main
from device.storage.copies import backup, erase
from device.storage.copies.backup import back_up
from device.storage.copies.copies import check, found_in
from device.storage.copies.erase import copies_of, erase_files, too_old
from device.storage.copies.table_name import rename_table
from device.storage.journal.erase_rows import Erasure, in_text
from device.storage.journal.journal import Journal
from tests.support.old_journals import write_old
from tests.support.table_state import damage, play, told

NOW_S = 1_700_000_000.0
DAY_S = 86_400.0
THEN_S = 1_600_000_000.0


@pytest.fixture
def state(tmp_path, monkeypatch):
    """Return a state folder: a journal, one of an older version, damaged ones, copies, a stick."""
    folder, stick = tmp_path / "state", tmp_path / "stick"
    monkeypatch.setenv("STATE_DIRECTORY", str(folder))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr("device.commands.state_files.find_stick", lambda label: stick)
    rename_table(folder, "red-otter")
    path = folder / "journal.sqlite3"
    play(path, THEN_S)
    for place in (folder / "backups", stick / "boneace"):
        back_up(path, place, keep=9, wall_s=NOW_S)
        write_old(place / "journal-20200101-000000.sqlite3", "version 2", path)
    write_old(folder / "journal.sqlite3.version-2", "version 2", path)
    rows = folder / "journal.sqlite3.damaged-20200101-000000"
    rows.write_bytes(path.read_bytes())
    damage(rows)
    pages = folder / "journal.sqlite3.damaged-20200102-000000"
    pages.write_bytes(path.read_bytes()[:4096] + b"x" * 4096 + path.read_bytes()[8192:])
    (folder / f"{pages.name}-wal").write_bytes("Zoë Quimby".encode())
    play(path, THEN_S + 11 * DAY_S, close=False)
    for place in (folder / "backups", stick / "boneace"):
        back_up(path, place, keep=9, wall_s=NOW_S + 60)
    return folder


@pytest.mark.parametrize(
    ("wanted", "stays"),
    [
        (Erasure(player="Zoë Quimby"), False),
        (Erasure(before_s=float("inf")), False),
        (Erasure(before_s=THEN_S), True),
    ],
)
def test_which_phone_has_which_seat_is_erased(state, wanted, stays):
    phones = state / "phones.json"
    phones.write_text('{"phones": {"0": "5eed"}}')
    done = erase_files(state / "journal.sqlite3", [], wanted, NOW_S)
    assert (phones.exists(), done.failed) == (stays, [])


def every_byte(*folders):
    """Yield the name of each file, and its bytes; of a ZIP file, those of its parts."""
    for folder in folders:
        for path in folder.rglob("*"):
            if path.is_file():
                data = path.read_bytes()
                yield path.name, data
                if path.suffix == ".zip":
                    with zipfile.ZipFile(io.BytesIO(data)) as packed:
                        yield from ((path.name, packed.read(part)) for part in packed.namelist())


def with_name(*folders):
    """Return the files in which there is the name, in UTF-8 or as JSON escapes it."""
    return {
        name
        for name, data in every_byte(*folders)
        for spelled in ("quimby", "zo\\u00eb", "zoë")
        if spelled in data.decode("utf-8", "replace").casefold()
    }


def test_a_name_is_nowhere_and_everything_else_is(state, capsys):
    path, stick = state / "journal.sqlite3", state.with_name("stick")
    before = told(path)
    assert len(with_name(state, stick)) >= 8
    assert main(["erase", "--player", " zoë quimby", "--yes"]) == 0
    assert with_name(state, stick) == set()
    sittings, kinds, damaged = told(path)
    assert damaged == []
    assert kinds == [*before[1], "erased"]
    assert [each.number for each, _ in sittings] == [1, 2]
    assert [player["name"] for player in sittings[0][0].players] == ["Player 1", "Bess"]
    assert sittings[0][1] == [
        b'{"e":"stick","seat":1}',
        b'{"e":"join","seat":2,"name":"Player 3"}',
        b'{"e":"misdeal","reason":"Player 1 looked at Bess\'s cards"}',
    ]
    with Journal(path) as journal:
        assert journal.notices == []
        assert journal.open_sittings()[0].number == 2
        assert journal.summary(1) is None, "it is made again from the events"
    out = capsys.readouterr().out
    assert "replaced in 2 sittings" in out
    assert "damaged-20200102-000000: could not be read, and was deleted" in out
    for place in (state / "backups", stick / "boneace"):
        for copy in found_in(place):
            held = check(copy.path)
            assert (held.sittings, held.damage) in ((1, ()), (2, ()))
    # What was damaged still looks so.
    assert "event 1 is damaged" in told(state / "journal.sqlite3.damaged-20200101-000000")[2][0]
    assert main(["erase", "--player", "nobody", "--yes"]) == 0


@pytest.mark.parametrize("words", [["--all"], ["--before", "2021-01-01"]])
def test_whole_sittings_go(state, words):
    path = state / "journal.sqlite3"
    assert main(["erase", *words, "--yes"]) == 0
    assert with_name(state, state.with_name("stick")) == set()
    sittings, _, damaged = told(path)
    assert (sittings, damaged) == ([], [])
    with Journal(path) as journal:
        assert journal.notices == []
    play(path, THEN_S + 22 * DAY_S)
    assert told(path)[2] == []


def test_newer_sittings_stay(state):
    path = state / "journal.sqlite3"
    assert main(["erase", "--before", "2020-09-17", "--yes"]) == 0
    sittings, _, damaged = told(path)
    assert ([each.number for each, _ in sittings], damaged) == ([2], [])
    held = [check(each.path).sittings for each in found_in(state / "backups")]
    assert sorted(held) == [0, 0, 1]


def test_a_date_that_is_none(state, capsys):
    assert main(["erase", "--before", "yesterday", "--yes"]) == 2
    assert main(["erase", "--player", " ", "--yes"]) == 2
    assert main(["erase", "--all"]) == 1
    assert "nothing was erased" in capsys.readouterr().out


def test_a_name_that_another_player_has_is_not_given(tmp_path):
    path = tmp_path / "journal.sqlite3"
    play(path, 1000.0)
    with Journal(path) as journal:
        journal.append_all(1, 3, [({"e": "join", "seat": 4, "name": "player 1"}, "")], 1100.0)
        journal.erase(Erasure("Bess"), NOW_S)
        journal.erase(Erasure("ＺＯË quimby"), NOW_S)
        names = [player["name"] for player in journal.sittings()[0].players]
    assert names == ["Player 11", "Player 2"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Ann won", "X won"),
        ("Annabel and ANN.", "Annabel and X."),
        ("a  nn", "a  nn"),
        ("Joann", "Joann"),
        ("Ann", "X"),
        ("ann ann  ann", "X X  X"),
    ],
)
def test_names_in_free_text(text, wanted):
    assert in_text(text, "ann", "X") == wanted


def test_spellings_of_one_name_in_free_text():
    assert in_text("so Zoe\u0308  LEE lost", "zoë lee", "Player 1") == "so Player 1 lost"


# How long it is kept


@pytest.mark.fault(
    "a wrong clock while what is old is erased",
    sees="nothing of it; the log says that the clock jumps",
    does="erases nothing",
)
@pytest.mark.parametrize(
    ("clock_s", "synchronized", "goes"),
    [
        pytest.param(NOW_S - 3600, False, None, id="before the last event"),
        pytest.param(NOW_S + 2 * DAY_S, False, [1, 2], id="two days later"),
        pytest.param(NOW_S + 3600, False, [1], id="an hour later"),
        pytest.param(0.0, False, None, id="1970"),
        pytest.param(2.2e9, False, None, id="2040"),
        pytest.param(2.2e9, True, [1, 2], id="2040 by the network"),
    ],
)
def test_what_is_too_old(tmp_path, monkeypatch, caplog, clock_s, synchronized, goes):
    mark = tmp_path / "synchronized"
    if synchronized:
        mark.touch()
    monkeypatch.setattr(erase, "SYNCHRONIZED", mark)
    with journal_of(tmp_path, NOW_S - 9 * DAY_S, NOW_S) as journal:
        with caplog.at_level(logging.WARNING):
            found = journal.ask(lambda db: too_old(db, 1, clock_s))
        assert goes == (found and journal.erase(found, clock_s).gone)
        assert journal.ask(lambda db: too_old(db, 0, clock_s)) is None
    assert ("clock says" in caplog.text) == (clock_s > 2e9 and not synchronized)


def journal_of(folder, *began, close=True):
    """Return an open journal with a sitting for each time."""
    for started in began:
        play(folder / "journal.sqlite3", started, close=close or started != began[-1])
    return Journal(folder / "journal.sqlite3")


@pytest.mark.parametrize(
    ("began", "goes"),
    [
        pytest.param([-9, 0], [1], id="a right clock"),
        pytest.param([1970, 0], [], id="1970, no longer ago than the next"),
        pytest.param([1970, -9, 0], [1, 2], id="1970, before what is old"),
        pytest.param([-9, 1970], [1], id="1970, perhaps just now"),
        pytest.param([-9, 1970, 1970], [1], id="1970, and again"),
        pytest.param([-9, -30, -1], [1], id="a month back, no longer ago than the next"),
        pytest.param([-9, -30, -5, 0], [1, 2, 3], id="a month back, before what is old"),
        pytest.param([-9, 2040, 0], [1], id="2040"),
        pytest.param([-9, 2040, -5, 0], [1, 2, 3], id="2040, before what is old"),
    ],
)
def test_a_sitting_with_a_wrong_date_goes_with_the_next_that_has_a_right_one(
    tmp_path, monkeypatch, began, goes
):
    monkeypatch.setattr(erase, "SYNCHRONIZED", tmp_path)
    far = {1970: 1000.0, 2040: 2.2e9}
    times = [far.get(each, NOW_S + each * DAY_S) for each in began]
    with journal_of(tmp_path, *times) as journal:
        found = journal.ask(lambda db: too_old(db, 3, NOW_S + 100))
        assert journal.erase(found, NOW_S + 100).gone == goes
        assert journal.check() == []


def test_the_sitting_that_goes_on_is_never_too_old(tmp_path):
    with journal_of(tmp_path, NOW_S - 9 * DAY_S, NOW_S - 8 * DAY_S, close=False) as journal:
        found = journal.ask(lambda db: too_old(db, 1, NOW_S))
        assert journal.erase(found, NOW_S).gone == [1]


def test_an_evening_of_2040_does_not_make_the_others_old(tmp_path, monkeypatch):
    monkeypatch.setattr(erase, "SYNCHRONIZED", tmp_path / "none")
    with journal_of(tmp_path, NOW_S, 2.2e9) as journal:
        assert journal.ask(lambda db: too_old(db, 1, 2.2e9 + 60)) is None


def test_a_sitting_whose_date_cannot_be_right_is_kept_and_told(state, capsys):
    path = state / "journal.sqlite3"
    with Journal(path) as journal:
        journal.end(2, THEN_S + 12 * DAY_S)
    play(path, 1000.0)
    assert main(["backup"]) == 0
    assert main(["erase", "--before", "2030-01-01", "--yes"]) == 0
    assert [each.number for each, _ in told(path)[0]] == [3]
    assert "sitting 3 was kept: its date cannot be right" in capsys.readouterr().out
    assert 1 in [check(each.path).sittings for each in found_in(state / "backups")]
    assert main(["erase", "--all", "--yes"]) == 0
    assert with_name(state, state.with_name("stick")) == set()


# A copy that is made meanwhile


@pytest.mark.fault(
    "a copy made while a name is erased",
    sees="nothing of it",
    does="waits until the copy is made, then erases from it too",
)
def test_a_copy_that_is_made_meanwhile_keeps_no_name(state, monkeypatch):
    path, reached = state / "journal.sqlite3", threading.Event()
    play(path, THEN_S + 22 * DAY_S)
    whole = backup.write_zip

    def slowly(*words):
        reached.set()
        time.sleep(0.5)
        whole(*words)

    monkeypatch.setattr(backup, "write_zip", slowly)
    with ThreadPoolExecutor(1) as pool:
        made = pool.submit(back_up, path, state / "backups", keep=9, wall_s=NOW_S + 120)
        assert reached.wait(10)
        assert main(["erase", "--player", "Zoë Quimby", "--yes"]) == 0
        assert made.result().new
    assert with_name(state, state.with_name("stick")) == set()
    assert check(made.result().path).sittings == 3


def test_what_a_copy_left_that_was_cut_off_keeps_no_name(state, monkeypatch):
    folder = state / "backups"
    (folder / ".boneace-red-otter.journal.part").write_bytes("Zoë Quimby".encode())
    assert main(["erase", "--player", "Zoë Quimby", "--yes"]) == 0
    assert with_name(folder) == set()


def test_younger_copies_are_not_opened(state, monkeypatch):
    path = state / "journal.sqlite3"
    monkeypatch.setattr(erase, "read_parts", lambda path: pytest.fail("read"))
    copies = [each for each in copies_of(path, [state / "backups"]) if each.table]
    done = erase_files(path, copies, Erasure(before_s=THEN_S - 500.0), NOW_S)
    assert not [each for each in done.files if each.suffix == ".zip"]


def test_a_stick_that_refuses_is_told_and_the_rest_is_done(state, monkeypatch, capsys):
    whole = erase.put_in_place

    def refuse(part, path):
        if path.parent.name == "boneace":
            raise OSError(30, "Read-only file system")
        whole(part, path)

    monkeypatch.setattr(erase, "put_in_place", refuse)
    assert main(["erase", "--player", "Zoë Quimby", "--yes"]) == 1
    assert "Read-only file system" in capsys.readouterr().err
    assert with_name(state) == set()
    assert not list(state.with_name("stick").rglob(".*.part"))


def test_the_timer_of_the_copies_erases_what_is_too_old(state, tmp_path, monkeypatch):
    mark = tmp_path / "synchronized"
    mark.touch()
    monkeypatch.setattr(erase, "SYNCHRONIZED", mark)
    with Journal(state / "journal.sqlite3") as journal:
        journal.end(2, THEN_S + 12 * DAY_S)
    config = tmp_path / "c.toml"
    monkeypatch.setenv("BONEACE_CONFIG", str(config))
    config.write_text("[booth]\nenabled = true\n[privacy]\nkeep_days = 0\n")
    assert main(["backup"]) == 0
    assert with_name(state), "its owner said otherwise"
    config.write_text("[booth]\nenabled = true\n")
    with Journal(state / "journal.sqlite3"):
        assert main(["backup"]) == 0
        held = [check(each.path).sittings for each in found_in(state / "backups")]
        assert held.count(0) == len(held) - 1, "the journal in play is left to the program"
    assert main(["backup"]) == 0
    assert with_name(state, state.with_name("stick")) == set()
