"""Cards and lists in plain words, for people to read aloud, in the language of the house."""

from __future__ import annotations

from collections.abc import Sequence

from display.i18n.translate import N_, _, names, plural
from engine.core.cards import Card, Rank, Suit

_CARDS = {
    Rank.ACE: (N_("ace of {suit}"), N_("the ace of {suit}"), N_("an ace of {suit}")),
    Rank.TWO: (N_("two of {suit}"), N_("the two of {suit}"), N_("a two of {suit}")),
    Rank.THREE: (N_("three of {suit}"), N_("the three of {suit}"), N_("a three of {suit}")),
    Rank.FOUR: (N_("four of {suit}"), N_("the four of {suit}"), N_("a four of {suit}")),
    Rank.FIVE: (N_("five of {suit}"), N_("the five of {suit}"), N_("a five of {suit}")),
    Rank.SIX: (N_("six of {suit}"), N_("the six of {suit}"), N_("a six of {suit}")),
    Rank.SEVEN: (N_("seven of {suit}"), N_("the seven of {suit}"), N_("a seven of {suit}")),
    Rank.EIGHT: (N_("eight of {suit}"), N_("the eight of {suit}"), N_("an eight of {suit}")),
    Rank.NINE: (N_("nine of {suit}"), N_("the nine of {suit}"), N_("a nine of {suit}")),
    Rank.TEN: (N_("ten of {suit}"), N_("the ten of {suit}"), N_("a ten of {suit}")),
    Rank.JACK: (N_("jack of {suit}"), N_("the jack of {suit}"), N_("a jack of {suit}")),
    Rank.QUEEN: (N_("queen of {suit}"), N_("the queen of {suit}"), N_("a queen of {suit}")),
    Rank.KING: (N_("king of {suit}"), N_("the king of {suit}"), N_("a king of {suit}")),
}
"""The card by itself, with its article, and one among others. Languages that bend their articles
leave them out: every sentence can do without."""

_SUITS = {
    # Translators: put into "ace of {suit}".
    Suit.SPADES: N_("spades"),
    Suit.HEARTS: N_("hearts"),
    Suit.DIAMONDS: N_("diamonds"),
    Suit.CLUBS: N_("clubs"),
}

_NUMBERS = (
    # Translators: put into "{n} tokens" and "{n} cards"; write the digit where words would bend.
    N_("no"),
    N_("one"),
    N_("two"),
    N_("three"),
    N_("four"),
    N_("five"),
    N_("six"),
    N_("seven"),
    N_("eight"),
    N_("nine"),
    N_("ten"),
)


def card_words(card: Card) -> str:
    """Return the card's name.

    >>> card_words(Card.parse("AH"))
    'ace of hearts'
    """
    return _card(card, 0)


def the_card(card: Card | None) -> str:
    """Return the card with its article, as it is told.

    >>> the_card(Card.parse("AH")), the_card(None)
    ('the ace of hearts', 'a card nobody has read')
    """
    return _("a card nobody has read") if card is None else _card(card, 1)


def a_card(card: Card | None) -> str:
    """Return the card as one among others.

    >>> a_card(Card.parse("8S"))
    'an eight of spades'
    """
    return _("a card face down") if card is None else _card(card, 2)


def _card(card: Card, form: int) -> str:
    return _(_CARDS[card.rank][form]).format(suit=_(_SUITS[card.suit]))


def and_list(words: Sequence[str]) -> str:
    """Join words as people do.

    >>> and_list(["Ann", "Cecil", "Doll"])
    'Ann, Cecil and Doll'
    """
    return names(list(words))


def or_list(words: Sequence[str]) -> str:
    """Join choices as people do.

    >>> or_list(["the ace of hearts", "the ace of diamonds"])
    'the ace of hearts or the ace of diamonds'
    """
    if len(words) < 2:
        return "".join(words)
    return _("{choices} or {last}").format(choices=", ".join(words[:-1]), last=words[-1])


def count(number: int, noun: str) -> str:
    """Return a number of tokens, cards or bones.

    Args:
        number: how many, 0 or more.
        noun: ``"token"``, ``"card"`` or ``"bone"``.

    >>> count(1, "token"), count(3, "token"), count(12, "card")
    ('one token', 'three tokens', '12 cards')
    """
    word = _(_NUMBERS[number]) if 0 <= number < len(_NUMBERS) else str(number)
    if noun == "card":
        return plural("{n} card", "{n} cards", number).format(n=word)
    if noun == "bone":
        return plural("{n} bone", "{n} bones", number).format(n=word)
    return plural("{n} token", "{n} tokens", number).format(n=word)
