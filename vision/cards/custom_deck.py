"""Decks taught at the table: one to three looks a card, matched print against print.

A reader that never met a deck knows its cards by what all decks share. A taught deck is known by
its own print: a new look is compared with those it was taught from, by what the reader's network
sees in each part of the face before it decides (prototypes, as in Snell et al., "Prototypical
Networks", 2017). No training is needed, and the file is some hundred kilobytes.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.core.cards import Card
from vision.atomic_file import write_whole
from vision.camera.image_files import decode
from vision.cards.classifier import CARDS
from vision.cards.geometry import READ
from vision.errors import DeckError, ImageError

Crop = NDArray[np.uint8]
"""A straightened card with its margin: uint8, shape (READ.height, READ.width, 3), BGR."""

MOST_LOOKS = 3
"""Looks kept of one card: more would only slow the matching."""

SHARPNESS = 30.0
"""How fast likelihood falls with likeness; fitted on designs held out from training."""

ALIKE = 0.9
"""Likeness above which two cards of a deck are told as hard to tell apart."""

BACK = len(CARDS)
"""The number of the back among owners of prints."""

Prints = NDArray[np.float32]
"""What a network sees of faces: float32 (n, numbers), rows of length 1."""

_FORMAT = 1

LARGEST_FILE = 32 * 2**20
"""Bytes, packed and unpacked: 53 pictures of three looks each take five million."""

LONGEST_NAME = 200
"""Letters of a deck's name: it is printed, and the file's own name has at most sixty."""

MOST_PARTS = 2 * (BACK + 1) * MOST_LOOKS
"""Files in the archive: twice what is ever written."""

_DAMAGE = (
    *(OSError, EOFError, KeyError, ValueError, TypeError),
    # A version of ZIP that is still to come is a RuntimeError to zipfile.
    *(zipfile.BadZipFile, zlib.error, AttributeError, RuntimeError),
)
"""All that reading a damaged archive has been seen to raise."""


@dataclass(slots=True, eq=False)
class CustomDeck:
    """The looks a deck was taught from; grows one look at a time."""

    name: str
    looks: dict[Card, list[Crop]] = field(default_factory=dict)
    backs: list[Crop] = field(default_factory=list)

    def add(self, card: Card, crop: Crop) -> None:
        """Keep a look at *card*; the oldest of more than :data:`MOST_LOOKS` is forgotten."""
        own = self.looks.setdefault(card, [])
        own.append(crop)
        del own[:-MOST_LOOKS]

    def add_back(self, crop: Crop) -> None:
        """Keep a look at the back."""
        self.backs.append(crop)
        del self.backs[:-MOST_LOOKS]

    def missing(self) -> tuple[Card, ...]:
        """Return the cards not taught yet, in the order in which decks are sold."""
        return tuple(card for card in CARDS if card not in self.looks)

    def save(self, path: Path) -> None:
        """Write the deck to one file, whole or not at all.

        Raises:
            DeckError: the file cannot be written.
        """
        about = {"format": _FORMAT, "name": self.name}
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
            archive.writestr("deck.json", json.dumps(about))
            for name, crops in (
                *((str(card), crops) for card, crops in sorted(self.looks.items(), key=str)),
                ("back", self.backs),
            ):
                for number, crop in enumerate(crops, 1):
                    _, data = cv2.imencode(".jpg", crop, [cv2.IMWRITE_JPEG_QUALITY, 92])
                    archive.writestr(f"{name}-{number}.jpg", data.tobytes())
        try:
            write_whole(path, buffer.getvalue())
        except OSError as problem:
            raise DeckError(
                f"cannot write {path} ({problem.strerror}); is the folder yours, and the disk free?"
            ) from problem


def load_deck(path: Path) -> CustomDeck:
    """Read a taught deck.

    Raises:
        DeckError: there is none, or it is damaged or from a newer version.
    """
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise DeckError(f"{path} is too large for a taught deck; copy it again")
        with zipfile.ZipFile(path) as archive:
            _check_bounds(archive, path)
            about = json.loads(archive.read("deck.json"))
            if about["format"] != _FORMAT:
                raise DeckError(
                    f"{path} was taught by another version of boneace; teach the deck again"
                )
            deck = CustomDeck(str(about["name"]))
            if len(deck.name) > LONGEST_NAME or not deck.name.isprintable():
                raise DeckError(f"{path}: its name does not print; teach the deck again")
            for name in sorted(archive.namelist()):
                told = re.fullmatch(r"([A23456789TJQK][SHDC]|back)-\d+\.jpg", name)
                if told is None:
                    continue
                crop = _decoded(archive.read(name), path)
                if told[1] == "back":
                    deck.add_back(crop)
                else:
                    deck.add(Card.parse(told[1]), crop)
    except FileNotFoundError as problem:
        raise DeckError(
            f"there is no taught deck {path}; teach it with: boneace teach deck {path.stem}"
        ) from problem
    except _DAMAGE as problem:
        if isinstance(problem, DeckError):
            raise
        raise DeckError(
            f"{path} is no taught deck, or is damaged; copy it again or teach the deck again"
        ) from problem
    return deck


def _check_bounds(archive: zipfile.ZipFile, path: Path) -> None:
    """Refuse, before anything is unpacked, what unpacks to more than a deck is.

    Raises:
        DeckError: it does, or it is packed in a way that no deck is.
    """
    parts = archive.infolist()
    whole = sum(part.file_size for part in parts)
    plainly = all(
        part.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
        and not part.flag_bits & 1  # encrypted
        for part in parts
    )
    if len(parts) > MOST_PARTS or whole > LARGEST_FILE or not plainly:
        raise DeckError(f"{path} is no taught deck; copy it again or teach the deck again")


def _decoded(data: bytes, path: Path) -> Crop:
    try:
        crop = decode(data, most_pixels=READ.height * READ.width)
    except ImageError:
        crop = None
    if crop is None or crop.shape != (READ.height, READ.width, 3):
        raise DeckError(f"{path} is damaged; copy it again or teach the deck again")
    return crop


class DeckMatcher:
    """Compares prints with those a deck was taught from."""

    def __init__(self, deck: CustomDeck, prints_of: Callable[[Sequence[Crop]], Prints]) -> None:
        """Take the prints of every look of *deck* once, from both ends.

        Args:
            deck: what was taught.
            prints_of: gives the prints of crops, float32 (n, numbers), rows of length 1:
                :meth:`vision.cards.classifier.CardReader.prints`.

        Raises:
            DeckError: no card of it has been taught.
        """
        if not deck.looks:
            raise DeckError(
                f"no card of the deck {deck.name!r} is taught yet; run: boneace teach deck "
                f"{deck.name}"
            )
        self.deck = deck
        crops: list[Crop] = []
        owners: list[int] = []
        for number, looks in (
            *((number, deck.looks.get(card, [])) for number, card in enumerate(CARDS)),
            (BACK, deck.backs),
        ):
            for crop in looks:
                crops += [crop, np.ascontiguousarray(crop[::-1, ::-1])]
                owners += [number, number]
        self._rows, self._owners = prints_of(crops), np.array(owners)

    def likeness(self, prints: Prints) -> NDArray[np.float64]:
        """Return how like each print is to each card and to the back: float64 (n, 53), -1 to 1.

        What was not taught has -1.

        Args:
            prints: float32 (n, numbers), rows of length 1.
        """
        out = np.full((len(prints), BACK + 1), -1.0)
        alike = prints @ self._rows.T
        for column, owner in enumerate(self._owners.tolist()):
            np.maximum(out[:, owner], alike[:, column], out=out[:, owner])
        return out

    def words(self, prints: Prints) -> NDArray[np.float64]:
        """Turn the likeness to the taught cards into logits of the 52: float64 (n, 52).

        A card not taught yet is given the middling word: nothing speaks for or against it.
        """
        likeness = self.likeness(prints)[:, :BACK]
        taught = np.isin(np.arange(BACK), self._owners)
        likeness[:, ~taught] = likeness[:, taught].mean(axis=1, keepdims=True)
        return np.asarray(SHARPNESS * likeness, np.float64)

    def confusable(self, least: float = ALIKE) -> list[tuple[Card, Card, float]]:
        """Return the pairs of cards that look alike, likest first, with their likeness."""
        alike = self._rows @ self._rows.T
        pairs = []
        taught = sorted(set(self._owners.tolist()) - {BACK})
        for place, one in enumerate(taught):
            for other in taught[place + 1 :]:
                both = np.ix_(self._owners == one, self._owners == other)
                most = float(alike[both].max())
                if most >= least:
                    pairs.append((CARDS[one], CARDS[other], most))
        return sorted(pairs, key=lambda pair: -pair[2])


def deck_path(folder: Path, name: str) -> Path:
    """Return the file of the deck *name*.

    Raises:
        DeckError: the name cannot be one of a file.
    """
    if not re.fullmatch(r"[\w][\w .-]{0,60}", name):
        raise DeckError(f"{name!r} cannot be a deck's name; use letters, digits and hyphens")
    return folder / f"{name}.deck"


def taught_names(folder: Path) -> Iterable[str]:
    """Return the names of the decks taught on this machine."""
    return sorted(path.stem for path in folder.glob("*.deck"))
