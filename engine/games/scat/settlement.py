"""What a finished round of Thirty-one brings: lives, points or tokens, and each payment of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.fast_replace import replace
from engine.core.outcome import End
from engine.core.payments import Payment, PaymentReason, Payments, Unit, net_tokens
from engine.core.tokens import Tokens, share
from engine.games.scat.play import ScatMatchState, ScatPlay
from engine.games.scat.points import BLITZ

LOW, MIDDLE, HIGH = 1, 2, 3
"""Points of the lowest hand, those between, and the highest (rule NE-1)."""
KNOCKER = {LOW: 0, MIDDLE: 1, HIGH: 4}
"""What the knocker gets instead (rule NE-2)."""
BLITZ_POINTS = 6
"""Points of a blitz (rule NE-4)."""

Scores = dict[int, tuple[int, PaymentReason, tuple[str, ...]]]
"""By seat: lives lost or points gained, why, and by which rules, the deciding one first."""


@dataclass(frozen=True, slots=True)
class ScatDetails:
    """What only this game has to say of a finished hand; everything by seat.

    Attributes:
        values: suit values; ``None`` where a card was never seen, the player left or threw in.
        names: what the hands are in Brag; ``None`` likewise; empty where suits count.
        lost: lives charged in this hand, more than the player had left if need be.
        lives: lives left after it, of all who ever played the match.
        county: who is in play without a life left (rule SC-19).
        eliminated: who was put out of the match by this hand.
        void: all would have gone out, so no lives were lost (rule SC-25).
        gained: points of this hand.
        points: running totals after it.
        pot_carried: tokens left on the table (rule BK-8).
    """

    knocker: int | None
    values: tuple[tuple[int, float | None], ...]
    names: tuple[tuple[int, str | None], ...] = ()
    lost: Tokens = ()
    lives: Tokens = ()
    county: tuple[int, ...] = ()
    eliminated: tuple[int, ...] = ()
    void: bool = False
    gained: Tokens = ()
    points: Tokens = ()
    pot_carried: int = 0
    restarter: int | None = None


def details(play: ScatPlay) -> ScatDetails:
    """Return what a finished round brought (rules SC-7 to SC-11, SC-17, NE-1 to NE-6, BK-8)."""
    seats, options = sorted(hand.seat for hand in play.hands), play.options
    found = ScatDetails(
        knocker=play.knocker,
        values=tuple((seat, play.value(seat)) for seat in seats),
        names=tuple((seat, _name(play, seat)) for seat in seats if options.ranking == "brag"),
        restarter=play.restarter,
    )
    if options.scoring == "ante":
        return replace(found, pot_carried=play.carried_in.pot - sum(net(play).values()))
    counts = {seat: score[0] for seat, score in _scores(play).items()}
    if options.scoring == "points":
        total = dict(play.carried_in.points)
        gained = {seat: counts.get(seat, 0) for seat in seats}
        for seat, count in gained.items():
            total[seat] = total.get(seat, 0) + count
        return replace(found, gained=_tokens(gained), points=_tokens(total))
    left, gone, void = _charged(play, play.standing, counts)
    if void:
        counts, found = {}, replace(found, void=True)
    if play.counted is not None:
        left, gone, _ = _charged(play, play.counted, counts)
    county = (seat for seat in still_in(play) if not left[seat] and seat not in gone)
    return replace(
        found,
        lost=_tokens(counts),
        lives=_tokens(left),
        county=tuple(sorted(county)) if options.free_ride else (),
        eliminated=gone,
    )


def still_in(play: ScatPlay) -> list[int]:
    """Return who is in the match at the end of a round, but for what it costs, by seat."""
    left = [hand.seat for hand in play.hands if hand.left]
    return [seat for seat in play.carried_in.remaining() if seat not in left]


def _charged(
    play: ScatPlay, standing: ScatMatchState, counts: Mapping[int, int]
) -> tuple[dict[int, int], tuple[int, ...], bool]:
    """Take the lives that a round charged from those of *standing* (rules SC-19, SC-20, G-23).

    Who is out has nothing more to lose, and nobody has once the match is won.

    Returns:
        the lives left, who goes out, and whether none were lost since all would have (SC-25).
    """
    options, lives = play.options, dict(standing.lives)
    remaining = [] if standing.over else standing.remaining()
    counts = {seat: count for seat, count in counts.items() if seat in remaining}
    left, gone = charge(lives, counts, options.free_ride, options.double_loss_last)
    departed = [hand.seat for hand in play.hands if hand.left]
    if gone and options.all_out == "void" and set(gone) == {*remaining} - {*departed}:
        return lives, (), True
    return left, gone, False


def payments(play: ScatPlay) -> Payments:
    """Return the lives, points or tokens of a round (SC-7 to SC-11, NE, BK); antes lie at once."""
    if play.options.scoring == "ante":
        return _antes(play)
    if play.end is None:
        return ()
    found, scores, paid = details(play), _scores(play), []
    if play.options.scoring == "points":
        for seat, points in found.gained:
            if points:
                paid.append(Payment(None, seat, points, *scores[seat][1:], Unit.POINTS))
        return tuple(paid)
    before, after = dict(play.carried_in.lives), dict(found.lives)
    for seat, _count in found.lost:
        _, cause, rules = scores[seat]
        out = ("SC-20",) if seat in found.eliminated else ()
        county = ("SC-19",) if seat in found.county else ()
        amount = before[seat] - after[seat]
        if not amount and not out:
            continue  # nothing more to lose: G-23
        paid.append(Payment(seat, None, amount, cause, (*rules, *out, *county), Unit.LIVES))
    return tuple(paid)


def net(play: ScatPlay) -> dict[int, int]:
    """Return the tokens of a round by seat; below 0 in all where some lie on the table (BK-8)."""
    antes = _antes(play) if play.options.scoring == "ante" else ()
    return net_tokens(antes, (hand.seat for hand in play.hands))


def pot_payments(
    payers: Iterable[int],
    ante: int,
    bonus: int = 0,
    carried: int = 0,
    winners: Sequence[int] = (),
    rules: tuple[str, ...] = (),
) -> Payments:
    """Return what goes into the pot and who takes it (rules BK-1, BK-4, BK-5, BK-6, G-18).

    Everybody pays the *ante*, and who did not win the *bonus* of a blitz besides. The *winners*,
    the eldest first, share that and what was *carried* on by these *rules*; without any it stays.
    """
    seats = list(payers)
    found = [Payment(seat, None, ante, PaymentReason.ANTE, ("BK-1",)) for seat in seats]
    if bonus:
        found += [
            Payment(seat, None, bonus, PaymentReason.BONUS, ("BK-5",))
            for seat in seats
            if seat not in winners
        ]
    if winners:
        pot = carried + sum(each.amount for each in found)
        found += [
            Payment(None, seat, tokens, PaymentReason.POT, rules)
            for seat, tokens in share(pot, winners).items()
            if tokens
        ]
    return tuple(found)


# --- plain arithmetic, no cards -----------------------------------------------------------------


def lost_in_showdown(
    values: Mapping[int, Any], knocker: int | None, penalty: int, tie: str
) -> Scores:
    """Return the lives lost when hands are compared; nobody else loses any.

    Rules SC-7, SC-8, SC-9, SC-10; CQ-1, CQ-2; WL-2, WL-3; SB-7.

    Args:
        values: what each seat still in the round has; anything that compares.
        knocker: ``None``, or a seat without a value, if no knocker is there to be charged.
        penalty: lives that a beaten knocker loses (SC-10, CQ-2).
        tie: the option ``knock_tie``: what happens when the knocker ties for the lowest.
    """
    least = min(values.values())
    lowest = [seat for seat in values if values[seat] == least]
    others, knockers, rule = {
        "safe": (1, 0, "SC-9"),
        "both": (1, penalty, "CQ-1"),
        "knocker_only": (0, penalty, "WL-2"),
        "all_lose": (1, 1, "SC-10"),
    }[tie]
    if knocker not in lowest:
        others, rule = 1, "SC-7" if len(lowest) == 1 else "SC-8"
    elif len(lowest) == 1:
        knockers, rule = penalty, "SC-10"
    lost = {seat: knockers if seat == knocker else others for seat in lowest}
    cause = {knocker: PaymentReason.KNOCKER}
    return {s: (n, cause.get(s, PaymentReason.LOWEST), (rule,)) for s, n in lost.items() if n}


def lost_to_blitz(
    seats: Iterable[int], winners: Sequence[int], knocker: int | None, penalty: int
) -> Scores:
    """Return the lives lost to a blitz: one each, the knocker their penalty (SC-11, CQ-3)."""
    one = 1, PaymentReason.BLITZ, ("SC-11",)
    more = penalty, PaymentReason.BLITZ, ("SC-11", "CQ-3")
    return {seat: more if seat == knocker else one for seat in seats if seat not in winners}


def charge(
    lives: Mapping[int, int], lost: Mapping[int, int], free_ride: bool, double_loss_last: str
) -> tuple[dict[int, int], tuple[int, ...]]:
    """Take lives away; return what is left, and who is out of the match.

    Rules SC-19, SC-20, WL-1, WL-6; a life is a corner in DB-1, DB-2, DB-4.
    """
    left = dict(lives)
    gone = []
    for seat, count in lost.items():
        before = lives[seat]
        left[seat] = max(0, before - count)
        if not count or count < before:
            continue
        spent_all_at_once = before > 0 and (count == before or double_loss_last == "county")
        if not (free_ride and spent_all_at_once):
            gone.append(seat)
    return left, tuple(sorted(gone))


def points_in_showdown(values: Mapping[int, Any], knocker: int | None, high: int = HIGH) -> Scores:
    """Return the points of a showdown (rules NE-1, NE-2, NE-3); *high* for the best (NE-5)."""
    best = max(values.values())
    winners = [seat for seat in values if values[seat] == best]
    scores = _ranked(values, winners, knocker)
    for seat in winners:
        n = KNOCKER[HIGH] if seat == knocker else high
        scores[seat] = n, *scores[seat][1:]
    return scores


def points_of_blitz(
    values: Mapping[int, Any], winners: Sequence[int], knocker: int | None, others: str
) -> Scores:
    """Return the points after a blitz: the others are ranked below it (rule NE-4)."""
    scores: Scores = {}
    for seat, (n, cause, rules) in _ranked(values, winners, knocker).items():
        scores[seat] = 0 if others == "zero" else n, cause, (*rules, "NE-4")
    blitz = BLITZ_POINTS, PaymentReason.BLITZ, ("NE-4",)
    return scores | {seat: blitz for seat in values if seat in winners}


def _ranked(values: Mapping[int, Any], winners: Sequence[int], knocker: int | None) -> Scores:
    """Return the points of those below the *winners*; ties get the higher place (rule NE-3)."""
    rest = [value for seat, value in values.items() if seat not in winners]
    alone = rest.count(min(rest)) == 1 if rest else False
    scores: Scores = {}
    for seat, value in values.items():
        place = LOW if alone and value == min(rest) else MIDDLE
        tie = ("NE-3",) if list(values.values()).count(value) > 1 else ()
        scores[seat] = place, PaymentReason.PLACE, ("NE-1", *tie)
        if seat == knocker:
            scores[seat] = KNOCKER[place], PaymentReason.KNOCKER, ("NE-2",)
    return scores


# --- private ------------------------------------------------------------------------------------


def _name(play: ScatPlay, seat: int) -> str | None:
    hand = play.hand(seat)
    return None if hand.out else play.hand_name(hand.cards)


def _scores(play: ScatPlay) -> Scores:
    """Return the lives lost or the points gained by seat, and why (SC-7 to SC-11, SC-27, NE).

    A hand thrown in gains nothing, whatever its place.
    """
    scores = _by_rank(play)
    for hand in play.hands:
        if hand.out and hand.seat in scores and play.end is not End.BLITZ:
            n, _, rules = scores[hand.seat]
            scores[hand.seat] = n, PaymentReason.THROWN_IN, ("SC-27", *rules)
        if hand.out and play.options.scoring == "points":
            scores.pop(hand.seat, None)
    return scores


def _by_rank(play: ScatPlay) -> Scores:
    """Return what the places of the hands bring or cost (SC-7 to SC-11, NE, CQ-4)."""
    options, in_lives = play.options, play.options.scoring == "lives"
    if play.end is End.BLITZ and in_lives:
        return lost_to_blitz(play.active, play.winners, play.knocker, options.knock_penalty)
    if play.end is End.BLITZ:
        zero = options.blitz_others == "zero"  # then nobody else has to show
        values = dict.fromkeys(play.active, 0) if zero else play.strengths()
        return points_of_blitz(values, play.winners, play.knocker, options.blitz_others)
    if play.end not in (End.SHOWDOWN, End.OUT_OF_GATE):
        return {}
    if in_lives:
        gate = ("CQ-4",) if play.end is End.OUT_OF_GATE else ()
        lost = lost_in_showdown(
            play.strengths(), play.knocker, options.knock_penalty, options.knock_tie
        )
        return {seat: (n, cause, (*rules, *gate)) for seat, (n, cause, rules) in lost.items()}
    late = [seat for seat in play.active if play.value(seat) == BLITZ]
    high = options.post_knock_31 if late else HIGH
    scores = points_in_showdown(play.strengths(), play.knocker, high)
    for seat in late:
        n, cause, rules = scores[seat]
        if cause is PaymentReason.PLACE and n > LOW:
            scores[seat] = n, cause, (*rules, "NE-5")
    return scores


def _antes(play: ScatPlay) -> Payments:
    """Return the tokens of a round; the antes lie as soon as it begins (rules BK-1 to BK-9).

    There are no lives and no penalty for a knocker (BK-7).
    """
    options, seats = play.options, sorted(hand.seat for hand in play.hands)
    if play.winners:
        bonus = options.blitz_bonus if play.end is End.BLITZ else 0
        pot = play.carried_in.pot
        return pot_payments(seats, options.ante, bonus, pot, play.winners, _pot_rules(play))
    laid = pot_payments(seats, options.ante)
    if play.end is None or (play.end is End.DRAW and options.draw_pot == "carry"):
        return laid  # they wait for the end of this hand, or for the next one
    back = (Payment(None, seat, options.ante, PaymentReason.POT, ("BK-8",)) for seat in seats)
    return (*laid, *back)


def _pot_rules(play: ScatPlay) -> tuple[str, ...]:
    shared = ("G-18",) if len(play.winners) > 1 else ()
    if play.end is End.BLITZ:
        return ("BK-5", *shared)
    if play.end is End.WALKOVER:
        return ("G-17",)
    worth = list(play.strengths().values())
    if worth.count(max(worth)) == 1:
        return ("BK-4",)
    return ("BK-4", "BK-9" if play.options.high_tie == "highest_card" else "BK-6", *shared)


def _tokens(found: dict[int, int]) -> Tokens:
    return tuple(sorted(found.items()))
