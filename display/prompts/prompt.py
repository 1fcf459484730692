"""A prompt: the words of one moment, what can be answered, and how it is meant."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from display.controls import KeyHint
from display.drawing.image import Picture
from display.i18n.translate import Translator
from engine.core.bones import Face
from engine.core.cards import Card
from engine.core.views import View


class PromptKind(StrEnum):
    """How a prompt is meant, shown by its icon as well as its colour."""

    TURN = "turn"
    INFO = "info"
    QUESTION = "question"
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True)
class Prompt:
    """What the croupier says or asks.

    Attributes:
        title: the sentence itself, read from three metres.
        detail: a smaller sentence below it.
        choices: answers in words.
        card_choices: answers that are cards, drawn large over the table.
        selected: which answer is marked, counted from 0, the cards first.
        bone_choices: the first of *choices* as pictures, where they are faces of a bone.
        picture: what the question is about, cut out of the camera's picture.
        hint: what the teaching mode adds, below.
        refused: why the last press was refused; a line above the words, for a few seconds.
        keys: what the buttons do now, below the words; without any a table shows none, and its
            buttons are known by heart.
    """

    title: str
    detail: str = ""
    choices: tuple[str, ...] = ()
    card_choices: tuple[Card, ...] = ()
    kind: PromptKind = PromptKind.INFO
    selected: int = 0
    bone_choices: tuple[Face, ...] = ()
    picture: Picture | None = None
    hint: str = ""
    keys: tuple[KeyHint, ...] = ()
    refused: str = ""


def player_name(view: View, number: int, _: Translator) -> str:
    """Return a player's name; a seat somebody has left in the meantime is called by its number."""
    for seat in view.seats:
        if seat.seat == number:
            return seat.name
    return _("Seat {number}").format(number=number + 1)
