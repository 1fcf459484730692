"""What the croupier says in One-and-Thirty and Bone-Ace, for people who have never played."""

from __future__ import annotations

from dataclasses import replace

from engine.core.messages.message import Message
from engine.core.messages.prompt import Prompt
from engine.core.views import Phase, View
from engine.games.prompts import card_prompt

FIRST_CARDS = 3
"""How many cards each player has at their first decision."""


def prompt(view: View, *, guided: bool = False) -> Prompt:
    """Return what is said at this moment; with *guided*, what to do with one's hand."""
    said = card_prompt(view, guided=guided)
    if not guided or view.phase is not Phase.PLAY or view.card_asked:
        return said
    cards = 0 if view.turn is None else len(view.seat(view.turn).cards)
    if cards <= FIRST_CARDS:
        detail = Message("Look at your cards: as near to 31 as you can, not over it.")
    else:
        detail = Message("Just 31, or over? Then turn all your cards face up.")
    return replace(said, detail=detail)
