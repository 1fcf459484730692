"""Reports as CSV and JSON on a stream."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TextIO


def write_csv(
    columns: Sequence[str], rows: Iterable[Mapping[str, Any]], file: TextIO | None = None
) -> None:
    """Write *rows* as CSV under *columns*, by default to standard output.

    A list becomes one field, its items spaced.
    """
    writer = csv.writer(file or sys.stdout, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_cell(row[name]) for name in columns])


def _cell(value: Any) -> Any:
    """Return *value* for a spreadsheet, which must not take a name for a formula.

    >>> _cell("=1+1"), _cell("Ann"), _cell(-3), _cell(["G-14", "G-12"])
    ("'=1+1", 'Ann', -3, 'G-14 G-12')
    """
    text = " ".join(value) if isinstance(value, list) else value
    return f"'{text}" if isinstance(text, str) and text[:1] in ("=", "+", "-", "@") else text


def write_json(document: object) -> None:
    """Print *document* as indented JSON."""
    print(json.dumps(document, ensure_ascii=False, indent=2))
