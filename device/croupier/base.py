"""Where seeing meets meaning: readings and presses become events of the game.

No pixels and no rules: whether an event is possible, the engine is asked by trying it on its
immutable state. What cannot be settled that way becomes a question or a notice to the table.
What a game's croupier looks for is in modules of their own; what all share is here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace

from device.croupier import messages
from device.croupier import questions as ask
from device.croupier.proposal import Proposal
from device.croupier.questions import CroupierResult, Notice, Question, QuestionKind
from device.ports import Button, Press
from engine import State
from engine.core.events import (
    Correct,
    CorrectBone,
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
"""What answers a question; a turn of the knob goes through the candidates."""


class Croupier(ABC):
    """Turns what lies on the mat, and what is pressed, into events.

    ``see`` and ``press`` return events; apply them, then call ``look`` until it returns none.
    """

    def __init__(self) -> None:
        """Start knowing nothing: the first reading is taken together with the game's state."""
        self._reading: Reading | None = None
        self._question: Question | None = None
        self._misdeal_asked = False
        self._next_wanted = False

    # The three ways in

    def see(self, reading: Reading, state: State) -> CroupierResult:
        """Take a new look at the mat."""
        self._reading = reading
        if reading.seats is not None:
            self._remember(reading)
        return self.look(state)

    def look(self, state: State) -> CroupierResult:
        """Think again about what was last seen: after events were applied or an answer given."""
        draft = Proposal(state)
        if self._reading is None:
            return self._advice(draft)
        if self._reading.seats is None:
            draft.tell(messages.no_mat())
            return self._advice(draft)
        self._think(draft)
        return self._advice(draft)

    def press(self, press: Press, state: State) -> CroupierResult:
        """Take a button."""
        draft = Proposal(state)
        if self._question is not None and press.button in ANSWERS:
            return self._answer(self._question, press.button, draft)
        if press.button in (Button.HAVE, Button.STICK):
            self._have_or_stick(press, draft)
        elif press.button is Button.UNDO:
            self._undo(draft)
        elif press.button is Button.MENU:
            self._misdeal_asked = True
        elif press.button is Button.NEXT:
            self._next(draft)
        return self._after(draft)

    def correct(self, event: Correct | CorrectBone, state: State) -> CroupierResult:
        """Take the dealer's word that a card or a bone was read wrongly (rules G-10, KB-20)."""
        draft = Proposal(state)
        if draft.play(event):
            self._question = None
            self._corrected(event)
        return self._after(draft)

    def company(self, event: Join | Leave, state: State) -> CroupierResult:
        """Take note that somebody sits down or gets up (rules G-15 to G-17)."""
        draft = Proposal(state)
        if draft.play(event):
            self._next_wanted = False  # others may still be on their way to a seat
        return self._after(draft)

    def _undo(self, draft: Proposal) -> None:
        last = draft.state.log[-1] if draft.state.log else None
        if draft.play(Undo()):
            self._next_wanted = False
            if isinstance(last, Correct | CorrectBone):
                self._uncorrected(last, draft)
            else:
                self._undone(draft)

    # What each game has of its own

    @abstractmethod
    def _remember(self, reading: Reading) -> None:
        """Recognise in a new reading what lay there before."""

    @abstractmethod
    def _think(self, draft: Proposal) -> None:
        """Hold what lies on the mat against the game."""

    @abstractmethod
    def _settle(self, question: Question, button: Button, draft: Proposal) -> None:
        """Take the answer to a question: HAVE is yes, or the candidate highlighted."""

    @abstractmethod
    def _undone(self, draft: Proposal) -> None:
        """Take note that the last event was taken back while the mat is as it was."""

    @abstractmethod
    def _left_on_mat(self) -> int:
        """Return how many things must be gathered before the next hand."""

    @abstractmethod
    def _clear(self) -> None:
        """Take the dealer's word that the mat is clear."""

    def _have_or_stick(self, press: Press, draft: Proposal) -> None:
        """Take a player's word; a button without a seat speaks for whose turn it is."""
        seat = draft.view.turn if press.seat is None else press.seat
        if seat is None:
            draft.tell(messages.nobody_asked())
        elif press.button is Button.HAVE:
            draft.play(Have(seat))
        else:
            draft.play(Stick(seat))

    # What all share

    def _next(self, draft: Proposal) -> None:
        if draft.view.phase is not Phase.DONE:
            draft.tell(messages.not_over())
            return
        refusal = draft.refusal(NextHand())
        if refusal is not None:
            draft.say(draft.words(refusal))
            return
        if self._next_wanted:
            # Asked twice: the dealer knows better than the eye that the mat is clear.
            self._clear()
        self._next_wanted = True
        self._gather(draft)

    def _gather(self, draft: Proposal) -> None:
        """Begin the next hand once it is wanted and the mat is clear."""
        if not self._next_wanted:
            return
        left = self._left_on_mat()
        if left:
            draft.tell(self._gather_words(left))
        elif draft.play(NextHand()):
            self._next_wanted = False
            self._begun(draft)

    @abstractmethod
    def _gather_words(self, left: int) -> Notice:
        """Say what is still on the mat, and what to do."""

    def _corrected(self, event: Correct | CorrectBone) -> None:  # noqa: B027 - not all must note it
        """Take note that what lies there is not what the eyes took it for."""

    def _uncorrected(  # noqa: B027 - not all must note it
        self, event: Correct | CorrectBone, draft: Proposal
    ) -> None:
        """Take note that what was said of a card or a bone was taken back."""

    def _begun(self, draft: Proposal) -> None:  # noqa: B027 - most have nothing to note
        """Take note that a new hand has begun."""

    def _answer(self, question: Question, button: Button, draft: Proposal) -> CroupierResult:
        step = {Button.STICK: 1, Button.RIGHT: 1, Button.LEFT: -1}.get(button)
        if question.candidates and step is not None:
            selected = (question.selected + step) % len(question.candidates)
            self._question = replace(question, selected=selected)
            return self._after(draft)
        if step is not None and button is not Button.STICK:
            return self._after(draft)  # the knob answers no yes-or-no question
        self._question = None
        if question.kind is QuestionKind.MISDEAL:
            self._misdeal_asked = False
            if button is Button.HAVE:
                draft.play(Misdeal("called by the dealer"))
        elif button is Button.MENU:
            self._misdeal_asked = True
        else:
            self._settle(question, button, draft)
        return self._after(draft)

    def _after(self, draft: Proposal) -> CroupierResult:
        """Return what a press came to; without an event, what was open stays open.

        What is said of the press alone, and not of the mat as well, says why it was refused.
        """
        if draft.events:
            return self._advice(draft)
        open_still = self.look(draft.state)
        refused = tuple(each for each in draft.notices if each not in open_still.notices)
        return replace(open_still, refused=refused)

    def _advice(self, draft: Proposal) -> CroupierResult:
        question = ask.misdeal() if self._misdeal_asked else draft.question
        if question is not None and question.is_same(self._question):
            question = self._question
        self._question = question
        return CroupierResult(tuple(draft.events), question, tuple(draft.notices))
