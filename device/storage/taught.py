"""What was taught, decks and sets of bones: their folders, and finding one by its name."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Generic

from device.storage.custom_sets import SetT, load_set
from device.storage.journal.reader import default_folder
from engine.core.errors import BoneAceError
from vision.bones.custom_set import BoneMatcher, CustomBoneSet
from vision.bones.pipeline import BoneReader
from vision.cards.custom_deck import CustomDeck
from vision.errors import EnrolmentError

_NAME = re.compile(r"\w[\w .-]{0,59}")
"""A file name has at most 255 bytes, and a letter up to four."""


@dataclass(frozen=True, slots=True)
class TaughtSets(Generic[SetT]):
    """The sets of one kind, each in a file that has its name.

    Attributes:
        kind: of the sets.
        thing: what ``boneace teach`` calls them.
        place: their folder in the state folder.
        suffix: of their files.
    """

    kind: type[SetT]
    thing: str
    place: str
    suffix: str

    @property
    def folder(self) -> Path:
        """Their folder on this machine."""
        return default_folder() / self.place

    def path(self, name: str, folder: Path | None = None) -> Path:
        """Return the file of the set *name*, in *folder* or in their own.

        Raises:
            EnrolmentError: *name* cannot be the name of a file.
        """
        if not _NAME.fullmatch(name):
            raise EnrolmentError(
                f"{name!r} cannot be the name of a {self.kind.KIND}; "
                "use up to sixty letters, digits and hyphens, such as red-resin"
            )
        return (folder or self.folder) / f"{name}{self.suffix}"

    def names(self) -> list[str]:
        """Return the names of the sets in their folder."""
        return sorted(path.stem for path in self.folder.glob(f"*{self.suffix}"))

    def own_name(self, name: str) -> str:
        """Return the name of a set: of a file its name without folder and suffix."""
        return Path(name).stem if name.endswith(self.suffix) else name

    def load(self, name: str) -> SetT:
        """Load the set *name*, or a file of that name.

        Raises:
            EnrolmentError: there is no such set, or it is damaged; the message lists those there
                are.
        """
        if name.endswith(self.suffix):
            return load_set(self.kind, Path(name))
        path = self.path(name)
        with contextlib.suppress(OSError):  # load_set tells of a folder that may not be opened
            if not path.exists():
                raise EnrolmentError(
                    f"no {self.kind.KIND} is called {name!r} "
                    f"(taught: {', '.join(self.names()) or 'none yet'}); "
                    f"run: boneace teach {self.thing} {name}"
                )
        return load_set(self.kind, path)


DECKS = TaughtSets(CustomDeck, "deck", "decks", ".deck")
BONES = TaughtSets(CustomBoneSet, "bones", "bones", ".json")


def find_deck(name: str | None) -> CustomDeck | None:
    """Load the deck *name*, or a file of that name; ``None`` for no name.

    Raises:
        EnrolmentError: as for :meth:`TaughtSets.load`.
    """
    return DECKS.load(name) if name else None


def load_bones(name: str) -> BoneMatcher:
    """Load the set of bones *name*, or a file of that name.

    Raises:
        EnrolmentError: as for :meth:`TaughtSets.load`.
    """
    return BoneMatcher(BONES.load(name))


def bone_reader(name: str | None) -> BoneReader:
    """Return a reader for the set *name*, or for any bones.

    Raises:
        EnrolmentError: as for :meth:`TaughtSets.load`.
        ModelError: a network is missing or damaged.
    """
    return BoneReader(adapt=load_bones(name).adapt if name else None)


LOAD: Mapping[str, Callable[[str], object]] = {"bones": load_bones, "deck": find_deck}
"""What loads each kind, by the key that names it in ``[game]``."""


def problem_with_set(kind: str, name: str) -> str:
    """Return why the set *name* of that kind cannot be used; empty where it can, or none is named.

    Args:
        kind: a key of :data:`LOAD`.
        name: as the config has it.
    """
    if not name:
        return ""
    try:
        LOAD[kind](name)
    except BoneAceError as problem:
        return str(problem)
    return ""
