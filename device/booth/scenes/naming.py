"""What is a card or a bone really? Scenes that ask for rank and suit, or for a face."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from device.booth.scenes.base import Action, ChoiceScene, Context, Open, Then
from display.pages.base import Page, joined
from display.pages.cards import CardsPage, Pick
from engine.core.bones import Face
from engine.core.cards import Card, Rank, Suit
from engine.core.messages.message import Message, Value
from engine.core.messages.words import card_words


class CardsScene(ChoiceScene[Pick]):
    """One of several pictures is chosen."""

    kind: Callable[..., Page] = CardsPage


class RankScene(CardsScene):
    """What is the card really? First its rank, in the suit that was read."""

    title = Message("Which rank is it?")

    def __init__(
        self,
        context: Context,
        was: Card | None,
        then: Callable[[Card], Action],
        likely: Card | None = None,
    ) -> None:
        """Ask about the card read as *was*; *then* says what follows. *likely* is marked."""
        super().__init__(context)
        self._marked = likely or was or Card(Rank.ACE, Suit.SPADES)
        self.note, self.focus = _read_as(was), list(Rank).index(self._marked.rank)
        self._was, self._then = was, then

    def rows(self) -> Sequence[tuple[Pick, Then]]:
        """Return every rank; the suit is asked next."""
        cards = [Card(rank, self._marked.suit) for rank in Rank]
        return [
            (pick(card), Open(SuitScene(self.context, self._was, card, self._then)))
            for card in cards
        ]


class SuitScene(CardsScene):
    """And which suit?"""

    title = Message("Which suit is it?")

    def __init__(
        self, context: Context, was: Card | None, likely: Card, then: Callable[[Card], Action]
    ) -> None:
        """Ask for the suit of the card read as *was*, which has the rank of *likely*."""
        super().__init__(context)
        self.note, self.focus = _read_as(was), list(Suit).index(likely.suit)
        self._rank, self._then = likely.rank, then

    def rows(self) -> Sequence[tuple[Pick, Then]]:
        """Return every suit, each with what follows."""
        cards = [Card(self._rank, suit) for suit in Suit]
        return [(pick(card), partial(self._then, card)) for card in cards]


class FaceScene(CardsScene):
    """How does the bone really lie?"""

    title = Message("How does the bone lie?")

    def __init__(
        self,
        context: Context,
        was: Face | None,
        then: Callable[[Face], Action],
        likely: Face | None = None,
    ) -> None:
        """Ask about the bone read as *was*; *then* says what follows. *likely* is marked."""
        super().__init__(context)
        self.note = "" if was is None else Message("It was read as {n}.", n=was.points)
        self.focus = list(Face).index(likely or was or Face.FLAT)
        self._then = then

    def rows(self) -> Sequence[tuple[Pick, Then]]:
        """Return every face, each with what follows."""
        return [(Pick(face, spoken=str(face.points)), partial(self._then, face)) for face in Face]


def pick(card: Card, name: Value = "") -> Pick:
    """Return *card* to be chosen, with whose it is."""
    return Pick(card, name, joined(name, ": ", card_words(card)) if name else card_words(card))


def _read_as(was: Card | None) -> Value:
    return "" if was is None else Message("It was read as {card}.", card=card_words(was))
