"""How people answer the croupier's questions: by looking at what lies there."""

from __future__ import annotations

from collections.abc import Collection

from device.croupier.questions import Candidate, Question
from device.ports import Button, Press


def by_looking(question: Question, lying: Collection[Candidate]) -> list[Press]:
    """Press what leads to the truth: *lying* is all that it can be.

    Where nothing can be chosen people say no: nobody at this table deals a card unasked or the
    wrong way up, so the eyes were mistaken.
    """
    if not question.candidates:
        return [Press(Button.STICK, 0.0)]
    if question.candidates[question.selected] in lying:
        return [Press(Button.HAVE, 0.0)]
    known = any(candidate in lying for candidate in question.candidates)
    return [Press(Button.STICK if known else Button.UNDO, 0.0)]
