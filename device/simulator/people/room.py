"""A table with people round it: what every game needs of it."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence

from device.simulator.people.account import HandTruth
from device.simulator.people.film import Film
from device.simulator.people.happenings import Happening
from device.simulator.people.mat import Lying, Mat, Spot
from device.simulator.people.packs import pack
from device.simulator.people.settings import Options
from device.simulator.people.temperament import Person

_LOOKS = 8
"""How often people look at the screen after a hand, so that every question is answered."""

_LEANS = 0.4

_CONSOLE = 0.3
"""How often a word is pressed at the console and not at the seat."""


class Room:
    """The mat, its log, the people, and the account of the hand in play.

    Attributes:
        seats: who is in the hand, in the order of their seats.
        middle: the seat of the mat that has no player; the games with cards in the middle use it.
        stakes: what each lays against the bank of knucklebones, from round to round.
    """

    def __init__(
        self,
        rng: random.Random,
        mat: Mat,
        film: Film,
        people: Sequence[Person],
        options: Options,
        strewn_mm: float,
        ages: Mapping[int, int],
    ) -> None:
        """Seat the people."""
        self.rng = rng
        self.mat = mat
        self.film = film
        self.people = {person.seat: person for person in people}
        self.options = options
        self.strewn_mm = strewn_mm
        self.ages = ages
        self.seats = sorted(self.people)
        self.middle = len(people)
        self.account = HandTruth()
        self.stakes = dict.fromkeys(self.seats, 1)

    # The account

    def event(self, kind: str, **fields: object) -> None:
        """Write down what truly happened."""
        self.account.events.append({"t": round(self.film.t, 3), "e": kind, **fields})

    def did(self, happening: Happening) -> None:
        """Count a happening."""
        self.account.tally[happening] += 1

    def does(self, seat: int, habit: str, happening: Happening | None = None) -> bool:
        """Return whether the person of a seat does something this time, and count it."""
        does = self.people[seat].does(habit, self.rng)
        if does and happening is not None:
            self.did(happening)
        return does

    def after(self, seat: int, among: Iterable[int] | None = None) -> list[int]:
        """Return the seats from the left of *seat* round to itself."""
        ring = sorted(self.seats if among is None else among)
        return [s for s in ring if s > seat] + [s for s in ring if s <= seat]

    # What they do

    def hand(self, seat: int, over: Iterable[str] = (), seconds: float = 0.4) -> None:
        """The hand of a seat comes over the mat; now and then nobody can tell whose it is."""
        known = not self.does(seat, "unknown_hand")
        self.film.hand(seat, over, seconds, known=known)

    def pause(self, seat: int, seconds: float = 0.6) -> None:
        """Take the hand away and let the mat be seen, or do not."""
        if self.does(seat, "no_rest", Happening.NO_REST):
            if self.rng.random() < 0.3:
                self.film.flicker()
                self.hand(seat, [], 0.1)
        elif not self.does(seat, "hands_left", Happening.HANDS_LEFT):
            self.film.rest(seconds)

    def lean_over(self, seat: int) -> None:
        """Now and then somebody leans over the mat, so that it is not seen for a while."""
        if self.rng.random() < _LEANS and self.does(seat, "hands_left", Happening.BLIND):
            self.film.blind()
            self.film.rest(0.4)

    def say(self, seat: int, button: str, *, own: bool = False) -> None:
        """Press a button, at the seat or (unless *own*) at the console."""
        console = not own and self.rng.random() < _CONSOLE
        self.film.press(button, None if console else seat)

    def look(self, why: str) -> None:
        """Look at the screen."""
        self.film.look(why)

    def end(self) -> None:
        """Look at the screen until nothing is asked any more."""
        self.film.rest(0.5)
        for _ in range(_LOOKS):
            self.film.look("the end")
            self.film.wait(1.0)

    def gather(self, seat: int) -> None:
        """Take all cards and bones from the mat."""
        self.film.hand(seat, ["stock"], 1.0)
        self.mat.clear()
        self.film.rest(0.6)

    # Where they lay

    def jitter(self, spot: Spot, mm: float, turn: float) -> Spot:
        """Return a spot a little off."""
        x, y, deg = spot
        uniform = self.rng.uniform
        return x + uniform(-mm, mm), y + uniform(-mm, mm), deg + uniform(-turn, turn)

    def spot(self, seat: int, number: int, by: int | None = None) -> Spot:
        """Return where the card *number* of a seat comes to lie, laid by *by*."""
        slots = self.mat.slots[seat]
        spot = slots[number % len(slots)]
        if number >= len(slots):  # no room: half on another card
            spot = (spot[0] + 24.0, spot[1] + 12.0, spot[2])
        if self.does(seat if by is None else by, "askew", Happening.ASKEW):
            return self.jitter(spot, 16.0, 20.0)
        return self.jitter(spot, 2.5, 3.0)

    def lay(self, card: str, up: bool, spot: Spot, by: int) -> Lying:
        """Lay a card on the mat; now and then a camera cannot read it."""
        new = self.mat.lay(card, up, spot)
        if up:
            self.blur(new, by)
        return new

    def blur(self, lying: Lying, by: int) -> None:
        """Let a card face up be unreadable now and then, until it is moved."""
        lying.maybe = None
        if self.does(by, "unread", Happening.UNREAD):
            lying.maybe = self._taken_for(lying.card)
            self.account.append("card", lying.card)
            where = {"at": lying.place, "x": round(lying.x, 1), "y": round(lying.y, 1)}
            since = round(self.film.t, 3)
            self.account.append("unread", {"t": since, "card": lying.card, **where})

    def clear_up(self) -> None:
        """Push the cards that could not be read, so that most of them are."""
        for each in self.mat.cards:
            if each.maybe is not None and self.rng.random() < 0.5:
                each.maybe = None

    def into_middle(self, seat: int, cards: Iterable[str]) -> None:
        """Throw cards face down into the middle of the table."""
        wide, high = self.mat.size
        x, y = wide / 2, high / 2
        for card in cards:
            angle = self.rng.uniform(0.0, 360.0)
            spot = self.jitter((x, y, angle), 30.0, 30.0)
            self.lay(card, False, spot, seat)

    def _taken_for(self, card: str) -> tuple[str, ...]:
        """Return what a camera may take a card for: mostly the true card is the first."""
        others = [each for each in pack() if each != card and (each[0] == card[0])]
        other = self.rng.choice(others)
        chance = self.rng.random()
        if chance < 0.6:
            return (card, other)
        return (other, card) if chance < 0.85 else ()
