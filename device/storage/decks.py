"""Enrolled decks: their folder, and finding one by name."""

from __future__ import annotations

from pathlib import Path

from device.storage.journal import default_folder
from vision.cards.custom_deck import CustomDeck, deck_path, load_deck, taught_names
from vision.errors import DeckError


def decks_folder() -> Path:
    """Return the folder of this machine's taught decks."""
    return default_folder() / "decks"


def find_deck(name: str | None) -> CustomDeck | None:
    """Load a deck by its name, or a file; ``None`` for no name.

    Raises:
        DeckError: there is no such deck, or it is damaged; the message lists those there are.
    """
    if name is None:
        return None
    file = Path(name)
    if file.suffix == ".deck":
        return load_deck(file)
    path = deck_path(decks_folder(), name)
    if not path.exists():
        known = ", ".join(taught_names(decks_folder())) or "none yet"
        raise DeckError(
            f"no deck {name!r} is taught here (taught: {known}); run: boneace teach deck {name}"
        )
    return load_deck(path)
