"""Cards and numbers in plain words, for people to read aloud."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.cards import Card, Rank, Suit
from engine.core.messages.message import N_, Joined, Listing, Message, Value

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
    Suit.SPADES: Message("spades"),
    Suit.HEARTS: Message("hearts"),
    Suit.DIAMONDS: Message("diamonds"),
    Suit.CLUBS: Message("clubs"),
}

_COURTS = {
    # Translators: said without the suit, or after it: "spades 10, king".
    Rank.ACE: Message("ace"),
    Rank.JACK: Message("jack"),
    Rank.QUEEN: Message("queen"),
    Rank.KING: Message("king"),
}

_INDICES = {
    # Translators: what is printed in the corners of the court cards that are sold in your country.
    Rank.JACK: Message("J"),
    Rank.QUEEN: Message("Q"),
    Rank.KING: Message("K"),
}

_NUMBERS = (
    # Translators: put into "{n} tokens" and "{n} cards"; write the digit where words would bend.
    Message("one"),
    Message("two"),
    Message("three"),
    Message("four"),
    Message("five"),
    Message("six"),
    Message("seven"),
    Message("eight"),
    Message("nine"),
    Message("ten"),
)


def card_words(card: Card) -> Message:
    """Return the card's name.

    >>> str(card_words(Card.parse("AH")))
    'ace of hearts'
    """
    return _card(card, 0)


def rank_words(cards: Sequence[Card]) -> Joined:
    """Return the ranks of *cards*, as they are said in short.

    >>> str(rank_words((Card.parse("TS"), Card.parse("AH"))))
    '10, ace'
    """
    return Joined(tuple(rank_word(each.rank) for each in cards), ", ")


def rank_word(rank: Rank) -> Value:
    """Return a rank as it is said.

    >>> str(rank_word(Rank.TEN)), str(rank_word(Rank.JACK))
    ('10', 'jack')
    """
    return _COURTS.get(rank, rank.order + 1)


def suit_word(suit: Suit) -> Message:
    """Return a suit as it is said.

    >>> str(suit_word(Suit.CLUBS))
    'clubs'
    """
    return _SUITS[suit]


def rank_index(rank: Rank) -> Value:
    """Return a rank as it is printed in the corner of a card.

    >>> str(rank_index(Rank.TEN)), str(rank_index(Rank.ACE)), str(rank_index(Rank.JACK))
    ('10', 'A', 'J')
    """
    return "10" if rank is Rank.TEN else _INDICES.get(rank, rank.value)


def cards_in_short(cards: Sequence[Card]) -> Value:
    """Return *cards* as they are said in short: of several each suit once.

    The space between two suits does not break: espeak-ng makes no pause there, which saves half a
    second of three cards. Each suit is heard to begin by its own word.

    >>> str(cards_in_short([Card.parse(code) for code in ("TS", "AH", "5S")])).split()
    ['spades', '10,', '5,', 'hearts', 'ace']
    """
    if len(cards) == 1:
        return card_words(cards[0])
    said: list[Value] = []
    for suit in dict.fromkeys(each.suit for each in cards):
        ranks = rank_words([each for each in cards if each.suit is suit])
        # Translators: a suit and the cards of it that somebody has, such as "spades 10, king".
        said.append(Message("{suit} {ranks}", suit=_SUITS[suit], ranks=ranks))
    return Joined(tuple(said), ",\N{NO-BREAK SPACE}")


def the_card(card: Card | None) -> Message:
    """Return the card with its article, as it is told.

    >>> str(the_card(Card.parse("AH"))), str(the_card(None))
    ('the ace of hearts', 'an unknown card')
    """
    return Message("an unknown card") if card is None else _card(card, 1)


def the_cards(cards: Sequence[Card | None]) -> Listing:
    """Return several cards, each with its article."""
    return Listing(tuple(the_card(card) for card in cards))


def a_card(card: Card | None) -> Message:
    """Return the card as one among others.

    >>> str(a_card(Card.parse("8S")))
    'an eight of spades'
    """
    return Message("a card face down") if card is None else _card(card, 2)


def _card(card: Card, form: int) -> Message:
    return Message(_CARDS[card.rank][form], suit=_SUITS[card.suit])


def has_cards(name: Value, n: int) -> Message:
    """Return how many cards a player has.

    >>> str(has_cards("Ann", 4))
    'Ann has 4 cards.'
    """
    return Message("{name} has {n} card.", "{name} has {n} cards.", n, name=name, n=n)


def count(number: int, noun: str) -> Message:
    """Return a number, 0 or more, of *noun*: ``"token"``, ``"card"`` or ``"bone"``.

    >>> str(count(1, "token")), str(count(10, "card")), str(count(12, "card"))
    ('one token', 'ten cards', '12 cards')
    """
    n = _NUMBERS[number - 1] if 1 <= number <= len(_NUMBERS) else number
    if noun == "card":
        return Message("{n} card", "{n} cards", number, n=n)
    if noun == "bone":
        return Message("{n} bone", "{n} bones", number, n=n)
    return Message("{n} token", "{n} tokens", number, n=n)
