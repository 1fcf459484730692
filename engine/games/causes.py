"""Why each token, life and point moved, game by game; the amounts are those of the settlement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.counting import GOAL
from engine.core.outcome import End
from engine.core.payments import Cause, Payment, Payments, Unit
from engine.core.tokens import share
from engine.games.knucklebones.play import BonesPlay
from engine.games.scat import lives
from engine.games.scat.match import ScatStanding
from engine.games.scat.options import ScatOptions
from engine.games.scat.play import ScatPlay
from engine.games.scat.points import BLITZ
from engine.games.scat.settlement import ScatDetails, details, settlement, strengths

if TYPE_CHECKING:
    from engine.games.base import Play
    from engine.games.one_and_thirty.bone_ace import BoneAce
    from engine.games.one_and_thirty.rules import OneAndThirty

Why = tuple[Cause, tuple[str, ...]]

# --- One-and-Thirty and Bone-Ace ----------------------------------------------------------------


def of_cards(game: OneAndThirty, play: Play, flows: tuple[tuple[int, int, int], ...]) -> Payments:
    """Return the payments of the game, *flows*, with their reasons (OT-9 to OT-14, OT-19)."""
    if play.end is None or not play.winners:
        return ()
    cause, rules = _won(game, play)
    shared = ("G-18",) if len(play.winners) > 1 else ()
    found = []
    for payer, payee, tokens in flows:
        gone = ("G-17",) if play.hand(payer).left else ()
        found.append(Payment(payer, payee, tokens, cause, (*rules, *shared, *gone)))
    return tuple(found)


def of_the_bone(game: BoneAce, play: Play) -> Payments:
    """Return what was paid for the Bone (rules BA-2 to BA-4, BA-6, BA-11)."""
    if play.bone is None:
        return ()
    holder, options = play.bone.holder, play.options
    ranks = []
    for hand in play.hands:
        third = hand.cards[2]
        assert third is not None  # the Bone is found among cards that are read
        ranks.append(game.upcard_rank(options, third))
    tie = ("BA-4",) if ranks.count(max(ranks)) > 1 else ()
    if options.bone_effect == "half_pot":
        stakes = (
            Payment(seat, None, int(options.stake), Cause.POOL, ("BA-6",))
            for seat in sorted(play.eldest)
        )
        half = dict(play.bone.payments)[holder]
        won = Payment(None, holder, half, Cause.HALF_POOL, ("BA-6", "BA-2", *tie))
        return (*stakes, won) if half else tuple(stakes)
    return tuple(
        Payment(seat, holder, -tokens, Cause.BONE, ("BA-3", "BA-2", *tie))
        for seat, tokens in play.bone.payments
        if tokens < 0
    )


def of_the_pool(game: BoneAce, play: Play, rest: int, back_to: tuple[int, ...]) -> Payments:
    """Return who took the half of Cotton's pool that belongs to the game (rules BA-6, G-17)."""
    if play.end is None:
        return ()
    why: tuple[str, ...] = ()
    if play.end is End.ALL_OUT:
        cause, sharers = Cause.POOL_BACK, back_to
    else:
        cause, sharers, why = Cause.POOL_WON, play.winners, _won(game, play)[1]
    rules = ("BA-6", *why, *(("G-18",) if len(sharers) > 1 else ()))
    return tuple(
        Payment(None, seat, tokens, cause, rules)
        for seat, tokens in share(rest, sharers).items()
        if tokens
    )


def capped(payments: Payments, full: int) -> Payments:
    """Name the agreement by which some pay less for the game than *full* (rule BA-10)."""
    return tuple(
        Payment(each.payer, each.payee, each.amount, each.cause, (*each.rules, "BA-10"))
        if each.amount < full
        else each
        for each in payments
    )


def _won(game: OneAndThirty, play: Play) -> Why:
    options = play.options
    double = game.stakes_lost(play) > 1
    if play.end is End.THIRTY_ONE:
        winner = play.hand(play.winners[0])
        dealt = ("OT-16",) if len(winner.cards) == 3 and not winner.acted else ()
        return Cause.THIRTY_ONE, ("OT-9", *(("OT-10",) if double else ()), *dealt)
    if play.end is End.DEALER_WINS:
        return Cause.LAST_IN, ("OT-11",)
    if play.end is End.SOLE_SURVIVOR:
        return Cause.LAST_IN, ("OT-22",)
    best = game.total(play, play.hand(play.winners[0]).cards)
    equal = [hand for hand in play.hands if not hand.out and game.total(play, hand.cards) == best]
    rules = ["OT-12"]
    if len(play.winners) > 1:
        rules.append("OT-14")
    elif len(equal) > 1:
        rules.append("OT-13" if options.eldest_means == "seat" else "OT-15")
    if best == GOAL:
        rules.append("OT-19")
    return Cause.BEST, tuple(rules)


# --- knucklebones -------------------------------------------------------------------------------


def of_bones(play: BonesPlay) -> Payments:
    """Return what the bank took and paid, at once from who goes over (KB-4 to KB-10, KB-16)."""
    if play.end is End.MISDEAL:  # KB-21: the stakes go back
        return ()
    found = []
    for seat, stake in play.stakes:
        if not play.hand(seat).out and play.end is None:
            continue
        amount = -stake if play.hand(seat).out else play.paid_to(seat)
        cause, rules = _against_the_bank(play, seat)
        if amount > 0:
            found.append(Payment(play.dealer, seat, amount, cause, rules))
        elif amount < 0:
            found.append(Payment(seat, play.dealer, -amount, cause, rules))
    return tuple(found)


def _against_the_bank(play: BonesPlay, seat: int) -> Why:
    hand, bank = play.hand(seat), play.bank
    if hand.left:
        return Cause.LEFT, ("G-17",)
    if hand.out:
        if len(hand.throws) == 1:
            return Cause.OVER, ("KB-4",)
        singly = ("KB-17",) if play.options.extra_mode == "one_at_a_time" else ()
        return Cause.OVER, ("KB-6", *singly)
    if bank.out:
        return Cause.BANK_OVER, ("KB-9",)
    if hand.points == bank.points:
        return Cause.TIE, ("KB-8",)
    ahead = (hand.points or 0) > (bank.points or 0)
    return (Cause.BEATS_BANK if ahead else Cause.BEATEN), ("KB-10",)


# --- Thirty-one ---------------------------------------------------------------------------------


def of_thirty_one(play: ScatPlay) -> Payments:
    """Return the lives, points or tokens of a round (SC-7 to SC-11, NE, BK); antes lie at once."""
    if play.options.scoring == "ante":
        return _banking(play)
    if play.end is None:
        return ()
    found = details(play)
    if play.options.scoring == "lives":
        return _lives(play, found)
    return tuple(
        Payment(None, seat, points, *_place(play, seat, points), Unit.POINTS)
        for seat, points in found.gained
        if points
    )


def of_a_match(options: ScatOptions, standing: ScatStanding) -> Payments:
    """Return the pot of a match that is over: all buy-ins, and who takes them (SC-21, SC-25).

    The buy-ins were laid before the first hand; they count when the match is won.
    """
    if not options.buy_in or not standing.settlement:
        return ()
    into = (
        Payment(seat, None, options.buy_in, Cause.BUY_IN, ("SC-21",)) for seat in standing.entrants
    )
    rules = ("SC-21",) if standing.winner is not None else ("SC-25", "G-18")
    taken = ((seat, net + options.buy_in) for seat, net in standing.settlement)
    out_of = (Payment(None, seat, got, Cause.MATCH, rules) for seat, got in taken if got)
    return (*into, *out_of)


def _lives(play: ScatPlay, found: ScatDetails) -> Payments:
    assert isinstance(play.standing, ScatStanding)
    before, after = dict(play.standing.lives), dict(found.lives)
    paid = []
    for seat, _count in found.lost:
        cause, rules = _lost(play, seat)
        out = ("SC-20",) if seat in found.eliminated else ()
        county = ("SC-19",) if seat in found.county else ()
        amount = before[seat] - after[seat]
        paid.append(Payment(seat, None, amount, cause, (*rules, *out, *county), Unit.LIVES))
    return tuple(paid)


def _lost(play: ScatPlay, seat: int) -> Why:
    options, is_knocker = play.options, seat == play.knocker
    if play.end is End.BLITZ:
        return Cause.BLITZ, ("SC-11", *(("CQ-3",) if is_knocker else ()))
    gate = ("CQ-4",) if play.end is End.OUT_OF_GATE else ()
    worth = strengths(play)
    lowest = [each for each in worth if worth[each] == min(worth.values())]
    if play.knocker not in lowest:
        return Cause.LOWEST, ("SC-7" if len(lowest) == 1 else "SC-8", *gate)
    if len(lowest) == 1:
        return Cause.KNOCKER, ("SC-10", *gate)
    by_option = {"safe": "SC-9", "both": "CQ-1", "knocker_only": "WL-2", "all_lose": "SC-10"}
    return (Cause.KNOCKER if is_knocker else Cause.LOWEST), (by_option[options.knock_tie], *gate)


def _place(play: ScatPlay, seat: int, points: int) -> Why:
    if seat in play.winners:
        return Cause.BLITZ, ("NE-4",)
    blitz = ("NE-4",) if play.end is End.BLITZ else ()
    if seat == play.knocker:
        return Cause.KNOCKER, ("NE-2", *blitz)
    worth = strengths(play)
    tie = ("NE-3",) if list(worth.values()).count(worth[seat]) > 1 else ()
    late = points > lives.LOW and not blitz and play.value(seat) == BLITZ
    return Cause.PLACE, ("NE-1", *tie, *(("NE-5",) if late else ()), *blitz)


def _banking(play: ScatPlay) -> Payments:
    """Return antes, what a blitz costs more, and who takes the pot (BK-1 to BK-9)."""
    assert isinstance(play.standing, ScatStanding)
    options, seats = play.options, [hand.seat for hand in play.hands]
    found = [Payment(seat, None, options.ante, Cause.ANTE, ("BK-1",)) for seat in sorted(seats)]
    if play.end is None:
        return tuple(found)
    if not play.winners:
        if settlement(play)[seats[0]]:  # the antes wait for the next hand
            return tuple(found)
        back = (Payment(None, seat, options.ante, Cause.POT, ("BK-8",)) for seat in sorted(seats))
        return (*found, *back)
    if play.end is End.BLITZ and options.blitz_bonus:
        found.extend(
            Payment(seat, None, options.blitz_bonus, Cause.BONUS, ("BK-5",))
            for seat in sorted(seats)
            if seat not in play.winners
        )
    pot = play.standing.pot + sum(each.amount for each in found)
    rules = _pot_rules(play)
    return (
        *found,
        *(
            Payment(None, seat, tokens, Cause.POT, rules)
            for seat, tokens in share(pot, play.winners).items()
            if tokens
        ),
    )


def _pot_rules(play: ScatPlay) -> tuple[str, ...]:
    options, split = play.options, len(play.winners) > 1
    shared = ("G-18",) if split else ()
    if play.end is End.BLITZ:
        return ("BK-5", *shared)
    if play.end is End.WALKOVER:
        return ("G-17",)
    worth = strengths(play)
    if list(worth.values()).count(max(worth.values())) == 1:
        return ("BK-4",)
    return ("BK-4", "BK-9" if options.high_tie == "highest_card" else "BK-6", *shared)
