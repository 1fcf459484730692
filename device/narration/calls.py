"""What a croupier calls out: results first, totals in the place of lists, nothing twice."""

from __future__ import annotations

from device.croupier.by_hand import BY_HAND
from device.narration.story import tell_live
from device.ports import Talk
from device.runtime.session import REPAIRED
from display import PromptText
from display.i18n.translate import Translator
from engine import Event
from engine.core.events import (
    Choose,
    Correct,
    CorrectBone,
    Cut,
    Deal,
    Discard,
    Draw,
    Facing,
    Have,
    Misdeal,
    NextHand,
    Reveal,
    Roll,
    Source,
    Stick,
    Undo,
)
from engine.core.messages.message import Joined, Message, Value
from engine.core.messages.prompt import player_name
from engine.core.messages.words import card_words, has_cards
from engine.core.views import Phase, Stage, TableKind, View
from engine.games import catalog
from engine.games.moments import Moment, MomentKind
from engine.games.prompts import bone_line
from engine.games.results import cost_lines, match_lines

WINS = (MomentKind.MATCH, MomentKind.THIRTY_ONE)
"""Moments whose call says who has won."""


def puts_right(event: Event, assumed: str = "") -> bool:
    """Return whether *event* changes what was believed before."""
    return assumed == REPAIRED or isinstance(event, Undo | Misdeal | Correct | CorrectBone)


def result_lines(
    view: View, language: str = "en", *, with_bone: bool = True, with_match: bool = False
) -> list[str]:
    """Return what is said of a finished hand besides its prompt: who pays whom, who loses lives.

    *with_match*: also who is out of the match, and what the pot brings; else the prompt has it.
    """
    if view.result is None or view.result.end == "misdeal":
        return []
    say = Translator.of(language).render
    bone = bone_line(view) if with_bone else ""
    lines = (*cost_lines(view), *(match_lines(view) if with_match else ()), bone)
    return [say(line) for line in lines if line]


def first_of_all(
    before: View,
    after: View,
    moment: Moment | None,
    language: str = "en",
    talk: Talk = Talk.NORMAL,
) -> list[str]:
    """Return what is called at once: how the hand has ended, and the great moment."""
    calls: list[Value] = []
    tells = moment is not None and moment.kind in WINS and talk is not Talk.ALL
    if after.result is not None and not tells:
        ended, was = (catalog.find(each.game).prompt(each).title for each in (after, before))
        if before.result is None or ended != was or after.result.winners != before.result.winners:
            calls.append(ended)
    if moment is not None:
        calls.append(moment.call)
    say = Translator.of(language).render
    return [sentence(say(call)) for call in calls]


def spoken_lines(
    event: Event,
    before: View,
    after: View,
    language: str = "en",
    assumed: str = "",
    talk: Talk = Talk.ALL,
) -> list[str]:
    """Return the sentences on *event* that are spoken besides what is called at once.

    The story as it is written, but for what players say themselves (stick, have it), for cards
    that lie face down, and for the end of a hand, which the screen words in its own way. Where the
    table sees nothing, a card that was asked for is counted: so it is heard that it was noted.
    """
    translator = Translator.of(language)
    if assumed == REPAIRED:
        return tell_live(event, before, after, assumed, translator)
    if isinstance(event, Deal) and event.face is not Facing.UP:
        is_entered = assumed == BY_HAND and before.card_asked and talk is not Talk.FEW
        seat = after.seat(event.seat)
        return [translator.render(has_cards(seat.name, len(seat.cards)))] if is_entered else []
    if isinstance(event, NextHand):
        return []
    if talk is not Talk.ALL and not puts_right(event):
        short = None if talk is Talk.FEW else _in_short(event, before, after)
        if short is not None or talk is Talk.FEW:
            return [translator.render(short)] if short else []
    lines = tell_live(event, before, after, assumed, translator)
    if after.result is not None and after.result != before.result:
        # The result is spoken from the screen's own sentences.
        del lines[1:]
    first = 1 if isinstance(event, Have | Stick | Choose) else 0
    return [line for line in lines[first:] if line]


def _in_short(event: Event, before: View, after: View) -> Value | None:
    """Return the few words on an event; ``None`` where the story has no more."""
    match event:
        case Cut():
            if after.dealer is None:
                is_tie = set(after.to_cut) != set(before.to_cut) - {event.seat}
                return None if is_tie else ""
            name = player_name(after, after.dealer)
            return Message("The lowest is {name}'s, who deals.", name=name)
        case Deal() | Reveal() | Roll():
            seat = after.seat(event.seat)
            if seat.total is not None and isinstance(event, Roll) and after.turn == event.seat:
                return ""  # the question that comes says it
            if seat.total is not None:
                return Joined((seat.name, f"{seat.total}."), ": ")
            if isinstance(event, Deal) and event.card is not None:
                return Joined((seat.name, Joined((card_words(event.card), "."), "")), ": ")
            return None
        case Discard() if event.card is not None:
            name = player_name(after, event.seat)
            return Joined((name, Joined((card_words(event.card), "."), "")), ": ")
        case Draw() if event.source is Source.DISCARD:
            return None
        case Draw() | Discard():
            return ""  # nobody knows which card it is
    return None


def in_turn(view: View) -> str:
    """Return what is said to a player who has heard the question before: name, and total."""
    seat = None if view.turn is None else view.seat(view.turn)
    if seat is None:
        return ""
    return f"{seat.name}?" if seat.total is None else f"{seat.name}: {seat.total}?"


def prompt_key(view: View) -> object:
    """Return what a prompt of this moment has in common with those that are said only once."""
    title = catalog.find(view.game).prompt(view).title
    asks = title.id if isinstance(title, Message) and view.phase is Phase.PLAY else ""
    return (view.phase, asks)


def goes_without_saying(view: View) -> bool:
    """Return whether people who have heard it in an earlier hand know what is asked now.

    Who deals was said at the end of the hand before, and who has asked for a card waits for it.
    """
    return view.phase is Phase.DEAL or view.card_asked or view.stage is Stage.EXTRA


def next_deal(view: View) -> Value:
    """Return who deals next, or has the bank."""
    heir = None if view.result is None else view.result.next_dealer
    if heir is None or (view.match is not None and view.match.over):
        return ""
    name = player_name(view, heir)
    if view.table is TableKind.BONES:
        return "" if heir != view.dealer else Message("{name} is the bank", name=name)
    return Message("{name} deals next.", name=name)


def is_ordinary(prompt: PromptText, view: View, language: str) -> bool:
    """Return whether *prompt* asks what is always asked at this moment."""
    title = catalog.find(view.game).prompt(view).title
    return prompt.title == Translator.of(language).render(title)


def sentence(text: str) -> str:
    """Return *text* with its full stop: the voice pauses at the end of a sentence."""
    return text if not text or text[-1] in ".?!…" else f"{text}."
