"""Eyes that know what lies there: the short evening is tried without networks.

They are no better than eyes are: some cards they are not sure of, some they take for others.
"""

from __future__ import annotations

import random
from dataclasses import replace

from device.simulator.bone_table import BonesTable
from device.simulator.scat_table import DISCARD
from engine.core.cards import Card, deck
from tests.acceptance.evening.noisy_table import Room
from tests.support.oracle_source import reading_of
from vision.readings import BoneReading, Reading, Spot, UnsureBoneReading

UNSURE, MISTAKEN = 0.03, 0.04
"""How many of the cards that lie open are read so, until they are touched."""


class KnowingWatch:
    """Says what lies on the table of a room, once each time that it has settled anew."""

    def __init__(self, room: Room, seed: int = 0) -> None:
        self.room, self.seed = room, seed
        self._before: object = None

    def see(self, image, time_s):
        """Take one frame: it tells only that a frame has come."""
        room, table = self.room, self.room.table
        if room.is_moving:
            return None
        covered = room.cover in ("hand", "black")
        now = (id(table), table.fingerprint(), covered)
        if now == self._before or room.cover == "arm":
            return None
        self._before = now
        if covered:
            return Reading(time_s)
        if isinstance(table, BonesTable):
            return _bones(table, time_s)
        unsure, wrong = {}, {}
        for each in table.cards:
            chance = random.Random(f"{self.seed}-{each.card}-{each.x_mm:.3f}")
            drawn = chance.random()
            other = chance.choice([card for card in deck() if card != each.card])
            if drawn < UNSURE:
                unsure[each.card] = (each.card, other)
            elif drawn < UNSURE + MISTAKEN and other not in table.face_up():
                wrong[each.card] = other
        reading = reading_of(table, time_s, table.at(DISCARD)[:-1], unsure)
        return _mistaken(reading, wrong)


def _mistaken(reading: Reading, wrong: dict[Card, Card]) -> Reading:
    cards = [replace(each, card=wrong.get(each.card, each.card)) for each in reading.cards]
    return replace(reading, cards=tuple(cards))


def _bones(table: BonesTable, time_s: float) -> Reading:
    """Read what bones lie there; one on its end is not sure."""
    bones, unsure = [], []
    wide, high = table.layout.size_mm
    for (x, y), face in table.lying():
        off_mat = not (0 <= x <= wide and 0 <= y <= high)
        spot = Spot(((x, y), (x + 9, y), (x, y + 9)), (x, y), (x, y), off_mat=off_mat)
        if face is None:
            unsure.append(UnsureBoneReading((), 0.2, spot))
        else:
            bones.append(BoneReading(face, 0.99, spot))
    seats = table.layout.seats
    return Reading(time_s, seats=seats, bones=tuple(bones), unsure_bones=tuple(unsure))
