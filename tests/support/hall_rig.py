"""A hall on one machine for tests: tables, publishers, halls, all at one broker."""

import asyncio
import contextlib
import json
import time

import aiomqtt

from device.config.model import HallConfig
from device.hall.listener import Hall
from device.hall.publisher import Publisher
from device.hall.store import Store

SOON_S = 0.02
"""The first wait between tries, so that tests need not wait."""


def config_for(broker, **more):
    return HallConfig(broker="127.0.0.1", port=broker.port, **more)


@contextlib.asynccontextmanager
async def running(*coroutines):
    """Run coroutines beside a block, and stop them as a signal does."""
    tasks = [asyncio.create_task(each) for each in coroutines]
    try:
        yield tasks
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def until(true, what, longest_s=60.0):
    """Wait until *true* returns so; a broken hall fails the test instead of hanging it."""
    end_s = time.monotonic() + longest_s
    while not true():
        assert time.monotonic() < end_s, f"in vain: {what}"
        await asyncio.sleep(0.01)


def publisher(broker, table, **more):
    return Publisher(config_for(broker, **more), table.path, SOON_S)


@contextlib.contextmanager
def a_hall(broker, folder, name="hall"):
    with Store(folder / f"{name}.sqlite3") as store:
        yield Hall(config_for(broker, name=name), store, SOON_S), store


def tokens(table):
    """Return what the events of a table say, as the hall's ledger has it."""
    return {
        (table.name, event["sitting"]): {p["name"]: p["tokens"] for p in event["players"]}
        for event in table.events
    }


class Ear:
    """Hears everything at a broker, as bytes."""

    def __init__(self, broker, topics="#"):
        self.heard, self._broker, self._topics = [], broker, topics

    async def listen(self):
        async with aiomqtt.Client("127.0.0.1", self._broker.port) as client:
            await client.subscribe(self._topics, qos=1)
            async for message in client.messages:
                self.heard.append((message.topic.value, message.payload, message.retain))

    def bodies(self, ending):
        return [
            json.loads(body) for topic, body, _ in self.heard if topic.endswith(ending) and body
        ]


def ledger(store):
    """Return what a hall keeps as the tokens of every player, by table and sitting."""
    found = {}
    rows = store._db.execute("SELECT tbl, sitting, name, tokens FROM players").fetchall()
    for table, sitting, name, tokens in rows:
        one = found.setdefault((table, sitting), {})
        one[name] = one.get(name, 0) + tokens
    return found
