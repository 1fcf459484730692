"""Speaks the words of the screen when they change, and plays a chime for the moment."""

from __future__ import annotations

from device.narration.story import tell_live
from device.ports import Speaker
from device.runtime.session import REPAIRED
from device.runtime.table import Screen
from display import PromptText
from display.chimes import Chime
from display.controls import BUTTON_WORDS
from display.i18n.translate import Translator
from display.pages.base import Page
from engine import Event
from engine.core.events import (
    Choose,
    Correct,
    CorrectBone,
    Cut,
    Deal,
    Facing,
    Have,
    Misdeal,
    NextHand,
    Roll,
    Stick,
    Undo,
)
from engine.core.messages.message import N_, Joined, Message, Value, or_list
from engine.core.messages.prompt import PromptKind
from engine.core.messages.words import the_card
from engine.core.views import Phase, SeatStatus, View
from engine.games.prompts import bone_line, payment_lines

PROMPT = "prompt"
"""The topic of prompts: a prompt that has been overtaken is not spoken any more."""

HINT = "hint"
"""The topic of the teaching mode: what it said of the last moment is forgotten."""

REFUSED = "refused"
"""The topic of refused presses: only the last one matters."""

CHOICE = "choice"
"""The topic of the answer that is marked: only the last one matters."""


def spoken(prompt: PromptText, view: View, language: str = "en") -> str:
    """Return what is said of *prompt*: its own words, and in words what it shows as pictures.

    Only the view and the prompt are spoken of: what the whole table may see (rule G-7). A total
    is said when it stands on the screen.
    """
    say = Translator.of(language).render
    title = prompt.title
    seat = view.seat(view.turn) if view.turn is not None else None
    if seat is not None and seat.total is not None:
        asks = Message("{name}: stick, or have it?", name=seat.name)
        if say(title) == say(asks):
            asks_with = N_("{name}: {total}. Stick, or have it?")
            title = Message(asks_with, name=seat.name, total=seat.total)
    parts: list[Value] = [title]
    if len(prompt.card_choices) > 1:
        cards = or_list(tuple(the_card(card) for card in prompt.card_choices))
        parts.append(Message("It may be {cards}.", cards=cards))
    parts.append(prompt.detail)
    if prompt.choices:
        parts.append(or_list(prompt.choices))
    if prompt.kind is PromptKind.QUESTION or view.phase is Phase.DONE:
        # In play the question itself names them; at other times only the menu is there.
        keys = [key for key in prompt.keys if key.message]
        parts += [Joined((BUTTON_WORDS[key.button], key.message), ": ") for key in keys]
    # The voice pauses at the end of a sentence.
    ends = ".?!…"
    words = [say(part) for part in parts]
    return " ".join(each if each[-1] in ends else f"{each}." for each in words if each)


def marked(prompt: PromptText, language: str = "en") -> str:
    """Return what is said of the answer that is marked; empty where there is nothing to choose."""
    answers: list[Value] = [*(the_card(card) for card in prompt.card_choices), *prompt.choices]
    if len(answers) < 2 or not 0 <= prompt.selected < len(answers):
        return ""
    return Translator.of(language).render(
        Message("Marked: {answer}.", answer=answers[prompt.selected])
    )


def result_lines(view: View, language: str = "en") -> list[str]:
    """Return what is said of a finished hand besides its prompt: who pays whom."""
    if view.result is None or view.result.end == "misdeal":
        return []
    say = Translator.of(language).render
    return [say(line) for line in (*payment_lines(view), bone_line(view)) if line]


def chime_for(event: Event, before: View, after: View, assumed: str = "") -> Chime | None:
    """Return the chime of what *event* has changed; the weightiest when there are several."""
    if assumed == REPAIRED or isinstance(event, Undo | Misdeal | Correct | CorrectBone):
        return Chime.UNDO
    if after.result is not None and before.result is None:
        return Chime.WIN if after.result.winners else Chime.BUST
    if after.bone is not None and before.bone is None:
        return Chime.BONE_ACE
    out = {seat.seat for seat in after.seats if seat.status is SeatStatus.OUT}
    was = {seat.seat for seat in before.seats if seat.status is SeatStatus.OUT}
    if out - was:
        return Chime.BUST
    if after.phase is Phase.PLAY and after.turn is not None and after.turn != before.turn:
        return Chime.TURN
    if isinstance(event, Deal | Cut | Roll):
        return Chime.CARD
    return None


def spoken_lines(
    event: Event, before: View, after: View, language: str = "en", assumed: str = ""
) -> list[str]:
    """Return the sentences on *event* that are spoken.

    The story as it is written, but for what players say themselves (stick, have it), for cards
    that lie face down, and for the end of a hand, which the screen words in its own way.
    """
    translator = Translator.of(language)
    if assumed == REPAIRED:
        return tell_live(event, before, after, assumed, translator)
    if isinstance(event, NextHand) or (isinstance(event, Deal) and event.face is not Facing.UP):
        return []
    lines = tell_live(event, before, after, assumed, translator)
    if after.result is not None and after.result != before.result:
        # The result is spoken from the screen's own sentences, once it is shown.
        del lines[1:]
    first = 1 if isinstance(event, Have | Stick | Choose) else 0
    return [line for line in lines[first:] if line]


class Announcer:
    """Listens to the game and watches the prompt, and speaks.

    Everything it says is on the screen, or has been seen to happen on the table.
    """

    def __init__(self, speaker: Speaker, language: str = "en") -> None:
        """Speak with *speaker*."""
        self._speaker = speaker
        self._language = language
        self._prompt: PromptText | None = None
        self._said = ""
        self._marked = ""
        self._asides = {HINT: "", REFUSED: ""}

    def listen(self, event: Event, before: View, after: View, assumed: str = "") -> None:
        """Handle one event; a listener of :class:`device.runtime.session.Session`."""
        chime = chime_for(event, before, after, assumed)
        if chime is not None:
            self._speaker.chime(chime)
        if assumed == REPAIRED or isinstance(event, Undo):
            # What was being said is no longer true.
            self._speaker.hush()
        for line in spoken_lines(event, before, after, self._language, assumed):
            self._speaker.say(line)

    def watch(self, prompt: PromptText, view: View) -> None:
        """Handle what the screen says now; call it with every frame."""
        if prompt == self._prompt:
            return
        before, self._prompt = self._prompt, prompt
        words = spoken(prompt, view, self._language)
        if words != self._said:
            self._said = words
            was = None if before is None else before.kind
            if prompt.kind is PromptKind.QUESTION:
                self._speaker.chime(Chime.QUESTION)
            elif prompt.kind is PromptKind.TROUBLE and was is not PromptKind.TROUBLE:
                self._speaker.chime(Chime.TROUBLE)
            lines = result_lines(view, self._language) if view.phase is Phase.DONE else []
            self._speaker.say(" ".join([words, *lines]), PROMPT)
            self._marked = marked(prompt, self._language)
            self._say_asides(prompt)
            return
        self._say_asides(prompt)
        answer = marked(prompt, self._language)
        if answer != self._marked:
            self._marked = answer
            self._speaker.say(answer, CHOICE)

    def _say_asides(self, prompt: PromptText) -> None:
        """Report what the teaching mode adds, and why a press was refused, once it is there."""
        say = Translator.of(self._language).render
        for topic, value in ((HINT, prompt.hint), (REFUSED, prompt.refused)):
            words = say(value)
            if words != self._asides[topic]:
                self._asides[topic] = words
                self._speaker.say(words, topic)

    def read(self, page: Page) -> None:
        """Handle a screen other than the table; call it with every frame."""
        say = Translator.of(self._language).render
        words, answer = say(page.spoken()), say(page.marked())
        if words != self._said:
            self._said, self._marked, self._prompt = words, answer, None
            self._speaker.say(" ".join(part for part in (words, answer) if part), PROMPT)
        elif answer != self._marked:
            self._marked = answer
            self._speaker.say(answer, CHOICE)


class NarratedScreen:
    """A screen whose words are spoken as well, wrapped round the real one, if there is one."""

    def __init__(self, screen: Screen | None, announcer: Announcer, speaker: Speaker) -> None:
        """Show on *screen*, if there is one."""
        self._screen = screen
        self._announcer = announcer
        self._speaker = speaker

    def show(self, view: View, prompt: PromptText | None = None, time_s: float = 0.0) -> None:
        """Draw the table first, then speak."""
        if self._screen is not None:
            self._screen.show(view, prompt, time_s)
        if prompt is not None:
            self._announcer.watch(prompt, view)
        self._speaker.tick()
