"""The trial of a program that is to take another one's place: ``boneace doctor upgrade``.

``systemd/install.sh`` runs it while the old program still plays, so nothing is changed here.
"""

from __future__ import annotations

import importlib
import pkgutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from device.clock import SystemClock
from device.config.model import load
from device.diagnostics.check import Check, Status, failed, ok, warning
from device.diagnostics.taught import taught
from device.runtime.session import Session
from device.storage.journal.journal import Journal
from device.storage.journal.reading import reading
from device.version import requirement_for
from engine.core.errors import BoneAceError

PICTURE = Path(__file__).with_name("table.jpg")
LYING = ("3D", "7S", "9C", "AH", "JS", "KD", "QH", "TC")
"""The cards on the picture."""

_NOT_RUN = ("vision.training", "device.cli")


class TrialError(BoneAceError):
    """The new program does not do what it must."""


def upgrade() -> Check:
    """Try every part that a table needs, and the journal of this one; takes some seconds.

    A deck or bones that must be taught again stop no upgrade: the table plays without them.
    """
    done = []
    for trial in (import_all, read_picture, open_journal):
        try:
            done.append(trial())
        except Exception as problem:  # whatever is wrong, the old program must stay
            said = str(problem) if isinstance(problem, BoneAceError) else repr(problem)
            return failed(said, "keep the old program, and put this line into an issue")
    sets = taught()  # nobody can teach the new program before it is there
    if sets.status is Status.WARNING:
        return warning("; ".join([*done, sets.detail]), sets.remedy)
    return ok("; ".join(done))


def import_all() -> str:
    """Import every module that runs; a package of an extra that is not here is left out."""
    count, left_out = 0, set[str]()
    for top in ("engine", "vision", "display", "device"):
        package = importlib.import_module(top)
        for module in pkgutil.walk_packages(package.__path__, f"{top}."):
            if module.name.startswith(_NOT_RUN):
                continue
            try:
                importlib.import_module(module.name)
            except ModuleNotFoundError as missing:
                extra = requirement_for(missing.name or "") or ""
                if not extra.startswith("boneace["):
                    raise
                left_out.add(extra)
            else:
                count += 1
    without = f", without {', '.join(sorted(left_out))}" if left_out else ""
    return f"{count} modules imported{without}"


def read_picture() -> str:
    """Read the picture of a table that comes with the program.

    Raises:
        BoneAceError: the picture is not there, or other cards are read.
    """
    from device.hardware.pictures import load_picture
    from vision import TableReader

    try:
        picture = load_picture(PICTURE)
    except BoneAceError as problem:
        raise TrialError(f"{PICTURE}: {problem}") from problem
    found = sorted(str(each.card) for each in TableReader().read(picture).cards)
    if found != sorted(LYING):
        raise TrialError(f"read {' '.join(found)} on {PICTURE.name}, where {' '.join(LYING)} lie")
    return f"{len(found)} cards read"


def open_journal() -> str:
    """Resume the unfinished game of this table from a copy of its journal.

    Raises:
        BoneAceError: the journal cannot be brought to this version, or its game cannot go on.
    """
    path = load().journal.file
    if not path.exists():
        return "no journal yet"
    with tempfile.TemporaryDirectory(prefix="boneace-") as folder:
        copy = Path(folder) / "journal.sqlite3"
        with reading(path) as old, closing(sqlite3.connect(copy)) as new:
            old.backup(new)
        with Journal(copy) as journal:
            session = Session.unfinished(journal, SystemClock())
    if session is None:
        return "journal opened"
    return f"the game goes on after event {session.events}"
