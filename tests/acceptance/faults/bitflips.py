"""Turn bits of a journal, one at a time, and read it: python tests/acceptance/faults/bitflips.py.

Every bit of the pages that hold rows of a journal of 100 events is turned, and 20,000 others at
random; and 20,000 of its log, as a power cut leaves it. Each journal is read as the ledger does,
and every tenth opened as play does. What comes of it is the same as before, or told, with at least
all events before the turned bit. Takes some twenty minutes on two cores, the log alone (--only-log)
ten; --share 0.01 is short.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import logging
import random
import re
import shutil
import sys
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from device.storage.journal.errors import JournalError
from device.storage.journal.journal import Journal
from device.storage.journal.last_file import path_of
from device.storage.journal.reader import JournalReader, SessionRecord
from engine import event_to_dict, new_table
from engine.bots import Driver, player
from engine.core.events import NextHand
from engine.core.players import Player
from engine.core.views import Phase
from tests.acceptance.faults import measured

PAGE = 4096
HEADER = 100
OTHERS = 20_000
COMPANY = [Player(0, "Ann", 41), Player(1, "Zoë"), Player(2, "Cecil")]
GAME = "bone-ace"
PLAYED = (30, 70)
"""Events of a sitting that is closed, and of one in mid-hand."""


def events_of(count, seed):
    """Return so many events of people who play."""
    people = [player("bold", GAME) for _ in COMPANY]
    driver = Driver(new_table(GAME, COMPANY, dealer=0), people, random.Random(seed))
    found = []
    while len(found) < count:
        if driver.state.phase is Phase.DONE:
            found.append(driver.do(NextHand()))
            driver.shuffle()
        else:
            found.append(driver.go_on())
    return [event_to_dict(each) for each in found]


def make(path):
    """Write a journal with a hundred events and all that can be in it; the log is left as well."""
    company = tuple(dataclasses.asdict(each) for each in COMPANY)
    with Journal(path) as journal:
        for number, count in enumerate(PLAYED, 1):
            sitting = SessionRecord(
                GAME,
                "willughby",
                {"stake": number},
                company,
                0,
                1_700_000_000.25 + 5_000 * number,
                bones="brass",
                settings={"token": "5 ct"},
            )
            journal.begin(sitting)
            for place, entry in enumerate(events_of(count, number)):
                at = sitting.started + 7.3 * place
                journal.append_all(
                    number,
                    place,
                    [(entry, "silent_have" if place % 20 == 9 else "")],
                    at,
                    batch=place if place % 20 == 8 else 0,
                )
            if number == 1:
                journal.end(1, sitting.started + 1_000.75)
            journal.note("wager", {"who": [0, 1], "on": number}, sitting.started, sitting=number)
        journal.note("settings", {"open_cards": True}, 1_700_020_000.5)
        for tail in ("-wal", ".last"):
            shutil.copy(f"{path}{tail}", f"{path}.kept{tail}")
        shutil.copy(path, f"{path}.kept")


def read(journal):
    """Return all that a journal holds."""
    return (
        {each.number: each for each in journal.sittings()},
        {each.number: journal.stored(each.number) for each in journal.sittings()},
        [each for each in journal.notes() if each.kind != "salvaged"],
    )


@dataclasses.dataclass
class Flipper:
    """Turns bits of *data*, the content of *tail*, and reads what comes of it in *folder*."""

    folder: Path
    files: dict[str, bytes]
    tail: str

    def __post_init__(self):
        self.path = self.folder / "journal.sqlite3"
        self._lay(self.files)
        with JournalReader(self.path) as journal:
            self.truth = read(journal)
            assert journal.damage == ()
        self.places = list(self._places())

    def _lay(self, files):
        for left in self.folder.iterdir():
            left.unlink()
        for tail, content in files.items():
            Path(f"{self.path}{tail}").write_bytes(content)

    def _places(self):
        """Yield where the rows are: the first byte, the last, the sitting, and the event."""
        data = self.files[self.tail]
        for number, events in self.truth[1].items():
            for place, each in enumerate(events):
                for found in re.finditer(re.escape(each.digest), data):
                    yield found.start() - len(each.text) - 40, found.end(), number, place
        for number, sitting in self.truth[0].items():
            for found in re.finditer(re.escape(sitting.game.encode()), data):
                yield found.start() - 60, found.end() + 500, number, 0

    def before(self, byte):
        """Return how many events of each sitting must be used when a bit of *byte* is turned."""
        must = {number: len(events) for number, events in self.truth[1].items()}
        for first, end, number, place in self.places:
            if first <= byte < end:
                must[number] = min(must[number], place)
        return must

    def flip(self, bit, *, plays):
        """Turn *bit*; say what comes of it."""
        data = bytearray(self.files[self.tail])
        data[bit // 8] ^= 1 << bit % 8
        self._lay({**self.files, self.tail: bytes(data)})
        try:
            with (Journal if plays else JournalReader)(self.path) as journal:
                found = read(journal)
                told = [*journal.notices, *map(str, journal.damage)]
        except JournalError as problem:
            return f"nothing is read: {problem}"
        return self.judge(found, told, self.before(bit // 8))

    def judge(self, found, told, must):
        """Say how *found* compares with the truth."""
        if found == self.truth:
            return "told, and everything is there" if told else "equal"
        if not told:
            return "SILENTLY WRONG"
        sittings, events, notes = self.truth
        for number, each in found[0].items():
            if dataclasses.replace(each, closed=None) != dataclasses.replace(
                sittings[number], closed=None
            ):
                return f"told, but sitting {number} is wrong"
        for number, true in events.items():
            there = found[1].get(number, [])
            if [each[:4] for each in there] != [each[:4] for each in true[: len(there)]]:
                return f"told, but events of sitting {number} are wrong"
            if len(there) < must[number]:
                return f"told, but too few events: {len(there)} of sitting {number}"
        true = [dataclasses.replace(each, number=0) for each in notes]  # a salvage counts anew
        if any(dataclasses.replace(each, number=0) not in true for each in found[2]):
            return "told, but a note is wrong"
        return "told, as far as it is sound"


def is_good(outcome):
    """Return whether that may come of a turned bit."""
    return outcome == "equal" or outcome.startswith(("told, and", "told, as"))


def bits(data, tail, share, seed):
    """Return the bits to turn: all where rows are, and :data:`OTHERS` others at random."""
    rng = random.Random(seed)
    every = []
    if tail != "-wal":
        with_rows = [
            page
            for page in range(len(data) // PAGE)
            if data[page * PAGE + (HEADER if page == 0 else 0)] in (2, 5, 10, 13)
            and any(data[page * PAGE + 200 : (page + 1) * PAGE])
        ]
        every = [page * PAGE * 8 + bit for page in with_rows for bit in range(8 * PAGE)]
    every += [rng.randrange(8 * len(data)) for _ in range(OTHERS)]
    return every if share >= 1 else rng.sample(every, int(share * len(every)))


def run(tail, part, parts, share, seed):
    """Turn a part of the bits of the file *tail*.

    Return what came of how many, examples, and how many bits there are where rows are.
    """
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with (
        tempfile.TemporaryDirectory(prefix="boneace-flips-", dir=memory) as made,
        tempfile.TemporaryDirectory(prefix="boneace-flips-", dir=memory) as work,
    ):
        path = Path(made) / "journal.sqlite3"
        make(path)
        kept = Path(f"{path}.kept")
        files = {"": path.read_bytes(), ".last": path_of(path).read_bytes()}
        if tail == "-wal":
            files = {each: Path(f"{kept}{each}").read_bytes() for each in ("", "-wal", ".last")}
        flipper = Flipper(Path(work), files, tail)
        found, examples = Counter(), {}
        for place, bit in enumerate(bits(files[tail], tail, share, seed)[part::parts]):
            for plays in (False, True) if place % 10 == 0 else (False,):
                try:
                    outcome = flipper.flip(bit, plays=plays)
                except Exception as problem:  # whatever it is, it is found
                    outcome = f"{type(problem).__name__}: {problem}"
                kind = re.sub(r"\d+|:.*", "", outcome) if not is_good(outcome) else outcome
                found[kind] += 1
                examples.setdefault(kind, (bit // 8, bit % 8, plays, outcome))
        return found, examples, len(bits(files[tail], tail, 1.0, seed)) - OTHERS


def main():
    """Turn them all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=float, default=1.0, help="0.0 to 1.0 of all bits")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only-log", action="store_true", help="not the journal itself")
    args = parser.parse_args()
    flips = {}
    with ProcessPoolExecutor(args.jobs, initializer=logging.disable) as pool:
        for tail in ("-wal",) if args.only_log else ("", "-wal"):
            jobs = [
                pool.submit(run, tail, part, args.jobs, args.share, args.seed)
                for part in range(args.jobs)
            ]
            found, bad = sum((job.result()[0] for job in jobs), Counter()), 0
            print(f"journal.sqlite3{tail}: {found.total()} journals read")
            for kind, count in found.most_common():
                example = next(job.result()[1][kind] for job in jobs if kind in job.result()[1])
                bad += 0 if is_good(kind) else count
                print(f"  {count:7} {kind}" + ("" if is_good(kind) else f"; such as {example}"))
            every = jobs[0].result()[2]
            flips[f"journal.sqlite3{tail}"] = {"every": every, "at_random": OTHERS, "wrong": bad}
    if args.share >= 1:
        measured.tell(flips=measured.told().get("flips", {}) | flips)
    return 1 if any(each["wrong"] for each in flips.values()) else 0


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main())
