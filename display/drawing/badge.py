"""What a plate says about its player, as an icon and as a word."""

from __future__ import annotations

from dataclasses import dataclass

from display.drawing.shapes import Icon


@dataclass(frozen=True, slots=True)
class Badge:
    """What a player does or has come to."""

    icon: Icon
    word: str
