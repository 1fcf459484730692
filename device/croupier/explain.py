"""Names of players, and the rules' refusals with them in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from device.croupier import messages
from device.croupier.questions import Notice
from engine import TABLE, IllegalActionError, State, apply, view
from engine.core.cards import Card
from engine.core.messages.message import Message, Value
from engine.core.messages.words import the_card

FOR_PROGRAMS = re.compile(r"^no '\w+' (?:now|in this game)[:;] |; [^;]*[\[(][\d, ]*[\])]")
"""Of a refusal: the kind of an event, and numbers of seats."""

CARD = re.compile(r"\b[2-9TJQKA][CDHS]\b")
"""A card as programs write it."""


def name_of(state: State, seat: int | None) -> Value:
    """Return the name of the player at *seat*."""
    for player in state.players:
        if player.seat == seat:
            return player.name
    return Message("Seat {number}", number="?" if seat is None else seat + 1)


def story(state: State) -> Iterator[list[Value]]:
    """Yield for each event of the hand in play what it did, in sentences, if in any."""
    told = state.setup.game.story
    now = replace(state, round=state.start, log=(), events=())
    before = view(now, TABLE)
    for event in state.log:
        now = apply(now, event)
        after = view(now, TABLE)
        yield told.tell(event, before, after)
        before = after


def explain(state: State, refusal: IllegalActionError) -> Value:
    """Return why the rules refuse: in English the engine's own sentence, with names."""

    def named(found: re.Match[str]) -> str:
        return str(name_of(state, int(found[1])))

    text = re.sub(r"\bseat (\d+)", named, FOR_PROGRAMS.sub("", str(refusal)))
    text = CARD.sub(lambda found: str(the_card(Card.parse(found[0]))), text)
    return messages.refused(refusal, f"{text[:1].upper()}{text[1:]}.", state.phase)


def does_not_count(state: State, seat: int | None) -> Notice:
    """Say what to do about a card at a place that counts for nothing.

    Where a cut was taken back that is to cut again, though the card lies there still (rule G-2).
    """
    if seat in state.round.to_cut:
        return messages.cut_again(name_of(state, seat))
    return messages.does_not_count(None if seat is None else name_of(state, seat))
