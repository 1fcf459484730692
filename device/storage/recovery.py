"""Recovery of a damaged journal: what can be read is copied into a new one, which replaces it.

Each step is on the disk before the next begins, so that it may be interrupted anywhere:

1. The rows are copied into ``NAME.salvaging``.
2. That file, now whole, is renamed to ``NAME.salvaged-TIME``.
3. The damaged journal is renamed to ``NAME.damaged-TIME``; its logs follow.
4. The new file is renamed to ``NAME``.

Up to step 3 the damaged journal is in its place, and a new start repeats the recovery. After it
there is none, and a new start continues with step 3.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import re
import sqlite3
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from device.storage.atomic_file import put_in_place, settle
from device.storage.errors import JournalError, check_readable, is_damage, refusal
from device.storage.reading import is_damaged, reading
from device.storage.schema import bones_column, create

log = logging.getLogger(__name__)

LOGS = ("-wal", "-shm", "-journal")
"""Files that SQLite keeps beside a journal; they must never lie beside another one."""

_FAILED = "is damaged, was left as it is, and cannot be salvaged"

GAP = 50
"""Missing sessions in a row after which the search for more ends."""


def recover(path: Path) -> str:
    """Recover the journal *path* if it is damaged; continue a recovery that was interrupted.

    Returns:
        What was done, in sentences for the screen; empty where nothing was.

    Raises:
        JournalError: the file is another program's, it cannot be read for another reason than
            damage, or the disk refuses; the damaged journal is then as it was.
    """
    try:
        return _recover(path)
    except JournalError:
        raise
    except (sqlite3.Error, OSError) as problem:
        raise refusal(path, _FAILED, problem, "check the disk, then start again") from problem


def is_cut_off(path: Path) -> bool:
    """Return whether the journal *path* is missing because its recovery was interrupted."""
    return _is_missing(path) and (
        _newest(path, _SALVAGED) is not None or _newest(path, _DAMAGED) is not None
    )


def _recover(path: Path) -> str:
    half = path.with_name(f"{path.name}.salvaging")
    cut_off = half.exists()
    half.unlink(missing_ok=True)
    source, is_whole = path, False
    if _is_missing(path):
        found = _newest(path, _SALVAGED)
        stamp = found or _newest(path, _DAMAGED)
        if stamp is None:
            return ""
        source, cut_off = _named(path, _DAMAGED, stamp), True
        is_whole = found is not None and not (
            source.exists() and is_damaged(_named(path, _SALVAGED, stamp))
        )
    else:
        stamp = _new_stamp(path)
        # The result of an earlier recovery is not needed: its source is still there.
        while (left := _newest(path, _SALVAGED)) is not None:
            _named(path, _SALVAGED, left).unlink()
            cut_off = True
        if not is_damaged(path):
            return ""
    new, aside = _named(path, _SALVAGED, stamp), _named(path, _DAMAGED, stamp)
    if not is_whole:
        try:
            _copy(source, half)
            put_in_place(half, new)
        except BaseException:
            with contextlib.suppress(OSError):
                half.unlink(missing_ok=True)
            raise
    saved = _count_events(new)
    _quarantine(path, aside)
    put_in_place(new, path)
    notice = "The journal was damaged."
    if cut_off:
        notice = "The journal was damaged, and its salvage was cut off; it has been finished now."
    if aside.exists():
        notice += f" It is kept as {aside.name};"
    notice += f" {saved} of its events could be read and are in the new one. Check the memory card."
    log.error("%s", notice)
    return notice


# Names


_DAMAGED, _SALVAGED = "damaged", "salvaged"


def _named(path: Path, kind: str, stamp: str) -> Path:
    return path.with_name(f"{path.name}.{kind}-{stamp}")


def _new_stamp(path: Path) -> str:
    now = stamp = time.strftime("%Y%m%d-%H%M%S")
    count = 1
    while any(_named(path, kind, stamp).exists() for kind in (_DAMAGED, _SALVAGED)):
        count += 1
        stamp = f"{now}-{count}"
    return stamp


def _newest(path: Path, kind: str) -> str | None:
    """Return the stamp of the newest file of this *kind* beside *path*."""
    name = re.compile(rf"{re.escape(path.name)}\.{kind}-(\d{{8}}-\d{{6}})(?:-(\d+))?")
    found = [match for each in path.parent.glob("*") if (match := name.fullmatch(each.name))]
    if not found:
        return None
    newest = max(found, key=lambda match: (match[1], int(match[2] or 1)))
    return newest[1] if newest[2] is None else f"{newest[1]}-{newest[2]}"


def _is_missing(path: Path) -> bool:
    """Return whether there is no journal *path*, or an empty file, with which SQLite starts."""
    return not path.exists() or path.stat().st_size == 0


def _quarantine(path: Path, aside: Path) -> None:
    """Rename the damaged journal and its logs, never delete them."""
    if not _is_missing(path):
        os.replace(path, aside)
        settle(path.parent)
    for tail in LOGS:
        source, target = Path(f"{path}{tail}"), Path(f"{aside}{tail}")
        if source.exists():
            while target.exists():
                target = target.with_name(f"{target.name}-old")
            os.replace(source, target)
    settle(path.parent)


# Rows


@dataclass(frozen=True, slots=True)
class _Column:
    """The type of a column, and the replacement for a value of another type."""

    name: str
    kind: type
    replacement: object = None
    nullable: bool = False

    def repaired(self, value: object) -> object:
        if isinstance(value, bytes) and self.kind is str:
            # One flipped bit makes a TEXT a BLOB, with all its letters.
            with contextlib.suppress(UnicodeDecodeError):
                return value.decode()
        if isinstance(value, int) and self.kind is float:
            return float(value)
        if isinstance(value, self.kind) or (value is None and self.nullable):
            return value
        return self.replacement


_SESSION = (
    _Column("started", float, 0.0),
    _Column("game", str, ""),
    _Column("preset", str, ""),
    _Column("options", str, ""),
    _Column("players", str, ""),
    _Column("dealer", int, nullable=True),
    _Column("closed", float, 0.0, nullable=True),
    _Column("bones", str, ""),
)
_EVENT = (_Column("time", float, 0.0), _Column("event", str, ""))


def _copy(source: Path, target: Path) -> None:
    """Copy everything readable of the journal *source* into a new one."""
    with (
        reading(source, open_damaged=True) as old,
        contextlib.closing(sqlite3.connect(target, isolation_level=None)) as new,
    ):
        # Without rollback: an interrupted copy is deleted and made again.
        new.execute("PRAGMA journal_mode = MEMORY")
        new.execute("PRAGMA synchronous = OFF")
        create(new)
        columns = ", ".join(each.name for each in _SESSION[:-1])
        sittings = f"SELECT {columns}, {bones_column(old)} FROM sittings WHERE number = ?"
        new.execute("BEGIN")
        for session, row in _rows(old, source, sittings, _SESSION, first=1, patience=GAP):
            new.execute(
                f"INSERT INTO sittings (number, {columns}, bones)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (session, *row),
            )
            events = f"SELECT time, event FROM events WHERE sitting = {session} AND number = ?"
            # Stop at a gap: later events would be applied to the wrong state.
            for number, (at, event) in _rows(old, source, events, _EVENT, first=0):
                if not _is_json(event):
                    break
                new.execute("INSERT INTO events VALUES (?, ?, ?, ?)", (session, number, at, event))
        new.execute("COMMIT")


def _rows(
    db: sqlite3.Connection,
    path: Path,
    query: str,
    columns: Sequence[_Column],
    first: int,
    patience: int = 0,
) -> Iterator[tuple[int, list[Any]]]:
    """Yield the numbers from *first* up, each with its row as *query* finds it.

    One at a time by key: a scan would stop at the first broken page and lose the good ones after
    it. Ends when more than *patience* numbers in a row are missing or broken.

    Raises:
        JournalError: a row cannot be read for another reason than damage.
    """
    number, missing = first, 0
    while missing <= patience:
        row = _row(db, path, query, number)
        if row is None:
            missing += 1
        else:
            missing = 0
            yield number, [each.repaired(value) for each, value in zip(columns, row, strict=True)]
        number += 1


def _row(db: sqlite3.Connection, path: Path, query: str, number: int) -> tuple[Any, ...] | None:
    for is_last in (False, True):
        try:
            row: tuple[Any, ...] | None = db.execute(query, (number,)).fetchone()
            return row
        except (sqlite3.Error, UnicodeDecodeError) as problem:
            if not is_damage(problem, path):
                raise refusal(path, _FAILED, problem) from problem
            if is_last:
                log.warning("row %s cannot be salvaged: %s; check the memory card", number, problem)
        check_readable(path)  # raises where the disk cannot read the page now
    return None


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _count_events(path: Path) -> int:
    with reading(path) as db:
        return int(db.execute("SELECT count(*) FROM events").fetchone()[0])
