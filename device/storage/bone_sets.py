"""Enrolled sets of bones: their files, and finding one by name."""

from __future__ import annotations

import re
from pathlib import Path

from device.storage.journal import default_folder
from vision.bones.custom_set import TaughtBones, TeachError
from vision.bones.pipeline import BoneReader

_NAME = re.compile(r"[\w-]+(\.[\w-]+)*")


def bones_path(name: str) -> Path:
    """Return the path of the set *name*.

    Raises:
        TeachError: *name* is no name for a file.
    """
    if not _NAME.fullmatch(name):
        raise TeachError(
            f"{name!r} is no name for a set of bones; use letters, digits and -, such as red-resin"
        )
    return default_folder() / "bones" / f"{name}.json"


def load_bones(name: str) -> TaughtBones:
    """Load the set *name*, or a file of that name.

    Raises:
        TeachError: it was never taught, or its file is damaged; the message says which sets are.
    """
    if name.endswith(".json"):
        return TaughtBones.load(Path(name))
    path = bones_path(name)
    if not path.exists():
        known = ", ".join(sorted(file.stem for file in path.parent.glob("*.json"))) or "none yet"
        raise TeachError(
            f"no set of bones is called {name!r}; taught are: {known}. "
            f"Teach it: boneace teach bones {name}"
        )
    return TaughtBones.load(path)


def bone_reader(name: str | None) -> BoneReader:
    """Return a reader for the set *name*, or for any bones.

    Raises:
        TeachError: as for :func:`load_bones`.
        ModelError: a network is missing or damaged.
    """
    taught = load_bones(name) if name else None
    return BoneReader(adapt=taught.adapt if taught else None)


def set_name(name: str) -> str:
    """Return the name of a set in the journal: of a file its name without folder and suffix."""
    return Path(name).stem if name.endswith(".json") else name
