"""Copies of the journal: consistent while the game is played, checked, and limited in number.

SQLite itself makes a copy, so that it holds all events up to a moment and no half commit, and
never blocks the game. A copy gets its name only when it is whole and on the disk.
"""

from __future__ import annotations

import contextlib
import logging
import re
import sqlite3
import time
from dataclasses import dataclass
from pathlib import Path

from device.storage.atomic_file import put_in_place
from device.storage.contents import Damage
from device.storage.errors import JournalError, StorageFault, fault_of, refusal
from device.storage.reading import contents_of, reading
from device.storage.schema import APPLICATION_ID
from engine.core.errors import BoneAceError

log = logging.getLogger(__name__)

LABELS = Path("/dev/disk/by-label")
MOUNTS = Path("/proc/self/mountinfo")

STICK_FOLDER = "boneace"
"""Name of the folder on a USB stick."""

_NAME = re.compile(r"journal-\d{8}-\d{6}(-\d+)?(-damaged)?\.sqlite3")


class BackupError(BoneAceError, OSError):
    """A copy could not be made; the journal itself is untouched."""


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy that was made.

    Attributes:
        path: the file.
        events: how many events it holds.
        removed: how many older copies were deleted.
        damage: what is damaged in it; such a copy pushes out no other but one of its kind.
    """

    path: Path
    events: int
    removed: int
    damage: tuple[Damage, ...] = ()


def back_up(journal: Path, folder: Path, *, keep: int, wall_s: float) -> Copy:
    """Copy *journal* into *folder*, and keep only the newest copies.

    Args:
        journal: the journal's file; another program may be writing to it.
        folder: created where it is missing.
        keep: how many copies stay, including this one.
        wall_s: seconds since 1970; the copy is named after it, in UTC.

    Raises:
        BackupError: there is no journal, it is not sound, or the copy cannot be written; the
            copies made before stay.
    """
    if not journal.is_file():
        raise BackupError(f"{journal}: there is no journal to copy; play a hand first")
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime(wall_s))
    path = folder / f"journal-{stamp}.sqlite3"
    count = 1
    while path.exists():
        count += 1
        path = folder / f"journal-{stamp}-{count}.sqlite3"
    part = folder / f".{path.name}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for left in folder.glob(".journal-*.part*"):
            left.unlink()  # of a copy that a power cut broke off
        events, damage = _copy(journal, part)
        if damage:
            path = path.with_name(f"{path.stem}-damaged.sqlite3")
        put_in_place(part, path)
    except (OSError, sqlite3.Error) as problem:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise BackupError(
            f"{journal} was not copied to {folder} ({problem}); {_cure(problem, part)}; the copies "
            "made before are as they were"
        ) from problem
    removed = 0
    # A clock that was set back must not make the newest copy the oldest.
    others = [each for each in copies(folder, damaged=bool(damage)) if each != path]
    for old in others if damage else others[keep - 1 :]:
        try:
            old.unlink()
            removed += 1
        except OSError as problem:
            log.warning("%s: an old copy that cannot be removed (%s); delete it", old, problem)
    return Copy(path, events, removed, damage)


def copies(folder: Path, *, damaged: bool = False) -> tuple[Path, ...]:
    """Return the sound copies in *folder*, or the damaged ones, the newest first."""
    with contextlib.suppress(OSError):
        # By name, which is the time in UTC: a stick's time stamps cannot be trusted.
        found = [
            path
            for path in folder.iterdir()
            if (name := _NAME.fullmatch(path.name)) and bool(name[2]) == damaged
        ]
        return tuple(sorted(found, key=_order, reverse=True))
    return ()


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


def _copy(journal: Path, part: Path) -> tuple[int, tuple[Damage, ...]]:
    """Copy the journal in one go; return how many events the copy holds, and what is damaged."""
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
            count = int(copy.execute("SELECT count(*) FROM events").fetchone()[0])
    with contents_of(part) as found:
        return count, tuple(found.check())


def _cure(problem: Exception, part: Path) -> str:
    if isinstance(problem, JournalError):
        return "the journal itself was not changed"
    fault = fault_of(problem, part)
    if fault is StorageFault.READ_ONLY:
        return "name a folder that can be written to with --to"
    if fault in (StorageFault.LOCKED, StorageFault.DAMAGED):
        return fault.cure(part)
    return "check the space and the owner there"


def _order(path: Path) -> tuple[str, int]:
    words = path.name.removesuffix(".sqlite3").split("-")
    return "-".join(words[1:3]), int(words[3]) if words[3:] not in ([], ["damaged"]) else 1


def _as_udev_writes(label: str) -> str:
    """Return *label* as udev names its link, with special characters as hexadecimal."""
    plain = "#+-.:=@_"
    return "".join(
        each if each.isalnum() or each in plain else f"\\x{ord(each):02x}" for each in label
    )


def _unescaped(word: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), word)
