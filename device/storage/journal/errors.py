"""What goes wrong with the journal's file, told apart: each fault has its own cure."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sqlite3
from enum import Enum
from pathlib import Path

from engine.core.errors import BoneAceError

ROOM_BYTES = 1 << 20
"""With less free space than this, an I/O error is taken for a full disk."""

_PART_BYTES = 1 << 20


class JournalError(BoneAceError, OSError):
    """The journal cannot be opened or written; nothing already in it is lost."""


class StorageFault(Enum):
    """Why a journal cannot be used: the reason, and the cure."""

    LOCKED = ("another program has locked the journal", "close that program, then try again")
    READ_ONLY = (
        "the file or its disk is read-only",
        "if the memory card is failing, save a copy (boneace backup --to FOLDER) and replace the "
        "card; otherwise make the file system and the file writable, then try again",
    )
    DENIED = (
        "this user cannot open the file",
        "check the owner of the file and of its folder, run as that user, or choose another file "
        "with --journal",
    )
    BROKEN = (
        "the disk cannot be read or written, as when a memory card fails",
        "save a copy (boneace backup --to FOLDER), then replace the card",
    )
    DAMAGED = (
        "the journal is damaged",
        "start boneace play: it keeps the damaged file and saves what can be read of it",
    )
    FULL = ("the disk is full", "free some space in {folder}, then do it again")

    @property
    def reason(self) -> str:
        """Return why, in half a sentence."""
        return self.value[0]

    def cure(self, path: Path) -> str:
        """Return what to do about it for the journal *path*."""
        return self.value[1].replace("{folder}", str(path.parent))


_SQLITE = {
    sqlite3.SQLITE_BUSY: StorageFault.LOCKED,
    sqlite3.SQLITE_LOCKED: StorageFault.LOCKED,
    sqlite3.SQLITE_PROTOCOL: StorageFault.LOCKED,
    sqlite3.SQLITE_READONLY: StorageFault.READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: StorageFault.DENIED,
    sqlite3.SQLITE_PERM: StorageFault.DENIED,
    sqlite3.SQLITE_AUTH: StorageFault.DENIED,
    sqlite3.SQLITE_IOERR: StorageFault.BROKEN,
    sqlite3.SQLITE_FULL: StorageFault.FULL,
    sqlite3.SQLITE_CORRUPT: StorageFault.DAMAGED,
    sqlite3.SQLITE_NOTADB: StorageFault.DAMAGED,
}
_SYSTEM = {
    errno.EROFS: StorageFault.READ_ONLY,
    errno.EACCES: StorageFault.DENIED,
    errno.EPERM: StorageFault.DENIED,
    errno.EIO: StorageFault.BROKEN,
    errno.ENOSPC: StorageFault.FULL,
    errno.EDQUOT: StorageFault.FULL,
}


def fault_of(problem: Exception, path: Path) -> StorageFault | None:
    """Return which fault *problem* of the journal *path* is, or ``None`` for any other."""
    if isinstance(problem, sqlite3.Error):
        # The lowest byte is the kind of error, the others say more about it.
        code = getattr(problem, "sqlite_errorcode", None)
        found = None if code is None else _SQLITE.get(code & 0xFF)
    elif isinstance(problem, OSError):
        found = None if problem.errno is None else _SYSTEM.get(problem.errno)
    else:
        found = None
    if found is StorageFault.BROKEN:
        # SQLite reports an I/O error when there is no room for the index of the WAL.
        with contextlib.suppress(OSError):
            if shutil.disk_usage(path.parent).free < ROOM_BYTES:
                return StorageFault.FULL
    return found


def is_damage(problem: Exception, path: Path) -> bool:
    """Return whether *problem*, met when the journal *path* was read, shows damage.

    That is a corrupt page, a missing table or invalid text: everything but a fault that keeps the
    file from being read now.
    """
    return fault_of(problem, path) in (None, StorageFault.DAMAGED)


def refusal(
    path: Path,
    what: str,
    problem: Exception,
    otherwise: str = "run: boneace doctor",
    *,
    writing: bool = False,
) -> JournalError:
    """Return the error to raise for *problem*.

    Args:
        path: the journal, which the message names.
        what: what cannot be done, as in "cannot be read".
        problem: what SQLite or the system says.
        otherwise: the cure where the fault is none of those told apart.
        writing: this program goes on writing to it, so the file itself must not be opened: when
            it is closed, SQLite's locks on it are gone.
    """
    fault = fault_of(problem, path)
    if fault is None:
        return JournalError(f"{path}: {what} ({problem}); {otherwise}")
    if fault is StorageFault.DAMAGED and not writing:
        try:
            check_readable(path)
        except JournalError as cause:
            return cause
    return JournalError(f"{path}: {what}: {fault.reason} ({problem}); {fault.cure(path)}")


def check_readable(path: Path) -> None:
    """Read every byte of the journal *path* and its log, as they are.

    Raises:
        JournalError: the disk cannot read one. To SQLite the page is damaged then.
    """
    for file in (path, Path(f"{path}-wal")):
        try:
            with file.open("rb", buffering=0) as opened:
                at = 0
                while part := os.pread(opened.fileno(), _PART_BYTES, at):
                    at += len(part)
        except FileNotFoundError:
            continue
        except OSError as problem:
            raise refusal(path, "cannot be read", problem) from problem
