"""What a booth says to people who have never seen it: what to do now, and with which button.

Players at home know their buttons; here each moment names them, and a finger may touch the names.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from device.croupier.by_hand import WHAT_HAPPENED
from engine.core.messages.message import Message, sentences
from engine.core.messages.prompt import KeyHint, Prompt, PromptKind
from engine.core.views import Phase, View
from engine.games import catalog
from engine.games.one_and_thirty.prompts import TURN_UP
from vision.readings import Place, Reading, ZoneKind

INVITATION = Message("Press HAVE IT, or touch here, to play")

MENU = KeyHint("menu")
"""The menu is always there."""

TELL_31 = Message("Just 31, or over? Tell it by MENU: {said}", said=WHAT_HAPPENED)


def with_key_hints(prompt: Prompt, view: View, by_hand: bool = False) -> Prompt:
    """Return *prompt* with the keys of the moment, and words for people who have never played.

    Played *by_hand*, nobody sees the cards that they turn up.
    A question has its keys already. A trouble keeps its words, for they say what to do.
    """
    if prompt.kind is PromptKind.QUESTION:
        return prompt
    if prompt.kind is PromptKind.TROUBLE:
        has_menu = any(key.button == MENU.button for key in prompt.keys)
        return prompt if has_menu else replace(prompt, keys=(*prompt.keys, MENU))
    game = catalog.find(view.game)
    ordinary, guided = game.prompt(view), game.prompt(view, guided=True)
    detail = prompt.detail
    if prompt.title != ordinary.title and view.phase is not Phase.DONE:
        # Something particular was said: what is to be done now must still be there.
        detail = sentences(prompt.detail, ordinary.title)
    elif prompt.detail == ordinary.detail:
        detail = TELL_31 if by_hand and guided.detail == TURN_UP else guided.detail
    return replace(prompt, detail=detail, keys=(*guided.keys, MENU))


def idle_prompt(view: View) -> Prompt:
    """Return what is said over the game that the booth plays with itself: how to take part."""
    said = catalog.find(view.game).prompt(view)
    return Prompt(INVITATION, said.title, kind=PromptKind.TURN)


def reading_signature(reading: Reading) -> object:
    """Return something that differs when people have moved something, but not by trembling."""
    up = Counter((str(each.card), each.place.zone) for each in reading.cards)
    others = Counter(place.zone for place in _unread(reading))
    bones = Counter(each.face for each in reading.bones)
    return (up, others, bones, len(reading.unsure_bones))


def count_leftovers(reading: Reading) -> int:
    """Return how many cards at the seats, and bones anywhere, a new game would take for its own."""
    places = [*(each.place for each in reading.cards), *_unread(reading)]
    at_seats = sum(place.zone is not None and place.zone.kind is ZoneKind.SEAT for place in places)
    return at_seats + len(reading.bones) + len(reading.unsure_bones)


def _unread(reading: Reading) -> list[Place]:
    """Return where cards lie whose faces are not known."""
    return [*(back.place for back in reading.backs), *(card.place for card in reading.unsure)]
