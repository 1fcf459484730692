"""Connects one table: readings, buttons, croupier, game, screen and lamps."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol

from device.clock import Clock
from device.croupier import messages as say
from device.croupier.questions import CroupierResult, Notice, Question
from device.ports import Button, Lamps, Panel, Press
from device.runtime.camera_trouble import explained
from device.runtime.camera_worker import ReadingSource
from device.runtime.croupiers import croupier_for
from device.runtime.hints import HintProvider
from device.runtime.loop import MainLoop
from device.runtime.observer import ObservedReading, ReadingObserver, crop
from device.runtime.session import Session
from device.storage.journal.errors import JournalError
from display.drawing.image import Picture
from display.i18n.translate import Translator
from display.prompts.prompt import PromptText, render
from engine import IllegalActionError, State
from engine.core.events import Correct, CorrectBone, Event, Join, Leave
from engine.core.messages.message import Value
from engine.core.messages.prompt import Prompt, PromptKind
from engine.core.views import Phase, View
from engine.games import catalog
from vision.readings import Reading

log = logging.getLogger(__name__)

RETRY_S = 5.0
"""Seconds after which what failed, or could not be written, is tried again."""

REFUSED_S = 4.0
"""Seconds for which the screen tells why a press was refused."""

MAX_INTERPRETATIONS = 200
"""Upper bound on interpretations of one reading; reaching it means that the croupier loops."""


class Screen(Protocol):
    """Somewhere the table is shown; :class:`display.Window` is one."""

    def show(self, view: View, prompt: PromptText | None = None, time_s: float = 0.0) -> None:
        """Draw the table."""


class TableController(MainLoop):
    """Runs one table.

    Attributes:
        asked: how many questions were put to the table.
        language: of the prompts.
        teacher: adds chances to the prompts; nobody does while it is ``None``.
        on_press, on_reading: called with each press and each reading before it is handled.
    """

    def __init__(
        self,
        session: Session,
        source: ReadingSource,
        panels: Sequence[Panel],
        clock: Clock,
        *,
        screen: Screen | None = None,
        language: str = "en",
        notices: Sequence[str] = (),
        observer: ReadingObserver | None = None,
        teacher: HintProvider | None = None,
    ) -> None:
        """Connect the parts; *notices* are said until the first press.

        *observer* gives the pictures beside which questions are asked.
        """
        super().__init__(source, panels, clock)
        self.session = session
        self.croupier = croupier_for(session.view.game)
        self.asked = 0
        self.language = language
        self.teacher = teacher
        self._screen = screen
        self._observer = observer
        self.on_press: Callable[[Press], object] | None = None
        self.on_reading: Callable[[Reading], object] | None = None
        self._advice = CroupierResult(notices=tuple(Notice(text) for text in notices))
        self._trouble: Notice | None = None
        self._again_s = math.inf
        self._unwritten: tuple[Event, ...] = ()
        self._refused: Value = ""
        self._refused_until_s = -math.inf
        self._cut: tuple[ObservedReading, Question, Picture | None] | None = None

    @property
    def question(self) -> Question | None:
        """What the table is asked now."""
        return self._advice.question

    @property
    def prompt(self) -> Prompt:
        """What the croupier says now."""
        prompt = self._prompt_now()
        asks = prompt.kind in (PromptKind.QUESTION, PromptKind.TROUBLE)
        if self._observer is not None and not asks:
            prompt = explained(prompt, self._observer)
        if self._clock.monotonic() < self._refused_until_s:
            prompt = replace(prompt, refused=self._refused)
        return prompt

    @property
    def prompt_text(self) -> PromptText:
        """What the croupier says now, in the language of the table; beside it what is asked of."""
        return self.render(self.prompt)

    def render(self, prompt: Prompt) -> PromptText:
        """Return *prompt* in the language of the table, with the picture that belongs to it."""
        question = self._advice.question
        asks = prompt.kind is PromptKind.QUESTION and question is not None
        picture = self._picture(question) if asks and question is not None else None
        return render(prompt, Translator.of(self.language), picture)

    def _prompt_now(self) -> Prompt:
        question = self._advice.question
        if self._trouble is not None:
            return _prompt(self._trouble, PromptKind.TROUBLE)
        if self._source.trouble is not None:
            return _prompt(self._source.trouble, PromptKind.TROUBLE)
        if question is not None:
            return Prompt(
                question.text,
                question.detail,
                choices=question.answers,
                card_choices=question.cards,
                kind=PromptKind.QUESTION,
                selected=question.selected,
                bone_choices=question.faces,
                keys=question.keys,
            )
        notice = self._advice.notice
        if notice is not None and notice.urgent:
            return _prompt(notice, PromptKind.INFO)
        seen = self.session.view
        prompt = catalog.find(seen.game).prompt(seen)
        if self.teacher is not None:
            options = self.session.state.setup.options
            prompt = replace(prompt, hint=self.teacher.hint(seen, options))
        return prompt if notice is None else replace(prompt, detail=notice.text)

    @property
    def lamps(self) -> Lamps:
        """Which lamps are lit now."""
        seen = self.session.view
        winners = seen.result.winners if seen.phase is Phase.DONE and seen.result else ()
        waits = self.prompt.kind in (PromptKind.QUESTION, PromptKind.TROUBLE)
        return Lamps(seen.turn, winners, waits)

    def failed(self) -> None:
        """Report a failed step; the loop will retry."""
        self._trouble = say.something_wrong()
        self._again_s = self._clock.monotonic() + RETRY_S

    def pass_time(self, now_s: float) -> None:
        """Retry after a while what failed, so that nobody need do it."""
        if now_s >= self._again_s:
            if self._unwritten:
                self._follow(partial(_once_more, self._unwritten), is_press=True)
            else:
                self._follow(self.croupier.reinterpret)

    def show(self, now_s: float) -> None:
        """Draw the table, where there is a screen."""
        if self._screen is not None:
            self._screen.show(self.session.view, self.prompt_text, now_s)

    def see(self, reading: Reading) -> None:
        """Handle one reading."""
        if self.on_reading is not None:
            self.on_reading(reading)
        if self._unwritten:
            # It is looked at when the press before it is written: till then that one is told.
            self.croupier.on_reading(reading, self.session.state)
        else:
            self._follow(partial(self.croupier.on_reading, reading))

    def press(self, press: Press) -> None:
        """Handle one press; the knob's push is HAVE, a touched answer is chosen at once."""
        if self.on_press is not None:
            self.on_press(press)
        self._refuse("")
        question = self._advice.question
        if press.button is Button.PUSH:
            if question is None:
                return  # a knob pushed in passing must not deal anybody a card
            press = replace(press, button=Button.HAVE)
        if press.choice is not None:
            self.croupier.choose(press.choice)
        self._follow(partial(self.croupier.on_press, press), is_press=True)

    def correct(self, event: Correct | CorrectBone) -> None:
        """Correct a reading; all that depends on it follows, the ledger too (rule G-10)."""
        self._refuse("")
        self._follow(partial(self.croupier.correct, event))

    def change_players(self, event: Join | Leave) -> Value:
        """Let a player join or leave (rules G-15 to G-17); return why not, or nothing."""
        self._refuse("")
        self._follow(partial(self.croupier.change_players, event))
        return self._refused if self._trouble is None else self._trouble.text

    def _picture(self, question: Question) -> Picture | None:
        seen = None if self._observer is None else self._observer.last
        if seen is None:
            return None
        if self._cut is None or self._cut[0] is not seen or not question.is_same(self._cut[1]):
            self._cut = (seen, question, crop(seen, question))
        return self._cut[2]

    def _refuse(self, words: Value) -> None:
        """Show for a moment why a press was refused; nothing where it was not."""
        self._refused = words
        self._refused_until_s = self._clock.monotonic() + REFUSED_S if words else -math.inf

    def _follow(self, ask: Callable[[State], CroupierResult], *, is_press: bool = False) -> None:
        """Apply the events of one reading or press, and interpret again until there are none.

        What the disk refuses of a press waits, until the next one at most.
        """
        self._trouble, self._again_s, self._unwritten = None, math.inf, ()
        before = self._advice.question
        rest: tuple[Event, ...] = ()
        try:
            for _ in range(MAX_INTERPRETATIONS):
                advice = ask(self.session.state)
                rest = advice.events
                for event in advice.events:
                    self.session.apply(event)
                    rest = rest[1:]
                is_press = False
                self._advice = advice
                if advice.refused:
                    self._refuse(advice.refused[0].sentence)
                if not advice.events:
                    break
                self._refuse("")
                ask = self.croupier.reinterpret
            else:
                log.error("the croupier does not come to rest; press UNDO and lay the cards again")
        except JournalError as problem:
            log.error("%s", problem)
            self._trouble = say.not_written(str(problem))
            self._again_s = self._clock.monotonic() + RETRY_S
            self._unwritten = rest if is_press else ()
        except IllegalActionError as refusal:
            # The croupier has tried every event; still, the scores come first.
            log.error("refused after all: %s", refusal)
            self._trouble = say.undo_or_go_on(say.refused(refusal, str(refusal)))
        question = self._advice.question
        if question is not None and not question.is_same(before):
            self.asked += 1
            log.info("asked: %s", question.text)


def _once_more(events: tuple[Event, ...], _: State) -> CroupierResult:
    return CroupierResult(events=events)


def _prompt(notice: Notice, kind: PromptKind) -> Prompt:
    return Prompt(notice.text, notice.detail, kind=kind, keys=notice.keys)
