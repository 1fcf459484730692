"""A name is in no byte of any file afterwards, and nobody's score has changed."""

import io
import logging
import zipfile

import pytest

from device.cli import main
from device.storage.copies import erase
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
    play(path, 1000.0)
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
    play(path, 1_000_000.0, close=False)
    for place in (folder / "backups", stick / "boneace"):
        back_up(path, place, keep=9, wall_s=NOW_S + 60)
    return folder


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
        assert journal.unfinished().number == 2
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


@pytest.mark.parametrize("words", [["--all"], ["--before", "1971-01-01"]])
def test_whole_sittings_go(state, words):
    path = state / "journal.sqlite3"
    assert main(["erase", *words, "--yes"]) == 0
    assert with_name(state, state.with_name("stick")) == set()
    sittings, _, damaged = told(path)
    assert (sittings, damaged) == ([], [])
    with Journal(path) as journal:
        assert journal.notices == []
    play(path, 2_000_000.0)
    assert told(path)[2] == []


def test_newer_sittings_stay(state):
    path = state / "journal.sqlite3"
    assert main(["erase", "--before", "1970-01-05", "--yes"]) == 0
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
    ("clock_s", "synchronized", "erased"),
    [
        pytest.param(NOW_S - 3600, False, False, id="before the last event"),
        pytest.param(NOW_S + 2 * DAY_S, False, True, id="two days later"),
        pytest.param(0.0, False, False, id="1970"),
        pytest.param(2.2e9, False, False, id="2040"),
        pytest.param(2.2e9, True, True, id="2040 by the network"),
    ],
)
def test_what_is_too_old(tmp_path, monkeypatch, caplog, clock_s, synchronized, erased):
    mark = tmp_path / "synchronized"
    if synchronized:
        mark.touch()
    monkeypatch.setattr(erase, "SYNCHRONIZED", mark)
    with caplog.at_level(logging.WARNING):
        found = too_old([NOW_S - 9 * DAY_S, NOW_S], 1, clock_s)
    limit = clock_s - DAY_S
    assert found == (
        Erasure(before_s=limit) if clock_s >= NOW_S and (erased or clock_s < 2e9) else None
    )
    assert too_old([NOW_S], 0, clock_s) is None
    assert ("clock says" in caplog.text) == (clock_s > 2e9 and not synchronized)


def test_an_evening_of_2040_does_not_make_the_others_old(tmp_path, monkeypatch):
    monkeypatch.setattr(erase, "SYNCHRONIZED", tmp_path / "none")
    assert too_old([NOW_S, 2.2e9], 1, 2.2e9 + 60) is None


def test_younger_copies_are_not_opened(state, monkeypatch):
    path = state / "journal.sqlite3"
    monkeypatch.setattr(erase, "read_parts", lambda path: pytest.fail("read"))
    copies = [each for each in copies_of(path, [state / "backups"]) if each.table]
    done = erase_files(path, copies, Erasure(before_s=500.0), NOW_S)
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
