"""What the discard of Thirty-one shows, held against the cards that the game knows to lie there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from device.croupier.mat_tracker import NUDGED_MM, TrackedCard
from engine.core.cards import Card
from vision.readings import Point


class PileChange(StrEnum):
    """What the pile tells."""

    SAME = "same"
    """The top card lies there."""
    NEW = "new"
    """A card that was not there lies on top."""
    TAKEN = "taken"
    """The top card is gone, the one under it shows."""
    NOTHING = "nothing"
    """No card is seen, though more than one should lie there."""
    MANY = "many"
    """More than one card that was not there."""
    DISTURBED = "disturbed"
    """An older card shows, but neither the top nor the one under it."""
    BACK = "back"
    """Only a card that lies face down."""


@dataclass(frozen=True, slots=True)
class PileObservation:
    """One look at the discard.

    Attributes:
        seen: what it tells.
        thing: the card on top, where one is seen.
        top_gone: beside a new card the one under the old top shows, so the old top is not there.
    """

    seen: PileChange
    thing: TrackedCard | None = None
    top_gone: bool = False


def compare_pile(
    known: Sequence[Card],
    things: Sequence[TrackedCard],
    top_at: Point | None,
    elsewhere: bool = False,
) -> PileObservation:
    """Compare the pile.

    Args:
        known: the cards of the discard, the top card last; none after the only one was drawn.
        things: what lies on its place.
        top_at: where the top card was seen last, in millimetres.
        elsewhere: something else changed on the mat too, so the pile need not have been touched.
    """
    open_cards = [thing for thing in things if thing.is_up]
    shown = {thing.card: thing for thing in open_cards if thing.card is not None}
    top = known[-1] if known else None
    under = known[-2] if len(known) > 1 else None
    new = [thing for thing in open_cards if _is_new(thing, known, top in shown, top_at, elsewhere)]
    if len(new) > 1:
        return PileObservation(PileChange.MANY)
    if new:
        return PileObservation(PileChange.NEW, new[0], under in shown and top not in shown)
    if top in shown:
        return PileObservation(PileChange.SAME, shown[top])
    if top is None or any(thing.card is None for thing in open_cards):
        return PileObservation(PileChange.SAME)
    if under is not None and under in shown:
        return PileObservation(PileChange.TAKEN, shown[under])
    if shown:
        return PileObservation(PileChange.DISTURBED)
    if things:
        return PileObservation(PileChange.BACK)
    return PileObservation(PileChange.TAKEN if under is None else PileChange.NOTHING)


def _is_new(
    thing: TrackedCard,
    known: Sequence[Card],
    top_shows: bool,
    top_at: Point | None,
    elsewhere: bool,
) -> bool:
    """Return whether a card on the pile was not there; one that cannot be read by where it lies.

    A new reading comes only when something has changed: where nothing else did, it was this card.
    """
    if thing.card is not None:
        return thing.card not in known
    if thing.unread or not known:
        return True
    candidates = thing.observation.candidates
    if top_shows:
        # An older card that peeps out beside the top one, or a new one askew under it.
        return not set(known) & set(candidates)
    near = top_at is None or math.dist(thing.observation.centre, top_at) <= NUDGED_MM
    return not (near and (elsewhere or top_at is None) and known[-1] in candidates)
