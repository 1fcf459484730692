"""The stock and the discard pile of Thirty-one, as hands really treat them."""

from __future__ import annotations

from device.simulator.people.happenings import Happening
from device.simulator.people.mat import Lying, Spot
from device.simulator.people.room import Room

_SHIFT_MM = 2.0
_SHIFTS = 0.7
"""How often the back on top lies otherwise after a card was drawn."""


class Piles:
    """Stock and discard pile.

    Attributes:
        stock: the cards in it, its top last.
        pile: the discards on the mat, the top last.
        throwers: who laid each of them; -1 is the turn-up.
    """

    def __init__(self, room: Room, stock: list[str]) -> None:
        """Set up the piles; nothing lies there yet."""
        self._room = room
        self.stock = stock
        self.pile: list[Lying] = []
        self.throwers: list[int] = []
        self._back: Lying | None = None

    @property
    def top(self) -> Lying | None:
        """Return the top of the discard pile."""
        return self.pile[-1] if self.pile else None

    def put_stock_down(self) -> None:
        """Lay the stock on its place."""
        room = self._room
        spot = room.jitter(room.mat.middle("stock"), 4.0, 4.0)
        self._back = room.mat.lay("back", False, spot)

    def draw(self) -> str:
        """Take the top of the stock into a hand."""
        self.shift(self._room.rng.random() < _SHIFTS)
        card = self.stock.pop()
        if not self.stock and self._back is not None:
            self._room.mat.take(self._back)
            self._back = None
        return card

    def undraw(self, card: str) -> None:
        """Put a card back on the stock."""
        self.stock.append(card)
        if self._back is None:
            self.put_stock_down()
        self.shift(True)

    def shift(self, moves: bool) -> None:
        """The back on top lies otherwise, or still the same."""
        if moves and self._back is not None:
            mat, back = self._room.mat, self._back
            spot = self._room.jitter((back.x, back.y, back.deg), _SHIFT_MM, _SHIFT_MM)
            mat.take(back)
            self._back = mat.lay("back", False, spot)

    def lay(self, card: str, seat: int, spot: Spot | None = None) -> Lying:
        """Lay a card on the discard pile; *spot* if it must lie just there."""
        room = self._room
        if self.top is not None and not self.top.seen:
            room.did(Happening.COVERED_UNSEEN)
        if spot is None:
            spot = room.jitter(room.mat.middle("discard"), room.strewn_mm, 12.0)
        self.pile.append(room.lay(card, True, spot, max(seat, room.seats[0])))
        self.throwers.append(seat)
        return self.pile[-1]

    def take(self) -> str:
        """Take the top of the discard pile into a hand."""
        top = self.pile.pop()
        self.throwers.pop()
        if not top.seen:
            self._room.did(Happening.TAKEN_UNSEEN)
        self._room.mat.take(top)
        return top.card

    def square(self) -> None:
        """Square the discard pile up."""
        mat, rng = self._room.mat, self._room.rng
        x, y, deg = mat.middle("discard")
        for number, each in enumerate(self.pile):
            maybe = each.maybe
            spot = (x + rng.uniform(-2.0, 2.0), y + rng.uniform(-2.0, 2.0), deg)
            seen = each.seen
            self.pile[number] = mat.move(each, spot)
            self.pile[number].maybe, self.pile[number].seen = maybe, seen
