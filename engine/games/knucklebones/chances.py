"""Chances of One-and-Twenty with knucklebones, and what each seat is worth there, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial, lcm, prod
from typing import Any

from engine.core.bones import Face
from engine.core.messages.message import Message, Value
from engine.games.chances import Chances, ChanceTable
from engine.games.knucklebones.odds import (
    BoneGame,
    against,
    against_informed,
    best_answer,
    best_bones_of_banker,
    finals,
    same_table,
)
from engine.games.knucklebones.odds_throws import PUBLISHED, TARGET, Faces, faces, throw_totals

REMEMBERED = Fraction(1, 10)
"""How often a first throw of five bones is over 21, as S4 remembers it ("say around 1 in 10")."""
MOST_COLUMNS = 6
"""Numbers of more bones that a table shows."""


class BonesChances(Chances):
    """What is counted with the published chances of the faces."""

    def tables(self, options: Any) -> Sequence[ChanceTable]:
        """Return the chances of the first throw, and of so many more bones (KB-4, KB-6, KB-7)."""
        game = BoneGame.of(options)
        first, target, most = options.bones_first, options.target, options.max_extra
        totals = [t for t, _ in throw_totals(first).chances if t <= target]
        bones = range(1, min(most, MOST_COLUMNS) + 1)
        columns: tuple[Value, ...] = tuple(Message("{n} more", n=k) for k in bones)
        tables = [_first_throw(game)]
        for title, chance in (
            (Message("Over {target} with more bones", target=target), _over),
            (Message("Exactly {target} with more bones", target=target), _exactly),
        ):
            rows = tuple((t, tuple(chance(t, k, target) for k in bones)) for t in totals)
            shown = tuple(place for place, t in enumerate(totals) if t >= target - 11)
            tables.append(ChanceTable(title, Message("you have"), columns, rows, shown=shown))
        return tables if bones else tables[:1]

    def seats(self, options: Any, players: int) -> tuple[Fraction, ...] | None:
        """Return what each seat is worth, the banker last, each stake being one token.

        All is counted: each player throws by the best table, the last of them against a banker who
        knows their total if nobody else is in, and the banker sees what everybody has. Bones one
        at a time are not counted here.
        """
        game = BoneGame.of(options)
        if game.extra_mode != "single_decision":
            return None
        usual = finals(best_answer(game, against(same_table(game), game)), game).chances
        alone = finals(best_answer(game, against_informed(game)), game).chances
        banker = _Banker(game)
        mean = sum(
            (chance * banker.result(held) for held, chance in _deals(usual, players - 1)),
            Fraction(0),
        )
        # The last player, when all the others are over, plays against one who knows the total.
        over = dict(usual).get(game.bust, Fraction(0)) ** (players - 2)
        lone = [sum(p * banker.result((t,)) for t, p in ends) for ends in (usual, alone)]
        gain = over * (lone[0] - lone[1])
        each = -mean / (players - 1)
        return (*[each] * (players - 2), each + gain, mean - gain)


class _Banker:
    """What a round is worth to a banker who sees what everybody has (rules KB-8 to KB-10)."""

    def __init__(self, game: BoneGame) -> None:
        """Weigh every choice against one player with each total: the gains of several add up."""
        self._bust = game.bust
        self._first: list[tuple[int, list[list[int]]]] = []
        weighed = []
        for total, chance in throw_totals(game.bones_first, 0, game.odds).chances:
            if total > game.target:
                weighed.append((chance, [[Fraction(-1)] * game.bust]))
                continue
            against_each = [
                best_bones_of_banker(total, [(mine, 1)], game=game).choices
                for mine in range(game.bust)
            ]
            by_bones = zip(*against_each, strict=True)
            weighed.append((chance, [[each.result for each in row] for row in by_bones]))
        self._unit = lcm(
            *(value.denominator for _, rows in weighed for row in rows for value in row),
        )
        whole = lcm(*(chance.denominator for chance, _ in weighed))
        for chance, rows in weighed:
            ints = [[int(value * self._unit) for value in row] for row in rows]
            self._first.append((int(chance * whole), ints))
        self._unit *= whole

    def result(self, held: Sequence[int]) -> Fraction:
        """Return the tokens that the bank gains if the players *held* so much; over is a stake."""
        totals = [total for total in held if total != self._bust]
        gain = sum(
            weight * max(sum(map(row.__getitem__, totals)) for row in rows)
            for weight, rows in self._first
        )
        return len(held) - len(totals) + Fraction(gain, self._unit)


def _deals(
    ends: Sequence[tuple[int, Fraction]], players: int
) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Yield what *players* may have, in any order, and how likely that is."""
    chances = dict(ends)
    for held in combinations_with_replacement(chances, players):
        counts = Counter(held)
        ways = factorial(players) // prod(map(factorial, counts.values()))
        yield held, prod((chances[total] ** n for total, n in counts.items()), start=Fraction(ways))


def _over(total: int, bones: int, target: int) -> Fraction:
    return throw_totals(bones, total).above(target)


def _exactly(total: int, bones: int, target: int) -> Fraction:
    return throw_totals(bones, total).at(target)


def _first_throw(game: BoneGame) -> ChanceTable:
    """Return how often the first throw is over, with bones, equal faces, and in S4's memory."""
    equal = faces(dict.fromkeys(Face, 1))
    chances: list[tuple[Value, tuple[Fraction | None, ...]]] = [
        (Message("as sheep's bones fall"), (_first_over(game, PUBLISHED),)),
        (Message("if all faces fell alike"), (_first_over(game, equal),)),
    ]
    note: Value = ""
    if (game.bones_first, game.target) == (5, TARGET):
        chances.insert(0, (Message("as the post of 2001 remembers it"), (REMEMBERED,)))
        needed = next(n for n in range(10, 26) if _first_over(game, _rare(n)) >= REMEMBERED)
        note = Message(
            "Over {target} takes a 6. A bone shows one 10 times in 100, as others counted; 1 first "
            "throw in 10 would be over if it were {n}. The post says “around”, and has no count.",
            target=game.target,
            n=needed,
        )
    title = Message("Over {target} with the first throw", target=game.target)
    return ChanceTable(
        title, Message("how bones fall"), (Message("chance"),), tuple(chances), note=note
    )


def _first_over(game: BoneGame, odds: Faces) -> Fraction:
    return throw_totals(game.bones_first, 0, odds).above(game.target)


def _rare(percent: int) -> Faces:
    """Return bones that show 1 and 6 *percent* times of 100 each, 3 and 4 equally often."""
    often = 50 - percent
    return faces(
        {Face.FLAT: percent, Face.CONCAVE: often, Face.CONVEX: often, Face.TWISTED: percent}
    )
