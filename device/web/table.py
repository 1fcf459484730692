"""What the table has told, for all viewers together: one connection to its feed."""

from __future__ import annotations

import asyncio
import contextlib
import time
from bisect import bisect_right
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import Any

from device.feed.client import FeedClient, NoTableError
from device.feed.wire import EventId

LONGEST_DELAY_S = 120.0
"""For so long what the table has told is kept for viewers that see it later."""

STEP_S = 0.25
"""States kept for those who see them later are so far apart."""

MOST_EVENTS, MOST_AT_ONCE = 20_000, 500
"""Of an evening, the oldest are forgotten here, the journal has them; and of one question."""

OWN_S, ASKED_S = 2.0, 60.0
"""Seconds for a player's view, and for events that are told again."""

Line = Mapping[str, Any]
NOTHING: EventId = (-1, -1)
"""Before all that has happened."""


@dataclass(frozen=True, slots=True)
class Told:
    """A line of the table, and when it came by a clock that only goes forward."""

    line: Line
    came_s: float = field(default_factory=time.monotonic)

    @property
    def place(self) -> EventId:
        """Where an event stands in the journal."""
        return self.line["sitting"], self.line["number"]


class Table:
    """The newest state and the events of this sitting; asks the table for those who press."""

    def __init__(self, feed: Path) -> None:
        """Read the socket *feed* once :meth:`run` runs."""
        self.client = FeedClient(feed)
        self.name = ""
        self.events: list[Told] = []
        self.is_over = False
        self._states: deque[Told] = deque()
        self._bell = asyncio.Event()
        self._loading: dict[EventId, Told] | None = None
        self._older: list[dict[EventId, Line]] = []

    @property
    def is_there(self) -> bool:
        """Whether the table has told how it stands, and has not gone since."""
        return bool(self._states)

    @property
    def is_loading(self) -> bool:
        """Whether what has happened in this sitting is still being asked for."""
        return self._loading is not None

    def state(self, delay_s: float = 0.0) -> Line | None:
        """Return the newest state that is *delay_s* old; ``None`` where there is none."""
        old = time.monotonic() - delay_s
        return next((each.line for each in reversed(self._states) if each.came_s <= old), None)

    @property
    def last(self) -> EventId:
        """Where the newest event stands; :data:`NOTHING` without any."""
        return self.events[-1].place if self.events else NOTHING

    def events_after(self, place: EventId = NOTHING, delay_s: float = 0.0) -> Sequence[Told]:
        """Return the events after *place* that are kept here and are *delay_s* old."""
        found = self.events[bisect_right(self.events, place, key=lambda each: each.place) :]
        old = time.monotonic() - delay_s
        return list(takewhile(lambda each: each.came_s <= old, found)) if delay_s else found

    async def changed(self, most_s: float) -> None:
        """Wait for news, but no longer than *most_s*."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(most_s):
                await self._bell.wait()

    def end(self) -> None:
        """Let all who wait for news go."""
        self.is_over = True
        self._ring()

    def _ring(self) -> None:
        self._bell.set()
        self._bell = asyncio.Event()

    # --- what the table tells -----------------------------------------------------------------

    async def run(self) -> None:
        """Keep a connection to the table for ever."""
        async with asyncio.TaskGroup() as loads:
            async for line in self.client.lines():
                if line["kind"] == "hello":
                    self.name = line["table"]
                elif line["kind"] == "state":
                    self._see(line)
                    if self._loading is None and self._is_ahead(line):
                        self._loading = {}
                        loads.create_task(self._load(line["sitting"]))
                elif line["kind"] == "event":
                    self._keep(Told(line))
                else:
                    self._lose()

    def _lose(self) -> None:
        """Forget what may be otherwise by now: all but what has happened."""
        self._loading = None
        self._states.clear()
        self._ring()

    def _see(self, line: Line) -> None:
        if len(self._states) > 1 and self._states[-1].came_s - self._states[-2].came_s < STEP_S:
            self._states.pop()
        self._states.append(Told(line))
        while len(self._states) > 1 and self._states[1].came_s < time.monotonic() - LONGEST_DELAY_S:
            self._states.popleft()
        self._ring()

    def _is_ahead(self, state: Line) -> bool:
        """Return whether something has happened that is not known here."""
        sitting, number = state["sitting"], state["number"]
        return number is not None and number >= 0 and (sitting, number) > self.last

    async def _load(self, sitting: int) -> None:
        """Ask for what is missing of a sitting; what comes meanwhile waits for its turn."""
        after = self.last if self.last[0] == sitting else (sitting, -1)
        with contextlib.suppress(NoTableError):
            while True:
                answer = await self.client.ask(
                    "events", after=after, most=MOST_AT_ONCE, timeout_s=ASKED_S
                )
                if not answer.get("more") or not self._loading:
                    break
                after = max(self._loading)
        came, self._loading = self._loading or {}, None
        for place in sorted(came):
            self._keep(came[place])
        self._ring()

    def _keep(self, event: Told) -> None:
        place = event.place
        if self._loading is not None:
            self._loading[place] = event
        elif place > self.last:
            self.events.append(event)
            del self.events[:-MOST_EVENTS]
            self._ring()
        for each in self._older:
            each[place] = event.line

    # --- questions ----------------------------------------------------------------------------

    async def earlier(self, place: EventId) -> Sequence[Line]:
        """Return the events after *place* from the journal, where they are not all kept here.

        Raises:
            NoTableError: the table does not answer.
        """
        if self.events and place >= self.events[0].place:
            return ()
        found: dict[EventId, Line] = {}
        self._older.append(found)
        try:
            await self.client.ask("events", after=place, most=MOST_EVENTS, timeout_s=ASKED_S)
        finally:
            self._older.remove(found)
        return [found[each] for each in sorted(found) if each > place]

    async def own(self, seat: int) -> Any:
        """Return the view of the player at a seat that has just been taken.

        Raises:
            NoTableError: the table does not tell it.
        """
        until = time.monotonic() + OWN_S
        while time.monotonic() < until:
            own = (self.state() or {}).get("own", {})
            if str(seat) in own:
                return own[str(seat)]
            await self.changed(0.1)
        raise NoTableError(f"no view of seat {seat}")
