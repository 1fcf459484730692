"""docs/why/reliability.md, made from the tests that inject faults.

python tests/acceptance/faults/table.py

Every fault is one of FAULTS. A test says which one it injects by ``@pytest.mark.fault(NAME)``; the
one that asserts what the table is told says so too: ``sees=`` and ``does=``.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.acceptance.faults import measured
from tests.support.paths import ROOT

PAGE = ROOT / "docs" / "why" / "reliability.md"
CASES = Path(__file__).with_name("cases")

FAULTS = (
    "camera absent at the start",
    "camera lost in the middle, and returning",
    "camera freezes on one frame",
    "camera gives torn frames",
    "camera gives black frames",
    "mat covered",
    "mat moved",
    "mat rotated",
    "a card added between two events",
    "a card removed between two events",
    "a card swapped between two events",
    "a button stuck down",
    "a button bounces",
    "all buttons at once",
    "a button out of turn",
    "display lost",
    "disk full",
    "journal with a torn page",
    "salvage of a damaged journal cut off",
    "journal with a truncated WAL",
    "journal with a turned bit",
    "a damaged event in the hand in play",
    "a sitting that the rules refuse",
    "the disk loses what it had confirmed",
    "a copy of a damaged journal",
    "a wrong clock while copies are made",
    "two tables on one USB stick",
    "a restore cut off",
    "an old log beside a restored journal",
    "a wrong clock while what is old is erased",
    "a sitting with a wrong date",
    "a copy made while a name is erased",
    "journal locked by another program",
    "read-only memory card",
    "memory card with I/O errors",
    "journal is a foreign file",
    "journal from a newer version",
    "journal from an older version",
    "clock jumps by years",
    "config broken",
    "model missing or corrupt",
    "process killed at every event",
    "process killed while it writes",
    "backup, restore or erase killed",
    "out of memory in a worker",
    "a worker hangs",
    "the program itself fails",
    "two instances at once",
)
"""The faults, in the order of the page."""


@dataclass(frozen=True)
class Injection:
    """One test that injects a fault."""

    fault: str
    file: str
    test: str
    sees: str
    does: str


@functools.cache
def injections() -> list[Injection]:
    """Find every marked test, without running or importing any."""
    found = []
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                for mark in _marks(node):
                    words = {each.arg: ast.literal_eval(each.value) for each in mark.keywords}
                    name = str(ast.literal_eval(mark.args[0]))
                    place = path.relative_to(ROOT).as_posix()
                    sees, does = words.get("sees", ""), words.get("does", "")
                    found.append(Injection(name, place, node.name, sees, does))
    return found


def _marks(node: ast.FunctionDef) -> Iterator[ast.Call]:
    for mark in node.decorator_list:
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.fault":
            yield mark


def bad_inputs() -> int:
    """Count the inputs of strangers that are kept as cases."""
    return sum(1 for path in CASES.rglob("*") if path.is_file())


def page() -> str:
    """Return the whole page."""
    tests = injections()
    lines = [
        "# When things go wrong",
        "",
        "Made by `python tests/acceptance/faults/table.py` from the tests named in the last",
        "column. Each injects the fault and asserts what comes of it; where the screen says",
        "something, these are its words. A test compares this page with them.",
        "",
        "| fault | what the players see | what the dealer does | tests |",
        "|---|---|---|---|",
    ]
    for fault in FAULTS:
        mine = [test for test in tests if test.fault == fault]
        sees = next((test.sees for test in mine if test.sees), "")
        does = next((test.does for test in mine if test.does), "")
        names = "<br>".join(f"`{test.file}::{test.test}`" for test in mine)
        lines.append(f"| {fault} | {sees} | {does} | {names} |")
    lines += ["", "## Figures", "", *figures(len(tests)), "", *_words_on_strangers()]
    return "\n".join(lines) + "\n"


def figures(tests: int) -> list[str]:
    """Return the lines with what was counted and measured."""
    told = measured.told()
    killed, times = told["kills"], told["recover_s"]
    calls = told["kills_at_calls"].items()
    lines = [
        f"- Faults injected: {len(FAULTS)}, by {tests} tests. Killed at an event, in whole hands:",
        f"  {killed['kills']} times; **events lost: {killed['lost']}** of {killed['events']}.",
        f"- Bad inputs tried: {told['fuzz']['inputs']:,} made up (`make fuzz`, "
        f"{told['fuzz']['escaped']} of them past a clear error) and",
        f"  {bad_inputs()} kept as cases; the suite tries some hundred more at each run.",
        "- Killed at every system call that writes (`make kills`): "
        + ", ".join(f"{name} {tried}" for name, (tried, _) in calls),
        f"  times; **something lost: {sum(lost for _, (_, lost) in calls)}**. Each run of the "
        "suite kills a salvage at each of its calls.",
        *(line for name, each in told["flips"].items() for line in _flipped(name, each)),
        "- Time until the table goes on by itself, measured by",
        f"  `python tests/acceptance/faults/recover.py` on {told['machine']}",
        f"  ({told['date']}), median and worst of {told['runs']} runs:",
        "",
        "| after | median | worst |",
        "|---|---|---|",
    ]
    for name, (median, worst) in times.items():
        lines.append(f"| {name} | {median:.2f} s | {worst:.2f} s |")
    return lines


def _flipped(name: str, found: dict[str, int]) -> list[str]:
    """Return what came of the bits turned in the file *name*."""
    every, others, wrong = found["every"], found["at_random"], found["wrong"]
    first = f"all {every:,} bits of its pages that hold rows, and " if every else ""
    text = [
        f"- Single bits turned in `{name}` of 100 events (`make bitflips`): {first}{others:,} at",
        f"  random; **silently wrong, or fewer events than those before the bit: {wrong}**.",
    ]
    if wrong == 0:
        # The rule of three.
        text.append(f"  So at most {3 / others:.3%} of the others can be (95 % sure).")
    return text


def _words_on_strangers() -> list[str]:
    return (CASES.parent / "strangers.md").read_text(encoding="utf-8").rstrip().split("\n")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
