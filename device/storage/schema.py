"""The tables of the journal: made in a new file, migrated in one that an older boneace wrote."""

from __future__ import annotations

import contextlib
import logging
import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path

from device.storage.errors import JournalError, refusal

log = logging.getLogger(__name__)

APPLICATION_ID = 0x42_4F_4E_45
"""``BONE``, in bytes 68-71 of the file, so that no other database is ever changed."""

SCHEMA_VERSION = 2

LOCK_S = 2.0
"""Seconds to wait for another program's lock."""

_SCHEMA = """
CREATE TABLE sittings (
    number INTEGER PRIMARY KEY,
    started REAL NOT NULL,
    game TEXT NOT NULL,
    preset TEXT NOT NULL,
    options TEXT NOT NULL,
    players TEXT NOT NULL,
    dealer INTEGER,
    closed REAL,
    bones TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE events (
    sitting INTEGER NOT NULL REFERENCES sittings (number),
    number INTEGER NOT NULL,
    time REAL NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY (sitting, number)
) STRICT, WITHOUT ROWID;
"""


def connect(path: Path) -> sqlite3.Connection:
    """Open the database *path* to write to it.

    Raises:
        JournalError: it cannot be opened.
    """
    try:
        # Autocommit: every transaction is begun and ended explicitly.
        db = sqlite3.connect(path, isolation_level=None, timeout=LOCK_S)
        db.execute("PRAGMA foreign_keys = ON")
        return db
    except sqlite3.Error as problem:
        raise refusal(path, "the journal cannot be opened", problem) from problem


def create(db: sqlite3.Connection) -> None:
    """Make the tables in a new file, all at once.

    Raises:
        sqlite3.Error: the disk refuses.
    """
    db.executescript(
        f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA application_id = {APPLICATION_ID};"
        f" PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;"
    )


def prepare(db: sqlite3.Connection, path: Path) -> None:
    """Set the journal's durability; create its tables, or migrate old ones.

    Raises:
        JournalError: it is not ours, it is newer than this program, or the disk refuses.
    """
    try:
        fresh = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
        fresh = fresh and db.execute("PRAGMA application_id").fetchone()[0] == 0
        if fresh:
            # Before the WAL is switched on, so that the id is in the file itself at once.
            create(db)
        else:
            check_ours(db, path)
            _migrate(db, path)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
    except (sqlite3.Error, UnicodeDecodeError) as problem:
        # SQLite's message may quote invalid text.
        raise refusal(
            path,
            "the journal cannot be prepared",
            problem,
            "check the free space and the folder's owner, or choose another file with --journal",
        ) from problem


def version_of(db: sqlite3.Connection) -> int:
    """Return the version of the tables in *db*."""
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def _migrate(db: sqlite3.Connection, path: Path) -> None:
    """Migrate the tables, all steps or none: a power cut leaves the old journal."""
    version = version_of(db)
    if version >= SCHEMA_VERSION:
        return
    _keep_a_copy(db, path.with_name(f"{path.name}.version-{version}"))
    db.execute("BEGIN IMMEDIATE")
    try:
        for step in range(version, SCHEMA_VERSION):
            _MIGRATIONS[step](db)
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        db.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            db.execute("ROLLBACK")
        raise
    log.info("the journal was brought from version %s to %s", version, SCHEMA_VERSION)


def _keep_a_copy(db: sqlite3.Connection, copy: Path) -> None:
    """Keep the journal as the older boneace wrote it, for going back to that version."""
    try:
        with contextlib.closing(sqlite3.connect(copy)) as kept:
            db.backup(kept)
    except (sqlite3.Error, OSError) as problem:
        # The migration is safe without the copy: it happens wholly or not at all.
        log.warning("no copy of the older journal was kept (%s); check the free space", problem)
        with contextlib.suppress(OSError):
            copy.unlink(missing_ok=True)


def _name_the_bones(db: sqlite3.Connection) -> None:
    """Version 2: a session remembers the taught set of bones on the table."""
    if bones_column(db) != "bones":
        db.execute("ALTER TABLE sittings ADD COLUMN bones TEXT NOT NULL DEFAULT ''")


_MIGRATIONS: Mapping[int, Callable[[sqlite3.Connection], None]] = {
    # No release wrote version 0: it is left by tools that copy the tables and forget the rest.
    0: lambda db: None,
    1: _name_the_bones,
}
"""From each version to the next. A released version stays here for ever."""


def bones_column(db: sqlite3.Connection) -> str:
    """Return the SQL expression for the name of the bones: old journals have no such column."""
    with contextlib.suppress(sqlite3.Error, UnicodeDecodeError):  # in a damaged one, anything
        if any(row[1] == "bones" for row in db.execute("PRAGMA table_info(sittings)")):
            return "bones"
    return "''"


def check_ours(db: sqlite3.Connection, path: Path) -> None:
    """Refuse a database that is not a journal, or that a newer boneace has made.

    Raises:
        JournalError: it is another program's, or newer, or cannot be read.
    """
    try:
        application = db.execute("PRAGMA application_id").fetchone()[0]
        version = db.execute("PRAGMA user_version").fetchone()[0]
    except (sqlite3.Error, UnicodeDecodeError) as problem:
        raise refusal(path, "cannot be read", problem) from problem
    if application != APPLICATION_ID:
        raise JournalError(
            f"{path}: is a database of another program and was not touched; choose another file "
            "with --journal"
        )
    if version > SCHEMA_VERSION:
        raise JournalError(
            f"{path}: was written by a newer boneace (version {version} of the journal, this "
            f"program knows {SCHEMA_VERSION}); upgrade boneace, or choose another file with "
            "--journal"
        )
