"""Hands laid open or thrown in at Thirty-one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from device.simulator.people.happenings import Happening
from device.simulator.people.mat import Lying
from device.simulator.people.room import Room


class ScatShowing:
    """How people show their three cards.

    Attributes:
        open: who has laid the hand open.
        thrown_in: who threw the hand in.
    """

    def __init__(
        self, room: Room, hands: dict[int, list[str]], taken: Mapping[int, set[str]]
    ) -> None:
        """Show the cards of *hands*; *taken* are those that everybody knows already."""
        self._room = room
        self._taken = taken
        self._hands = hands
        self.open: set[int] = set()
        self.thrown_in: set[int] = set()

    def call(self, seat: int) -> None:
        """Lay 31 open before anybody has knocked (SC-11, SC-24)."""
        self.lay_open(seat)
        self._room.event("declare", seat=seat, what="31", cards=list(self._hands[seat]))
        self._room.film.rest(0.8)
        self._room.look("thirty-one")

    def lay_open(self, seat: int) -> None:
        """Lay a hand open on its place."""
        room = self._room
        self.open.add(seat)
        room.hand(seat, [f"seat {seat}"], 0.6)
        cards = list(self._hands[seat])
        room.rng.shuffle(cards)
        lying = [room.lay(c, True, room.spot(seat, n), seat) for n, c in enumerate(cards)]
        if not all(each.readable for each in lying):
            self._lay_apart(seat, lying)

    def showdown(self, order: Sequence[int], already: Sequence[int]) -> None:
        """Everybody who has not thrown in shows (SC-7); the last hand need not (SC-27)."""
        room = self._room
        holding = [seat for seat in order if seat not in self.thrown_in]
        if len(holding) == 1:
            return
        room.look("the showdown")
        for seat in holding:
            if seat not in self.open:
                self.lay_open(seat)
                room.pause(seat)
            if seat not in already and not self._taken[seat].issuperset(self._hands[seat]):
                room.event("reveal", seat=seat, cards=list(self._hands[seat]))
        room.film.rest(0.8)

    def throw_in(self, seat: int) -> None:
        """Say "I'm out", or throw the cards into the middle (G-17, SC-27)."""
        room = self._room
        self.thrown_in.add(seat)
        room.event("declare", seat=seat, what="out")
        if room.rng.random() < 0.5:
            room.did(Happening.SAID_OUT)
            room.say(seat, "out", own=True)
        else:
            room.did(Happening.THROWN_IN)
            room.hand(seat, [])
            room.into_middle(seat, self._hands[seat])
            room.pause(seat)

    def _lay_apart(self, seat: int, lying: list[Lying]) -> None:
        room = self._room
        room.did(Happening.COVERED_SHOW)
        room.film.rest(0.8)
        room.look("a card is covered")
        room.hand(seat, [f"seat {seat}"])
        for number, each in enumerate(lying):
            room.mat.move(each, room.jitter(room.mat.slots[seat][number], 1.0, 1.0))
