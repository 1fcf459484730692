"""One program at a time makes or changes the copies of a table."""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
from collections.abc import Iterator
from pathlib import Path

log = logging.getLogger(__name__)


@contextlib.contextmanager
def turn(journal: Path) -> Iterator[None]:
    """Wait until nobody else makes or changes copies of *journal*, and keep others waiting.

    Else a copy could be made of what is erased meanwhile. The folder itself is locked: for that
    it need not be written to. A program that is killed lets go of it.

    Raises:
        OSError: the folder cannot be locked.
    """
    folder = os.path.dirname(os.path.realpath(journal))
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            log.info("%s: another boneace works on the copies; this one waits for it", folder)
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
