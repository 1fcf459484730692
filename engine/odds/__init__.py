"""Exact chances, as fractions: cards on the way to 31, the Bone, bones, Scat and Brag hands.

Nothing here is drawn, guessed or rounded, but for one thing that says so itself
(:attr:`StickChances.exact`). Call ``float()`` on what is to be shown.
"""

from __future__ import annotations

from engine.odds.bone import BoneChances, the_bone
from engine.odds.brag import brag_counts, brag_hands
from engine.odds.knucklebones import (
    BoneGame,
    BonesAdvice,
    Throw,
    best_bones,
    best_bones_of_banker,
    same_table,
)
from engine.odds.pool import OddsError
from engine.odds.scat import DrawChances, ShowdownChances, Values, beats, draw, starting_hand
from engine.odds.sticking import Opponent, StickChances, stick_now
from engine.odds.throws import PUBLISHED, ThrowChances, extra_bones, faces, throw_totals
from engine.odds.totals import (
    DEALT,
    Totals,
    hand_total,
    next_card,
    next_card_at,
    next_card_onto,
    stick_at,
)

__all__ = [
    "DEALT",
    "PUBLISHED",
    "BoneChances",
    "BoneGame",
    "BonesAdvice",
    "DrawChances",
    "OddsError",
    "Opponent",
    "ShowdownChances",
    "StickChances",
    "Throw",
    "ThrowChances",
    "Totals",
    "Values",
    "beats",
    "best_bones",
    "best_bones_of_banker",
    "brag_counts",
    "brag_hands",
    "draw",
    "extra_bones",
    "faces",
    "hand_total",
    "next_card",
    "next_card_at",
    "next_card_onto",
    "same_table",
    "starting_hand",
    "stick_at",
    "stick_now",
    "the_bone",
    "throw_totals",
]
