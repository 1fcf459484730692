"""The tables of the journal: made in a new file, migrated in one that an older boneace wrote."""

from __future__ import annotations

import contextlib
import logging
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from device.storage.journal.chain import event_digest, note_digest, seal, sitting_digest, written
from device.storage.journal.errors import JournalError, refusal

log = logging.getLogger(__name__)

APPLICATION_ID = 0x42_4F_4E_45
"""``BONE``, in bytes 68-71 of the file, so that no other database is ever changed."""

SCHEMA_VERSION = 3

LOCK_S = 2.0
"""Seconds to wait for another program's lock."""

SCHEMA = (
    """CREATE TABLE sittings (
    number INTEGER PRIMARY KEY,
    started REAL NOT NULL,
    game TEXT NOT NULL,
    preset TEXT NOT NULL,
    options TEXT NOT NULL,
    players TEXT NOT NULL,
    dealer INTEGER,
    closed REAL,
    bones TEXT NOT NULL DEFAULT '',
    rules INTEGER NOT NULL DEFAULT 1,
    settings TEXT NOT NULL DEFAULT '{}',
    opened BLOB NOT NULL DEFAULT x'',
    sealed BLOB NOT NULL DEFAULT x''
) STRICT""",
    """CREATE TABLE events (
    sitting INTEGER NOT NULL REFERENCES sittings (number),
    number INTEGER NOT NULL,
    time REAL NOT NULL,
    event TEXT NOT NULL,
    assumed TEXT NOT NULL DEFAULT '',
    batch INTEGER NOT NULL DEFAULT 0,
    digest BLOB NOT NULL DEFAULT x'',
    PRIMARY KEY (sitting, number)
) STRICT, WITHOUT ROWID""",
    """CREATE TABLE looks (
    sitting INTEGER NOT NULL REFERENCES sittings (number),
    number INTEGER NOT NULL,
    line TEXT NOT NULL,
    digest BLOB NOT NULL,
    PRIMARY KEY (sitting, number)
) STRICT, WITHOUT ROWID""",
    """CREATE TABLE notes (
    number INTEGER PRIMARY KEY,
    time REAL NOT NULL,
    sitting INTEGER,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    digest BLOB NOT NULL
) STRICT""",
    """CREATE TABLE summaries (
    sitting INTEGER PRIMARY KEY REFERENCES sittings (number),
    number INTEGER NOT NULL,
    program TEXT NOT NULL,
    body TEXT NOT NULL,
    digest BLOB NOT NULL
) STRICT""",
)
"""The tables as SQLite keeps them, letter by letter: docs/reference/journal.md says what is in
them. A journal of this version with other letters is damaged, so each change is a new version."""


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
        f"BEGIN IMMEDIATE; {';'.join(SCHEMA)}; PRAGMA application_id = {APPLICATION_ID};"
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
    if "bones" not in {row[1] for row in db.execute("PRAGMA table_info(sittings)")}:
        db.execute("ALTER TABLE sittings ADD COLUMN bones TEXT NOT NULL DEFAULT ''")


def _chain(db: sqlite3.Connection) -> None:
    """Version 3: each row has a digest; there are looks, notes and summaries.

    The rows are chained as they are found.
    """
    for table in ("sittings", "events"):
        db.execute(f"ALTER TABLE {table} RENAME TO old_{table}")
    for statement in SCHEMA:
        db.execute(statement)
    rows = db.execute(
        "SELECT number, started, game, preset, options, players, dealer, closed, bones"
        " FROM old_sittings ORDER BY number"
    ).fetchall()
    for number, *row in rows:
        events = db.execute(
            "SELECT number, time, event FROM old_events WHERE sitting = ? ORDER BY number",
            (number,),
        )
        add_sitting(db, (number, *row, 1, "{}"), ((*event, "", 0) for event in events))
    for table in ("events", "sittings"):
        db.execute(f"DROP TABLE old_{table}")


def add_sitting(
    db: sqlite3.Connection, row: tuple[Any, ...], events: Iterable[tuple[Any, ...]]
) -> None:
    """Write a whole sitting and its digests.

    Args:
        db: the journal, in a transaction.
        row: the columns of the sitting from its number to its settings.
        events: of each its number, time, event, why it is assumed, and batch.

    Raises:
        sqlite3.Error: the disk refuses.
    """
    raw: list[Any] = [each.encode() if isinstance(each, str) else each for each in row]
    before = opened = sitting_digest(raw)
    closed = raw[7]
    db.execute(f"INSERT INTO sittings VALUES ({', '.join('?' * len(row))}, ?, x'')", (*row, opened))
    count, sitting = 0, written(raw[0])
    for number, time, event, assumed, batch in events:
        more = written(assumed.encode(), batch)
        before = event_digest(before, sitting, number, time, event.encode(), more)
        count = number + 1
        db.execute(
            "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)",
            (raw[0], number, time, event, assumed, batch, before),
        )
    if closed is not None:
        sealed = seal(before, count, closed)
        db.execute("UPDATE sittings SET sealed = ? WHERE number = ?", (sealed, raw[0]))


def last_event(db: sqlite3.Connection, sitting: int) -> tuple[int, bytes]:
    """Return how many events *sitting* has, and the digest of the last: of none, of its row.

    Raises:
        sqlite3.Error: there is no such sitting, or it cannot be read.
    """
    found: tuple[int, bytes] | None = db.execute(
        "SELECT number + 1, digest FROM events WHERE sitting = ? ORDER BY number DESC LIMIT 1",
        (sitting,),
    ).fetchone()
    if found is None:
        row = db.execute("SELECT opened FROM sittings WHERE number = ?", (sitting,)).fetchone()
        if row is None:
            raise sqlite3.IntegrityError(f"there is no sitting {sitting}")
        found = 0, row[0]
    return found


def add_note(
    db: sqlite3.Connection, number: int, time: float, sitting: int | None, kind: str, body: str
) -> bytes:
    """Write note *number*, and return its digest.

    Raises:
        sqlite3.Error: the disk refuses.
    """
    sealed = note_digest((number, time, sitting, kind.encode(), body.encode()))
    db.execute(
        "INSERT INTO notes VALUES (?, ?, ?, ?, ?, ?)", (number, time, sitting, kind, body, sealed)
    )
    return sealed


_MIGRATIONS: Mapping[int, Callable[[sqlite3.Connection], None]] = {
    # No release wrote version 0: it is left by tools that copy the tables and forget the rest.
    0: lambda db: None,
    1: _name_the_bones,
    2: _chain,
}
"""From each version to the next. A released version stays here for ever."""


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
