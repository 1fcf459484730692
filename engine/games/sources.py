"""The sources that options name by their marks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from engine.core.messages.message import N_

SOURCES: Mapping[str, str] = {
    "S1": "Justin du Coeur, Game Report: One-and-Thirty, and Bone-Ace, 1996",
    "S2": N_("an unsigned handout, Bone-Ace"),
    "S3": "Nakoa Davis, One and Thirty, gamerules.com",
    "S4": N_("an unsigned post to the list hist-games, 2001"),
    "S5": "Wikipedia, Thirty-one (card game)",
    "E1": "Charles Cotton, The Compleat Gamester, 1674, chapter 15",
    "E2": "Wikipedia, Bone ace",
    "E4": "Games Guild of Ealdormere, Bone Ace, 2014",
    "E5": N_("pagat.com, 31, and pages that copy it"),
    "E5b": "52pickup.net, Thirty-One",
    "E6": "pagat.com, Greek 31",
    "E7": N_("Wikipedia, gamerules.com and denexa.com, Stop the bus"),
    "E8": N_("pagat.com and others, Three-card Brag"),
    "E8b": "nerve.pokerknave.com, Three-card Brag",
    "E9": N_("pagat.com and Wikipedia, Schwimmen"),
    "E10": N_("house rules for 31 on several pages"),
    "E11": N_("a report on the program blitz31"),
    "E12": "Katherine Kerr, Some Cards and Dice Games",
    "E14": N_("Wikipedia, an older text, liquisearch.com"),
    "E16": "roulette-strategy10.net, Thirty-One",
}


def named_in(texts: Iterable[str]) -> dict[str, str]:
    """Return the sources that *texts* name by their marks, in the order above."""
    marks = {mark for text in texts for mark in re.findall(r"\b[SE]\d+b?\b", text)}
    return {mark: name for mark, name in SOURCES.items() if mark in marks}


def first_named(text: str) -> str:
    """Return the first source that *text* names, an id of the catalogues; else *text* itself."""
    return next(iter(named_in([text]).values()), text)
