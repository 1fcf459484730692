"""Turns readings and presses into events, by holding all histories that explain them.

No pixels, no rules, no clock: what a game may have seen happen is in its ``moves`` module, whether
it was legal is found by trying it on the engine's immutable state, and the caller says how late it
is. What the histories differ in is asked once it matters and nothing will show it by itself.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Generic, TypeVar

from device.croupier import messages
from device.croupier import questions as ask
from device.croupier.explain import explain, name_of
from device.croupier.forks import Fork, find_fork
from device.croupier.histories import Histories
from device.croupier.history import History, Step
from device.croupier.lines import event_line, press_line, reading_lines, since_line
from device.croupier.looks import PUT_BACK_MM, Look, Looks, LyingCard, Said
from device.croupier.moves import Game, Words
from device.croupier.questions import CroupierResult, Notice, Question, QuestionKind
from device.croupier.search import is_word
from device.ports import Button, Press
from engine import Event, IllegalActionError, State, apply
from engine.core.bones import Face
from engine.core.cards import Card
from engine.core.events import Claim, Correct, Declare, Join, Leave, Misdeal, NextHand, Undo
from engine.core.views import Phase
from vision.readings import Reading, ZoneKind

log = logging.getLogger(__name__)

M = TypeVar("M")

SPOKEN = (Button.HAVE, Button.STICK, Button.OUT)
"""Buttons that are words of a player."""

SAYS_KNOCK = (QuestionKind.KNOCKER, QuestionKind.KNOCKED, QuestionKind.MOVE)
"""Questions whose answer confirms a knock that is believed."""

LATER = (QuestionKind.FACE, QuestionKind.NUMBER)
"""Questions about what lies there that are asked only when it stays so."""

COUNTED = (ask.YES, ask.COUNTS)
"""Answers that let such a card or bone count."""

ALLOWED = (QuestionKind.OPEN, QuestionKind.OFFMAT)
"""Questions whether a card or bone counts although it lies wrongly."""

ANSWERS = (Button.HAVE, Button.STICK, Button.UNDO, Button.MENU, Button.LEFT, Button.RIGHT)
"""Buttons that answer a question; turning the knob goes through the candidates."""

TWICE_MM = 45.0
"""So near lies the rest of a card that was found twice: half of one."""

MASHED, MASHED_S = 3, 0.15
"""So many buttons in so many seconds, not all alike, are an elbow's: neither words nor UNDO."""

LEFT_OVER, MANY = 1, 4
"""So many cards may be overlooked by who gathers them, of more than so many."""

THINKS_S = 2.0
"""So long at least somebody may think who does not say how many bones more they throw."""

PATIENCE_LOOKS = 2
"""After so many looks at what lies there unread it is asked about,"""

PATIENCE_S = 4.0
"""or after so many seconds in which nobody does anything."""

AT_WORK_S = 15.0
"""So long after a look at the mat a hand that moves over it is taken to be at work."""

SLICE_S = 0.1
"""A repair goes on for one slice after so many seconds."""

REST_S, MOST_RESTS = 2.0, 6
"""A still table on which all hands lie open is looked at again after so many seconds, so often."""


class Interpreter(Generic[M]):
    """The croupier of one table.

    ``on_reading``, ``on_press`` and ``on_time`` return events; apply them, then call
    ``reinterpret`` until it returns none.
    """

    def __init__(self, game: Game[M], words: Words[M]) -> None:
        """Start without a look; the first one is taken together with the game's state."""
        self._game, self._words = game, words
        self._looks = Looks()
        self._set: Histories[M] | None = None
        self._hand = 0
        self._expected: tuple[Event, ...] = ()
        self._mat_seen = True
        self._any_look = False
        self._question: Question | None = None
        self._fork: Fork[M] | None = None
        self._fork_since: tuple[int, float] = (0, 0.0)
        self._answered = -1
        self._said_out: dict[str, frozenset[tuple[int, bool]]] = {}
        self._unread: Question | None = None
        # What was open when the next hand was dealt: a word at the console only brings it up again.
        self._stale: Question | None = None
        self._denied: Question | None = None  # which of two a card is; people said: neither
        self._twice: set[int] = set()
        self._unread_since: tuple[int, float] = (0, 0.0)
        self._left_alone: set[object] = set()
        self._pointed = False  # an answer of the open question was chosen by hand
        self._renamed: list[tuple[Event, int]] = []
        # A card that was named before it was in the game, and how many looks there were then.
        self._just_named: tuple[Event, int, int] | None = None
        self._misdeal_asked, self._misdeal_s = False, 0.0
        self._next_wanted = self._clear = False
        # As they lay before the mat was clear after the end; what came then is the next hand's.
        self._gathered: tuple[LyingCard, ...] | None = None
        self._left_over = frozenset[int]()  # numbers of what was not gathered
        # What NEXT had to wait for, while nobody has spoken since.
        self._in_way: list[LyingCard] = []
        # The bones that lay there last before the end; others were thrown for the next hand.
        self._thrown: frozenset[int] | None = None
        self._now_s = self._looked_s = self._repaired_s = self._rested_s = 0.0
        self._busy_s = 0.0
        self._rests = 0
        self._dialled: int | None = None
        self._dialled_at: int | None = None
        self._at_once: list[tuple[int, Press]] = []  # since the last reading, with their looks
        self._undone: Histories[M] | None = None  # as they were before the last UNDO
        self._lines: list[str] = []
        self._reading: Reading | None = None

    # The ways in

    def on_reading(self, reading: Reading, state: State) -> CroupierResult:
        """Handle a new reading of the mat."""
        self._now_s = max(self._now_s, reading.time_s)
        if reading.seats is None:
            self._mat_seen = False
            return self.reinterpret(state)
        blind = not (self._mat_seen and self._any_look)
        self._mat_seen = self._any_look = True
        self._at_once.clear()
        self._looked_s = self._repaired_s = self._rested_s = self._now_s
        self._rests = 0
        histories = self._in_step(state)  # what begins here began with what lay there before
        self._reading = reading
        dealt = self._is_dealt_anew()
        self._lines += reading_lines(reading)
        look = self._looks.see(
            reading, hands=_of_players(reading, state), over=reading.over, blind=blind
        )
        known = len(histories.best.events)
        histories.see(look)
        self._note_gathered(histories, look, state)
        if not dealt and self._is_dealt_anew():
            self._stale = self._question
        if len(histories.best.events) != known:
            self._dialled = None
            self._play_on()
        return self._result(state)

    def _came_early(self) -> frozenset[int]:
        """Return the numbers of what was dealt or thrown since the end: it is of the next hand."""
        lies, lay = self._looks.last, self._thrown
        dealt = _off_the_stock(lies) if self._gathered is not None else []
        bones = {bone.number for bone in lies.bones}
        thrown = bones if lay is not None and lay.isdisjoint(bones) else set[int]()
        return frozenset(card.number for card in dealt) - self._left_over | thrown

    def _play_on(self) -> None:
        """Forget that somebody asked for a misdeal a while ago: people play on."""
        if self._now_s - self._misdeal_s > THINKS_S:
            self._misdeal_asked = False

    def _note_gathered(self, histories: Histories[M], look: Look, state: State) -> None:
        """Note that the mat is clear after the end, or that cards of that hand came back."""
        lying = _off_the_stock(look)
        is_over = Phase.DONE in (state.phase, histories.best.state.phase)
        if state.phase is not Phase.DONE or self._thrown is None:
            self._thrown = frozenset(bone.number for bone in look.bones)
        lay: dict[int, LyingCard] = {}
        if is_over and len(lying) <= LEFT_OVER:
            lay = {card.number: card for each in histories.looks[:-1] for card in each.cards}
        known = lay.keys() if self._gathered is None else self._left_over
        left = lying and len(lay) > MANY and all(card.number in known for card in lying)
        if is_over and (left or not lying):
            if lay:
                self._gathered = tuple(card for card in lay.values() if card.card)
            self._left_over = frozenset(card.number for card in lying)
        elif self._gathered and lying:
            # Cards that come back at once had only been hidden by somebody's arm.
            old = {was.card for was in self._gathered if _lies_again(was, lying)}
            self._gathered = None if len(old) > 1 else ()

    def forget(self, state: State | None = None) -> None:
        """Forget the histories; with *state*: only that they were not written as it has them."""
        if state is None:
            self._set = None
        else:
            self._expected = state.log
            self._lines.clear()
            # The clock of those lines is not the one that runs now.
            self._now_s = self._looked_s = self._repaired_s = self._rested_s = 0.0
            self._busy_s = 0.0
            self._fork_since = (self._fork_since[0], 0.0)

    @property
    def lying(self) -> tuple[LyingCard, ...]:
        """The cards that lie open and are read, in the game or not yet."""
        return tuple(card for card in self._looks.last.cards if card.card is not None)

    def take_lines(self) -> tuple[str, ...]:
        """Return what was seen and said since the last call, as lines of a readings log."""
        lines, self._lines = tuple(self._lines), []
        return lines

    def keep_lines(self, lines: Sequence[str]) -> None:
        """Keep *lines* that were taken and could not be written."""
        self._lines[:0] = lines

    def reinterpret(self, state: State) -> CroupierResult:
        """Return what is still to be written and asked, after events were applied."""
        self._in_step(state)
        return self._result(state)

    def on_time(self, now_s: float, state: State, *, moving: bool = False) -> CroupierResult | None:
        """Let time pass; return a result where something is due, else ``None``.

        *moving*: a hand is over the mat. What it does may settle what is open: unless money hangs
        on it, nobody is asked yet.
        """
        self._now_s = max(self._now_s, now_s)
        if moving and self._now_s - self._looked_s < AT_WORK_S:
            self._busy_s = self._now_s
        if self._set is not None and self._set.is_repairing and self._mat_seen:
            # As many slices as time went by, so that it comes to the same however often it is told.
            due = int(round((self._now_s - self._repaired_s) / SLICE_S, 3))
            self._repaired_s += due * SLICE_S
            for _ in range(due):
                self._set.go_on()
            return self._result(state) if due else None
        if self._looks_again():
            return self._result(state)
        fork, unread = self._fork, self._unread
        due = fork is not None and self._is_due(fork)
        late = unread is not None and self._is_late(unread)
        if self._question is not None or not (due or late):
            return None
        return self._result(state)

    def _looks_again(self) -> bool:
        """Look again where hands lie open for nothing; return whether that was due."""
        found = self._set
        due = min(int((self._now_s - self._rested_s) / REST_S), MOST_RESTS)
        before = self._rests
        while found is not None and self._mat_seen and self._rests < due:
            waits, look, best = self._game.waits_in_vain, self._looks.last, found.best
            # Whose cards lie there, taken back by UNDO, has not thrown them in.
            busy = found.is_repairing or bool(found.ignored)
            if busy or not any(waits(h, look, best=h is best) for h in found.alive):
                break
            self._rests += 1
            found.see(self._looks.hear())
        return self._rests > before

    def on_press(self, press: Press, state: State) -> CroupierResult:
        """Handle a press."""
        self._now_s = self._rested_s = max(self._now_s, press.time_s)
        self._rests = 0
        histories = self._in_step(state)
        known = len(histories.best.events)
        question = self._question
        self._lines.append(press_line(press))
        self._in_way = []
        if question is not None and not press.is_word and self._answers(question, press):
            self._dialled = None
            return self._result(state, self._answer(question, press, state))
        refused: tuple[Notice, ...] = ()
        if press.button in SPOKEN:
            if self._unread is not None and self._unread.kind is QuestionKind.FACE:
                self._unread_since = (-ask.LONG, self._now_s)  # that bone is not thrown again
            refused = self._word(press, histories)
            if question is not None and self._is_dealt_anew():
                refused = (messages.answer_first(question.text),)
                self._stale = None
            if len(histories.best.events) != known:
                self._play_on()
        elif press.button in (Button.LEFT, Button.RIGHT):
            self._turn_dial(histories, press)
        elif press.button is Button.UNDO:
            refused = self._undo(press, histories, state)
        elif press.button is Button.MENU:
            self._misdeal_asked, self._misdeal_s = state.phase is not Phase.CUT, self._now_s
        elif press.button is Button.NEXT:
            refused = self._next(press, histories, state)
        return self._result(state, refused)

    def choose(self, number: int) -> None:
        """Mark answer *number* of the open question, from 0, which HAVE then takes.

        The number after the last answer is "none of these", where no answer says so.
        """
        if self._question is not None and self._question.candidates:
            selected = number % (len(self._question.candidates) + 1)
            self._question = replace(self._question, selected=selected)
            self._pointed = True

    @property
    def stories(self) -> tuple[tuple[tuple[Event, ...], ...], ...]:
        """For each answer of the open question the events of the histories that it leaves.

        Empty where the question divides no histories: none is open, or it confirms an event.
        """
        fork, question = self._fork, self._question
        if fork is None or question is None or not fork.question.is_same(question):
            return ()
        if fork.doubt is not None:
            return ()
        parts = dict(zip(fork.question.candidates, fork.parts, strict=True))
        return tuple(
            tuple(history.events for history in parts[answer]) for answer in question.candidates
        )

    def enter(self, event: Event, state: State) -> CroupierResult:
        """Handle what people enter by the menu: a correction, a player who leaves (G-10, G-16)."""
        if isinstance(event, Join | Leave):
            self._next_wanted = False  # others may still be on their way to a seat
        return self._people_did(event, state)

    # Keeping in step with what is written

    def _in_step(self, state: State) -> Histories[M]:
        """Return the histories of the hand of *state*, anew where it came from elsewhere."""
        found = self._set
        ours = found is not None and state.log in (self._expected, found.written)
        if found is not None and len(state.log) > len(found.written):
            # The disk may have taken only the first of what was to be written.
            ours = ours or state.log == self._expected[: len(state.log)]
        if found is None or state.hand_number != self._hand or not ours:
            if found is not None and found.base.hand_number == state.hand_number:
                log.warning("the hand is explained anew: it was changed from elsewhere")
            lies, begun = self._looks.last, self._lying_lines()
            early = self._came_early()
            self._gathered = None
            is_early = bool(early) and state.hand_number != self._hand
            if is_early:
                # It was dealt or thrown before NEXT, and is seen once the hand has begun.
                cards = tuple(card for card in lies.cards if card.number not in early)
                bones = tuple(bone for bone in lies.bones if bone.number not in early)
                lies = replace(lies, cards=cards, bones=bones)
                begun.insert(0, since_line(len(state.log), self._now_s))
            else:
                begun.append(since_line(len(state.log), self._now_s))
            found = self._set = Histories.begin(self._game, state, lies)
            if state.hand_number != self._hand:
                self._next_wanted = self._misdeal_asked = False
                self._looks.begin_hand()
                self._renamed.clear()
                self._just_named = self._undone = None
            self._hand = state.hand_number
            self._fork = self._question = self._unread = self._stale = None
            self._answered = -1
            self._left_alone.clear()
            self._said_out.clear()
            self._twice.clear()
            self._denied = None
            # The next lines explain the hand from here on, beginning with what lies there now.
            self._lines = begun
            if is_early:
                found.see(self._looks.hear())
        found.wrote(state.log)
        self._expected = state.log
        return found

    def _lying_lines(self) -> list[str]:
        return [] if self._reading is None else reading_lines(self._reading)

    def _result(self, state: State, refused: Sequence[Notice] = ()) -> CroupierResult:
        """Return how the journal is to be changed, and what is asked and said."""
        histories = self._set
        assert histories is not None
        best, look = histories.best, self._looks.last
        question = self._ask(histories, look)
        plan = self._plan(histories, question, state)
        events = tuple(event for event, _ in plan)
        kept = 0
        for one, other in zip(events, state.log, strict=False):
            if one != other:
                break
            kept += 1
        self._expected = events
        new, marks = events[kept:], tuple(",".join(assumed) for _, assumed in plan[kept:])
        meant = self._silence(question, best)
        if meant is not None and self._now_s - self._unread_since[1] < THINKS_S:
            question = None
        elif question is not None and meant is not None:
            self._left_alone.add(_left(question))
            self._lines.append(event_line(meant, self._now_s))
            histories.see(self._looks.hear(Said(event=meant)), heard=True)
            return self._result(state, refused)
        if question is not None:
            question = ask.with_any_card(question)
        if question is not None and question.is_same(self._question):
            question = self._question
        else:
            self._pointed = False
        self._question = question
        notices = list(self._notices(best, look, histories.explained))
        if not new and kept == len(state.log) and self._next_wanted:
            begun = self._gather(state, look, notices)
            if begun is not None:
                return CroupierResult((begun,), None, tuple(notices), marks=("",))
        if self._dialled is not None and self._dialled in self._words.dial(best):
            notices.insert(0, self._words.dialled(best, self._dialled))
        return CroupierResult(
            new, question, tuple(notices), tuple(refused), len(state.log) - kept, marks
        )

    def _plan(
        self, histories: Histories[M], question: Question | None, state: State
    ) -> tuple[Step, ...]:
        """Return what is to be written; no end while it is asked what may decide it."""
        plan, done = histories.plan(), histories.best.done
        changed = question is not None and question.kind is QuestionKind.CHANGED
        waits = changed or self._denied is not None
        return plan[: done - 1] if waits and done and state.phase is not Phase.DONE else plan

    def _silence(self, question: Question | None, best: History[M]) -> Event | None:
        """Return what it means that nobody answers; ``None`` where an answer is needed."""
        if question is None or self._fork is not None:
            return None
        return self._words.silence(question, best)

    def _notices(self, best: History[M], look: Look, explained: bool) -> Sequence[Notice]:
        if not self._mat_seen:
            return (messages.no_mat(),)
        if not self._any_look:
            return ()
        assert self._set is not None
        seen, doubted = self._set.without_ignored(look), self._fork is not None
        found = list(self._words.remarks(best, seen, explained, doubted=doubted))
        if self._reading is not None and self._reading.jokers:
            found.insert(0, messages.joker())
        over = best.state.phase is Phase.DONE and not (doubted or self._next_wanted)
        if over and self._came_early():
            found.append(messages.begin_first())
        waits = found or doubted or self._unread is not None or self._set.is_repairing
        if not (explained or waits or best.state.phase is Phase.DONE):
            found.append(messages.not_understood())
        if self._fork is not None and self._question is None:
            found.append(self._words.waiting(self._fork.about, best, look))
        elif self._unread is not None and self._question is None and self._unread.later:
            found.append(Notice(self._unread.text, urgent=False))  # it may settle itself
        ignored = self._set.ignored - self._twice  # of those nobody sees a second one
        if ignored:
            place = next((n for n, each in enumerate(found) if not each.urgent), len(found))
            found.insert(place, self._words.ignored(best, look, ignored))
        return found

    # Words, undo, corrections

    def _word(self, press: Press, histories: Histories[M]) -> tuple[Notice, ...]:
        """Take a press as a word; say why where it means nothing now."""
        before, number = histories.best, self._dialled
        if number not in self._dial(histories):
            number = None
        elif number is not None and press.seat is None:
            press = replace(press, seat=self._dialled_at)  # whoever dialled it says it
        self._dialled = None
        ended = {each.state.phase for each in histories.alive} <= {Phase.SHOWDOWN, Phase.DONE}
        if ended and self._fork is not None and self._fork.money and press.button is not Button.OUT:
            # It is for the next hand, and must not decide what is asked of this one.
            waits = (each for each in histories.alive if each.state.phase is Phase.SHOWDOWN)
            return self._words.refused(next(waits, before), press)
        after_s = press.time_s - self._looked_s
        look = self._looks.hear(Said(press, number=number, after_s=after_s))
        histories.see(look, heard=True)
        if self._is_mashed(press, look.number):
            return self._unsay_mashed(histories)
        in_doubt = press.moving or before.state.phase is Phase.DEAL  # all may have their cards
        judges = histories.alive if in_doubt else [histories.best]
        unused = all(any(said.press is press for _, said in each.said) for each in judges)
        return self._words.refused(before, press) if unused else ()

    def _is_mashed(self, press: Press, number: int) -> bool:
        """Return whether buttons that contradict each other were pressed almost at once.

        *number* is that of the look at which *press* was heard; 0 for UNDO, which none hears.

        Presses of a script, or of people of software, may have the same time: they tell nothing.
        """
        since_s = press.time_s - MASHED_S
        self._at_once = [each for each in self._at_once if each[1].time_s > since_s]
        self._at_once.append((number, press))
        pressed = {(each.button, each.seat) for _, each in self._at_once}
        times = {each.time_s for _, each in self._at_once}
        contradict = len({button for button, _ in pressed}) > 1
        return contradict and min(len(pressed), len(times)) >= MASHED

    def _unsay_mashed(self, histories: Histories[M]) -> tuple[Notice, ...]:
        """Take out what was pressed at once; what an UNDO among it took back is there again."""
        undone = any(press.button is Button.UNDO for _, press in self._at_once)
        if undone and self._undone is not None:
            self._set = histories = self._undone
        histories.unsay({number for number, _ in self._at_once})
        return (messages.mashed(),)

    def _turn_dial(self, histories: Histories[M], press: Press) -> None:
        """Turn the knob to the next number that can be said; HAVE says it."""
        numbers = self._dial(histories)
        if press.seat != self._dialled_at:  # somebody else starts again
            self._dialled, self._dialled_at = None, press.seat
        if numbers:
            now = numbers.index(self._dialled) if self._dialled in numbers else 0
            step = 1 if press.button is Button.RIGHT else -1
            self._dialled = numbers[min(max(now + step, 0), len(numbers) - 1)]

    def _dial(self, histories: Histories[M]) -> tuple[int, ...]:
        """Return the numbers that can be said by the likeliest history in which any can."""
        found = (tuple(self._words.dial(each)) for each in histories.alive)
        return next(filter(None, found), ())

    def _undo(self, press: Press, histories: Histories[M], state: State) -> tuple[Notice, ...]:
        if self._is_mashed(press, 0):
            return self._unsay_mashed(histories)
        self._next_wanted, self._dialled = False, None
        self._said_out.clear()
        self._undone = histories.saved()
        event, number, looks = self._just_named or (None, 0, -1)
        if event is not None and looks == len(histories.looks):
            self._renamed.append((event, number))
            self._just_named = None
            self._forget_names(histories)
            return ()
        if histories.take_back():
            self._forget_names(histories)
            return ()
        try:
            before = apply(state, Undo())
        except IllegalActionError as refusal:
            return (Notice(explain(state, refusal)),)
        # Nothing is known of how that came about: the game goes on from before it.
        self._set = Histories.begin(self._game, before, self._looks.last)
        self._set.wrote(state.log)
        self._lines.append(since_line(len(before.log), self._now_s))
        return ()

    def _forget_names(self, histories: Histories[M]) -> None:
        """Let a card look as it was read when the correction that named it was taken back."""
        left = []
        for event, number in self._renamed:
            if event in histories.best.events or number not in self._looks.names:
                left.append((event, number))
                continue
            named, read = self._looks.unname(number)
            if isinstance(named, Card) and isinstance(read, Card):
                histories.name(number, read, named)
            histories.see(self._looks.hear(), heard=True)
        self._renamed = left

    def _people_did(self, event: Event, state: State) -> CroupierResult:
        histories = self._in_step(state)
        try:
            apply(histories.best.state, event)
        except IllegalActionError as refusal:
            if isinstance(event, Correct) and self._is_unbooked(event, histories.best.state):
                self._name_lying(event, histories)
                return self._result(state)
            return self._result(state, (Notice(explain(state, refusal)),))
        self._lines.append(event_line(event, self._now_s))
        renamed: list[int] = []
        if getattr(event, "hand", None) is None:  # of an earlier hand nothing lies there
            renamed = self._rename(event)
            self._renamed += [(event, each) for each in renamed]
        best = histories.best
        is_open = best.done is not None and not histories.agrees
        if renamed and isinstance(event, Correct) and (is_open or _was_out_by_sight(best, event)):
            # How the hand ends is not decided, or nobody said that they are out: it is judged
            # again by what lies there.
            for each in renamed:
                histories.name(each, event.card, event.was)
            histories.see(self._looks.hear(), heard=True)
        else:
            histories.see(self._looks.hear(Said(event=event)), heard=True)
        return self._result(state)

    def _is_unbooked(self, event: Correct, state: State) -> bool:
        """Return whether a correction is about a card that lies open, but not in the game yet."""
        play = state.live_play
        lies = any(c.card == event.was and event.seat in (None, c.seat) for c in self.lying)
        if play is None or event.hand is not None or not lies:
            return False
        try:
            state.round.check_new_card(event.card, play.seen())
            held = play.seen() if event.seat is None else play.hand(event.seat).cards
        except IllegalActionError:
            return False
        return event.was not in tuple(held)

    def _name_lying(self, event: Correct, histories: Histories[M]) -> None:
        """Take the word of people for a card that is not in the game yet."""
        self._lines.append(event_line(event, self._now_s))
        for number in self._rename(event):
            histories.name(number, event.card, event.was)
            histories.see(self._looks.hear(), heard=True)
            self._just_named = (event, number, len(histories.looks))

    def _rename(self, event: Event) -> list[int]:
        """Name the card or bone that a correction is about; return the numbers of what it was."""
        before = self._looks.names
        self._words.rename(self._looks, event)
        now = self._looks.names
        return [each for each in now if now[each] > before.get(each, 0)]

    # The next hand

    def _next(self, press: Press, histories: Histories[M], state: State) -> tuple[Notice, ...]:
        self._left_alone.clear()
        if state.phase is not Phase.DONE:
            if histories.play_on():
                self._next_wanted = True
                return ()
            if self._words.dial(histories.best):
                # Who wants the next hand says by it that they want no more bones.
                histories.see(self._looks.hear(Said(press)), heard=True)
            elif histories.best.state.phase is Phase.SHOWDOWN:
                # Whoever shows nothing until then may have given up.
                histories.see(self._looks.hear(Said(press)), heard=True)
                if not histories.agrees:
                    self._next_wanted = True
                    return ()
            self._next_wanted = histories.best.state.phase is Phase.DONE
            if self._fork is not None and self._fork.money and not self._next_wanted:
                self._fork_since = (-ask.LONG, self._fork_since[1])  # people wait for it: ask now
                return ()
            return () if self._next_wanted else (messages.not_over(),)
        try:
            apply(state, NextHand())
        except IllegalActionError as refusal:
            return (Notice(explain(state, refusal)),)
        if self._next_wanted:
            # Asked twice: the dealer knows better than the camera that the mat is clear.
            self._clear = True
        self._next_wanted = True
        self._in_way = _off_the_stock(self._looks.last)
        return ()

    def _gather(self, state: State, look: Look, notices: list[Notice]) -> Event | None:
        """Return the start of the next hand once the mat is clear; else say what to gather."""
        assert self._set is not None
        if state.phase is not Phase.DONE or not self._set.agrees:
            return None
        if self._in_way and _made_way(self._in_way, look, state):
            self._gathered, self._left_over = (), frozenset()  # what lies there was dealt
        clear = self._clear or self._gathered is not None
        left = None if clear else self._words.left(self._set.best, look)
        if left is None:
            self._clear = False
            return NextHand()
        notices.insert(0, left)
        return None

    # Questions

    def _ask(self, histories: Histories[M], look: Look) -> Question | None:
        if self._misdeal_asked:
            return ask.misdeal()
        look = histories.without_ignored(look)
        fork = find_fork(self._words, histories, look, self._left_alone)
        last = self._fork
        is_old = fork and last and (fork.about, fork.since) == (last.about, last.since)
        # Who has answered what money hangs on is there to answer the rest of it at once.
        is_rest = fork and fork.money and len(histories.looks) == self._answered
        if not (is_old or is_rest):
            self._fork_since = (len(histories.looks), self._now_s)
        self._fork = fork
        unread = self._words.unread(histories.best, look) or self._gathered_unread(look)
        unread = unread or self._still_denied(histories.best, look)
        if unread is not None and _left(unread) in self._left_alone:
            unread = None
        if unread is None or not unread.is_same(self._unread):
            self._unread_since = (len(histories.looks), self._now_s)
        self._unread = unread
        late = unread if unread is not None and self._is_late(unread) else None
        if fork is None or not (histories.crowded or self._is_due(fork)):
            return late
        if self._said_out.get(fork.about) == _lying(self._looks.last):
            return late  # they have said so, and nothing has changed since
        # Where no money hangs on it, the name of a card may settle it.
        return late if late and not (fork.money or histories.crowded) else fork.question

    def _gathered_unread(self, look: Look) -> Question | None:
        """Return the question about a card that read otherwise and was gathered unanswered."""
        was = self._unread
        if was is None or was.kind is not QuestionKind.CHANGED or was.thing is None:
            return None
        return was if look.card(was.thing) is None else None

    def _still_denied(self, best: History[M], look: Look) -> Question | None:
        """Return the question what a card is of which people said that it is neither of two."""
        denied = self._denied
        if denied is None or denied.was is None or denied.seat is None or denied.thing is None:
            return None
        card, play = look.card(denied.thing), best.state.live_play
        if (card is not None and card.card) or play is None or denied.was not in play.seen():
            self._denied = None  # it is read, or said, or no card of this hand
            return None
        return ask.neither(denied, name_of(best.state, denied.seat))

    def _is_late(self, unread: Question) -> bool:
        """Return whether it is asked now what lies there; some things only when they stay so."""
        unnamed = unread.kind is QuestionKind.CARD and not unread.cards
        told_first = unread.later or unread.kind in LATER or unnamed
        # Who has all bones in their hand is about to throw: how many, that will be seen.
        throws = unread.kind is QuestionKind.NUMBER and not self._looks.last.bones
        looks = ask.LONG if throws else PATIENCE_LOOKS
        since = (self._unread_since[0], max(self._unread_since[1], self._busy_s))
        return not told_first or self._has_waited(looks, since)

    def _is_due(self, fork: Fork[M]) -> bool:
        looks, since_s = self._fork_since
        # While people play on, the next look may settle it.
        busy_s = 0.0 if fork.money else self._busy_s
        since = (looks, max(since_s, self._looked_s, busy_s))
        kind = fork.question.kind
        may_say = kind is QuestionKind.NUMBER  # it may still be dialled
        patience = ask.LONG if kind.patience is None and fork.money else kind.patience
        costs = [part[0].cost for part in fork.parts]
        if kind is QuestionKind.MOVE and costs[0] < costs[-1]:
            patience = 1  # the likelier is mostly seen to be right by the next move
        return (fork.urgent and not may_say) or self._has_waited(patience, since)

    def _has_waited(self, patience: int | None, since: tuple[int, float]) -> bool:
        """Return whether *patience* looks, or seconds enough, went by *since* a look, a time."""
        looks, since_s = since
        assert self._set is not None
        if patience is None:
            return False
        return len(self._set.looks) - looks >= patience or self._now_s - since_s >= PATIENCE_S

    def _answers(self, question: Question, press: Press) -> bool:
        is_stale = press.button in SPOKEN and question.is_same(self._stale)
        if self._is_dealt_anew() and (press.seat is not None or is_stale):
            return False  # it is a word of the next hand
        if question.kind is QuestionKind.WHOSE and self._dialled and press.button is Button.HAVE:
            return False  # a number was dialled meanwhile: HAVE says it
        if question.kind.names_seats and press.seat is not None:
            named = press.button in SPOKEN and _of_seat(question, press.seat) is not None
            return named and not self.is_word(press)
        if question.hints == ask.SAID:
            none_yet = press.button is Button.HAVE and not (question.selected or self._pointed)
            if none_yet or press.button is Button.STICK:
                return False
        answers = press.button in ANSWERS or ask.stride(question, press.button) is not None
        return answers and press.seat in (None, question.seat)

    def _is_dealt_anew(self) -> bool:
        """Return whether the cards of the last hand were gathered, and others lie there now.

        Or its bones, which were thrown anew.
        """
        lying = _off_the_stock(self._looks.last)
        new = any(card.number not in self._left_over for card in lying)
        swept = self._set is not None and self._game.was_swept(self._set.best)
        thrown = swept and bool(self._looks.last.bones)
        return thrown or (new and (swept or self._gathered is not None))

    def is_word(self, press: Press) -> bool:
        """Return whether a press at a seat may be a word where the question is who it was.

        It is one by the histories that give another answer; as an answer it would deny them.
        """
        fork, question = self._fork, self._question
        if fork is None or question is None or not question.kind.names_seats:
            return False
        look, game = self._looks.last, self._game
        return press.seat is not None and any(
            is_word(game, each, look, press)
            for answer, part in zip(fork.question.candidates, fork.parts, strict=False)
            for each in part
            if not (isinstance(answer, ask.Choice) and answer.key == str(press.seat))
        )

    def _answer(self, question: Question, press: Press, state: State) -> tuple[Notice, ...]:
        """Take a press as the answer, or as a step towards it."""
        candidates, button = question.candidates, press.button
        step = ask.stride(question, button)
        chosen: int | None = question.selected
        if question.kind.names_seats and press.seat is not None:
            chosen, step = _of_seat(question, press.seat), None
        elif button is Button.STICK and question.is_direct:
            chosen, step = 1, None
        elif button is Button.UNDO:
            chosen = None
        if step is not None:
            if candidates:
                selected = (question.selected + step) % len(candidates)
                self._question = replace(question, selected=selected)
            return ()
        if button is Button.MENU:
            self._question, self._misdeal_asked = None, True
            return ()
        self._question = question.of if chosen is None else ask.next_step(question, chosen)
        if self._question is None:
            self._take(question, chosen, state, press)
        return ()

    def _take(self, question: Question, chosen: int | None, state: State, press: Press) -> None:
        """Take answer number *chosen*, ``None`` where people leave the question."""
        if question.kind is QuestionKind.MISDEAL:
            self._misdeal_asked = False
            if chosen == 0:
                self._people_did(Misdeal("called by the dealer"), state)
        elif self._fork is not None and self._fork.question.is_same(question):
            if chosen is not None and chosen < len(question.candidates):
                # The likeliest answer may be another one since the question was put.
                answer = question.candidates[chosen]
                chosen = self._fork.question.candidates.index(answer)
            self._settle(self._fork, chosen, press)
        else:
            self._name(question, chosen)

    def _settle(self, fork: Fork[M], chosen: int | None, press: Press) -> None:
        """Keep the histories of the answer; UNDO leaves the question, where money allows it.

        A press that may be a word as well only makes the others unlikely.
        """
        assert self._set is not None
        may_be_word = press.choice is None and any(
            is_word(self._game, each, self._looks.last, press) for each in self._set.alive
        )
        self._fork = None
        self._answered = -1 if chosen is None else len(self._set.looks)
        if chosen is not None and fork.question.kind is QuestionKind.OUT:
            self._said_out[fork.about] = _lying(self._looks.last)
        if chosen is None:
            self._left_alone.add(fork.about)
        elif fork.doubt is not None and (chosen >= len(fork.parts) or len(fork.parts) == 1):
            self._set.decide(fork.doubt, _seat_of(fork.question, chosen))
        elif chosen < len(fork.parts):
            look, about = self._looks.last, fork.about
            answer = self._words.answers(fork.parts[chosen][0], look).get(about)

            def says(each: History[M]) -> bool:
                return self._words.answers(each, look).get(about) == answer

            right: Iterable[History[M]] = fork.parts[chosen]
            if answer is not None and fork.money:  # what was too unlikely may be so no more
                right = filter(says, self._set.kept)
            told = None if answer is None else says
            self._set.answer(right, told, doubted=may_be_word and told is not None)
            if fork.question.kind in SAYS_KNOCK:
                self._set.confirm(fork.parts[chosen][0].events[fork.since :])
        else:
            self._set.bar([each for part in fork.parts for each in part])

    def _is_seen_twice(self, number: int, named: object) -> bool:
        """Return whether a card is the one that was read beside it: it was found there twice."""
        look = self._looks.last
        asked = look.card(number)
        return asked is not None and any(
            card.is_up and card.card == named and card.number != number
            for card in look.cards
            if math.dist(card.centre, asked.centre) < TWICE_MM
        )

    def _is_no_card(self, question: Question) -> bool:
        """Return whether there may be no card where it is none of those named.

        Others of the hand lie open there; and what was read before is one.
        """
        look, thing = self._looks.last, question.thing
        asked = None if thing is None else look.card(thing)
        if question.kind is not QuestionKind.CARD or asked is None or asked.seat is None:
            return False
        return sum(c.card is not None for c in look.at_seat(asked.seat) if c.is_up) > 1

    def _name(self, question: Question, chosen: int | None) -> None:
        """Take the word of people for what a card or bone is."""
        assert self._set is not None
        self._unread = self._denied = None
        named = _candidate(question, chosen)
        if question.kind is QuestionKind.CHANGED and not isinstance(named, Card):
            self._denied = question
        event = self._words.named(question, named)
        if question.thing is None:
            if not isinstance(named, int):  # one by one it is asked after each bone
                self._left_alone.add(_left(question))
        elif question.kind in ALLOWED and named in COUNTED:
            self._looks.allow(question.thing)
        elif question.kind in ALLOWED:
            self._set.ignore(frozenset({question.thing}))
        elif self._is_seen_twice(question.thing, named):
            self._twice.add(question.thing)
            self._set.leave_out(question.thing)
        elif named is None and self._is_no_card(question):
            # None of these and no other one: there is no card. It counts again once it is touched;
            # where one was seen dealt, the hand waits for it.
            self._looks.name(question.thing, None)
            self._set.leave_out(question.thing)
        else:
            self._looks.name(question.thing, named if isinstance(named, Card | Face) else None)
            if isinstance(named, Card):
                self._set.name(question.thing, named)
        said = None if event is None else Said(event=event)
        if isinstance(named, int):
            said = _number(question, named, self._now_s)
        self._set.see(self._looks.hear() if said is None else self._looks.hear(said))


def _lies_again(was: LyingCard, lying: Iterable[LyingCard]) -> bool:
    """Return whether a card that was read lies where it lay: somebody had only hidden it."""
    return any(
        card.card == was.card and math.dist(card.centre, was.centre) <= PUT_BACK_MM
        for card in lying
    )


def _made_way(left: list[LyingCard], look: Look, state: State) -> bool:
    """Return whether all cards that were left are gone, and everybody else has new ones."""
    for was in left:
        now = look.card(was.number)
        if now is not None and (now.side, now.card) == (was.side, was.card):
            return False
    known = {was.number for was in left}
    others = {player.seat for player in state.players} - {was.seat for was in left}
    return bool(others) and others <= {c.seat for c in look.cards if c.number not in known}


def _off_the_stock(look: Look) -> list[LyingCard]:
    return [card for card in look.cards if card.zone is not ZoneKind.STOCK]


def _was_out_by_sight(best: History[M], event: Correct) -> bool:
    """Return whether a player is out only because of a card that was read wrongly: by no word."""
    play, game = best.state.live_play, best.state.setup.game
    for each, about in zip(best.events, best.about, strict=True):
        claims = isinstance(each, Declare) and each.what is Claim.OUT and each.seat == event.seat
        if not claims or play is None or min(about, default=0) <= 0:
            continue
        cards = getattr(each, "cards", None) or ()
        right = tuple(event.card if card == event.was else card for card in cards)
        total = game.total(play, right)
        if event.was in cards and total is not None and total <= game.target:
            return True
    return False


def _candidate(question: Question, chosen: int | None) -> ask.Candidate | None:
    """Return answer number *chosen*; ``None`` for none of them."""
    if chosen is None or chosen >= len(question.candidates):
        return None
    return question.candidates[chosen]


def _number(question: Question, number: int, now_s: float) -> Said:
    """Return the number that answers a question, as if it had been dialled and pressed."""
    return Said(Press(Button.HAVE, now_s, question.seat), number=number)


def _left(question: Question) -> object:
    """Return what is left open when people leave a question that is about no card or bone."""
    return None if question.thing is not None else (question.kind, question.seat)


def _seat_of(question: Question, chosen: int) -> int | None:
    """Return the seat that answer *chosen* names; ``None`` for none of the answers."""
    answer = question.candidates[chosen] if chosen < len(question.candidates) else None
    return int(answer.key) if isinstance(answer, ask.Choice) else None


def _lying(look: Look) -> frozenset[tuple[int, bool]]:
    """Return which cards lie there, and whether each lies face up."""
    return frozenset((card.number, card.is_up) for card in look.cards)


def _of_players(reading: Reading, state: State) -> tuple[int | None, ...] | None:
    """Return whose hands were over the mat; at a place where nobody sits it is anybody's."""
    if reading.hands is None:
        return None
    seated = {player.seat for player in state.players}
    return tuple(hand if hand in seated else None for hand in reading.hands)


def _of_seat(question: Question, seat: int) -> int | None:
    """Return which answer names *seat*."""
    for place, answer in enumerate(question.candidates):
        if isinstance(answer, ask.Choice) and answer.key == str(seat):
            return place
    return None
