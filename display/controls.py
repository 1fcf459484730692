"""What is printed on the buttons, and where a screen can be touched, or typed at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pygame import Rect

from display.i18n.translate import Translator
from engine.core.bones import Face
from engine.core.cards import Card, Rank, Suit
from engine.core.messages.message import N_, Message
from engine.core.messages.words import rank_index, suit_word

BUTTON_WORDS: Mapping[str, Message] = {
    # Translators: what is printed on the buttons, as in "HAVE IT: the one marked."
    "have": Message("HAVE IT"),
    "stick": Message("STICK"),
    "out": Message("OUT"),
    "next": Message("NEXT"),
    "undo": Message("UNDO"),
    "menu": Message("MENU"),
}


Signs = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TouchArea:
    """A place on the screen, in pixels, that presses a button, or chooses number *choice*.

    *signs* are the keys of a keyboard that choose it too, in lower case; one that several places
    share only marks them, one after the other. *is_marked*: its answer is the one marked now.
    """

    area: Rect
    button: str
    choice: int | None = None
    seat: int | None = None
    signs: Signs = ()
    is_marked: bool = False


# Translators: four different letters that type clubs, diamonds, hearts and spades on a keyboard.
_SUIT_LETTERS = N_("CDHS")

_SUITS = (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES)


def rank_signs(rank: Rank, language: str) -> Signs:
    """Return the keys for a rank: what is printed on its cards in that language, and in English.

    >>> rank_signs(Rank.KING, "fr"), rank_signs(Rank.TEN, "en")
    (('r', 'k'), ('1', '0', 't'))
    """
    index = Translator.of(language).render(rank_index(rank)).lower()
    return tuple(dict.fromkeys((*index, rank.value.lower())))


def suit_signs(suit: Suit, language: str) -> Signs:
    """Return the keys for a suit: its own letter, and the first of its word.

    >>> suit_signs(Suit.SPADES, "en"), suit_signs(Suit.DIAMONDS, "fr")
    (('s',), ('k', 'c'))
    """
    said = Translator.of(language)
    letters = said(_SUIT_LETTERS)[_SUITS.index(suit)], said.render(suit_word(suit))[0]
    return tuple(dict.fromkeys(letter.lower() for letter in letters))


def card_signs(cards: Sequence[Card], language: str) -> list[Signs]:
    """Return the keys for each of *cards*: none where they differ by more than suit or rank."""
    suits, ranks = {card.suit for card in cards}, {card.rank for card in cards}
    if len(suits) == len(cards) == len(Suit) and len(ranks) == 1:
        return [suit_signs(card.suit, language) for card in cards]
    if len(ranks) == len(cards) == len(Rank) and len(suits) == 1:
        return [rank_signs(card.rank, language) for card in cards]
    return [()] * len(cards)


def face_signs(faces: Sequence[Face]) -> list[Signs]:
    """Return the keys for each of *faces*, its points: none where two of them are alike.

    >>> face_signs([Face.FLAT, Face.TWISTED]), face_signs([Face.FLAT, Face.FLAT])
    ([('1',), ('6',)], [(), ()])
    """
    if len(set(faces)) < len(faces):
        return [()] * len(faces)
    return [(str(face.points),) for face in faces]
