"""What the croupier says in One-and-Thirty and Bone-Ace, for people who have never played."""

from __future__ import annotations

from dataclasses import replace

from engine.core.counting import GOAL
from engine.core.messages.message import Message, sentences
from engine.core.messages.prompt import Prompt, player_name, player_names
from engine.core.outcome import End
from engine.core.views import Phase, View
from engine.games.prompts import card_prompt

FIRST_CARDS = 3
"""How many cards each player has at their first decision."""

TURN_UP = Message("Just 31, or over? Then turn all your cards face up.")
"""Said to who has drawn; nobody sees it where people enter what lies on the table."""


def prompt(view: View, *, guided: bool = False) -> Prompt:
    """Return what is said at this moment; with *guided*, what to do with one's hand."""
    said = card_prompt(view, guided=guided)
    if view.phase is Phase.DONE:
        return _over(view, said)
    if not guided or view.phase is not Phase.PLAY or view.card_asked:
        return said
    seat = None if view.turn is None else view.seat(view.turn)
    if seat is None or len(seat.cards) <= FIRST_CARDS:
        detail = Message("Look at your cards: as near to 31 as you can, not over it.")
    elif seat.shown:
        detail = Message("Just 31 wins at once; over 31 you are out.")
    else:
        detail = TURN_UP
    return replace(said, detail=detail)


def _over(view: View, said: Prompt) -> Prompt:
    """Return what is said after the end: an earlier 31, and who may still show (rule OT-19)."""
    result = view.result
    if result is not None and result.late and result.end is End.THIRTY_ONE:
        name = player_name(view, result.winners[0])
        others = (seat for seat in view.seats if seat.seat != result.winners[0])
        title = Message("{name} had 31 and wins", name=name)
        if any(seat.total == GOAL for seat in others):
            title = Message("{name} had 31 first and wins", name=name)
        said = replace(said, title=title)
    if not view.may_reveal:
        return said
    names = player_names(view, view.may_reveal)
    may = Message("May still show: {names}.", names=names)
    return replace(said, detail=sentences(may, said.detail))
