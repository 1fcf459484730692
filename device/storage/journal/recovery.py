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
from pathlib import Path

from device.storage.atomic_file import put_in_place, settle
from device.storage.journal.chain import look_digest
from device.storage.journal.contents import StoredEvent
from device.storage.journal.errors import JournalError, refusal
from device.storage.journal.last_file import read_last
from device.storage.journal.reading import contents_of, is_damaged, reading
from device.storage.journal.rows import Damage
from device.storage.journal.schema import add_note, add_sitting, create

log = logging.getLogger(__name__)

LOGS = ("-wal", "-shm", "-journal")
"""Files that SQLite keeps beside a journal; they must never lie beside another one."""

_FAILED = "is damaged, was left as it is, and cannot be salvaged"


Recovered = tuple[list[str], dict[int, list[StoredEvent]]]
"""What was done, in sentences for the screen, and the events of the last sitting, if it is open."""


def recover(path: Path) -> Recovered:
    """Recover the journal *path* if it is damaged; continue a recovery that was interrupted.

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


def _examine(path: Path) -> tuple[list[Damage], dict[int, list[StoredEvent]]]:
    """Return what is damaged in all that :func:`recover` looks after, and the open sitting.

    That is everything but the events of sittings that are closed: those are looked at by who
    reads them.
    """
    with contents_of(path) as found:
        sittings = found.sittings()
        read: dict[int, list[StoredEvent]] = {}
        found.notes()
        if sittings and sittings[-1].closed is None:
            events = found.events(sittings[-1])
            if sittings[-1].opened:  # an older journal is still to be migrated
                read[sittings[-1].number] = events
            found.looks(sittings[-1].number)
        return found.damage, read


def is_cut_off(path: Path) -> bool:
    """Return whether the journal *path* is missing because its recovery was interrupted."""
    return _is_missing(path) and (
        _newest(path, _SALVAGED) is not None or _newest(path, _DAMAGED) is not None
    )


def _recover(path: Path) -> Recovered:
    half = path.with_name(f"{path.name}.salvaging")
    cut_off = half.exists()
    half.unlink(missing_ok=True)
    source, is_whole = path, False
    if _is_missing(path):
        whole = _newest(path, _SALVAGED)
        stamp = whole or _newest(path, _DAMAGED)
        if stamp is None:
            last = read_last(path)
            gone = last is not None and last.sitting > 0
            return ["The journal is gone; a new one begins. Check the memory card."] * gone, {}
        source, cut_off = _named(path, _DAMAGED, stamp), True
        is_whole = whole is not None and not (
            source.exists() and is_damaged(_named(path, _SALVAGED, stamp))
        )
    else:
        stamp = _new_stamp(path)
        # The result of an earlier recovery is not needed: its source is still there.
        while (left := _newest(path, _SALVAGED)) is not None:
            _named(path, _SALVAGED, left).unlink()
            cut_off = True
        found, read = _examine(path)
        if all(each.lost for each in found):
            lost = "The disk has lost something: {}. Check the memory card."
            return [lost.format(each) for each in found], read
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
    return [notice], {}


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


def _copy(source: Path, target: Path) -> None:
    """Copy everything sound of the journal *source* into a new one, and note what was not."""
    with (
        contents_of(source) as old,
        contextlib.closing(sqlite3.connect(target, isolation_level=None)) as new,
    ):
        # Without rollback: an interrupted copy is deleted and made again.
        new.execute("PRAGMA journal_mode = MEMORY")
        new.execute("PRAGMA synchronous = OFF")
        create(new)
        new.execute("BEGIN")
        sittings = old.sittings()
        for sitting in sittings:
            events = (
                (number, each.time, _text(each.text), _text(each.assumed), each.batch)
                for number, each in enumerate(old.events(sitting))
            )
            row = (_text(each) if isinstance(each, bytes) else each for each in sitting[:11])
            add_sitting(new, tuple(row), events)
            for number, line in enumerate(old.looks(sitting.number)):
                look = (sitting.number, number, line)
                seen = look_digest((*look[:2], line.encode()))
                new.execute("INSERT INTO looks VALUES (?, ?, ?, ?)", (*look, seen))
        here = {sitting.number for sitting in sittings}
        gone = sorted(set(range(1, max(here, default=0))) - here)
        body = {"gone": gone, "damage": [str(each) for each in old.damage]}
        for number, note in enumerate(old.notes(), 1):
            add_note(new, number, note.time, note.sitting, _text(note.kind), _text(note.body))
        count = new.execute("SELECT count(*) FROM notes").fetchone()[0]
        add_note(new, count + 1, time.time(), None, "salvaged", json.dumps(body))
        new.execute("COMMIT")


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _count_events(path: Path) -> int:
    with reading(path) as db:
        return int(db.execute("SELECT count(*) FROM events").fetchone()[0])
