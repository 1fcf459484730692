"""One table: eyes, buttons, croupier, game, screen and lamps, tied together."""

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
from device.storage.journal import JournalError
from display import Prompt, PromptKind, prompt_for
from display.drawing.image import Picture
from engine import IllegalActionError, State
from engine.core.events import Correct, CorrectBone, Join, Leave
from engine.core.views import Phase, View
from vision.readings import Reading

log = logging.getLogger(__name__)

RETRY_S = 5.0
"""After so long what could not be written, or failed, is tried again by itself."""

REFUSED_S = 4.0
"""So long the screen says why a press was refused."""

MOST_LOOKS = 200
"""More looks after one reading than any hand has events: a croupier that never comes to rest."""


class Screen(Protocol):
    """Somewhere the table is shown; :class:`display.Window` is one."""

    def show(self, view: View, prompt: Prompt | None = None, time_s: float = 0.0) -> None:
        """Draw the table."""
        ...


class TableController(MainLoop):
    """The machine on the table.

    Attributes:
        asked: how many questions were put to the table.
        language: of the prompts.
        teacher: adds chances to the prompts; nobody does while it is ``None``.
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
        on_press: Callable[[Press], object] | None = None,
    ) -> None:
        """Connect the parts; *notices* are said until the first press.

        *observer* gives the pictures beside which questions are asked; *on_press* is called with
        each press before it is handled.
        """
        super().__init__(source, panels, clock)
        self.session = session
        self.croupier = croupier_for(session.view.game)
        self.asked = 0
        self.language = language
        self.teacher = teacher
        self._screen = screen
        self._observer = observer
        self._on_press = on_press
        self._advice = CroupierResult(notices=tuple(Notice(text) for text in notices))
        self._trouble: Notice | None = None
        self._again_s = math.inf
        self._refused = ""
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

    def _prompt_now(self) -> Prompt:
        question = self._advice.question
        if self._trouble is not None:
            return _prompt(self._trouble, PromptKind.TROUBLE)
        if self._source.trouble is not None:
            seen = self._source.trouble
            return Prompt(seen.text, seen.detail, kind=PromptKind.TROUBLE)
        if question is not None:
            return Prompt(
                question.text,
                question.detail,
                choices=question.answers,
                card_choices=question.cards,
                kind=PromptKind.QUESTION,
                selected=question.selected,
                bone_choices=question.faces,
                picture=self._picture(question),
            )
        notice = self._advice.notice
        if notice is not None and notice.urgent:
            return _prompt(notice, PromptKind.INFO)
        prompt = prompt_for(self.session.view, self.language)
        if self.teacher is not None:
            options = self.session.state.setup.options
            prompt = replace(prompt, hint=self.teacher.hint(self.session.view, options))
        return prompt if notice is None else replace(prompt, detail=notice.text)

    @property
    def lamps(self) -> Lamps:
        """Which lamps are lit now."""
        seen = self.session.view
        winners = seen.result.winners if seen.phase is Phase.DONE and seen.result else ()
        waits = self.prompt.kind in (PromptKind.QUESTION, PromptKind.TROUBLE)
        return Lamps(seen.turn, winners, waits)

    def failed(self) -> None:
        """Say that a step failed; the next one may do better."""
        self._trouble = say.something_wrong()
        self._again_s = self._clock.monotonic() + RETRY_S

    def pass_time(self, now_s: float) -> None:
        """Look again after a while where the last look came to nothing: no person need do it."""
        if now_s >= self._again_s:
            self._follow(self.croupier.look)

    def show(self, now_s: float) -> None:
        """Draw the table, where there is a screen."""
        if self._screen is not None:
            self._screen.show(self.session.view, self.prompt, now_s)

    def see(self, reading: Reading) -> None:
        """Take one reading."""
        self._follow(partial(self.croupier.see, reading))

    def press(self, press: Press) -> None:
        """Take one press; the knob's push is HAVE, a touched answer is chosen at once."""
        if self._on_press is not None:
            self._on_press(press)
        self._refuse("")
        question = self._advice.question
        if press.button is Button.PUSH:
            if question is None:
                return  # a knob pushed in passing must not deal anybody a card
            press = replace(press, button=Button.HAVE)
        if question is not None and press.choice is not None and question.candidates:
            turns = (press.choice - question.selected) % len(question.candidates)
            for _turn in range(turns):
                self._follow(partial(self.croupier.press, replace(press, button=Button.RIGHT)))
        self._follow(partial(self.croupier.press, press))

    def correct(self, event: Correct | CorrectBone) -> None:
        """Put a reading right; whatever hangs on it follows, the ledger too (rule G-10)."""
        self._refuse("")
        self._follow(partial(self.croupier.correct, event))

    def change_players(self, event: Join | Leave) -> str:
        """Let somebody sit down or get up (rules G-15 to G-17); return why not, or nothing."""
        self._refuse("")
        self._follow(partial(self.croupier.company, event))
        return self._refused if self._trouble is None else self._trouble.text

    def _picture(self, question: Question) -> Picture | None:
        """Return what *question* is about, as the camera saw it when it was asked."""
        seen = None if self._observer is None else self._observer.last
        if seen is None:
            return None
        if self._cut is None or self._cut[0] is not seen or not question.is_same(self._cut[1]):
            self._cut = (seen, question, crop(seen, question))
        return self._cut[2]

    def _refuse(self, words: str) -> None:
        """Say for a moment why a press was refused; nothing where it was not."""
        self._refused = words
        self._refused_until_s = self._clock.monotonic() + REFUSED_S if words else -math.inf

    def _follow(self, ask: Callable[[State], CroupierResult]) -> None:
        """Play the events that one look or press comes to, and look again, until it is quiet."""
        self._trouble, self._again_s = None, math.inf
        before = self._advice.question
        try:
            for _ in range(MOST_LOOKS):
                advice = ask(self.session.state)
                for event in advice.events:
                    self.session.apply(event)
                self._advice = advice
                if advice.refused:
                    self._refuse(advice.refused[0].sentence)
                if not advice.events:
                    break
                self._refuse("")
                ask = self.croupier.look
            else:
                log.error("the croupier does not come to rest; press UNDO and lay the cards anew")
        except JournalError as problem:
            log.error("%s", problem)
            self._trouble = say.not_written(str(problem))
            self._again_s = self._clock.monotonic() + RETRY_S
        except IllegalActionError as refusal:
            # The croupier has tried every event; still, the scores come first.
            log.error("refused after all: %s", refusal)
            self._trouble = say.undo_or_go_on(say.refused(refusal, str(refusal)))
        question = self._advice.question
        if question is not None and not question.is_same(before):
            self.asked += 1
            log.info("asked: %s", question.text)


def _prompt(notice: Notice, kind: PromptKind) -> Prompt:
    return Prompt(notice.text, notice.detail, kind=kind)
