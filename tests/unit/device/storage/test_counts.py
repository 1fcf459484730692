"""The file of counts: torn lines, and copied, brought back and erased with the rest."""

import pytest

from device.cli import main
from device.diagnostics.support_bundle import known_names
from device.storage.copies.copies import found_in, read_parts
from device.storage.counts import FILE, append, counts_path, read, throws_of, without
from device.storage.journal.journal import Journal
from tests.support.table_state import play

NOW_S = 1_700_000_000.0
DAY_S = 86_400.0


def line(number, at=NOW_S, **more):
    return {"count": 1.0, "kind": "bones", "at": at, "throw": number, "items": ["flat"], **more}


@pytest.fixture
def state(tmp_path, monkeypatch):
    """Return a state folder with a journal and two counted throws, ten days apart."""
    folder = tmp_path / "state"
    monkeypatch.setenv("STATE_DIRECTORY", str(folder))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    folder.mkdir()
    play(folder / "journal.sqlite3", NOW_S)
    append(folder / FILE, line(1))
    append(folder / FILE, line(2, NOW_S + 10 * DAY_S))
    return folder


def test_a_torn_line_is_passed_over_and_the_next_is_whole(tmp_path):
    path = tmp_path / "new" / FILE
    assert read(path) == []
    append(path, line(1))
    with path.open("ab") as file:
        file.write(b'{"count":1.0,"kin')
    append(path, line(2))
    assert [each["throw"] for each in read(path)] == [1, 2]
    path.write_bytes(path.read_bytes() + b'[]\n{"count":"x"}\n\xff\n{"items":[1]}\n')
    assert len(read(path)) == 2


def test_the_last_line_of_a_throw_is_right():
    lines = [line(1), line(2), line(1, items=["convex"]), {**line(2), "undone": True}]
    del lines[3]["items"]
    assert throws_of(lines) == {1.0: {1: lines[2]}}


def test_two_groups_in_one_folder_count_apart(state, capsys):
    group_a, group_b = state / "groupA.sqlite3", state / "groupB.sqlite3"
    append(counts_path(group_a), line(1))
    stats = ["bones", "stats", "--counted", "--journal"]
    assert main([*stats, str(group_a)]) == 0
    assert "1 bone in 1 throw" in capsys.readouterr().out
    assert main([*stats, str(group_b)]) == 1
    assert counts_path(state / "journal.sqlite3") == state / FILE, "what was counted before stays"
    play(group_a, NOW_S)
    assert known_names(group_a)[1], "a support report takes the counts for no journal"


def test_the_journal_of_the_config_is_the_one_that_is_told(state, tmp_path, capsys):
    group = tmp_path / "group" / "journal.sqlite3"
    append(counts_path(group), line(1))
    Journal(group).close()
    config = tmp_path / "group.toml"
    config.write_text(f"journal.path = '{group}'\n", encoding="utf-8")
    (state / "journal.sqlite3").unlink()
    for words in (["bones", "stats", "--counted"], ["ledger"]):
        assert main(["--config", str(config), *words]) == 0


def test_counts_of_a_journal_with_a_name_are_copied_and_brought_back(state, capsys):
    group = state / "groupA.sqlite3"
    play(group, NOW_S)
    append(counts_path(group), line(7))
    before = counts_path(group).read_bytes()
    assert main(["backup", "--journal", str(group)]) == 0
    counts_path(group).unlink()
    (copy,) = found_in(state / "backups")
    assert main(["restore", str(copy.path), "--journal", str(group), "--yes"]) == 0
    assert counts_path(group).read_bytes() == before
    assert [each["throw"] for each in read(state / FILE)] == [1, 2]


def test_old_lines_go():
    data = b"".join(f'{{"count":1,"kind":"bones","at":{at}}}\n'.encode() for at in (1, 5, 9))
    assert without(data, 5.0).count(b"\n") == 2
    assert without(data, float("inf")) == b""
    assert without(b"broken\n" + data, 0.0) == data


def test_counts_are_copied_and_brought_back(state, capsys):
    assert main(["backup"]) == 0
    before = (state / FILE).read_bytes()
    append(state / FILE, line(3))
    assert main(["restore", "newest", "--yes"]) == 0
    assert (state / FILE).read_bytes() == before


def test_counts_are_erased_here_and_in_the_copies(state, capsys):
    assert main(["backup"]) == 0
    assert main(["erase", "--before", "2023-11-20", "--yes"]) == 0
    copies = found_in(state / "backups")
    assert [each["throw"] for each in read(state / FILE)] == [2]
    assert [read_parts(each.path)[1][FILE].count(b"\n") for each in copies] == [1]
    assert main(["erase", "--player", "Bess", "--yes"]) == 0
    assert [each["throw"] for each in read(state / FILE)] == [2]
    assert main(["erase", "--all", "--yes"]) == 0
    assert (state / FILE).read_bytes() == b""
    assert [read_parts(each.path)[1][FILE] for each in copies] == [b""]
