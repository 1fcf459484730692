"""``boneace hall``: listens to all tables, keeps what they send, and asks for what it lacks.

Any number of halls may listen; each asks for itself.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import aiomqtt

from device.config.model import HallConfig
from device.hall.broker import (
    FIRST_S,
    LONGEST_S,
    MOST_TABLES,
    keep_connected,
    present,
    send,
)
from device.hall.messages import (
    ROOT,
    START,
    Body,
    Key,
    RefusedError,
    hall_topic,
    key_of,
    listed,
    of_table,
    topic,
)
from device.hall.store import HallFileError, Store
from device.storage.journal.erase_rows import FIRST_S as FIRST_DATE_S
from device.web.views import read_view
from engine.core.errors import BoneAceError
from engine.core.text.limits import one_line
from engine.core.views import View
from engine.games import catalog

log = logging.getLogger(__name__)

AT_ONCE = 500
"""Messages that are written to the disk in one go."""

TELL_EVERY_S = 0.5
"""What it has is told so often at most."""

BEHIND_S = 3.0
"""A hall that lacks something, and has got nothing for so long, asks; then it waits longer."""

AHEAD_S = 86_400.0
"""A table's clock is wrong if it is so far ahead of the hall's."""

LOG_EVERY_S = 60.0
"""The same complaint about the same table is written so often at most."""


@dataclass(slots=True)
class Live:
    """What is known of a table now.

    Attributes:
        view: what *view_of* shows, a state.
        heard_s: when its state was so, in seconds since 1970.
        gone_s: when it was seen to go.
        newest: the newest event that it has told of.
        have: the last event that the hall has, none missing before it.
        told: of *have* what the table has been told.
        ask: the last question; a new one asks for all after *have*.
    """

    online: bool = False
    state: Body | None = None
    view: View | None = None
    view_of: Body | None = None
    heard_s: float | None = None
    gone_s: float | None = None
    newest: Key = START
    have: Key = START
    told: Key | None = None
    ask: str = field(default_factory=lambda: secrets.token_hex(4))
    moved_s: float = 0.0
    wait_s: float = BEHIND_S

    @property
    def since_s(self) -> float | None:
        """Since when it has been gone, as far as that is known."""
        return self.heard_s if self.gone_s is None else self.gone_s


class Hall:
    """What a hall knows of its tables, and how it comes to know it.

    Attributes:
        tables: each by its name.
        is_connected: the broker is reached.
    """

    def __init__(self, config: HallConfig, store: Store, first_s: float = FIRST_S) -> None:
        """Keep in *store* what comes from the broker of *config*."""
        self._config, self._store, self._first_s = config, store, first_s
        self._said: dict[tuple[str, str], float] = {}
        self.tables = {name: Live(have=key) for name, key in store.have().items()}
        self.is_connected = False

    async def run(self) -> None:
        """Listen until cancelled."""
        await keep_connected(self._config, self._session, self._first_s)

    async def _session(self, connected: Callable[[], None]) -> None:
        name = self._config.name
        topics = [f"{ROOT}/+/{kind}" for kind in ("status", "state", "event")]
        for live in self.tables.values():
            live.told, live.ask = None, secrets.token_hex(4)
        me, where, who = f"boneace-hall-{name}", hall_topic(name), {"hall": name}
        async with present(self._config.of(name), me, where, who, {}, topics) as broker:
            log.info("hall %s listens at %s", name, self._config.broker)
            connected()
            self.is_connected = True
            try:
                async with asyncio.TaskGroup() as tasks:
                    tasks.create_task(self._listen(broker))
                    tasks.create_task(self._tell(broker))
            finally:
                self.is_connected = False
                for live in self.tables.values():
                    live.online = False

    async def _listen(self, broker: aiomqtt.Client) -> None:
        messages = broker.messages
        async for first in messages:
            batch = [first]
            while len(messages) and len(batch) < AT_ONCE:
                batch.append(await anext(messages))
            self.take([(each.topic.value, each.payload) for each in batch])
            await asyncio.sleep(0)

    async def _tell(self, broker: aiomqtt.Client) -> None:
        while True:
            for table, live in self.tables.items():
                self._ask_if_behind(table, live, time.monotonic())
            # All at once: of hundreds of tables none waits until all others have been told.
            due = [each for each in self.tables.items() if each[1].told != each[1].have]
            await asyncio.gather(*(self._tell_one(broker, *each) for each in due))
            await asyncio.sleep(TELL_EVERY_S)

    async def _tell_one(self, broker: aiomqtt.Client, table: str, live: Live) -> None:
        hall, have = self._config.name, live.have
        body: Body = {"table": table, "hall": hall, "have": listed(have), "ask": live.ask}
        await send(broker, topic(table, f"have/{hall}"), body, 1, retain=True)
        live.told = have

    def _ask_if_behind(self, table: str, live: Live, now_s: float) -> None:
        if live.newest <= live.have or not live.online:
            live.moved_s, live.wait_s = now_s, BEHIND_S
        elif now_s - live.moved_s > live.wait_s:
            live.told, live.ask = None, secrets.token_hex(4)
            live.moved_s, live.wait_s = now_s, min(2 * live.wait_s, LONGEST_S)
            self._complain(table, "has events that have not come", "it is asked for them")

    def view(self, table: str) -> View | None:
        """Return what can be seen at a table now; read only for who looks, as it takes long."""
        live = self.tables[table]
        if live.view_of is not live.state:
            live.view_of, live.view = live.state, None
            shown = None if live.state is None else live.state.get("view")
            try:
                live.view = read_view(shown) if shown else None
                if live.view is not None:
                    catalog.find(live.view.game)
            except (BoneAceError, ValueError) as problem:
                live.view = None
                self._complain(table, "its state is refused", one_line(str(problem), 100))
        return live.view

    # What comes

    def take(
        self, messages: list[tuple[str, object]], now: Callable[[], float] = time.time
    ) -> None:
        """Take in messages, each by topic and body; what nobody honest sends is refused."""
        events: list[tuple[str, Body, float]] = []
        for name, payload in messages:
            try:
                table, kind, body = of_table(name, payload)
            except RefusedError as problem:
                self._complain(name[:80], "refused", str(problem))
                continue
            if table not in self.tables and len(self.tables) >= MOST_TABLES:
                self._complain("the broker", f"more than {MOST_TABLES} tables", "refused")
                continue
            live = self.tables.setdefault(table, Live())
            if kind == "event":
                times = {name: self._when(table, body[name], now()) for name in ("at", "started")}
                events.append((table, {**body, "started": times["started"]}, times["at"]))
                live.newest = max(live.newest, (body["sitting"], body["number"]))
            elif kind == "state":
                self._take_state(table, live, body, now())
            elif body["online"]:
                live.online, live.gone_s = True, None
            elif live.online:
                live.online, live.gone_s = False, now()
        if events:
            self._keep(events)

    def _keep(self, events: list[tuple[str, Body, float]]) -> None:
        try:
            left, kept = self._store.take(events), self._store.have()
        except HallFileError as problem:
            # The tables are asked for what is lacking, as for all that has not come.
            self._complain("nothing is kept", str(problem), "it is tried again")
            return
        for table, event, why in left:
            if why == "other":
                number = [event["sitting"], event["number"]]
                self._complain(table, f"another event is already known as {number}", "refused")
        for table, have in kept.items():
            live = self.tables[table]
            if live.have != have:
                live.have, live.moved_s = have, time.monotonic()

    def _take_state(self, table: str, live: Live, body: Body, now_s: float) -> None:
        newest = key_of(body["newest"])
        if newest < live.have and newest != START:
            self._complain(
                table,
                "its numbers have gone back: this is another journal than before",
                f"give the table another name: sudo boneace name {table}-2",
            )
        if live.state is not None and body["at"] < live.state["at"] and newest < live.newest:
            return  # out of order
        live.state, live.newest = body, max(live.newest, newest)
        live.heard_s = self._when(table, body["at"], now_s)

    def _when(self, table: str, at: float, now_s: float) -> float:
        """Return when an event was; of a table whose clock is wrong when it has come."""
        if FIRST_DATE_S <= at <= now_s + AHEAD_S:
            return at
        self._complain(table, "its clock is wrong", "the hall's own is taken")
        return now_s

    def _complain(self, where: str, what: str, more: str) -> None:
        now_s = time.monotonic()
        if now_s - self._said.get((where, what), -LOG_EVERY_S) >= LOG_EVERY_S:
            if len(self._said) > MOST_TABLES:
                self._said.clear()
            self._said[where, what] = now_s
            log.warning("%s: %s; %s", where, what, more)
