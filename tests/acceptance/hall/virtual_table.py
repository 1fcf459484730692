"""A virtual table: people of software play at it as readings without pixels, in their own time.

Usage: virtual_table.py FOLDER GAME MIX SPEED. The table is a real one, with croupier, journal and
feed; FOLDER/name is its name. SPEED 1 is as fast as people are. It plays until it is ended.
"""

import itertools
import random
import sys
import time
from pathlib import Path

from device.app import attach
from device.clock import HandClock
from device.croupier.lines import read_line
from device.feed.feed import Feed, shown_at
from device.runtime.camera_worker import NoCamera
from device.runtime.readings import TruthTeller, play_readings
from device.runtime.session import Session
from device.runtime.table import TableController
from device.runtime.truth import Truth
from device.simulator.people import PRESETS, play_sitting, setup_by_chance
from device.storage.copies.table_name import table_name
from device.storage.journal.journal import Journal
from engine import Player

NAMES = (
    *("Ann", "Bess", "Cecil", "Doll", "Edgar", "Fay", "Gil", "Hal", "Ida", "Jem", "Kate", "Lot"),
    *("Moll", "Ned", "Olive", "Pip", "Rose", "Sam", "Tess", "Will"),
)
HANDS = 5
TOKEN = {"token_value": "0.25", "currency": "EUR"}


class PacedClock(HandClock):
    """Moves by the times of a log, and waits for them, *speed* times as fast."""

    def __init__(self, speed):
        super().__init__(wall=time.time())
        self.speed, self.each = speed, lambda now_s: None

    def wait(self, seconds):
        super().wait(seconds)
        self.each(self.monotonic())
        time.sleep(max(0.0, seconds) / self.speed)


def main():
    folder, game, mix, speed = Path(sys.argv[1]), *sys.argv[2:4], float(sys.argv[4])
    rng = random.Random(f"{table_name(folder)}-{game}-{mix}")
    with Journal(folder / "journal.sqlite3") as journal:
        clock = PacedClock(speed)
        name = table_name(folder)
        with Feed(folder / "feed.sock", journal.path, name, clock) as feed:
            feed.ready.wait(10)
            for _ in itertools.count():
                play(journal, feed, clock, game, mix, rng)


def play(journal, feed, clock, game, mix, rng):
    """Play one sitting of some hands."""
    setup = setup_by_chance(game, next(iter(PRESETS[game])), rng)
    sitting = play_sitting(setup, mix, rng, HANDS)
    names = rng.sample(NAMES, len(setup.players))
    people = [
        Player(seat, *about) for seat, about in enumerate(zip(names, setup.ages, strict=True))
    ]
    session = Session.begin(
        journal, clock, game, people, dealer=setup.dealer, preset=setup.preset,
        options=setup.changes, settings=TOKEN if mix == "careful" else {},
    )  # fmt: skip
    table = TableController(session, NoCamera(), [], clock)
    feed.shows = lambda: shown_at(table)
    feed.open(session)
    attach(feed, table)
    clock.each = feed.tick
    lines = [read_line(text, setup.mat_seats) for text in sitting.lines]
    play_readings(table, lines, clock, people=TruthTeller(Truth(sitting.answers)))
    session.close()


main()
