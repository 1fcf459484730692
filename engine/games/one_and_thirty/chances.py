"""Chances of One-and-Thirty and Bone-Ace: to be over 31 and to make it, after each total."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from engine.core.counting import GOAL
from engine.core.messages.message import Message
from engine.games.chances import Chances, ChanceTable
from engine.odds.totals import Totals, hand_total, next_card_at, stick_at
from engine.odds.unseen import OddsError

_OVER, _EXACTLY = Message("over 31"), Message("exactly 31")


class OneAndThirtyChances(Chances):
    """What is counted from a full pack, of which only one's own cards are known."""

    def tables(self, options: Any) -> Sequence[ChanceTable]:
        """Return the chances as dealt, with one more card, and in the end (OT-3, OT-8, OT-9)."""
        pack = {"decks": options.decks, "ace_value": options.ace_value}
        dealt = hand_total(**pack)
        rows: tuple[tuple[Message, Fraction], ...] = (
            (_EXACTLY, dealt.exactly_31),
            (Message("more than 21"), dealt.between(22, GOAL)),
        )
        return (
            ChanceTable(
                Message("The three cards of the deal"),
                Message("they make"),
                (Message("chance"),),
                tuple((what, (chance,)) for what, chance in rows),
            ),
            _by_total(
                Message("One more card, after three"),
                Message("you have"),
                range(3, GOAL),
                lambda total: next_card_at(total, **pack),
                from_=22,
            ),
            _by_total(
                Message("In the end"),
                Message("you stick at"),
                range(15, GOAL),
                lambda least: stick_at(least, **pack),
                from_=22,
            ),
        )


def _by_total(
    title: Message, first: Message, totals: range, chances: Callable[[int], Totals], from_: int
) -> ChanceTable:
    rows = []
    for total in totals:
        try:
            found = chances(total)
        except OddsError:
            continue  # three cards cannot make it
        rows.append((total, (found.over, found.exactly_31)))
    shown = tuple(number for number, (total, _) in enumerate(rows) if total >= from_)
    return ChanceTable(title, first, (_OVER, _EXACTLY), tuple(rows), shown=shown)
