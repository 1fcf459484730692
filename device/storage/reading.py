"""Reading a journal without changing it, also where nothing can be written; finding damage."""

from __future__ import annotations

import contextlib
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

from device.storage.errors import (
    JournalError,
    StorageFault,
    check_readable,
    fault_of,
    is_damage,
    refusal,
)
from device.storage.schema import APPLICATION_ID, LOCK_S, SCHEMA_VERSION, version_of

_EVERY_ROW = (
    "SELECT number, started, game, preset, options, players, dealer, closed FROM sittings",
    "SELECT sitting, number, time, event FROM events",
)
"""All columns that every version of the journal has."""

_MAGIC = b"SQLite format 3\0"


@contextlib.contextmanager
def reading(path: Path, *, open_damaged: bool = False) -> Iterator[sqlite3.Connection]:
    """Open the database *path* read-only; damage shows when it is read.

    SQLite makes files of its own beside a journal to read it. Where it cannot, as on a read-only
    or a full disk, the file is read by itself. A log beside it that still holds events is needed
    too: then both are copied to a temporary folder and read there.

    Args:
        path: the file.
        open_damaged: replace bytes that are not UTF-8, instead of an error.

    Raises:
        JournalError: it cannot be opened; the message says why and what to do.
    """
    with contextlib.ExitStack() as stack:
        try:
            db = _open_anyhow(path, stack)
        except JournalError:
            raise
        except (sqlite3.Error, OSError) as problem:
            raise refusal(path, "cannot be read", problem) from problem
        if open_damaged:
            db.text_factory = lambda raw: raw.decode("utf-8", "replace")
        yield db


def _open_anyhow(path: Path, stack: contextlib.ExitStack) -> sqlite3.Connection:
    db = _open(path, "mode=ro", stack)
    try:
        db.execute("PRAGMA schema_version").fetchone()
        return db
    except sqlite3.Error as problem:
        if fault_of(problem, path) not in (
            StorageFault.DENIED,
            StorageFault.READ_ONLY,
            StorageFault.FULL,
        ):
            return db  # the fault shows when it is read
    logs = [Path(f"{path}{tail}") for tail in ("-wal", "-journal")]
    files = {log.name: log.read_bytes() for log in logs if log.exists()}
    if not any(files.values()):
        return _open(path, "mode=ro&immutable=1", stack)
    files[path.name] = path.read_bytes()
    try:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="boneace-")))
        for name, content in files.items():
            (folder / name).write_bytes(content)
    except OSError as problem:
        raise JournalError(
            f"{path}: must be copied to be read, and the copy cannot be made in "
            f"{tempfile.gettempdir()} ({problem}); set TMPDIR to a folder with room"
        ) from problem
    return _open(folder / path.name, "mode=rw", stack)


def _open(path: Path, how: str, stack: contextlib.ExitStack) -> sqlite3.Connection:
    uri = f"{path.resolve().as_uri()}?{how}"
    db = sqlite3.connect(uri, isolation_level=None, timeout=LOCK_S, uri=True)
    stack.callback(db.close)
    return db


def is_damaged(path: Path) -> bool:
    """Return whether *path* is a journal of boneace and damaged.

    Raises:
        JournalError: the file is another program's, or it cannot be read for another reason than
            damage; the message says what to do.
    """
    try:
        if not path.exists() or path.stat().st_size == 0:
            return False
        with path.open("rb") as file:
            head = file.read(100)
    except OSError as problem:
        cure = "choose another file with --journal"
        raise refusal(path, "cannot be read", problem, cure) from problem
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
        return False  # another program's database, whose damage is not ours to repair
    for _ in range(2):
        with reading(path) as db:
            if not _shows_damage(db, path):
                return False
        # To SQLite a page that the disk cannot read is damaged too; the next read may succeed.
        check_readable(path)
    return True


def _shows_damage(db: sqlite3.Connection, path: Path) -> bool:
    try:
        if version_of(db) > SCHEMA_VERSION:
            return False  # written by a newer boneace
        if db.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
            return True
        # SQLite checks its pages, not their content: every row is read once.
        for query in _EVERY_ROW:
            for _row in db.execute(query):
                pass
        return version_of(db) < 0
    except (sqlite3.Error, ValueError, OverflowError) as problem:
        # A ValueError comes from messages of SQLite that quote invalid text.
        if is_damage(problem, path):
            return True
        raise refusal(path, "cannot be read", problem) from problem
