"""Writes docs/why/performance.md, a section at a time."""

from __future__ import annotations

from tests.support.paths import ROOT

PAGE = ROOT / "docs" / "why" / "performance.md"


def write_section(section: str) -> None:
    """Put a section, whose first line is its heading, in the place of the old one or at the end."""
    heading = section.partition("\n")[0]
    text = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    before, _, after = text.partition(heading)
    rest = "".join(f"\n## {part}" for part in after.split("\n## ")[1:])
    PAGE.write_text(f"{before.rstrip()}\n\n{section}{rest}", encoding="utf-8")


def write_head(head: str) -> None:
    """Put what stands above the sections in the place of the old one."""
    text = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    rest = "".join(f"\n## {part}" for part in text.split("\n## ")[1:])
    PAGE.write_text(head + rest, encoding="utf-8")
