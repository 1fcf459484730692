"""Sets of bones that were taught: where they are kept, and how one is found by its name."""

from __future__ import annotations

import re
from pathlib import Path

from device.storage.journal import default_folder
from vision.bones.custom_set import TaughtBones, TeachError
from vision.bones.pipeline import BoneReader

_NAME = re.compile(r"[\w-]+(\.[\w-]+)*")


def bones_path(name: str) -> Path:
    """Where the set *name* is kept.

    Raises:
        TeachError: *name* is no name for a file.
    """
    if not _NAME.fullmatch(name):
        raise TeachError(
            f"{name!r} is no name for a set of bones; use letters, digits and -, such as red-resin"
        )
    return default_folder() / "bones" / f"{name}.json"


def load_bones(name: str) -> TaughtBones:
    """Load the set *name*, or one that lies in a file of that name.

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
    """Return what reads bones: those of the taught set *name*, or of any.

    Raises:
        TeachError: as for :func:`load_bones`.
        ModelError: a network is missing or damaged.
    """
    taught = load_bones(name) if name else None
    return BoneReader(adapt=taught.adapt if taught else None)


def set_name(name: str) -> str:
    """Return what a set is called in the journal; a file lends its name without the folder."""
    return Path(name).stem if name.endswith(".json") else name
