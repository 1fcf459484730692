"""A journal whose rows were changed by hand, as if the program had written them so."""

import contextlib
import sqlite3

from device.storage.journal.last_file import path_of
from device.storage.journal.schema import add_sitting


def rechain(path, *changes):
    """Make *changes* in SQL to the journal *path*, and the chain of digests again."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("BEGIN")
        for change in changes:
            db.execute(change)
        sittings = db.execute("SELECT * FROM sittings ORDER BY number").fetchall()
        events = db.execute("SELECT * FROM events ORDER BY sitting, number").fetchall()
        db.execute("DELETE FROM events")
        db.execute("DELETE FROM sittings")
        for row in sittings:
            add_sitting(db, row[:11], [each[1:6] for each in events if each[0] == row[0]])
        db.execute("COMMIT")
    path_of(path).unlink(missing_ok=True)
