"""Rows are found in the bytes of a file, wherever they stand in it."""

import sqlite3

import pytest

from device.storage.journal import pages
from device.storage.journal.journal import Journal
from device.storage.journal.reader import JournalReader, SessionRecord
from device.storage.journal.reading import contents_of

SITTING = SessionRecord("bone-ace", "willughby", {}, ({"seat": 0, "name": "Ann"},), 0, 1000.5)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "journal.sqlite3"
    with Journal(path) as journal:
        for number in range(1, 201):
            journal.begin(SITTING)
            journal.append(number, 0, {"e": "undo", "why": "x" * number}, 1000.0 + number)
            journal.end(number, 2000.0)
    return path


def rows(path, table):
    return {row[:2] for row in pages.rows_in(path, table)}


def test_every_row_is_found(path):
    assert rows(path, "events") == {(number, 0) for number in range(1, 201)}
    assert {row[0] for row in pages.rows_in(path, "sittings")} == set(range(1, 201))


def test_a_file_is_read_in_parts(path, monkeypatch):
    whole = rows(path, "events")
    for size in (1000, 4097):
        monkeypatch.setattr(pages, "_PART", size)
        assert rows(path, "events") == whole


def test_without_its_first_page_a_journal_is_read_all_the_same(path):
    with JournalReader(path) as journal:
        whole = [journal.stored(each.number) for each in journal.sittings()]
    data = bytearray(path.read_bytes())
    data[100:4096] = bytes(3996)
    path.write_bytes(data)
    with JournalReader(path) as journal:
        assert [journal.stored(each.number) for each in journal.sittings()] == whole
        assert [str(each) for each in journal.damage] == ["pages of the file are damaged"]


def test_numbers_that_a_stranger_made_up_cost_no_memory(path):
    db = sqlite3.connect(path)
    db.execute("UPDATE sittings SET number = 1 << 60 WHERE number = 200")
    db.execute("INSERT INTO notes VALUES (1 << 60, 0, NULL, '', '{}', x'')")
    db.commit()
    db.close()
    with contents_of(path) as found:
        assert 0 < len(found.check()) < 3000
