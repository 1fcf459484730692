"""The last step of a restore: files put in place by a plan that is on the disk, all of them.

Before the plan is there nothing of the old state has changed. Once it is, the restore will be
finished: now, or by the next program that writes to the journal.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

from device.storage.atomic_file import settle, write_whole
from device.storage.journal.errors import JournalError, refusal
from device.storage.journal.recovery import LOGS

PLAN = "plan.json"


def staging(journal: Path) -> Path:
    """Return the folder in which a restore of *journal* is prepared."""
    return journal.with_name(f"{journal.name}.restoring")


def is_unfinished(journal: Path) -> bool:
    """Return whether a restore of *journal* was cut off when it could not be undone any more."""
    return (staging(journal) / PLAN).exists()


def check_finished(journal: Path) -> None:
    """Refuse a *journal* in the middle of a restore.

    Raises:
        JournalError: it is.
    """
    if is_unfinished(journal):
        raise JournalError(
            f"{journal}: a restore was cut off; boneace play or boneace restore will finish it"
        )


def finish(journal: Path) -> bool:
    """Finish a restore that was cut off, or undo it; the lock of *journal* is held.

    Returns whether there was one to be finished.

    Raises:
        JournalError: the disk refuses; the next start tries again.
    """
    folder = staging(journal)
    try:
        found = is_unfinished(journal)
        if found:
            _put_in_place(journal, folder)
        if folder.exists():
            shutil.rmtree(folder)
    except (OSError, ValueError) as problem:
        cure = "check the disk, then start again"
        raise refusal(journal, "a restore cannot be finished", problem, cure) from problem
    return found


def _put_in_place(journal: Path, folder: Path) -> None:
    targets: dict[str, str] = json.loads((folder / PLAN).read_text(encoding="utf-8"))
    # What lies beside the old journal must not lie beside the new one.
    for tail in (*LOGS, ".last"):
        Path(f"{journal}{tail}").unlink(missing_ok=True)
    settle(journal.parent)
    for name, target in targets.items():
        staged, path = folder / name, Path(target)
        if not staged.exists():
            continue  # a start before this one has put it in place
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.parent.stat().st_dev == folder.stat().st_dev:
            os.replace(staged, path)
            settle(path.parent)
        else:
            write_whole(path, staged.read_bytes())
            staged.unlink()
    (folder / PLAN).unlink()
    settle(folder)
