"""What the croupier remembers of the mat: things that keep their identity from look to look."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from engine.cards import Card
from vision.readings import Point, Reading, ZoneKind

SAME_PLACE_MM = 20.0
"""A card whose centre moved less than this is the same card: a card is at least 57 mm wide."""

NUDGED_MM = 3.0
"""A card whose centre moved this far was touched: what a person said of its reading is asked anew.
A card that nobody touches is found again within a millimetre."""

FLIPPED_MM = 130.0
"""A card turned over its long or short edge lands this near (88 mm, and a hand's looseness)."""


class Look(StrEnum):
    """How a card lies."""

    UP = "up"
    DOWN = "down"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class Sight:
    """One card as one reading has it; *zone* and *seat* as the mat says."""

    look: Look
    centre: Point
    card: Card | None = None
    candidates: tuple[Card, ...] = ()
    zone: ZoneKind | None = None
    seat: int | None = None


@dataclass(slots=True, eq=False)
class Thing:
    """A card on the mat.

    Attributes:
        number: order of appearance, the order dealt.
        named: what a person said that it is.
        disbelieved: the reading that a person set aside when he named it.
        counted: it is one of the cards that the game knows of.
        spent: it belongs to a finished cut or hand and must be gathered.
        refused: it is no card of the game until it is taken up and laid again.
        allowed: the dealer has said that it counts although it lies the wrong way up.
        unread: the dealer said that none of the candidates is right.
        in_game: the identity under which the game knows it.
    """

    number: int
    sight: Sight
    named: Card | None = None
    disbelieved: Card | None = None
    counted: bool = False
    spent: bool = False
    refused: bool = False
    allowed: bool = False
    unread: bool = False
    in_game: Card | None = None

    @property
    def seat(self) -> int | None:
        """The seat in whose zone it lies."""
        return self.sight.seat

    @property
    def card(self) -> Card | None:
        """What it is: a person's word first, then the reading; ``None`` when nobody knows."""
        if self.sight.look is Look.DOWN:
            return None
        return self.named if self.named is not None else self.sight.card

    @property
    def is_up(self) -> bool:
        """It lies face up, read or not."""
        return self.sight.look is not Look.DOWN

    def see(self, sight: Sight) -> None:
        """Take a newer look at the same card."""
        touched = _distance(self.sight.centre, sight.centre) > NUDGED_MM
        other = (sight.look, sight.card) != (self.sight.look, self.sight.card)
        if touched or other:
            self.unread = False
        if sight.look is Look.DOWN or (
            sight.card is not None and sight.card not in (self.named, self.disbelieved)
        ):
            self.named = self.disbelieved = None
        self.sight = sight

    def name(self, card: Card) -> None:
        """Take a person's word for what it is."""
        self.disbelieved = self.sight.card
        self.named = card


def sights(reading: Reading) -> tuple[Sight, ...]:
    """List the cards of *reading* that have a place on the mat, in a stable order."""
    found: list[Sight] = []
    for card in reading.cards:
        if card.place.centre_mm is not None:
            zone = card.place.zone
            found.append(
                Sight(
                    Look.UP,
                    card.place.centre_mm,
                    card=card.card,
                    zone=zone.kind if zone else None,
                    seat=zone.seat if zone else None,
                )
            )
    for back in reading.backs:
        if back.place.centre_mm is not None:
            zone = back.place.zone
            found.append(
                Sight(
                    Look.DOWN,
                    back.place.centre_mm,
                    zone=zone.kind if zone else None,
                    seat=zone.seat if zone else None,
                )
            )
    for unsure in reading.unsure:
        if unsure.place.centre_mm is not None:
            zone = unsure.place.zone
            found.append(
                Sight(
                    Look.UNSURE,
                    unsure.place.centre_mm,
                    candidates=unsure.candidates,
                    zone=zone.kind if zone else None,
                    seat=zone.seat if zone else None,
                )
            )
    return tuple(sorted(found, key=lambda sight: sight.centre))


class Memory:
    """The cards on the mat, by place."""

    def __init__(self) -> None:
        """Start with an empty mat."""
        self.things: list[Thing] = []
        self._next = 0

    def update(self, reading: Reading) -> None:
        """Recognise what lay there before, forget what is gone, and number what is new."""
        new = list(sights(reading))
        left = list(self.things)
        kept: list[Thing] = []

        def pair(candidates: Iterable[tuple[float, int, Thing, Sight]]) -> None:
            for _, _, thing, sight in sorted(candidates, key=lambda each: each[:2]):
                if thing in left and any(sight is other for other in new):
                    left.remove(thing)
                    new[:] = [other for other in new if other is not sight]
                    thing.see(sight)
                    kept.append(thing)

        # First by place. A card that does not count and now shows another face is another card:
        # the old one was gathered and a new one laid on its place while nobody looked.
        pair(
            (_distance(thing.sight.centre, sight.centre), thing.number, thing, sight)
            for thing in left
            for sight in new
            if _distance(thing.sight.centre, sight.centre) <= SAME_PLACE_MM
            and not ((thing.spent or thing.refused) and _differs(thing, sight))
        )
        # Then by name: a card pushed about in its zone. A refused card that was moved is new.
        pair(
            (_distance(thing.sight.centre, sight.centre), thing.number, thing, sight)
            for thing in left
            for sight in new
            if sight.card is not None
            and sight.card == thing.card
            and sight.seat == thing.seat
            and not thing.refused
        )
        # Then a counted card that was turned over, and so landed beside its place.
        pair(
            (_distance(thing.sight.centre, sight.centre), thing.number, thing, sight)
            for thing in left
            for sight in new
            if thing.counted
            and sight.seat == thing.seat
            and _distance(thing.sight.centre, sight.centre) <= FLIPPED_MM
            and not (thing.card is not None and sight.card is not None)
        )
        for sight in new:
            kept.append(Thing(self._next, sight))
            self._next += 1
        self.things = sorted(kept, key=lambda thing: thing.number)

    def at(self, seat: int) -> list[Thing]:
        """Return the cards of this hand at *seat*, in the order they appeared."""
        return [
            thing
            for thing in self.things
            if thing.seat == seat and not thing.spent and not thing.refused
        ]

    def on_seats(self) -> list[Thing]:
        """Return every card in any seat's zone."""
        return [thing for thing in self.things if thing.sight.zone is ZoneKind.SEAT]


def _differs(thing: Thing, sight: Sight) -> bool:
    """Say whether *sight* shows another face than *thing* did."""
    if Look.UNSURE in (sight.look, thing.sight.look):
        return Look.DOWN in (sight.look, thing.sight.look)
    return (sight.look, sight.card) != (thing.sight.look, thing.sight.card)


def _distance(a: Point, b: Point) -> float:
    return math.dist(a, b)
