"""Digests of the journal's rows: a row that the disk has changed no longer has its digest.

Rows come from SQLite with their text as bytes. A digest is SHA-256 over fields, each written as its
length in eight bytes and then its bytes; whole numbers as decimal text, other numbers as the eight
bytes of the float, ``None`` as the length 2**64 - 1.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import Any

Field = bytes | int | float | None
Row = tuple[Any, ...]

_NONE = b"\xff" * 8
_LENGTHS = tuple(struct.pack(">Q", each) for each in range(4096))


def digest(kind: bytes, *fields: Field) -> bytes:
    """Return the digest of a row of this *kind*."""
    return sha256(b"".join(map(_written, (kind, *fields)))).digest()


def event_digest(
    before: bytes, sitting: bytes, number: int, time: float, event: bytes, more: bytes
) -> bytes:
    """Return the digest of an event; the same as :func:`digest`, but quick.

    Args:
        before: the digest of the event before it, or that of the sitting's row.
        sitting: its number, as :func:`written`.
        number: from 0.
        time: seconds since 1970.
        event: the event language.
        more: why it was assumed, and its batch, both as :func:`written`.
    """
    count = b"%d" % number
    return sha256(
        b"\0\0\0\0\0\0\0\5event\0\0\0\0\0\0\0\x20%b%b%b%b\0\0\0\0\0\0\0\x08%b%b%b%b"
        % (
            before,
            sitting,
            _LENGTHS[len(count)],
            count,
            struct.pack(">d", time),
            _length(event),
            event,
            more,
        )
    ).digest()


def sitting_digest(row: Sequence[Field]) -> bytes:
    """Return the digest of the row of a sitting, with all its columns, but for how it ended."""
    return digest(b"sitting", *row[:7], *row[8:11])


def seal(last: bytes, events: int, closed: float) -> bytes:
    """Return the digest of a sitting with so many *events*, *last* of the last, *closed* then."""
    return digest(b"closed", last, events, closed)


def look_digest(row: Sequence[Field]) -> bytes:
    """Return the digest of a look, from its sitting, number and line."""
    return digest(b"look", *row[:3])


def note_digest(row: Sequence[Field]) -> bytes:
    """Return the digest of a note, from all its columns but the last."""
    return digest(b"note", *row[:5])


def written(*fields: Field) -> bytes:
    """Return *fields* as a digest sees them."""
    return b"".join(map(_written, fields))


def mended(row: Row, is_right: Callable[[Row], bool]) -> Row | None:
    """Return *row* with the one bit turned back that makes it right; ``None`` if there is none."""
    for place, value in enumerate(row):
        for other in _turned(value):
            trial = (*row[:place], other, *row[place + 1 :])
            if is_right(trial):
                return trial
    return None


def _written(value: Field) -> bytes:
    if value is None:
        return _NONE
    if isinstance(value, float):
        value = struct.pack(">d", value)
    elif isinstance(value, int):
        value = b"%d" % value
    return _length(value) + value


def _length(value: bytes) -> bytes:
    size = len(value)
    return _LENGTHS[size] if size < len(_LENGTHS) else struct.pack(">Q", size)


def _turned(value: Field) -> Iterator[Any]:
    """Yield *value* with each of its bits turned."""
    if isinstance(value, bytes):
        for bit in range(8 * len(value)):
            turned = bytearray(value)
            turned[bit // 8] ^= 1 << bit % 8
            yield bytes(turned)
    elif isinstance(value, float):
        for packed in _turned(struct.pack(">d", value)):
            yield struct.unpack(">d", packed)[0]
    elif isinstance(value, int):
        for bit in range(max(8, value.bit_length())):
            yield value ^ (1 << bit)
