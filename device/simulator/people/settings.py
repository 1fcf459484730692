"""Games, options and presets, written off the tables of the rules (section 8)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

Options = Mapping[str, Any]

GAMES = ("one-and-thirty", "bone-ace", "knucklebones", "scat")

_COUNTING: dict[str, Any] = {
    "stake": 1,
    "max_players": 8,
    "ace_value": 1,
    "eldest_means": "seat",
    "double_on_31": True,
    "deal_style": "any",
    "draw_from": "bottom",
}
_DEFAULTS: dict[str, dict[str, Any]] = {
    "one-and-thirty": _COUNTING,
    "bone-ace": {
        **_COUNTING,
        "bone_ace": "AH",
        "upcard_ace": "low",
        "bone_effect": "stake_each",
    },
    "knucklebones": {
        "target": 21,
        "max_extra": 5,
        "extra_mode": "single_decision",
        "tie": "banker",
        "banker_rule": "free",
        "banker_loses": "any",
        "bank_passes": "best_winner",
        "banker_must_roll": False,
        "max_players": 8,
    },
    "scat": {
        "deck": 52,
        "max_players": 7,
        "scoring": "lives",
        "lives": 3,
        "free_ride": True,
        "knock_penalty": 2,
        "knock_tie": "safe",
        "blitz": True,
        "blitz_after_knock": "no",
        "dealt_blitz": "immediate",
        "first_knock": "normal",
        "three_kind": "off",
        "buy_in": 3,
        "table": "none",
        "ranking": "suit",
        "ante": 1,
        "blitz_bonus": 1,
        "stop_timing": "instead",
        "must_swap": False,
    },
}

_COTTON = {
    "bone_ace": "AD",
    "ace_value": 11,
    "upcard_ace": "high",
    "bone_effect": "half_pot",
    "double_on_31": False,
    "deal_style": "packet",
    "draw_from": "any",
}
_BUS: dict[str, Any] = {"table": "bus", "ranking": "brag", "blitz": False}

PRESETS: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    "one-and-thirty": {
        "willughby": {},
        "davis": {"eldest_means": "age", "double_on_31": False},
        "kerr": {"max_players": 8},
    },
    "bone-ace": {
        "willughby": {},
        "cotton": _COTTON,
        "cotton-ace-one": {**_COTTON, "ace_value": 1, "upcard_ace": "low"},
        "handout": {"draw_from": "any"},
        "davis": {"eldest_means": "age", "double_on_31": False, "bone_effect": "first_turn"},
        "ealdormere": {
            "bone_ace": "AD",
            "ace_value": 11,
            "upcard_ace": "high",
            "deal_style": "packet",
            "draw_from": "any",
            "double_on_31": False,
        },
    },
    "knucklebones": {"west-kingdom": {}},
    "scat": {
        "wikipedia": {},
        "eenendertigen": {"deck": 32},
        "california-quick": {
            "knock_tie": "both",
            "blitz_after_knock": "ends",
            "first_knock": "out_of_gate",
            "dealt_blitz": "after_first_turn",
        },
        "banking": {"scoring": "ante", "table": "widow", "lives": 0, "buy_in": 0},
        "dollar-bill": {"lives": 4, "buy_in": 5},
        "dollar-bill-no-ride": {"lives": 4, "buy_in": 5, "free_ride": False},
        "three-of-a-kind": {"three_kind": "rank"},
        "west-lansing": {"free_ride": False, "knock_tie": "knocker_only", "three_kind": "rank"},
        "switch": {"table": "switch"},
        "no-elimination": {"scoring": "points", "lives": 0, "buy_in": 0},
        "stop-the-bus": _BUS,
        "stop-the-bus-plain": {
            **_BUS,
            "free_ride": False,
            "knock_tie": "all_lose",
            "knock_penalty": 1,
            "stop_timing": "after_swap",
            "must_swap": True,
        },
    },
}
"""What each preset changes, by game; the first one of each game is its default."""


_BANK: Mapping[str, tuple[Any, ...]] = {
    "target": (21, 31),
    "extra_mode": ("single_decision", "one_at_a_time"),
    "tie": ("banker", "push"),
    "banker_rule": ("free", "stand17"),
    "bank_passes": ("best_winner", "left", "banker_over", "never"),
}


def bank_customs() -> tuple[dict[str, Any], ...]:
    """Return every combination of the customs of the bank in knucklebones (KB-5 to KB-22)."""
    return tuple(dict(zip(_BANK, values, strict=True)) for values in product(*_BANK.values()))


def options_of(game: str, preset: str) -> dict[str, Any]:
    """Return the options in force under a preset.

    Raises:
        KeyError: no such game or preset.
    """
    return {**_DEFAULTS[game], **PRESETS[game][preset]}
