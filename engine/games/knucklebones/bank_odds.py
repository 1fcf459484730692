"""What the bank is worth in One-and-Twenty, both sides playing their best (KB-4 to KB-22).

Everybody sees everything, so the best style follows by backward induction: the banker, who throws
last, answers what the others have made, and each of them counts on the answers of all after them.
Everything is exact, with the chances of the faces as data. Of choices that are worth the same, the
one with the fewest bones is taken.

**Two at the table.** Who holds the bank next is worth something as well, and depends on
``bank_passes``. Let *v* be what holding the bank now is worth over an endless evening; then not
holding it is worth *-v*, and *v* = E(tokens of this round) + *v* (P(it stays) - P(it passes)). The
style that is best for some *v* gives the next *v*, until it comes again (Newton's method, by halves
where that leaps too far; what is sought is piecewise linear in *v*, so it ends at the exact value).
Where the bank never passes, or always, no choice moves it, and the style is that of one round.

**More at the table.** The tokens of one round only: who plays for a later bank, must guess at what
several others do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import lcm

from engine.games.knucklebones.odds import BoneGame, allowed_bones
from engine.games.knucklebones.odds_throws import throw_weights
from engine.odds.totals import Totals
from engine.odds.unseen import OddsError

_PLAIN = BoneGame()

BANK_PASSES = ("best_winner", "left", "banker_over", "never")
"""How the bank may pass (rule KB-22)."""

MOST_PLAYERS = 3
"""Against the bank: with more there are too many throws to answer."""

_FAR = Fraction(10**6)
"""If the bank does not pass where it is worth so much, it never does."""

Weights = tuple[int, ...]
"""How likely each final total is: 0 to the target, then over; of a common whole."""


@dataclass(frozen=True, slots=True)
class BankOdds:
    """A round of one player against the bank, one token staked.

    Attributes:
        player: the chance of each final total, all over the target as ``game.bust``.
        banker: the same, of the rounds in which the player is not over.
        win: the chance that the player is paid.
        tie: that a tie moves nothing (only with ``push``, KB-16).
        edge: expected tokens of the bank.
        passes: the chance that the bank passes after the round (KB-11, KB-19, KB-22).
        worth: tokens that holding the bank now is worth over an endless evening; not holding it
            is worth as much below 0. ``None`` where it never passes.
    """

    player: Totals
    banker: Totals
    win: Fraction
    tie: Fraction
    edge: Fraction
    passes: Fraction
    worth: Fraction | None


@lru_cache(maxsize=256)
def bank_odds(game: BoneGame = _PLAIN, bank_passes: str = "best_winner") -> BankOdds:
    """Return what a round is worth with *game* and *bank_passes*, both sides playing their best.

    >>> float(round(bank_odds().edge, 4))
    0.2515

    Raises:
        OddsError: an unknown way for the bank to pass.
    """
    if bank_passes not in BANK_PASSES:
        raise OddsError(f"bank_passes: {bank_passes!r} is not known; use {BANK_PASSES!r}")
    if bank_passes in ("left", "never"):
        found = _round(game, "never", Fraction(0))
        if bank_passes == "never":
            return found
        return replace(found, passes=Fraction(1), worth=found.edge / 2)
    low: Fraction | None = None
    high: Fraction | None = None
    worth = Fraction(0)
    while True:
        found = _round(game, bank_passes, worth)
        gap = found.edge - 2 * found.passes * worth  # falls as the worth grows, without a leap
        if not gap or (found.worth is None and abs(worth) == _FAR):
            return found
        low, high = (worth, high) if gap > 0 else (low, worth)
        worth = found.worth if found.worth is not None else _FAR if gap > 0 else -_FAR
        if low is not None and high is not None and not low < worth < high:
            worth = (low + high) / 2


def seat_worths(game: BoneGame = _PLAIN, players: int = 1) -> tuple[Fraction, ...]:
    """Return the expected tokens of each seat in one round, one token staked by each player.

    Args:
        game: the options of the game.
        players: how many play against the bank, 1 to :data:`MOST_PLAYERS`.

    Returns:
        One for each player in the order of their turns, and the bank's at the end; they sum to 0.

    Raises:
        OddsError: too few or too many players.
    """
    if not 1 <= players <= MOST_PLAYERS:
        raise OddsError(f"{players} players against the bank: choose 1 to {MOST_PLAYERS}")
    worths = _worths(game, (), players)
    return (*worths, -sum(worths, Fraction(0)))


def _round(game: BoneGame, bank_passes: str, worth: Fraction) -> BankOdds:
    """Return a round in which the bank after it is worth *worth* to who holds it, and less so."""
    bust, scale = game.bust, worth.denominator
    stays = worth.numerator
    passed = {"best_winner": -stays, "banker_over": stays, "never": stays}[bank_passes]
    over = stays if bank_passes == "never" else -stays
    whole = _whole(game)
    answers, values = [], []
    for mine in range(bust):
        ends = [
            scale * _bank_takes(mine, his, game) + (stays if his >= mine else passed)
            for his in range(bust)
        ]
        answer = _best(game, (*ends, over - scale), banker=True)
        answers.append(answer)
        values.append(sum(w * end for w, end in zip(answer, (*ends, over - scale), strict=True)))
    # What the bank gets, the player loses; a player who is over gives up a token, the bank stays.
    player = _best(game, (*(-value for value in values), -whole * (scale + stays)))
    banker: defaultdict[int, int] = defaultdict(int)
    win = tie = passes = 0
    for mine, (weight, answer) in enumerate(zip(player, answers, strict=False)):
        for his, share in enumerate(answer):
            chance = weight * share
            banker[his] += chance
            wins = his in range(mine) or his == bust
            win += chance * wins
            tie += chance * (his == mine and game.tie == "push")
            if wins and (
                bank_passes == "best_winner" or (bank_passes, his) == ("banker_over", bust)
            ):
                passes += chance
    square = whole**2
    won, level, passing = (Fraction(each, square) for each in (win, tie, passes))
    edge = 1 - 2 * won - level
    return BankOdds(
        Totals.of(dict(enumerate(player))),
        Totals.of(banker),
        won,
        level,
        edge,
        passing,
        edge / (2 * passing) if passing else None,
    )


@lru_cache(maxsize=100_000)
def _worths(game: BoneGame, made: tuple[int, ...], players: int) -> tuple[Fraction, ...]:
    """Return what the round is worth to each player when the first of them have *made* totals."""
    if len(made) == players:
        answer, whole = _answer(game, tuple(sorted(made))), _whole(game)
        return tuple(Fraction(_paid(game, mine, answer), whole) for mine in made)
    after = [_worths(game, (*made, total), players) for total in range(game.bust + 1)]
    mine = [each[len(made)] for each in after]
    unit = lcm(*(value.denominator for value in mine))
    weights, whole = _best(game, [int(value * unit) for value in mine]), _whole(game)
    return tuple(
        sum((w * each[seat] for w, each in zip(weights, after, strict=True)), Fraction(0)) / whole
        for seat in range(players)
    )


@lru_cache(maxsize=100_000)
def _answer(game: BoneGame, made: tuple[int, ...]) -> Weights:
    """Return the banker's final totals where the players have *made* these, in any order."""
    still_in = [mine for mine in made if mine < game.bust]
    ends = [sum(_bank_takes(mine, his, game) for mine in still_in) for his in range(game.bust)]
    return _best(game, (*ends, -len(still_in)), banker=True)


def _paid(game: BoneGame, mine: int, banker: Weights) -> int:
    """Return the tokens that a final total *mine* gets, times the whole of the banker's weights."""
    if mine == game.bust:
        return -sum(banker)
    against = sum(w * _bank_takes(mine, his, game) for his, w in enumerate(banker[: game.bust]))
    return banker[game.bust] - against


def _bank_takes(mine: int, his: int, game: BoneGame) -> int:
    """Return the tokens the bank gets with *his* total from a player with *mine*, neither over."""
    if mine == his:
        return 0 if game.tie == "push" else 1
    return 1 if his > mine else -1


def _whole(game: BoneGame) -> int:
    """Return what the weights of final totals sum to."""
    return throw_weights(game.bones_first + game.max_extra, game.odds)[1]


def _best(game: BoneGame, ends: Sequence[int], *, banker: bool = False) -> Weights:
    """Return the final totals of who plays best where they are worth *ends*, 0 to over."""
    first, _ = throw_weights(game.bones_first, game.odds)
    rest = _whole(game) // throw_weights(game.bones_first, game.odds)[1]
    found = [0] * (game.bust + 1)
    singly = game.extra_mode == "one_at_a_time"
    play = _one_at_a_time(game, ends, banker) if singly else _at_once(game, ends, banker)
    for total, weight in first:
        if total > game.target:
            found[game.bust] += weight * rest
            continue
        for end, share in play[total]:
            found[end] += weight * share
    return tuple(found)


Outcomes = dict[int, tuple[tuple[int, int], ...]]
"""By total after the first throw: the final totals, and how likely each is."""


def _at_once(game: BoneGame, ends: Sequence[int], banker: bool) -> Outcomes:
    """Say once how many more bones (rule KB-5)."""
    most, unit = game.max_extra, throw_weights(1, game.odds)[1]
    found = {}
    for total in range(game.bust):
        best: tuple[int, int] | None = None
        for bones in allowed_bones(game, total, most, banker):
            weights, _ = throw_weights(bones, game.odds)
            value = sum(w * ends[min(total + points, game.bust)] for points, w in weights)
            value *= unit ** (most - bones)
            if best is None or value > best[0]:
                best = value, bones
        assert best is not None  # 0 bones or 1 are always allowed
        weights, _ = throw_weights(best[1], game.odds)
        left = unit ** (most - best[1])
        found[total] = tuple((min(total + points, game.bust), w * left) for points, w in weights)
    return found


def _one_at_a_time(game: BoneGame, ends: Sequence[int], banker: bool) -> Outcomes:
    """Ask for one more bone, or stick, at each total (rule KB-17)."""
    one, unit = throw_weights(1, game.odds)
    values = {total: ends[total] for total in range(game.bust)}
    plays = {total: {total: 1} for total in range(game.bust)}
    for left in range(1, game.max_extra + 1):
        whole = unit ** (left - 1)
        now, then = {}, {}
        for total in range(game.bust):
            more = sum(
                w * (values[total + p] if total + p < game.bust else ends[game.bust] * whole)
                for p, w in one
            )
            allowed = allowed_bones(game, total, left, banker)
            sticks = 0 in allowed and (ends[total] * whole * unit >= more or 1 not in allowed)
            if sticks:
                now[total], then[total] = ends[total] * whole * unit, {total: whole * unit}
                continue
            reached: defaultdict[int, int] = defaultdict(int)
            for p, w in one:
                onward = plays[total + p] if total + p < game.bust else {game.bust: whole}
                for end, share in onward.items():
                    reached[end] += w * share
            now[total], then[total] = more, dict(reached)
        values, plays = now, then
    return {total: tuple(play.items()) for total, play in plays.items()}
