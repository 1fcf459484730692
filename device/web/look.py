"""The colours of the pages: those of the table's screen, and the same by day."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, replace

from display.drawing.theme import THEMES, Theme

DAY = replace(
    THEMES["felt"],
    room=(238, 232, 216),
    felt=(222, 230, 220),
    felt_edge=(200, 214, 202),
    plate=(252, 249, 241),
    plate_edge=(120, 146, 132),
    band=(250, 246, 234),
    ivory=(24, 34, 30),
    muted=(70, 88, 78),
    brass=(122, 80, 8),
    brass_deep=(150, 108, 38),
    ink=(255, 252, 244),
    alarm=(150, 34, 14),
    alarm_ground=(250, 224, 214),
)
"""For browsers that ask for a light page."""

OVERLAY = {"ink": "ivory", "muted": "muted", "accent": "brass", "plate": "plate"}
"""What the address of an overlay may colour, and which colour of the theme that is."""

PLACES = ("top", "bottom", "left", "right")
"""Where an overlay may lie."""

TAKES = ("lang", "delay", "position", *OVERLAY)
"""All that the address of an overlay may ask for."""

_HEX = re.compile("|".join(f"[0-9a-fA-F]{{{digits}}}" for digits in (3, 4, 6, 8)))


def _variables(theme: Theme) -> str:
    colours = (f for f in fields(theme) if f.type == "Colour")
    return "".join(
        f"--{f.name.replace('_', '-')}:rgb({','.join(map(str, getattr(theme, f.name)))});"
        for f in colours
    )


def colours(dark: Theme) -> str:
    """Return the style sheet with the colours of the table's theme, by day, and with contrast."""
    contrast = _variables(THEMES["contrast"])
    return (
        f":root{{color-scheme:dark;{_variables(dark)}}}\n"
        f"@media(prefers-color-scheme:light){{:root{{color-scheme:light;{_variables(DAY)}}}}}\n"
        f"@media(prefers-contrast:more){{:root{{color-scheme:dark;{contrast}}}}}\n"
    )


def wrong_in(asked: Mapping[str, str]) -> str:
    """Return what the address of an overlay asks for and cannot have, and what it can; or none."""
    for name, value in asked.items():
        told = f"{name}={value[:20]}"
        if name in OVERLAY and not _HEX.fullmatch(value):
            return f"{told} (0c1e1a, 0c1e1acc)"
        if name == "position" and value not in PLACES:
            return f"{told} ({', '.join(PLACES)})"
        if name not in TAKES:
            return f"{name[:20]} ({', '.join(TAKES)})"
    return ""


def overlay(dark: Theme, asked: Mapping[str, str]) -> str:
    """Return the style sheet of an overlay: dark, with the colours that its address asks for."""
    own = "".join(
        f"--{OVERLAY[name]}:#{value};"
        for name, value in asked.items()
        if name in OVERLAY and _HEX.fullmatch(value)
    )
    return f":root{{{_variables(dark)}{own}}}\n"
