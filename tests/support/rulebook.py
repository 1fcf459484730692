"""The rule book beside the project: what is newer there is read over what is older.

Nothing of it need be there; who asks for it looks at :data:`BOOK` or skips with a reason.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.support.paths import SHARED

RULES = SHARED / "rules"
BOOK = RULES / "RULES.md"
RECORDS = RULES / "next" / "records"
"""Sittings as 0.1 wrote them."""


def newest(name: str) -> Path:
    """A whole file of the book, the newer one where there are two."""
    newer = RULES / "next" / name
    return newer if newer.is_file() else RULES / name


def rule_ids() -> set[str]:
    return set(json.loads(newest("rule_ids.json").read_text(encoding="utf-8")))


def golden_cases() -> dict[str, list[dict[str, Any]]]:
    """The golden cases by group; a newer case stands in the place of the one of its id."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for folder in (RULES / "cases" / "open", RULES / "next" / "cases"):
        for path in sorted(folder.glob("*.json")):
            content = json.loads(path.read_text(encoding="utf-8"))
            group = found.setdefault(content["group"], {})
            group.update((case["id"], case) for case in content["cases"])
    return {group: list(cases.values()) for group, cases in found.items()}
