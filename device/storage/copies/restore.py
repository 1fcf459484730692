"""Bring a copy back: journal, settings and all that was taught, whole or not at all."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from device.storage.atomic_file import put_in_place, settle, write_whole
from device.storage.copies.backup import BackupError, back_up
from device.storage.copies.copies import JOURNAL, CopyError, unpack
from device.storage.journal.errors import JournalError
from device.storage.journal.lock import WriterLock
from device.storage.journal.reading import contents_of
from device.storage.journal.recovery import LOGS
from device.storage.journal.restoring import PLAN, finish, staging
from engine.core.errors import BoneAceError


class RestoreError(BoneAceError, OSError):
    """A copy cannot be brought back; nothing has changed."""


@dataclass(frozen=True, slots=True)
class Restored:
    """What was done.

    Attributes:
        aside: the copy of what was there before; ``None`` where there was nothing.
        left: files that could not be put where they belong: the file, and where it belongs.
    """

    aside: Path | None
    left: tuple[tuple[Path, Path], ...] = ()


def restore(
    copy: Path,
    journal: Path,
    aside: Path,
    path_of: Callable[[str], Path],
    *,
    wall_s: float,
    parts: Mapping[str, Path] | None = None,
) -> Restored:
    """Replace *journal* and all else that *copy* holds; what was there is copied to *aside*.

    Until all of it is on the disk and checked, nothing changes; after that it is finished, if need
    be by the next start.

    Args:
        copy: a ZIP file, or a bare journal.
        journal: the table's own journal, which need not exist.
        aside: the folder of its copies.
        path_of: says where each part of a copy belongs.
        wall_s: seconds since 1970.
        parts: the files that are copied with the journal, by their names in a copy.

    Raises:
        CopyError: the copy is not sound.
        JournalError: somebody plays, or the disk refuses.
        RestoreError: the disk refuses; nothing has changed.
    """
    with WriterLock(journal):
        finish(journal)
        folder = staging(journal)
        try:
            folder.mkdir()
            manifest = unpack(copy, folder)
            _check_journal(folder / JOURNAL, copy)
            kept = _keep(journal, aside, wall_s, parts or {})
            targets, left = {}, []
            for name in manifest.parts or [JOURNAL]:
                target = journal if name == JOURNAL else path_of(name)
                if not _can_write(target):
                    left.append((journal.with_name("restored") / Path(name).name, target))
                    target = left[-1][0]
                targets[name] = str(target)
                settle(folder / name)
                settle((folder / name).parent)
            settle(folder)
            write_whole(folder / PLAN, json.dumps(targets).encode())
        except (OSError, BoneAceError) as problem:
            shutil.rmtree(folder, ignore_errors=True)
            if isinstance(problem, BoneAceError):
                raise
            raise RestoreError(
                f"{copy} was not brought back ({problem}); check the space and the owner of "
                f"{journal.parent}; nothing has changed"
            ) from problem
        finish(journal)
    return Restored(kept, tuple(left))


def _check_journal(path: Path, copy: Path) -> None:
    """Refuse a journal that this program cannot play on."""
    try:
        with contents_of(path) as found:
            found.sittings()
    except JournalError as problem:
        raise CopyError(f"{copy}: {problem}") from problem


def _keep(journal: Path, folder: Path, wall_s: float, parts: Mapping[str, Path]) -> Path | None:
    """Copy what is there into *folder*; where that is no sound database, byte by byte beside it."""
    logs = [path for tail in LOGS if (path := Path(f"{journal}{tail}")).exists()]
    if not logs and (not journal.exists() or not journal.stat().st_size):
        return None
    try:
        made = back_up(journal, folder, keep=1, wall_s=wall_s, parts=parts, before_restore=True)
        return made.path
    except BackupError:
        stamp, count = time.strftime("%Y%m%d-%H%M%S", time.gmtime(wall_s)), 1
        aside = journal.with_name(f"{journal.name}.damaged-{stamp}")
        while aside.exists():
            count += 1
            aside = journal.with_name(f"{journal.name}.damaged-{stamp}-{count}")
        # The journal last: its name says that all is there.
        for path in [*logs, *([journal] if journal.exists() else [])]:
            part = journal.with_name(f"{journal.name}.keeping")
            shutil.copyfile(path, part)
            put_in_place(part, Path(f"{aside}{path.name.removeprefix(journal.name)}"))
        return aside


def _can_write(path: Path) -> bool:
    """Return whether *path* can be written, its folder made if need be."""
    folder = path.parent
    while not folder.exists():
        folder = folder.parent
    return os.access(folder, os.W_OK | os.X_OK)
