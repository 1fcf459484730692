"""Erase guests' data from all files: what lies beside the journal, and the copies.

The journal itself is erased from by :meth:`device.storage.journal.journal.Journal.erase`.
"""

from __future__ import annotations

import contextlib
import logging
import math
import re
import sqlite3
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from device.storage import counts
from device.storage.atomic_file import put_in_place
from device.storage.copies.backup import ours_in, sweep
from device.storage.copies.copies import (
    JOURNAL,
    CopyError,
    Found,
    manifest_of,
    read_parts,
    write_zip,
)
from device.storage.copies.table_name import table_name
from device.storage.journal.erase_rows import (
    Erased,
    Erasure,
    counts_of,
    ended_before,
    ends_of,
    erase_rows,
    in_text,
)
from device.storage.journal.errors import JournalError
from device.storage.journal.reading import is_damaged
from device.storage.journal.recovery import LOGS

log = logging.getLogger(__name__)

PHONES = "phones.json"
"""Beside the journal: which phones have which seats, in the sitting that goes on."""


def copies_of(journal: Path, folders: Sequence[Path]) -> list[Found]:
    """Return the copies of the table of *journal*: asked before its sittings are erased.

    What is left of copies that were cut off is deleted. Who asks has a :func:`.turn`.
    """
    for folder in folders:
        with contextlib.suppress(OSError):
            sweep(folder, table_name(journal.parent))
    return [each for folder in folders for each in ours_in(journal, folder)]


def erase_files(journal: Path, copies: Sequence[Found], wanted: Erasure, wall_s: float) -> Erased:
    """Erase from what lies beside *journal*, and from *copies*.

    Each file is written anew or left as it was; what cannot be read is deleted.
    """
    done = Erased()
    phones = journal.with_name(PHONES)
    try:
        if wanted.player or phones.stat().st_mtime < (wanted.before_s or 0.0):
            phones.unlink(missing_ok=True)
    except FileNotFoundError:
        pass
    except OSError as problem:
        done.failed.append(problem)
    counted = counts.counts_path(journal)
    if counted.is_file():
        _try(counted, _lines(counted, wanted), done)
    for path in beside(journal):
        log_of_one = any(tail in path.name for tail in LOGS)
        _try(path, None if log_of_one else _bare(path, wanted, wall_s), done)
    for each in copies:
        if each.path.suffix != ".zip":
            _try(each.path, _bare(each.path, wanted, wall_s), done)
        elif not _is_younger(each.path, wanted):
            _try(each.path, _zip(each.path, wanted, wall_s), done)
    return done


def beside(journal: Path) -> list[Path]:
    """Return the files beside *journal* that may hold its sittings: damaged, older, half made."""
    name = re.compile(
        rf"{re.escape(journal.name)}\.(damaged-|salvaged-|version-|salvaging|keeping).*"
    )
    return sorted(path for path in journal.parent.iterdir() if name.fullmatch(path.name))


# Files


def _bare(path: Path, wanted: Erasure, wall_s: float) -> Callable[[Path], bool | None]:
    """Return what writes the bare journal *path* to a new file: see :func:`_try`."""

    def write(part: Path) -> bool | None:
        try:
            if is_damaged(path):
                return None
        except JournalError:
            return None
        data = path.read_bytes()
        erased = _erased(data, wanted, wall_s)
        if erased is None or erased[1] is None:
            return None if erased is None else False
        part.write_bytes(erased[0])
        return True

    return write


def _lines(path: Path, wanted: Erasure) -> Callable[[Path], bool | None]:
    """Return what writes the counts *path* to a new file: see :func:`_try`. They name nobody."""

    def write(part: Path) -> bool | None:
        data = path.read_bytes()
        left = counts.without(data, wanted.before_s or 0.0)
        if wanted.before_s is None or left == data:
            return False
        part.write_bytes(left)
        return True

    return write


def _zip(path: Path, wanted: Erasure, wall_s: float) -> Callable[[Path], bool | None]:
    """Return what writes the copy *path* to a new file: see :func:`_try`."""

    def write(part: Path) -> bool | None:
        try:
            manifest, parts = read_parts(path)
        except CopyError:
            return None
        erased = _erased(parts[JOURNAL], wanted, wall_s)
        if erased is None:
            return None
        data, done = erased
        configs = {
            name: in_text(text.decode("utf-8", "replace"), wanted.player, "Player").encode()
            for name, text in parts.items()
            if name.startswith("config/") and wanted.player
        }
        configs = {name: text for name, text in configs.items() if text != parts[name]}
        counted = parts.get(counts.FILE, b"")
        left = counts.without(counted, wanted.before_s) if wanted.before_s else counted
        if done is None and not configs and left == counted:
            return False
        parts |= {JOURNAL: data, **configs}
        if counted:
            parts[counts.FILE] = left
        told = {name: (len(text), sha256(text).hexdigest()) for name, text in parts.items()}
        sittings, events, oldest = _counts(data)
        damage = tuple(
            in_text(each, wanted.player, "Player") if wanted.player else each
            for each in manifest.damage
        )
        about = replace(
            manifest, sittings=sittings, events=events, oldest=oldest, damage=damage, parts=told
        )
        write_zip(part, about, parts)
        return True

    return write


def _is_younger(path: Path, wanted: Erasure) -> bool:
    """Return whether nothing in a copy is so old that it is *wanted*; its manifest says so."""
    before_s = wanted.before_s or 0.0
    if wanted.player or any(goes and each >= before_s for each, goes in wanted.judged.items()):
        return False
    with contextlib.suppress(CopyError):
        manifest = manifest_of(path)
        return manifest.oldest >= before_s and counts.FILE not in manifest.parts
    return False


def _try(path: Path, write: Callable[[Path], bool | None] | None, done: Erased) -> None:
    """Write *path* anew as *write* does to a new file; delete it where that returns ``None``."""
    part = path.with_name(f".boneace-{path.name}.part")
    try:
        changed = write(part) if write is not None else None
        if changed:
            put_in_place(part, path)
            done.files.append(path)
        elif changed is None:
            path.unlink(missing_ok=True)
            done.deleted.append(path)
    except OSError as problem:
        done.failed.append(problem)
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


def _erased(data: bytes, wanted: Erasure, wall_s: float) -> tuple[bytes, Erased | None] | None:
    """Return a journal's bytes without what is *wanted*, and what was done, ``None`` for nothing.

    Return ``None`` where it cannot be read.
    """
    # A file by itself has no log; without this SQLite would look for one in memory.
    plain = data[:18] + b"\1\1" + data[20:]
    try:
        with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
            db.deserialize(plain)
            if db.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
                return None
            done = erase_rows(db, wanted, wall_s)
            if not done.gone and not done.renamed:
                return data, None
            return bytes(db.serialize()), done
    except (sqlite3.Error, ValueError, UnicodeDecodeError):
        return None


def _counts(data: bytes) -> tuple[int, int, float]:
    """Return sittings, events, and when the first sitting ended, of a journal's bytes."""
    with contextlib.closing(sqlite3.connect(":memory:")) as db:
        db.deserialize(data)
        return counts_of(db)


# How long it is kept

SYNCHRONIZED = Path("/run/systemd/timesync/synchronized")
"""There once the clock was set by the network."""

JUMP_S = 366 * 86_400.0
"""A clock that is further ahead of the last event than this is believed only if it was set."""


def too_old(db: sqlite3.Connection, days: int, wall_s: float) -> Erasure | None:
    """Return what a journal has kept for more than *days*; ``None`` where nothing may be erased.

    A table has no clock of its own. Where the network has set it, dates after *wall_s* are wrong.
    Where it has not, the clock is wrong before what is known to have happened, and perhaps after
    a jump of a year: then nothing is erased. The sitting that goes on never is.

    Raises:
        sqlite3.Error: the journal cannot be read.
    """
    known = ends_of(db)
    if not days or not known:
        return None
    is_set = SYNCHRONIZED.exists()
    if not is_set and wall_s < known[-1]:
        return None
    later = [*known[1:], wall_s]
    if not is_set and any(other - one > JUMP_S for one, other in zip(known, later, strict=True)):
        log.warning(
            "the clock says %s, and years are missing before: nothing is erased by itself; set the "
            "clock, or run: boneace erase --before DATE",
            time.strftime("%Y-%m-%d", time.gmtime(wall_s)),
        )
        return None
    latest_s = wall_s if is_set else math.inf
    return ended_before(db, wall_s - days * 86_400.0, latest_s=latest_s, unfinished=False)
