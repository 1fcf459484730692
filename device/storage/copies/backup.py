"""Copies of the table's state: consistent while the game is played, checked, and limited.

SQLite itself copies the journal, so that a copy holds all events up to a moment and no half commit,
and never blocks the game. A copy gets its name only when it is whole and on the disk.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from device.storage.atomic_file import put_in_place
from device.storage.copies.copies import (
    BEFORE,
    DAMAGED,
    JOURNAL,
    CopyError,
    Found,
    Manifest,
    count_in,
    digest_of,
    found_in,
    manifest_of,
    name_of,
    write_zip,
)
from device.storage.copies.table_name import table_name
from device.storage.copies.turns import turn
from device.storage.journal.erase_rows import counts_of
from device.storage.journal.errors import JournalError, StorageFault, fault_of, refusal
from device.storage.journal.lock import refuse_device
from device.storage.journal.reading import contents_of, reading
from device.storage.journal.restoring import check_finished
from device.storage.journal.schema import APPLICATION_ID
from engine.core.errors import BoneAceError

log = logging.getLogger(__name__)

LABELS = Path("/dev/disk/by-label")
MOUNTS = Path("/proc/self/mountinfo")

STICK_FOLDER = "boneace"
"""Name of the folder on a USB stick."""

MOST_BYTES = 500_000_000


class BackupError(BoneAceError, OSError):
    """A copy could not be made; the journal itself is untouched."""


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy that was made.

    Attributes:
        path: the file.
        events: how many events it holds.
        removed: how many older copies were deleted.
        damage: what is damaged in it, in sentences; such a copy pushes out no other but one of its
            kind.
        new: nothing had changed since the newest copy where this is false: it is that one.
    """

    path: Path
    events: int
    removed: int = 0
    damage: tuple[str, ...] = ()
    new: bool = True


def back_up(
    journal: Path,
    folder: Path,
    *,
    keep: int,
    wall_s: float,
    most_bytes: int = MOST_BYTES,
    parts: Mapping[str, Path] | None = None,
    before_restore: bool = False,
) -> Copy:
    """Copy *journal* and *parts* into *folder*, and keep only the newest copies of this table.

    Args:
        journal: the journal's file; another program may be writing to it.
        folder: created where it is missing.
        keep: how many copies stay, including this one.
        wall_s: seconds since 1970; part of the copy's name, in UTC.
        most_bytes: of all copies of this table; the oldest go.
        parts: other files by their name in the copy; those that are missing are left out.
        before_restore: what is copied is about to be replaced; the copy pushes out no other but one
            of its kind.

    Raises:
        BackupError: there is no journal, it cannot be read, or the copy cannot be written; the
            copies made before stay.
    """
    refuse_device(journal)
    if not journal.is_file():
        raise BackupError(f"{journal}: there is no journal to copy; play a hand first")
    table = table_name(journal.parent)
    part, snapshot = folder / f".boneace-{table}.part", folder / f".boneace-{table}.journal.part"
    try:
        with turn(journal):
            check_finished(journal)
            folder.mkdir(parents=True, exist_ok=True)
            sweep(folder, table)
            ours = ours_in(journal, folder)
            sittings, events, damage = _copy(journal, snapshot)
            sources = {JOURNAL: snapshot}
            sources |= {name: path for name, path in (parts or {}).items() if path.is_file()}
            told = {name: digest_of(path) for name, path in sources.items()}
            kind = BEFORE if before_restore else DAMAGED if damage else ""
            last = next((each for each in ours if each.kind == kind), None)
            if last is not None and _is_same(last, told):
                sweep(folder, table)
                with contextlib.suppress(OSError):
                    os.utime(last.path)  # as new as one made now: see boneace doctor backup
                return Copy(last.path, events, 0, damage, new=False)
            number = max([0, *(each.number for each in ours)]) + 1
            path = folder / name_of(table, number, wall_s, kind)
            about = Manifest(
                table, number, wall_s, sittings, events, _oldest(snapshot), damage, told
            )
            write_zip(part, about, sources)
            _check_room(part, ours, kind, most_bytes)
            put_in_place(part, path)
            sweep(folder, table)
    except (OSError, sqlite3.Error) as problem:
        with contextlib.suppress(OSError):
            sweep(folder, table)
        raise BackupError(
            f"{journal} was not copied to {folder} ({problem}); {_cure(problem, part)}; the copies "
            "made before are as they were"
        ) from problem
    removed = 0
    for old in _superfluous(journal, folder, path, kind, keep, most_bytes):
        try:
            old.path.unlink()
            removed += 1
        except OSError as problem:
            log.warning("%s: an old copy that cannot be removed (%s); delete it", old, problem)
    return Copy(path, events, removed, damage)


def ours_in(journal: Path, folder: Path) -> list[Found]:
    """Return the copies of the table of *journal* in *folder*, the newest first.

    In a folder that tables may share a copy is known by the table's name, and a bare journal by a
    sitting that began at the same time.
    """
    found = sorted(found_in(folder), key=lambda each: each.order, reverse=True)
    if journal.parent in folder.parents:
        return found
    name = table_name(journal.parent)
    bare = any(not each.table for each in found)
    started = _started(journal) if bare else frozenset()
    return [
        each
        for each in found
        if each.table == name or (not each.table and started & _started(each.path))
    ]


def copies(journal: Path, folder: Path) -> list[Found]:
    """Return the sound copies of the table of *journal* in *folder*, the newest first."""
    return [each for each in ours_in(journal, folder) if not each.kind]


def _started(journal: Path) -> frozenset[float]:
    """Return when the sittings of *journal* began; none where it cannot be read."""
    with contextlib.suppress(sqlite3.Error, BoneAceError, OSError), reading(journal) as db:
        rows = db.execute("SELECT started FROM sittings LIMIT 1000")
        return frozenset(row[0] for row in rows)
    return frozenset()


def _is_same(copy: Found, told: Mapping[str, tuple[int, str]]) -> bool:
    with contextlib.suppress(CopyError):
        return manifest_of(copy.path).parts == told
    return False


def _check_room(part: Path, ours: Iterable[Found], kind: str, most_bytes: int) -> None:
    """Refuse a copy for which sound ones would have to go, or that is too large by itself."""
    size = part.stat().st_size
    if kind:
        size += sum(each.path.stat().st_size for each in ours if not each.kind)
    if size > most_bytes:
        raise OSError(f"it needs {size} bytes, and [backup] max_mb allows {most_bytes}")


def _superfluous(
    journal: Path, folder: Path, made: Path, kind: str, keep: int, most_bytes: int
) -> list[Found]:
    """Return the copies that go: others of the same *kind*, or those beyond count and budget."""
    ours = ours_in(journal, folder)
    if kind:
        return [each for each in ours if each.kind == kind and each.path != made]
    left, gone = most_bytes, []
    sizes = {each: _size(each.path) for each in ours}
    left -= sum(size for each, size in sizes.items() if each.kind)
    for place, each in enumerate(each for each in ours if not each.kind):
        left -= sizes[each]
        if each.path != made and (place >= keep or left < 0):
            gone.append(each)
    return gone


def _size(path: Path) -> int:
    with contextlib.suppress(OSError):
        return path.stat().st_size
    return 0


def sweep(folder: Path, table: str) -> None:
    """Delete what is left of a copy that is finished, or that a power cut broke off.

    Raises:
        OSError: it cannot be deleted.
    """
    for left in (*folder.glob(f".boneace-{table}.*part*"), *folder.glob(".journal-*.part*")):
        left.unlink()


def find_stick(label: str) -> Path | None:
    """Return where the USB stick with *label* is mounted; ``None`` where it is not."""
    if not label:
        return None
    try:
        device = (LABELS / _as_udev_writes(label)).resolve(strict=True)
        mounts = MOUNTS.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return None
    for line in mounts:
        # "36 35 98:0 /root /where options - type /dev/sda1 options", blanks written as \040.
        left, _, right = line.partition(" - ")
        words, source = left.split(), right.split()
        if len(words) < 5 or len(source) < 2:
            continue
        with contextlib.suppress(OSError):
            if Path(_unescaped(source[1])).resolve() == device:
                return Path(_unescaped(words[4]))
    return None


def _copy(journal: Path, part: Path) -> tuple[int, int, tuple[str, ...]]:
    """Copy the journal in one go; return its sittings and events, and what is damaged."""
    with reading(journal) as source:
        try:
            application = source.execute("PRAGMA application_id").fetchone()[0]
        except sqlite3.Error as problem:
            raise refusal(journal, "cannot be read", problem) from problem
        if application != APPLICATION_ID:
            raise sqlite3.DatabaseError("it is no journal of boneace; see: boneace doctor journal")
        with contextlib.closing(sqlite3.connect(part)) as copy:
            source.backup(copy)
            # The copy is a file of its own: no log beside it that could be left behind.
            copy.execute("PRAGMA journal_mode = DELETE")
            found = copy.execute("PRAGMA integrity_check").fetchone()[0]
            if found != "ok":
                raise sqlite3.DatabaseError(f"the copy is not sound: {found}; see: boneace doctor")
    with contents_of(part) as contents:
        sittings, events = count_in(contents)
        contents.notes()
        return sittings, events, tuple(map(str, contents.damage))


def _oldest(journal: Path) -> float:
    with contextlib.closing(sqlite3.connect(journal)) as db:
        return counts_of(db)[2]


def _cure(problem: Exception, part: Path) -> str:
    if isinstance(problem, JournalError):
        return "the journal itself was not changed"
    fault = fault_of(problem, part)
    if fault is StorageFault.READ_ONLY:
        return "name a folder that can be written to with --to"
    if fault in (StorageFault.LOCKED, StorageFault.DAMAGED):
        return fault.cure(part)
    return "check the space and the owner there"


def _as_udev_writes(label: str) -> str:
    """Return *label* as udev names its link, with special characters as hexadecimal."""
    plain = "#+-.:=@_"
    return "".join(
        each if each.isalnum() or each in plain else f"\\x{ord(each):02x}" for each in label
    )


def _unescaped(word: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), word)
