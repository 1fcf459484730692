"""Learn a custom deck: one card after the other is shown, and a crop of each is kept."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from engine.core.cards import Card
from vision.cards.classifier import CARDS, softmax
from vision.cards.custom_deck import CustomDeck
from vision.cards.geometry import has_card_size
from vision.cards.pipeline import CardPipeline, ShownCard
from vision.mat.layout import PILES
from vision.mat.pose import MatPose, find_mat

SAME = 0.9
"""Similarity above which the card that lies there is the one that was taken last."""

OTHER_SIDE = 0.9
"""Probability of the other side being up, above which a card is not the one shown."""

ANOTHER = 0.85
"""Probability of another card than the one asked for, above which it is objected to."""


class EnrolmentStatus(StrEnum):
    """What came of showing a picture."""

    TAKEN = "taken"
    NOTHING = "nothing"
    SEVERAL = "several"
    STILL_THERE = "still there"
    LOOKS_LIKE_ANOTHER = "looks like another"


@dataclass(frozen=True, slots=True)
class EnrolmentResult:
    """What came of showing a picture; *like* is the card it looks like, where that matters."""

    status: EnrolmentStatus
    like: Card | None = None


class DeckEnrolment:
    """Asks for cards, and takes them from pictures.

    Attributes:
        deck: what is learnt so far.
    """

    def __init__(self, deck: CustomDeck, *, looks: int = 1) -> None:
        """Go on with *deck* until there are *looks* (1-3) crops of every card.

        Raises:
            ModelError: a network is missing or damaged.
        """
        self.deck, self._looks = deck, looks
        self._pipeline = CardPipeline()
        self._last: NDArray[np.float32] | None = None
        self._objected: Card | None = None

    @property
    def wanted(self) -> Card | None:
        """Return the card to show next; ``None`` when all are learnt."""
        card = min(CARDS, key=self._count)
        return card if self._count(card) < self._looks else None

    @property
    def left(self) -> int:
        """Return how many crops are still to be taken."""
        return sum(max(self._looks - self._count(card), 0) for card in CARDS)

    def _count(self, card: Card) -> int:
        return len(self.deck.looks.get(card, ()))

    def show(
        self, image: NDArray[np.uint8], card: Card | None = None, *, surely: bool = False
    ) -> EnrolmentResult:
        """Take the one card that lies on a picture.

        A card that is surely read as another than was asked for is objected to once, and taken
        when it is shown again: the kings of some decks look like other decks' jacks.

        *image* is uint8, shape (height, width, 3), BGR; *card* by default the one that is wanted.
        *surely* takes it without objection.

        Raises:
            ValueError: no card is wanted any more.
        """
        card = card or self.wanted
        if card is None:
            raise ValueError("all cards are taught; show no more, or teach with more looks")
        # A card face down beside it does no harm.
        cards = [shown for shown in self._cards(image) if shown.face.kinds[1] < OTHER_SIDE]
        if len(cards) != 1:
            return _none_or_several(cards)
        (shown,) = cards
        if not surely:
            if self._last is not None and float(self._last @ shown.face.embedding) > SAME:
                return EnrolmentResult(EnrolmentStatus.STILL_THERE)
            like = _surely_read(shown)
            if like is not None and like != card and self._objected != card:
                self._objected = card
                return EnrolmentResult(EnrolmentStatus.LOOKS_LIKE_ANOTHER, like)
        self._last, self._objected = shown.face.embedding, None
        self.deck.add(card, shown.crop)
        return EnrolmentResult(EnrolmentStatus.TAKEN)

    def show_back(self, image: NDArray[np.uint8]) -> EnrolmentResult:
        """Take the one back that lies on a picture (uint8, (height, width, 3), BGR)."""
        backs = [shown for shown in self._cards(image) if shown.face.kinds[0] < OTHER_SIDE]
        if len(backs) != 1:
            return _none_or_several(backs)
        self.deck.add_back(backs[0].crop)
        self._last = backs[0].face.embedding
        return EnrolmentResult(EnrolmentStatus.TAKEN)

    def confusable(self) -> list[tuple[Card, Card, float]]:
        """Return the pairs of learnt cards hard to tell apart, most similar first."""
        if not self.deck.looks:
            return []
        return self._pipeline.matcher(self.deck).confusable()

    def _cards(self, image: NDArray[np.uint8]) -> list[ShownCard]:
        mat = find_mat(image)
        cards = self._pipeline.crop_cards(image, mat)
        return cards if mat is None else [card for card in cards if _is_shown_on(mat, card)]


def _none_or_several(cards: list[ShownCard]) -> EnrolmentResult:
    return EnrolmentResult(EnrolmentStatus.SEVERAL if cards else EnrolmentStatus.NOTHING)


def _is_shown_on(mat: MatPose, shown: ShownCard) -> bool:
    """Return whether a thing on a mat is a card to learn, and does not lie on a pile."""
    quad_mm = mat.to_mm(shown.quad)
    x, y = quad_mm.mean(axis=0).tolist()
    zone = mat.layout.zone_at(x, y)
    piled = zone is not None and zone.kind in PILES
    return has_card_size(quad_mm) and not piled


def _surely_read(shown: ShownCard) -> Card | None:
    """Return what a card is read as without having been learnt, if that is sure."""
    ranks, suits = softmax(shown.face.ranks), softmax(shown.face.suits)
    if float(ranks.max() * suits.max()) < ANOTHER:
        return None
    return CARDS[13 * int(suits.argmax()) + int(ranks.argmax())]
