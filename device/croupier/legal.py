"""What the rules say of events that may have happened; asking changes nothing."""

from __future__ import annotations

from engine import IllegalActionError, State, apply
from engine.core.events import Event


def refusal_of(state: State, *events: Event) -> IllegalActionError | None:
    """Return why the rules refuse the first of *events* that they refuse, one after the other."""
    try:
        for event in events:
            state = apply(state, event)
    except IllegalActionError as refusal:
        return refusal
    return None


def is_legal(state: State, *events: Event) -> bool:
    """Return whether the rules allow *events*, one after the other."""
    return refusal_of(state, *events) is None
