"""How simulated players answer the croupier: they report what lies on the table."""

from __future__ import annotations

from collections.abc import Collection

from device.croupier.questions import Candidate, Question
from device.ports import Button, Press


def answer_from_table(question: Question, true: Collection[Candidate]) -> list[Press]:
    """Return the next press towards the true answer; *true* holds all candidates that are.

    A question without candidates is answered no: simulated players never deal a card unasked or
    the wrong way up, so the card was misread.
    """
    if not question.candidates:
        return [Press(Button.STICK, 0.0)]
    if question.candidates[question.selected] in true:
        return [Press(Button.HAVE, 0.0)]
    known = any(candidate in true for candidate in question.candidates)
    return [Press(Button.STICK if known else Button.UNDO, 0.0)]
