"""What may be agreed before One-and-Thirty and Bone-Ace begin: options, choices, sources."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.core.messages.message import N_
from engine.core.options import OneOf, OptionError, WholeNumber, check, option

_YES_NO = OneOf((True, False))


@dataclass(frozen=True, slots=True, kw_only=True)
class OneAndThirtyOptions:
    """What may be agreed before play, the stake among it (OT-2); fields carry choices, source."""

    stake: int = option(
        1, WholeNumber(1), N_("S1 S2 S3: agreed before play"), "tokens in one single stake"
    )
    decks: Literal[1, 2] = option(
        1, OneOf((1, 2)), N_("our ruling"), "2 = two packs together; each card may be seen twice"
    )
    max_players: int = option(
        8, WholeNumber(2, 10), N_("S2 S3 say 8; E12 says 10"), "9 and 10 need two packs"
    )
    ace_value: Literal[1, 11, "1or11"] = option(
        1, OneOf((1, 11, "1or11")), "1: S1 S2 S3 E12; 11: E2 E4; 1or11: E6"
    )
    eldest_means: Literal["seat", "age"] = option(
        "seat", OneOf(("seat", "age")), N_("seat: S1 S2 E1; age: S3 as written")
    )
    tie_rule: Literal["eldest", "split"] = option(
        "eldest", OneOf(("eldest", "split")), N_("eldest: S1 S2, S3 by age; split: our extra")
    )
    double_on_31: bool = option(
        True, _YES_NO, N_("true: S2, S1 recommends; false: S3 'in some instances', E1 silent")
    )
    dealer_wins_if_all_out: bool = option(
        True, _YES_NO, N_("S1 S2 S3; E1 silent"), "false: the dealer must still take a turn"
    )
    deal_style: Literal["any", "rounds", "packet"] = option(
        "any",
        OneOf(("any", "rounds", "packet")),
        N_("packet: E1, E4; rounds: our ruling"),
        "any = the order of the deal is not watched",
    )
    draw_from: Literal["bottom", "any"] = option(
        "bottom", OneOf(("bottom", "any")), N_("bottom: S1 S3 E12; S2 E1 silent")
    )
    cut_bone_ace_high: bool = option(False, _YES_NO, "true: S2")
    next_dealer: Literal["left", "winner", "same", "recut"] = option(
        "left", OneOf(("left", "winner", "same", "recut")), N_("our ruling; recut may be E1's")
    )
    late_31: Literal["in_order", "single", "double"] = option(
        "in_order",
        OneOf(("in_order", "single", "double")),
        N_("in_order: S1 S2 (wins immediately); the others our rulings"),
        "a 31 that was not claimed (OT-19)",
    )
    late_out: Literal["in_order", "at_showdown"] = option(
        "in_order",
        OneOf(("in_order", "at_showdown")),
        N_("in_order: S1 S2 S3 (out immediately); at_showdown our ruling"),
        "a hand found over 31 only when shown (OT-18), or thrown in unseen (OT-17)",
    )

    def __post_init__(self) -> None:
        """Refuse values outside the choices (rules OT-1, OT-21, OT-24)."""
        check(self)
        if self.decks == 1 and self.max_players > 8:
            raise OptionError(
                f"max_players: {self.max_players} players could empty one pack; "
                "choose at most 8, or set decks to 2"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class BoneAceOptions(OneAndThirtyOptions):
    """The options of One-and-Thirty, and those of the Bone."""

    bone_ace: Literal["AH", "AD"] = option(
        "AH", OneOf(("AH", "AD")), N_("AH: S1 S2 S3; AD: E1, named by S1 and S2")
    )
    upcard_ace: Literal["low", "high"] = option(
        "low",
        OneOf(("low", "high")),
        "low: S2 S3; high: E2 E4",
        "rank of the three ordinary aces among the face-up cards",
    )
    bone_effect: Literal["stake_each", "half_pot", "first_turn"] = option(
        "stake_each",
        OneOf(("stake_each", "half_pot", "first_turn")),
        "stake_each: S1 S2 E4; half_pot: E1; first_turn: S3",
    )
    cap_double: Literal["game_only", "whole_hand"] = option(
        "game_only",
        OneOf(("game_only", "whole_hand")),
        N_("S1 'at most a double stake' against Bone and double 31, three stakes"),
    )
