"""Knocks that money hangs on and that may have been another's, or none: they are asked about.

Only Thirty-one has knocks; of the other games nothing is doubted here.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain
from typing import Any

from device.croupier.assumptions import Assumption, cost_of
from device.croupier.history import History
from device.croupier.looks import Look
from device.ports import Button
from engine.core.events import Discard, Event, Knock

OF_ONE_TURN = frozenset(
    {Assumption.ONE_MOTION, Assumption.PUT_BACK, Assumption.SOURCE, Assumption.SQUARED}
)
"""What happens within a turn, so that there is no turn more or less for it."""

DOUBTED = frozenset({Assumption.SILENT_KNOCK, Assumption.IDLE_HAND})
"""What money hangs on is asked before it is paid, when it was only assumed."""

DEAR = 4
"""A history that assumed so much may have a turn more or less than there was."""


def first_doubt(
    best: History[Any], looks: Sequence[Look], first: int, sure: Collection[Event]
) -> int | None:
    """Return the number of an event that money hangs on, and that is not sure; ``None`` for none.

    Nobody saw or said it, or somebody else has said what may have been it.

    Args:
        best: the likeliest history.
        looks: those of the hand.
        first: the number of the first event that they explain; none before it is doubted.
        sure: events that people have confirmed.
    """
    if best.done is None or best.state.outcome is None:
        return None
    for number, (event, assumed) in enumerate(best.steps[first:], start=first):
        silent = DOUBTED & {*assumed} and not _said_late(best, looks, number)
        if (silent or _may_be_no_knock(best, looks, number)) and event not in sure:
            return number
    return None


def first_knock(each: History[Any]) -> int | None:
    """Return the number of the first knock of a history; ``None`` where nobody knocked."""
    return next((n for n, event in enumerate(each.events) if isinstance(event, Knock)), None)


def _said_late(best: History[Any], looks: Sequence[Look], number: int) -> bool:
    """Return whether who knocked without a word has said so at their seat since."""
    event = best.events[number]
    since = next((look for look, end in best.ends if end > number), None)
    said = _stuck_at(looks, getattr(event, "seat", None))
    return since is not None and any(look > since for look in said)


def _stuck_at(looks: Sequence[Look], seat: int | None) -> list[int]:
    """Return the numbers of the looks at which STICK was pressed at a seat."""
    return [
        look.number
        for look in looks
        for said in look.said
        if said.press is not None and said.press.button is Button.STICK and said.press.seat == seat
    ]


def _may_be_no_knock(best: History[Any], looks: Sequence[Look], number: int) -> bool:
    """Return whether an event of the best history is a knock, and may have been another's."""
    event = best.events[number]
    if not isinstance(event, Knock):
        return False
    assumed, *later = best.assumed[number:]
    if Assumption.LOST_TRACK in assumed:  # nobody knows any more whose turn it was
        unheard = any(Assumption.HANDS_OPEN in each for each in later)
        if unheard or not _stuck_at(looks, event.seat):
            return True
    return _said_another(best, looks, event) or _follows_unseen_turn(best, looks, number, event)


def _follows_unseen_turn(
    best: History[Any], looks: Sequence[Look], number: int, knock: Knock
) -> bool:
    """Return whether another player's turn before a knock was seen by nobody.

    In the last one they may have knocked instead, unheard; who said something later only stood.
    Where hands are told apart that player's was seen: they drew. But in a story that is dear
    one turn more or less makes a word another's, unless only the knocker said one at a seat.
    """
    last: dict[int, bool] = {}
    ever = False
    for event, assumed in best.steps[:number]:
        if isinstance(event, Discard) and event.seat != knock.seat:
            last[event.seat] = Assumption.UNSEEN_DISCARD in assumed
            ever |= last[event.seat]
    if best.hands is None:
        return any(last.values())
    ever_assumed = chain.from_iterable(best.assumed[:number])
    cost = cost_of(each for each in ever_assumed if each not in OF_ONE_TURN)
    alone = _stuck_at(looks, knock.seat) and not any(_stuck_at(looks, seat) for seat in last)
    return ever and cost >= DEAR and not alone


def _said_another(best: History[Any], looks: Sequence[Look], event: Knock) -> bool:
    """Return whether somebody else said at their seat what may have been this knock.

    Where it came before the word of the knocker, or the best history has no use for it, it may
    have put the knock elsewhere. What comes after that word only says that others stand.
    """
    used = frozenset().union(*best.about)
    others: set[int] = set()
    for look in looks:
        for said in look.said:
            if said.press is None or said.press.button is not Button.STICK:
                continue
            if said.press.seat == event.seat:
                return bool(others)
            if said.press.seat is not None:
                others.add(-look.number)
    return not others <= used
