"""The number outside: where the journal ends, in a file of one sector beside it.

It is written after each commit and without waiting for the disk: it may lag behind the journal, but
never lead it. So a journal that has less has lost what was on the disk.
"""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

SECTOR = 512
"""Bytes; a disk writes a sector whole or not at all."""


@dataclass(frozen=True, slots=True)
class Last:
    """Where a journal ends.

    Attributes:
        sitting: the number of the last sitting; 0 before the first.
        events: how many events it has.
        digest: that of its last event, or of its row before the first; in hexadecimal.
        closed: whether it is closed.
        notes: the number of the last note; 0 before the first.
        note: its digest, in hexadecimal.
    """

    sitting: int
    events: int
    digest: str
    closed: bool
    notes: int
    note: str


def path_of(journal: Path) -> Path:
    """Return the file beside *journal*."""
    return journal.with_name(f"{journal.name}.last")


def read_last(journal: Path) -> Last | None:
    """Return where *journal* ended when it was last written; ``None`` if nobody can say."""
    with contextlib.suppress(OSError, ValueError, TypeError, AttributeError):
        with path_of(journal).open("rb") as file:
            line, seal = file.read(SECTOR).split(b"\n")[:2]
        if sha256(line).hexdigest().encode() == seal:
            return Last(**json.loads(line))
    return None


def write_last(journal: Path, last: Last) -> None:
    """Write where *journal* ends, in place and without waiting for the disk.

    Raises:
        OSError: the disk refuses.
    """
    line = json.dumps(asdict(last), separators=(",", ":")).encode()
    sector = line + b"\n" + sha256(line).hexdigest().encode() + b"\n"
    handle = os.open(path_of(journal), os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        os.pwrite(handle, sector.ljust(SECTOR), 0)
    finally:
        os.close(handle)
