"""What a repair changed, in one sentence: "Ann took the 9 of hearts after all"."""

from __future__ import annotations

from collections.abc import Sequence

from engine import Event
from engine.core.events import Claim, Deal, Declare, Discard, Draw, Have, Knock, Roll, Source, Stick
from engine.core.messages.message import Message, Value
from engine.core.messages.prompt import player_name
from engine.core.messages.words import the_card
from engine.core.views import View


def first_difference(before: Sequence[Event], after: Sequence[Event]) -> Event | None:
    """Return the first event of *after* that is not that of *before*; ``None`` without any."""
    for place, event in enumerate(after):
        if place >= len(before) or before[place] != event:
            return event
    return None


def unclear() -> Message:
    """Return what is said where nobody can tell any more what was drawn and laid."""
    return Message("What was drawn and laid is not clear any more: the open hands count.")


def after_all(event: Event | None, before: View, after: View) -> Value:
    """Return what is true after all; nothing where nobody need be told.

    Only what the whole table saw is named (rule G-7).

    Args:
        event: the first that is not as it was believed.
        before: what the table was told.
        after: what it is told now.
    """
    name = player_name(after, getattr(event, "seat", None))
    match event:
        case Draw(source=Source.STOCK):
            return Message("{name} drew from the stock after all.", name=name)
        case Draw(card=card) if card is not None:
            return Message("{name} took {card} after all.", name=name, card=the_card(card))
        case Discard(card=card) if card is not None:
            return Message("{name} laid {card} after all.", name=name, card=the_card(card))
        case Knock():
            return Message("{name} knocked after all.", name=name)
        case Stick():
            return Message("{name} sticks after all.", name=name)
        case Have() | Deal():
            return Message("{name} has another card after all.", name=name)
        case Declare(what=Claim.OUT):
            return Message("{name} is out after all.", name=name)
        case Roll(faces=faces):
            return Message("{name} throws {points} after all.", name=name, points=sum(faces))
    if after.turn is not None and after.turn != before.turn:
        turn = player_name(after, after.turn)
        return Message("It is {name}'s turn after all.", name=turn)
    return ""
