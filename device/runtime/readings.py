"""Plays a table from a log of what was seen, without pixels; docs/reference/readings.md."""

from __future__ import annotations

import json
import logging
import os
import select
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from device.clock import Clock
from device.croupier.by_hand import ByHand
from device.croupier.interpreter import PATIENCE_S, Interpreter
from device.croupier.lines import (
    Line,
    ReadingsError,
    press_line,
    read_line,
    reading_lines,
    with_hands,
)
from device.croupier.questions import NONE, OTHER, Choice, Question, QuestionKind
from device.files import parse_json, read_file
from device.ports import Button, Press
from device.runtime.loop import MOST_FAILURES
from device.runtime.table import TableController
from device.runtime.truth import Asked, Stories, Truth, code, codes, counted, presses_for
from engine import Event, event_to_dict
from vision.readings import Reading

log = logging.getLogger(__name__)

SHORTEST_REST_S = 0.06
"""What lies there for a shorter time than this is not seen: a camera needs as long."""

LARGEST_LOG = 64 * 2**20
"""Bytes of a log: an evening has some ten."""

LARGEST_ANSWERS = 4 * 2**20
"""Bytes of a file of answers."""

TICK_S = 0.1
"""So finely time passes between two lines, while something may be due."""

MOST_ANSWERS = 20
"""So many questions are answered at one look at the screen."""

Out = Callable[[dict[str, Any]], None]
"""Takes each line that is told."""


# --- files --------------------------------------------------------------------------------------


def read_log(path: Path) -> list[Line]:
    """Read a log of readings; all of it is checked.

    Raises:
        ReadingsError: it cannot be read; the message names the line.
    """
    found: list[Line] = []
    for number, text in enumerate(_text(path, LARGEST_LOG, "--readings").split("\n"), 1):
        if not text.strip():
            continue
        try:
            line = read_line(text)
        except ReadingsError as problem:
            raise ReadingsError(f"{path}, line {number}: {problem}") from problem
        if found and line.time_s < found[-1].time_s:
            raise ReadingsError(
                f"{path}, line {number}: t goes back from {found[-1].time_s} to {line.time_s}; "
                "the lines are in the order of time"
            )
        found.append(line)
    return found


def read_answers(path: Path) -> dict[str, Any]:
    """Read a file of answers.

    Raises:
        ReadingsError: it cannot be read, or is no JSON object; or it has turns or throws that are
            no list of lists.
    """
    text = _text(path, LARGEST_ANSWERS, "--answers")
    try:
        record = parse_json(text)
    except ValueError as problem:
        raise ReadingsError(f"{path}: is not JSON ({problem})") from problem
    if not isinstance(record, dict):
        raise ReadingsError(f'{path}: is no JSON object; write {{"out":[0]}}')
    for key, example in (("turns", '[[0,"stock","3C"]]'), ("throws", "[[0,[3,3,4,4,1]]]")):
        rows = record.get(key, [])
        if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
            raise ReadingsError(f'{path}: {key}: no list of lists; write {{"{key}":{example}}}')
    return record


def _text(path: Path, most: int, option: str) -> str:
    try:
        return read_file(path, most).decode("utf-8-sig")
    except (OSError, ValueError) as problem:
        why = getattr(problem, "strerror", None) or problem
        raise ReadingsError(f"{path}: cannot be read ({why}); check {option}") from problem


# --- what a camera would have seen --------------------------------------------------------------


def settled(lines: Iterable[Line]) -> Iterator[Line]:
    """Yield the lines with each reading that a camera would have seen, and the hands before it.

    No more of *lines* is taken than is needed to know that.
    """
    return with_hands(_seen(lines))


def _seen(lines: Iterable[Line]) -> Iterator[Line]:
    held: list[Line] = []
    for line in lines:
        held.append(line)
        while held and _is_decided(held):
            yield from _decided(held)
    while held:
        yield from _decided(held)


def _decided(held: list[Line]) -> Iterator[Line]:
    """Take the first of the lines held, and yield it unless it was too short to be seen."""
    is_short = _lies(held[0]) and _is_too_short(held, 0)
    line = held.pop(0)
    if not is_short:
        yield line


def _is_decided(held: Sequence[Line]) -> bool:
    """Return whether it is known by the lines held whether the first of them was seen."""
    first, *later = held
    return not _lies(first) or any(
        line.is_hand or _lies(line) or _since_s(first, line) >= SHORTEST_REST_S for line in later
    )


def _since_s(one: Line, other: Line) -> float:
    return round(other.time_s - one.time_s, 6)


def _lies(line: Line) -> bool:
    return line.reading is not None and line.reading.seats is not None


def _is_too_short(lines: Sequence[Line], place: int) -> bool:
    for later in range(place + 1, len(lines)):
        if _since_s(lines[place], lines[later]) >= SHORTEST_REST_S:
            return False
        if lines[later].is_hand or _lies(lines[later]):
            return True
    return False


# --- what is told -------------------------------------------------------------------------------


class Told:
    """Tells what a table does, line by line: events, questions, notices, the end."""

    def __init__(self, table: TableController, out: Out) -> None:
        """Tell of *table* from now on."""
        self._table, self._out = table, out
        self._start_s = table.clock.monotonic()
        self._events = len(table.session.state.events)
        self._question: Question | None = None
        self._said: set[str] = set()
        self._answer: tuple[object, ...] = ()
        self.asked = 0
        """The id of the newest question, from 1."""
        self._before = table.on_press
        table.on_press, table.on_change = self.pressed, self.tell

    def pressed(self, press: Press) -> None:
        """Note what a press will answer; called before the table handles it."""
        if self._before is not None:
            self._before(press)
        question = self._table.question
        self._answer = () if question is None else _answer_of(question, press)

    def tell(self) -> None:
        """Tell what is new."""
        t = self._now_s
        events = self._table.session.state.events
        for event in events[self._events :]:
            self._out({"t": t, "event": event_to_dict(event)})
        self._events = len(events)
        question = self._table.question
        if question is None or not question.is_same(self._question):
            self._close(t)
            if question is not None:
                self._open(t, question.whole)
        said = [str(notice.sentence) for notice in self._table.notices]
        for text in said:
            if text not in self._said:
                self._out({"t": t, "said": text})
        self._said = set(said)
        self._answer = ()

    def end(self) -> None:
        """Tell the end, and which question is open."""
        self.tell()
        still = None if self._question is None else self.asked
        self._out({"t": self._now_s, "end": {"open": still}})

    @property
    def _now_s(self) -> float:
        return round(max(0.0, self._table.clock.monotonic() - self._start_s), 3)

    def _open(self, t: float, question: Question) -> None:
        self.asked += 1
        self._question = question
        asked: dict[str, Any] = {"id": self.asked, "kind": question.kind.word}
        if question.seat is not None:
            asked["seat"] = question.seat
        if question.card is not None:
            asked["card"] = str(question.card)
        asked |= {"text": str(question.text), "answers": codes(question)}
        asked["marked"] = question.selected
        if question.kind is QuestionKind.HISTORY:
            asked["histories"] = _differing(stories_of(self._table))
        self._out({"t": t, "asked": asked})

    def _close(self, t: float) -> None:
        if self._question is None:
            return
        settled: dict[str, Any] = {"id": self.asked, "by": "table"}
        if self._answer:
            settled |= {"by": "press", "answer": self._answer[0]}
        self._out({"t": t, "settled": settled})
        self._question = None


def stories_of(table: TableController) -> Stories:
    """Return for each answer of the open question the histories that it leaves."""
    croupier = table.croupier
    return croupier.stories if isinstance(croupier, Interpreter | ByHand) else ()


def _differing(stories: Stories) -> list[list[dict[str, Any]]]:
    """Return of the likeliest history of each answer the events in which they differ."""
    first = [list(part[0]) for part in stories]
    same = 0
    for events in zip(*first, strict=False):
        if any(event != events[0] for event in events):
            break
        same += 1
    return [[event_to_dict(event) for event in events[same:]] for events in first]


def _answer_of(question: Question, press: Press) -> tuple[object, ...]:
    """Return what a press answers to the open question; nothing where it is only a step."""
    words = codes(question)
    if question.kind.names_seats and press.seat is not None:
        return (press.seat,) if press.seat in words else ()
    if press.button is Button.MENU:
        return (None,)
    if press.button is Button.UNDO:
        about_a_thing = question.thing is not None
        return () if question.of is not None else (NONE.key if about_a_thing else None,)
    if not question.candidates or (press.button is Button.STICK and question.is_direct):
        place = {Button.HAVE: 0, Button.STICK: 1}.get(press.button)
        return () if place is None else (words[place],)
    if press.button not in (Button.HAVE, Button.PUSH):
        return ()
    place = question.selected if press.choice is None else press.choice
    if place >= len(question.candidates):
        return (NONE.key,)
    answer = question.candidates[place]
    step = question.of is not None and isinstance(answer, Choice) and answer != NONE
    if answer == OTHER or step:
        return ()
    if question.of is not None:
        return (code(answer),)
    return (NONE.key if answer == NONE else words[place],)


# --- who answers --------------------------------------------------------------------------------


class People(Protocol):
    """Somebody who looks at the screen."""

    def presses(self, asked: Asked, time_s: float) -> Sequence[Press]:
        """Return what they press at a question at *time_s*; nothing where they leave it."""


class TruthTeller:
    """Answers each question as an ANSWERS file says."""

    def __init__(self, truth: Truth) -> None:
        """Answer from *truth*."""
        self._truth = truth
        self._last = (0, -1.0)

    def presses(self, asked: Asked, time_s: float) -> Sequence[Press]:
        """Return the presses of the true answer; of a question that stays, once a look."""
        if self._last == (asked.id, time_s):
            return ()
        self._last = (asked.id, time_s)
        answer = self._truth.answer(asked)
        if answer is None:
            return ()
        divides = bool(asked.stories)
        return presses_for(asked.question, answer, time_s, divides=divides) or ()


class Interactive:
    """Answers what comes in from a pipe, one line an answer.

    A question is waited for once, when people first look at it; when they look again, it is
    answered if there is another line already.
    """

    def __init__(self, handle: int) -> None:
        """Read from the file descriptor *handle*."""
        self._handle = handle
        self._waiting = b""
        self._ended = False
        self._number = 0
        self._lines = 0

    def presses(self, asked: Asked, time_s: float) -> Sequence[Press]:
        """Return the presses of the next line; none at the end of the input."""
        first, self._number = asked.id != self._number, asked.id
        while True:
            text = self._line(wait=first)
            if text is None:
                return ()
            first = False
            self._lines += 1
            try:
                found = _answered(text, asked, time_s)
            except ReadingsError as problem:
                log.warning("standard input, line %d: %s", self._lines, problem)
                continue
            if found is not None:
                return found

    def _line(self, *, wait: bool) -> bytes | None:
        """Return the next line; ``None`` at the end, or where none is there and *wait* is false."""
        while b"\n" not in self._waiting and not self._ended:
            if not wait and not select.select([self._handle], [], [], 0)[0]:
                return None
            try:
                piece = os.read(self._handle, 65536)
            except OSError:
                piece = b""
            self._ended = not piece or len(self._waiting) > LARGEST_ANSWERS
            self._waiting += piece
        if not self._waiting:
            return None
        text, _, self._waiting = self._waiting.partition(b"\n")
        return text


def _answered(text: bytes, asked: Asked, time_s: float) -> Sequence[Press] | None:
    """Return the presses of a line of an interactive run; ``None`` for one that leaves it.

    Raises:
        ReadingsError: the line is none, or answers another question.
    """
    try:
        record = parse_json(text)
    except ValueError as problem:
        raise ReadingsError(f"is not JSON ({problem})") from problem
    if not isinstance(record, dict):
        raise ReadingsError('is no JSON object; write {"answer":"yes"}, {"press":"undo"} or {}')
    if "press" in record:
        press = read_line(json.dumps({**record, "t": time_s})).press
        return None if press is None else [press]
    if "answer" not in record:
        return None
    found = presses_for(asked.question, record["answer"], time_s, divides=bool(asked.stories))
    if found is None:
        raise ReadingsError(
            f"{record['answer']!r} is no answer; the answers are {codes(asked.question)}"
        )
    return found


# --- writing a log at a real table --------------------------------------------------------------


class Keeper:
    """Writes what a table sees and what is pressed as a log."""

    def __init__(self, out: Callable[[str], None], clock: Clock) -> None:
        """Write the lines to *out*; times count from now."""
        self._out, self._clock = out, clock
        self._start_s = clock.monotonic()
        self._now_s = self._rest_s = 0.0

    def see(self, reading: Reading) -> None:
        """Write a reading; two are never too near for the first to be seen again."""
        now_s = max(self._since(reading.time_s), self._rest_s)
        if reading.seats is not None:
            self._rest_s = now_s + 2 * SHORTEST_REST_S
        for text in reading_lines(replace(reading, time_s=now_s)):
            self._out(text)

    def press(self, press: Press) -> None:
        """Write a press."""
        self._out(press_line(replace(press, time_s=self._since(press.time_s))))

    def _since(self, time_s: float) -> float:
        self._now_s = max(self._now_s, time_s - self._start_s)
        return self._now_s


# --- playing ------------------------------------------------------------------------------------


def run_told(
    table: TableController,
    told: Out | None,
    kept: Callable[[str], None] | None,
    run: Callable[[], None],
) -> None:
    """Let *run* go on until it ends; tell what *table* does, and keep what it sees, if wanted."""
    if kept is not None:
        keeper = Keeper(kept, table.clock)
        table.on_reading, table.on_press = keeper.see, keeper.press
    if told is None:
        run()
        return
    teller = Told(table, told)
    try:
        run()
    finally:
        teller.end()


def play_readings(
    table: TableController,
    lines: Iterable[Line],
    clock: Clock,
    *,
    told: Out | None = None,
    people: People | None = None,
) -> None:
    """Play *lines* at *table*; its *clock* runs by their times, or waits for them.

    The table's panels are asked only whether somebody quits. A step that fails is logged, and the
    next line is played.

    Args:
        table: with a session; its source is not asked.
        lines: of a log.
        clock: the table's.
        told: gets each line of what the table does.
        people: answer the open question whenever they look at the screen.

    Raises:
        Exception: that of the last step, after :data:`MOST_FAILURES` failures in a row.
    """
    teller = Told(table, told or (lambda _line: None))
    run = _Run(table, clock, teller, people)
    failures = 0
    try:
        for line in settled(lines):
            try:
                if not run.step(line):
                    break
                failures = 0
            except BrokenPipeError:
                raise  # who answers has gone
            except Exception:
                failures += 1
                if failures == MOST_FAILURES:
                    raise
                log.exception("the table failed at %s s; the scores are safe", line.time_s)
                table.failed()
        run.wait_no_more()
    finally:
        teller.end()


class _Run:
    """A log on its way through a table."""

    def __init__(
        self, table: TableController, clock: Clock, told: Told, people: People | None
    ) -> None:
        self._table, self._clock, self._told, self._people = table, clock, told, people
        self._reading: Reading | None = None
        state = table.session.state
        self._first_hand, self._first_event = state.hand_number, len(state.events) - len(state.log)
        self._start_s = clock.monotonic()

    def step(self, line: Line) -> bool:
        """Play one line; return whether the run goes on."""
        table = self._table
        self._until(self._start_s + line.time_s)
        if line.reading is not None:
            self._reading = line.reading
            table.see(line.reading)
        elif line.press is not None and line.press.button is Button.QUIT:
            return False
        elif line.press is not None:
            table.press(line.press)
        elif line.looks and self._people is not None:
            self._look(self._people)
        table.show(self._clock.monotonic())
        pressed = [press for panel in table.panels for press in panel.poll(0.0)]
        return all(press.button is not Button.QUIT for press in pressed)

    def wait_no_more(self) -> None:
        """Ask now what would be asked after some more seconds: nobody will show it any more."""
        end_s = self._clock.monotonic()
        late = self._table.croupier.on_time(end_s + PATIENCE_S, self._table.session.state)
        if late is not None:
            self._table.follow(late)

    def _look(self, people: People) -> None:
        table, now_s = self._table, self._clock.monotonic()
        for _ in range(MOST_ANSWERS):
            asked = self._asked()
            presses = [] if asked is None else people.presses(asked, now_s)
            if not presses:
                return
            table.note_read()
            for press in presses:
                table.press(press)

    def _asked(self) -> Asked | None:
        question, state = self._table.question, self._table.session.state
        if question is None:
            return None
        earlier: list[Event] = counted(state.events[self._first_event :])
        return Asked(
            question,
            self._told.asked,
            state.hand_number - self._first_hand + 1,
            state.log,
            earlier[: len(earlier) - len(state.log)],
            stories_of(self._table),
            self._reading,
        )

    def _until(self, time_s: float) -> None:
        """Let time pass until *time_s*; what is due on the way happens when it is due."""
        near_s = self._clock.monotonic() + 2 * PATIENCE_S
        while self._clock.monotonic() < time_s:
            next_s = self._clock.monotonic() + TICK_S
            self._clock.wait(
                (time_s if next_s > near_s else min(next_s, time_s)) - self._clock.monotonic()
            )
            self._table.pass_time(self._clock.monotonic())
