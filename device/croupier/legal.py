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


def state_after(state: State, *events: Event) -> State | None:
    """Return the state after *events*, one after the other; ``None`` where the rules refuse one."""
    try:
        for event in events:
            state = apply(state, event)
    except IllegalActionError:
        return None
    return state


def is_legal(state: State, *events: Event) -> bool:
    """Return whether the rules allow *events*, one after the other."""
    return state_after(state, *events) is not None
