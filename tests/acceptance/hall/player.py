"""A table of the storm: paper people play hands as readings, and the table tells its feed.

Usage: player.py FOLDER HANDS SITTINGS EVENTS PACE_S. After so many EVENTS (0: never) the process
kills itself: at the worst moment, when an event is on disk and nobody has been told, or just before
it is. Started again it goes on where it was; people and cards outlive it. When all is played it
writes FOLDER/done and goes on telling until it is killed.
"""

import os
import random
import signal
import sys
import time
from pathlib import Path

from device.clock import SystemClock
from device.feed.feed import Feed, Shown
from device.runtime.session import Session
from device.storage.copies.table_name import table_name
from device.storage.journal.journal import Journal
from engine import Player
from tests.support.mat_readings import NAMES
from tests.support.paper_players import PaperPeople, play_on


def die():
    os.kill(os.getpid(), signal.SIGKILL)


class Table:
    """One life of a table."""

    def __init__(self, folder, dies_after, pace_s):
        self.folder, self.pace_s = folder, pace_s
        self.left = dies_after or -1
        self.early = random.random() < 0.5
        self.clock = SystemClock()
        self.journal = Journal(folder / "journal.sqlite3")
        name = table_name(folder)
        self.seed = name
        self.feed = Feed(folder / "feed.sock", self.journal.path, name, self.clock)
        self.feed.ready.wait(10)
        self.session = None
        self.feed.shows = lambda: Shown(self.session)
        self.journal._connection().set_trace_callback(self.on_sql)

    def on_sql(self, statement):
        if self.early and self.left == 1 and statement.startswith("COMMIT"):
            die()

    def on_event(self, event, before, after, assumed):
        self.left -= 1
        if self.left == 0:
            die()

    def sit_down(self):
        """Go on with what is unfinished, or begin a sitting; return who plays."""
        record = next(iter(self.journal.open_sittings()), None)
        if record is None:
            number = len(self.journal.sittings())
            count = 2 + (number + len(self.seed)) % 3
            names = NAMES[number : number + count]
            company = [Player(seat, name) for seat, name in enumerate(names)]
            (self.folder / "people").unlink(missing_ok=True)
            self.session = Session.begin(
                self.journal, self.clock, "bone-ace", company, dealer=count - 1
            )
        else:
            self.session = Session.resume(self.journal, self.clock, record)
        # Before the feed: it must learn of no event that is told to nobody.
        self.session.listeners.append(self.on_event)
        self.feed.open(self.session)
        people = PaperPeople(len(self.session.view.seats), seed=self.seed)
        if (self.folder / "people").exists():
            people.load(self.folder / "people")
        return people

    def play(self, hands):
        people, session = self.sit_down(), self.session

        def save():
            people.save(self.folder / "people.new")
            (self.folder / "people.new").replace(self.folder / "people")

        def told():
            self.feed.tick(self.clock.monotonic())
            time.sleep(self.pace_s)

        play_on(session, people, hands, save, told)
        session.close()


def main():
    folder = Path(sys.argv[1])
    hands, sittings, dies_after = map(int, sys.argv[2:5])
    table = Table(folder, dies_after, float(sys.argv[5]))
    while True:
        record = next(iter(table.journal.open_sittings()), None)
        if record is None and len(table.journal.sittings()) >= sittings:
            break
        table.play(hands)
    table.left = -1
    (folder / "done").touch()
    while True:
        table.feed.tick(table.clock.monotonic())
        time.sleep(0.1)


main()
