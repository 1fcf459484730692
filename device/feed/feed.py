"""The table's end of the feed: what happens is handed to a thread that tells it to its readers.

The loop of the table never waits for it: it leaves a value, and goes on. A reader that is too slow
is cut off, and asks for what it has missed.
"""

from __future__ import annotations

import asyncio
import contextlib
import grp
import json
import logging
import math
import os
import stat
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from device.clock import Clock
from device.feed.door import VOTES, Door
from device.feed.outbox import events_after, last_before
from device.feed.phones import Phones
from device.feed.wire import (
    LONGEST_QUESTION,
    VERSION,
    EventId,
    Happened,
    Json,
    RequestRefusedError,
    Sitting,
    line,
    page_body,
    plain,
    prompt_body,
    texts,
)
from device.ports import Button, Closing, Lamps, Press
from device.runtime.session import Session
from device.runtime.table import TableController
from device.version import program_version
from display.pages.base import Page
from engine import Event, State, view
from engine.core.errors import BoneAceError
from engine.core.messages.message import Value
from engine.core.messages.prompt import Prompt
from engine.core.views import Phase, View
from engine.games.agreed import changed
from engine.games.base import Game
from engine.games.catalog import find_preset

log = logging.getLogger(__name__)

GROUP = "boneace-feed"
"""Who may read the feed, where there is such a group."""

LEAST_S = 0.05
"""Seconds between two states of which only the words differ."""

MOST_PENDING = 1 << 20
"""Bytes that may pile up for one reader."""

MOST_WAITING = 2048
"""Values that the loop may leave before the thread has come to them."""

MOST_PRESSES_S = 10
"""Presses of one seat, or of the host, in a second."""

MOST_MOMENTS = 64
"""Of so many things that were asked it is known what a press meant that comes late."""

BAD_REQUEST = (
    ValueError,
    LookupError,
    ArithmeticError,
    TypeError,
    AttributeError,
    RecursionError,
)
"""What a request raises that a program of somebody else has made wrongly."""

MOST_READERS = 16
"""Each is a program, not a phone."""

DENIED_S = 60.0
"""A phone that comes again so much later is asked for anew, whatever the answer was."""

LONGEST_NAME = 64
"""Letters of what a phone calls itself."""

SEAT_BUTTONS = frozenset(
    {Button.HAVE, Button.STICK, Button.OUT, Button.NEXT, Button.UNDO, Button.MENU}
)
HOST_BUTTONS = frozenset(Button) - {Button.QUIT}


@dataclass(frozen=True, slots=True)
class Shown:
    """What a table shows now.

    Attributes:
        session: in play; ``None`` while nobody plays.
        prompt: what the croupier says.
        whose: the seat that a question is put to; ``None`` for anybody.
        page: what covers the table.
        asks: the seats whose phones may answer the page.
        language: of the screen.
        refused: when the last press was made, and why the game refused it; empty if it did not.
        entered: people enter what lies on the table.
        stakes: the seats whose HAVE and STICK change their stakes now.
    """

    session: Session | None = None
    prompt: Prompt | None = None
    whose: int | None = None
    page: Page | None = None
    asks: tuple[int, ...] = ()
    language: str = "en"
    refused: tuple[float, Value] = (-math.inf, "")
    entered: bool = False
    stakes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Moment:
    """What a press means while this is shown.

    Attributes:
        asked: what a choice answers.
        hand: the sitting and the hand in play.
        answers: the seats whose HAVE and STICK answer it too; ``None``: those of all.
    """

    asked: tuple[object, ...]
    hand: tuple[int, int] | None
    answers: tuple[int, ...] | None

    def meaning(self, press: Press) -> object:
        """Return what *press* means here; where it is the same it does not matter when."""
        if press.button in (Button.NEXT, Button.OUT) and press.choice is None:
            return self.hand
        is_word = press.button in (Button.HAVE, Button.STICK) and press.choice is None
        if is_word and self.answers is not None and press.seat not in (None, *self.answers):
            return self.hand, press.button
        return self.asked


@dataclass(frozen=True, slots=True)
class _Pressed:
    """A press of a phone, the number of what its page showed, and who wants to know what came."""

    press: Press
    number: int | None
    reply: Callable[[Json], object]


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """What is shown, and the *number* of what is asked; all of it never changes."""

    at_s: float
    shown: Shown
    state: State | None
    view: View | None
    last: EventId | None
    number: int


@dataclass(slots=True, eq=False)
class _Reader:
    """A connection, the seats that it has taken, and the last state that was told to it."""

    writer: asyncio.StreamWriter
    seats: set[int] = field(default_factory=set)
    told: Json | None = None


class Feed(Closing):
    """Tells one table to readers on a Unix socket, and brings their presses; a panel of the loop.

    Attributes:
        phones: the secrets, and who has come with them.
        door: asks the table whether another phone may have a seat.
        shows: returns what the table shows now; called by the loop.
        address: where phones find the pages.
        ready: set once the socket is served, or cannot be.
    """

    def __init__(
        self,
        socket: Path,
        journal: Path,
        name: str,
        clock: Clock,
        address: str = "",
        wake: Callable[[], object] = lambda: None,
    ) -> None:
        """Tell the table called *name*, whose events are in *journal*, to readers of *socket*.

        *wake* ends the wait of the loop: a press has come. A socket that cannot be made is logged,
        and the game goes on without readers.
        """
        self.phones = Phones(journal.parent)
        self.door = Door(clock)
        self.shows: Callable[[], Shown] = Shown
        self.address = address
        self._socket, self._journal, self._name = socket, journal, name
        self._clock, self._wake = clock, wake
        self._due_s = -math.inf
        self._left: Shown | None = None
        self._left_state: State | None = None
        # Numbers of an earlier run of the table mean nothing to this one.
        self._number = int(clock.wall())
        self._moments: dict[int, _Moment] = {}
        self._presses: deque[_Pressed] = deque()
        self._heard: _Pressed | None = None
        # Of events that were written at once only the one before them is left.
        self._waiting: deque[Happened | EventId | _Snapshot] = deque()
        self._overflowed = False
        # Of the thread alone:
        self._now: _Snapshot | None = None
        self._bodies: dict[int | None, Json] = {}
        self._readers: set[_Reader] = set()
        self._pressed: dict[int | None, deque[float]] = {}
        self._guest: tuple[int, str] | None = None
        self._denied: dict[tuple[int, str], float] = {}
        self._loop = asyncio.new_event_loop()
        self._over = asyncio.Event()
        self.ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="feed", daemon=True)
        self._thread.start()

    # The table's loop

    def open(self, session: Session) -> None:
        """Tell what happens in *session* from now on."""
        facts = Sitting.of(session.record)
        counted = session.events

        def listen(event: Event, before: View, after: View, assumed: str) -> None:
            nonlocal counted
            last, counted = counted, session.events
            if counted != last + 1:  # several were written at once
                self._leave((facts.number, last - 1))
                return
            previous = (facts.number, counted - 2) if counted > 1 else None
            at_s, state = session.written_s, session.state
            self._leave(
                Happened(facts, counted - 1, previous, at_s, event, before, after, state, assumed)
            )

        session.listeners.append(listen)

    def poll(self, time_s: float) -> tuple[Press, ...]:
        """Return the next press of a phone, unless it was meant for what is asked no more."""
        while self._presses:
            pressed = self._presses.popleft()
            if self._is_late(pressed):
                self._reply(pressed, ok=False, problem="stale")
                continue
            self._heard = pressed
            return (pressed.press,)
        return ()

    def show(self, lamps: Lamps) -> None:
        """Light nothing: phones are told the state."""

    def tick(self, now_s: float) -> Page | None:
        """Leave what is shown now for the readers where it has changed; a task of the loop."""
        page = self.door.page()
        if self._heard is not None or now_s >= self._due_s:
            shown = self._shows(page)
            session = shown.session
            state = None if session is None else session.state
            if state is not self._left_state or shown != self._left:
                self._left, self._left_state = shown, state  # first: it may be dropped
                self._leave_state(shown, session)
            self._due_s = now_s + LEAST_S
            if self._heard is not None:
                refused_s, why = shown.refused
                self._tell_outcome(
                    self._heard, why if refused_s == self._heard.press.time_s else ""
                )
                self._heard = None
        return page

    def _shows(self, page: Page | None) -> Shown:
        """Return what is shown now; *page* of the door lies over it."""
        shown = self.shows()
        if page is not None:
            shown = replace(shown, prompt=None, whose=None, page=page, asks=self.door.asks)
        return shown

    def _note(self, shown: Shown) -> int:
        """Return the number of what is asked now."""
        moment = _moment(shown)
        if moment != self._moments.get(self._number):
            self._number += 1
            self._moments[self._number] = moment
            self._moments.pop(self._number - MOST_MOMENTS, None)
        return self._number

    def _is_late(self, pressed: _Pressed) -> bool:
        """Return whether it was meant for something else than what a press answers now."""
        if pressed.number is None:
            return False
        now = self._moments[self._note(self._shows(self.door.page()))]
        then = self._moments.get(pressed.number)
        return then is None or then.meaning(pressed.press) != now.meaning(pressed.press)

    def _tell_outcome(self, pressed: _Pressed, why: Value) -> None:
        if why:
            self._reply(pressed, ok=False, problem="rules", why=texts(why))
        else:
            self._reply(pressed, ok=True)

    def _reply(self, pressed: _Pressed, **outcome: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the thread has ended
            self._loop.call_soon_threadsafe(pressed.reply, outcome)

    def show_pin(self) -> str:
        """Return the PIN by which a host is let in within a minute from now on."""
        return self.phones.show_pin(self._clock.monotonic())

    @property
    def pin(self) -> str:
        """The PIN that is shown; empty when it counts no more."""
        return self.phones.pin(self._clock.monotonic())

    def changed(self) -> None:
        """Have the next :meth:`tick` look at once: something has happened."""
        self._due_s = -math.inf

    def _leave_state(self, shown: Shown, session: Session | None) -> None:
        number = self._note(shown)
        state, seen, last = None, None, None
        if session is not None:
            state, seen = session.state, session.view
            last = session.record.number, session.events - 1
        self._leave(_Snapshot(self._clock.wall(), shown, state, seen, last, number))

    def _leave(self, value: Happened | EventId | _Snapshot) -> None:
        if not isinstance(value, _Snapshot):
            self.changed()
        if len(self._waiting) >= MOST_WAITING:
            self._overflowed, self._left = True, None  # who comes back must get the state
            return
        self._waiting.append(value)
        with contextlib.suppress(RuntimeError):  # the thread has ended
            self._loop.call_soon_threadsafe(self._tell)

    def close(self) -> None:
        """Cut every reader off; may be called twice."""
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(timeout=2.0)

    # The thread

    def _run(self) -> None:
        try:
            with contextlib.closing(self._loop):
                self._loop.run_until_complete(self._serve())
        except OSError as problem:
            log.error(
                "%s: phones and pages cannot be served (%s); check the folder, or set [web] socket",
                self._socket,
                problem,
            )
        finally:
            self.ready.set()

    async def _serve(self) -> None:
        with contextlib.suppress(FileNotFoundError):
            if stat.S_ISSOCK(self._socket.lstat().st_mode):
                self._socket.unlink()  # left by a program that was killed
        self._socket.parent.mkdir(parents=True, exist_ok=True)
        server = await asyncio.start_unix_server(
            self._meet, self._socket, limit=LONGEST_QUESTION, start_serving=False
        )
        self._socket.chmod(0o660)
        with contextlib.suppress(KeyError, PermissionError):
            os.chown(self._socket, -1, grp.getgrnam(GROUP).gr_gid)
        async with server:
            await server.start_serving()
            self.ready.set()
            await self._over.wait()
            for reader in tuple(self._readers):
                reader.writer.transport.abort()
        self._socket.unlink(missing_ok=True)
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    def _tell(self) -> None:
        """Tell what the loop has left; of several states only the newest."""
        if self._overflowed:
            self._overflowed = False
            for reader in tuple(self._readers):
                reader.writer.transport.abort()
        snapshot: _Snapshot | None = None
        while self._waiting:
            value = self._waiting.popleft()
            if isinstance(value, _Snapshot):
                snapshot = value
            elif self._readers:
                for happened in self._happened(value):
                    told = happened.line()
                    for reader in tuple(self._readers):
                        self._send(reader, told)
        if snapshot is not None:
            self._know(snapshot)
            self._tell_states()

    def _happened(self, value: Happened | EventId) -> list[Happened]:
        """Return the event that the loop has left, or those after the one that it has left."""
        try:
            if isinstance(value, tuple):
                return list(events_after(self._journal, value))
            if value.previous is None:
                return [replace(value, previous=last_before(self._journal, value.id[0]))]
        except BoneAceError as problem:
            log.error("%s", problem)
            return []
        return [value]

    def _know(self, snapshot: _Snapshot) -> None:
        self._now, self._bodies = snapshot, {}
        if snapshot.view is not None and snapshot.last is not None:
            seats = [seat.seat for seat in snapshot.view.seats]
            if self.phones.sit_down(snapshot.last[0], seats, self.address):
                for reader in self._readers:
                    reader.seats.clear()

    def _body(self, seat: int | None) -> Json:
        """Return what the whole table may see now, or the view of one *seat*."""
        assert self._now is not None
        if seat not in self._bodies:
            now = self._now
            if seat is None:
                self._bodies[seat] = _state_body(now)
            elif now.state is not None:
                self._bodies[seat] = plain(view(now.state, seat))
        return self._bodies[seat]

    def _tell_states(self) -> None:
        for reader in tuple(self._readers):
            self._tell_state(reader)

    def _tell_state(self, reader: _Reader) -> None:
        now = self._now
        if now is None:
            return
        reader.seats &= set(self.phones.secrets) if now.state is not None else set()
        seats = sorted(reader.seats - self.phones.bare)
        body = {
            **self._body(None),
            "phones": sorted(self.phones.holders),
            "host": self.phones.has_host,
            "own": {str(seat): self._body(seat) for seat in seats},
        }
        if body != reader.told:
            reader.told = body
            self._send(reader, line("state", at=round(now.at_s, 3), **body))

    def _send(self, reader: _Reader, data: bytes) -> None:
        transport = reader.writer.transport
        if transport.get_write_buffer_size() > MOST_PENDING:
            log.warning("a reader of the feed is too slow; it is cut off")
            transport.abort()
        elif not transport.is_closing():
            transport.write(data)

    async def _meet(self, lines: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one reader until it goes."""
        if len(self._readers) >= MOST_READERS:
            log.warning("more than %s readers of the feed; one is sent away", MOST_READERS)
            writer.close()
            return
        reader = _Reader(writer)
        language = "en" if self._now is None else self._now.shown.language
        hello = {"v": VERSION, "table": self._name, "program": program_version()}
        self._send(reader, line("hello", **hello, language=language))
        self._readers.add(reader)
        self._tell_state(reader)
        try:
            while data := await lines.readline():
                await self._answer(reader, data)
        except (OSError, ValueError, asyncio.CancelledError):  # gone, too long, or all is over
            pass
        finally:
            self._readers.discard(reader)
            writer.close()

    async def _answer(self, reader: _Reader, data: bytes) -> None:
        number: Any = None
        try:
            asked = json.loads(data)
            number = asked["id"]
            found = await self._do(reader, asked)
            if found is None:
                return  # the loop answers
            answer = line("answer", to=number, ok=True, **found)
        except RequestRefusedError as refused:
            answer = line("answer", to=number, ok=False, problem=refused.problem)
        except BAD_REQUEST as problem:
            log.warning("a reader of the feed asks what cannot be understood: %r", problem)
            answer = line("answer", to=None, ok=False, problem="bad")
        except BoneAceError as problem:
            log.error("%s", problem)
            answer = line("answer", to=number, ok=False, problem="bad")
        self._send(reader, answer)

    async def _do(self, reader: _Reader, asked: Json) -> Json | None:
        match asked["ask"]:
            case "events":
                after = asked["after"]
                since = None if after is None else (int(after[0]), int(after[1]))
                return {"more": await self._replay(reader, since, asked.get("most", math.inf))}
            case "seat":
                return {"own": self._take_seat(reader, asked)}
            case "leave":
                seat, phone = self._phone(asked)
                self.phones.check_seat(seat, str(asked["secret"]))
                self.phones.leave(seat, phone)
                reader.seats.discard(seat)
                self._tell_states()
            case "press":
                self._press(reader, asked)
                return None
            case "host" if "pin" not in asked:
                self.phones.check_host(str(asked["host"]))
            case "host":
                token = self.phones.let_host_in(str(asked["pin"]), self._clock.monotonic())
                self._tell_states()
                return {"token": token}
            case _:
                raise RequestRefusedError("bad")
        return {}

    async def _replay(self, reader: _Reader, after: EventId | None, most: float) -> bool:
        """Tell at most *most* events again; return whether there are more."""
        for count, happened in enumerate(events_after(self._journal, after)):
            if count >= most:
                return True
            reader.writer.write(happened.line())
            await reader.writer.drain()
            if count % 20 == 19:
                await asyncio.sleep(0.005)  # the table's loop comes first
        return False

    def _phone(self, asked: Json) -> tuple[int, str]:
        seat, phone = asked["seat"], str(asked["phone"])
        if type(seat) is not int or not 0 < len(phone) <= LONGEST_NAME:
            raise RequestRefusedError("bad")
        return seat, phone

    def _take_seat(self, reader: _Reader, asked: Json) -> bool:
        """Give a seat to a phone; return whether it is told the cards there."""
        seat, phone = self._phone(asked)
        try:
            self.phones.check_phone(seat, str(asked["secret"]), phone)
        except RequestRefusedError as refused:
            if refused.problem == "asked":
                self._ask_table(seat, phone)
            raise
        reader.seats.add(seat)
        self._tell_states()
        return seat not in self.phones.bare

    def _ask_table(self, seat: int, phone: str) -> None:
        """Have the table asked whether *phone* may have a seat that another one has.

        Raises:
            RequestRefusedError: ``taken``: it has said no since this phone came; ``busy``: another
                one waits.
        """
        guest, now_s = (seat, phone), self._clock.monotonic()
        seen = None if self._now is None else self._now.view
        if seen is None:
            raise RequestRefusedError("nobody")
        if self._denied.pop(guest, -math.inf) > now_s - DENIED_S:
            raise RequestRefusedError("taken")
        if guest == self._guest:
            return

        def decided(may: bool, by: frozenset[int]) -> None:
            self._guest = None
            if may:
                self.phones.let_in(seat, phone, by)
                self._tell_states()
            else:
                self._denied = {guest: self._clock.monotonic()}

        def tell(may: bool, by: frozenset[int]) -> None:
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(decided, may, by)

        votes = min(VOTES, len(seen.seats) - 1)
        others = self.phones.others(seat, phone)
        if not self.door.knock(seen.seat(seat).name, seat, tell, others, votes):
            raise RequestRefusedError("busy")
        self._guest = guest
        self.changed()
        self._wake()

    def _press(self, reader: _Reader, asked: Json) -> None:
        """Hand a press to the loop, which answers once it has had its effect."""
        choice, number = asked.get("choice"), asked.get("prompt")
        button = Button(asked["button"] if choice is None else Button.HAVE)
        if choice is not None and (type(choice) is not int or choice < 0 or number is None):
            raise RequestRefusedError("bad")
        now = self._now
        if now is None:
            raise RequestRefusedError("nobody")
        if "host" in asked:
            self.phones.check_host(str(asked["host"]))
            seat, allowed = None, HOST_BUTTONS
        else:
            seat, allowed = self._seat_that_presses(asked, now, button), SEAT_BUTTONS
        if button not in allowed:
            raise RequestRefusedError("bad")
        if number is not None and type(number) is not int:
            raise RequestRefusedError("bad")
        now_s = self._clock.monotonic()
        self._check_pace(seat, now_s)
        if choice is not None and now.shown.whose is None and now.shown.page is None:
            seat = None  # the answer of anybody: as if the screen had been touched
        if button is Button.NEXT:
            seat = None  # a hand that is over is everybody's
        to = asked["id"]

        def reply(outcome: Json) -> None:
            self._send(reader, line("answer", to=to, **outcome))

        self._presses.append(_Pressed(Press(button, now_s, seat, choice), number, reply))
        self._wake()

    def _seat_that_presses(self, asked: Json, now: _Snapshot, button: Button) -> int:
        """Return the seat of a phone that may press this now."""
        seat, phone = self._phone(asked)
        self.phones.check_phone(seat, str(asked["secret"]), phone)
        if asked.get("choice") is not None:
            asks = now.shown.asks or (now.shown.whose,)
            if seat not in asks and asks != (None,):
                raise RequestRefusedError("other")
        if button is Button.NEXT and (now.view is None or now.view.phase is not Phase.DONE):
            raise RequestRefusedError("other")
        if button is Button.MENU and (now.shown.page is not None or not now.shown.entered):
            raise RequestRefusedError("other")  # the menu itself is the console's
        return seat

    def _check_pace(self, who: int | None, now_s: float) -> None:
        pressed = self._pressed.setdefault(who, deque(maxlen=MOST_PRESSES_S))
        if len(pressed) == MOST_PRESSES_S and now_s - pressed[0] < 1.0:
            raise RequestRefusedError("busy")
        pressed.append(now_s)


def _moment(shown: Shown) -> _Moment:
    """Return what a press answers; where nothing can be chosen it follows what happened."""
    prompt, page, session = shown.prompt, shown.page, shown.session
    hand, last = None, None
    if session is not None:
        hand, last = (session.record.number, session.view.hand_number), session.events
    if page is not None:
        return _Moment((page.title, tuple(page.answers()), shown.asks), hand, None)
    if prompt is None:
        return _Moment((), hand, None)
    asked = (prompt.kind, prompt.title, prompt.choices, prompt.card_choices, shown.whose)
    if not (prompt.choices or prompt.card_choices):
        return _Moment((*asked, last), hand, ())
    return _Moment(asked, hand, None if shown.whose is None else (shown.whose,))


def shown_at(table: TableController) -> Shown:
    """Return what *table* shows, without what covers it."""
    question = table.question
    whose = None if question is None else question.seat
    return Shown(
        session=table.session,
        prompt=table.prompt,
        whose=whose,
        language=table.language,
        refused=table.refused,
        entered=table.is_by_hand,
        stakes=table.stakes,
    )


@lru_cache(maxsize=8)
def _agreed(game: Game, preset: str, options: Any) -> Json:
    """Return the options in which a game differs from its preset."""
    names = changed(game, find_preset(game, preset), options)
    return {name: plain(getattr(options, name)) for name in names}


def _state_body(now: _Snapshot) -> Json:
    shown = now.shown
    sitting, number = (None, None) if now.last is None else now.last
    prompt = None if shown.prompt is None else prompt_body(shown.prompt, now.number)
    if prompt is not None:
        prompt |= {"whose": shown.whose, "entered": shown.entered, "stakes": list(shown.stakes)}
    page = None if shown.page is None else page_body(shown.page, now.number)
    if page is not None:
        page["asks"] = list(shown.asks)
    setup = None if now.state is None else now.state.setup
    return {
        "language": shown.language,
        "sitting": sitting,
        "number": number,
        "view": plain(now.view),
        "prompt": prompt,
        "page": page,
        "options": {} if setup is None else _agreed(setup.game, setup.preset, setup.options),
    }
