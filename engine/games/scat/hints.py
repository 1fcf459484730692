"""What the teaching mode says in Thirty-one and its variants: how a hand may fare, and why one won.

Hands are held and hidden here, so the chances are those of a hand as it is dealt from the cards
that nobody has seen (:mod:`engine.games.scat.odds`, which says what that leaves out).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from engine.core.cards import Card
from engine.core.messages.message import N_, Listing, Message, Value, plural
from engine.core.views import ResultView, SeatStatus, SeatView, View
from engine.games.hints import Hints, per_cent
from engine.games.scat.odds import beats, brag_hands, draw, starting_hand
from engine.games.scat.options import CARDS_DEALT, ScatOptions
from engine.games.scat.prompts import worth_of

LOW, HIGH = 21, 25
"""Values whose fate is told: a hand that is hardly worth a knock, and one that is."""

GOOD, BETTER = 25, 28
"""The same where the highest hand wins, and not the lowest loses."""

_PAIRED = ("prial", "running flush", "run", "flush", "pair")


class ScatHints(Hints):
    """What the teaching mode says in Thirty-one and its variants."""

    def hint(self, view: View, seat: SeatView, options: Any) -> Value:
        """Return the chances at the turn of *seat*; empty where there is nothing to weigh.

        Raises:
            OddsError: the cards seen cannot be those of the pack.
        """
        middle = view.middle
        if middle is None or middle.drawn is not None:
            return ""
        seen = seen_by_all(view)
        if options.ranking == "brag":
            hands = brag_hands(seen, decks=options.decks)
            chance = sum((hands[kind] for kind in _PAIRED), Fraction(0))
            return Message(
                "A hand as dealt holds a pair or better in {n} of 100.", n=per_cent(chance)
            )
        held = _held(seat)
        if len(held) == CARDS_DEALT and middle.table in ("none", "widow") and middle.stock:
            others = _without(seen, held)
            better = draw(held, others, **options.for_odds).better
            return Message(
                "A card of the stock betters this hand in {n} of 100.", n=per_cent(better)
            )
        changed = middle.changed_suit
        if changed is not None and changed != seat.seat:
            name = view.seat(changed).name
            return Message("{name} throws another suit: perhaps a low hand just now.", name=name)
        return _rivals(view, seat, seen, options)

    def why(self, view: View, result: ResultView, options: Any) -> Value:
        """Explain why a hand ended as it did (rules SC-7 to SC-12, SC-25, BK-4, SW-8)."""
        simple = {
            "blitz": Message("Thirty-one in one suit ends the hand at once."),
            "draw": Message("The stock is used up before anybody knocked."),
            "restart": Message("More than 21 in one suit: who has it may start again."),
            "walkover": Message("All the others are out."),
        }
        if result.end in simple:
            return simple[result.end]
        playing = [seat for seat in view.seats if seat.cards and seat.status is not SeatStatus.LEFT]
        if sum(not seat.thrown_in for seat in playing) == 1:
            return Message("All the others threw in: the last hand need not be shown.")
        if result.winners:
            return _highest(view, result)
        toll = result.losses
        if toll is None:
            return ""
        if toll.void:
            return Message("The hand would put everybody out: it does not count.")
        if toll.gained:
            return Message("Each hand scores by its rank.")
        return _lowest(view, result, options)


def seen_by_all(view: View) -> list[Card]:
    """Return every card of which everybody knows where it is."""
    found: list[Card] = []
    for seat in view.seats:
        found += _held(seat)
    if view.middle is not None:
        found += view.middle.discards
        found += [card for pile in view.middle.piles for card in pile.cards if card is not None]
    return found


def _held(seat: SeatView) -> list[Card]:
    """Return the cards of a hand that everybody knows, once each."""
    lying = [card for card in seat.cards if card is not None]
    return lying + _without(seat.known, lying)


def _without(cards: Iterable[Card], gone: Iterable[Card]) -> list[Card]:
    left = list(cards)
    for card in gone:
        if card in left:
            left.remove(card)
    return left


def _rivals(view: View, seat: SeatView, seen: list[Card], options: ScatOptions) -> Value:
    """Tell how two values would compare with the hands of all the others."""
    gone = (SeatStatus.OUT, SeatStatus.LEFT)
    rivals = sum(
        each.seat != seat.seat and each.status not in gone and bool(each.cards)
        for each in view.seats
    )
    if not rivals:
        return ""
    low, high = (LOW, HIGH) if options.scoring == "lives" else (GOOD, BETTER)
    if options.three_kind != "off" and rivals > 1:
        # Three of a kind ties the suits together: only one hand can be counted exactly.
        over = per_cent(starting_hand(seen, **options.for_odds).over(low))
        return Message("A hand as dealt is over {low} in {n} of 100.", low=low, n=over)
    chances = [beats(value, rivals, seen, **options.for_odds) for value in (low, high)]
    if options.scoring == "lives":
        sentence = N_("{low} would be lowest in {a} of 100, {high} in {b}.")
        first, second = (per_cent(each.lowest) for each in chances)
    else:
        sentence = N_("{low} would be highest in {a} of 100, {high} in {b}.")
        first, second = (per_cent(each.highest) for each in chances)
    return Message(sentence, low=low, high=high, a=first, b=second)


def _highest(view: View, result: ResultView) -> Value:
    best = view.seat(result.winners[0])
    if best.value is None:
        return ""
    if len(result.winners) > 1:
        said = N_("{value} is the highest hand, and they share it.")
    elif sum(seat.value == best.value for seat in view.seats) > 1:
        said = N_("{value} is the highest hand; on a tie {name} wins.")
    else:
        said = N_("{value} is the highest hand.")
    return Message(said, value=worth_of(best), name=best.name)


def _lowest(view: View, result: ResultView, options: ScatOptions) -> Value:
    """Explain who is lowest, and what the knock has to do with it (rules SC-7 to SC-10, CQ-1)."""
    toll = result.losses
    if toll is None or not toll.lost:
        return ""
    lost = dict(toll.lost)
    knocker = None if view.middle is None else view.middle.knocker
    if knocker is not None:
        name, worth = view.seat(knocker).name, view.seat(knocker).value
        lives = lost.get(knocker, 0)
        if lives > 1:
            said = plural(
                "{name} knocked and was not above the lowest: {n} life.",
                "{name} knocked and was not above the lowest: {n} lives.",
            )
            return Message(*said, lives, name=name, n=lives)
        tied = worth is not None and any(view.seat(seat).value == worth for seat in lost)
        if tied and knocker not in lost and options.ranking == "suit":
            return Message("{name} knocked, and is safe in a tie for the lowest.", name=name)
    people = Listing(tuple(view.seat(seat).name for seat in lost))
    return Message("Lowest, and so a life less: {names}.", names=people)
