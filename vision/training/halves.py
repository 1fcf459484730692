"""The halves of the photographs, split by deck: settings are chosen on one, the other is reported.

``halves.csv`` holds them; a rendered mat goes with the photographs that its faces come from.
"""

from __future__ import annotations

import csv
import functools
import re
from pathlib import Path

HALVES = Path(__file__).with_name("halves.csv")


@functools.cache
def rules() -> list[dict[str, str]]:
    """Return the lines of ``halves.csv``; the first that fits counts."""
    with HALVES.open(encoding="utf-8") as handle:
        return list(csv.DictReader(handle))


def half_of(pictures: str, source: str, file: str) -> str | None:
    """Return in which half a photograph of the set *pictures* is."""
    for rule in rules():
        fits = re.fullmatch(rule["source"], source) and re.fullmatch(rule["files"], Path(file).name)
        if rule["set"] == pictures and fits:
            return rule["half"]
    return None
