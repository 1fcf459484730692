"""What holds of every game, whatever is played: the fold, undo, and a script of events."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from engine import (
    Event,
    IllegalActionError,
    NextHand,
    State,
    Undo,
    apply,
    event_from_dict,
    event_to_dict,
)

Step = tuple[State, Event, State]
"""The state before, the event, and the state after it."""


def run(state: State, script: str, event_of: Callable[[str], Event]) -> State:
    """Apply a script; a refusal that is not announced (``word!CODE``), or does not come, fails."""
    for word in script.split():
        text, _, code = word.partition("!")
        event = event_of(text)
        if not code:
            state = apply(state, event)
            continue
        with pytest.raises(IllegalActionError) as refusal:
            apply(state, event)
        assert refusal.value.code == code, (word, str(refusal.value))
    return state


def folds_again(first: State, steps: Iterable[Step]) -> None:
    """The events alone, as the journal writes them, come to the same state once more."""
    last = again = first
    for _, _, after in steps:
        last = after
    for event in last.events:
        again = apply(again, event_from_dict(event_to_dict(event)))
    assert again == last


def undo_takes_back(steps: Iterable[Step]) -> None:
    """Anything but the beginning of a hand can be taken back, and it is as if it had not been."""
    for before, event, after in steps:
        if not isinstance(event, Undo | NextHand):
            back = apply(after, Undo())
            assert back.round == before.round
            assert (back.log, back.past, back.ledger) == (before.log, before.past, before.ledger)


def apply_changes_nothing(steps: Iterable[Step]) -> None:
    """A state is never changed: what follows from an event is another one."""
    for before, event, _ in steps:
        written = repr(before)
        apply(before, event)
        assert repr(before) == written
