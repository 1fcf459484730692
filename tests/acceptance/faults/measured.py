"""What the long runs counted and measured, from which docs/why/reliability.md is made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("measured.json")


def told() -> dict[str, Any]:
    """Return what all runs told last."""
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}


def tell(**found: Any) -> None:
    """Write down what a run has *found*; what the others told stays."""
    FILE.write_text(json.dumps(told() | found, indent=1) + "\n", encoding="utf-8")
