"""Enrolled decks: their folder, and finding one by name."""

from __future__ import annotations

import re
from pathlib import Path

from device.storage.custom_sets import load_set
from device.storage.journal.reader import default_folder
from vision.cards.custom_deck import CustomDeck
from vision.errors import EnrolmentError


def decks_folder() -> Path:
    """Return the folder of this machine's custom decks."""
    return default_folder() / "decks"


def deck_path(folder: Path, name: str) -> Path:
    """Return the file of the deck *name*.

    Raises:
        EnrolmentError: the name cannot be one of a file.
    """
    if not re.fullmatch(r"[\w][\w .-]{0,60}", name):
        raise EnrolmentError(f"{name!r} cannot be a deck's name; use letters, digits and hyphens")
    return folder / f"{name}.deck"


def find_deck(name: str | None) -> CustomDeck | None:
    """Load a deck by its name, or a file; ``None`` for no name.

    Raises:
        EnrolmentError: there is no such deck, or it is damaged; the message lists those there are.
    """
    if name is None:
        return None
    file = Path(name)
    if file.suffix == ".deck":
        return load_set(CustomDeck, file)
    path = deck_path(decks_folder(), name)
    if not path.exists():
        known = ", ".join(sorted(p.stem for p in decks_folder().glob("*.deck"))) or "none yet"
        raise EnrolmentError(
            f"no deck {name!r} is taught here (taught: {known}); run: boneace teach deck {name}"
        )
    return load_set(CustomDeck, path)
