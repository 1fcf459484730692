"""Cards and lists in plain English, for people to read aloud."""

from __future__ import annotations

from collections.abc import Sequence

from engine.cards import Card, Rank, Suit

_RANKS = {
    Rank.ACE: "ace",
    Rank.TWO: "two",
    Rank.THREE: "three",
    Rank.FOUR: "four",
    Rank.FIVE: "five",
    Rank.SIX: "six",
    Rank.SEVEN: "seven",
    Rank.EIGHT: "eight",
    Rank.NINE: "nine",
    Rank.TEN: "ten",
    Rank.JACK: "jack",
    Rank.QUEEN: "queen",
    Rank.KING: "king",
}

_SUITS = {
    Suit.SPADES: "spades",
    Suit.HEARTS: "hearts",
    Suit.DIAMONDS: "diamonds",
    Suit.CLUBS: "clubs",
}

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def card_words(card: Card) -> str:
    """Return the card's name.

    >>> card_words(Card.parse("AH"))
    'ace of hearts'
    """
    return f"{_RANKS[card.rank]} of {_SUITS[card.suit]}"


def a_card(card: Card | None) -> str:
    """Return the card with its article.

    >>> a_card(Card.parse("8S"))
    'an eight of spades'
    """
    if card is None:
        return "a card face down"
    words = card_words(card)
    return f"{'an' if words[0] in 'ae' else 'a'} {words}"


def and_list(words: Sequence[str]) -> str:
    """Join words as people do.

    >>> and_list(["Ann", "Cecil", "Doll"])
    'Ann, Cecil and Doll'
    """
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def count(number: int, noun: str) -> str:
    """Return a number and its noun.

    >>> count(1, "token"), count(3, "token"), count(12, "card")
    ('one token', 'three tokens', '12 cards')
    """
    word = _NUMBERS[number] if 0 <= number < len(_NUMBERS) else str(number)
    return f"{word} {noun}{'' if number == 1 else 's'}"
