"""Names of players, and the rules' refusals with them in it."""

from __future__ import annotations

import re

from device.croupier.messages import refused
from engine import IllegalActionError, State
from engine.core.messages.message import Message, Value


def name_of(state: State, seat: int | None) -> Value:
    """Return the name of the player at *seat*."""
    for player in state.players:
        if player.seat == seat:
            return player.name
    return Message("Seat {number}", number="?" if seat is None else seat + 1)


def explain(state: State, refusal: IllegalActionError) -> Value:
    """Return why the rules refuse: in English the engine's own sentence, with names."""

    def named(found: re.Match[str]) -> str:
        return str(name_of(state, int(found[1])))

    text = re.sub(r"\bseat (\d+)", named, str(refusal))
    return refused(refusal, f"{text[:1].upper()}{text[1:]}.")
