"""What screens and records show of a round of knucklebones: all of it is public."""

from __future__ import annotations

from typing import Any

from engine.core.outcome import Outcome
from engine.core.views import Stage
from engine.games.hand_views import HandViews
from engine.games.knucklebones.play import BonesPlay


class BonesViews(HandViews):
    """Throws, stakes, and what is asked of the player whose turn it is."""

    def throws(self, play: BonesPlay, seat: int) -> tuple[tuple[int, ...], ...]:
        """Return what *seat* threw."""
        return play.hand(seat).throws

    def stake_laid(self, play: BonesPlay, seat: int) -> int:
        """Return what *seat* staked against the bank; the banker stakes nothing (rule KB-2)."""
        return dict(play.stakes).get(seat, 0)

    def asked_of_turn(self, play: BonesPlay) -> tuple[Stage | None, int]:
        """Return the stage of the turn, and how many bones are to be thrown now."""
        return play.stage, play.bones_due

    def hand_record(self, outcome: Outcome) -> dict[str, Any]:
        """Return a finished round in the words of the case format: a banker, not a dealer."""
        record = super().hand_record(outcome)
        banker, after = record.pop("dealer"), record.pop("next_dealer")
        return {"banker": banker, "next_banker": after, **record}

    def state_record(self, play: BonesPlay) -> dict[str, Any]:
        """Return banker, stage and totals in the words of the case format."""
        hands = sorted(play.hands, key=lambda hand: hand.seat)
        return {
            "banker": play.dealer,
            "stage": None if play.stage is None else str(play.stage),
            "totals": {str(hand.seat): hand.points for hand in hands},
        }
