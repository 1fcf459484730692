"""What may be agreed before Thirty-one (Scat) and its variants begin: options and presets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from engine.core.messages.message import N_
from engine.core.options import OptionError, Preset, WholeNumber, check, choice, option

CARDS_DEALT = 3
"""Cards of a hand, and of every hand on the table."""
_BESIDE_THE_HANDS = {"none": 1, "widow": 4, "switch": 6, "bus": 3}
"""Cards that the deal lays on the table, the first discard among them (SC-3, BK-8, SW-10)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScatOptions:
    """What may be agreed before play; each field carries its choices and its source."""

    deck: Literal[52, 32] = choice(52, "52: S5; 32: S5 Eenendertigen")
    decks: Literal[1, 2] = choice(
        1, N_("our ruling"), "2 = two packs together; each card may be seen twice"
    )
    max_players: int = option(7, WholeNumber(2, 9), N_("S5: 7; E5: 9 or more"))
    scoring: Literal["lives", "ante", "points"] = choice("lives", "S5")
    lives: int = option(
        3,
        WholeNumber(0),
        "S5: 3, Dollar bill 4; E10 newfiecards 4",
        "at least 1 where lives are lost, 0 elsewhere",
    )
    free_ride: bool = choice(
        True, N_("true: S5 base and Dollar bill; false: S5 West Lansing, E7, E14")
    )
    double_loss_last: Literal["out", "county"] = choice(
        "out", N_("our ruling"), "one penny left and two lives lost"
    )
    knock_penalty: Literal[2, 1] = choice(2, "2: S5; 1: E10 ('some play'), E7")
    knock_tie: Literal["safe", "both", "knocker_only", "all_lose"] = choice(
        "safe",
        N_(
            "safe: S5 base, E5, E11; both: S5 California, E10; knocker_only: S5 West Lansing; "
            "all_lose: E7"
        ),
    )
    blitz: bool = choice(True, "S5", "false where 31 is not the goal")
    blitz_after_knock: Literal["no", "ends"] = choice(
        "no", N_("no: S5 base; ends: S5 California, E10, E5b")
    )
    dealt_blitz: Literal["immediate", "after_first_turn"] = choice(
        "immediate", N_("immediate: S5 base; after_first_turn: S5 California")
    )
    double_blitz: Literal["all_safe", "eldest_only"] = choice(
        "all_safe", N_("our ruling"), "two 31s on one deal"
    )
    first_knock: Literal["normal", "out_of_gate", "forbidden"] = choice(
        "normal", N_("normal: S5 base; out_of_gate: S5 California; forbidden: E10")
    )
    three_kind: Literal["off", "rank", "value"] = choice(
        "off", N_("off: S5 base; rank: S5 West Lansing, E5, E9; value: S5 to the letter")
    )
    three_kind_suits: bool = choice(
        True, "true: S5 'from different suits'", "matters only with two packs"
    )
    own_discard: Literal["two_player_knock", "always"] = choice(
        "two_player_knock", "S5 'there is one case'"
    )
    return_discard: bool = choice(
        False,
        N_("false: E5; S5 silent"),
        "true = the card just taken from the discard may be put back",
    )
    stock_out: Literal["draw"] = choice("draw", "S5")
    all_out: Literal["void", "split"] = choice(
        "void", N_("our ruling"), "all the rest would go out on one hand"
    )
    buy_in: int = option(
        3,
        WholeNumber(0),
        N_("S5: three pennies; Dollar bill 5"),
        "tokens each player puts up for the match; the last player takes them all",
    )
    next_dealer: Literal["left", "same"] = choice("left", N_("left: E5 E7; S5 silent"))
    table: Literal["none", "widow", "switch", "bus"] = choice("none", N_("S5 variants"))
    ranking: Literal["suit", "brag"] = choice("suit", "S5")
    ante: int = option(1, WholeNumber(1), "S5 Banking")
    blitz_bonus: int = option(
        1, WholeNumber(0), "S5 Banking", "more tokens from each other player after a blitz"
    )
    high_tie: Literal["split", "highest_card", "eldest"] = choice(
        "split", N_("our ruling; highest_card: E16")
    )
    draw_pot: Literal["return", "carry"] = choice("return", N_("our ruling"))
    swap_face: Literal["up", "same"] = choice("up", N_("our ruling (Switch)"))
    restart: bool = choice(True, "S5 Switch")
    blitz_others: Literal["rank", "zero"] = choice("rank", N_("our ruling (No-elimination)"))
    post_knock_31: Literal[3, 6] = choice(
        3, N_("our ruling (No-elimination)"), "31 reached after a knock"
    )
    stop_timing: Literal["instead", "after_swap"] = choice(
        "instead", N_("instead: S5 base knock; after_swap: E7")
    )
    must_swap: bool = choice(False, "false: S5 'may'; true: E7 'must'")
    run_a23: Literal["top", "low"] = choice("top", N_("top: E8; low: E8b; S5 silent"))
    prial_threes_top: bool = choice(True, N_("true: E8; false: S5 read to the letter"))

    def __post_init__(self) -> None:
        """Refuse values outside the choices, and a deal that the pack cannot serve (SC-1)."""
        check(self)
        if self.scoring == "lives" and self.lives < 1:
            raise OptionError("lives: 0 lives cannot be lost; choose at least 1")
        needed = CARDS_DEALT * self.max_players + self.cards_beside
        if needed > self.deck * self.decks:
            raise OptionError(
                f"max_players: {self.max_players} players need {needed} cards and the pack has "
                f"{self.deck * self.decks}; choose fewer players, or a larger deck"
            )

    @property
    def cards_beside(self) -> int:
        """Return how many cards of the deal do not go to a player's only hand."""
        return _BESIDE_THE_HANDS[self.table]

    @property
    def has_discard(self) -> bool:
        """Return whether there are a stock to draw from and a discard (SC-3; not SW-1, SB-2)."""
        return self.table in ("none", "widow")

    @property
    def for_odds(self) -> dict[str, Any]:
        """Return what chances depend on, as :mod:`engine.games.scat.odds` wants it."""
        return {"pack": self.deck, "decks": self.decks, "three_kind": self.three_kind}


_BUS: dict[str, object] = {"table": "bus", "ranking": "brag", "blitz": False}

SCAT_PRESETS: tuple[Preset, ...] = (
    Preset(
        "wikipedia",
        "S5",
        tells=N_("Three lives; the lowest hand loses one."),
        says=N_(
            "Wikipedia, the basic game: three lives and one more chance without any, a "
            "knocker who ties for lowest is safe, a knocker who alone is lowest loses two."
        ),
    ),
    Preset(
        "eenendertigen",
        "S5",
        {"deck": 32},
        tells=N_("The plain game with 32 cards, seven and higher."),
        says=N_("Wikipedia on the Dutch game: the basic game with 32 cards, seven and higher."),
        names=("Eenendertigen",),
    ),
    Preset(
        "california-quick",
        "S5",
        {
            "knock_tie": "both",
            "blitz_after_knock": "ends",
            "first_knock": "out_of_gate",
            "dealt_blitz": "after_first_turn",
        },
        tells=N_("Quick: who knocks and ties for lowest loses two lives."),
        says=N_(
            "Wikipedia: a knocker who ties for lowest loses two lives, as one does when "
            "another reaches 31 after the knock; and a knock by the first player in the first turn "
            "ends the hand. It is quick, and so good for many players."
        ),
        names=("California Quick",),
    ),
    Preset(
        "banking",
        "S5",
        {"scoring": "ante", "table": "widow", "lives": 0, "buy_in": 0},
        tells=N_("No lives: a token from everybody, and the highest hand takes all."),
        says=N_(
            "Wikipedia: a token from everybody before each hand, and the highest hand "
            "takes them. Cards may be changed for those of the widow, three cards on the "
            "table. Lives are not spoken of; there are none here."
        ),
        names=("Banking",),
    ),
    Preset(
        "dollar-bill",
        "S5",
        {"lives": 4, "buy_in": 5},
        tells=N_("Lives are the corners of a banknote; then comes a free ride."),
        says=N_(
            "Wikipedia, from the USA: the lives are the four corners of a five-dollar note, or "
            "any other, folded down one by one; then comes a free ride. The last player wins all "
            "the notes."
        ),
        names=("Dollar bill",),
    ),
    Preset(
        "dollar-bill-no-ride",
        "E14",
        {"lives": 4, "buy_in": 5, "free_ride": False},
        tells=N_("Lives are the corners of a banknote, and no free ride."),
        says=N_("An older text of the same page: out with the fourth corner, without a free ride."),
        names=("Dollar bill",),
    ),
    Preset(
        "three-of-a-kind",
        "S5",
        {"three_kind": "rank"},
        tells=N_("Three of a kind are worth 30½."),
        says=N_(
            "Wikipedia: three cards of one value, in different suits, are worth 30½. "
            "Value is taken for rank here."
        ),
        names=("Three-of-a-kind",),
    ),
    Preset(
        "west-lansing",
        "S5",
        {"free_ride": False, "knock_tie": "knocker_only", "three_kind": "rank"},
        tells=N_("No free ride; three of a kind are worth 30½."),
        says=N_(
            "Wikipedia: three tokens, bought before the match, and no free ride. A knocker who "
            "ties for lowest loses two and the others nothing, and three of one rank are worth 30½."
        ),
        names=(
            "West Lansing cut throat",
            "West Lansing",
        ),
    ),
    Preset(
        "switch",
        "S5",
        {"table": "switch"},
        tells=N_("Cards are exchanged with two hands on the table."),
        says=N_(
            "Wikipedia: cards are exchanged with two hands on the table, and more than 21 "
            "in one suit may start the hand again."
        ),
        names=("Switch",),
    ),
    Preset(
        "no-elimination",
        "S5",
        {"scoring": "points", "lives": 0, "buy_in": 0},
        tells=N_("Points in the place of lives: nobody goes out."),
        says=N_(
            "Wikipedia: nobody goes out. The lowest hand gets one point, the highest "
            "three, the others two; a knocker gets more or less, and 31 gets six."
        ),
        names=(
            "No-elimination variant",
            "No-elimination",
        ),
    ),
    Preset(
        "stop-the-bus",
        "S5 E8",
        _BUS,
        tells=N_("Hands as in Brag; swap with three open cards."),
        says=N_(
            "Wikipedia, on a game common in England: hands rank as in three card brag, and one "
            "card or all three are swapped with three open ones. It says no more: how runs and "
            "three threes rank is from brag, the rest is the basic game."
        ),
        names=("Stop the bus",),
    ),
    Preset(
        "stop-the-bus-plain",
        "E7",
        {
            **_BUS,
            "free_ride": False,
            "knock_tie": "all_lose",
            "knock_penalty": 1,
            "stop_timing": "after_swap",
            "must_swap": True,
        },
        tells=N_("The same, but everybody must swap."),
        says=N_(
            "Other pages on the English game: everybody must swap, may stop the bus after "
            "it, and each of the lowest loses one life."
        ),
        names=("Stop the bus",),
    ),
)
"""The base game and its variants (ED-1, ED-2, CQ-1, DB-1, DB-4, TK-1, WL-1, SB-7, NE-6, BK-7)."""
