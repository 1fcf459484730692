"""Plays a table from a log of what was seen, without pixels; docs/reference/readings.md."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from device.clock import HandClock
from device.croupier.interpreter import PATIENCE_S
from device.croupier.lines import Line
from device.croupier.questions import Candidate, Choice, Question, QuestionKind
from device.ports import Button, Press
from device.runtime.table import TableController
from engine import event_to_dict
from engine.core.bones import Face
from engine.core.cards import Card
from engine.core.events import Roll

SHORTEST_REST_S = 0.06
"""What lies there for a shorter time than this is not seen: a camera needs as long."""

Out = Callable[[dict[str, Any]], None]
"""Takes each line that is told."""


def settled(lines: Iterable[Line]) -> list[Line]:
    """Return the lines with each reading that a camera would have seen, and the hands before it."""
    found: list[Line] = []
    hands: list[int | None] = []
    over: frozenset[str] = frozenset()
    everything = list(lines)
    for place, line in enumerate(everything):
        if line.is_hand:
            hands.append(line.hand)
            over |= line.over
        elif line.reading is None or line.reading.seats is None:
            found.append(line)
        elif not _is_too_short(line, everything[place + 1 :]):
            reading = replace(line.reading, hands=tuple(hands), over=over)
            found.append(replace(line, reading=reading))
            hands, over = [], frozenset()
    return found


def _is_too_short(line: Line, after: Iterable[Line]) -> bool:
    for later in after:
        if later.time_s - line.time_s >= SHORTEST_REST_S:
            return False
        if later.is_hand or later.reading is not None:
            return True
    return False


def code(answer: Candidate) -> object:
    """Return an answer as a word of the format."""
    if isinstance(answer, Choice):
        return int(answer.key) if answer.key.isdecimal() else answer.key
    if isinstance(answer, Face):
        return answer.points
    return str(answer) if isinstance(answer, Card) else answer


@dataclass(frozen=True, slots=True)
class Truth:
    """The truth of a table, as an ANSWERS file tells it.

    Attributes:
        record: the file's object.
    """

    record: Mapping[str, Any]

    def answer(self, question: Question, hand: int, thrown: int = 0) -> int | None:
        """Return which answer of *question* is true, from 0; ``None`` where that is not told.

        *thrown*: so many throws of bones of this hand are known already.
        """
        hands = self.record.get("hands")
        record = hands[hand - 1] if isinstance(hands, list) and hand <= len(hands) else self.record
        wanted = record.get(str(question.kind), self.record.get(str(question.kind)))
        codes = [code(each) for each in question.candidates]
        throws = record.get("throws")
        if throws and question.kind is QuestionKind.NUMBER:
            sizes = [len(faces) for seat, faces in throws if seat == question.seat]
            wanted = sum(sizes[1:])
        elif throws and question.kind is QuestionKind.WHOSE:
            wanted = throws[thrown][0] if thrown < len(throws) else None
        if wanted is None:
            return None
        if not isinstance(wanted, list):
            return codes.index(wanted) if wanted in codes else None
        if "yes" in codes:
            said = "yes" if question.seat in wanted else "no"
            return codes.index(said) if said in codes else None
        return next((codes.index(each) for each in wanted if each in codes), None)


class Told:
    """Tells what a table does, line by line: events, questions, notices, the end."""

    def __init__(self, table: TableController, out: Out) -> None:
        """Tell of *table* from now on."""
        self._table, self._out = table, out
        self._events = len(table.session.state.events)
        self._question: Question | None = None
        self._asked = 0
        self._said: set[str] = set()
        self.answered: object = None

    def tell(self, time_s: float) -> None:
        """Tell what is new."""
        t = round(time_s, 3)
        events = self._table.session.state.events
        for event in events[self._events :]:
            self._out({"t": t, "event": event_to_dict(event)})
        self._events = len(events)
        said = [str(notice.sentence) for notice in self._table.notices]
        for text in said:
            if text not in self._said:
                self._out({"t": t, "said": text})
        self._said = set(said)
        question = self._table.question
        if question is None or not question.is_same(self._question):
            self._close(t)
            if question is not None:
                self._open(t, question)
        self.answered = None

    def _open(self, t: float, question: Question) -> None:
        self._asked += 1
        self._question = question
        asked: dict[str, Any] = {"id": self._asked, "kind": str(question.kind)}
        if question.seat is not None:
            asked["seat"] = question.seat
        if question.card is not None:
            asked["card"] = str(question.card)
        asked["text"] = str(question.text)
        asked["answers"] = [code(each) for each in question.candidates]
        asked["marked"] = question.selected
        self._out({"t": t, "asked": asked})

    def _close(self, t: float) -> None:
        if self._question is None:
            return
        settled: dict[str, Any] = {"id": self._asked, "by": "table"}
        if self.answered is not None:
            settled |= {"by": "press", "answer": self.answered}
        self._out({"t": t, "settled": settled})
        self._question = None

    def end(self, time_s: float) -> None:
        """Tell the end, and which question is open."""
        still = None if self._question is None else self._asked
        self._out({"t": round(time_s, 3), "end": {"open": still}})


def play_readings(
    table: TableController,
    lines: Iterable[Line],
    clock: HandClock,
    *,
    told: Out = lambda _line: None,
    truth: Truth | None = None,
) -> None:
    """Play *lines* at *table*; its *clock* runs by their times.

    Args:
        table: with a session; its own sources are not asked.
        lines: of a log.
        clock: the table's.
        told: gets each line of what the table does.
        truth: answers the open question whenever people look at the screen.
    """
    teller = Told(table, told)
    now_s = 0.0
    for line in settled(lines):
        now_s = _until(table, clock, line.time_s)
        teller.tell(now_s)
        if line.reading is not None:
            table.see(line.reading)
        elif line.press is not None:
            if line.press.button is Button.QUIT:
                break
            teller.answered = _answer_of(table.question, line.press)
            table.press(line.press)
        elif line.looks and truth is not None and table.question is not None:
            thrown = sum(isinstance(event, Roll) for event in table.session.state.log)
            chosen = truth.answer(table.question, table.session.view.hand_number, thrown)
            if chosen is not None:
                teller.answered = code(table.question.candidates[chosen])
                table.press(Press(Button.HAVE, now_s, choice=chosen))
        teller.tell(now_s)
    _until(table, clock, now_s + PATIENCE_S)
    teller.tell(now_s)
    teller.end(now_s)


def _until(table: TableController, clock: HandClock, time_s: float) -> float:
    """Let time pass until *time_s*."""
    clock.wait(max(0.0, time_s - clock.monotonic()))
    table.pass_time(clock.monotonic())
    return clock.monotonic()


def _answer_of(question: Question | None, press: Press) -> object:
    """Return what a press answers to the open question; ``None`` where it answers nothing."""
    if question is None or not question.candidates:
        return None
    if press.button is Button.HAVE:
        return code(question.candidates[question.selected])
    if press.button is Button.STICK and question.is_direct:
        return code(question.candidates[1])
    return None
