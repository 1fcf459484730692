"""Who has the Bone: chances over the third cards, face up (rules BA-2 to BA-7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from engine.core.cards import Card, Rank
from engine.odds.unseen import OddsError, unseen_cards

ACE_OF_HEARTS = Card.parse("AH")


@dataclass(frozen=True, slots=True)
class BoneChances:
    """What the third cards of several players may show.

    Attributes:
        tie: two or more show the best card, and the eldest of them has the Bone (BA-4).
        bone_ace: somebody shows the Bone-Ace.
    """

    tie: Fraction
    bone_ace: Fraction


def the_bone(
    players: int,
    seen: Iterable[Card] = (),
    *,
    bone_ace: Card = ACE_OF_HEARTS,
    upcard_ace: str = "low",
    decks: int = 1,
) -> BoneChances:
    """Return the chances of *players* third cards, random ones of those not *seen*.

    Args:
        players: who still get a third card, at least 1.
        seen: known cards that are no third card, exposed by accident (rule BA-12).
        bone_ace: the card that beats all, AH or AD (BA-2, BA-5).
        upcard_ace: the other aces are ``"low"`` or ``"high"`` (BA-7).
        decks: 1 or 2 packs.

    >>> the_bone(2)
    BoneChances(tie=Fraction(25, 442), bone_ace=Fraction(1, 26))

    Raises:
        OddsError: too many players for the unseen cards, or a card named too often.
    """
    cards = unseen_cards(seen, decks)
    if not 1 <= players <= len(cards):
        raise OddsError(f"players: {players!r} third cards out of {len(cards)}; give 1 or more")
    if upcard_ace not in ("low", "high"):
        raise OddsError(f"upcard_ace: {upcard_ace!r} is not known; use 'low' or 'high'")
    ace = -1 if upcard_ace == "low" else 13
    ranks = Counter(
        14 if card == bone_ace else ace if card.rank is Rank.ACE else card.rank.order
        for card in cards
    )
    hands = comb(len(cards), players)
    tie = below = 0
    for _, same in sorted(ranks.items()):
        best = comb(below + same, players) - comb(below, players)
        tie += best - same * comb(below, players - 1)
        below += same
    without_it = comb(len(cards) - ranks[14], players)
    return BoneChances(Fraction(tie, hands), 1 - Fraction(without_it, hands))
