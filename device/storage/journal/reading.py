"""Reading a journal without changing it, also where nothing can be written; finding damage."""

from __future__ import annotations

import contextlib
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

from device.storage.journal.contents import Contents
from device.storage.journal.errors import (
    JournalError,
    StorageFault,
    check_readable,
    fault_of,
    is_damage,
    refusal,
)
from device.storage.journal.last_file import read_last
from device.storage.journal.schema import (
    APPLICATION_ID,
    LOCK_S,
    SCHEMA,
    SCHEMA_VERSION,
    check_ours,
    version_of,
)

MAGIC = b"SQLite format 3\0"

_HEADER = {
    0: MAGIC,
    16: b"\x10\0",
    20: b"\0\x40\x20\x20",
    44: b"\0\0\0\x04" + bytes(8) + b"\0\0\0\x01",
    64: bytes(4),
    72: bytes(20),
}
"""Bytes of the file's first 100 that are the same in every journal."""


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
    """Return whether *path* is a journal of boneace whose pages are damaged.

    Raises:
        JournalError: the file is another program's, or it cannot be read for another reason than
            damage; the message says what to do.
    """
    try:
        if not path.exists() or path.stat().st_size == 0:
            return False
        with path.open("rb") as file:
            head = file.read(4096)
    except OSError as problem:
        cure = "choose another file with --journal"
        raise refusal(path, "cannot be read", problem, cure) from problem
    if not head.strip(b"\0"):
        return True  # a file of zeros is what a power cut leaves of a file being made
    mark = int.from_bytes(head[68:72])
    # One turned bit does not make it another program's, if our tables are in it.
    near = (mark ^ APPLICATION_ID).bit_count() == 1 and b"CREATE TABLE sittings" in head
    if mark != APPLICATION_ID and not near:
        if head.startswith(MAGIC):
            return False  # another program's database, whose damage is not ours to repair
        raise JournalError(
            f"{path}: is not a journal of boneace and was not touched; choose another file "
            "with --journal"
        )
    if near or not _is_header(head):
        return True
    for _ in range(2):
        with reading(path) as db:
            if not _shows_damage(db, path):
                return False
        # To SQLite a page that the disk cannot read is damaged too; the next read may succeed.
        check_readable(path)
    return True


def _is_header(head: bytes) -> bool:
    """Return whether a file begins with *head*, as far as it is the same in all journals."""
    return head[18:20] in (b"\x01\x01", b"\x02\x02") and all(
        head[at : at + len(wanted)] == wanted for at, wanted in _HEADER.items()
    )


def _shows_damage(db: sqlite3.Connection, path: Path) -> bool:
    try:
        version = version_of(db)
        tables = {sql for (sql,) in db.execute("SELECT sql FROM sqlite_schema WHERE sql > ''")}
        if version != SCHEMA_VERSION and tables == set(SCHEMA):
            # One bit of the version is turned, or it is in truth a newer one.
            return version < SCHEMA_VERSION or (version ^ SCHEMA_VERSION).bit_count() == 1
        if version > SCHEMA_VERSION:
            return False  # written by a newer boneace
        if version == SCHEMA_VERSION and tables != set(SCHEMA):
            return True
        return version < 0 or db.execute("PRAGMA integrity_check").fetchone()[0] != "ok"
    except (sqlite3.Error, ValueError, OverflowError) as problem:
        # A ValueError comes from messages of SQLite that quote invalid text.
        if is_damage(problem, path):
            return True
        raise refusal(path, "cannot be read", problem) from problem


@contextlib.contextmanager
def contents_of(path: Path) -> Iterator[Contents]:
    """Open the journal *path* read-only, damaged or not, to read what is sound in it.

    Raises:
        JournalError: it is another program's, it is newer, or it cannot be read at all.
    """
    last = read_last(path)  # before the journal, which may be written to meanwhile
    if is_damaged(path):
        yield Contents(path, None, SCHEMA_VERSION, last)
        return
    with reading(path) as db:
        check_ours(db, path)
        yield Contents(path, db, version_of(db), last)
