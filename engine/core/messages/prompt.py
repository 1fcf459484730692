"""What the table is asked or told at one moment, and what its buttons do, as values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from engine.core.bones import Face
from engine.core.cards import Card, Rank
from engine.core.messages.message import Listing, Message, Value
from engine.core.views import View


class PromptKind(StrEnum):
    """How a prompt is meant, shown by its icon as well as its colour."""

    TURN = "turn"
    INFO = "info"
    QUESTION = "question"
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True)
class KeyHint:
    """What a button does now.

    Attributes:
        button: ``have``, ``stick``, ``out``, ``next``, ``undo`` or ``menu``.
        message: what it does, in a few words; empty where its name says it.
    """

    button: str
    message: Value = ""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What the croupier says or asks, in no language yet.

    Attributes:
        title: the sentence itself, read from three metres.
        detail: a smaller sentence below it; empty for none, as everywhere here.
        choices: answers in words.
        card_choices: answers that are cards, drawn large over the table.
        selected: which answer is marked, counted from 0, the cards first; -1: none.
        bone_choices: the first of *choices* as pictures, where they are faces of a bone.
        rank_choices: the first of *choices* where they are ranks: said by their names.
        hint: chances and reasons, below the detail.
        keys: what the buttons do now.
        refused: why the last press was refused; shown for a few seconds.
    """

    title: Value
    detail: Value = ""
    choices: tuple[Value, ...] = ()
    card_choices: tuple[Card, ...] = ()
    kind: PromptKind = PromptKind.INFO
    selected: int = 0
    bone_choices: tuple[Face, ...] = ()
    rank_choices: tuple[Rank, ...] = ()
    hint: Value = ""
    keys: tuple[KeyHint, ...] = ()
    refused: Value = ""


def player_name(view: View, number: int | None) -> Value:
    """Return a player's name; a seat that was left in the meantime is called by its number."""
    for seat in view.seats:
        if seat.seat == number:
            return seat.name
    return "" if number is None else Message("Seat {number}", number=number + 1)


def player_names(view: View, seats: Iterable[int]) -> Listing:
    """Return the names of the players at *seats*."""
    return Listing(tuple(player_name(view, seat) for seat in seats))
