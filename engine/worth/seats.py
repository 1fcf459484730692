"""What each seat and the deal are worth: exactly, from the table, or from hands played now.

Worth is mean tokens a hand, in a match with lives the chance to win it, where points are counted
mean points a hand. Seats are named from the dealer of the hand, in a match of its first hand.
"""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import sqrt
from statistics import mean, stdev
from typing import Any

from engine.core.payments import Unit
from engine.games import catalog
from engine.games.base import Game
from engine.games.chances import Chances
from engine.odds.unseen import OddsError
from engine.worth.matches import won
from engine.worth.packs import Hand, Luck, Packs

BATCHES = 20
"""Parts into which what was played is divided, to see how much the figures vary by chance."""
MATCHES = 20_000
"""Matches put together of the hands that were played."""
_T = (
    *(12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13),
    *(2.12, 2.11, 2.10, 2.09, 2.09, 2.08, 2.07, 2.07, 2.06, 2.06, 2.06, 2.05, 2.05, 2.05, 2.04),
)
"""Student's t, two-sided 95 %, with 1, 2 … degrees of freedom; 1.96 with many."""


@dataclass(frozen=True, slots=True)
class Worth:
    """A figure and its interval.

    Attributes:
        mean: what it is on average.
        within: half the width of the 95 % interval around it; 0 where it is exact.
    """

    mean: float
    within: float = 0.0


@dataclass(frozen=True, slots=True)
class SeatWorths:
    """What each seat is worth.

    Attributes:
        unit: ``lives``: chances to win the match; else tokens or points a hand.
        seats: the first on the dealer's left first, the dealer last.
        deal: what the dealer has more than the others have on average.
        hands: how many were played for it; 0: it is exact.
    """

    unit: Unit
    seats: tuple[Worth, ...]
    deal: Worth
    hands: int

    @property
    def exact(self) -> bool:
        """Whether it was counted, not played."""
        return not self.hands


def exactly(game: Game, options: Any, players: int) -> SeatWorths | None:
    """Return the worths where they can be counted; ``None`` where they cannot."""
    teacher: Chances = pkgutil.resolve_name(game.chances)()
    found = teacher.seats(options, players)
    if found is None:
        return None
    values = tuple(map(float, found))
    return SeatWorths(game.match.unit(options), tuple(map(Worth, values)), Worth(_deal(values)), 0)


def from_table(game: str, preset: str, players: int) -> SeatWorths | None:
    """Return the worths of a preset as it stands, from the table; ``None`` if it has none."""
    row = _table().get(f"{game} {preset} {players}")
    if row is None:
        return None
    seats = tuple(Worth(*each) for each in row["seats"])
    return SeatWorths(Unit(row["unit"]), seats, Worth(*row["deal"]), row["hands"])


@cache
def _table() -> dict[str, Any]:
    data = pkgutil.get_data("engine.worth", "table.json")
    assert data is not None  # it is part of the package
    rows: dict[str, Any] = json.loads(data)
    return rows


class Playing:
    """Plays packs until it is told to stop, and says what the seats are worth by them.

    Attributes:
        hands: how many were played.
    """

    def __init__(
        self, game: Game, preset: str, changes: Mapping[str, object], players: int
    ) -> None:
        """Get ready.

        Raises:
            BoneAceError: nobody plays the game, or not so many, or an option is wrong.
        """
        self._options = catalog.make_options(game, catalog.find_preset(game, preset), changes)
        self._unit = game.match.unit(self._options)
        self._players = players
        sizes = range(2, players + 1) if self._unit is Unit.LIVES else (players,)
        self._tables = {size: Packs(game, preset, changes, size) for size in sizes}
        self._packs: dict[int, list[tuple[Hand, ...]]] = {size: [] for size in sizes}
        self.hands = 0

    def play(self, rng: Luck) -> None:
        """Play one pack more, of the size of which the fewest hands were played."""
        size = min(self._packs, key=lambda each: each * len(self._packs[each]))
        self._packs[size].append(self._tables[size].play(rng))
        self.hands += size

    @property
    def enough(self) -> bool:
        """Whether there is an interval: every size was played twice."""
        return min(map(len, self._packs.values())) > 1

    def worths(self, rng: Luck) -> SeatWorths:
        """Return what the seats are worth by what was played; *rng* draws the hands of matches.

        Raises:
            OddsError: too little was played.
        """
        if not self.enough:
            raise OddsError("too few hands were played to tell anything; give it more seconds")
        return worths(self._packs, self._players, self._options, self._unit, rng)


def worths(
    packs: Mapping[int, Sequence[Sequence[Hand]]], players: int, options: Any, unit: Unit, rng: Luck
) -> SeatWorths:
    """Return what the seats are worth by the hands of *packs*, given for each number of players.

    At least two packs of each are needed. *rng* draws the hands of matches.
    """
    hands = sum(size * len(played) for size, played in packs.items())
    if unit is not Unit.LIVES:
        return _summed([_means(pack) for pack in packs[players]], unit, hands)
    parts = min(BATCHES, *map(len, packs.values()))
    shares = []
    for part in range(parts):
        some = {size: _flat(played[part::parts]) for size, played in packs.items()}
        shares.append(won(some, players, options, MATCHES // parts, rng))
    whole = {size: _flat(played) for size, played in packs.items()}
    middle = won(whole, players, options, MATCHES, rng)
    return _summed(shares, unit, hands, middle)


def _summed(
    samples: Sequence[Sequence[float]],
    unit: Unit,
    hands: int,
    middle: Sequence[float] | None = None,
) -> SeatWorths:
    """Return the means over *samples*, or *middle* if it is given, with the intervals."""
    values = list(zip(*samples, strict=True))
    centre = list(map(mean, values)) if middle is None else list(middle)
    seats = [Worth(m, _within(each)) for m, each in zip(centre, values, strict=True)]
    deal = Worth(_deal(centre), _within([_deal(sample) for sample in samples]))
    return SeatWorths(unit, tuple(seats), deal, hands)


def _deal(values: Sequence[float]) -> float:
    return values[-1] - mean(values[:-1])


def _means(pack: Sequence[Hand]) -> tuple[float, ...]:
    return tuple(sum(each) / len(pack) for each in zip(*pack, strict=True))


def _flat(packs: Sequence[Sequence[Hand]]) -> list[Hand]:
    return [hand for pack in packs for hand in pack]


def _within(samples: Sequence[float]) -> float:
    """Return half the width of the 95 % interval of the mean of *samples*."""
    free = len(samples) - 1
    return (_T[free - 1] if free <= len(_T) else 1.96) * stdev(samples) / sqrt(len(samples))
