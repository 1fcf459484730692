"""Turns readings and presses into events of the game.

No pixels and no rules: whether an event is possible is found by trying it on the engine's immutable
state. What cannot be decided that way becomes a question or a notice. This is what all croupiers
share; what each game adds is in a module of its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace

from device.croupier import messages
from device.croupier import questions as ask
from device.croupier.proposal import Proposal
from device.croupier.questions import CroupierResult, Notice, Question, QuestionKind
from device.ports import Button, Press
from engine import Event, State
from engine.core.events import (
    Claim,
    Correct,
    CorrectBone,
    Declare,
    Entry,
    Have,
    Join,
    Leave,
    Misdeal,
    NextHand,
    Stick,
    Undo,
)
from engine.core.views import Phase
from vision.readings import Reading

ANSWERS = (Button.HAVE, Button.STICK, Button.UNDO, Button.MENU, Button.LEFT, Button.RIGHT)
"""Buttons that answer a question; turning the knob goes through the candidates."""


class Croupier(ABC):
    """Turns what lies on the mat, and what is pressed, into events.

    ``on_reading`` and ``on_press`` return events; apply them, then call ``reinterpret`` until it
    returns none.
    """

    def __init__(self) -> None:
        """Start without a reading; the first one is compared with the game's state."""
        self._reading: Reading | None = None
        self._question: Question | None = None
        self._misdeal_asked = False
        self._next_wanted = False

    # The three ways in

    def on_reading(self, reading: Reading, state: State) -> CroupierResult:
        """Handle a new reading of the mat."""
        self._reading = reading
        if reading.seats is not None:
            self._remember(reading)
        return self.reinterpret(state)

    def reinterpret(self, state: State) -> CroupierResult:
        """Interpret the last reading again: after events were applied or an answer was given."""
        proposal = Proposal(state)
        if self._reading is None:
            return self._advice(proposal)
        if self._reading.seats is None:
            proposal.add_notice(messages.no_mat())
            return self._advice(proposal)
        self._interpret(proposal)
        return self._advice(proposal)

    def on_press(self, press: Press, state: State) -> CroupierResult:
        """Handle a press."""
        proposal = Proposal(state)
        if self._question is not None and press.button in ANSWERS:
            return self._answer(self._question, press.button, proposal)
        if press.button in (Button.HAVE, Button.STICK):
            self._have_or_stick(press, proposal)
        elif press.button is Button.OUT:
            self._throw_in(press, proposal)
        elif press.button is Button.UNDO:
            self._undo(proposal)
        elif press.button is Button.MENU:
            self._misdeal_asked = True
        elif press.button is Button.NEXT:
            self._next(proposal)
        return self._after(proposal)

    def _throw_in(self, press: Press, proposal: Proposal) -> None:
        """Throw in a hand; a button without a seat is that of the player to move (rule G-17)."""
        seat = proposal.view.turn if press.seat is None else press.seat
        if seat is None:
            proposal.add_notice(messages.nobody_asked())
        else:
            proposal.play(Declare(seat, Claim.OUT))

    def choose(self, number: int) -> None:
        """Mark answer *number* of the open question, from 0, which HAVE then takes."""
        if self._question is not None and self._question.candidates:
            selected = number % len(self._question.candidates)
            self._question = replace(self._question, selected=selected)

    def enter(self, event: Event, state: State) -> CroupierResult:
        """Handle what people enter by the menu: what puts a hand right, who joins or leaves."""
        proposal = Proposal(state)
        if proposal.play(event):
            if isinstance(event, Join | Leave):
                self._next_wanted = False  # others may still be on their way to a seat
            elif isinstance(event, Correct | CorrectBone) and event.hand is None:
                self._question = None
                self._on_correction(event)
        return self._after(proposal)

    def on_time(self, now_s: float, state: State) -> CroupierResult | None:
        """Let time pass."""
        return None

    def take_lines(self) -> tuple[str, ...]:
        """Return nothing: this croupier keeps no looks."""
        return ()

    def _undo(self, proposal: Proposal) -> None:
        last = proposal.state.log[-1] if proposal.state.log else None
        if proposal.play(Undo()):
            self._next_wanted = False
            if isinstance(last, Correct | CorrectBone) and last.hand is None:
                self._on_correction_undone(last, proposal)
            elif not isinstance(last, Entry) and not (
                isinstance(last, Correct | CorrectBone | Misdeal) and last.hand is not None
            ):
                self._on_undo(proposal)

    # What each game has of its own

    @abstractmethod
    def _remember(self, reading: Reading) -> None:
        """Recognise in a new reading what lay there before."""

    @abstractmethod
    def _interpret(self, proposal: Proposal) -> None:
        """Compare what lies on the mat with the game."""

    @abstractmethod
    def _on_answer(self, question: Question, button: Button, proposal: Proposal) -> None:
        """Handle the answer to a question: HAVE is yes, or the candidate highlighted."""

    @abstractmethod
    def _on_undo(self, proposal: Proposal) -> None:
        """Handle an undo: the last event was taken back while the mat is as it was."""

    @abstractmethod
    def _left_on_mat(self) -> int:
        """Return how many cards or bones must be gathered before the next hand."""

    @abstractmethod
    def _clear(self) -> None:
        """Take the mat as clear, because the dealer says so."""

    def _have_or_stick(self, press: Press, proposal: Proposal) -> None:
        """Play a have or a stick; a button without a seat is that of the player to move."""
        seat = proposal.view.turn if press.seat is None else press.seat
        if seat is None:
            proposal.add_notice(messages.nobody_asked())
        elif press.button is Button.HAVE:
            proposal.play(Have(seat))
        else:
            proposal.play(Stick(seat))

    # What all share

    def _next(self, proposal: Proposal) -> None:
        if proposal.view.phase is not Phase.DONE:
            proposal.add_notice(messages.not_over())
            return
        refusal = proposal.refusal(NextHand())
        if refusal is not None:
            proposal.notify(proposal.explain(refusal))
            return
        if self._next_wanted:
            # Asked twice: the dealer knows better than the camera that the mat is clear.
            self._clear()
        self._next_wanted = True
        self._gather(proposal)

    def _gather(self, proposal: Proposal) -> None:
        """Start the next hand once it is wanted and the mat is clear."""
        if not self._next_wanted:
            return
        left = self._left_on_mat()
        if left:
            proposal.add_notice(self._gather_words(left))
        elif proposal.play(NextHand()):
            self._next_wanted = False
            self._on_hand_started(proposal)

    @abstractmethod
    def _gather_words(self, left: int) -> Notice:
        """Return what is still on the mat, and what to do."""

    def _on_correction(self, event: Correct | CorrectBone) -> None:  # noqa: B027 - not all must note it
        """Handle a correction of a card or a bone."""

    def _on_correction_undone(  # noqa: B027 - not all must note it
        self, event: Correct | CorrectBone, proposal: Proposal
    ) -> None:
        """Handle the undo of a correction."""

    def _on_hand_started(self, proposal: Proposal) -> None:  # noqa: B027 - most have nothing to note
        """Handle the start of a hand."""

    def _answer(self, question: Question, button: Button, proposal: Proposal) -> CroupierResult:
        step = {Button.STICK: 1, Button.RIGHT: 1, Button.LEFT: -1}.get(button)
        if question.is_direct and button in (Button.LEFT, Button.RIGHT):
            return self._after(proposal)  # the knob does not answer yes or no
        if question.candidates and step is not None and not question.is_direct:
            selected = (question.selected + step) % len(question.candidates)
            self._question = replace(question, selected=selected)
            return self._after(proposal)
        if step is not None and button is not Button.STICK:
            return self._after(proposal)  # the knob does not answer yes or no
        self._question = None
        if question.kind is QuestionKind.MISDEAL:
            self._misdeal_asked = False
            if button is Button.HAVE:
                proposal.play(Misdeal("called by the dealer"))
        elif button is Button.MENU:
            self._misdeal_asked = True
        else:
            self._on_answer(question, button, proposal)
        return self._after(proposal)

    def _after(self, proposal: Proposal) -> CroupierResult:
        """Return what a press led to; without an event, what was open stays open.

        Notices of the press alone, which the mat does not cause too, tell why it was refused.
        """
        if proposal.events:
            return self._advice(proposal)
        open_still = self.reinterpret(proposal.state)
        refused = tuple(each for each in proposal.notices if each not in open_still.notices)
        return replace(open_still, refused=refused)

    def _advice(self, proposal: Proposal) -> CroupierResult:
        question = ask.misdeal() if self._misdeal_asked else proposal.question
        if question is not None and question.is_same(self._question):
            question = self._question
        self._question = question
        return CroupierResult(tuple(proposal.events), question, tuple(proposal.notices))
