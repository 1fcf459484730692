"""What a hall keeps: the events of all tables in one SQLite file, which only the hall writes.

The tables' journals stay the truth. This file may be deleted: the tables send all anew.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from device.clock import local
from device.hall.messages import START, Body, Key, key_of
from device.ports import Closing
from device.storage.journal.erase_rows import Erased, Erasure, in_json, in_text
from engine.core.errors import BoneAceError
from engine.core.players import name_key

APPLICATION_ID = 0x42_4E_48_41
"""``BNHA``, so that no other database is ever changed."""

VERSION = 1

NIGHT_S = 6 * 3600.0
"""What begins before six in the morning belongs to the evening before."""

_SCHEMA = f"""
CREATE TABLE tables (
    name TEXT PRIMARY KEY, sitting INTEGER NOT NULL, number INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE sittings (
    tbl TEXT NOT NULL, sitting INTEGER NOT NULL, began REAL NOT NULL, ended REAL NOT NULL,
    game TEXT NOT NULL, currency TEXT, minor INTEGER, digits INTEGER,
    PRIMARY KEY (tbl, sitting)
) STRICT, WITHOUT ROWID;
CREATE TABLE events (
    tbl TEXT NOT NULL, sitting INTEGER NOT NULL, number INTEGER NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (tbl, sitting, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE players (
    tbl TEXT NOT NULL, sitting INTEGER NOT NULL, seat INTEGER NOT NULL, name TEXT NOT NULL,
    tokens INTEGER NOT NULL, first REAL NOT NULL, last REAL NOT NULL,
    PRIMARY KEY (tbl, sitting, seat, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE hands (
    tbl TEXT NOT NULL, sitting INTEGER NOT NULL, hand INTEGER NOT NULL, seat INTEGER NOT NULL,
    name TEXT NOT NULL, PRIMARY KEY (tbl, sitting, hand, seat)
) STRICT, WITHOUT ROWID;
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {VERSION};
"""

_OF_SITTINGS = ("sittings", "events", "players", "hands")


class HallFileError(BoneAceError, OSError):
    """The hall's file cannot be used; the message says what to do."""


@dataclass(slots=True)
class Standing:
    """How one player stands in the ranking.

    Attributes:
        money: won or lost, in the smallest unit, by currency and its digits.
        hands: finished hands.
        tables: at which tables.
        first, last: when they sat down first, and when anything happened there last.
    """

    name: str
    tokens: int = 0
    money: dict[tuple[str, int], int] = field(default_factory=dict)
    hands: int = 0
    tables: set[str] = field(default_factory=set)
    first: float = 0.0
    last: float = 0.0
    rank: int = 0


def evening_of(wall_s: float) -> str:
    """Return the evening to which a time belongs, such as ``2026-11-25``."""
    return local(wall_s - NIGHT_S, "%Y-%m-%d")


def is_evening(text: str) -> bool:
    """Return whether *text* is a date as :func:`evening_of` writes it.

    >>> is_evening("2026-11-25"), is_evening("yesterday"), is_evening("20261125")
    (True, False, False)
    """
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


class Store(Closing):
    """The hall's file."""

    def __init__(self, path: Path) -> None:
        """Open *path*; create it where it is missing.

        Raises:
            HallFileError: it is another program's, newer than this one, or the disk refuses.
        """
        self._path = path
        with self._checked(), contextlib.ExitStack() as stack:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, isolation_level=None, timeout=10.0)
            stack.callback(self._db.close)
            (ours,) = self._db.execute("PRAGMA application_id").fetchone()
            (version,) = self._db.execute("PRAGMA user_version").fetchone()
            (tables,) = self._db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            if tables and (ours, version) != (APPLICATION_ID, VERSION):
                raise HallFileError(f"{path}: is no file of this hall; name another in [hall] file")
            if not tables:
                self._db.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
            self._db.execute("PRAGMA journal_mode = WAL")
            # A power cut may take the last moments: the tables have them, and send them anew.
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.execute("PRAGMA secure_delete = ON")
            stack.pop_all()

    def close(self) -> None:
        """Close the file; may be called twice."""
        self._db.close()

    @contextlib.contextmanager
    def _checked(self) -> Iterator[None]:
        """Tell what SQLite or the disk refuses in a block.

        Raises:
            HallFileError: it refuses something.
        """
        try:
            yield
        except HallFileError:
            raise
        except (sqlite3.Error, OSError) as problem:
            raise HallFileError(
                f"{self._path}: cannot be used ({problem}); check its owner and the room on its "
                "disk; if it is damaged, move it away: the tables send everything again"
            ) from problem

    def _rows(self, query: str, values: tuple[object, ...] = ()) -> list[Any]:
        with self._checked():
            return self._db.execute(query, values).fetchall()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._checked(), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            yield

    # What tables send

    def have(self) -> dict[str, Key]:
        """Return the last event of each table; there is none missing before it.

        Raises:
            HallFileError: the file cannot be used.
        """
        rows = self._rows("SELECT name, sitting, number FROM tables")
        return {name: (sitting, number) for name, sitting, number in rows}

    def take(self, events: Iterable[tuple[str, Body, float]]) -> list[tuple[str, Body, str]]:
        """Keep events, all in one transaction: each with its table and when it happened.

        Return those that were not kept, and why: ``double``, ``other`` for another event under a
        number that is known, ``hole`` where one before it is missing.

        Raises:
            HallFileError: the file cannot be used.
        """
        left, have = [], self.have()
        with self._transaction():
            for table, event, at in events:
                key = event["sitting"], event["number"]
                before = have.get(table, START)
                if key <= before:
                    is_same = self._body(table, key) in (None, _text(event))
                    left.append((table, event, "double" if is_same else "other"))
                elif key_of(event["previous"]) > before:
                    left.append((table, event, "hole"))
                else:
                    self._keep(table, event, at)
                    have[table] = key
        return left

    def _body(self, table: str, key: Key) -> str | None:
        query = "SELECT body FROM events WHERE tbl = ? AND sitting = ? AND number = ?"
        found = self._db.execute(query, (table, *key)).fetchone()
        return None if found is None else str(found[0])

    def _keep(self, table: str, event: Body, at: float) -> None:
        sitting, number, hand = event["sitting"], event["number"], event["hand"]
        worth = event.get("worth") or {}
        money = [worth.get(name) for name in ("currency", "minor", "digits")]
        do = self._db.execute
        do("INSERT INTO events VALUES (?, ?, ?, ?)", (table, sitting, number, _text(event)))
        do("INSERT OR REPLACE INTO tables VALUES (?, ?, ?)", (table, sitting, number))
        do(
            "INSERT INTO sittings VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
            " ended = max(ended, excluded.ended)",
            (table, sitting, event["started"], at, event["game"], *money),
        )
        # Who has sat down is told each time: who is not has sat down by mistake.
        people = json.dumps([each["name"] for each in event["players"]])
        do(
            "DELETE FROM players WHERE tbl = ? AND sitting = ?"
            " AND name NOT IN (SELECT value FROM json_each(?))",
            (table, sitting, people),
        )
        # Who finishes a hand has played it; where that is taken back nobody has.
        do("DELETE FROM hands WHERE tbl = ? AND sitting = ? AND hand = ?", (table, sitting, hand))
        for each in event["players"]:
            who = (each["seat"], each["name"])
            do(
                "INSERT INTO players VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
                " tokens = excluded.tokens, last = excluded.last",
                (table, sitting, *who, each["tokens"], at, at),
            )
            if event["result"] is not None:
                do(
                    "INSERT OR REPLACE INTO hands VALUES (?, ?, ?, ?, ?)",
                    (table, sitting, hand, *who),
                )

    # What people see

    def evenings(self) -> list[str]:
        """Return the evenings on which anybody played, the newest first.

        Raises:
            HallFileError: the file cannot be used.
        """
        rows = self._rows("SELECT began FROM sittings")
        return sorted({evening_of(began) for (began,) in rows}, reverse=True)

    def ranking(self, evening: str = "", *, by_money: bool = False) -> list[Standing]:
        """Return everybody who has played, the best first, over all tables and evenings.

        Spellings of one name are one player. Those who have the same share a rank.

        Args:
            evening: only this one.
            by_money: by money instead of tokens; that of the commonest currency.

        Raises:
            HallFileError: the file cannot be used.
        """
        found: dict[str, Standing] = {}
        rows = self._rows(
            "SELECT tbl, seat, name, tokens, first, last, began, currency, minor, digits,"
            " (SELECT count(*) FROM hands WHERE (hands.tbl, hands.sitting, hands.seat, hands.name)"
            " = (players.tbl, players.sitting, players.seat, players.name))"
            " FROM players JOIN sittings USING (tbl, sitting) ORDER BY sitting, tbl, seat"
        )
        for table, _, name, tokens, first, last, began, currency, minor, digits, hands in rows:
            if evening and evening_of(began) != evening:
                continue
            one = found.setdefault(name_key(name), Standing(name, first=first))
            one.tokens += tokens
            one.hands += hands
            one.tables.add(table)
            one.first, one.last = min(one.first, first), max(one.last, last)
            if currency:
                one.money[currency, digits] = one.money.get((currency, digits), 0) + tokens * minor
        kinds = [kind for one in found.values() for kind in one.money]
        kind = max(sorted(set(kinds)), key=kinds.count, default=("", 0))

        def score(one: Standing) -> int:
            return one.money.get(kind, -(10**18)) if by_money else one.tokens

        ranked = sorted(found.values(), key=lambda one: (-score(one), name_key(one.name)))
        for place, one in enumerate(ranked):
            same = place > 0 and score(ranked[place - 1]) == score(one)
            one.rank = ranked[place - 1].rank if same else place + 1
        return ranked

    def last_events(self, table: str, most: int) -> list[dict[str, Any]]:
        """Return the last events of a table, the oldest first.

        Raises:
            HallFileError: the file cannot be used.
        """
        query = "SELECT body FROM events WHERE tbl = ? ORDER BY sitting DESC, number DESC LIMIT ?"
        rows = self._rows(query, (table, most))
        return [json.loads(body) for (body,) in reversed(rows)]

    # What is forgotten

    def erase(self, wanted: Erasure) -> Erased:
        """Erase a player's name, or sittings, and leave nothing of it in the file.

        What a table has sent is known by its number for good, so no table sends it again.

        Raises:
            HallFileError: the file cannot be used.
        """
        done, do = Erased(), self._db.execute
        with self._transaction():
            if wanted.player:
                self._rename(wanted.player, done)
            elif wanted.before_s is not None:
                old = do("SELECT tbl, sitting FROM sittings WHERE ended < ?", (wanted.before_s,))
                for one in old.fetchall():
                    done.gone.append(one[1])
                    for name in _OF_SITTINGS:
                        do(f"DELETE FROM {name} WHERE tbl = ? AND sitting = ?", one)
        with self._checked():
            do("VACUUM")
            do("PRAGMA wal_checkpoint(TRUNCATE)")
        return done

    def _rename(self, player: str, done: Erased) -> None:
        do = self._db.execute
        rows = do("SELECT tbl, sitting, seat, name FROM players").fetchall()
        for table, sitting, seat, name in rows:
            if name_key(name) != name_key(player):
                continue
            done.renamed.append(sitting)
            alias = f"Player {seat + 1}"

            def changed(_key: str, text: str, _seat: Any = None, alias: str = alias) -> str:
                return in_text(text, player, alias)

            at = (table, sitting)
            for rows_of in ("players", "hands"):
                do(
                    f"UPDATE OR REPLACE {rows_of} SET name = ? WHERE tbl = ? AND sitting = ?"
                    " AND seat = ? AND name = ?",
                    (alias, *at, seat, name),
                )
            query = "SELECT number, body FROM events WHERE tbl = ? AND sitting = ?"
            for number, body in do(query, at).fetchall():
                do(
                    "UPDATE events SET body = ? WHERE tbl = ? AND sitting = ? AND number = ?",
                    (in_json(body.encode(), changed).decode(), *at, number),
                )

    def forget_old(self, keep_days: int) -> None:
        """Erase the sittings of more than *keep_days* days ago; 0 for never.

        Raises:
            HallFileError: the file cannot be used.
        """
        if keep_days:
            self.erase(Erasure(before_s=time.time() - keep_days * 86_400.0))


def _text(event: Body) -> str:
    return json.dumps(event, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
