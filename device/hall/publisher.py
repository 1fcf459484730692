"""``boneace publish``: what a table tells, on to a broker; the table's journal is the outbox.

A table sends its events on from the lowest number that the halls that are online have without a
hole. Who asks anew gets what it lacks anew; each hall drops what it has.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

import aiomqtt

from device.config.model import HallConfig
from device.feed.client import FeedClient, NoTableError
from device.hall.broker import FIRST_S, keep_connected, present, send
from device.hall.messages import (
    HALLS,
    START,
    Body,
    Key,
    RefusedError,
    event_body,
    key_of,
    listed,
    of_hall,
    state_body,
    topic,
)

log = logging.getLogger(__name__)

STATE_EVERY_S = 0.25
"""A state is sent at most so often; who watches sees no difference, and a broker much."""

AT_ONCE = 200
"""Events that are asked for of the journal, and that are under way to the slowest hall."""

SILENT_S = 10.0
"""A hall that takes in nothing for so long is not waited for until it says something again."""

MOST_HALLS = 64
"""Halls that are listened to: a broker that lies must not fill the memory."""

LATER: Key = (2**63, 0)
"""Stands behind every event: all has been sent."""

LONGEST_ANSWER_S = 300.0
"""The journal of a year is read at the table's leisure."""


class Outbox:
    """Which event is sent next.

    Attributes:
        sent: the last event that was sent; :data:`LATER` while none needs to be.
        newest: the newest event of which anything is known.
        is_unsure: the journal may have events behind *sent* of which nothing is known.
        halls: what each hall that is online has, by its name.
    """

    def __init__(self) -> None:
        """Begin with nothing to send."""
        self.newest = START
        self._events: dict[Key, Body] = {}
        self.begin()

    def begin(self) -> None:
        """Forget what was sent and what halls have said: another connection begins."""
        self.sent, self.is_unsure = LATER, False
        self.halls: dict[str, Key] = {}
        self._online: set[str] = set()
        self._have: dict[str, Body] = {}
        self._served: dict[str, str] = {}
        self._under_way: deque[Key] = deque()

    def knows(self, key: Key) -> None:
        """Take in that there is such an event."""
        self.newest = max(self.newest, key)

    def take_event(self, event: Body) -> None:
        """Keep an event of the feed until it is sent."""
        key = event["sitting"], event["number"]
        self.knows(key)
        if self.sent == LATER:
            self.sent = key_of(event["previous"])
        self._events[key] = event
        if len(self._events) > 2 * AT_ONCE:
            del self._events[max(self._events)]  # it is asked for again in its turn

    def take_hall(self, hall: str, body: Body) -> None:
        """Take in what a hall has written: that it is online or has gone, or what it has."""
        known = self._online | self._have.keys()
        if hall not in known and len(known) >= MOST_HALLS:
            return
        if "online" in body:
            (self._online.add if body["online"] else self._online.discard)(hall)
        else:
            self._have[hall] = body
        if hall not in self._online:
            self.halls.pop(hall, None)
        elif hall in self._have:
            have = self._have[hall]
            self.halls[hall] = key_of(have["have"])
            if self._served.get(hall) != have["ask"]:
                self._served[hall] = have["ask"]
                self.sent, self.is_unsure = min(self.sent, self.halls[hall]), True
                self._under_way.clear()
        lowest = min(self.halls.values(), default=LATER)
        while self._under_way and self._under_way[0] <= lowest:
            self._under_way.popleft()

    @property
    def oldest(self) -> Key:
        """The oldest event that a hall which is waited for does not have."""
        return self._under_way[0]

    def pass_over_silent(self) -> None:
        """Wait no longer for those halls that have not even the oldest event under way."""
        oldest = self.oldest
        for hall in [hall for hall, key in self.halls.items() if key < oldest]:
            log.warning("hall %s takes in nothing; it is not waited for", hall)
            del self.halls[hall]
        self._under_way.clear()

    @property
    def is_full(self) -> bool:
        """Whether so much is under way that the slowest hall must be waited for."""
        return bool(self.halls) and len(self._under_way) >= AT_ONCE

    def lacks(self, asked_from: Key) -> bool:
        """Whether the journal must be asked for more; it was last asked for all after a key."""
        return self.is_unsure or (self.newest > self.sent and self.sent != asked_from)

    def next(self) -> Body | None:
        """Return the event to send now; ``None`` where it must be asked for, or there is none."""
        for key in [key for key in self._events if key <= self.sent]:
            del self._events[key]
        if not self._events:
            return None
        event = self._events[min(self._events)]
        return event if key_of(event["previous"]) <= self.sent else None

    def has_sent(self, event: Body) -> None:
        """Go on behind an event, unless somebody has asked for older ones meanwhile."""
        key = event["sitting"], event["number"]
        if key_of(event["previous"]) <= self.sent < key:
            self.sent = key
            self._under_way.append(key)


class Publisher:
    """Publishes one table, for as long as both its feed and the broker are there."""

    def __init__(self, config: HallConfig, feed: Path, first_s: float = FIRST_S) -> None:
        """Publish what is told at the socket *feed*; *first_s* is the wait after the first try."""
        self._config, self._first_s = config, first_s
        self._socket, self._feed = feed, FeedClient(feed)
        self._outbox = Outbox()
        self._here, self._gone = asyncio.Event(), asyncio.Event()
        self._news, self._state_news = asyncio.Event(), asyncio.Event()
        self._hello: Body = {}
        self._state: Body = {}

    async def run(self) -> None:
        """Publish until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._read_feed())
            tasks.create_task(keep_connected(self._config, self._publish, self._first_s))

    async def _read_feed(self) -> None:
        async for line in self._feed.lines():
            kind = line.pop("kind")
            if kind == "event":
                self._outbox.take_event(line)
                self._news.set()
            elif kind == "state":
                self._state = line
                if line["sitting"] is not None and line["number"] >= 0:  # -1: no event of it yet
                    self._outbox.knows((line["sitting"], line["number"]))
                self._state_news.set()
            elif kind == "hello":
                self._hello = line
                self._gone.clear()
                self._here.set()
            else:
                self._here.clear()
                self._gone.set()

    async def _publish(self, connected: Callable[[], None]) -> None:
        """Wait for the table, connect to the broker, and publish until one of them goes."""
        if not self._here.is_set():
            needs = "it must run, with [web] enabled = true"
            log.info("waiting for the table at %s: %s", self._socket, needs)
        await self._here.wait()
        self._outbox.begin()
        table = str(self._hello["table"])
        more = {name: self._hello[name] for name in ("program", "language")}
        me, where, who = f"boneace-table-{table}", topic(table, "status"), {"table": table}
        topics = (topic(table, "have/+"), f"{HALLS}/+/status")
        async with present(self._config.of(table), me, where, who, more, topics) as broker:
            self._say_where(table)
            connected()
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._read_broker(broker))
                tasks.create_task(self._send_states(broker, table))
                tasks.create_task(self._send_events(broker, table))
                await self._gone.wait()
                raise NoTableError("the table has gone")

    def _say_where(self, table: str) -> None:
        """Say where *table* is published, or that the broker may drop it: it tells nobody so."""
        user, broker = self._config.user, self._config.broker
        if user in ("", table):
            log.info("table %s is published at %s", table, broker)
        else:
            log.warning(
                'table %s is sent to %s as user "%s": with the ACL file of boneace the broker drops'
                ' it; give the broker a user "%s", and write user = "%s" in [hall]',
                *(table, broker, user, table, table),
            )

    async def _read_broker(self, broker: aiomqtt.Client) -> None:
        async for message in broker.messages:
            try:
                self._outbox.take_hall(*of_hall(message.topic.value, message.payload))
            except RefusedError as problem:
                log.warning("%s: refused: %s", message.topic, problem)
            self._news.set()

    async def _send_states(self, broker: aiomqtt.Client, table: str) -> None:
        self._state_news.set()
        while True:
            await self._state_news.wait()
            self._state_news.clear()
            if self._state:
                body = state_body(table, self._state, self._outbox.newest)
                await send(broker, topic(table, "state"), body, retain=True)
            await asyncio.sleep(STATE_EVERY_S)

    async def _send_events(self, broker: aiomqtt.Client, table: str) -> None:
        outbox = self._outbox
        asked_from, oldest, since_s = LATER, LATER, 0.0
        while True:
            event = None if outbox.is_full else outbox.next()
            if outbox.is_full:
                if outbox.oldest != oldest:
                    oldest, since_s = outbox.oldest, time.monotonic()
                elif time.monotonic() - since_s > SILENT_S:
                    outbox.pass_over_silent()
                await self._hear(1.0)
            elif event is not None:
                await send(broker, topic(table, "event"), event_body(table, event), 1)
                outbox.has_sent(event)
            elif outbox.lacks(asked_from):
                outbox.is_unsure, asked_from = False, outbox.sent
                after = listed(asked_from)
                answer = await self._feed.ask(
                    "events", after=after, most=AT_ONCE, timeout_s=LONGEST_ANSWER_S
                )
                outbox.is_unsure |= bool(answer.get("more"))
            else:
                await self._hear()

    async def _hear(self, longest_s: float | None = None) -> None:
        """Wait for news, or so long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(longest_s):
                await self._news.wait()
        self._news.clear()
