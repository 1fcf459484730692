"""Decks learnt at the table from one to three crops of each card, matched by their embeddings.

A reader that never met a deck knows its cards by what all decks share. A custom deck is known by
its own print: a card is compared with the crops it was learnt from, by the features that the
reader's network makes of each part of the face before it decides (prototypes, as in Snell et al.,
"Prototypical Networks", 2017). No training is needed, and the file is some hundred kilobytes.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.core.cards import Card
from vision.camera.image_files import decode
from vision.cards.classifier import CARDS
from vision.cards.geometry import READ
from vision.custom_set import FORMAT, CustomSet
from vision.errors import EnrolmentError

Crop = NDArray[np.uint8]
"""A straightened card with its margin: uint8, shape (READ.height, READ.width, 3), BGR."""

MOST_LOOKS = 3
"""Crops kept of one card: more would only slow the matching."""

SHARPNESS = 30.0
"""Logits per similarity; fitted on designs held out from training."""

CONFUSABLE = 0.9
"""Similarity above which two cards of a deck are reported as hard to tell apart."""

BACK = len(CARDS)
"""The number of the back, after those of the cards."""

Embeddings = NDArray[np.float32]
"""What a network sees of faces: float32, shape (n, numbers), rows of length 1."""

MOST_PARTS = 2 * (BACK + 1) * MOST_LOOKS
"""Files in the archive: twice what is ever written."""


@dataclass(slots=True, eq=False)
class CustomDeck(CustomSet):
    """The crops a deck is learnt from; grows one crop at a time."""

    KIND = "taught deck"
    CURE = "copy it again or teach the deck again"
    LARGEST_FILE = 32 * 2**20  # packed and unpacked: 53 cards of three crops take five million

    name: str
    looks: dict[Card, list[Crop]] = field(default_factory=dict)
    backs: list[Crop] = field(default_factory=list)

    def add(self, card: Card, crop: Crop) -> None:
        """Keep a crop of *card*, and drop the oldest of more than :data:`MOST_LOOKS`."""
        own = self.looks.setdefault(card, [])
        own.append(crop)
        del own[:-MOST_LOOKS]

    def add_back(self, crop: Crop) -> None:
        """Keep a crop of the back, as :meth:`add` does."""
        self.backs.append(crop)
        del self.backs[:-MOST_LOOKS]

    def missing(self) -> tuple[Card, ...]:
        """Return the cards not learnt yet, in the order in which decks are sold."""
        return tuple(card for card in CARDS if card not in self.looks)

    def to_bytes(self) -> bytes:
        """Return the deck as a ZIP archive: ``deck.json``, and JPEGs such as ``AS-1.jpg``."""
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
            archive.writestr("deck.json", json.dumps({"format": FORMAT, "name": self.name}))
            for name, crops in (
                *((str(card), crops) for card, crops in sorted(self.looks.items(), key=str)),
                ("back", self.backs),
            ):
                for number, crop in enumerate(crops, 1):
                    _, data = cv2.imencode(".jpg", crop, [cv2.IMWRITE_JPEG_QUALITY, 92])
                    archive.writestr(f"{name}-{number}.jpg", data.tobytes())
        return buffer.getvalue()

    @classmethod
    def _parse(cls, data: bytes) -> Self:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            cls._check_bounds(archive)
            deck = cls(cls._checked_name(json.loads(archive.read("deck.json")), "name"))
            for name in sorted(archive.namelist()):
                match = re.fullmatch(r"([A23456789TJQK][SHDC]|back)-\d+\.jpg", name)
                if match is None:
                    continue
                crop = decode(archive.read(name), most_pixels=READ.height * READ.width)
                if crop.shape != (READ.height, READ.width, 3):
                    raise cls._damaged()
                if match[1] == "back":
                    deck.add_back(crop)
                else:
                    deck.add(Card.parse(match[1]), crop)
        return deck

    @classmethod
    def _check_bounds(cls, archive: zipfile.ZipFile) -> None:
        """Refuse, before anything is unpacked, what is larger or packed otherwise than a deck.

        Raises:
            EnrolmentError: it is.
        """
        parts = archive.infolist()
        plain = all(
            part.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
            and not part.flag_bits & 1  # encrypted
            for part in parts
        )
        unpacked = sum(part.file_size for part in parts)
        if len(parts) > MOST_PARTS or unpacked > cls.LARGEST_FILE or not plain:
            raise cls._damaged()

    def crops(self) -> Iterator[tuple[int, Crop]]:
        """Yield each crop with the number of its card, or :data:`BACK`."""
        for number, card in enumerate(CARDS):
            yield from ((number, crop) for crop in self.looks.get(card, []))
        yield from ((BACK, crop) for crop in self.backs)


class DeckMatcher:
    """Compares embeddings with those of a custom deck."""

    def __init__(self, deck: CustomDeck, embed: Callable[[Sequence[Crop]], Embeddings]) -> None:
        """Compute the embeddings of every crop of *deck* once, from both ends.

        *embed* is :meth:`vision.cards.classifier.FaceClassifier.embed`.

        Raises:
            EnrolmentError: no card of it has been learnt.
        """
        if not deck.looks:
            raise EnrolmentError(
                f"no card of the deck {deck.name!r} is taught yet; run: boneace teach deck "
                f"{deck.name}"
            )
        self.deck = deck
        crops: list[Crop] = []
        owners: list[int] = []
        for number, crop in deck.crops():
            crops += [crop, np.ascontiguousarray(crop[::-1, ::-1])]
            owners += [number, number]
        self._rows, self._owners = embed(crops), np.array(owners)

    def similarity(self, embeddings: Embeddings) -> NDArray[np.float64]:
        """Return how similar each embedding is to each card and the back: float64 (n, 53), -1 to 1.

        What was not learnt has -1.
        """
        out = np.full((len(embeddings), BACK + 1), -1.0)
        products = embeddings @ self._rows.T
        for column, owner in enumerate(self._owners.tolist()):
            np.maximum(out[:, owner], products[:, column], out=out[:, owner])
        return out

    def logits(self, embeddings: Embeddings) -> NDArray[np.float64]:
        """Return the similarity as logits of the 52 cards: float64 (n, 52).

        A card not learnt yet gets the mean: nothing speaks for or against it.
        """
        similarity = self.similarity(embeddings)[:, :BACK]
        learnt = np.isin(np.arange(BACK), self._owners)
        similarity[:, ~learnt] = similarity[:, learnt].mean(axis=1, keepdims=True)
        return np.asarray(SHARPNESS * similarity, np.float64)

    def confusable(self, least: float = CONFUSABLE) -> list[tuple[Card, Card, float]]:
        """Return the pairs of cards hard to tell apart, most similar first, with similarity."""
        products = self._rows @ self._rows.T
        pairs = []
        learnt = sorted(set(self._owners.tolist()) - {BACK})
        for place, one in enumerate(learnt):
            for other in learnt[place + 1 :]:
                both = np.ix_(self._owners == one, self._owners == other)
                most = float(products[both].max())
                if most >= least:
                    pairs.append((CARDS[one], CARDS[other], most))
        return sorted(pairs, key=lambda pair: -pair[2])
