"""The golden cases that lie beside the project, where they do."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.records.referee import cases_of, differences, replay
from tests.support.paths import SHARED

OPEN = SHARED / "rules" / "cases" / "open"
SCAT = [
    "scat",
    "eenendertigen",
    "california-quick",
    "banking",
    "dollar-bill",
    "three-of-a-kind",
    "west-lansing",
    "switch",
    "no-elimination",
    "stop-the-bus",
]
GROUPS = ["one-and-thirty", "bone-ace", "knucklebones", *SCAT]


def cases() -> list[Any]:
    found = []
    for group in GROUPS:
        path = OPEN / f"{group}.json"
        if not path.exists():
            skip = pytest.mark.skip(reason=f"no golden cases at {path}")
            found.append(pytest.param({}, id=group, marks=skip))
            continue
        for case in cases_of(json.loads(path.read_text(encoding="utf-8"))):
            found.append(pytest.param(case, id=case["id"]))
    return found


@pytest.mark.parametrize("case", cases())
def test_golden_case_comes_out_as_expected(case: dict[str, Any]) -> None:
    assert differences(case, replay(case)) == []
