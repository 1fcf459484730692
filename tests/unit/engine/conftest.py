"""A short notation for events, so that a golden test is read quickly.

``0KH`` a card face down to seat 0, ``0^KH`` face up, ``0??`` unread, ``0KH/top`` seen to come
from the top; ``h0`` have, ``s0`` stick, ``out0`` or ``out0:KH,QH`` and ``claim0:KH,QH,AS``,
``show0:KH,…``, ``cut0KH``, ``fix:KH>QH`` or ``fix0:KH>QH``, ``undo``, ``misdeal``, ``next``,
``leave0``, ``join8``. ``!CODE`` at the end of a word: it must be refused with that code.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from engine import (
    Card,
    Claim,
    Correct,
    Cut,
    Deal,
    Declare,
    Event,
    Facing,
    Have,
    Join,
    Leave,
    Misdeal,
    NextHand,
    PackEnd,
    Player,
    Reveal,
    State,
    Stick,
    Undo,
    new_table,
)
from engine.core.cards import parse_or_unread
from tests.support import invariants

NAMES = ["Ann", "Bess", "Cecil", "Doll", "Edmund", "Frances", "Giles", "Hester", "Ivo", "Joan"]


def event_of(word: str) -> Event:
    if found := re.fullmatch(r"(\d)(\^?)(..)(?:/(top|bottom))?", word):
        seat, up, card, end = found.groups()
        facing = Facing.UP if up else Facing.DOWN
        return Deal(int(seat), parse_or_unread(card), facing, PackEnd(end) if end else None)
    if found := re.fullmatch(r"(cut|show|claim|out)(\d):?(.*)", word):
        verb, seat, text = found.groups()
        cards = tuple(parse_or_unread(code) for code in text.split(",") if code)
        if verb == "cut":
            return Cut(int(seat), cards[0])
        if verb == "show":
            return Reveal(int(seat), cards)
        return Declare(int(seat), Claim.OUT if verb == "out" else Claim.THIRTY_ONE, cards)
    if found := re.fullmatch(r"fix(\d?):(..)>(..)", word):
        owner, was, card = found.groups()
        return Correct(parse_or_unread(was), parse_or_unread(card), int(owner) if owner else None)
    if found := re.fullmatch(r"(h|s|leave|join)(\d)", word):
        verb, seat = found.groups()
        if verb == "join":
            return Join(int(seat), NAMES[int(seat)])
        return {"h": Have, "s": Stick, "leave": Leave}[verb](int(seat))
    return {"undo": Undo(), "misdeal": Misdeal("agreed"), "next": NextHand()}[word]


def play_on(state: State, script: str) -> State:
    return invariants.run(state, script, event_of)


@pytest.fixture
def on() -> Callable[[State, str], State]:
    return play_on


@pytest.fixture
def sit() -> Callable[..., State]:
    """Seat players and play a script: ``sit("0KH …", seats=3, dealer=2, stake=2)``."""

    def seat_and_play(
        script: str = "",
        *,
        game: str = "one-and-thirty",
        seats: int | list[int] = 3,
        dealer: int | None = -1,
        preset: str | None = None,
        ages: list[int] | None = None,
        **options: Any,
    ) -> State:
        numbers = list(range(seats)) if isinstance(seats, int) else seats
        players = [
            Player(seat, NAMES[seat], ages[place] if ages else None)
            for place, seat in enumerate(numbers)
        ]
        first = numbers[-1] if dealer == -1 else dealer
        state = new_table(game, players, dealer=first, preset=preset, options=options)
        return play_on(state, script)

    return seat_and_play


def hand_script(*hands: str) -> str:
    """Deal ``"KH 9D 5C"`` to each seat in turn, in rounds."""
    dealt = [hand.split() for hand in hands]
    return " ".join(f"{seat}{hand[k]}" for k in range(3) for seat, hand in enumerate(dealt))


@pytest.fixture
def deal() -> Callable[..., str]:
    return hand_script


@pytest.fixture
def card() -> Callable[[str], Card]:
    return Card.parse
