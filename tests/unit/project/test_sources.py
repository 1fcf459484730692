"""The page of the sources: every row is right, and no sentence of a source is left out."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from typing import NamedTuple

import pytest

from engine.core.options import OneOf, OptionError, OptionInfo, describe
from engine.games import catalog
from tests.support.paths import ROOT, SHARED
from tests.unit.engine.test_rulebook import AT_THE_TABLE

PAGE = ROOT / "docs" / "reference" / "sources.md"
SOURCES = SHARED / "sources"
COPIED = 7
"""So many words in a row that stand in a source too are no longer ours."""
OTHERWISE = "no rule|not yet|pictures of ours|figures of ours|prial"
"""How a row goes on where not, or not only, a line of the page tells it."""


class Row(NamedTuple):
    """What one row of the page says."""

    source: str
    """The mark of its source, from the heading."""
    pages: tuple[str, ...]
    """The pages on which its lines stand: game and preset."""
    number: int
    """Which sentence of the source it is about, from 1."""
    says: str
    rules: tuple[str, ...]
    told: str
    hands: str

    def __str__(self) -> str:
        return f"{self.source}-{self.number}"

    @property
    def lines(self) -> tuple[str, ...]:
        """The beginnings of the lines that tell it."""
        return tuple(re.findall(r'"([^"]+)"', self.told))


def rows() -> list[Row]:
    found, source, pages = [], "", ()
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            source = line.split()[1].rstrip(":")
        elif line.startswith("### "):
            pages = tuple(re.findall(r"`([^`]+)`", line))
        elif line.startswith("| ") and not line.startswith("| no |"):
            number, says, rules, told, hands = (cell.strip() for cell in line.split("|")[1:-1])
            ids = tuple(re.findall(r"[A-Z]+-\d+", rules))
            found.append(Row(source, pages, int(number), says, ids, told, hands))
    return found


ROWS = rows()
TABLES = sorted({(row.source, row.pages) for row in ROWS})
EACH = pytest.mark.parametrize(
    "table", TABLES, ids=[f"{mark}-{pages[0]}" for mark, pages in TABLES]
)


def rows_of(table: tuple[str, tuple[str, ...]]) -> list[Row]:
    return [row for row in ROWS if (row.source, row.pages) == table]


@cache
def page(name: str) -> dict[str, set[str]]:
    """The lines of a game's page and the rules each tells: over single changes of its options."""
    game, preset = catalog.choose(*name.split())
    names = ", ".join(preset.names or game.aliases)
    told: dict[str, set[str]] = {preset.says: set(), f"Also called: {names}": set()}
    single = [{info.name: value} for info in describe(game.options_type) for value in values(info)]
    for changes in ({}, *single):
        try:
            options = catalog.make_options(game, preset, changes)
        except OptionError:
            continue  # needs another option beside it
        for part in (*game.rules(options), *game.background(options)):
            for line in part.rules:
                told.setdefault(str(line), set()).update(line.ids)
    return told


def values(info: OptionInfo) -> tuple[object, ...]:
    if isinstance(info.choices, OneOf):
        return info.choices.values
    return (info.default - 1, info.default, info.default + 1)


@cache
def cases() -> dict[str, tuple[str, set[str]]]:
    """The game and the rules of each case of our own."""
    folder = ROOT / "tests" / "unit" / "engine" / "cases"
    return {
        case["id"]: (case["game"], set(case["rules"]))
        for path in folder.glob("*.json")
        for case in json.loads(path.read_text(encoding="utf-8"))["cases"]
    }


@cache
def names_of_tests() -> set[str]:
    """The name of every test of the engine."""
    paths = (ROOT / "tests" / "unit" / "engine").rglob("test_*.py")
    texts = (path.read_text(encoding="utf-8") for path in paths)
    return {name for text in texts for name in re.findall(r"^def (test_\w+)", text, re.MULTILINE)}


@EACH
def test_each_line_stands_on_its_page_and_tells_the_rules_beside_it(table) -> None:
    lines: dict[str, set[str]] = {}
    for name in table[1]:
        for line, ids in page(name).items():
            lines.setdefault(line, set()).update(ids)
    for row in rows_of(table):
        told: set[str] = set()
        for start in row.lines:
            found = [ids for line, ids in lines.items() if line.startswith(start)]
            assert found, f"{row}: no line begins: {start}"
            ids = set().union(*found)
            assert not (row.rules and ids) or ids & set(row.rules), f"{row}: other rules: {start}"
            told |= ids
        assert set(row.rules) - told <= set(AT_THE_TABLE), f"{row}: {sorted(told)}"


@EACH
def test_each_row_is_told_or_explained(table) -> None:
    for row in rows_of(table):
        assert row.says, row
        assert row.lines or re.match(r"No rule: \w+", row.told), row
        rest = re.sub(r'"[^"]+"', "", row.told).strip(" ;")
        assert not rest or re.match(rf"(?:{OTHERWISE}): \S", rest, re.IGNORECASE), row
        for link in re.findall(r"\]\(([^)]+)\)", row.told):
            assert (PAGE.parent / link).is_file(), row


@EACH
def test_each_hand_is_a_case_of_its_rules_or_a_test(table) -> None:
    games = {name.split()[0] for name in table[1]}
    if "bone-ace" in games:
        games.add("one-and-thirty")  # but for the Bone it is that game
    for row in rows_of(table):
        hands = re.findall(r"`([^`]+)`", row.hands)
        assert hands or (row.hands == "-" and not row.rules), f"{row}: a rule that no hand plays"
        for hand in hands:
            if hand.startswith("test_"):
                assert hand in names_of_tests(), row
                continue
            assert hand in cases(), f"{row}: {hand}"
            game, rules = cases()[hand]
            assert game in games, f"{row}: {hand} is a hand of {game}"
            assert rules & set(row.rules), f"{row}: {hand} is of {sorted(rules)}"


def test_the_page_counts_what_is_not_there_yet() -> None:
    (told,) = re.findall(r"Rows that say \*not yet\*: (\d+)\.", PAGE.read_text(encoding="utf-8"))
    assert sum("not yet:" in row.told for row in ROWS) == int(told)


def sentences(text: str) -> list[str]:
    """The sentences of a source; headings and the items of lists count."""
    found: list[str] = []
    for paragraph in re.split(r"\n\s*\n", text):
        for item in re.split(r"\n(?=\s*(?:[-*]|\d\)|\d -)\s)", "\n" + paragraph):
            found += re.split(
                r"(?<=[.!?])[\"\u201d\u2019')]*\s+(?=[A-Z(\"\u201c])", " ".join(item.split())
            )
    return [sentence for sentence in found if sentence]


def source(mark: str) -> str:
    found = sorted(SOURCES.glob(f"{mark}-*.txt"))
    if not found:
        pytest.skip("the sources lie beside the project only in its workshop")
    return found[0].read_text(encoding="utf-8")


@pytest.mark.parametrize("mark", ["S1", "S2", "S3", "S4", "S5"])
def test_no_sentence_of_a_source_is_left_out(mark: str) -> None:
    count = len(sentences(source(mark)))
    assert {row.number for row in ROWS if row.source == mark} == set(range(1, count + 1))


@pytest.mark.parametrize("mark", ["S1", "S2", "S3", "S4", "S5"])
def test_nothing_is_copied_from_a_source(mark: str) -> None:
    theirs = re.findall(r"\w+", source(mark).lower())
    known = Counter(tuple(theirs[i : i + COPIED]) for i in range(len(theirs)))
    for row in ROWS:
        ours = re.findall(r"\w+", row.says.lower())
        for i in range(len(ours) - COPIED + 1):
            assert tuple(ours[i : i + COPIED]) not in known, (str(row), row.says)
