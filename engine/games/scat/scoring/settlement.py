"""What a finished round of Thirty-one brings: lives, points or tokens, and each payment of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.core.fast_replace import replace
from engine.core.outcome import End
from engine.core.payments import Payment, PaymentReason, Payments, Unit, net_tokens
from engine.core.tokens import Tokens, share
from engine.games.scat.play import ScatPlay
from engine.games.scat.points import BLITZ
from engine.games.scat.scoring import lives
from engine.games.scat.scoring.lives import Scores


@dataclass(frozen=True, slots=True)
class ScatDetails:
    """What only this game has to say of a finished hand; everything by seat.

    Attributes:
        values: suit values; ``None`` where a card was never seen or the player left.
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
        return replace(found, pot_carried=play.standing.pot - sum(net(play).values()))
    counts = {seat: score[0] for seat, score in _scores(play).items()}
    if options.scoring == "points":
        total = dict(play.standing.points)
        gained = {seat: counts.get(seat, 0) for seat in seats}
        for seat, count in gained.items():
            total[seat] = total.get(seat, 0) + count
        return replace(found, gained=_tokens(gained), points=_tokens(total))
    before = dict(play.standing.lives)
    left, gone = lives.charge(before, counts, options.free_ride, options.double_loss_last)
    if gone and set(gone) == set(play.active) and options.all_out == "void":  # SC-25
        counts, left, gone, found = {}, before, (), replace(found, void=True)
    county = (seat for seat in play.active if not left[seat] and seat not in gone)
    return replace(
        found,
        lost=_tokens(counts),
        lives=_tokens(left),
        county=tuple(sorted(county)) if options.free_ride else (),
        eliminated=gone,
    )


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
    before, after = dict(play.standing.lives), dict(found.lives)
    for seat, _count in found.lost:
        _, cause, rules = scores[seat]
        out = ("SC-20",) if seat in found.eliminated else ()
        county = ("SC-19",) if seat in found.county else ()
        amount = before[seat] - after[seat]
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

    Args:
        payers: every seat that puts in an ante.
        ante: tokens of each.
        bonus: tokens more from everybody who did not win; 0 without a blitz.
        carried: tokens that lay on the table before.
        winners: who share, the eldest first; nobody: all stays on the table.
        rules: by which the winners take it.
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


# --- private ------------------------------------------------------------------------------------


def _name(play: ScatPlay, seat: int) -> str | None:
    hand = play.hand(seat)
    return None if hand.left else play.hand_name(hand.cards)


def _scores(play: ScatPlay) -> Scores:
    """Return the lives lost or the points gained by seat, and why (SC-7 to SC-11, NE, CQ-4)."""
    options, in_lives = play.options, play.options.scoring == "lives"
    if play.end is End.BLITZ and in_lives:
        return lives.lost_to_blitz(play.active, play.winners, play.knocker, options.knock_penalty)
    if play.end is End.BLITZ:
        zero = options.blitz_others == "zero"  # then nobody else has to show
        values = dict.fromkeys(play.active, 0) if zero else play.strengths()
        return lives.points_of_blitz(values, play.winners, play.knocker, options.blitz_others)
    if play.end not in (End.SHOWDOWN, End.OUT_OF_GATE):
        return {}
    if in_lives:
        gate = ("CQ-4",) if play.end is End.OUT_OF_GATE else ()
        lost = lives.lost_in_showdown(
            play.strengths(), play.knocker, options.knock_penalty, options.knock_tie
        )
        return {seat: (n, cause, (*rules, *gate)) for seat, (n, cause, rules) in lost.items()}
    late = [seat for seat in play.active if play.value(seat) == BLITZ]
    high = options.post_knock_31 if late else lives.HIGH
    scores = lives.points_in_showdown(play.strengths(), play.knocker, high)
    for seat in late:
        n, cause, rules = scores[seat]
        if cause is PaymentReason.PLACE and n > lives.LOW:
            scores[seat] = n, cause, (*rules, "NE-5")
    return scores


def _antes(play: ScatPlay) -> Payments:
    """Return the tokens of a round; the antes lie as soon as it begins (rules BK-1 to BK-9).

    There are no lives and no penalty for a knocker (BK-7).
    """
    options, seats = play.options, sorted(hand.seat for hand in play.hands)
    if play.winners:
        bonus = options.blitz_bonus if play.end is End.BLITZ else 0
        pot = play.standing.pot
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
