"""Speaks as a croupier calls: the moment and the result first, then payments, then what is due."""

from __future__ import annotations

from dataclasses import replace

from device.narration.calls import (
    first_of_all,
    goes_without_saying,
    in_turn,
    is_ordinary,
    next_deal,
    prompt_key,
    puts_right,
    result_lines,
    sentence,
    spoken_lines,
)
from device.ports import Speaker, Talk
from device.runtime.table import Screen
from display import PromptText
from display.chimes import Chime
from display.controls import BUTTON_WORDS
from display.i18n.translate import Translator
from display.pages.base import Page
from engine import Event
from engine.core.events import Cut, Deal, Roll
from engine.core.messages.message import N_, Joined, Message, Value, or_list
from engine.core.messages.prompt import PromptKind
from engine.core.messages.words import rank_word, the_card
from engine.core.views import Phase, ResultView, SeatStatus, View
from engine.games.moments import MomentKind, moment_of
from engine.games.prompts import bone_prompt, is_bone_moment

EVENT = "event"
"""The topic of what happened: of what is not the end of a hand only the last thing matters."""

PAYMENT = "payment"
"""The topic of who pays whom."""

PROMPT = "prompt"
"""The topic of prompts: a prompt that has been overtaken is not spoken any more."""

HINT = "hint"
"""The topic of the teaching mode: what it said of the last moment is forgotten."""

REFUSED = "refused"
"""The topic of refused presses: only the last one matters."""

CHOICE = "choice"
"""The topic of the answer that is marked: only the last one matters."""


ANSWER = "answer"
"""The topic of what somebody has asked the voice: only the last answer matters."""


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
        parts.append(or_list(_words(prompt)))
    if prompt.kind is PromptKind.QUESTION or view.phase is Phase.DONE:
        # In play the question itself names them; at other times only the menu is there.
        keys = [key for key in prompt.keys if key.message]
        parts += [Joined((BUTTON_WORDS[key.button], key.message), ": ") for key in keys]
    return " ".join(filter(None, (sentence(say(part)) for part in parts)))


def _words(prompt: PromptText) -> tuple[Value, ...]:
    """Return the answers that are no cards as they are said."""
    ranks = tuple(rank_word(rank) for rank in prompt.rank_choices)
    return (*ranks, *prompt.choices[len(ranks) :])


def marked(prompt: PromptText, language: str = "en") -> str:
    """Return what is said of the answer that is marked; empty where there is nothing to choose."""
    answers: list[Value] = [*(the_card(card) for card in prompt.card_choices), *_words(prompt)]
    if len(answers) < 2 or not 0 <= prompt.selected < len(answers):
        return ""
    return Translator.of(language).render(
        Message("Marked: {answer}.", answer=answers[prompt.selected])
    )


CHIMES = {
    MomentKind.MATCH: Chime.MATCH,
    MomentKind.THIRTY_ONE: Chime.THIRTY_ONE,
    MomentKind.BONE_ACE: Chime.BONE_ACE,
    MomentKind.BONE: Chime.BONE,
    MomentKind.OVER: Chime.BUST,
    MomentKind.KNOCK: Chime.KNOCK,
    MomentKind.FIVE: Chime.FIVE,
    MomentKind.BANK: Chime.BANK,
    MomentKind.LAST_LIFE: Chime.LAST_LIFE,
}
"""The chime of each great moment."""


def chime_for(event: Event, before: View, after: View, assumed: str = "") -> Chime | None:
    """Return the chime of what *event* has changed; the weightiest when there are several."""
    if puts_right(event, assumed):
        return Chime.UNDO
    moment = moment_of(event, before, after)
    if moment is not None:
        return CHIMES[moment.kind]
    if after.result is not None and before.result is None:
        return Chime.WIN if after.result.winners else Chime.BUST
    out = {seat.seat for seat in after.seats if seat.status is SeatStatus.OUT}
    was = {seat.seat for seat in before.seats if seat.status is SeatStatus.OUT}
    if out - was:
        return Chime.BUST
    if after.phase is Phase.PLAY and after.turn is not None and after.turn != before.turn:
        return Chime.TURN
    if isinstance(event, Deal | Cut | Roll):
        return Chime.CARD
    return None


class Announcer:
    """Listens to the game and watches the prompt, and speaks.

    Everything it says is on the screen, or has been seen to happen on the table.
    """

    def __init__(self, speaker: Speaker, language: str = "en", talk: Talk = Talk.NORMAL) -> None:
        """Speak with *speaker*; *talk* is how much."""
        self._speaker = speaker
        self._language, self._talk = language, talk
        self._result: ResultView | None = None
        self._asked: set[object] = set()
        self._explained: set[object] = set()
        self._said_to: tuple[int, str] = (0, "")
        self._due_of: tuple[int, int | None] = (0, None)
        self._hand = 0
        self._prompt: PromptText | None = None
        self._said = ""
        self._marked = ""
        self._asides = {HINT: "", REFUSED: ""}
        self._last = ""
        self._repeats = 0

    def listen(self, event: Event, before: View, after: View, assumed: str = "") -> None:
        """Handle one event; a listener of :class:`device.runtime.session.Session`."""
        chime, language = chime_for(event, before, after, assumed), self._language
        if chime is not None:
            self._speaker.chime(chime)
        lines = spoken_lines(event, before, after, language, assumed, self._talk)
        moment = None
        if puts_right(event, assumed):
            # What was being said is no longer true; only what has changed is said.
            self._speaker.hush()
            for line in lines:
                self._say(line)
            lines = []
        else:
            moment = moment_of(event, before, after)
        calls = first_of_all(before, after, moment, language, self._talk)
        if calls:
            self._say(" ".join(calls), urgent=True)
        is_over = after.result is not None and after.result != before.result
        if is_over:
            # What is due says it of the match, until it is cut short.
            short = self._talk is not Talk.ALL and Phase.DONE in self._explained
            new = before.bone is None
            paid = result_lines(after, language, with_bone=new, with_match=short)
            self._say(" ".join(paid), PAYMENT)
        elif moment is not None and after.bone != before.bone:
            # The card that decides it is the last one of the deal.
            pays = self._rendered(bone_prompt(after).detail)
            self._say(" ".join([*lines, pays]), PAYMENT)
        elif moment is None and lines:
            self._say(" ".join(lines), EVENT)
        if after.result != before.result:
            self._result = after.result

    def watch(self, prompt: PromptText, view: View) -> None:
        """Handle what the screen says now; call it with every frame."""
        if prompt == self._prompt:
            return
        before, self._prompt = self._prompt, prompt
        if before is not None and prompt.asked > before.asked:
            self._answer(prompt, view)
            told = replace(before, asked=prompt.asked, told=prompt.told)
            if replace(told, shows_told=prompt.shows_told) == prompt:
                return
        words = self._words(prompt, view)
        if words != self._said:
            self._said = words
            was = None if before is None else before.kind
            if prompt.kind is PromptKind.QUESTION:
                self._speaker.chime(Chime.QUESTION)
            elif prompt.kind is PromptKind.TROUBLE and was is not PromptKind.TROUBLE:
                self._speaker.chime(Chime.TROUBLE)
            if words:
                self._say(words, PROMPT)
            self._marked = marked(prompt, self._language)
            self._say_asides(prompt)
            return
        self._say_asides(prompt)
        answer = marked(prompt, self._language)
        if answer != self._marked:
            self._marked = answer
            self._say(answer, CHOICE)

    def _say(self, text: str, topic: str = "", *, urgent: bool = False) -> None:
        if text and topic is not CHOICE:
            self._last, self._repeats = text, 0
        self._speaker.say(text, topic, urgent=urgent)

    def _answer(self, prompt: PromptText, view: View) -> None:
        """Tell how it stands, or say it again: what was said last, then all of the moment."""
        if prompt.told:
            self._say(prompt.told, ANSWER, urgent=True)
            return
        whole = " ".join(
            [spoken(prompt, view, self._language), *result_lines(view, self._language)]
        )
        self._repeat(" ".join(filter(None, (whole, marked(prompt, self._language)))))

    def _repeat(self, whole: str) -> None:
        """Say again what was said last; asked once more, *whole*."""
        repeats = self._repeats + 1
        self._say(self._last if repeats == 1 and self._last else whole, ANSWER, urgent=True)
        self._repeats = repeats

    def read_again(self) -> None:
        """Say the screen around the game again, with what is marked."""
        self._repeat(" ".join(filter(None, (self._said, self._marked))))

    def _rendered(self, value: Value) -> str:
        return Translator.of(self._language).render(value)

    def _words(self, prompt: PromptText, view: View) -> str:
        """Return what is said of *prompt*: of one that was heard before only what is new."""
        language, words = self._language, spoken(prompt, view, self._language)
        if not is_ordinary(prompt, view, language):
            return words
        if view.phase is Phase.DONE and view.result is not None:
            return self._due(prompt, view, words)
        if self._talk is Talk.ALL:
            return words
        key = prompt_key(view)
        title = spoken(replace(prompt, detail="", keys=()), view, language)
        if view.hand_number != self._hand:
            self._hand, self._asked = view.hand_number, set()
        if key in self._explained:
            return self._again(key, title, view)
        self._explained.add(key)
        self._asked.add(key)
        self._said_to = (view.hand_number, in_turn(view))
        return title if self._talk is Talk.FEW or is_bone_moment(view) else words

    def _due(self, prompt: PromptText, view: View, words: str) -> str:
        """Return what is due after a hand, and how it ended where nobody has heard that."""
        if view.result != self._result:
            self._result = view.result  # the table was resumed
            return " ".join([words, *result_lines(view, self._language)])
        due_of = (view.hand_number, view.result.next_dealer if view.result is not None else None)
        if due_of == self._due_of:
            return ""
        self._due_of = due_of
        due = replace(prompt, title="")
        if self._talk is not Talk.ALL and Phase.DONE in self._explained:
            due = replace(due, detail=self._rendered(next_deal(view)), keys=())
        self._explained.add(Phase.DONE)
        return spoken(due, view, self._language)

    def _again(self, key: object, title: str, view: View) -> str:
        """Return what is said of a question that has been heard in full before."""
        if goes_without_saying(view):
            return ""
        if view.phase is Phase.PLAY:
            said, self._said_to = self._said_to, (view.hand_number, in_turn(view))
            return "" if said == self._said_to else in_turn(view)
        if key in self._asked:
            return ""
        self._asked.add(key)
        return title

    def _say_asides(self, prompt: PromptText) -> None:
        """Report what the teaching mode adds, and why a press was refused, once it is there."""
        say = Translator.of(self._language).render
        for topic, value in ((HINT, prompt.hint), (REFUSED, prompt.refused)):
            words = say(value)
            if words != self._asides[topic]:
                self._asides[topic] = words
                self._say(words, topic)

    def read(self, page: Page) -> None:
        """Handle a screen other than the table; call it with every frame."""
        say = Translator.of(self._language).render
        words, answer = say(page.spoken()), say(page.marked())
        if words != self._said:
            self._said, self._marked, self._prompt = words, answer, None
            self._say(" ".join(part for part in (words, answer) if part), PROMPT)
        elif answer != self._marked:
            self._marked = answer
            self._say(answer, CHOICE)


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
