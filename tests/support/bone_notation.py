"""A short notation for knucklebones, so that a round is read quickly.

``0:33444`` seat 0 throws these bones (0 is a cocked one), ``0+2`` they choose 2 more, ``0=5`` they
stake 5, ``h0`` have, ``s0`` stick, ``out0`` they throw in, ``fix0.1.0=4`` their second throw's
first bone is really a 4, ``leave0``, ``join4`` or ``join4=3`` with a stake, ``next`` or
``next:0=2,1=5``, ``misdeal``, ``undo``. ``!CODE`` at the end of a word: it must be refused with
that code.
"""

from __future__ import annotations

import re

import pytest

from engine import (
    Claim,
    Declare,
    Event,
    Have,
    IllegalActionError,
    Join,
    Leave,
    Misdeal,
    NextHand,
    Player,
    State,
    Stick,
    Undo,
    apply,
    new_table,
    view,
)
from engine.core.events import Choose, CorrectBone, Roll, Stake
from tests.support import invariants

BUST = "66643"  # 25
ONES = {"extra_mode": "one_at_a_time"}
BOUND = {"banker_rule": "stand17"}


def event_of(word: str) -> Event:
    if found := re.fullmatch(r"(\d):(\d*)", word):
        return Roll(int(found[1]), tuple(map(int, found[2])))
    if found := re.fullmatch(r"(\d)([+=])(\d+)", word):
        return (Choose if found[2] == "+" else Stake)(int(found[1]), int(found[3]))
    if found := re.fullmatch(r"fix(\d)\.(\d)\.(\d)=(\d)", word):
        return CorrectBone(*map(int, found.groups()))
    if found := re.fullmatch(r"(h|s|leave)(\d)", word):
        return {"h": Have, "s": Stick, "leave": Leave}[found[1]](int(found[2]))
    if found := re.fullmatch(r"out(\d)", word):
        return Declare(int(found[1]), Claim.OUT)
    if found := re.fullmatch(r"join(\d)=?(\d*)", word):
        return Join(int(found[1]), f"P{found[1]}", None, int(found[2]) if found[2] else None)
    if found := re.fullmatch(r"next:(.+)", word):
        pairs = [pair.split("=") for pair in found[1].split(",")]
        return NextHand(tuple((int(seat), int(amount)) for seat, amount in pairs))
    return {"undo": Undo(), "misdeal": Misdeal("agreed"), "next": NextHand()}[word]


def refusal(state: State, event: Event) -> IllegalActionError:
    with pytest.raises(IllegalActionError) as caught:
        apply(state, event)
    return caught.value


def go_on(state: State, script: str) -> State:
    return invariants.run(state, script, event_of)


def play(script="", *, seats=3, banker=-1, stakes=None, **options) -> State:
    """Seat players 0 to *seats*, the last one the banker, each with a stake of 2."""
    numbers = list(range(seats)) if isinstance(seats, int) else seats
    laid = dict.fromkeys(map(str, numbers), 2) if stakes is None else stakes
    players = [Player(seat, f"P{seat}") for seat in numbers]
    first = numbers[banker] if banker == -1 else banker
    start = {"stakes": laid}
    state = new_table("knucklebones", players, dealer=first, options=options, start=start)
    return go_on(state, script)


def paid(state: State) -> list[int]:
    return [tokens for _, tokens in state.hands[-1].settlement]


def stage(state: State) -> tuple[int | None, str | None, int]:
    seen = view(state)
    return seen.turn, seen.stage, seen.bones_due
