"""Connects one table: readings, buttons, croupier, game, screen and lamps."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

from device.clock import Clock
from device.croupier import messages as say
from device.croupier.assumptions import Assumption
from device.croupier.by_hand import WHAT_HAPPENED, ByHand, can_be_entered, is_blind, stakes_of
from device.croupier.explain import explain
from device.croupier.interpreter import SPOKEN, Interpreter
from device.croupier.looks import LyingCard
from device.croupier.questions import CroupierResult, Notice, Question
from device.ports import ASKS_VOICE, Button, Lamps, Panel, Press
from device.runtime.camera_trouble import explained
from device.runtime.camera_worker import ReadingSource
from device.runtime.croupiers import croupier_for
from device.runtime.hints import HintProvider, for_onlookers
from device.runtime.loop import MainLoop
from device.runtime.observer import ObservedReading, ReadingObserver, crop
from device.runtime.repairs import after_all, first_difference, unclear
from device.runtime.session import Session
from device.storage.journal.errors import JournalError
from display.drawing.image import Picture
from display.i18n.translate import Translator
from display.prompts.prompt import PromptText, render, with_moment
from display.table.aloud import facts
from engine import Event, IllegalActionError, State
from engine.core.cards import Card
from engine.core.events import Correct, CorrectBone, Entry, NextHand, Undo
from engine.core.messages.message import Joined, Message, Value, sentences
from engine.core.messages.prompt import Prompt, PromptKind
from engine.core.views import Phase, ResultView, View
from engine.games import catalog
from engine.games.moments import Moment, moment_of
from engine.table.wagers import Wager, WagerError
from vision.readings import Reading

log = logging.getLogger(__name__)

RETRY_S = 5.0
"""Seconds after which what failed, or could not be written, is tried again."""

REFUSED_S = 4.0
"""Seconds for which the screen tells why a press was refused."""

GOES_ON_S = 3.0
"""Seconds after a result from which the console's HAVE does what NEXT does."""

MOMENT_S = 2.5
"""Seconds for which a great moment is shown."""

UNREAD_S = 0.3
"""Nobody has read a question that came up so many seconds ago: a press that comes meanwhile is the
word that it would have been without it."""

PUT_RIGHT_S = 2.0
"""Seconds for which what has been put right is framed."""

TELL_S = 10.0
"""Seconds for which the screen shows how it stands; who asks again meanwhile is told the next."""

NEXT_BEGINS = Message("NEXT begins the next hand.")

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
        refused: when the last press was made that was refused, and why.
        on_press, on_reading: called with each press and each reading before it is handled.
        on_change: called after each press, reading or moment of which something may have come.
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
        notices: Sequence[Value] = (),
        observer: ReadingObserver | None = None,
        teacher: HintProvider | None = None,
        by_hand: bool = False,
        scripted: bool = False,
    ) -> None:
        """Connect the parts; *notices* are said until the first press.

        *observer* gives the pictures beside which questions are asked. Played *by_hand* people
        enter what lies on the table. In files of presses, *scripted*, only NEXT begins a hand.
        """
        super().__init__(source, panels, clock)
        self.session = session
        self.croupier: Interpreter[Any] | ByHand = (
            ByHand(session.open_cards) if by_hand else croupier_for(session)
        )
        self._reading: Reading | None = None
        self._mat_seats = 0
        self.asked = 0
        self.language = language
        self.teacher = teacher
        self._screen = screen
        self._observer = observer
        self.on_press: Callable[[Press], object] | None = None
        self.on_reading: Callable[[Reading], object] | None = None
        self.on_change: Callable[[], object] | None = None
        self._advice = CroupierResult(notices=tuple(Notice(text) for text in notices))
        self._trouble: Notice | None = None
        self._again_s = math.inf
        self.refused: tuple[float, Value] = (-math.inf, "")
        self._refused: Value = ""
        self._refused_until_s = -math.inf
        self._repaired: Value = ""
        self._scripted = scripted
        self._shown: tuple[ResultView | None, float] = (session.view.result, clock.monotonic())
        self._moment: tuple[Moment | None, float] = (None, 0.0)
        self._put_right: tuple[Card | tuple[int, int, int] | None, float] = (None, 0.0)
        self._came_s = -math.inf  # when the open question came up, unless a press led to it
        self._asked = 0
        self._told: Value = ""
        self._telling: tuple[View | None, int | None, int, float] = (None, None, 0, -math.inf)
        session.listeners.append(self._note_moment)
        self._cut: tuple[ObservedReading, Question, Picture | None] | None = None
        self._tell_who_sits()

    def _tell_who_sits(self) -> None:
        """Tell the reader whose arms may come over the mat."""
        if self._observer is not None:
            players = self.session.state.round.players
            self._observer.seated = frozenset(player.seat for player in players)

    @property
    def question(self) -> Question | None:
        """What the table is asked now."""
        return self._advice.question

    @property
    def notices(self) -> Sequence[Notice]:
        """What the croupier has to say now, and why it refused a press."""
        return (*self._advice.notices, *self._advice.refused)

    @property
    def prompt(self) -> Prompt:
        """What the croupier says now."""
        prompt = self._prompt_now()
        asks = prompt.kind in (PromptKind.QUESTION, PromptKind.TROUBLE)
        if self._observer is not None and not asks and not self.is_by_hand:
            waits = self.session.view.phase is not Phase.DONE
            prompt = explained(prompt, self._observer, waits=waits)
        if self._menu_enters:
            prompt = replace(prompt, keys=(*prompt.keys, say.ENTER_BY_HAND))
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
        translator = Translator.of(self.language)
        shown = render(prompt, translator, picture)
        told = translator.render(self._told)
        shown = replace(shown, asked=self._asked, told=told, mat_seats=self._mat_seats)
        now_s = self._clock.monotonic()
        view, *_, told_s = self._telling
        if told and now_s - told_s < TELL_S and view == self.session.view:
            shown = replace(shown, shows_told=True)
        changed, changed_s = self._put_right
        if now_s - changed_s < PUT_RIGHT_S:
            shown = replace(shown, put_right=changed)
        moment, since_s = self._moment
        if moment is None or not 0 <= now_s - since_s < MOMENT_S:
            after_s = self._shown[1] if moment is None else max(self._shown[1], since_s + MOMENT_S)
            return replace(shown, result_s=now_s - after_s)
        return with_moment(shown, moment, now_s - since_s, self.language)

    def _note_moment(self, event: Event, before: View, after: View, assumed: str) -> None:
        """Note a great moment; a correction ends the one that is shown, and is shown itself."""
        if isinstance(event, Correct | CorrectBone) and event.hand is None:
            what = event.card if isinstance(event, Correct) else (event.seat, event.roll, event.pos)
            self._put_right = (what, self._clock.monotonic())
        elif isinstance(event, Undo | NextHand):
            self._put_right = (None, 0.0)
        moment = None if assumed or isinstance(event, Undo) else moment_of(event, before, after)
        if moment is not None or isinstance(event, Undo | Correct | CorrectBone | NextHand):
            self._moment = (moment, self._clock.monotonic())

    def _prompt_now(self) -> Prompt:
        question = self._advice.question
        if self._trouble is not None:
            return _prompt(self._trouble, PromptKind.TROUBLE)
        if self._source.trouble is not None and not self.is_by_hand:
            return _prompt(self._source.trouble, PromptKind.TROUBLE)
        if question is not None:
            return Prompt(
                question.text,
                question.detail,
                choices=question.answers,
                card_choices=question.cards,
                kind=PromptKind.QUESTION,
                selected=-1 if question.marked is None else question.marked,
                bone_choices=question.faces,
                rank_choices=question.ranks,
                keys=question.keys,
            )
        notice = self._advice.notice
        if notice is not None and notice.urgent:
            return _prompt(notice, PromptKind.INFO)
        seen = self.session.view
        prompt = catalog.find(seen.game).prompt(seen)
        if self.teacher is not None:
            options = self.session.state.setup.options
            hint = for_onlookers(self.teacher.hint(seen, options), seen)
            prompt = replace(prompt, hint=hint)
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
            self._follow(self.croupier.reinterpret)
        late = self.croupier.on_time(now_s, self.session.state, moving=self._hands_move)
        if late is not None:
            self.follow(late)

    def show(self, now_s: float) -> None:
        """Draw the table, where there is a screen."""
        if self._screen is not None:
            self._screen.show(self.session.view, self.prompt_text, now_s)

    def see(self, reading: Reading) -> None:
        """Handle one reading."""
        self._reading = reading
        self._mat_seats = reading.seats or self._mat_seats
        self._tell_who_sits()
        if self.on_reading is not None:
            self.on_reading(reading)
        self._follow(partial(self.croupier.on_reading, reading))

    def press(self, press: Press) -> None:
        """Handle one press; the knob's push is HAVE, a touched answer is chosen at once."""
        if press.button in ASKS_VOICE:
            self._ask_voice(press)
            return
        if self._hands_move:
            press = replace(press, moving=True)
        if self.on_press is not None:
            self.on_press(press)
        self._refuse("")
        press = self.meant(press)
        question = self._advice.question
        if press.button is Button.PUSH:
            if question is None:
                return  # a knob pushed in passing must not deal anybody a card
            press = replace(press, button=Button.HAVE)
        if press.choice is not None:
            self.croupier.choose(press.choice)
        if press.button is Button.MENU and self._menu_enters:
            self.enter_by_hand()
            return
        if press.button is Button.UNDO:
            why = self._undo(press)
        else:
            why = self._tell_croupier(replace(press, is_word=self._is_word(press)))
        self.refused = (press.time_s, why)

    def _tell_croupier(self, press: Press) -> Value:
        """Hand *press* on; return why it was refused, or nothing."""
        over = self.session.view.phase is Phase.DONE
        if press.button is Button.NEXT and over and self.is_by_hand and self._sees_mat:
            self.croupier = croupier_for(self.session)
            assert self._reading is not None
            self._follow(partial(self.croupier.on_reading, self._reading))
        is_said = press.is_word or (self._advice.question is None and press.button in SPOKEN)
        refused = self._follow(partial(self.croupier.on_press, press))
        if not is_said:
            self.note_read()  # who has answered expects what comes next
        if refused and over and press.button is Button.HAVE:
            refused = NEXT_BEGINS
            self._refuse(refused)
        return refused

    def note_read(self) -> None:
        """Note that people have read what is asked: what they press now answers it."""
        self._came_s = -math.inf

    def _is_word(self, press: Press) -> bool:
        """Return whether *press* was meant before the open question could be read."""
        if self._scripted or press.choice is not None or self.is_by_hand:
            return press.is_word
        is_unread = self._clock.monotonic() < self._came_s + UNREAD_S
        return is_unread and press.button in SPOKEN

    def _ask_voice(self, press: Press) -> None:
        """Have the voice say it again, or tell how it stands: one fact, and with TELL the next.

        How it stands is on the screen too; what was refused before gives way to it.
        """
        self._asked += 1
        self._told = ""
        if press.button is Button.TELL:
            seen, now_s = self.session.view, self._clock.monotonic()
            told = facts(seen, press.seat, counts_own=self.is_by_hand)
            before, seat, number, at_s = self._telling
            goes_on = (before, seat) == (seen, press.seat) and now_s - at_s < TELL_S
            number = (number + 1) % len(told) if goes_on else 0
            self._telling, self._told = (seen, press.seat, number, now_s), told[number]
            self._refuse("")

    def meant(self, press: Press) -> Press:
        """Return what *press* stands for: after a result has been seen the console's HAVE is NEXT.

        A player's own HAVE never is: somebody who only wants one more card ends no result.
        """
        result, since_s = self._shown
        shown = result is not None and self._clock.monotonic() >= since_s + GOES_ON_S
        is_have = press.button is Button.HAVE and press.seat is None and press.choice is None
        if is_have and shown and not self._scripted and self._advice.question is None:
            return replace(press, button=Button.NEXT)
        return press

    def _undo(self, press: Press) -> Value:
        """Take the last thing back, with the entries for side wagers that followed from it.

        Returns why not, or nothing.
        """
        theirs = self._is_theirs(press)
        if theirs:
            self._refuse(theirs)
            return theirs
        while True:
            log = self.session.state.log
            refused = self._follow(partial(self.croupier.on_press, press), settles=False)
            last = log[-1] if log else None
            settled = isinstance(last, Entry) and self.session.settles(last)
            if not settled or self.session.state.log != log[:-1]:
                break
        if self.session.entry_due() is not None:  # what was taken back decided nothing
            self._follow(self.croupier.reinterpret)
        return refused

    def _is_theirs(self, press: Press) -> Value:
        """Return why a player may not take the last thing back: it was another player's.

        The console takes anything back, and where nobody in play did it everybody may.
        """
        question = self._advice.question
        if press.seat is None or (question is not None and not self.is_by_hand):
            return ""
        done = (event for event in reversed(self.session.state.log) if not is_blind(event))
        last = getattr(next(done, None), "seat", None)
        is_entering = isinstance(self.croupier, ByHand) and self.croupier.is_entering
        seat = question.seat if is_entering and question is not None else last
        names = {each.seat: each.name for each in self.session.view.seats}
        if press.seat in (seat, last) or seat not in names:
            return ""
        return Message(
            "The last step was {name}'s: {name} or the host can take it back.", name=names[seat]
        )

    @property
    def is_by_hand(self) -> bool:
        """Whether people enter what lies on the table."""
        return isinstance(self.croupier, ByHand)

    @property
    def stakes(self) -> tuple[int, ...]:
        """The seats whose HAVE and STICK change their stakes now (rule KB-2)."""
        croupier, state = self.croupier, self.session.state
        return croupier.stakes(state) if isinstance(croupier, ByHand) else tuple(stakes_of(state))

    @property
    def lying(self) -> tuple[LyingCard, ...]:
        """The cards that the camera has read on the mat, in the game or not yet."""
        return () if isinstance(self.croupier, ByHand) else self.croupier.lying

    @property
    def menu_by_hand(self) -> Value:
        """What MENU does where people enter what lies on the table, or may; else empty."""
        if self.is_by_hand:
            return WHAT_HAPPENED
        return say.ENTER_THE_REST if self._menu_enters else ""

    @property
    def _hands_move(self) -> bool:
        """Whether a hand is over the mat, or what it did has not come to rest."""
        return self._observer is not None and self._observer.hands_move

    @property
    def _sees_mat(self) -> bool:
        seen = self._reading is not None and self._reading.seats is not None
        return seen and self._source.trouble is None

    @property
    def _menu_enters(self) -> bool:
        """Whether MENU lets people enter the rest of the hand: the camera or the mat is lost."""
        unseen = self._reading is not None and self._reading.seats is None
        return (self._source.trouble is not None or unseen) and self.may_enter

    @property
    def may_enter(self) -> bool:
        """Whether people may enter the rest of the hand by hand."""
        return not self.is_by_hand and can_be_entered(self.session.state.setup.options)

    def enter_by_hand(self) -> None:
        """Let people enter the rest of the hand: what is written stays, whatever the camera saw."""
        self.croupier = ByHand(self.session.open_cards)
        self._follow(self.croupier.reinterpret)

    def follow(self, result: CroupierResult) -> None:
        """Write and show what the croupier came to by itself."""
        self._follow(lambda _state: result)

    def enter(self, event: Event) -> Value:
        """Play what people enter by the menu; return why not, or nothing.

        A correction, a misdeal or an entry, of any hand (rules G-10 to G-13, G-22), or a player who
        joins or leaves (rules G-15 to G-17). All that depends on it follows, the ledger too.
        """
        self._refuse("")
        before = self.session.view
        refused = self._follow(partial(self.croupier.enter, event))
        if self._trouble is not None:
            refused = self._trouble.text
        if not refused and (isinstance(event, Entry) or getattr(event, "hand", None) is not None):
            # Of the hand in play the screen shows what became of it; of an earlier one nothing.
            self._tell(event, before)
        return refused

    def _tell(self, event: Event, before: View) -> None:
        """Show for a moment what *event* did."""
        story = catalog.find(before.game).story
        self._refuse(sentences(*story.tell(event, before, self.session.view)))

    def bet(self, wager: Wager, reason: str) -> Value:
        """Keep a side wager between two players; return why not, or nothing (rule WL-7)."""
        try:
            self.session.bet(wager, reason)
        except WagerError as problem:
            return str(problem)
        except JournalError as problem:
            log.error("%s", problem)
            return say.not_written(str(problem)).text
        self._refuse(Joined((reason, "."), ""))
        return ""

    def call_off(self, number: int) -> None:
        """Call side wager *number* off; say so where it cannot be written."""
        try:
            self.session.call_off(number)
        except JournalError as problem:
            log.error("%s", problem)
            self._refuse(say.not_written(str(problem)).text)

    def _picture(self, question: Question) -> Picture | None:
        seen = None if self._observer is None else self._observer.last
        if seen is None:
            return None
        if self._cut is None or self._cut[0] is not seen or not question.is_same(self._cut[1]):
            self._cut = (seen, question, crop(seen, question))
        return self._cut[2]

    def _refuse(self, words: Value) -> None:
        """Show for a moment why a press was refused, or what was repaired; or nothing."""
        self._refused = words
        self._refused_until_s = self._clock.monotonic() + REFUSED_S if words else -math.inf

    def _write(self, advice: CroupierResult) -> None:
        """Write what the croupier found, with what was seen that led to it."""
        marks = advice.marks or ("",) * len(advice.events)
        steps = list(zip(advice.events, marks, strict=True))
        lines = self.croupier.take_lines() if steps or advice.back else ()
        try:
            if advice.back:
                before, log = self.session.view, self.session.state.log
                self.session.amend(advice.back, steps, lines)
                differs = first_difference(log, self.session.state.log)
                told = after_all(differs, before, self.session.view)
                is_lost = any(Assumption.LOST_TRACK in mark.split(",") for mark in advice.marks)
                self._repaired = unclear() if is_lost else told
                return
            for event, assumed in steps:
                # What led to the end of a hand is no matter of the next.
                self.session.apply(event, assumed, () if isinstance(event, NextHand) else lines)
                lines = ()
        except JournalError:
            self.croupier.keep_lines(lines)  # for when there is room on the disk again
            raise

    def _follow(self, ask: Callable[[State], CroupierResult], *, settles: bool = True) -> Value:
        """Apply the events of one reading or press, and interpret again until there are none.

        Then a side wager that is decided is settled, if it *settles* any. Returns why something
        was refused, or nothing.
        """
        self._trouble, self._again_s = None, math.inf
        self._repaired = ""
        before = self._advice.question
        refused: Value = ""
        entry: Entry | None = None
        try:
            for _ in range(MAX_INTERPRETATIONS):
                seen = self.session.view
                advice = ask(self.session.state)
                self._write(advice)
                self._advice = advice
                if advice.refused and entry is None:
                    refused = advice.refused[0].sentence
                    self._refuse(refused)
                if not advice.events and not advice.back:
                    due = self.session.entry_due() if settles else None
                    if due is None or due == entry:  # where the croupier refused it, it waits
                        break
                    entry = due
                    ask = partial(self.croupier.enter, entry)
                    continue
                self._refuse(self._repaired)
                if entry is not None and advice.events == (entry,):
                    self._tell(entry, seen)
                ask = self.croupier.reinterpret
            else:
                log.error("the croupier does not come to rest; press UNDO and lay the cards again")
        except JournalError as problem:
            log.error("%s", problem)
            self._trouble = say.not_written(str(problem))
            self._again_s = self._clock.monotonic() + RETRY_S
        except IllegalActionError as refusal:
            # The croupier has tried every event; still, the scores come first.
            log.error("refused after all: %s", refusal)
            self._trouble = say.undo_or_go_on(explain(self.session.state, refusal))
        self._changed(before)
        return refused

    def _changed(self, before: Question | None) -> None:
        """Note since when a result is shown, and what is asked now; *before* was asked before."""
        result = self.session.view.result
        if result != self._shown[0]:
            self._shown = (result, self._clock.monotonic())
        question = self._advice.question
        if question is not None and not question.is_same(before):
            self.asked += 1
            self._came_s = self._clock.monotonic()
            asked = Message("Asked: {question}", question=question.text)
            log.info("%s", Translator.of(self.language).render(asked))
        if self.on_change is not None:
            self.on_change()


def _prompt(notice: Notice, kind: PromptKind) -> Prompt:
    return Prompt(notice.text, notice.detail, kind=kind, keys=notice.keys)
