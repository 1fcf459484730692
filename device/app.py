"""The loop: eyes, buttons, croupier, game, screen and lamps, in one thread."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol

from device.advice import Advice, Notice, Question
from device.clock import Clock
from device.croupiers import croupier_for
from device.eyes import Eyes
from device.journal import JournalError
from device.ports import Button, Lamps, Panel, Press
from device.session import Session
from display import Prompt, PromptKind, prompt_for
from engine import IllegalActionError, State
from engine.views import Phase, View

log = logging.getLogger(__name__)

MOST_LOOKS = 200
"""More looks after one reading than any hand has events: a croupier that never comes to rest."""


MOST_FAILURES = 20
"""Failures in a row after which a new start is the better cure; the journal resumes the hand."""


class Screen(Protocol):
    """Somewhere the table is shown; :class:`display.Window` is one."""

    def show(self, view: View, prompt: Prompt | None = None, time_s: float = 0.0) -> None:
        """Draw the table."""
        ...


class App:
    """The machine on the table.

    Attributes:
        asked: how many questions were put to the table.
        frame_s: the pause between two steps when nothing else sets the pace.
    """

    def __init__(
        self,
        session: Session,
        eyes: Eyes,
        panels: Sequence[Panel],
        clock: Clock,
        *,
        screen: Screen | None = None,
        language: str = "en",
        notices: Sequence[str] = (),
    ) -> None:
        """Connect the parts; *notices* are said until the first press."""
        self.session = session
        self.croupier = croupier_for(session.view.game)
        self.asked = 0
        self.frame_s = 0.0
        self._eyes = eyes
        self._panels = tuple(panels)
        self._clock = clock
        self._screen = screen
        self._language = language
        self._advice = Advice(notices=tuple(Notice(text) for text in notices))
        self._trouble: Notice | None = None

    @property
    def question(self) -> Question | None:
        """What the table is asked now."""
        return self._advice.question

    @property
    def prompt(self) -> Prompt:
        """What the croupier says now."""
        question = self._advice.question
        if self._trouble is not None:
            return _prompt(self._trouble, PromptKind.TROUBLE)
        if self._eyes.trouble is not None:
            seen = self._eyes.trouble
            return Prompt(seen.text, seen.detail, kind=PromptKind.TROUBLE)
        if question is not None:
            return Prompt(
                question.text,
                question.detail,
                choices=question.answers,
                card_choices=question.cards,
                kind=PromptKind.QUESTION,
                selected=question.selected,
            )
        notice = self._advice.notice
        if notice is not None and notice.urgent:
            return _prompt(notice, PromptKind.INFO)
        prompt = prompt_for(self.session.view, self._language)
        return prompt if notice is None else replace(prompt, detail=notice.text)

    @property
    def lamps(self) -> Lamps:
        """Which lamps are lit now."""
        seen = self.session.view
        winners = seen.result.winners if seen.phase is Phase.DONE and seen.result else ()
        waits = self.prompt.kind in (PromptKind.QUESTION, PromptKind.TROUBLE)
        return Lamps(seen.turn, winners, waits)

    def run(self) -> None:
        """Go on until somebody quits or the recording is over; the scores outlive any fault."""
        failures = 0
        going = True
        while going:
            try:
                going = self.step()
                failures = 0
            except Exception:
                failures += 1
                if failures == MOST_FAILURES:
                    raise
                log.exception("the loop failed; the scores are safe in the journal, going on")
                self._trouble = Notice("Something went wrong. The scores are safe.", "Please wait.")
            if self.frame_s:
                self._clock.wait(self.frame_s)

    def step(self) -> bool:
        """Take what has come, show what it means; ``False`` when it is over."""
        now_s = self._clock.monotonic()
        going = True
        for panel in self._panels:
            for press in panel.poll(now_s):
                if press.button is Button.QUIT:
                    going = False
                else:
                    self.press(press)
        for reading in self._eyes.poll():
            self._follow(partial(self.croupier.see, reading))
        lamps = self.lamps
        for panel in self._panels:
            panel.show(lamps)
        if self._screen is not None:
            self._screen.show(self.session.view, self.prompt, now_s)
        return going and not self._eyes.ended

    def press(self, press: Press) -> None:
        """Take one press."""
        self._follow(partial(self.croupier.press, press))

    def _follow(self, ask: Callable[[State], Advice]) -> None:
        """Play the events that one look or press comes to, and look again, until it is quiet."""
        self._trouble = None
        before = self._advice.question
        try:
            for _ in range(MOST_LOOKS):
                advice = ask(self.session.state)
                for event in advice.events:
                    self.session.apply(event)
                self._advice = advice
                if not advice.events:
                    break
                ask = self.croupier.look
            else:
                log.error("the croupier does not come to rest; press UNDO and lay the cards anew")
        except JournalError as problem:
            log.error("%s", problem)
            self._trouble = Notice(
                "This could not be written down, so it does not count.", str(problem)
            )
        except IllegalActionError as refusal:
            # The croupier has tried every event; still, the scores come first.
            log.error("refused after all: %s", refusal)
            self._trouble = Notice(str(refusal), "Press UNDO, or go on.")
        question = self._advice.question
        if question is not None and not question.is_same(before):
            self.asked += 1
            log.info("asked: %s", question.text)


def _prompt(notice: Notice, kind: PromptKind) -> Prompt:
    return Prompt(notice.text, notice.detail, kind=kind)
