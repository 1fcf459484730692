"""Journals as earlier versions wrote them."""

import contextlib
import sqlite3

from device.storage.journal.schema import APPLICATION_ID

EVENTS = """
CREATE TABLE events (
    sitting INTEGER NOT NULL REFERENCES sittings (number),
    number INTEGER NOT NULL,
    time REAL NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY (sitting, number)
) STRICT, WITHOUT ROWID;
"""
SITTINGS = """
CREATE TABLE sittings (
    number INTEGER PRIMARY KEY,
    started REAL NOT NULL,
    game TEXT NOT NULL,
    preset TEXT NOT NULL,
    options TEXT NOT NULL,
    players TEXT NOT NULL,
    dealer INTEGER,
    closed REAL{more}
) STRICT;
"""
OLD = {
    # As each version wrote them. What was once released is never changed here.
    "version 1": (1, SITTINGS.format(more="") + EVENTS),
    "version 1 with bones": (
        1,
        SITTINGS.format(more=", bones TEXT NOT NULL DEFAULT ''") + EVENTS,
    ),
    "version 2": (2, SITTINGS.format(more=", bones TEXT NOT NULL DEFAULT ''") + EVENTS),
    "no version": (0, SITTINGS.format(more="") + EVENTS),
}


def write_old(path, name, source):
    """Write what is in the journal *source* as an older boneace wrote it."""
    version, schema = OLD[name]
    with (
        contextlib.closing(sqlite3.connect(path)) as old,
        contextlib.closing(sqlite3.connect(source)) as new,
    ):
        old.executescript(schema)
        old.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        old.execute(f"PRAGMA user_version = {version}")
        old.execute("PRAGMA journal_mode = WAL")
        columns = ", ".join(row[1] for row in old.execute("PRAGMA table_info(sittings)"))
        for row in new.execute(f"SELECT {columns} FROM sittings"):
            old.execute(f"INSERT INTO sittings VALUES ({', '.join('?' * len(row))})", row)
        # The options that 0.1 did not have, and one whose default was another (rule OT-26).
        old.execute(
            "UPDATE sittings SET options = json_replace("
            "json_remove(options, '$.late_out', '$.bank_passes'), '$.late_31', 'single')"
        )
        old.executemany(
            "INSERT INTO events VALUES (?, ?, ?, ?)",
            new.execute("SELECT sitting, number, time, event FROM events"),
        )
        old.commit()
