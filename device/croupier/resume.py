"""Takes a hand up again from what was seen of it, as the journal keeps it."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from device.croupier.interpreter import Interpreter
from device.croupier.lines import Line, ReadingsError, read_line, with_hands
from device.croupier.questions import CroupierResult
from engine import IllegalActionError, State, Undo, apply

log = logging.getLogger(__name__)

MOST_STEPS = 200
"""More interpretations of one line than any hand has events."""


def resume(croupier: Interpreter[Any], state: State, lines: Sequence[str]) -> bool:
    """Feed *lines* of the hand in play to *croupier*: the same lines give the same histories.

    Returns:
        Whether they fit the events of *state*. Where they do not, or cannot be read, the hand goes
        on from the events alone.
    """
    now = _after(state, 0)
    try:
        for line in with_hands(read_line(text, of_journal=True) for text in lines):
            now = _line(croupier, line, now, state)
    except (ReadingsError, IllegalActionError) as problem:
        log.warning("what was seen of this hand cannot be used: %s", problem)
        croupier.forget()
        return False
    if now.log[: len(state.log)] != state.log:
        log.warning("what was seen of this hand does not fit its events; going on from these")
        croupier.forget()
        return False
    croupier.forget(state)
    return True


def _line(croupier: Interpreter[Any], line: Line, now: State, state: State) -> State:
    """Return the state after one line; everything that it leads to counts as written."""
    if line.since is not None:
        now = _after(state, line.since)
        croupier.forget()
        return _followed(croupier, croupier.reinterpret(now), now)
    late = croupier.on_time(line.time_s, now)
    if late is not None:
        now = _followed(croupier, late, now)
    if line.reading is not None:
        result = croupier.on_reading(line.reading, now)
    elif line.press is not None:
        if line.press.choice is not None:
            croupier.choose(line.press.choice)
        result = croupier.on_press(line.press, now)
    elif line.event is not None:
        result = croupier.enter(line.event, now)
    else:
        return now
    return _followed(croupier, result, now)


def _followed(croupier: Interpreter[Any], result: CroupierResult, now: State) -> State:
    for _ in range(MOST_STEPS):
        for event in (*[Undo()] * result.back, *result.events):
            now = apply(now, event)
        if not result.events and not result.back:
            break
        result = croupier.reinterpret(now)
    return now


def _after(state: State, number: int) -> State:
    """Return the state after the first *number* events of the hand."""
    now = replace(state, round=state.start, book=state.opened, log=(), events=())
    for event in state.log[:number]:
        now = apply(now, event)
    return now
