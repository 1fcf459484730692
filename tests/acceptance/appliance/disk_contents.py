"""What lies on the disk of a machine that is off, as its next boot would find it."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from pathlib import Path
from typing import Any

JOURNAL = "/var/lib/boneace/journal.sqlite3"


class PlatterError(RuntimeError):
    """A disk that cannot be read, or a journal on it that is damaged."""


def events_on(disk: Path, folder: Path) -> list[dict[str, Any]]:
    """Return the events in the journal on *disk*, oldest first.

    The journal of the file system is replayed first, as the kernel does when it mounts; the disk
    is changed by that.

    Args:
        disk: an ext4 file system, whole, without partitions.
        folder: where the journal is copied to.

    Raises:
        PlatterError: the file system or the journal is damaged.
    """
    # 1: put right. A journal to be replayed is no damage; whatever else it says is told of below.
    done = subprocess.run(["e2fsck", "-fy", str(disk)], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise PlatterError(f"{disk}: e2fsck ended with {done.returncode}\n{done.stdout}")
    for name in (JOURNAL, f"{JOURNAL}-wal"):
        copy = folder / Path(name).name
        copy.unlink(missing_ok=True)
        subprocess.run(
            ["debugfs", "-R", f"dump {name} {copy}", str(disk)], check=True, capture_output=True
        )
    copy = folder / Path(JOURNAL).name
    if not copy.exists():
        raise PlatterError(f"{disk}: there is no {JOURNAL} on it")
    db = sqlite3.connect(copy)
    try:
        told = db.execute("PRAGMA integrity_check").fetchall()
        if told != [("ok",)]:
            raise PlatterError(f"{disk}: the journal is damaged: {told}")
        rows = db.execute("SELECT event FROM events ORDER BY sitting, number").fetchall()
    except sqlite3.Error as problem:
        raise PlatterError(f"{disk}: the journal cannot be read ({problem})") from problem
    finally:
        db.close()
    return [json.loads(text) for (text,) in rows]
