"""People of software before a camera: what they do is drawn, and read by whatever eyes there are.

The log of a sitting says what a camera could have seen at best. Here each of its moments is drawn
as a picture, with what lies under other cards and the arms over the mat, and the readings are those
that come of the pictures.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from device.ports import Image
from device.simulator.bone_table import BonesTable
from device.simulator.bones import PlacedBone
from device.simulator.people.film import Scene, SceneBone, SceneCard
from device.simulator.people.sitting import Setup, Sitting
from device.simulator.scenery import Point
from device.simulator.sprites import PlacedCard
from engine.core.bones import Face
from engine.core.cards import Card
from vision.mat.layout import MatLayout
from vision.readings import Reading, Zone, ZoneKind

FRAME_S = 1 / 30
"""Seconds between two pictures of a camera."""

REACH_S = 0.1
"""How long a hand reaches for something, and how long it stays there at least."""

HALFWAY = 0.6
"""How far an arm reaches that comes or goes."""

KNOWN_S = 0.2
"""What has lain still for so long and was not read has been read before."""

SHAPES = 10
"""Bones of a set that differ."""

ANY = Card.parse("AS")
"""What lies face down looks like any other card."""


class Eyes(Protocol):
    """Takes pictures, and says what lies there once it has come to rest; a ``MotionGate`` does."""

    def see(self, image: Image, time_s: float) -> Reading | None:
        """Take one picture; ``None`` while hands move or when nothing has changed."""

    @property
    def idle_s(self) -> float:
        """For how long nothing has moved, in seconds; 0.0 while something is to be read."""


@dataclass(frozen=True, slots=True)
class Moment:
    """Something that reaches the table: a reading, or a press or look of the log.

    Attributes:
        line: of the log, as an object; ``None`` for a reading.
    """

    time_s: float
    reading: Reading | None = None
    line: dict[str, Any] | None = None


class FilmTable(BonesTable):
    """A drawn table that shows one scene after the other."""

    def show(self, scene: Scene) -> None:
        """Let all lie as in *scene*."""
        self._cards.things = tuple(_placed(each) for each in scene.cards)
        self._bones.things = tuple(_placed_bone(each) for each in scene.bones)

    def picture(self, seat: int | None = None, tip: Point = (0.0, 0.0), part: float = 1.0) -> Image:
        """Draw what lies there, and over it the arm of *seat* that reaches *part* of the way."""
        image = self.frame()
        if seat is None:
            return image
        home = self._stage.home(seat)
        to = (home[0] + part * (tip[0] - home[0]), home[1] + part * (tip[1] - home[1]))
        self._stage.draw_arm(image, seat, to)
        return image

    def dark(self) -> Image:
        """Draw what a camera sees that something lies on."""
        wide, high = self._stage.size
        return self._stage.noise.over(np.zeros((high, wide, 3), np.uint8))


class Filming:
    """A sitting before a camera.

    Attributes:
        listed: what a log lists of what lies there now.
    """

    def __init__(self, sitting: Sitting, table: FilmTable, eyes: Eyes) -> None:
        """Film *sitting* at *table*, which has its mat; *eyes* look at the pictures."""
        self._sitting, self._table, self._eyes = sitting, table, eyes
        self._layout = table.layout
        self.listed: list[dict[str, Any]] = []

    def moments(self) -> Iterator[Moment]:
        """Yield all that reaches the table, in the order of time."""
        lines = [json.loads(text) for text in self._sitting.lines]
        scenes = self._sitting.scenes
        for number, (line, scene) in enumerate(zip(lines, scenes, strict=True)):
            began_s = line["t"]
            last = number + 1 == len(lines)
            until_s = began_s + 1.0 if last else lines[number + 1]["t"]
            if "hand" in line:
                after = scene if last else scenes[number + 1]
                yield from self._reach(scene, after, began_s, until_s)
            elif "lies" in line:
                self.listed = line["lies"]
                yield from self._rest(scene, began_s, until_s)
            elif "mat" in line:
                yield from self._look(began_s, min(until_s, began_s + 0.5), dark=True)
            else:
                yield Moment(began_s, line=line)

    def _reach(
        self, scene: Scene, after: Scene, began_s: float, until_s: float
    ) -> Iterator[Moment]:
        """Let an arm come over the mat; then what it has done lies there."""
        tip, middle_s = self._goal(scene, after), (began_s + until_s) / 2
        steps = ((began_s, scene, HALFWAY), (began_s + REACH_S, scene, 1.0))
        back = ((middle_s, after, 1.0), (middle_s + REACH_S, after, HALFWAY))
        for time_s, lies, part in (*steps[: 1 + (steps[1][0] < middle_s)], *back):
            if time_s < until_s:
                self._table.show(lies)
                yield from self._see(time_s, self._table.picture(scene.arm, tip, part))
        self._table.show(after)

    def _rest(self, scene: Scene, began_s: float, until_s: float) -> Iterator[Moment]:
        self._table.show(scene)
        yield from self._look(began_s, until_s)

    def _look(self, began_s: float, until_s: float, *, dark: bool = False) -> Iterator[Moment]:
        """Look as often as a camera does, until all is read or it is no longer so."""
        count = 0
        while (now_s := began_s + count * FRAME_S) < until_s:
            read = list(self._see(now_s, self._table.dark() if dark else self._table.picture()))
            yield from read
            count += 1
            if read or self._eyes.idle_s > KNOWN_S:
                return  # nothing more comes of looking at it

    def _see(self, time_s: float, image: Image) -> Iterator[Moment]:
        reading = self._eyes.see(image, time_s)
        if reading is not None:
            yield Moment(time_s, reading)

    def _goal(self, scene: Scene, after: Scene) -> Point:
        """Return where a hand reaches: to what it changes, else to what it covers."""
        cards, bones = set(scene.cards) ^ set(after.cards), set(scene.bones) ^ set(after.bones)
        changed = [(card.x, card.y) for card in cards] + [(bone.x, bone.y) for bone in bones]
        if not changed:
            zones = (zone for place in scene.over if (zone := _zone(place)) is not None)
            middles = (self._layout.zone_polygon(zone).mean(axis=0) for zone in zones)
            changed = [(float(x), float(y)) for x, y in middles]
        if not changed:
            wide, high = self._layout.size_mm
            return wide / 2, high / 2
        return (
            sum(x for x, _ in changed) / len(changed),
            sum(y for _, y in changed) / len(changed),
        )


def film_table(setup: Setup, *, seed: int = 0, **looks: Any) -> FilmTable:
    """Return a drawn table with the mat of *setup*; *looks* are ``style``, ``dye``, ``size``."""
    return FilmTable(MatLayout(setup.mat_seats), seed=seed, **looks)


def _placed(card: SceneCard) -> PlacedCard:
    face = Card.parse(card.card) if card.up else ANY
    return PlacedCard(face, 0, 0, card.x, card.y, card.deg, card.up)


def _placed_bone(bone: SceneBone) -> PlacedBone:
    # A bone that lies still is not turned: its angle comes from where it lies.
    turn = (37.0 * bone.x + 61.0 * bone.y) % 360.0
    face = None if bone.face is None else Face.from_points(bone.face)
    return PlacedBone(bone.number % SHAPES, bone.x, bone.y, turn, face)


def _zone(place: str) -> Zone | None:
    kind, _, seat = place.partition(" ")
    return Zone(ZoneKind(kind), int(seat) if seat else None)
