"""The rules of each game on one page, for the screen and for ``boneace rules``."""

from __future__ import annotations

from engine.rulebook.page import Rule, Section

__all__ = ["Rule", "Section"]
