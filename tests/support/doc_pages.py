"""What the pages hold for a person to type, and the pictures they show."""

from __future__ import annotations

import functools
import importlib.util
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tests.support.paths import ROOT

WALK = ROOT / "tests" / "acceptance" / "walk"

SHELL = frozenset({"sh", "bash", "console"})
SPOKEN = frozenset(
    [
        *("boneace", "make", "python", "python3", "pip", "pytest", "git", "sudo"),
        *("systemctl", "journalctl", "cd", "npm", "apt", "apt-get"),
    ]
)
"""What begins a command in the middle of a sentence."""


@dataclass(frozen=True)
class Block:
    """A fenced block of a page.

    Attributes:
        page: its path below the root.
        line: where it begins, counted from 1.
        language: what stands behind the fence: ``sh``, ``toml``, ``python``, ``json`` or nothing.
        text: what is in it.
    """

    page: str
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        """Return where it is, for people and as a test's name."""
        return f"{self.page}:{self.line}"


def pages() -> list[str]:
    """Return every page: Markdown that a person reads to use, repair or extend the table.

    Left out are CHANGELOG.md, which names commands of earlier versions, and the pages that are made
    from the program, whose examples are those of ``--help``.
    """
    kept = [path for path in ROOT.glob("*.md") if path.name != "CHANGELOG.md"]
    kept += [*(ROOT / "docs").rglob("*.md"), *(ROOT / "systemd").glob("*.md")]
    kept += [*(ROOT / "vision" / "models").glob("*.md"), *(ROOT / "tests").rglob("*.md")]
    made = {ROOT / "docs" / "reference" / name for name in ("commands.md", "config.md")}
    return sorted(str(path.relative_to(ROOT)) for path in kept if path not in made)


def text_of(page: str) -> str:
    """Return a page as it stands."""
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(*languages: str) -> list[Block]:
    """Return the fenced blocks of all pages, or those of some languages."""
    found = []
    for page in pages():
        text = text_of(page)
        for block in re.finditer(r"^```(\w*)[^\n]*\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
            line = text.count("\n", 0, block.start()) + 1
            found.append(Block(page, line, block[1], block[2]))
    return [each for each in found if not languages or each.language in languages]


def without_comment(line: str) -> str:
    """Return a shell line without what stands behind ``#`` (outside of quotes)."""
    quote = ""
    for place, sign in enumerate(line):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "'\"":
            quote = sign
        elif sign == "#" and (place == 0 or line[place - 1].isspace()):
            return line[:place].rstrip()
    return line.rstrip()


def commands_in(script: str) -> Iterator[str]:
    """Yield the commands of a shell script: a line each; continued lines and loops are one."""
    kept: list[str] = []
    for raw in script.splitlines():
        line = without_comment(raw)
        if not line.strip():
            continue
        kept.append(line.strip())
        if line.endswith("\\"):
            kept[-1] = kept[-1][:-1].rstrip()
            continue
        whole = " ".join(kept)
        if len(re.findall(r"\bdo\b", whole)) == len(re.findall(r"\bdone\b", whole)):
            yield whole
            kept = []
    assert not kept, f"a command that does not end: {' '.join(kept)}"


def typed() -> dict[str, str]:
    """Return every command of a shell block, and the page (and line) that tells it first."""
    found: dict[str, str] = {}
    for block in blocks(*SHELL):
        for command in commands_in(block.text):
            found.setdefault(command, f"{block.page}:{block.line}")
    return found


def spoken() -> dict[str, str]:
    """Return every command that a sentence tells, in backquotes, and its page."""
    found: dict[str, str] = {}
    for page in pages():
        prose = re.sub(r"^```.*?^```$", "", text_of(page), flags=re.DOTALL | re.MULTILINE)
        for span in re.findall(r"`([^`]+)`", prose):
            command = " ".join(span.split())
            first = command.split()[0]
            is_script = first.startswith("./") and first.endswith(".sh")
            is_told = first in SPOKEN and " " in command
            # `boneace 0.1.0` is what a program calls itself.
            if is_script or (is_told and not command.split()[1][0].isdigit()):
                found.setdefault(command, page)
    return found


@functools.cache
def claimed() -> frozenset[str]:
    """Return the commands that the tests of this folder say they run, read from their marks."""
    found = set()
    for path in sorted(WALK.glob("test_*.py")):
        spec = importlib.util.spec_from_file_location(f"walk_marks_{path.stem}", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        # What is running already must not be begun again.
        if path.stem != "test_commands":
            spec.loader.exec_module(module)
        for each in vars(module).values():
            for mark in getattr(each, "pytestmark", ()):
                found |= set(mark.args) if mark.name == "tries" else set()
    return frozenset(found)


def pictures() -> dict[str, list[str]]:
    """Return every picture that a page shows, by its path below the root, and where."""
    found: dict[str, list[str]] = {}
    for page in pages():
        prose = re.sub(r"^```.*?^```$", "", text_of(page), flags=re.DOTALL | re.MULTILINE)
        named = re.findall(r"!\[[^\]]*\]\(([^)\s]+)[^)]*\)|<img[^>]* src=\"([^\"]+)\"", prose)
        for one, other in named:
            target = (ROOT / page).parent / (one or other)
            found.setdefault(str(target.resolve().relative_to(ROOT)), []).append(page)
    return found
