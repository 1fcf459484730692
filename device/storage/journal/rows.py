"""The rows of a journal: as SQLite finds them, else from the bytes of the file and its log."""

from __future__ import annotations

import contextlib
import json
import logging
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from device.clock import local
from device.storage.journal.chain import Field, Row, mended
from device.storage.journal.errors import check_readable, is_damage, refusal
from device.storage.journal.pages import rows_in

log = logging.getLogger(__name__)

_COLUMNS: dict[str, dict[str, type]] = {
    table: {
        name: {"int": int, "float": float, "text": bytes}[kind]
        for name, kind in (column.split() for column in columns.split(","))
    }
    for table, columns in {
        "sittings": "number int, started float, game text, preset text, options text,"
        " players text, dealer int, closed float, bones text, rules int, settings text,"
        " opened text, sealed text",
        "events": "sitting int, number int, time float, event text, assumed text, batch int,"
        " digest text",
        "looks": "sitting int, number int, line text, digest text",
        "notes": "number int, time float, sitting int, kind text, body text, digest text",
    }.items()
}
"""The types of the columns in their order; what is text to SQLite, or a BLOB, is read as bytes."""

_NULLABLE = {"dealer", "closed"}

_MISSING: dict[str, Field] = {"rules": 1, "settings": b"{}", "batch": 0}
"""What rows of older versions are taken to hold; other columns that they lack are empty."""

_LARGEST_MENDED, _MOST_MENDED = 4096, 50
"""Bytes of a row, and rows, whose bits are tried: some 0.1 s each at most."""


@dataclass(frozen=True, slots=True)
class Damage:
    """What is damaged in a journal.

    Attributes:
        what: in half a sentence.
        sitting: in which sitting; ``None`` for the journal itself.
        event: the first event that cannot be used, from 0; ``None`` where all can.
        since: when the last one before it happened, in seconds since 1970.
        lost: it is not in the file at all: the disk lost what it had confirmed.
    """

    what: str
    sitting: int | None = None
    event: int | None = None
    since: float | None = None
    lost: bool = False

    def __str__(self) -> str:
        """Return the whole sentence."""
        text = self.what if self.sitting is None else f"sitting {self.sitting}: {self.what}"
        if self.event is not None:
            text += f"; {self.event} events before it are used"
            if self.since is not None:
                text += f", the last of {local(self.since, '%Y-%m-%d %H:%M:%S')}"
        return text


class Rows:
    """Reads the rows of a journal, and keeps what is damaged.

    Attributes:
        db: the open database; ``None`` where its pages are damaged: then the rows are read from
            the bytes of the file.
        chained: whether the rows have digests.
        damage: what was found damaged so far.
    """

    def __init__(
        self, path: Path, db: sqlite3.Connection | None, *, chained: bool, writing: bool
    ) -> None:
        """Read the journal *path*; see :class:`.Contents` for *writing*."""
        self.db, self.chained = db, chained
        self.damage: list[Damage] = []
        self._path, self._writing = path, writing
        self._tries = _MOST_MENDED
        self._carved: dict[str, dict[tuple[Field, ...], list[Row]]] = {}

    def tell(
        self,
        what: str,
        sitting: int | None = None,
        event: int | None = None,
        since: float | None = None,
        *,
        lost: bool = False,
    ) -> None:
        """Add to :attr:`damage`, unless it is there; see :class:`Damage`."""
        found = Damage(what, sitting, event, since, lost)
        if found not in self.damage:
            self.damage.append(found)
            advice = "check the memory card, unless somebody has changed the file"
            log.warning("%s: %s; %s", self._path, found, advice)

    def sound(
        self, table: str, is_right: Callable[[Row], bool], what: str, sitting: int | None = None
    ) -> list[Row]:
        """Return the rows of *table* that are right, or are with a turned bit turned back.

        Raises:
            JournalError: the journal cannot be read.
        """
        good = []
        for rows in self._by_key(table, sitting):
            right = [row for row in rows if (is_right if self.chained else _is_old)(row)]
            if right:
                good.append(right[-1])
                continue
            key = rows[0][0]
            number = key if table != "notes" and isinstance(key, int) else None
            there = (self.mended(row, is_right) for row in rows)
            row = next(filter(None, there), None)
            if row is not None:
                good.append(row)
                number = None if table == "notes" else row[0]
                self.tell(f"{what}: one bit was turned, and is mended", number)
            else:
                self.tell(f"{what}: damaged", number)
        return good

    def mended(self, row: Row, is_right: Callable[[Row], bool]) -> Row | None:
        """Return *row* with a bit turned back, as long as there are not too many to try."""
        size = sum(len(value) for value in row if isinstance(value, bytes))
        if not self.chained or self._tries == 0 or size > _LARGEST_MENDED:
            return None
        self._tries -= 1
        return mended(row, is_right)

    def _by_key(self, table: str, sitting: int | None) -> list[list[Row]]:
        """Return the rows of *table* in order, those with one key together."""
        if self.db is not None:
            return [[row] for row in self.select(table, sitting)]
        return [
            sorted(rows, key=lambda row: bool(row[-1]))  # an ended sitting after what it was before
            for key, rows in sorted(self.in_bytes(table).items(), key=str)
            if sitting in (None, key[0])
        ]

    def select(self, table: str, sitting: int | None = None) -> list[Row]:
        """Return the rows of *table* as SQLite finds them, of one *sitting* or all.

        Raises:
            JournalError: the journal cannot be read.
        """
        if self.db is None:
            return []
        there = {row[1] for row in self.query(f"PRAGMA table_info({table})")}
        columns = ", ".join(
            f"CAST({name} AS BLOB)" if kind is bytes else name
            for name, kind in _COLUMNS[table].items()
            if name in there
        )
        if not columns:
            return []
        which = "" if sitting is None else f"WHERE sitting = {sitting}"
        rows: list[Row] = self.query(f"SELECT {columns} FROM {table} {which} ORDER BY number")
        return [filled(table, row) for row in rows] if len(there) < len(_COLUMNS[table]) else rows

    def query(self, query: str, values: Iterable[object] = ()) -> list[Any]:
        """Return what SQLite answers; what its pages cannot answer is damage, and missing.

        Raises:
            JournalError: the journal cannot be read for another reason.
        """
        assert self.db is not None
        for _ in range(2):
            try:
                return self.db.execute(query, tuple(values)).fetchall()
            except (sqlite3.Error, UnicodeDecodeError) as problem:
                writing = self._writing
                if writing or not is_damage(problem, self._path):
                    what = "cannot be read"
                    raise refusal(self._path, what, problem, writing=writing) from problem
            # To SQLite a page that the disk cannot read is damaged too; the next read may succeed.
            check_readable(self._path)
        self.tell("pages of the file are damaged")
        return []

    def in_bytes(self, table: str) -> dict[tuple[Field, ...], list[Row]]:
        """Return the rows of *table* in the bytes of the file, by their key.

        Raises:
            JournalError: the journal cannot be read.
        """
        if self._writing:
            return {}
        if table not in self._carved:
            found: dict[tuple[Field, ...], list[Row]] = defaultdict(list)
            keys = 2 if table in ("events", "looks") else 1
            forms = (0,) if self.chained else {"sittings": (1, 2), "events": (1,)}.get(table, ())
            for form in forms:
                for row in rows_in(self._path, table, form):
                    full = filled(table, row)
                    if _is_plausible(full) and full not in found[full[:keys]]:
                        found[full[:keys]].append(full)
            self._carved[table] = dict(found)
        return self._carved[table]


def filled(table: str, row: Row) -> Row:
    """Return *row* with the columns that its version did not have, and floats where they belong."""
    columns = _COLUMNS[table]
    row = (*row, *(_MISSING.get(name, b"") for name in list(columns)[len(row) :]))
    return tuple(
        float(value) if kind is float and isinstance(value, int) else value
        for value, kind in zip(row, columns.values(), strict=True)
    )


def _is_plausible(row: Row) -> bool:
    """Return whether bytes that look like a row can be one, perhaps with a turned bit."""
    if len(row) == len(_COLUMNS["sittings"]):
        return bool(fits("sittings", row) and (row[4][:1] == b"{" or row[5][:1] == b"["))
    if len(row) == len(_COLUMNS["events"]):
        return bool(fits("events", row) and (row[3][:5] == b'{"e":' or row[3][-1:] == b"}"))
    return True


def _is_old(row: Row) -> bool:
    """Return whether a row of version 1 or 2 holds what it must."""
    if len(row) == len(_COLUMNS["events"]):
        return fits("events", row) and bool(row[3].startswith(b'{"e":'))
    if len(row) != len(_COLUMNS["sittings"]) or not fits("sittings", row):
        return False
    with contextlib.suppress(ValueError, RecursionError):
        players = json.loads(row[5])
        return (
            isinstance(json.loads(row[4]), dict)
            and isinstance(players, list)
            and all(isinstance(player, dict) for player in players)
        )
    return False


def fits(table: str, row: Row) -> bool:
    """Return whether the values of *row* have the types of the columns of *table*."""
    return all(
        isinstance(value, kind) or (value is None and name in _NULLABLE)
        for value, (name, kind) in zip(row, _COLUMNS[table].items(), strict=True)
    )
