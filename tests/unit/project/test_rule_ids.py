"""Every rule of the book stands somewhere in the code, and is held by a golden case or a test."""

from __future__ import annotations

import re

import pytest

from tests.support.paths import ROOT
from tests.support.rulebook import BOOK, RULES, golden_cases, rule_ids

ID = re.compile(r"\b([A-Z]{1,2})-(\d+)\b")
IN_A_TEST_NAME = re.compile(r"def test_([a-z]{1,2})(\d+)_")
SPAN = re.compile(r"\b([A-Z]{1,2})-(\d+) to (?:\1-)?(\d+)\b")

TOLD = ("rulebook", "odds")
"""Folders that tell or reckon with rules; to be implemented a rule must stand elsewhere."""

pytestmark = pytest.mark.skipif(
    not BOOK.is_file(),
    reason="the rule book lies beside the project only in its workshop",
)


def book() -> set[str]:
    """Every id of the rule book; those in a bullet of their own or in the middle of one."""
    pages = (BOOK, RULES / "next" / "CHANGES.md")
    text = "".join(page.read_text(encoding="utf-8") for page in pages if page.is_file())
    return set(re.findall(r"\*\*([A-Z]{1,2}-\d+)\*\*", text))


def named_in(*folders: str) -> set[str]:
    """Every id named in the Python of these folders; a span in a heading names nothing."""
    found = set()
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if path.parent.name in TOLD:
                continue
            text = SPAN.sub("", path.read_text(encoding="utf-8"))
            names = [*ID.findall(text), *IN_A_TEST_NAME.findall(text)]
            found |= {f"{letters.upper()}-{number}" for letters, number in names}
    return found


def in_cases() -> set[str]:
    return {rule for group in golden_cases().values() for case in group for rule in case["rules"]}


def test_the_book_is_read_rightly():
    assert book() == rule_ids()
    assert len(book()) > 150


def test_every_rule_stands_in_the_engine():
    assert sorted(book() - named_in("engine")) == []


def test_every_rule_is_held_by_a_golden_case_or_a_test():
    assert sorted(book() - in_cases() - named_in("tests/unit/engine")) == []


def test_the_engine_names_no_rule_that_is_not_in_the_book():
    wrong = named_in("engine") - book()
    families = {name.split("-")[0] for name in book()}
    assert sorted(name for name in wrong if name.split("-")[0] in families) == []
