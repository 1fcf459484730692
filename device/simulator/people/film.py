"""The log of readings, written while people play: hands, rests, presses, looks at the screen."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from device.simulator.people.mat import Bone, Mat

TOO_SHORT_S = 0.05
"""A rest of this length is not seen by a camera (which needs 0.06 s)."""


@dataclass(frozen=True, slots=True)
class SceneCard:
    """A card on the mat at one moment, under others too; as in ``Lying``."""

    card: str
    up: bool
    x: float
    y: float
    deg: float


@dataclass(frozen=True, slots=True)
class SceneBone:
    """A bone on or beside the mat at one moment; *number* tells it from the others."""

    number: int
    face: int | None
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Scene:
    """All that lies there when a line of the log is written, to be drawn.

    Attributes:
        cards: first laid first.
        bones: in no order.
        arm: the seat whose hand comes over the mat with this line, whoever can tell.
        over: the places that this hand covers.
    """

    cards: tuple[SceneCard, ...]
    bones: tuple[SceneBone, ...]
    arm: int | None = None
    over: tuple[str, ...] = ()


class Film:
    """What a camera above the mat could have seen, line by line.

    Attributes:
        t: seconds since the beginning.
        lines: of the log, as objects.
        scenes: beside each line what lay there in truth.
        tells_over: whether the log says which places a hand covers.
    """

    def __init__(self, mat: Mat, rng: random.Random, *, tells_over: bool) -> None:
        """Begin at 0 s with an empty log."""
        self.t = 0.0
        self.lines: list[dict[str, Any]] = []
        self.scenes: list[Scene] = []
        self.tells_over = tells_over
        self._mat = mat
        self._rng = rng
        self._bones: list[Bone] = []

    def hand(
        self,
        seat: int | None,
        over: Iterable[str] = (),
        seconds: float = 0.4,
        *,
        known: bool = True,
    ) -> None:
        """A hand comes over the mat, of *seat* or of nobody, and does something.

        Where it is not *known*, a camera cannot tell whose it is.
        """
        line: dict[str, Any] = {"hand": seat if known else None}
        places = sorted(set(over))
        if self.tells_over:
            line["over"] = places
        self._write(line, 0 if seat is None else seat, places)
        self.t += seconds * self._rng.uniform(0.7, 1.3)

    def rest(self, seconds: float = 0.6) -> None:
        """The mat is clear, and seen."""
        self._write({"lies": self._mat.look()})
        self.t += max(seconds * self._rng.uniform(0.7, 1.4), 2 * TOO_SHORT_S)

    def flicker(self) -> None:
        """The mat is clear for a moment that is too short for a camera."""
        seen = [each.seen for each in self._mat.cards]
        self._write({"lies": self._mat.look()})
        for each, before in zip(self._mat.cards, seen, strict=True):
            each.seen = before
        self.t += self._rng.uniform(0.01, TOO_SHORT_S)

    def press(self, button: str, seat: int | None = None) -> None:
        """Somebody presses a button, at a seat or at the console."""
        self._write({"press": button} if seat is None else {"press": button, "seat": seat})
        self.t += self._rng.uniform(0.15, 0.5)

    def look(self, why: str) -> None:
        """People look at the screen, and answer what it asks."""
        self._write({"look": why})
        self.t += self._rng.uniform(0.5, 1.2)

    def wait(self, seconds: float) -> None:
        """Nothing happens for a while."""
        self.t += seconds

    def blind(self) -> None:
        """The mat is not seen for a while."""
        self._write({"mat": False})
        self.t += self._rng.uniform(0.5, 3.0)

    def text(self) -> list[str]:
        """Return the log, one JSON object a line."""
        return [json.dumps(line, separators=(",", ":")) for line in self.lines]

    def _write(
        self, line: dict[str, Any], arm: int | None = None, over: Iterable[str] = ()
    ) -> None:
        self.lines.append({"t": round(self.t, 3), **line})
        mat = self._mat
        cards = tuple(SceneCard(c.card, c.up, c.x, c.y, c.deg) for c in mat.cards)
        bones = tuple(SceneBone(self._number(b), b.face, b.x, b.y) for b in mat.bones)
        self.scenes.append(Scene(cards, bones, arm, tuple(over)))

    def _number(self, bone: Bone) -> int:
        """Return the number of a bone: those that lie there together have different ones."""
        if bone not in self._bones:
            self._bones.append(bone)
        return self._bones.index(bone)
