"""A table's state on disk, with guests in it, and a stick: for what copies, brings back, erases."""

import contextlib
import sqlite3

from device.storage.journal.journal import Journal
from device.storage.journal.reader import JournalReader, SessionRecord

PLAYERS = ({"seat": 0, "name": "Zoë Quimby"}, {"seat": 1, "name": "Bess"})


def sitting(started):
    return SessionRecord("bone-ace", "willughby", {}, PLAYERS, 0, started)


def play(path, started, *, close=True):
    """Play a sitting in which Zoë sits, joins, is spoken of, and bets."""
    with Journal(path) as journal:
        number = journal.begin(sitting(started)).number
        entries = (
            {"e": "stick", "seat": 1},
            {"e": "join", "seat": 2, "name": "ZOË  QUIMBY"},
            {"e": "misdeal", "reason": "zoë quimby looked at Bess's cards"},
        )
        for place, entry in enumerate(entries):
            journal.append(number, place, entry, started + place)
        journal.note("wager", {"who": "Zoë Quimby", "on": "Bess"}, started, number)
        if close:
            summary = '{"names":[[0,"Zoë Quimby"]]}'
            journal.end(number, started + 10, summary)


def damage(path):
    """Write a wrong time into the first event, as a memory card may."""
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE events SET time = 0 WHERE number = 1 AND sitting = 1")
        db.commit()


def told(path):
    """Return all that a journal holds."""
    with JournalReader(path) as journal:
        found = [
            (each, [event.text for event in journal.stored(each.number)])
            for each in journal.sittings()
        ]
        return (
            found,
            [each.kind for each in journal.notes()],
            [str(each) for each in journal.check()],
        )
