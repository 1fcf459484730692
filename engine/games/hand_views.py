"""What screens and records show of a hand, beyond what the game itself tells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.core.cards import Card
from engine.core.fast_replace import replace
from engine.core.outcome import Outcome
from engine.core.views import LossView, MiddleView, Stage

Total = Callable[[Any, Sequence[Card | None]], int | None]
"""Takes a hand and some of its cards; returns their points, ``None`` when one is unread."""


class HandViews:
    """What all games show; a game that shows more has a class of its own."""

    def __init__(self, total: Total) -> None:
        """Show hands of the game that counts points by *total*."""
        self._total = total

    def masked(self, play: Any, seat: int | None) -> Any:
        """Return *play* with every card unread that *seat* (``None``: the table) may not see.

        What may come next is asked of it, so that no prompt tells a hidden card (rule G-7).
        """
        hands = tuple(
            hand
            if hand.shown or hand.seat == seat
            else replace(
                hand,
                cards=tuple(
                    card if up else None for card, up in zip(hand.cards, hand.up, strict=True)
                ),
            )
            for hand in play.hands
        )
        return replace(play, hands=hands)

    def throws(self, play: Any, seat: int) -> tuple[tuple[int, ...], ...]:
        """Return the points of the bones that *seat* threw, throw by throw: mostly none."""
        return ()

    def stake_laid(self, play: Any, seat: int) -> int:
        """Return the tokens *seat* has staked on this hand alone; 0 where all stake alike."""
        return 0

    def public_cards(self, play: Any, seat: int) -> tuple[Card, ...]:
        """Return the cards of a closed hand that everybody knows to be in it: mostly none."""
        return ()

    def is_dead(self, play: Any, seat: int) -> bool:
        """Return whether a hand has no value any more, whatever its cards (rule SC-27)."""
        return False

    def value(self, play: Any, cards: Sequence[Card | None]) -> float | None:
        """Return what *cards* are worth where that need not be whole points (rule TK-1)."""
        return self._total(play, cards)

    def hand_name(self, play: Any, cards: Sequence[Card | None]) -> str | None:
        """Return what a hand is called where hands have names, as in Brag (rule SB-1)."""
        return None

    def asked_of_turn(self, play: Any) -> tuple[Stage | None, int]:
        """Return what the player whose turn it is has to do, and with how many bones."""
        return None, 0

    def middle(self, play: Any, seat: int | None, everything: bool) -> MiddleView | None:
        """Return what lies between the players, as *seat* may see it; ``None``: nothing does."""
        return None

    def losses(self, outcome: Outcome) -> LossView | None:
        """Return lives or points of a finished hand; ``None`` where it was about neither."""
        return None

    def hand_record(self, outcome: Outcome) -> dict[str, Any]:
        """Return a finished hand in the words of the case format."""
        record: dict[str, Any] = {
            "dealer": outcome.dealer,
            "next_dealer": outcome.next_dealer,
            "end": str(outcome.end),
            "winner": outcome.winner,
            "winners": sorted(outcome.winners),
            "totals": {str(seat): total for seat, total in outcome.totals},
            "out": list(outcome.out),
            "settlement": {str(seat): tokens for seat, tokens in outcome.settlement},
        }
        if outcome.bone is not None:
            record["bone"] = {
                "holder": outcome.bone.holder,
                "card": str(outcome.bone.card),
                "payments": {str(seat): tokens for seat, tokens in outcome.bone.payments},
            }
        return record

    def state_record(self, play: Any) -> dict[str, Any]:
        """Return what the case format says of a hand of this game only."""
        return {}
