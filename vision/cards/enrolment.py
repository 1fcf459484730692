"""Teach a deck: one card after the other is shown, and each look is kept."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from engine.core.cards import Card
from vision.cards.classifier import CARDS, softmax
from vision.cards.custom_deck import CustomDeck, DeckMatcher
from vision.cards.geometry import CARD_MM, has_card_size
from vision.cards.pipeline import CardPipeline, Shown
from vision.mat.pose import MatPose, find_mat
from vision.readings import ZoneKind

SAME = 0.9
"""Likeness above which the card that lies there is the one that was taken last."""

DOWN = 0.9
"""Certainty that a thing lies the other way up, above which it is not what is shown."""

ANOTHER = 0.85
"""Certainty with which a card is read as another than the one asked for, to object."""


class Outcome(StrEnum):
    """What came of showing a picture."""

    TAKEN = "taken"
    NOTHING = "nothing"
    SEVERAL = "several"
    STILL_THERE = "still there"
    LOOKS_LIKE_ANOTHER = "looks like another"


@dataclass(frozen=True, slots=True)
class EnrolmentResult:
    """What came of showing a picture; *like* is the card it looks like, where that matters."""

    outcome: Outcome
    like: Card | None = None


class DeckEnrolment:
    """Asks for cards, and takes them from pictures.

    Attributes:
        deck: what is taught so far.
    """

    def __init__(self, deck: CustomDeck, *, looks: int = 1) -> None:
        """Go on teaching *deck* until every card was looked at *looks* times (1-3).

        Raises:
            ModelError: a network is missing or damaged.
        """
        self.deck, self._looks = deck, looks
        self._looker = CardPipeline()
        self._last: NDArray[np.float32] | None = None
        self._objected: Card | None = None

    @property
    def wanted(self) -> Card | None:
        """Return the card to show next; ``None`` when all are taught."""
        fewest = min(len(self.deck.looks.get(card, ())) for card in CARDS)
        if fewest >= self._looks:
            return None
        return next(c for c in CARDS if len(self.deck.looks.get(c, ())) == fewest)

    @property
    def left(self) -> int:
        """Return how many looks are still to be taken."""
        return sum(max(self._looks - len(self.deck.looks.get(card, ())), 0) for card in CARDS)

    def show(
        self,
        image: NDArray[np.uint8],
        card: Card | None = None,
        *,
        surely: bool = False,
    ) -> EnrolmentResult:
        """Take the one card that lies on a picture.

        A card that the eyes read surely as another than was asked for is objected to once: shown
        again, it is taken. Decks there are whose kings look like other decks' jacks.

        Args:
            image: uint8, shape (height, width, 3), BGR.
            card: what it is; by default the one that is wanted.
            surely: take it without objection.

        Raises:
            ValueError: nothing is wanted any more.
        """
        card = card or self.wanted
        if card is None:
            raise ValueError("all cards are taught; show no more, or teach with more looks")
        # A card face down that lies by does no harm.
        seen = [shown for shown in self._seen(image) if shown.face.kinds[1] < DOWN]
        if len(seen) != 1:
            return EnrolmentResult(Outcome.SEVERAL if seen else Outcome.NOTHING)
        (shown,) = seen
        if not surely:
            if self._last is not None and float(self._last @ shown.face.seen) > SAME:
                return EnrolmentResult(Outcome.STILL_THERE)
            like = _surely_read(shown)
            if like is not None and like != card and self._objected != card:
                self._objected = card
                return EnrolmentResult(Outcome.LOOKS_LIKE_ANOTHER, like)
        self._last, self._objected = shown.face.seen, None
        self.deck.add(card, shown.crop)
        return EnrolmentResult(Outcome.TAKEN)

    def show_back(self, image: NDArray[np.uint8]) -> EnrolmentResult:
        """Take the one back that lies on a picture (uint8, (height, width, 3), BGR)."""
        seen = [shown for shown in self._seen(image) if shown.face.kinds[0] < DOWN]
        if len(seen) != 1:
            return EnrolmentResult(Outcome.SEVERAL if seen else Outcome.NOTHING)
        self.deck.add_back(seen[0].crop)
        self._last = seen[0].face.seen
        return EnrolmentResult(Outcome.TAKEN)

    def alike(self) -> list[tuple[Card, Card, float]]:
        """Return the pairs of taught cards that cannot be told apart surely, likest first."""
        if not self.deck.looks:
            return []
        return DeckMatcher(self.deck, self._looker.prints).confusable()

    def _seen(self, image: NDArray[np.uint8]) -> list[Shown]:
        mat = find_mat(image)
        shown = self._looker.shown(image, mat, CARD_MM)
        if mat is None:
            return shown
        return [one for one in shown if _is_shown_on(mat, one)]


def _is_shown_on(mat: MatPose, shown: Shown) -> bool:
    """Judge whether a thing on a mat is a card to learn; what lies on the piles is none."""
    quad_mm = mat.to_mm(shown.quad)
    x, y = quad_mm.mean(axis=0).tolist()
    zone = mat.zone_at((x, y))
    piled = zone is not None and zone.kind in (ZoneKind.STOCK, ZoneKind.DISCARD)
    return has_card_size(quad_mm) and not piled


def _surely_read(shown: Shown) -> Card | None:
    """Return what a card is read as without having been taught, if that is sure."""
    ranks, suits = softmax(shown.face.ranks), softmax(shown.face.suits)
    if float(ranks.max() * suits.max()) < ANOTHER:
        return None
    return CARDS[13 * int(suits.argmax()) + int(ranks.argmax())]
