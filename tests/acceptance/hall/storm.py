"""Tables, a broker and a hall, all killed again and again; then every token is counted.

python -m tests.acceptance.hall.storm [--tables 16] [--broker 100] [--hall 20] [--table 20]
    [--seed 1]

Each table is a process with a journal of its own, in which paper people play real hands as
readings; the publishers of all tables share one process, which is killed as often as the hall. The
hall's ledger must equal the sum of the journals to the token, as ``boneace ledger`` counts it, with
no event twice and none missing. Exits 1 where it does not.
"""

import argparse
import asyncio
import contextlib
import csv
import io
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

from device.cli import main as boneace
from device.config.model import HallConfig
from device.hall.publisher import Publisher
from device.hall.store import Store
from device.storage.copies.table_name import rename_table
from device.storage.journal.reader import JournalReader
from tests.support.hall_rig import SOON_S, ledger
from tests.support.mosquitto import Mosquitto, free_port
from tests.support.paths import ROOT

PLAYER = Path(__file__).with_name("player.py")
LONGEST_S = 900.0
SETTLED_S = 120.0


class Child:
    """A process that is killed and started again."""

    def __init__(self, *command, log):
        self.command, self.log = command, log
        self.process = None

    def start(self):
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, *map(str, self.command)],
                cwd=ROOT, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
            )  # fmt: skip
        return self

    @property
    def is_dead(self):
        return self.process.poll() is not None

    def kill(self):
        self.process.kill()
        self.process.wait()


async def publish(folders, port):
    """Publish all tables: what the process of the publishers does."""
    config = HallConfig(broker="127.0.0.1", port=port)
    publishers = [Publisher(config, folder / "feed.sock", SOON_S) for folder in folders]
    await asyncio.gather(*(each.run() for each in publishers))


class Storm:
    """All processes, and how often each is still to be killed."""

    def __init__(self, folder, tables, hands, pace_s, seed, kills):
        self.folder, self.rng = folder, random.Random(seed)
        self.kills, self.killed = Counter(kills), Counter()
        self.pace = str(pace_s)
        self.hands = hands
        self.broker = Mosquitto(folder / "broker").start()
        self.folders = [folder / f"table-{number}" for number in range(tables)]
        for each in self.folders:
            each.mkdir()
            rename_table(each, each.name)
        deaths = [self.rng.randrange(tables) for _ in range(kills["table"])]
        self.deaths = {n: deaths.count(n) for n in range(tables)}
        self.players = [self._player(number).start() for number in range(tables)]
        self.publishers = Child(
            "-m", "tests.acceptance.hall.storm", "--publish", self.broker.port, *self.folders,
            log=folder / "publishers.log",
        ).start()  # fmt: skip
        config = folder / "hall.toml"
        self.store = folder / "hall.sqlite3"
        config.write_text(
            f"[hall]\nbroker = '127.0.0.1'\nport = {self.broker.port}\nfile = '{self.store}'\n"
            f"page_port = {free_port()}\n"
        )
        words = ("-m", "device.cli", "--config", config, "hall")
        self.hall = Child(*words, log=folder / "hall.log").start()

    def _player(self, number):
        dies_after = self.rng.randint(5, 40) if self.deaths[number] > 0 else 0
        return Child(
            PLAYER, self.folders[number], self.hands, 2, dies_after, self.pace,
            log=self.folder / f"table-{number}.log",
        )  # fmt: skip

    def run(self):
        """Kill until all that was to be killed has been, and everybody has played."""
        end_s = time.monotonic() + LONGEST_S
        while time.monotonic() < end_s:
            for number, player in enumerate(self.players):
                if player.is_dead:
                    assert player.process.returncode == -9, player.log.read_text()[-2000:]
                    self.killed["table"] += 1
                    self.deaths[number] -= 1
                    self.players[number] = self._player(number).start()
            assert not self.hall.is_dead, self.hall.log.read_text()[-2000:]
            assert not self.publishers.is_dead, self.publishers.log.read_text()[-2000:]
            left = [kind for kind in ("broker", "hall", "publishers") if self.kills[kind] > 0]
            if left:
                weights = [self.kills[kind] for kind in left]
                self._kill(self.rng.choices(left, weights)[0])
            elif all((folder / "done").exists() for folder in self.folders):
                return
            time.sleep(self.rng.uniform(0.2, 1.0))
        raise AssertionError(f"not done in time: {self.kills}, {self.killed}")

    def _kill(self, kind):
        self.kills[kind] -= 1
        self.killed[kind] += 1
        if kind == "broker":
            self.broker.kill()
            time.sleep(self.rng.uniform(0.0, 0.3))
            self.broker.start()
        else:
            child = self.hall if kind == "hall" else self.publishers
            child.kill()
            child.start()

    def settle(self):
        """Wait until the hall has all; return after how many seconds."""
        began_s, wanted = time.monotonic(), {f.name: last_of(f) for f in self.folders}
        while time.monotonic() < began_s + SETTLED_S:
            with Store(self.store) as store:
                if store.have() == wanted:
                    return time.monotonic() - began_s
            time.sleep(0.2)
        with Store(self.store) as store:
            raise AssertionError(f"the hall has {store.have()} of {wanted}")

    def close(self):
        for child in (*self.players, self.publishers, self.hall):
            child.kill()
        self.broker.kill()


def reader_of(folder):
    return JournalReader(folder / "journal.sqlite3")


def last_of(folder):
    """Return the last event of a journal; a sitting in which nothing happened yet has none."""
    with reader_of(folder) as journal:
        counts = ((each.number, len(journal.stored(each.number))) for each in journal.sittings())
        return max((number, count - 1) for number, count in counts if count)


def ledger_of(folder):
    """Return the tokens of everybody by sitting, as ``boneace ledger`` counts them."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert boneace(["ledger", "--csv", "--journal", str(folder / "journal.sqlite3")]) == 0
    found = {}
    for row in csv.DictReader(io.StringIO(out.getvalue())):
        one = found.setdefault((folder.name, int(row["sitting"])), Counter())
        one[row["name"]] += int(row["net"])
    return {key: dict(one) for key, one in found.items()}


def _tokens(ledger):
    return {name: tokens for name, tokens in ledger.items() if tokens}


def compare(storm):
    """Return what the hall has otherwise than the journals, in words."""
    wrong, events = [], 0
    with Store(storm.store) as store:
        kept = ledger(store)
        for folder in storm.folders:
            for key, wanted in ledger_of(folder).items():
                # Who joins after the last hand has no line at the table, and no tokens in the hall.
                if key not in kept or _tokens(kept[key]) != _tokens(wanted):
                    wrong.append(f"{key}: {kept.get(key)}, not {wanted}")
            with reader_of(folder) as journal:
                for sitting in journal.sittings():
                    stored = len(journal.stored(sitting.number))
                    events += stored
                    rows = store._db.execute(
                        "SELECT number FROM events WHERE tbl = ? AND sitting = ? ORDER BY number",
                        (folder.name, sitting.number),
                    ).fetchall()
                    if [number for (number,) in rows] != list(range(stored)):
                        wrong.append(f"{folder.name}, sitting {sitting.number}: {len(rows)} events")
    return wrong, events


def storm(folder, *, tables, hands, pace_s, seed, **kills):
    """Run a storm; return what is wrong, and the figures."""
    kills["publishers"] = kills["hall"]
    began_s = time.monotonic()
    with closing(Storm(folder, tables, hands, pace_s, seed, kills)) as running:
        running.run()
        settled_s = running.settle()
        wrong, events = compare(running)
    figures = {
        "seconds": round(time.monotonic() - began_s),
        "settled_s": round(settled_s, 1),
        "events": events,
        "killed": dict(running.killed),
    }
    return wrong, figures


def main(argv=None):
    """Run, print the figures, and return 1 where a token is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=16)
    parser.add_argument("--broker", type=int, default=100)
    parser.add_argument("--hall", type=int, default=20)
    parser.add_argument("--table", type=int, default=20)
    parser.add_argument("--hands", type=int, default=6, help="of each of two sittings a table")
    parser.add_argument("--pace", type=float, default=0.15, help="seconds between two events")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--publish", nargs="+", help=argparse.SUPPRESS)
    args = parser.parse_args(argv)
    if args.publish:
        port, *folders = args.publish
        asyncio.run(publish([Path(each) for each in folders], int(port)))
        return 0
    with tempfile.TemporaryDirectory(prefix="boneace-storm-") as folder:
        wrong, figures = storm(
            Path(folder), tables=args.tables, hands=args.hands, pace_s=args.pace, seed=args.seed,
            broker=args.broker, hall=args.hall, table=args.table,
        )  # fmt: skip
    print(json.dumps(figures))
    print("\n".join(wrong) or "the hall's ledger equals the sum of the journals")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
