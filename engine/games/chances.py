"""What ``boneace odds`` and the screen tell of the chances of a game: counted, not played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from engine.core.messages.message import Value


@dataclass(frozen=True, slots=True)
class ChanceTable:
    """A table of exact chances.

    Attributes:
        title: what it is about.
        first: what the rows are.
        columns: what the chances are of.
        rows: for each row what it is, and its chances; ``None`` where there is none.
        note: a sentence or two that explain it.
        shown: numbers of the rows that are worth a place on the screen; empty: all of them.
    """

    title: Value
    first: Value
    columns: tuple[Value, ...]
    rows: tuple[tuple[Value, tuple[Fraction | None, ...]], ...]
    note: Value = ""
    shown: tuple[int, ...] = ()

    @property
    def rows_shown(self) -> tuple[tuple[Value, tuple[Fraction | None, ...]], ...]:
        """Return the rows for the screen."""
        return tuple(self.rows[place] for place in self.shown) if self.shown else self.rows


class Chances:
    """What is told of any game: nothing that can be counted."""

    def tables(self, options: Any) -> Sequence[ChanceTable]:
        """Return the tables of the game with *options*."""
        return ()

    def seats(self, options: Any, players: int) -> tuple[Fraction, ...] | None:
        """Return the mean tokens a hand of each seat, the dealer last; ``None``: not countable."""
        return None
