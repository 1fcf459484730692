"""Enrolled sets of bones: their files, and finding one by name."""

from __future__ import annotations

import re
from pathlib import Path

from device.storage.custom_sets import load_set
from device.storage.journal.reader import default_folder
from vision.bones.custom_set import BoneMatcher, CustomBoneSet
from vision.bones.pipeline import BoneReader
from vision.errors import EnrolmentError

_NAME = re.compile(r"[\w-]+(\.[\w-]+)*")


def bones_path(name: str) -> Path:
    """Return the path of the set *name*.

    Raises:
        EnrolmentError: *name* is no name for a file.
    """
    if not _NAME.fullmatch(name):
        raise EnrolmentError(
            f"{name!r} is no name for a set of bones; use letters, digits and -, such as red-resin"
        )
    return default_folder() / "bones" / f"{name}.json"


def load_bones(name: str) -> BoneMatcher:
    """Load the set *name*, or a file of that name.

    Raises:
        EnrolmentError: there is no such set, or it is damaged; the message lists those there are.
    """
    path = Path(name) if name.endswith(".json") else bones_path(name)
    if not name.endswith(".json") and not path.exists():
        known = ", ".join(sorted(file.stem for file in path.parent.glob("*.json"))) or "none yet"
        raise EnrolmentError(
            f"no set of bones is called {name!r}; taught are: {known}. "
            f"Teach it: boneace teach bones {name}"
        )
    return BoneMatcher(load_set(CustomBoneSet, path))


def bone_reader(name: str | None) -> BoneReader:
    """Return a reader for the set *name*, or for any bones.

    Raises:
        EnrolmentError: as for :func:`load_bones`.
        ModelError: a network is missing or damaged.
    """
    return BoneReader(adapt=load_bones(name).adapt if name else None)


def set_name(name: str) -> str:
    """Return the name of a set in the journal: of a file its name without folder and suffix."""
    return Path(name).stem if name.endswith(".json") else name
