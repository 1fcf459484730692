"""Cards between the players: the widow, the two hands of Switch, the table of Stop the bus."""

from __future__ import annotations

from collections.abc import Sequence

from device.simulator.people.happenings import Happening
from device.simulator.people.mat import Lying, Spot
from device.simulator.people.room import Room

ROW = 3

_FIRST = {"widow": 0, "A": 0, "table": 0, "B": ROW}
"""The first place of each pile, on the place of the mat that has no player."""


class Middle:
    """Rows of three cards on the free place of the mat.

    Attributes:
        rows: the cards of each pile by place.
    """

    def __init__(self, room: Room) -> None:
        """Start with nothing there."""
        self._room = room
        self.rows: dict[str, list[Lying]] = {}

    def deal(self, pile: str, card: str, up: bool, by: int) -> None:
        """Deal one card to a pile."""
        row = self.rows.setdefault(pile, [])
        row.append(self._room.lay(card, up, self._spot(pile, len(row)), by))

    def cards(self, pile: str) -> list[str]:
        """Return the true cards of a pile by place."""
        return [each.card for each in self.rows[pile]]

    def known(self, pile: str, place: int) -> str | None:
        """Return the card of a place if it lies face up."""
        lying = self.rows[pile][place]
        return lying.card if lying.up else None

    def exchange(
        self, seat: int, pile: str, places: Sequence[int], give: Sequence[str], up: bool = True
    ) -> list[str]:
        """Take the cards of some places and lay others there; return what was taken."""
        room = self._room
        one_motion = room.does(seat, "one_motion", Happening.ONE_MOTION)
        over = [f"seat {room.middle}"]
        room.hand(seat, over, 0.5)
        row = self.rows[pile]
        taken = [row[place].card for place in places]
        for place in places:
            room.mat.take(row[place])
        if not one_motion:
            room.pause(seat)
            room.hand(seat, over, 0.4)
        for place, card in zip(places, give, strict=True):
            row[place] = room.lay(card, up, self._spot(pile, place), seat)
        room.pause(seat)
        return taken

    def _spot(self, pile: str, place: int) -> Spot:
        room = self._room
        slots = room.mat.slots[room.middle]
        first = _FIRST[pile]
        row = slots[first : first + ROW]
        wide = max(x for x, _, _ in row) - min(x for x, _, _ in row)
        high = max(y for _, y, _ in row) - min(y for _, y, _ in row)
        axis = 0 if wide >= high else 1
        x, y, _ = sorted(row, key=lambda spot: spot[axis])[place]
        return room.jitter((x, y, row[place][2]), 2.0, 3.0)
