"""How fast the pages follow the table, and what they cost it.

Usage: python benchmarks/web.py [--viewers 100] [--events 200]

Three processes as at a real table: the table here, `boneace web`, and the viewers. Each event's way
is timed from the disk to every viewer, each press from the phone to the table's loop, and each step
of the loop with viewers and without any.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx

from engine import Phase
from tests.support.played_table import PlayedTable

ROOT = Path(__file__).resolve().parents[1]
PAUSE_S = 0.05


async def view_all(port: int, viewers: int, events: int) -> None:
    """Read the events with many connections, and print when each one came to each viewer."""
    ready = asyncio.Semaphore(0)

    async def one() -> list[tuple[int, float]]:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        came: list[tuple[int, float]] = []
        while len(came) < events:
            line = await reader.readline()
            if not line:
                raise ConnectionError("the pages have gone")
            if line.startswith(b"event: state"):
                ready.release()
            if line.startswith(b"id: "):
                came.append((int(line.split(b".")[1]), time.time()))
        writer.close()
        return came

    tasks = [asyncio.create_task(one()) for _ in range(viewers)]
    for _ in tasks:
        await ready.acquire()
    print("ready", flush=True)
    print(json.dumps([await task for task in tasks]), flush=True)


def quantile(values: list[float], share: float) -> float:
    """Return the value below which *share* of all lie, in milliseconds."""
    return 1000 * sorted(values)[min(len(values) - 1, int(share * len(values)))]


def timed_steps(table: PlayedTable) -> list[float]:
    """Note from now on how long each step of the loop takes."""
    took: list[float] = []
    step = type(table.table).step

    def timed() -> bool:
        began = time.perf_counter()
        going = step(table.table)
        took.append(time.perf_counter() - began)
        return going

    table.do(lambda: setattr(table.table, "step", timed))
    return took


def play(table: PlayedTable, events: int) -> None:
    for _ in range(events):
        table.go_on()
        time.sleep(PAUSE_S)


def presses(table: PlayedTable, url: str, count: int) -> list[float]:
    """Press HAVE IT and take it back, by HTTP, and return how long each took to the loop."""
    took: list[float] = []
    with httpx.Client(base_url=url) as phone:
        while table.session.view.phase is not Phase.PLAY:
            table.go_on()
        turn = table.session.view.turn
        headers = {"boneace-secret": table.secrets[turn], "boneace-phone": "benchmark"}
        for number in range(count):
            before, began = len(table.pressed), time.perf_counter()
            button = "undo" if number % 2 else "stick"
            phone.post("/api/press", json={"seat": turn, "button": button}, headers=headers)
            while len(table.pressed) == before:
                time.sleep(0.0005)
            took.append(time.perf_counter() - began)
            time.sleep(0.12)  # no more than ten a second
    return took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--viewers", type=int, default=100)
    parser.add_argument("--events", type=int, default=200)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.port:
        asyncio.run(view_all(args.port, args.viewers, args.events))
        return
    with tempfile.TemporaryDirectory() as folder, PlayedTable(Path(folder), seats=4) as table:
        written: dict[int, float] = {}
        table.session.listeners.append(
            lambda *_: written.setdefault(table.session.events - 1, time.time())
        )
        steps = timed_steps(table)
        play(table, args.events)
        alone = list(steps)
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        config = Path(folder) / "config.toml"
        config.write_text(
            f'[web]\nenabled = true\nhost = "127.0.0.1"\nport = {port}\nsocket = "{table.path}"\n'
        )
        web = [sys.executable, "-m", "device.cli", "--config", str(config), "web"]
        service = subprocess.Popen(web, cwd=ROOT)
        try:
            for _ in range(300):
                try:
                    httpx.get(f"http://127.0.0.1:{port}/api/state").raise_for_status()
                    break
                except httpx.HTTPError:
                    time.sleep(0.1)
            words = ["--port", port, "--viewers", args.viewers, "--events", args.events]
            viewers = subprocess.Popen(
                [sys.executable, __file__, *map(str, words)], stdout=subprocess.PIPE, text=True
            )
            assert viewers.stdout is not None
            while "ready" not in viewers.stdout.readline():
                assert viewers.poll() is None
            steps.clear()
            play(table, args.events)
            watched = list(steps)
            came = json.loads(viewers.stdout.readline())
            viewers.wait()
            pressed = presses(table, f"http://127.0.0.1:{port}", 60)
        finally:
            service.terminate()
            service.wait()
    late = [at - written[number] for viewer in came for number, at in viewer]
    print(f"{len(late)} events at viewers, of {args.viewers} x {args.events}")
    for what, values in (
        ("event on disk to viewer", late),
        ("press to the table", pressed),
        ("step of the loop, nobody looks on", alone),
        (f"step of the loop, {args.viewers} look on", watched),
    ):
        shown = ", ".join(f"{name} {quantile(values, q):.1f}" for name, q in QUANTILES)
        print(f"{what}: {shown} ms of {len(values)}")


QUANTILES = (("median", 0.5), ("p95", 0.95), ("p99", 0.99), ("most", 1.0))

if __name__ == "__main__":
    main()
