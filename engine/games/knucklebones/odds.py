"""How many bones to throw in One-and-Twenty (rules KB-4 to KB-10, KB-16 to KB-18).

**The models of the banker.** ``same_table``: they decide by the same table as the players, whatever
those have (with ``stand17`` that rule comes first); the table is the best answer to itself, see
:func:`same_table`. ``informed``: one player only; the banker knows that player's total and plays
best against it. Everything is exact, with the chances of the faces as data. The first question
about a set of options works out the tables, and they are kept.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Any

from engine.games.knucklebones.odds_throws import (
    PUBLISHED,
    TARGET,
    Faces,
    throw_totals,
    throw_weights,
)
from engine.odds.totals import Totals
from engine.odds.unseen import OddsError


@dataclass(frozen=True, slots=True)
class BoneGame:
    """The options of the game that chances depend on, named as in the game's own options."""

    target: int = TARGET
    bones_first: int = 5
    max_extra: int = 5
    extra_mode: str = "single_decision"
    tie: str = "banker"
    banker_rule: str = "free"
    odds: Faces = PUBLISHED

    def __post_init__(self) -> None:
        """Refuse options that the rules do not know.

        Raises:
            OddsError: a word that is no choice of its option.
        """
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                raise OddsError(f"{name}: {getattr(self, name)!r} is not known; use {choices!r}")

    @classmethod
    def of(cls, options: Any) -> BoneGame:
        """Return what chances depend on of the options in force; bones are as published."""
        names = (each.name for each in fields(cls) if each.name != "odds")
        return cls(**{name: getattr(options, name) for name in names})

    @property
    def bust(self) -> int:
        """The final total that stands for every throw over the target."""
        return self.target + 1


_CHOICES = {
    "extra_mode": ("single_decision", "one_at_a_time"),
    "tie": ("banker", "push"),
    "banker_rule": ("free", "stand17"),
}


@dataclass(frozen=True, slots=True)
class End:
    """What a final total is worth to who has it: chances to win and to tie, expected tokens."""

    win: Fraction
    tie: Fraction
    result: Fraction


@dataclass(frozen=True, slots=True)
class Throw:
    """One choice: so many more bones.

    Attributes:
        bones: thrown now. With ``one_at_a_time`` 0 or 1, and the rest after it played best.
        bust: the chance to go over in the end.
        win: to be paid; for a banker, that no player is paid and the bank stays (KB-12).
        tie: that a tie moves nothing (only with ``push``, KB-16).
        result: expected tokens, of one staked; for a banker, of all the stakes on the table.
    """

    bones: int
    bust: Fraction
    win: Fraction
    tie: Fraction
    result: Fraction


@dataclass(frozen=True, slots=True)
class BonesAdvice:
    """All the choices, by number of bones, and the best: of equals the one with fewest bones."""

    choices: tuple[Throw, ...]

    @property
    def best(self) -> Throw:
        """The choice with the best expected result."""
        return max(self.choices, key=lambda throw: (throw.result, -throw.bones))


@dataclass(frozen=True, slots=True)
class Table:
    """What to do at each total: ``((total, bones still allowed), bones to throw)``."""

    rows: tuple[tuple[tuple[int, int], int], ...]

    def bones(self, total: int, left: int) -> int:
        """Return how many bones to throw at *total* with *left* still allowed."""
        return dict(self.rows)[total, left]


class Ends:
    """What each final total is worth: 0 … target, then over. Immutable, one like no other.

    The same values are kept as whole numbers over ``unit``: weighing choices with them is many
    times quicker than with fractions, and as exact.
    """

    __slots__ = ("by_total", "unit", "whole")

    def __init__(self, by_total: Iterable[End]) -> None:
        """Keep the ends by final total."""
        self.by_total = tuple(by_total)
        values = [(end.win, end.tie, end.result) for end in self.by_total]
        self.unit = lcm(*(value.denominator for row in values for value in row))
        self.whole = tuple(tuple(int(value * self.unit) for value in row) for row in values)

    def __getitem__(self, total: int) -> End:
        """Return what a final *total* is worth."""
        return self.by_total[total]


def best_bones(
    total: int,
    thrown: int = 0,
    *,
    game: BoneGame = BoneGame(),
    banker: str = "same_table",
) -> BonesAdvice:
    """Advise a player who has *total* and has thrown *thrown* extra bones.

    More than 0 are thrown only with ``one_at_a_time`` (KB-17). The *banker* is ``"same_table"`` or
    ``"informed"``, see the head of this module.

    >>> best_bones(17).best.bones, best_bones(20).best.bones
    (1, 0)

    Raises:
        OddsError: a total over the target, more bones than allowed, an unknown banker.
    """
    if banker not in ("same_table", "informed"):
        raise OddsError(f"banker: {banker!r} is not known; use 'same_table' or 'informed'")
    ends = against(same_table(game), game) if banker == "same_table" else against_informed(game)
    return _advise(total, thrown, _Chooser(game, ends))


def best_bones_of_banker(
    total: int,
    players: Iterable[tuple[int, int]],
    thrown: int = 0,
    *,
    game: BoneGame = BoneGame(),
) -> BonesAdvice:
    """Advise the banker, who plays last and sees what everybody has (KB-9, KB-10, KB-18).

    The *players* still in are told as ``(total, stake)``; who is out has lost their stake.

    Raises:
        OddsError: as for :func:`best_bones`, or a player's total is over the target.
    """
    still_in = tuple(sorted(players))
    if any(points > game.target for points, _ in still_in):
        raise OddsError(f"players over {game.target} are out; name only those still in")
    return _advise(total, thrown, _Chooser(game, _bank_ends(still_in, game), banker=True))


@lru_cache(maxsize=16)
def same_table(game: BoneGame = BoneGame()) -> tuple[Table, ...]:
    """Return the table that is the best answer to a banker who plays by it themselves.

    It is found by answering the table "never more bones", then the answer, and so on. With some
    options (target 31) no table answers itself and the answers go round: then all the tables of
    the round are returned, and the banker is taken to use each of them equally often.
    """
    found = answers(game, Table(tuple((state, 0) for state in _states(game))))
    return found[found.index(found[-1]) : -1]


def answers(game: BoneGame, start: Table) -> tuple[Table, ...]:
    """Return the best answer to *start*, the best answer to that, until one comes again."""
    found = [best_answer(game, against((start,), game))]
    while found[-1] not in found[:-1]:
        found.append(best_answer(game, against((found[-1],), game)))
    return tuple(found)


def best_answer(game: BoneGame, ends: Ends) -> Table:
    """Return the table that does best where final totals are worth *ends*."""
    chooser = _Chooser(game, ends)
    return Table(tuple((state, chooser.best(*state).bones) for state in _states(game)))


@lru_cache(maxsize=64)
def finals(table: Table, game: BoneGame, banker: bool = False) -> Totals:
    """Return the final totals of who plays by *table*, all over the target as ``game.bust``.

    As *banker* they are bound by ``banker_rule`` (KB-18).
    """
    rows = dict(table.rows)
    sums: defaultdict[int, Fraction] = defaultdict(Fraction)
    going = dict(throw_totals(game.bones_first, 0, game.odds).chances)
    left, one_by_one = game.max_extra, game.extra_mode == "one_at_a_time"
    while going:
        after: defaultdict[int, Fraction] = defaultdict(Fraction)
        for total, chance in going.items():
            bones = 0
            if total <= game.target:
                bones = rows[total, left]
                if banker:
                    allowed = allowed_bones(game, total, left, banker)
                    bones = min(max(bones, allowed[0]), allowed[-1])
            reached = after if bones and one_by_one else sums
            for end, share in throw_totals(bones, total, game.odds).chances:
                reached[end if reached is after else min(end, game.bust)] += chance * share
        going, left = after, left - 1
    return Totals.of(sums)


@lru_cache(maxsize=64)
def against(tables: tuple[Table, ...], game: BoneGame) -> Ends:
    """Return what a player's final totals are worth against a banker who plays by *tables*.

    Of several tables the banker uses each equally often.
    """
    bankers = [finals(table, game, banker=True) for table in tables]
    counts: defaultdict[int, Fraction] = defaultdict(Fraction)
    for each in bankers:
        for total, chance in each.chances:
            counts[total] += chance
    banker = Totals.of(counts)
    over = banker.at(game.bust)
    ends = []
    for mine in range(game.target + 1):
        win, level = over + banker.between(0, mine - 1), banker.at(mine)
        ends.append(_end(win, level, game))
    return Ends([*ends, _end(Fraction(0), Fraction(0), game)])


@lru_cache(maxsize=64)
def against_informed(game: BoneGame = BoneGame()) -> Ends:
    """Return what a lone player's final totals are worth against a banker who knows them."""
    ends = []
    for mine in range(game.target + 1):
        bank = _Chooser(game, _bank_ends(((mine, 1),), game), banker=True)
        win = level = Fraction(0)
        for total, chance in throw_totals(game.bones_first, 0, game.odds).chances:
            if total > game.target:
                win += chance
                continue
            throw = bank.best(total, game.max_extra)
            win += chance * (1 - throw.win)
            level += chance * throw.tie
        # The bank stays on a push (KB-16), so its "win" holds the ties; the player's does not.
        ends.append(_end(win, level, game))
    return Ends([*ends, _end(Fraction(0), Fraction(0), game)])


def overall(game: BoneGame, ends: Ends) -> End:
    """Return what a round is worth to a player before their first throw, played best."""
    chooser = _Chooser(game, ends)
    win = tie = Fraction(0)
    for total, chance in throw_totals(game.bones_first, 0, game.odds).chances:
        if total <= game.target:
            best = chooser.best(total, game.max_extra)
            win, tie = win + chance * best.win, tie + chance * best.tie
    return End(win, tie, 2 * win + tie - 1)


def _end(win: Fraction, level: Fraction, game: BoneGame) -> End:
    """Make a player's end; level totals are the bank's (KB-8) or move nothing (KB-16)."""
    tie = level if game.tie == "push" else Fraction(0)
    return End(win, tie, 2 * win + tie - 1)


@lru_cache(maxsize=256)
def _bank_ends(players: tuple[tuple[int, int], ...], game: BoneGame) -> Ends:
    """Return what the banker's final totals are worth to them (KB-9, KB-10, KB-16)."""
    ends = []
    for mine in range(game.target + 2):
        bust = mine == game.bust
        paid = [stake for points, stake in players if bust or points > mine]
        level = [stake for points, stake in players if not bust and points == mine]
        taken = [stake for points, stake in players if not bust and points < mine]
        push = game.tie == "push"
        result = sum(taken) - sum(paid) + (0 if push else sum(level))
        tie = push and bool(level) and not paid
        ends.append(End(Fraction(not paid), Fraction(tie), Fraction(result)))
    return Ends(ends)


def allowed_bones(game: BoneGame, total: int, left: int, banker: bool) -> range:
    """Return the numbers of bones one may throw (KB-5, KB-17); the banker may be bound (KB-18)."""
    free = range((min(left, 1) if game.extra_mode == "one_at_a_time" else left) + 1)
    if not banker or game.banker_rule == "free" or free.stop == 1:
        return free
    return range(1) if total >= 17 else free[1:]  # one at a time: at every choice, "hit 16"


def _states(game: BoneGame) -> list[tuple[int, int]]:
    lefts = [game.max_extra] if game.extra_mode == "single_decision" else range(game.max_extra + 1)
    return [(total, left) for left in lefts for total in range(game.target + 1)]


def _advise(total: int, thrown: int, chooser: _Chooser) -> BonesAdvice:
    game = chooser.game
    if not 0 <= total <= game.target:
        raise OddsError(f"a total of {total} is over {game.target}; there is nothing to choose")
    most = 0 if game.extra_mode == "single_decision" else game.max_extra
    if not 0 <= thrown <= most:
        raise OddsError(
            f"{thrown} extra bones are thrown; with {game.extra_mode} one chooses after "
            f"0 to {most} of them"
        )
    return chooser.choices(total, game.max_extra - thrown)


class _Chooser:
    """Weighs the numbers of bones by what final totals are worth; keeps what was weighed."""

    def __init__(self, game: BoneGame, ends: Ends, banker: bool = False) -> None:
        self.game, self._ends, self._banker = game, ends, banker
        self._known: dict[tuple[int, int], BonesAdvice] = {}

    def choices(self, total: int, left: int) -> BonesAdvice:
        """Weigh every number of bones at *total* with *left* still allowed."""
        if (total, left) not in self._known:
            singly = self.game.extra_mode == "one_at_a_time"
            self._known[total, left] = BonesAdvice(
                tuple(
                    self._one_more(total, left) if bones and singly else self._weigh(total, bones)
                    for bones in allowed_bones(self.game, total, left, self._banker)
                )
            )
        return self._known[total, left]

    def best(self, total: int, left: int) -> Throw:
        """Return the best choice; the others are only compared, in whole numbers."""
        game, ends = self.game, self._ends.whole
        if game.extra_mode == "one_at_a_time":
            return self.choices(total, left).best
        best_bones, best_result, best_whole = -1, 0, 1
        for bones in allowed_bones(game, total, left, self._banker):
            weights, whole = throw_weights(bones, game.odds)
            result = sum(w * ends[min(total + points, game.bust)][2] for points, w in weights)
            if best_bones < 0 or result * best_whole > best_result * whole:
                best_bones, best_result, best_whole = bones, result, whole
        return self._weigh(total, best_bones)

    def _weigh(self, total: int, bones: int) -> Throw:
        """Weigh *bones* bones after which nothing is left to choose."""
        weights, whole = throw_weights(bones, self.game.odds)
        bust = win = tie = result = 0
        for points, weight in weights:
            if total + points > self.game.target:
                bust += weight
            at = self._ends.whole[min(total + points, self.game.bust)]
            win += weight * at[0]
            tie += weight * at[1]
            result += weight * at[2]
        values = (Fraction(value, whole * self._ends.unit) for value in (win, tie, result))
        return Throw(bones, Fraction(bust, whole), *values)

    def _one_more(self, total: int, left: int) -> Throw:
        """Weigh one more bone with what is best after it (KB-17)."""
        bust = win = tie = result = Fraction(0)
        for end, chance in throw_totals(1, total, self.game.odds).chances:
            if end > self.game.target:
                over = self._ends[self.game.bust]
                after = Throw(0, Fraction(1), over.win, over.tie, over.result)
            else:
                after = self.choices(end, left - 1).best
            bust += chance * after.bust
            win += chance * after.win
            tie += chance * after.tie
            result += chance * after.result
        return Throw(1, bust, win, tie, result)
