"""The log of readings, written while people play: hands, rests, presses, looks at the screen."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from typing import Any

from device.simulator.people.mat import Mat

TOO_SHORT_S = 0.05
"""A rest of this length is not seen by a camera (which needs 0.06 s)."""


class Film:
    """What a camera above the mat could have seen, line by line.

    Attributes:
        t: seconds since the beginning.
        lines: of the log, as objects.
        tells_over: whether the log says which places a hand covers.
    """

    def __init__(self, mat: Mat, rng: random.Random, *, tells_over: bool) -> None:
        """Begin at 0 s with an empty log."""
        self.t = 0.0
        self.lines: list[dict[str, Any]] = []
        self.tells_over = tells_over
        self._mat = mat
        self._rng = rng

    def hand(self, seat: int | None, over: Iterable[str] = (), seconds: float = 0.4) -> None:
        """A hand comes over the mat, of *seat* or of nobody knows whom, and does something."""
        line: dict[str, Any] = {"hand": seat}
        if self.tells_over:
            line["over"] = sorted(set(over))
        self._write(line)
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

    def blind(self) -> None:
        """The mat is not seen for a while."""
        self._write({"mat": False})
        self.t += self._rng.uniform(0.5, 3.0)

    def text(self) -> list[str]:
        """Return the log, one JSON object a line."""
        return [json.dumps(line, separators=(",", ":")) for line in self.lines]

    def _write(self, line: dict[str, Any]) -> None:
        self.lines.append({"t": round(self.t, 3), **line})
