"""P(win) of sticking now in One-and-Thirty and Bone-Ace, against hands nobody has shown.

**The model.** Every set of unseen cards is equally likely, wherever its cards lie. An opponent who
has stuck holds their known cards and as many random unseen cards as they show backs, not over 31
(nor under ``at_least``, if that is set). One still to act holds such cards too and plays "have it
until I stand at L or more" with their L; what they see does not change it. The cards of different
players are different cards: hands are counted together, without putting any card back.

**How far it is exact.** Opponents are followed one after another through the points of the cards
that are left, hands that beat or hands that do not, whichever are fewer; for the last of them a
closed count does. So one opponent is always exact and quick, and several who have stuck are while
few hands beat the total. The work multiplies with each opponent: no closed form is known for
several hands from one pack. *effort* bounds it. Where it does not suffice, the players are halved,
each half is counted together, and the halves' chances multiply, set right for how every two of
them who have stuck hang together; ``exact`` says so. docs/why/odds.md says what that costs.
``effort=None`` counts on however long it takes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb, perm

from engine.core.cards import Card
from engine.core.counting import GOAL, best_total, total
from engine.odds.paths import Paths, remove, walk, ways_to_draw
from engine.odds.totals import final_totals, look_at
from engine.odds.unseen import OddsError, Pool, split_known, ways

EFFORT = 20_000
"""Steps of adding one hand to another: what fits between two frames of the screen."""

_CLOSED_STEPS = {True: 250, False: 5_000}  # one closed count, if stuck or to act, in such steps
_WALK_STEPS = 60_000  # to follow one player to all the hands they may end with


@dataclass(frozen=True, slots=True)
class Opponent:
    """Another player, as the asker knows them.

    Attributes:
        cards: their hand; ``None`` is a card the asker does not know. Three cards at least.
        elder: they win a tie against the asker (rule OT-13).
        stick_at: they have yet to act, or are acting, and stick at this total or more; ``None``:
            they have stuck.
        at_least: of one who has stuck: they would not have with less.
    """

    cards: tuple[Card | None, ...]
    elder: bool = False
    stick_at: int | None = None
    at_least: int = 0


@dataclass(frozen=True, slots=True)
class StickChances:
    """What sticking now comes to.

    Attributes:
        win: the chance to win alone, ties counted as the tie rule says.
        share: the chance to share the win, where ties split (rule OT-14); else 0.
        exact: false where too many hands had to be counted for the effort allowed.
    """

    win: Fraction
    share: Fraction
    exact: bool

    @property
    def lose(self) -> Fraction:
        """The chance that somebody else wins."""
        return 1 - self.win - self.share


def stick_now(
    cards: Sequence[Card],
    opponents: Iterable[Opponent],
    seen: Iterable[Card] = (),
    *,
    decks: int = 1,
    ace_value: object = 1,
    tie_rule: str = "eldest",
    effort: int | None = EFFORT,
) -> StickChances:
    """Return the chance that *cards*, stuck with now, win the hand (rules OT-9 to OT-14).

    Players who are out are not opponents. Against nobody the hand is won; with 31 as well.

    Args:
        cards: the asker's hand, all of it known to them.
        opponents: everybody else still in, in any order; see :class:`Opponent` for the model.
        seen: other cards the asker knows: of players who are out, exposed ones. Not their own, and
            not those given with the opponents.
        decks: 1 or 2 packs.
        ace_value: 1, 11 or ``"1or11"``.
        tie_rule: ``"eldest"`` or ``"split"``.
        effort: bounds the counting, see the head of this module.

    Raises:
        OddsError: a card is named twice, a hand is out already, or an opponent's hand cannot be.
    """
    others = tuple(opponents)
    if tie_rule not in ("eldest", "split"):
        raise OddsError(f"tie_rule: {tie_rule!r} is not known; use 'eldest' or 'split'")
    known = [card for other in others for card in split_known(other.cards)[0]]
    _, _, unknown, pool = look_at(cards, [*known, *seen], decks, ace_value)
    mine = total(cards, ace_value)
    if unknown or mine is None:
        raise OddsError("the asker's own hand must be known; ask hand_total() about a hidden hand")
    if mine > GOAL:
        raise OddsError(f"a hand of {mine} is out and cannot stick; ask before it is over {GOAL}")
    if mine == GOAL:
        return StickChances(Fraction(1), Fraction(0), exact=True)
    if tie_rule == "split":
        level, sure = _all_stay(pool, [_rival(o, mine, ace_value) for o in others], effort)
        win, surer = _all_stay(pool, [_rival(o, mine - 1, ace_value) for o in others], effort)
        return StickChances(win, max(level - win, Fraction(0)), sure and surer)
    rivals = [_rival(other, mine - other.elder, ace_value) for other in others]
    win, exact = _all_stay(pool, rivals, effort)
    return StickChances(win, Fraction(0), exact)


@dataclass(frozen=True, slots=True)
class _Rival:
    """An opponent on points alone: ``hidden`` unknown cards on top of ``hard`` and ``aces``."""

    hidden: int
    hard: int
    aces: int
    stick_at: int | None
    at_least: int
    most: int  # with more, up to 31, they win
    ace_value: object

    def possible(self, points: int) -> bool:
        """Return whether their hand may come to this, as far as is known."""
        return self.stick_at is not None or self.at_least <= points <= GOAL

    def stays(self, points: int) -> bool:
        """Return whether they do not win with this."""
        return self.possible(points) and (points <= self.most or points > GOAL)


def _rival(other: Opponent, most: int, ace_value: object) -> _Rival:
    hard, aces, hidden, _ = look_at(other.cards, (), 2, ace_value)
    return _Rival(hidden, hard, aces, other.stick_at, other.at_least, most, ace_value)


def _all_stay(pool: Pool, rivals: Sequence[_Rival], effort: int | None) -> tuple[Fraction, bool]:
    """Return the chance that no rival wins, given that their hands are possible, and if exact."""
    # Those with few hands to follow come first: the last one's hands are not listed at all.
    order = sorted(rivals, key=lambda r: (r.stick_at is not None, r.hidden, r.hard, r.most))
    return _stay(pool, tuple(order), effort)


def _stay(pool: Pool, rivals: tuple[_Rival, ...], effort: int | None) -> tuple[Fraction, bool]:
    counted = _counted(pool, rivals, effort)
    if counted is not None:
        return counted, True
    half = len(rivals) // 2
    chance = _stay(pool, rivals[:half], effort)[0] * _stay(pool, rivals[half:], effort)[0]
    for pair in product(rivals[:half], rivals[half:]):
        chance *= _hold_together(pool, pair)
    return min(chance, Fraction(1)), False


@lru_cache(maxsize=1024)
def _counted(pool: Pool, rivals: tuple[_Rival, ...], effort: int | None) -> Fraction | None:
    """Return the exact chance that all stay; ``None`` if that is more work than *effort*."""
    if sum(rival.hidden for rival in rivals) > sum(pool):
        raise OddsError("more cards lie face down than are unseen; check which have been seen")
    stay = _together(pool, rivals, _Rival.stays, effort)
    stuck = tuple(rival for rival in rivals if rival.stick_at is None)
    given = _together(pool, stuck, _Rival.possible, effort)
    if stay is None or given is None:
        return None
    if not given:
        raise OddsError(
            "no unseen cards make the hands of those who have stuck; "
            "check the readings of the cards"
        )
    return stay / given


def _hold_together(pool: Pool, pair: tuple[_Rival, ...]) -> Fraction:
    """Return how much likelier both stay than if they were independent; 1 if that is too long."""
    if any(rival.stick_at is not None for rival in pair):
        return Fraction(1)
    both, *apart = (_counted(pool, some, EFFORT) for some in (pair, pair[:1], pair[1:]))
    if both is None or not apart[0] or not apart[1]:
        return Fraction(1)
    return both / (apart[0] * apart[1])


def _together(
    pool: Pool,
    rivals: tuple[_Rival, ...],
    wanted: Callable[[_Rival, int], bool],
    effort: int | None,
) -> Fraction | None:
    """Return the chance that all the hands are *wanted*; ``None`` if that takes too long."""
    states = {0: 1}
    left = float("inf") if effort is None else effort
    for place, rival in enumerate(rivals):
        closed = _CLOSED_STEPS[rival.stick_at is None] * len(states)
        if place == len(rivals) - 1 and (closed <= left or place == 0):
            return _closed(pool, states, rival, wanted)
        long = rival.stick_at is not None or comb(rival.hidden + 9, 9) > _WALK_STEPS // 10
        if long and left < _WALK_STEPS:
            return None
        hands = _hands(pool, rival, wanted)
        left -= len(hands) * len(states)
        if left < 0:
            return None
        after: defaultdict[int, int] = defaultdict(int)
        for code, orders in hands:
            for before, times in states.items():
                after[before + code] += times * orders
        states = {code: n for code, n in after.items() if remove(pool, code) is not None}
    return _weigh(pool, states)


def _hands(
    pool: Pool, rival: _Rival, wanted: Callable[[_Rival, int], bool]
) -> list[tuple[int, int]]:
    """List the wanted hands with their orders; or all hands, code 0, less the unwanted ones."""
    ends = _ends(pool, rival)
    hands = [(code, orders) for code, (orders, points) in ends.items() if wanted(rival, points)]
    if 2 * len(hands) <= len(ends):
        return hands
    unwanted = [(c, -orders) for c, (orders, points) in ends.items() if not wanted(rival, points)]
    return [(0, 1), *unwanted]


def _ends(pool: Pool, rival: _Rival) -> Paths:
    return walk(pool, rival.hidden, rival.hard, rival.aces, rival.stick_at, rival.ace_value)


def _weigh(pool: Pool, states: dict[int, int]) -> Fraction:
    """Return the chance of all hands of *states*, each so many orders of worths."""
    by_cards: defaultdict[int, int] = defaultdict(int)
    for code, orders in states.items():
        drawn, number = ways_to_draw(pool, code)
        by_cards[drawn] += orders * number
    return sum((Fraction(n, perm(sum(pool), k)) for k, n in by_cards.items()), Fraction(0))


def _closed(
    pool: Pool,
    states: dict[int, int],
    rival: _Rival,
    wanted: Callable[[_Rival, int], bool],
) -> Fraction:
    """Return the chance of *states* and of a wanted hand of *rival* from the cards left over."""
    chance = Fraction(0)
    for code, orders in states.items():
        rest = remove(pool, code)
        if rest is not None:
            drawn, number = ways_to_draw(pool, code)
            chance += Fraction(orders * number, perm(sum(pool), drawn)) * _one(rest, rival, wanted)
    return chance


def _one(pool: Pool, rival: _Rival, wanted: Callable[[_Rival, int], bool]) -> Fraction:
    """Return the chance of a wanted hand of one player."""
    at = rival.hard, rival.aces
    if rival.stick_at is not None:
        ends = final_totals(pool, rival.hidden, *at, rival.stick_at, rival.ace_value)
        return sum((p for points, p in ends.chances if wanted(rival, points)), Fraction(0))
    found = 0
    for hard, aces, count in ways(pool, rival.hidden):
        if wanted(rival, best_total(at[0] + hard, at[1] + aces, rival.ace_value)):
            found += count
    return Fraction(found, comb(sum(pool), rival.hidden))
