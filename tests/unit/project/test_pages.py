"""What the pages tell people to type and press is what the program takes."""

import importlib
import math
import re
import shlex

import pytest

from device.cli import COMMANDS, main
from device.hardware.buttons import KEYS
from device.ports import Button
from engine.games.knucklebones.fairness import wilson
from tests.support.paths import ROOT

PAGES = (
    *("README.md", "docs/how-to/play.md", "docs/how-to/decks.md"),
    *("docs/how-to/bones.md", "docs/how-to/install.md"),
    *("systemd/README.md", "docs/why/audit.md", "docs/reference/record.md"),
    *("docs/how-to/guests-data.md", "docs/how-to/count.md", "docs/how-to/rig.md"),
    *("docs/how-to/phones.md", "docs/how-to/hall.md"),
)
SPELLED = {"enter": "enter", "esc": "escape"}


def text(page):
    return (ROOT / page).read_text(encoding="utf-8")


def commands():
    """Yield every ``boneace`` command of the pages, from code blocks and from sentences."""
    for page in PAGES:
        blocks = re.findall(r"```sh\n(.*?)```", text(page), re.DOTALL)
        lines = [line for block in blocks for line in block.splitlines()]
        lines += re.findall(r"`([^`\n]+)`", text(page))
        for line in lines:
            # Of an installed table: `sudo boneace doctor`.
            # Where what it prints goes is the shell's: `boneace export > evening.json`.
            found = re.search(r"(?:^|(?<=^sudo ))boneace [a-z][^>]*", line.strip())
            if found is not None:
                yield pytest.param(shlex.split(found[0], comments=True)[1:], id=found[0])


@pytest.mark.parametrize("words", list(commands()))
def test_commands_of_the_pages_are_understood(words, monkeypatch):
    module = importlib.import_module(f"device.commands.{words[0]}")
    taken = []
    monkeypatch.setattr(module, "run", lambda args: taken.append(args) or 0)
    assert main(words) == 0
    assert len(taken) == 1


def test_every_command_is_in_a_page():
    told = {parameter.values[0][0] for parameter in commands()} | {"demo"}  # by `make demo`
    assert told >= set(COMMANDS)


def test_keys_of_the_dealers_page_are_the_real_ones():
    page = text("docs/how-to/play.md")
    rows = re.findall(r"^\| ?([A-Z]*)(?: IT)? \| ([A-Z][\w, ]*?) \|", page, re.MULTILINE)
    assert len(rows) == 9
    told = {}
    for button, keys in rows:
        for key in keys.lower().split(", "):
            told[SPELLED.get(key, key)] = Button(button.lower() or "quit")
    assert told == {key: button for key, button in KEYS.items() if key not in ("return", "quit")}, (
        "return is Enter, quit is the window's cross"
    )


def test_keys_of_the_readme_are_the_real_ones():
    (line,) = re.findall(r"^On the keyboard: (.*)\.$", text("README.md"), re.MULTILINE)
    for phrase in line.split(", "):
        *keys, name = re.sub(r" or ", " ", phrase).replace("have it", "have").lower().split()
        for key in keys:
            assert KEYS[SPELLED.get(key, key)] is Button(name), phrase


PAGE_NAME = re.compile(r"\b((?:docs|systemd|tests)/[\w/-]+\.md)\b")


def test_pages_that_are_named_are_there():
    pages = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
    pages.remove(ROOT / "CHANGELOG.md")  # it names pages of earlier versions
    named = {name for page in pages for name in PAGE_NAME.findall(page.read_text(encoding="utf-8"))}
    assert {"docs/how-to/play.md", "docs/how-to/install.md", "docs/reference/glossary.md"} <= named
    assert [name for name in sorted(named) if not (ROOT / name).is_file()] == []


def test_no_page_is_out_of_reach():
    """From the README on, every page is named by one that is."""
    reached, waiting = set(), ["README.md"]
    while waiting:
        page = waiting.pop()
        reached.add(page)
        links = re.findall(r"\]\(([\w/.-]+\.md)", text(page))
        told = [
            str((ROOT / page).parent.joinpath(link).resolve().relative_to(ROOT)) for link in links
        ]
        told += PAGE_NAME.findall(text(page))
        waiting += [name for name in told if name not in reached and (ROOT / name).is_file()]
    pages = {str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md")}
    pages |= {path.name for path in ROOT.glob("*.md")} - {"CHANGELOG.md"}
    assert sorted(pages - reached) == []


BOUNDS = re.compile(
    r"^\| .* \| ([\d,]+) of ([\d,]+) \| (\d+) in 1,000 "
    r"\| ([\d,]+) of ([\d,]+) \| ([\d.]+) in 1,000 \|$",
    re.MULTILINE,
)


@pytest.mark.parametrize("page", ["README.md", "docs/why/accuracy.md"])
def test_what_is_said_of_reading_are_the_bounds_of_what_was_counted(page):
    """What is read is bounded from below, silent mistakes from above; both are rounded outwards."""
    rows = BOUNDS.findall(text(page))
    assert len(rows) == 8
    for row in rows:
        read, of, wrong, reported = (int(row[i].replace(",", "")) for i in (0, 1, 3, 4))
        assert int(row[2]) == math.floor(1000 * wilson(read, of)[0])
        assert float(row[5]) == math.ceil(10_000 * wilson(wrong, reported)[1]) / 10


def test_the_first_page_counts_what_the_page_of_accuracy_counts():
    accuracy = text("docs/why/accuracy.md")
    assert BOUNDS.findall(text("README.md")) == BOUNDS.findall(accuracy)
    # The photographs: of those two tables, the last rows.
    totals = re.findall(r"^\| ALL \| \d+ \| (\d+) \| (\d+) \| (\d+) \|", accuracy, re.MULTILINE)
    told = [(of, read, wrong) for read, of, _, wrong, *_ in BOUNDS.findall(accuracy)]
    assert told[:2] == totals


CONCEPTS = sorted((ROOT / "docs" / "concepts").glob("*.md"))


def test_places_that_the_concept_pages_name_are_there():
    named = set()
    for page in CONCEPTS:
        found = re.findall(
            r"`((?:engine|vision|display|device|docs|tests)/[\w./]*)`",
            page.read_text(encoding="utf-8"),
        )
        named |= set(found)
    assert len(CONCEPTS) == 5
    assert len(named) > 30
    assert not [name for name in sorted(named) if not (ROOT / name).exists()]


def test_every_folder_of_the_product_is_on_the_architecture_page():
    page = text("docs/concepts/architecture.md")
    folders = {
        f"{path.parent.relative_to(ROOT)}"
        for package in ("engine", "vision", "display", "device")
        for path in (ROOT / package).glob("*/__init__.py")
    }
    told = set()
    for cell in re.findall(r"^\| (`.*?) \|", page, re.MULTILINE):
        first, *others = re.findall(r"`([\w/]+)/`", cell)
        told |= {first, *(f"{first.split('/')[0]}/{other}" for other in others)}
    assert sorted(folders - told - {"vision/models"}) == []
