"""Which hand of Thirty-one is best: by suits or as in Brag, and who wins the round."""

from __future__ import annotations

from typing import Any

from engine.core.cards import Card
from engine.core.outcome import End
from engine.games.scat import brag
from engine.games.scat.options import ScatOptions
from engine.games.scat.play import ScatHand, ScatPlay
from engine.games.scat.points import counting_cards


def winners_of(play: ScatPlay) -> tuple[int, ...]:
    """Return who won a finished round, eldest first; nobody where lives or points decide."""
    if play.end is End.BLITZ:
        return play.blitzed
    if play.end is End.WALKOVER:
        return play.active
    if play.options.scoring == "ante" and play.end in (End.SHOWDOWN, End.OUT_OF_GATE):
        return _highest(play)
    return ()


def strengths(play: ScatPlay) -> dict[int, Any]:
    """Return what is compared: suit values, or Brag hands (rules SC-2, SB-1)."""
    return {seat: _strength(play.hand(seat), play) for seat in play.active}


def brag_name(play: ScatPlay, seat: int) -> str | None:
    """Return what a hand is in Brag; ``None``: not known, or its player left (rule SB-1)."""
    hand = play.hand(seat)
    cards = [card for card in hand.cards if card is not None]
    if hand.left or hand.has_unread or len(cards) != 3:
        return None
    return brag.kind_of(cards).words


def read_cards(hand: ScatHand) -> list[Card]:
    """Return the cards of a hand that have been read."""
    return [card for card in hand.cards if card is not None]


def _strength(hand: ScatHand, play: ScatPlay) -> Any:
    if not is_brag(play):
        return play.value_of(hand.cards)
    return brag.strength(read_cards(hand), play.options.run_a23, play.options.prial_threes_top)


def _highest(play: ScatPlay) -> tuple[int, ...]:
    """Return who takes the pot, eldest first (rules BK-4, BK-6, BK-9)."""
    options: ScatOptions = play.options
    worth = strengths(play)
    best = max(worth.values())
    tied = tuple(seat for seat in play.active if worth[seat] == best)
    if options.high_tie == "eldest":
        return tied[:1]
    if options.high_tie == "highest_card" and not is_brag(play):
        ranks = {
            seat: counting_cards(
                read_cards(play.hand(seat)), options.three_kind, options.three_kind_suits
            )
            for seat in tied
        }
        return tuple(seat for seat in tied if ranks[seat] == max(ranks.values()))
    return tied


def is_brag(play: ScatPlay) -> bool:
    """Return whether Brag hands are compared, not suits (rule SB-1)."""
    return play.options.ranking == "brag"
