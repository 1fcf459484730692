"""The journal: every event on disk before anybody sees what it does."""

from __future__ import annotations

import contextlib
import fcntl
import json
import logging
import os
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from engine.errors import BoneAceError

log = logging.getLogger(__name__)

APPLICATION_ID = 0x42_4F_4E_45
"""``BONE``: SQLite keeps it in bytes 68-71 of the file, so a foreign database is never touched."""

SCHEMA_VERSION = 1

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

_MAGIC = b"SQLite format 3\0"

Entry = Mapping[str, Any]
"""One event as the event language writes it."""


class JournalError(BoneAceError, OSError):
    """The journal cannot be opened or written; nothing already in it is lost."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """What was agreed when the players sat down.

    Attributes:
        number: counted from 1; 0 before the journal has given one.
        players: one mapping a player with ``seat``, ``name`` and perhaps ``age``.
        dealer: the first dealer, ``None`` when they cut for it.
        bones: the taught set of bones on the table; empty where none was named.
    """

    game: str
    preset: str
    options: Mapping[str, object]
    players: tuple[Mapping[str, object], ...]
    dealer: int | None = None
    started: float = 0.0
    number: int = 0
    closed: float | None = None
    bones: str = ""


def default_folder() -> Path:
    """Return where the journal lives: the service's state folder, or the user's own."""
    service = os.environ.get("STATE_DIRECTORY")
    if service:
        # systemd separates several folders by colons; the first is ours.
        return Path(service.split(":")[0])
    home = os.environ.get("XDG_STATE_HOME")
    return (Path(home) if home else Path.home() / ".local" / "state") / "boneace"


def default_path() -> Path:
    """Return the journal's own file."""
    return default_folder() / "journal.sqlite3"


class Journal:
    """Sittings and their events in one SQLite file, one writer at a time.

    Attributes:
        path: the file.
        notices: what opening it had to do, in sentences for the screen; usually none.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        """Open *path*, making it when it is not there.

        Raises:
            JournalError: another boneace writes to it, it is not ours, it is newer than this
                program, or the disk refuses; the message says what to do.
        """
        self.path = path
        self.notices: list[str] = []
        self._read_only = read_only
        self._lock: IO[str] | None = None
        self._db: sqlite3.Connection | None = None
        try:
            if read_only:
                self._open_to_read()
            else:
                self._open_to_write()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        """Return the journal itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Close the file and let the next writer in; may be called twice."""
        if self._db is not None:
            self._db.close()
            self._db = None
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    # Writing

    def begin(self, sitting: Sitting) -> Sitting:
        """Write down a new sitting and return it with its number."""
        with self._commit("the new sitting") as db:
            cursor = db.execute(
                "INSERT INTO sittings (started, game, preset, options, players, dealer, bones)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    sitting.started,
                    sitting.game,
                    sitting.preset,
                    json.dumps(dict(sitting.options)),
                    json.dumps([dict(player) for player in sitting.players]),
                    sitting.dealer,
                    sitting.bones,
                ),
            )
        for found in self.sittings():
            if found.number == cursor.lastrowid:
                return found
        raise JournalError(f"{self.path}: the new sitting is not there; run: boneace doctor")

    def append(self, sitting: int, number: int, entry: Entry, wall_s: float) -> None:
        """Write event *number* (from 0) of *sitting*; it is on disk when this returns.

        Raises:
            JournalError: it is not on disk, and the game must go on as if it had not happened.
        """
        with self._commit("what just happened") as db:
            db.execute(
                "INSERT INTO events (sitting, number, time, event) VALUES (?, ?, ?, ?)",
                (sitting, number, wall_s, json.dumps(entry, separators=(",", ":"))),
            )

    def end(self, sitting: int, wall_s: float) -> None:
        """Mark *sitting* as closed: the next start begins a new one."""
        with self._commit("the end of the sitting") as db:
            db.execute("UPDATE sittings SET closed = ? WHERE number = ?", (wall_s, sitting))

    # Reading

    def sittings(self) -> tuple[Sitting, ...]:
        """Return all sittings, oldest first."""
        rows = self._read(
            "SELECT game, preset, options, players, dealer, started, number, closed,"
            f" {_bones_column(self._connection())} FROM sittings ORDER BY number"
        )
        return tuple(_sitting(row) for row in rows)

    def unfinished(self) -> Sitting | None:
        """Return the last sitting when nobody has closed it."""
        last = self.sittings()[-1:]
        return last[0] if last and last[0].closed is None else None

    def events(self, sitting: int) -> tuple[tuple[float, dict[str, Any]], ...]:
        """Return the events of *sitting* in order, each with its wall time."""
        rows = self._read(
            "SELECT time, event FROM events WHERE sitting = ? ORDER BY number", (sitting,)
        )
        return tuple((float(at), json.loads(text)) for at, text in rows)

    # Inside

    def _read(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        try:
            return self._connection().execute(query, values).fetchall()
        except sqlite3.Error as problem:
            raise JournalError(
                f"{self.path}: cannot be read ({problem}); run: boneace doctor"
            ) from problem

    @contextlib.contextmanager
    def _commit(self, what: str) -> Iterator[sqlite3.Connection]:
        """Run one transaction: all of it is on disk afterwards, or nothing of it."""
        db = self._connection()
        try:
            db.execute("BEGIN IMMEDIATE")
            yield db
            db.execute("COMMIT")
        except sqlite3.Error as problem:
            if db.in_transaction:
                with contextlib.suppress(sqlite3.Error):
                    db.execute("ROLLBACK")
            if getattr(problem, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
                raise JournalError(
                    f"the disk is full, {what} was not written down; free some space in "
                    f"{self.path.parent}, then do it again"
                ) from problem
            raise JournalError(
                f"{what} could not be written to {self.path} ({problem}); "
                "nothing before it is lost; run: boneace doctor"
            ) from problem

    def _connection(self) -> sqlite3.Connection:
        if self._db is None:
            raise JournalError(f"{self.path}: the journal is closed; open it again")
        return self._db

    def _open_to_read(self) -> None:
        if not self.path.is_file():
            raise JournalError(
                f"{self.path}: there is no journal yet; play a hand first, or name one "
                "with --journal"
            )
        if _is_damaged(self.path):
            raise JournalError(
                f"{self.path}: the journal is damaged; boneace play will put it aside and save "
                "what can be read"
            )
        self._db = _connect(f"{self.path.resolve().as_uri()}?mode=ro", self.path, uri=True)
        _check_ours(self._db, self.path)

    def _open_to_write(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = open(f"{self.path}.lock", "a", encoding="utf-8")  # noqa: SIM115
        except OSError as problem:
            raise JournalError(
                f"{self.path.parent}: the journal cannot be kept here ({problem}); "
                "choose another folder with --journal"
            ) from problem
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as problem:
            raise JournalError(
                f"{self.path}: another boneace is writing to this journal; stop it "
                "(systemctl stop boneace) or choose another file with --journal"
            ) from problem
        aside = _put_aside(self.path) if _is_damaged(self.path) else None
        self._db = _connect(str(self.path), self.path)
        _prepare(self._db, self.path)
        if aside is not None:
            saved = self._salvage(aside)
            self.notices.append(
                f"The journal was damaged. It is kept as {aside.name}; {saved} of its events "
                "could be read and are in the new one. Check the memory card."
            )
            log.error("%s", self.notices[-1])

    def _salvage(self, aside: Path) -> int:
        """Copy what can be read of the damaged journal; return how many events that was."""
        saved = 0
        with contextlib.closing(_lenient(aside)) as old:
            for row in _rows(
                old,
                "SELECT number, started, game, preset, options, players, dealer, closed,"
                f" {_bones_column(old)} FROM sittings WHERE number = ?",
                first=1,
                patience=50,
            ):
                with self._commit("a salvaged sitting") as db:
                    db.execute(
                        "INSERT INTO sittings (number, started, game, preset, options,"
                        " players, dealer, closed, bones) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                        row,
                    )
                saved += self._salvage_events(old, int(row[0]))
        return saved

    def _salvage_events(self, old: sqlite3.Connection, sitting: int) -> int:
        number = 0
        with self._commit("the salvaged events") as db:
            # After a gap nothing can be trusted: the rest would be folded onto the wrong state.
            for row in _rows(
                old,
                "SELECT sitting, number, time, event FROM events"
                f" WHERE sitting = {sitting} AND number = ?",
                first=0,
            ):
                db.execute("INSERT INTO events VALUES (?, ?, ?, ?)", row)
                number += 1
        return number


def _sitting(row: tuple[Any, ...]) -> Sitting:
    game, preset, options, players, dealer, started, number, closed, bones = row
    return Sitting(
        game,
        preset,
        json.loads(options),
        tuple(json.loads(players)),
        dealer,
        started,
        number,
        closed,
        bones,
    )


def _connect(target: str, path: Path, *, uri: bool = False) -> sqlite3.Connection:
    try:
        # Autocommit: every transaction is begun and ended by us, in the open.
        db = sqlite3.connect(target, isolation_level=None, timeout=2.0, uri=uri)
        db.execute("PRAGMA foreign_keys = ON")
        return db
    except sqlite3.Error as problem:
        raise JournalError(
            f"{path}: the journal cannot be opened ({problem}); run: boneace doctor"
        ) from problem


def _prepare(db: sqlite3.Connection, path: Path) -> None:
    """Set the journal's promises, and make its tables in a new file."""
    try:
        fresh = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
        fresh = fresh and db.execute("PRAGMA application_id").fetchone()[0] == 0
        if not fresh:
            _check_ours(db, path)
            if _bones_column(db) != "bones":
                # A journal from before sets were named; older programs can read it still.
                db.execute("ALTER TABLE sittings ADD COLUMN bones TEXT NOT NULL DEFAULT ''")
        if fresh:
            # Made before the WAL is switched on, so that the id is in the file itself at once.
            db.executescript(
                f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA application_id = {APPLICATION_ID};"
                f" PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;"
            )
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
    except sqlite3.Error as problem:
        raise JournalError(
            f"{path}: the journal cannot be prepared ({problem}); check the free space and the "
            "folder's owner, or choose another file with --journal"
        ) from problem


def _bones_column(db: sqlite3.Connection) -> str:
    """Return what to select as the name of the bones: old journals have no column for it."""
    with contextlib.suppress(sqlite3.Error):  # of a damaged journal nothing is certain
        if any(row[1] == "bones" for row in db.execute("PRAGMA table_info(sittings)")):
            return "bones"
    return "''"


def _check_ours(db: sqlite3.Connection, path: Path) -> None:
    """Refuse, untouched, a database that is not a journal or that a newer boneace has made."""
    try:
        application = db.execute("PRAGMA application_id").fetchone()[0]
        version = db.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.Error as problem:
        raise JournalError(f"{path}: cannot be read ({problem}); run: boneace doctor") from problem
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


def _is_damaged(path: Path) -> bool:
    """Say whether *path* is our journal and broken.

    Raises:
        JournalError: the file is somebody else's.
    """
    try:
        if not path.exists() or path.stat().st_size == 0:
            return False
        with path.open("rb") as file:
            head = file.read(100)
    except OSError as problem:
        raise JournalError(
            f"{path}: cannot be read ({problem}); choose another file with --journal"
        ) from problem
    ours = head[68:72] == APPLICATION_ID.to_bytes(4, "big")
    if not head.strip(b"\0"):
        return True  # a file of zeros is what a power cut leaves of a file being made
    if not head.startswith(_MAGIC):
        if ours:
            return True
        raise JournalError(
            f"{path}: is not a journal of boneace and was not touched; choose another file "
            "with --journal"
        )
    if not ours:
        return False  # SQLite will say whose it is; somebody else's damage is not ours to mend
    try:
        with contextlib.closing(
            sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        ) as db:
            return bool(db.execute("PRAGMA integrity_check").fetchone()[0] != "ok")
    except sqlite3.DatabaseError:
        return True


def _put_aside(path: Path) -> Path:
    """Rename the damaged journal, never delete it; return its new name."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    aside = path.with_name(f"{path.name}.damaged-{stamp}")
    count = 1
    while aside.exists():
        count += 1
        aside = path.with_name(f"{path.name}.damaged-{stamp}-{count}")
    try:
        for tail in ("-wal", "-shm", ""):
            if Path(f"{path}{tail}").exists():
                os.replace(f"{path}{tail}", f"{aside}{tail}")
    except OSError as problem:
        raise JournalError(
            f"{path}: is damaged and cannot be put aside ({problem}); rename it yourself"
        ) from problem
    return aside


def _lenient(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", isolation_level=None, uri=True)
    # Damaged text must not stop the rest from being read.
    db.text_factory = lambda raw: raw.decode("utf-8", "replace")
    return db


def _rows(
    db: sqlite3.Connection, query: str, first: int, patience: int = 0
) -> Iterator[tuple[Any, ...]]:
    """Yield the sound rows of *query* for the numbers from *first* up.

    One at a time by key: a scan would stop at the first broken page and lose the good ones beyond
    it. Ends when more than *patience* numbers in a row are missing or broken.
    """
    number, missing = first, 0
    while missing <= patience:
        try:
            row = db.execute(query, (number,)).fetchone()
        except sqlite3.Error as problem:
            log.warning("row %s cannot be salvaged: %s; check the memory card", number, problem)
            row = None
        if row is not None and all(_is_sound(value) for value in row):
            missing = 0
            yield row
        else:
            missing += 1
        number += 1


def _is_sound(value: object) -> bool:
    """Say whether a salvaged value can be kept: JSON columns must still be JSON."""
    if not isinstance(value, str) or not value.startswith(("{", "[")):
        return True
    try:
        json.loads(value)
    except ValueError:
        return False
    return True
