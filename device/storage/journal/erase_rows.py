"""Erase from the rows of a journal: a name becomes "Player 3", or whole sittings go.

Nobody's score changes. The chain of what was sound is made again; what was damaged stays damaged.
"""

from __future__ import annotations

import contextlib
import json
import math
import re
import sqlite3
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from device.storage.journal.chain import (
    Row,
    event_digest,
    look_digest,
    note_digest,
    seal,
    sitting_digest,
    written,
)
from device.storage.journal.contents import CHAINED
from device.storage.journal.schema import add_note
from engine.core.players import name_key

FREE = frozenset({"reason", "note", "notes", "text", "why", "said"})
"""Keys of an event whose values are free text. So is what has a space in it; other texts are words
of the rules, which may be somebody's name too."""

FIRST_S = 1_577_836_800.0
"""2020, before the first table: a clock that says so was never set."""

SLACK_S = 86_400.0
"""A clock that is set right may step back so far, as where a summer ends."""


@dataclass(frozen=True, slots=True)
class Erasure:
    """What is to be erased.

    Attributes:
        player: a name; empty for none. All spellings of :func:`name_key` are one.
        before_s: sittings that ended before, in seconds since 1970; infinite for all.
        judged: whether a sitting goes, by when it began; those that are not in it go by
            *before_s*. See :func:`ended_before`.
    """

    player: str = ""
    before_s: float | None = None
    judged: Mapping[float, bool] = field(default_factory=dict)

    @property
    def what(self) -> str:
        """Return it for a note, without a name."""
        return "player" if self.player else "sittings"


@dataclass(slots=True)
class Erased:
    """What was done, in one file or all.

    Attributes:
        renamed: sittings in which a name was replaced.
        gone: sittings that were removed.
        kept: sittings that were kept, though their date is old, because it cannot be right.
        files: copies and other files that were written anew.
        deleted: files that were deleted, because they cannot be read.
        failed: what the disk refused.
    """

    renamed: list[int] = field(default_factory=list)
    gone: list[int] = field(default_factory=list)
    kept: list[int] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)
    deleted: list[Path] = field(default_factory=list)
    failed: list[OSError] = field(default_factory=list)


def erase_rows(db: sqlite3.Connection, wanted: Erasure, wall_s: float) -> Erased:
    """Erase from an open journal of any version, and leave nothing in the file's free pages.

    Raises:
        sqlite3.Error: the disk refuses; nothing is erased, or it is but not yet vacuumed.
    """
    done = Erased()
    db.execute("PRAGMA secure_delete = ON")
    chained = db.execute("PRAGMA user_version").fetchone()[0] >= CHAINED
    db.execute("BEGIN IMMEDIATE")
    try:
        for number, started, ended in _ends(db):
            is_old = wanted.before_s is not None and ended < wanted.before_s
            if wanted.judged.get(started, is_old):
                _remove(db, number, chained=chained)
                done.gone.append(number)
            elif is_old:
                done.kept.append(number)
            elif wanted.player and _rename(db, number, wanted.player, chained=chained):
                done.renamed.append(number)
        if chained:
            found = _rename_notes(db, wanted.player) if wanted.player else False
            if done.gone or done.renamed or found:
                body = {"what": wanted.what, "gone": done.gone, "renamed": done.renamed}
                last = db.execute("SELECT coalesce(max(number), 0) FROM notes").fetchone()[0]
                add_note(db, last + 1, wall_s, None, "erased", json.dumps(body))
        db.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            db.execute("ROLLBACK")
        raise
    db.execute("VACUUM")
    return done


def ends_of(db: sqlite3.Connection) -> list[float]:
    """Return when each sitting in an open journal ended, and when each note was written."""
    ends = [ended for *_, ended in _ends(db)]
    if db.execute("PRAGMA user_version").fetchone()[0] >= CHAINED:
        ends += [row[0] for row in db.execute("SELECT time FROM notes")]
    return sorted(ends)


def counts_of(db: sqlite3.Connection) -> tuple[int, int, float]:
    """Return sittings, events, and when the first sitting ended (never: 0)."""
    ends = [ended for *_, ended in _ends(db)]
    return len(ends), db.execute("SELECT count(*) FROM events").fetchone()[0], min(ends, default=0)


def _raw(db: sqlite3.Connection, query: str, *values: Any) -> list[Row]:
    """Return rows with their texts as bytes."""
    before, db.text_factory = db.text_factory, bytes
    try:
        return db.execute(query, values).fetchall()
    finally:
        db.text_factory = before


def ended_before(
    db: sqlite3.Connection, before_s: float, *, latest_s: float = math.inf, unfinished: bool
) -> Erasure:
    """Return what asks for the sittings in an open journal that ended before *before_s*.

    A table may have had a wrong clock. A date that is before that of an earlier sitting, or after
    *latest_s*, cannot be right: such a sitting ended no later than the next one whose date can be,
    and where there is none, nobody knows that it is old.

    Args:
        db: the journal.
        before_s: seconds since 1970.
        latest_s: now, if the clock is right.
        unfinished: whether the last sitting goes too if it is not closed.
    """
    rows = _ends(db)
    latest_s = latest_s if latest_s >= FIRST_S else math.inf
    first_s, right = FIRST_S, list[bool]()
    for *_, ended in rows:
        right.append(first_s <= ended <= latest_s)
        if right[-1]:
            first_s = max(first_s, ended - SLACK_S)
    judged, by_then = dict[float, bool](), math.inf
    for (_, started, ended), is_right in zip(reversed(rows), reversed(right), strict=True):
        by_then = ended if is_right else by_then
        judged[started] = by_then < before_s
    if rows and not unfinished:
        number, started, _ = rows[-1]
        query = "SELECT closed IS NULL FROM sittings WHERE number = ?"
        judged[started] &= not db.execute(query, (number,)).fetchone()[0]
    return Erasure(before_s=before_s, judged=judged)


def _ends(db: sqlite3.Connection) -> list[tuple[int, float, float]]:
    """Return each sitting, when it began and ended; one that goes on, when its last event was."""
    return db.execute(
        "SELECT number, started, max(started, coalesce(closed, started), coalesce((SELECT max(time)"
        " FROM events WHERE sitting = sittings.number), started)) FROM sittings ORDER BY number"
    ).fetchall()


def _remove(db: sqlite3.Connection, number: int, *, chained: bool) -> None:
    if chained:
        for table in ("looks", "summaries"):
            db.execute(f"DELETE FROM {table} WHERE sitting = ?", (number,))
        # A note keeps its number: one that is missing would look lost.
        for row in _raw(db, "SELECT * FROM notes WHERE sitting = ?", number):
            _set_note(db, row, b"{}")
    db.execute("DELETE FROM events WHERE sitting = ?", (number,))
    db.execute("DELETE FROM sittings WHERE number = ?", (number,))


def _set_note(db: sqlite3.Connection, row: Row, body: bytes) -> None:
    fields = (*row[:4], body)
    stored = note_digest(fields) if row[5] == note_digest(row) else row[5]
    db.execute(
        "UPDATE notes SET body = ?, digest = ? WHERE number = ?", (body.decode(), stored, row[0])
    )


def _rename_notes(db: sqlite3.Connection, player: str) -> bool:
    def changed(key: str, text: str, seat: Any = None) -> str:
        return in_text(text, player, "Player")

    return _change_notes(db, _raw(db, "SELECT * FROM notes"), changed)


def _change_notes(db: sqlite3.Connection, notes: Iterable[Row], change: Callable[..., str]) -> bool:
    """Change the texts of *notes*; return whether there was anything to change."""
    found = False
    for row in notes:
        body = in_json(row[4], change)
        if body != row[4]:
            _set_note(db, row, body)
            found = True
    return found


def _rename(db: sqlite3.Connection, number: int, player: str, *, chained: bool) -> bool:
    """Replace *player* in one sitting; return whether there was anything to replace."""
    (row,) = _raw(db, "SELECT * FROM sittings WHERE number = ?", number)
    info = db.execute("PRAGMA table_info(sittings)")
    at = {each[1]: each[0] for each in info}
    events = _raw(db, "SELECT * FROM events WHERE sitting = ? ORDER BY number", number)
    texts = [row[at["players"]], *(each[3] for each in events)]
    alias = _aliases(texts, player)

    def changed(key: str, text: str, seat: Any = None) -> str:
        if key == "name" and name_key(text) == name_key(player):
            return alias(seat)
        free = key in FREE or " " in text
        return in_text(text, player, alias(None)) if free else text

    new = list(row)
    columns = [name for name in ("players", "settings") if name in at]
    for name in columns:
        new[at[name]] = in_json(row[at[name]], changed)
    renamed = [in_json(each[3], changed) for each in events]
    assumed = [
        changed("", each[4].decode("utf-8", "replace")).encode() if chained else b""
        for each in events
    ]
    looks = _raw(db, "SELECT * FROM looks WHERE sitting = ?", number) if chained else []
    seen = [in_json(each[2], changed) for each in looks]
    if chained:
        # As in the events: by its reason a wager knows the entries that settled it.
        _change_notes(db, _raw(db, "SELECT * FROM notes WHERE sitting = ?", number), changed)
    same = new == list(row) and renamed == [each[3] for each in events]
    same = same and seen == [each[2] for each in looks]
    if same and (not chained or assumed == [each[4] for each in events]):
        return False
    for name in columns:
        db.execute(
            f"UPDATE sittings SET {name} = ? WHERE number = ?",
            (new[at[name]].decode("utf-8", "replace"), number),
        )
    if not chained:
        for each, text in zip(events, renamed, strict=True):
            db.execute(
                "UPDATE events SET event = ? WHERE sitting = ? AND number = ?",
                (text.decode("utf-8", "replace"), number, each[1]),
            )
        return True
    for look, line in zip(looks, seen, strict=True):
        right = look[3] == look_digest(look)
        stored = look_digest((*look[:2], line)) if right else look[3]
        db.execute(
            "UPDATE looks SET line = ?, digest = ? WHERE sitting = ? AND number = ?",
            (line.decode("utf-8", "replace"), stored, number, look[1]),
        )
    _chain_again(db, row, new, events, renamed, assumed)
    db.execute("DELETE FROM summaries WHERE sitting = ?", (number,))
    return True


def _chain_again(
    db: sqlite3.Connection,
    row: Row,
    new: list[Any],
    events: list[Row],
    texts: list[bytes],
    assumed: list[bytes],
) -> None:
    """Write the events with new digests, as far as the old ones were right."""
    number = row[0]
    before, after = row[11], row[11]
    sound = row[11] == sitting_digest(row)
    if sound:
        after = sitting_digest(new)
    sitting = written(number)
    for place, (each, text, why) in enumerate(zip(events, texts, assumed, strict=True)):
        more = written(each[4], each[5])
        old = event_digest(before, sitting, each[1], each[2], each[3], more)
        sound = sound and each[1] == place and old == each[6]
        before, digest = each[6], each[6]
        if sound:
            more = written(why, each[5])
            digest = after = event_digest(after, sitting, each[1], each[2], text, more)
        db.execute(
            "UPDATE events SET event = ?, assumed = ?, digest = ? WHERE sitting = ? AND number = ?",
            (text.decode("utf-8", "replace"), why.decode(), digest, number, each[1]),
        )
    closed, sealed = row[7], row[12]
    if sound and closed is not None and sealed == seal(before, len(events), closed):
        sealed = seal(after, len(events), closed)
    opened = sitting_digest(new) if row[11] == sitting_digest(row) else row[11]
    db.execute(
        "UPDATE sittings SET opened = ?, sealed = ? WHERE number = ?", (opened, sealed, number)
    )


def _aliases(texts: Iterable[bytes], player: str) -> Callable[[Any], str]:
    """Return what gives the name that stands for *player* at a seat: of nobody else here."""
    names, seats = set[str](), []
    for text in texts:
        with contextlib.suppress(ValueError, RecursionError):
            for name, seat in _names(json.loads(text)):
                if name_key(name) == name_key(player):
                    seats.append(seat)
                else:
                    names.add(name_key(name))
    first = seats[0] if seats else 0

    def alias(seat: Any) -> str:
        number = (seat if isinstance(seat, int) else first) + 1
        while name_key(f"Player {number}") in names:
            number += 10
        return f"Player {number}"

    return alias


def _names(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        if isinstance(value.get("name"), str):
            yield value["name"], value.get("seat")
        for each in value.values():
            yield from _names(each)
    elif isinstance(value, list):
        for each in value:
            yield from _names(each)


def in_json(text: bytes, change: Callable[..., str]) -> bytes:
    """Return JSON with its strings changed; what is no JSON is taken as one string."""

    def walk(value: Any, key: str, seat: Any) -> Any:
        if isinstance(value, str):
            return change(key, value, seat) if key == "name" else change(key, value)
        if isinstance(value, list):
            return [walk(each, key, seat) for each in value]
        if isinstance(value, dict):
            seat = value.get("seat")
            return {name: walk(each, name, seat) for name, each in value.items()}
        return value

    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return change("", text.decode("utf-8", "replace")).encode()
    new = walk(found, "", None)
    return text if new == found else json.dumps(new, separators=(",", ":")).encode()


def in_text(text: str, player: str, alias: str) -> str:
    """Return *text* with each *player* in it, however it is spelled, replaced.

    >>> in_text("misdeal: ANN  lee looked", "Ann Lee", "Player 1")
    'misdeal: Player 1 looked'
    >>> in_text("Annabel", "Ann", "Player 1")
    'Annabel'
    """
    letters: list[str] = []
    places: list[int] = []
    for place, cluster in _clusters(text):
        for letter in name_key(cluster) or " ":
            if letter != " " or (letters and letters[-1] != " "):
                letters.append(letter)
                places.append(place)
    places.append(len(text))
    pattern = rf"(?<!\w){re.escape(name_key(player))}(?!\w)"
    result, end = "", 0
    for match in re.finditer(pattern, "".join(letters)):
        result += text[end : places[match.start()]] + alias
        end = places[match.end()]
    return result + text[end:]


def _clusters(text: str) -> Iterator[tuple[int, str]]:
    """Yield letters with the marks that belong to them, and where they begin."""
    start = 0
    for place in range(1, len(text) + 1):
        if place == len(text) or not unicodedata.combining(text[place]):
            if text[start:place]:
                yield start, text[start:place]
            start = place
