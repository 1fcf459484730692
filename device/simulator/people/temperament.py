"""How people are: what each of them does how often.

The figures are means over all people of a mix. A person has one character, which does its own
habits about three times as often; the others do them so much less often that the mean stays.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

MIXES = ("careful", "mixed", "wild")

CHARACTERS = (
    "plain",
    "fast",
    "two-handed",
    "hesitant",
    "careless",
    "talkative",
    "forgetful",
    "early",
    "thrower",
)

_OWN = 3.0
"""How much more often a character does its own habits than the mean person."""

_MOST = 0.95

HABITS: Mapping[str, tuple[float, float, float, str]] = {
    # habit: careful, mixed, wild, whose it is
    "no_rest": (0.01, 0.08, 0.30, "fast"),
    "snatch": (0.01, 0.10, 0.25, "fast"),
    "one_motion": (0.10, 0.50, 0.60, "two-handed"),
    "put_back": (0.01, 0.06, 0.08, "hesitant"),
    "stock_put_back": (0.005, 0.01, 0.03, "hesitant"),
    "change_discard": (0.005, 0.015, 0.03, "hesitant"),
    "two_discards": (0.005, 0.01, 0.03, "hesitant"),
    "word_back": (0.01, 0.03, 0.05, "hesitant"),
    "askew": (0.05, 0.15, 0.30, "careless"),
    "hands_left": (0.01, 0.03, 0.10, "careless"),
    "expose": (0.003, 0.006, 0.01, "careless"),
    "mislay": (0.01, 0.02, 0.03, "careless"),
    "square_pile": (0.005, 0.03, 0.05, "careless"),
    "square_stock": (0.005, 0.03, 0.05, "careless"),
    "have_unsaid": (0.02, 0.15, 0.50, "talkative"),
    "stick_unsaid": (0.03, 0.20, 0.50, "talkative"),
    "stand_unsaid": (0.05, 0.40, 0.50, "talkative"),
    "word_late": (0.02, 0.08, 0.15, "talkative"),
    "knock_late": (0.05, 0.08, 0.15, "talkative"),
    "knock_unsaid": (0.05, 0.07, 0.15, "forgetful"),
    "over_silent": (0.03, 0.30, 0.50, "forgetful"),
    "unclaimed": (0.15, 0.20, 0.30, "forgetful"),
    "show_early": (0.02, 0.10, 0.15, "early"),
    "throw_in": (0.02, 0.08, 0.12, "thrower"),
    "hold": (0.50, 0.70, 0.80, "plain"),
    "lay_back": (0.04, 0.08, 0.12, "hesitant"),
    "unread": (0.003, 0.01, 0.02, "careless"),
    "unknown_hand": (0.10, 0.25, 0.50, "two-handed"),
    "number_unpressed": (0.20, 0.20, 0.50, "talkative"),
    "throw_early": (0.15, 0.15, 0.30, "fast"),
    "bump": (0.05, 0.05, 0.10, "careless"),
    "off_mat": (0.02, 0.02, 0.05, "careless"),
    "lean": (0.02, 0.03, 0.05, "careless"),
    "no_empty": (0.05, 0.20, 0.40, "fast"),
    "bones_stay": (0.30, 0.50, 0.50, "plain"),
    "raise_stake": (0.20, 0.20, 0.20, "plain"),
}

STREWN_MM: Mapping[str, tuple[float, float]] = {
    "careful": (6.0, 18.0),
    "mixed": (4.0, 25.0),
    "wild": (3.0, 32.0),
}
"""How far the cards of a pile lie from its middle: each table takes one figure from this range."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody at the table.

    Attributes:
        character: a word of :data:`CHARACTERS`.
        habits: how often they do each of :data:`HABITS`, 0.0 to 1.0.
        nerve: -2 to 2, how much more they dare than others.
    """

    seat: int
    name: str
    character: str
    habits: Mapping[str, float]
    nerve: int

    def does(self, habit: str, rng: random.Random) -> bool:
        """Return whether this person does it this time."""
        return rng.random() < self.habits[habit]


def person(
    mix: str, seat: int, name: str, rng: random.Random, character: str | None = None
) -> Person:
    """Make a person of a mix: ``careful``, ``mixed`` or ``wild``; by chance of any character."""
    character = character or rng.choice(CHARACTERS)
    column = MIXES.index(mix)
    habits = {}
    for habit, entry in HABITS.items():
        habits[habit] = _share(float(entry[column]), entry[3] == character)
    return Person(seat, name, character, habits, rng.randint(-2, 2))


def _share(mean: float, own: bool) -> float:
    often = max(min(_MOST, mean * _OWN), mean)
    return often if own else (mean * len(CHARACTERS) - often) / (len(CHARACTERS) - 1)
