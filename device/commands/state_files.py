"""The files of a table's state that are copied and brought back together."""

from __future__ import annotations

from pathlib import Path

from device.config.model import SYSTEM_PATH, Config, chosen_path, user_path
from device.storage import counts
from device.storage.copies import table_name
from device.storage.copies.backup import STICK_FOLDER, find_stick
from device.storage.journal.reader import default_folder

PREFERENCES, LENS = "settings.json", "lens.json"
TAUGHT = {"decks": "*.deck", "bones": "*.json"}
"""Folders of what was taught. The modules that write these files import OpenCV."""


def copy_folders(config: Config, journal: Path) -> list[Path]:
    """Return where the copies of *journal* are: its folder, and the USB stick if it is there."""
    stick = find_stick(config.backup.stick)
    return [config.backup.folder_of(journal), *([] if stick is None else [stick / STICK_FOLDER])]


def parts_of(journal: Path) -> dict[str, Path]:
    """Return the files that a copy has beside the journal, by their names in it."""
    names = [PREFERENCES, table_name.FILE, LENS, counts.FILE]
    for kind, pattern in TAUGHT.items():
        names += [f"{kind}/{path.name}" for path in (default_folder() / kind).glob(pattern)]
    names += ["config/system.toml", "config/user.toml"]
    names += ["config/chosen.toml"] * (chosen_path() is not None)
    return {name: path for name in sorted(names) if (path := part_path(journal, name)).is_file()}


def part_path(journal: Path, name: str) -> Path:
    """Return where the part *name* of a copy belongs on this machine."""
    if name == "config/system.toml":
        return SYSTEM_PATH
    if name.startswith("config/"):
        return (name == "config/chosen.toml" and chosen_path()) or user_path()
    if name == counts.FILE:
        return counts.counts_path(journal)
    if name == LENS or "/" in name:
        return default_folder() / name
    return journal if name.startswith("journal") else journal.with_name(name)
