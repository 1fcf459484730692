"""Rows read from the bytes of a damaged database, whatever SQLite thinks of its pages.

A row stands in the file, or in the log beside it, as a list of types and then the values. Each
place that looks like such a list is tried; the digest of the row tells whether it is one.
"""

from __future__ import annotations

import os
import re
import struct
from collections.abc import Iterator
from pathlib import Path

from device.storage.journal.chain import Field, Row
from device.storage.journal.errors import refusal

_INT, _REAL, _NULL = rb"[\x01-\x06\x08\x09]", rb"[\x01-\x09]", rb"\x00"
_TEXT = rb"(?:[\x0c-\x7f]|[\x81-\xff][\x00-\x7f])"  # a BLOB too: one turned bit makes it one
_DIGEST = rb"\x4c"
_SITTING = _NULL + _REAL + _TEXT * 4 + rb"[\x00-\x06\x08\x09]" + rb"[\x00-\x09]"

_FORMS = {
    # The columns in the order of the file; the last two as versions 1 and 2 wrote them.
    "sittings": [
        _SITTING + _TEXT + _INT + _TEXT + _DIGEST + rb"[\x0c\x4c]",
        _SITTING + _TEXT,
        _SITTING,
    ],
    "events": [
        _INT * 2 + _REAL + _TEXT * 2 + _INT + _DIGEST,
        _INT * 2 + _REAL + _TEXT,
    ],
    "looks": [_INT * 2 + _TEXT + _DIGEST],
    "notes": [_NULL + _REAL + rb"[\x00-\x06\x08\x09]" + _TEXT * 2 + _DIGEST],
}
_PART, _LARGEST_ROW, _LONGEST_HEAD = 1 << 24, 1 << 16, 64
_INT_BYTES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}


def rows_in(path: Path, table: str, form: int = 0) -> Iterator[Row]:
    """Yield whatever looks like a row of *table* in the file *path* and its log.

    Columns stand in the order of the table. Some rows may come twice, as they were at different
    times, or may be none.

    Args:
        path: the database.
        table: its name.
        form: 0 for the present form of its rows, more for the older ones.

    Raises:
        JournalError: the file cannot be read.
    """
    types = re.compile(rb"(?=([\x04-\x20]" + _FORMS[table][form] + rb"))", re.DOTALL)
    for file in (path, Path(f"{path}-wal")):
        for data in _parts(file):
            for found in types.finditer(data, 0, _PART + _LONGEST_HEAD):
                head = found[1]
                if head[0] == len(head) and (row := _values(data, found.start(), head)) is not None:
                    yield row


def _parts(file: Path) -> Iterator[bytes]:
    """Yield *file* in parts, each with the beginning of the next; nothing where there is none."""
    try:
        with file.open("rb") as opened:
            at = 0
            while data := os.pread(opened.fileno(), _PART + _LARGEST_ROW, at):
                yield data
                at += _PART
    except FileNotFoundError:
        return
    except OSError as problem:
        raise refusal(file, "cannot be read", problem) from problem


def _values(data: bytes, start: int, head: bytes) -> Row | None:
    """Return the values behind the types *head*, which stand at *start*."""
    at = start + len(head)
    row: list[Field] = []
    kinds = _kinds(head)
    for place, kind in enumerate(kinds):
        size = _INT_BYTES.get(kind, 8 if kind == 7 else (kind - 12) // 2 if kind >= 12 else 0)
        raw = data[at : at + size]
        at += size
        if len(raw) < size:
            return None
        if kind >= 12:
            row.append(raw)
        elif kind == 7:
            row.append(struct.unpack(">d", raw)[0])
        elif kind == 0:
            row.append(_key_before(data, start) if place == 0 else None)
        else:
            row.append(kind - 8 if kind >= 8 else int.from_bytes(raw, "big", signed=True))
    return tuple(row)


def _kinds(head: bytes) -> list[int]:
    kinds, value = [], 0
    for byte in head[1:]:
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            kinds.append(value)
            value = 0
    return kinds


def _key_before(data: bytes, at: int) -> int:
    """Return the number of the row whose types stand *at*: a rowid is written before them."""
    value, shift = data[at - 1], 7
    while at >= 2 and data[at - 2] & 0x80 and shift < 28:
        at -= 1
        value |= (data[at - 1] & 0x7F) << shift
        shift += 7
    return value
