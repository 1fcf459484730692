"""Who may write to a journal: one program, by whatever name it knows the file."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
from pathlib import Path

from device.files import check_regular
from device.ports import Closing
from device.storage.journal.errors import JournalError, refusal


def refuse_device(path: Path) -> None:
    """Refuse what is there and cannot be a journal: a pipe, a device, a folder.

    Raises:
        JournalError: it is none of its own.
    """
    try:
        check_regular(path)
    except OSError as problem:
        if problem.errno not in (errno.EINVAL, errno.EISDIR, errno.ENAMETOOLONG):
            return  # the opening tells what to do about it
        raise JournalError(
            f"{path}: cannot be a journal ({problem.strerror}); choose another file with --journal"
        ) from problem


class WriterLock(Closing):
    """Locks a journal until it is closed.

    Two locks: of a file beside the real one, which a symbolic link leads to as well, and of the
    journal itself, which may have several names.
    """

    def __init__(self, path: Path) -> None:
        """Lock *path*, which need not exist yet.

        Raises:
            JournalError: another boneace writes to it, or the disk refuses.
        """
        self._path = path
        self._held = contextlib.ExitStack()
        self._known: set[tuple[int, int]] = set()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            beside = self._held.enter_context(
                open(f"{os.path.realpath(path)}.lock", "ab", opener=_at_once)  # noqa: SIM115
            )
        except OSError as problem:
            cure = "choose another folder with --journal"
            raise refusal(path, "the journal cannot be kept here", problem, cure) from problem
        try:
            self._lock(beside.fileno())
            self.hold()
        except BaseException:
            self.close()
            raise

    def hold(self) -> None:
        """Lock the file itself if it is there, and another one than before.

        Raises:
            JournalError: another boneace writes to it, or the disk refuses.
        """
        try:
            about = os.stat(self._path)
            # Opening it again, and closing that, would give up SQLite's own locks.
            if (about.st_dev, about.st_ino) in self._known:
                return
            handle = os.open(self._path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            return  # not there yet; or who reads it tells why it cannot be opened
        self._held.callback(os.close, handle)
        self._known.add((about.st_dev, about.st_ino))
        self._lock(handle)

    def close(self) -> None:
        """Let the next writer in; may be called twice.

        SQLite must have closed the journal: closing any handle of a file gives up its locks.
        """
        self._held.close()

    def _lock(self, handle: int) -> None:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as problem:
            raise JournalError(
                f"{self._path}: another boneace is writing to this journal; close its "
                "window, or stop the service (sudo systemctl stop boneace), or choose another "
                "file with --journal"
            ) from problem
        except OSError as problem:
            raise refusal(self._path, "the journal cannot be locked", problem) from problem


def _at_once(name: str, flags: int) -> int:
    """Open without waiting for somebody at the other end of a pipe."""
    return os.open(name, flags | os.O_NONBLOCK, 0o666)
