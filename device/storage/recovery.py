"""A damaged journal: recognised, put aside, and read as far as it can be."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from device.storage.schema import APPLICATION_ID, SCHEMA_VERSION, JournalError

log = logging.getLogger(__name__)

_EVERY_ROW = (
    "SELECT number, started, game, preset, options, players, dealer, closed FROM sittings",
    "SELECT sitting, number, time, event FROM events",
)
"""What every version of the journal holds."""

_MAGIC = b"SQLite format 3\0"


def is_damaged(path: Path) -> bool:
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
            if db.execute("PRAGMA user_version").fetchone()[0] > SCHEMA_VERSION:
                return False  # what a newer boneace has written is not ours to judge
            if db.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
                return True
            # SQLite checks its pages, not what stands in them: every row is read once.
            for query in _EVERY_ROW:
                for _row in db.execute(query):
                    pass
            return bool(db.execute("PRAGMA user_version").fetchone()[0] < 0)
    except (sqlite3.DatabaseError, ValueError, OverflowError):
        # A ValueError comes of SQLite's own messages when they quote what is no text any more.
        return True


def quarantine(path: Path) -> Path:
    """Rename the damaged journal, never delete it; return its new name.

    Raises:
        JournalError: the disk refuses.
    """
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


def open_damaged(path: Path) -> sqlite3.Connection:
    """Open a damaged journal to read what is left of it; the caller closes it."""
    db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", isolation_level=None, uri=True)
    # Damaged text must not stop the rest from being read.
    db.text_factory = lambda raw: raw.decode("utf-8", "replace")
    return db


def rows(
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
        except (sqlite3.Error, UnicodeDecodeError) as problem:
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
