"""What a broker and a hall carry: messages, bytes and CPU from 4 tables to 400.

python benchmarks/hall.py [--tables 4 40 100 400] [--seconds 60] [--record 100]

First four virtual tables are played at the pace of people, and what they publish is recorded. Then
so many simulated publishers as wanted, each with a connection of its own, send it again at the same
pace to a Mosquitto of their own with one ``boneace hall``. CPU is the share of one core; a message
counts once when it comes to the broker. "until kept" is the time from sending an event until the
hall has told that it is on its disk, which it tells twice a second at most.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import aiomqtt

from device.hall.messages import encode, topic
from device.hall.store import Store
from tests.acceptance.hall.demo import TABLES, start, wait_for
from tests.acceptance.hall.storm import Child
from tests.support.hall_rig import running, until
from tests.support.mosquitto import Mosquitto, free_port

TICKS = os.sysconf("SC_CLK_TCK")
WARM_S = 15.0
"""How long events take is counted only so long after a publisher has joined: all join at once."""

PAGE = os.sysconf("SC_PAGE_SIZE")


def cpu_s(pid):
    """Return the seconds of CPU that a process has taken."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def memory_mb(pid):
    """Return what a process has in memory."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE / 1e6


async def listen(port, heard, *topics):
    """Hear topics for ever, each message with its time."""
    async with aiomqtt.Client("127.0.0.1", port) as client:
        await client.subscribe([(each, 1) for each in topics])
        async for message in client.messages:
            heard.append((time.monotonic(), message.topic.value, message.payload))


async def record(seconds):
    """Return what each of the four virtual tables publishes, with its times from 0 on."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        broker = Mosquitto(Path(folder) / "broker")
        address = start(Path(folder), stack, 1.0, broker)
        await asyncio.to_thread(wait_for, address, len(TABLES))
        heard = []
        kinds = [f"boneace/v1/+/{kind}" for kind in ("state", "event")]
        async with running(listen(broker.port, heard, *kinds)):
            await asyncio.sleep(1.0)
            began = time.monotonic()
            heard.clear()
            await asyncio.sleep(seconds)
    streams = {name: [] for name in TABLES}
    for at, name, payload in heard:
        table, kind = name.split("/")[2:]
        streams[table].append((at - began, kind, json.loads(payload)))
    return list(streams.values())


class Simulated:
    """A publisher that sends a recorded stream again and again, as events of its own."""

    def __init__(self, number, stream, length_s):
        self.name = f"table-{number}"
        self.stream, self.length_s = stream, length_s
        self.number, self.messages, self.bytes = -1, 0, 0
        self.sent = {}

    async def run(self, port, seconds):
        """Send for so many seconds."""
        clock = asyncio.get_running_loop()
        async with aiomqtt.Client("127.0.0.1", port, keepalive=300) as client:
            await self.send(client, "status", {"online": True}, retain=True)
            joined_s = clock.time()
            began_s = joined_s - random.uniform(0, self.length_s)
            end_s = joined_s + seconds
            while True:
                for at_s, kind, body in self.stream:
                    due_s = began_s + at_s
                    if due_s > end_s:
                        return
                    if due_s < clock.time() - 1.0:
                        continue  # before the place where it begins
                    await asyncio.sleep(due_s - clock.time())
                    if kind == "event":
                        self.number += 1
                        before = None if self.number == 0 else [1, self.number - 1]
                        key = {"sitting": 1, "number": self.number, "previous": before}
                        if clock.time() > joined_s + WARM_S:
                            self.sent[self.number] = time.monotonic()
                        await self.send(client, kind, {**body, **key, "at": time.time()})
                    else:
                        newest = None if self.number < 0 else [1, self.number]
                        await self.send(client, kind, {**body, "newest": newest}, retain=True)
                began_s += self.length_s

    async def send(self, client, kind, body, retain=False):
        """Send one message, as a publisher does."""
        data = encode({**body, "table": self.name})
        self.messages += 1
        self.bytes += len(data)
        await client.publish(topic(self.name, kind), data, 0 if kind == "state" else 1, retain)


async def measure(streams, length_s, tables, seconds, folder):
    """Return the row of so many tables."""
    with ExitStack() as stack:
        broker = stack.enter_context(Mosquitto(folder / "broker"))
        config = folder / "config.toml"
        config.write_text(
            f"[hall]\nbroker = '127.0.0.1'\nport = {broker.port}\npage_port = {free_port()}\n"
            f"file = '{folder / 'hall.sqlite3'}'\n"
        )
        words = ("-m", "device.cli", "--config", config, "hall")
        hall = Child(*words, log=folder / "hall.log").start()
        stack.callback(hall.kill)
        acks, status = [], []
        have = listen(broker.port, acks, "boneace/v1/+/have/+")
        async with running(have, listen(broker.port, status, "boneace/v1-halls/#")):
            await until(lambda: status, "the hall")
            publishers = [
                Simulated(number, streams[number % len(streams)], length_s)
                for number in range(tables)
            ]
            pids = broker._process.pid, hall.process.pid
            before = [cpu_s(pid) for pid in pids]
            began_s = time.monotonic()
            await asyncio.gather(*(each.run(broker.port, seconds) for each in publishers))
            took_s = time.monotonic() - began_s
            used = [cpu_s(pid) - was for pid, was in zip(pids, before, strict=True)]
            await asyncio.sleep(3.0)
        with Store(folder / "hall.sqlite3") as store:
            have = store.have()
        kept = sum(have.get(each.name, (1, -1))[1] + 1 for each in publishers)
        events = sum(each.number + 1 for each in publishers)
        waited = until_kept(publishers, acks)
        return {
            "tables": tables,
            "messages/s": round(sum(each.messages for each in publishers) / took_s, 1),
            "kB/s": round(sum(each.bytes for each in publishers) / took_s / 1000, 1),
            "broker CPU": f"{100 * used[0] / took_s:.1f} %",
            "hall CPU": f"{100 * used[1] / took_s:.1f} %",
            "broker MB": round(memory_mb(pids[0])),
            "hall MB": round(memory_mb(pids[1])),
            "events": events,
            "kept": kept,
            "until kept, p50 and p95 (s)": " ".join(
                f"{each:.2f}" for each in (statistics.median(waited), percentile(waited, 0.95))
            ),
        }  # fmt: skip


def until_kept(publishers, acks):
    """Return how long each event took until the hall told that it had it."""
    by_name = {each.name: dict(each.sent) for each in publishers}
    waited = []
    for at, name, payload in acks:
        have = json.loads(payload)["have"]
        sent = by_name[name.split("/")[2]]
        for number in [number for number in sent if have and number <= have[1]]:
            waited.append(at - sent.pop(number))
    return waited


def percentile(values, share):
    """Return the value below which a share of them lies."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def main(argv=None):
    """Record, measure each number of tables, and print a row for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, nargs="+", default=[4, 40, 100, 400])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--record", type=float, default=100.0)
    args = parser.parse_args(argv)
    streams = asyncio.run(record(args.record))
    for name, stream in zip(TABLES, streams, strict=True):
        sizes = {
            kind: [len(encode(body)) for _, each, body in stream if each == kind]
            for kind in ("event", "state")
        }
        told = ", ".join(
            f"{len(found) / args.record:.2f} {kind}s/s of {statistics.mean(found or [0]):.0f} bytes"
            for kind, found in sizes.items()
        )
        print(f"{name}, {TABLES[name][0]}: {told}", flush=True)
    for tables in args.tables:
        with tempfile.TemporaryDirectory() as folder:
            row = asyncio.run(measure(streams, args.record, tables, args.seconds, Path(folder)))
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
