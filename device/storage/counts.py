"""What was counted without a game, kept in a file of its own beside the journal.

Each line is a JSON object with ``count`` (when that count began, in seconds since 1970), ``kind``
and ``at`` (when the line was written). A line with ``items`` is a throw as it stands now, one with
``undone`` takes it back, and one with ``end`` ends the count. Of lines with one ``throw`` of one
``count`` the last is right. A line that a power cut tore is passed over.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from device.files import check_regular, parse_json, read_file
from device.storage.journal import reader

FILE = "counts.jsonl"
"""Beside the journal that is called as always, and the name in each copy."""

LARGEST_FILE = 200_000_000

Line = Mapping[str, Any]


def counts_path(journal: Path) -> Path:
    """Return the file of the table of *journal*: two groups in one folder share no counts."""
    return journal.with_name(FILE if journal.name == reader.FILE else f"{journal.name}.{FILE}")


def append(path: Path, line: Line) -> None:
    """Add a line to *path*, which need not be there; it is on the disk afterwards.

    Raises:
        OSError: the disk refuses.
    """
    check_regular(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab+") as file:
        torn = False
        if file.tell():
            file.seek(-1, os.SEEK_END)
            torn = file.read(1) != b"\n"
        file.write(b"\n" * torn + json.dumps(line, separators=(",", ":")).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


def read(path: Path) -> list[Line]:
    """Return the lines of *path* that are whole; none where there is no such file.

    Raises:
        OSError: it cannot be read.
    """
    try:
        data = read_file(path, LARGEST_FILE)
    except FileNotFoundError:
        return []
    return [line for text in data.splitlines() if (line := _line(text)) is not None]


def without(data: bytes, before_s: float) -> bytes:
    """Return the *data* of such a file without what was written before *before_s* (since 1970).

    Lines that nobody can read go too.
    """
    kept = [
        text
        for text in data.splitlines(keepends=True)
        if (line := _line(text)) is not None and line["at"] >= before_s
    ]
    return b"".join(kept)


def throws_of(lines: list[Line]) -> dict[float, dict[int, Line]]:
    """Return the throws that stand, by count and number, the oldest count first."""
    found: dict[float, dict[int, Line]] = {}
    for line in lines:
        throws = found.setdefault(line["count"], {})
        number = line.get("throw")
        if "items" in line and isinstance(number, int):
            throws[number] = line
        elif "undone" in line:
            throws.pop(number, None)  # type: ignore[arg-type]
    return found


def _line(text: bytes) -> Line | None:
    try:
        line = parse_json(text)
    except ValueError:
        return None
    if not isinstance(line, dict):
        return None
    numbers = all(isinstance(line.get(name), int | float) for name in ("count", "at"))
    items = line.get("items", [])
    words = isinstance(items, list) and all(isinstance(each, str) for each in items)
    return line if numbers and words and isinstance(line.get("kind"), str) else None
