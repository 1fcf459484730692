"""Players of One-and-Thirty and Bone-Ace: have it, or stick (rules OT-6, OT-17, OT-18).

**Cautious** sticks at 22, the first total at which a card can put them out (the ace at 1). **Bold**
sticks at 27.

**Exact** takes a card when that is worth more tokens. What a total is worth: the chance that it
wins what the others pay, less the stake if it does not, less what a 31 of somebody still to act
costs on top (OT-10). Others who have stuck hold any hand from 22 to 31 that the unseen cards make,
others still to act stick at 25; each is counted exactly by :mod:`engine.odds`, and the chances of
several multiply. With one other player that is
:func:`engine.games.one_and_thirty.odds.stick_now`. One's own next cards are followed one by one out
of the unseen cards. What the others hold is taken as it is now: that one's own next cards are then
missing there is left out.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from engine.core.cards import Card
from engine.core.counting import GOAL, best_total
from engine.core.events import Claim, Declare, Event
from engine.core.views import SeatStatus, SeatView
from engine.games.counting_player import CountingPlayer
from engine.games.decision import Decision, Style
from engine.odds.totals import Totals, hand_total, stick_at
from engine.odds.unseen import Pool, unseen, without

RIVAL_STICKS_AT = 25
"""What the exact player takes the others for."""
RIVAL_HAS = 22
"""The least they take one who has stuck to hold."""
MOST_ANSWERS = 20_000
"""How many answers a player remembers."""


class OneAndThirtyPlayer(CountingPlayer):
    """Calls 31 at once, even out of turn; sticks or has another by what that is worth."""

    def __init__(self, style: Style) -> None:
        """Play in that style; questions that came before are answered as they were then."""
        super().__init__(style)
        self._answers: dict[Hashable, bool] = {}

    def answer(self, asked: Decision) -> Event | None:
        """Call 31 (rules OT-9, OT-17); else do as in any counting game."""
        if self.points(asked) == GOAL and asked.may(Declare.kind, Claim.THIRTY_ONE):
            return Declare(asked.seat, Claim.THIRTY_ONE, asked.hand)
        return super().answer(asked)

    def wants(self, asked: Decision) -> bool:
        """Return whether they will have another card; they are not over 31."""
        if self.style is not Style.EXACT:
            return super().wants(asked)
        if cannot_hurt(self.points(asked), asked.options):
            return True
        key = _all_that_matters(asked)
        if key not in self._answers:
            if len(self._answers) >= MOST_ANSWERS:
                self._answers.clear()
            worth = Worth.of(asked)
            self._answers[key] = worth.of_having() > worth.of_sticking()
        return self._answers[key]


def _all_that_matters(asked: Decision) -> Hashable:
    """Return what the answer depends on: points but no suits, and how the others stand."""
    elders = asked.elders
    rivals = ((seat.status, seat.seat in elders, _points(seat.cards)) for seat in asked.rivals)
    seen = (_points(seat.cards) for seat in asked.others)
    held, stakes = _points(asked.hand), Stakes.of(asked)
    return held, tuple(sorted(rivals)), tuple(sorted(seen)), stakes, asked.options


def _points(cards: Iterable[Card | None]) -> tuple[int, ...]:
    """Return the points of cards, the lowest first; 0 for one that is not known."""
    return tuple(sorted(0 if card is None else card.rank.points for card in cards))


def cannot_hurt(points: int, options: Any) -> bool:
    """Return whether no card takes a hand of so many points over 31, or makes it less."""
    return options.ace_value != "1or11" and points + max(10, int(options.ace_value)) <= GOAL


@dataclass(frozen=True, slots=True)
class Stakes:
    """What the ends of a hand are worth to one player, in tokens.

    Attributes:
        win: for the best hand that is no 31 (OT-12).
        share: for sharing that with one other (OT-14).
        win_31: for 31 (OT-10).
        lose: below 0, for anything else.
        lose_31: what is lost on top when somebody else has 31.
    """

    win: float
    share: float
    win_31: float
    lose: float
    lose_31: float

    @classmethod
    def of(cls, asked: Decision) -> Stakes:
        """Read them from the options (rules OT-10, OT-12, OT-14, BA-6, BA-10)."""
        options, stake = asked.options, asked.options.stake
        others = len(asked.others)
        if getattr(options, "bone_effect", "") == "half_pot":
            pool = stake * (others + 1)
            rest = pool - pool // 2  # what was put in is gone, and 31 is paid no better
            return cls(rest, rest / 2, rest, 0, 0)
        double = stake if options.double_on_31 else 0
        more = {seat.seat: double for seat in asked.view.seats}
        if getattr(options, "cap_double", "") == "whole_hand" and asked.view.bone is not None:
            for seat, paid in asked.view.bone.payments:
                more[seat] = max(0, double + min(paid, 0))
        extra = sum(more[seat.seat] for seat in asked.others)
        return cls(
            win=stake * others,
            share=stake * (others - 1) / 2,
            win_31=stake * others + extra,
            lose=-stake,
            lose_31=-more[asked.seat],
        )


class Worth:
    """What sticking and having are worth to a player, in expected tokens."""

    def __init__(
        self, hand: Sequence[Card], pool: Pool, stakes: Stakes, ends: Sequence[_Rival], options: Any
    ) -> None:
        """Weigh *hand* against the *ends* of the others' hands; *pool* are the unseen cards."""
        self._hard = sum(card.rank.points for card in hand)
        self._aces = sum(1 for card in hand if card.rank.points == 1)
        self._pool = pool
        self._stakes = stakes
        self._options = options
        self._ends = ends
        self._known: dict[Pool, float] = {}
        self._totals: dict[int, float] = {}
        self._call = (1 - prod(1 - rival.makes_31 for rival in ends)) * stakes.lose_31

    @classmethod
    def of(cls, asked: Decision) -> Worth:
        """Look at the table as the person who is asked sees it."""
        options = asked.options
        seen = [card for seat in asked.others for card in seat.cards if card is not None]
        pool = unseen([*asked.hand, *seen], options.decks)
        elders = asked.elders
        ends = [
            _Rival.of(seat, seat.seat in elders, asked.hand, seen, options) for seat in asked.rivals
        ]
        return cls(asked.hand, pool, Stakes.of(asked), ends, options)

    def of_sticking(self) -> float:
        """Return the tokens that sticking now brings on average."""
        return self._stick(best_total(self._hard, self._aces, self._options.ace_value))

    def of_having(self) -> float:
        """Return the tokens that one more card brings, played best after it."""
        return self._have(self._hard, self._aces, self._pool)

    def win(self, points: int) -> float:
        """Return the chance that *points* win alone, ties counted as the tie rule says."""
        return prod(rival.stays_below(points) for rival in self._ends)

    def _stick(self, points: int) -> float:
        if points not in self._totals:
            self._totals[points] = self._worth_of(points)
        return self._totals[points]

    def _worth_of(self, points: int) -> float:
        stakes = self._stakes
        if points == GOAL:
            return stakes.win_31
        win, level = self.win(points), 0.0
        if self._options.tie_rule == "split":
            level = prod(each.stays_below(points) + each.levels(points) for each in self._ends)
            level -= win
        return (
            win * stakes.win + level * stakes.share + (1 - win - level) * stakes.lose + self._call
        )

    def _have(self, hard: int, aces: int, pool: Pool) -> float:
        if pool in self._known:
            return self._known[pool]
        value, cards = 0.0, sum(pool)
        for points, count in enumerate(pool, start=1):
            if count:
                now = hard + points, aces + (points == 1)
                value += count / cards * self._after(*now, without(pool, points))
        # The same cards drawn in another order leave the same pool.
        self._known[pool] = value
        return value

    def _after(self, hard: int, aces: int, pool: Pool) -> float:
        points = best_total(hard, aces, self._options.ace_value)
        if points > GOAL:
            return self._stakes.lose + self._call
        if points == GOAL or not sum(pool):
            return self._stick(points)
        if cannot_hurt(points, self._options):
            return self._have(hard, aces, pool)
        return max(self._stick(points), self._have(hard, aces, pool))


@dataclass(frozen=True, slots=True)
class _Rival:
    """Where another player's hand may end.

    Attributes:
        ends: chances by total.
        ties: the part of a tie that is theirs: 1 if they are elder, 0 if not (rule OT-13).
        makes_31: the chance that they still call 31 and end the hand.
    """

    ends: dict[int, float]
    ties: float
    makes_31: float

    @classmethod
    def of(
        cls,
        rival: SeatView,
        elder: bool,
        hand: Sequence[Card],
        seen: Sequence[Card],
        options: Any,
    ) -> _Rival:
        """Count their hand, of which some cards may lie open."""
        elsewhere = list(seen)
        for card in rival.cards:
            if card is not None:
                elsewhere.remove(card)
        known = [*hand, *elsewhere]
        # Ages are not on the screen: where the older person wins, a tie is as good as half one.
        ties = 0.5 if options.eldest_means == "age" else float(elder)
        if options.tie_rule == "split":
            ties = 1.0
        decks, ace = options.decks, options.ace_value
        if rival.status is SeatStatus.STUCK:
            held = hand_total(rival.cards, known, decks=decks, ace_value=ace, still_in=True)
            return cls(_at_least(held, RIVAL_HAS), ties, 0.0)
        final = stick_at(RIVAL_STICKS_AT, rival.cards, known, decks=decks, ace_value=ace)
        ends = {points: float(chance) for points, chance in final.chances}
        return cls(ends, ties, ends.get(GOAL, 0.0))

    def stays_below(self, points: int) -> float:
        """Return the chance that they do not win against *points*, a tie included where theirs."""
        below = sum(p for end, p in self.ends.items() if end < points or end > GOAL)
        return below + (1 - self.ties) * self.levels(points)

    def levels(self, points: int) -> float:
        """Return the chance that they end with as many."""
        return self.ends.get(points, 0.0)


def _at_least(held: Totals, least: int) -> dict[int, float]:
    """Return the chances of who would not have stuck with less; all of them if none is so high."""
    chances = {points: float(p) for points, p in held.chances if points >= least}
    whole = sum(chances.values())
    if not whole:
        return {points: float(p) for points, p in held.chances}
    return {points: p / whole for points, p in chances.items()}
