"""Hands played through many lives: each is killed at its next event, and a new one goes on.

Usage: killed_player.py FOLDER after|before PLAYERS HANDS — prints one JSON object when the hands
are done. The people and their cards outlive the process, as at a real table: they are in a file.
"""

import json
import os
import signal
import sys
from pathlib import Path

from device.clock import HandClock
from device.runtime.session import Session
from device.storage.journal.journal import Journal
from engine import Player
from tests.support.mat_readings import NAMES
from tests.support.paper_players import PaperPeople, play_on

MOST_LIVES = 500


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def live(folder, when, players, hands):
    """Play on from what is on disk and on the mat until killed, or until the hands are done."""
    journal = Journal(folder / "journal.sqlite3")
    clock = HandClock(wall=1_700_000_000.0)
    sitting = next(iter(journal.open_sittings()), None)
    if sitting is None:
        company = [Player(seat, NAMES[seat]) for seat in range(players)]
        session = Session.begin(journal, clock, "bone-ace", company, dealer=players - 1)
    else:
        session = Session.resume(journal, clock, sitting)
    acknowledged = folder / "acknowledged"
    shown = int(acknowledged.read_text()) if acknowledged.exists() else 0
    assert session.events >= shown, f"{session.events} events on disk, {shown} had been shown"
    mine = 0

    def on_event(event, before, after, assumed):
        nonlocal mine
        mine += 1
        acknowledged.write_text(str(session.events))
        if when == "after":
            die()

    def on_sql(statement):
        # Two events in one life, and the second is killed inside its transaction.
        if when == "before" and mine == 1 and statement.startswith("COMMIT"):
            die()

    session.listeners.append(on_event)
    journal._connection().set_trace_callback(on_sql)
    people = PaperPeople(players)
    if (folder / "people").exists():
        people.load(folder / "people")
    play_on(session, people, hands, lambda: people.save(folder / "people"))
    journal.close()


def main():
    folder, when = Path(sys.argv[1]), sys.argv[2]
    players, hands = int(sys.argv[3]), int(sys.argv[4])
    killed = 0
    for _ in range(MOST_LIVES):
        child = os.fork()
        if child == 0:
            live(folder, when, players, hands)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
            killed += 1
            continue
        print(json.dumps({"killed": killed, "status": os.waitstatus_to_exitcode(status)}))
        return
    print(json.dumps({"killed": killed, "status": "never done"}))


main()
