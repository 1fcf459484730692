"""Games that people may ask for by name and that are not played here, each in one sentence.

The sources name them as relatives, or as games that thirty-one is mistaken for (S5, "See also").
"""

from __future__ import annotations

from types import MappingProxyType

_SCHWIMMEN = (
    "a German game with 32 cards, in which three cards are exchanged with three that lie open"
)

OTHER_GAMES = MappingProxyType(
    {
        "Skat": "Germany's national card game, for three, with tricks",
        "Schwimmen": _SCHWIMMEN,
        "Schnauz": _SCHWIMMEN,
        "Hosen runter": _SCHWIMMEN,
        "Greek 31": "a Greek game of 31 against a bank",
        "Biribi": "an Italian lottery, with numbers drawn from a bag",
        "Trente et quarante": "a casino game of two rows of cards, red and black",
        "Commerce": "an old game of exchanging three cards for better ones",
        "Cribbage": "an English card game scored with pegs on a board",
        "Trentuno": "an old Italian card game to 31",
        "Wit and reason": "an old card game to 31 for two, who have the red cards and the black",
        "Vingt-un": "a French game to 21 against a bank",
        "Vingt et un": "a French game to 21 against a bank",
        "Pontoon": "a British game to 21 against a bank",
        "Blackjack": "a casino game to 21 against a bank",
        "Brag": "an English game of bets on three cards",
    }
)
"""What each is, to be said after "NAME is"."""
