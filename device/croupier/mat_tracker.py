"""Tracks the cards on the mat, so that each keeps its identity from reading to reading."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from engine.core.cards import Card
from vision.readings import Place, Point, Reading, ZoneKind

SAME_PLACE_MM = 20.0
"""A card whose centre moved less than this is the same card: a card is at least 57 mm wide."""

NUDGED_MM = 3.0
"""A card whose centre moved this far was touched: what a person said of it is asked again.
A card that nobody touches is found again within a millimetre."""

FLIPPED_MM = 130.0
"""A card turned over its long or short edge lands this near (88 mm, and a hand's looseness)."""

OVERLOOKED_READINGS = 3
"""For this many readings a card may turn up again where it was overlooked, and undo what was taken
for a move of its neighbour."""


class CardSide(StrEnum):
    """How a card lies."""

    UP = "up"
    DOWN = "down"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class CardObservation:
    """One card as one reading has it; *zone* and *seat* as the mat says."""

    side: CardSide
    centre: Point
    card: Card | None = None
    candidates: tuple[Card, ...] = ()
    zone: ZoneKind | None = None
    seat: int | None = None


@dataclass(slots=True, eq=False)
class TrackedCard:
    """A card on the mat.

    Attributes:
        number: order of appearance, the order dealt.
        named: what a person said that it is.
        overridden: the reading that a person set aside when they named it.
        counted: it is one of the cards that the game knows of.
        spent: it belongs to a finished cut or hand and must be gathered.
        refused: it is no card of the game until it is taken up and laid again.
        allowed: the dealer has said that it counts although it lies the wrong way up.
        unread: the dealer said that none of the candidates is right.
        in_game: the identity under which the game knows it.
        came_from: how and where it lay before it was taken to have been moved or turned over.
        came_at: the number of the reading at which that was.
    """

    number: int
    observation: CardObservation
    named: Card | None = None
    overridden: Card | None = None
    counted: bool = False
    spent: bool = False
    refused: bool = False
    allowed: bool = False
    unread: bool = False
    in_game: Card | None = None
    came_from: CardObservation | None = None
    came_at: int = 0

    @property
    def seat(self) -> int | None:
        """The seat in whose zone it lies."""
        return self.observation.seat

    @property
    def card(self) -> Card | None:
        """What it is: a person's word first, then the reading; ``None`` when nobody knows."""
        if self.observation.side is CardSide.DOWN:
            return None
        return self.named if self.named is not None else self.observation.card

    @property
    def is_up(self) -> bool:
        """It lies face up, read or not."""
        return self.observation.side is not CardSide.DOWN

    def update(self, observation: CardObservation) -> None:
        """Take a newer observation of the same card."""
        touched = _distance(self.observation.centre, observation.centre) > NUDGED_MM
        other = (observation.side, observation.card) != (
            self.observation.side,
            self.observation.card,
        )
        if touched or other:
            self.unread = False
        if observation.side is CardSide.DOWN or (
            observation.card is not None and observation.card not in (self.named, self.overridden)
        ):
            self.named = self.overridden = None
        elif observation.card is not None and observation.card == self.named:
            # It is what it was said to be: what was set aside before may lie there later.
            self.overridden = None
        self.observation = observation

    def name(self, card: Card) -> None:
        """Take what a person says that it is."""
        self.overridden = self.observation.card
        self.named = card

    def unname(self) -> None:
        """Forget what a person said: the reading counts again."""
        self.named = self.overridden = None


def card_observations(reading: Reading) -> tuple[CardObservation, ...]:
    """List the cards of *reading* that have a place on the mat, in a stable order."""
    found = [
        *(_observation(CardSide.UP, each.place, card=each.card) for each in reading.cards),
        *(_observation(CardSide.DOWN, each.place) for each in reading.backs),
        *(
            _observation(CardSide.UNSURE, each.place, candidates=each.candidates)
            for each in reading.unsure
        ),
    ]
    placed = [observation for observation in found if observation is not None]
    return tuple(sorted(placed, key=lambda observation: observation.centre))


def _observation(
    side: CardSide, place: Place, card: Card | None = None, candidates: tuple[Card, ...] = ()
) -> CardObservation | None:
    """Return what lies at *place*; ``None`` where that is nowhere on the mat."""
    if place.centre_mm is None:
        return None
    zone, seat = (None, None) if place.zone is None else (place.zone.kind, place.zone.seat)
    return CardObservation(side, place.centre_mm, card, candidates, zone, seat)


class MatTracker:
    """The cards on the mat, by place."""

    def __init__(self) -> None:
        """Start with an empty mat."""
        self.cards: list[TrackedCard] = []
        self._gone: list[TrackedCard] = []
        self._next = 0
        self._readings = 0

    def update(self, reading: Reading) -> None:
        """Match the reading with what lay there before; forget what is gone, number what is new."""
        self._readings += 1
        new = list(card_observations(reading))
        left = list(self.cards)
        kept: list[TrackedCard] = []

        def pair(candidates: Iterable[tuple[float, int, TrackedCard, CardObservation]]) -> None:
            for _, _, thing, observation in sorted(candidates, key=lambda each: each[:2]):
                if thing in left and any(observation is other for other in new):
                    left.remove(thing)
                    new.remove(observation)
                    thing.update(observation)
                    kept.append(thing)

        # First by place. A card that does not count and now shows another face is another card:
        # the old one was gathered and a new one laid on its place between two readings.
        pair(
            (
                _distance(thing.observation.centre, observation.centre),
                thing.number,
                thing,
                observation,
            )
            for thing in left
            for observation in new
            if _distance(thing.observation.centre, observation.centre) <= SAME_PLACE_MM
            and not ((thing.spent or thing.refused) and _differs(thing, observation))
        )
        # Then by name: a card pushed about in its zone. A refused card that was moved is new.
        pair(
            (
                _distance(thing.observation.centre, observation.centre),
                thing.number,
                thing,
                observation,
            )
            for thing in left
            for observation in new
            if observation.card is not None
            and observation.card == thing.card
            and observation.seat == thing.seat
            and not thing.refused
        )
        # Then a counted card that was turned over, and so landed beside its place.
        before = {thing.number: thing.observation for thing in left}
        pair(
            (
                _distance(thing.observation.centre, observation.centre),
                thing.number,
                thing,
                observation,
            )
            for thing in left
            for observation in new
            if thing.counted
            and observation.seat == thing.seat
            and _distance(thing.observation.centre, observation.centre) <= FLIPPED_MM
            and not (thing.card is not None and observation.card is not None)
        )
        for thing in kept:
            if thing.number in before and thing not in left:
                thing.came_from, thing.came_at = before[thing.number], self._readings
            elif thing.came_at < self._readings - OVERLOOKED_READINGS:
                thing.came_from = None
        # Unless a card lies again where that one lay: then it had only been overlooked, and the
        # one beside it is new.
        for thing in kept:
            for observation in list(new):
                old = thing.came_from
                if old is not None and _is_back(old, observation):
                    new = [thing.observation, *(other for other in new if other is not observation)]
                    thing.observation, thing.came_from = observation, None
        for observation in new:
            kept.append(self._back_again(observation) or self._new(observation))
        self._gone.extend(thing for thing in left if thing.counted and not thing.spent)
        self.cards = sorted(kept, key=lambda thing: thing.number)

    def forget(self) -> None:
        """A new hand: what still lies there is of the hand before, what is gone stays away."""
        for thing in self.cards:
            thing.spent = thing.spent or thing.counted
        self._gone.clear()

    def _new(self, observation: CardObservation) -> TrackedCard:
        self._next += 1
        return TrackedCard(self._next, observation)

    def _back_again(self, observation: CardObservation) -> TrackedCard | None:
        """Return a card that was overlooked, or taken up and laid back: its order is kept."""
        for thing in self._gone:
            near = _distance(thing.observation.centre, observation.centre) <= SAME_PLACE_MM
            if near and (thing.card is None or observation.card in (None, thing.card)):
                self._gone.remove(thing)
                thing.update(observation)
                thing.counted = False
                return thing
        return None

    def at(self, seat: int) -> list[TrackedCard]:
        """Return the cards of this hand at *seat*, in the order they appeared."""
        return [
            thing
            for thing in self.cards
            if thing.seat == seat and not thing.spent and not thing.refused
        ]

    def on_seats(self) -> list[TrackedCard]:
        """Return every card in any seat's zone."""
        return [thing for thing in self.cards if thing.observation.zone is ZoneKind.SEAT]


def _is_back(old: CardObservation, observation: CardObservation) -> bool:
    """Return whether *observation* is what lay at *old*."""
    near = _distance(old.centre, observation.centre) <= SAME_PLACE_MM
    return near and (old.side, old.card) == (observation.side, observation.card)


def _differs(thing: TrackedCard, observation: CardObservation) -> bool:
    """Return whether *observation* shows another face than *thing* did."""
    if CardSide.UNSURE in (observation.side, thing.observation.side):
        return CardSide.DOWN in (observation.side, thing.observation.side)
    return (observation.side, observation.card) != (thing.observation.side, thing.observation.card)


def _distance(a: Point, b: Point) -> float:
    return math.dist(a, b)
