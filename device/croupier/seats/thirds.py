"""Which card each player was dealt last, where several came open between two looks (rule BA-2).

The highest third card has the Bone. Where all cards are dealt open, a look may show two or three
new ones at a place, and does not tell which of them came last; nor where one fell open.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from device.croupier.looks import Look, LyingCard
from engine.games.base import Play
from engine.games.one_and_thirty.bone_ace import THIRD, BoneAce

Hands = Mapping[int, Sequence[LyingCard]]
"""For each seat its new cards, in the order in which they were dealt."""


def ways_to_deal(game: BoneAce, play: Play, new: Hands, look: Look) -> Iterator[Hands]:
    """Yield the orders of *new* cards by who has the Bone; none where one look tells the order.

    The first is as most people deal: from the left to the right of each player. What lies face down
    came before what lies open.
    """
    held = {hand.seat: len(hand.cards) for hand in play.hands}
    down = {seat: [card for card in cards if not card.is_up] for seat, cards in new.items()}
    up = {seat: [card for card in cards if card.is_up] for seat, cards in new.items()}
    unsure = [s for s in new if len(up[s]) > 1 and held[s] + len(new[s]) == THIRD + 1]
    if not unsure:
        return

    def rank(card: LyingCard) -> int:
        assert card.card is not None
        return game.upcard_rank(play.options, card.card)

    yield {seat: [*down[seat], *_left_to_right(up[seat], look)] for seat in new}
    for holder in unsure:
        yield {
            seat: [*down[seat], *sorted(up[seat], key=rank, reverse=seat != holder)] for seat in new
        }


def _left_to_right(cards: Sequence[LyingCard], look: Look) -> list[LyingCard]:
    """Return *cards* as their player sees them, who sits beyond them and looks to the middle."""
    if len(cards) < 2:
        return list(cards)
    x, y = _middle(look.cards)
    ahead_x, ahead_y = _middle(cards)
    ahead_x, ahead_y = x - ahead_x, y - ahead_y
    length = math.hypot(ahead_x, ahead_y) or 1.0

    def to_the_right(card: LyingCard) -> float:
        return (-ahead_y * card.centre[0] + ahead_x * card.centre[1]) / length

    return sorted(cards, key=to_the_right)


def _middle(cards: Sequence[LyingCard]) -> tuple[float, float]:
    xs, ys = zip(*(card.centre for card in cards), strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)
