"""The golden cases that lie beside the project, where they do."""

from __future__ import annotations

from typing import Any

import pytest

from engine.records.referee import differences, replay
from tests.support.rulebook import RULES, golden_cases

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
    golden, found = golden_cases(), []
    for group in GROUPS:
        if group not in golden:
            skip = pytest.mark.skip(reason=f"no golden cases of {group} in {RULES}")
            found.append(pytest.param({}, id=group, marks=skip))
        found += [pytest.param(case, id=case["id"]) for case in golden.get(group, ())]
    return found


@pytest.mark.parametrize("case", cases())
def test_golden_case_comes_out_as_expected(case: dict[str, Any]) -> None:
    assert differences(case, replay(case)) == []
