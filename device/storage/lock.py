"""The lock of a journal: one program writes to it at a time."""

from __future__ import annotations

import fcntl
from pathlib import Path
from typing import IO

from device.storage.errors import JournalError, refusal


def take_lock(journal: Path) -> IO[str]:
    """Return the lock of *journal*, which is held until it is closed.

    Raises:
        JournalError: another boneace has it, or the disk refuses.
    """
    try:
        journal.parent.mkdir(parents=True, exist_ok=True)
        lock = open(f"{journal}.lock", "a", encoding="utf-8")  # noqa: SIM115
    except OSError as problem:
        cure = "choose another folder with --journal"
        raise refusal(journal, "the journal cannot be kept here", problem, cure) from problem
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as problem:
        lock.close()
        if isinstance(problem, BlockingIOError):
            raise JournalError(
                f"{journal}: another boneace is writing to this journal; stop it "
                "(systemctl stop boneace) or choose another file with --journal"
            ) from problem
        raise refusal(journal, "the journal cannot be locked", problem) from problem
    return lock
