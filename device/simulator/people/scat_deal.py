"""The deal of Thirty-one and its variants."""

from __future__ import annotations

from device.simulator.people.mat import Lying
from device.simulator.people.oracle.scat import value
from device.simulator.people.packs import UNREAD
from device.simulator.people.room import Room
from device.simulator.people.scat_middle import ROW, Middle
from device.simulator.people.scat_piles import Piles


class ScatDeal:
    """Three cards to each, and what the variant lays in the middle."""

    def __init__(
        self,
        room: Room,
        dealer: int,
        piles: Piles,
        middle: Middle,
        hands: dict[int, list[str]],
    ) -> None:
        """Deal into *hands*, whose order is that of the deal."""
        self._room = room
        self._dealer = dealer
        self._piles = piles
        self._middle = middle
        self._hands = hands
        self._lying: list[tuple[int, Lying]] = []
        self._table = room.options["table"]

    def deal(self) -> None:
        """Deal, turn up the first discard where there is one, and take the hands up."""
        room = self._room
        for _ in range(3):
            for seat in self._hands:
                self._one(seat, self._hands[seat])
                room.event("deal", seat=seat, card=UNREAD, face="down")
            if self._table == "widow":
                self._to_middle("widow", up=False)
            if room.rng.random() < 0.6:
                room.pause(self._dealer, 0.3)
        if self._table == "switch":
            self._switch()
        elif self._table == "bus":
            room.film.rest(0.4)
            for _ in range(ROW):
                self._to_middle("table", up=True)
        room.film.rest(0.6)
        if self._table in ("none", "widow"):
            self._turn_up()
        for seat in self._hands:
            self._take_up(seat)
        room.film.rest(0.6)

    def _one(self, seat: int, hand: list[str]) -> None:
        room = self._room
        card = self._piles.stock.pop()
        hand.append(card)
        room.hand(self._dealer, [f"seat {seat}"], 0.2)
        number = sum(owner == seat for owner, _ in self._lying)
        lying = room.lay(card, False, room.spot(seat, number, self._dealer), self._dealer)
        self._lying.append((seat, lying))

    def _to_middle(self, pile: str, *, up: bool) -> None:
        room = self._room
        card = self._piles.stock.pop()
        room.hand(self._dealer, [f"seat {room.middle}"], 0.2)
        self._middle.deal(pile, card, up, self._dealer)
        face = "up" if up else "down"
        room.event("deal", to=pile, card=card if up else UNREAD, face=face)

    def _turn_up(self) -> None:
        room = self._room
        room.hand(self._dealer, ["stock", "discard"])
        turned = self._piles.stock.pop()
        self._piles.put_stock_down()
        self._piles.lay(turned, -1)
        room.event("turn_up", card=turned)
        room.film.rest(0.8)

    def _switch(self) -> None:
        """Deal a second hand to the dealer and B; the dealer lays one of the two open as A."""
        room, dealer = self._room, self._dealer
        second: list[str] = []
        for _ in range(ROW):
            self._one(dealer, second)
            room.event("deal", to="second", seat=dealer, card=UNREAD, face="down")
        room.film.rest(0.5)
        for _ in range(ROW):
            self._to_middle("B", up=False)
        room.film.rest(0.5)
        self._piles.put_stock_down()
        room.film.rest(0.5)
        self._take_up(dealer)
        room.film.rest(0.5)
        first = self._hands[dealer]
        keep = "first" if value(first, room.options) >= value(second, room.options) else "second"
        away = second
        if keep == "second":
            self._hands[dealer], away = second, first
        room.hand(dealer, [f"seat {room.middle}"], 0.6)
        for card in away:
            self._middle.deal("A", card, True, dealer)
        room.event("choose_hand", seat=dealer, keep=keep, shown=list(away))

    def _take_up(self, seat: int) -> None:
        room = self._room
        mine = [each for owner, each in self._lying if owner == seat]
        if not mine:
            return
        room.hand(seat, [f"seat {seat}"], 0.3)
        for each in mine:
            room.mat.take(each)
        self._lying = [(owner, each) for owner, each in self._lying if owner != seat]
        if room.rng.random() < 0.5:
            room.pause(seat, 0.3)
