"""Hands that lie open with more or fewer cards than they were dealt."""

from __future__ import annotations

import math
from collections.abc import Iterator

from device.croupier.assumptions import Assumption
from device.croupier.looks import SPREAD_MM, Look, LyingCard, numbers_of
from device.croupier.moves import Move
from device.croupier.open_cards import OpenCards
from device.croupier.seats import on_mat
from device.croupier.seats.mat import (
    SHORT_RESTS,
    UNKNOWN,
    At,
    SeatMat,
    play_of,
    seat_of,
)
from engine.core.events import Deal, Declare, Event, Have, Reveal, Stick
from engine.core.fast_replace import replace
from engine.core.hands import PlayerCards
from engine.core.views import Phase
from engine.games.base import Play

STEP_MM = 15.0
"""Two cards whose middles are so near lie one over the other: of the lower a strip shows."""


def in_vain(at: At, look: Look) -> Iterator[Move[SeatMat]]:
    """Offer that all hands lie open, and that people wait for something all the same.

    It is the less likely the longer they lie so. Where a hand lacks one card, that is what is
    waited for, and it is charged when it does not come; where one has a card more, that this is
    taken away.
    """
    play, mat = play_of(at), at.mat
    if play.phase not in (Phase.PLAY, Phase.SHOWDOWN) or mat.in_vain == look.number:
        return
    for seat, cards, rests in short_hands(at, look):
        missing = len(play.hand(seat).cards) - cards
        if missing < 0 or (missing == 1 and rests <= SHORT_RESTS):
            return
    alive = [hand.seat for hand in play.hands if not hand.out]
    if at.mat.open_cards is OpenCards.NONE and all(on_mat.whole_hand(at, look, s) for s in alive):
        yield Move((), replace(mat, in_vain=look.number), (Assumption.OPEN_IN_VAIN,))


def short_hands(at: At, look: Look) -> frozenset[tuple[int, int, int]]:
    """Return which hands are not shown whole in the end, and for how many rests."""
    play, old = play_of(at), {(seat, cards): rests for seat, cards, rests in at.mat.short}
    found = {each for each in at.mat.short if each[2] > SHORT_RESTS}
    unshown = [hand for hand in play.hands if not hand.out and not hand.shown]
    if play.phase not in (Phase.PLAY, Phase.SHOWDOWN, Phase.DONE) or not unshown:
        return frozenset(found)
    here = {hand.seat: on_mat.cards_here(at, look, hand.seat, unknown=True) for hand in unshown}
    shown = sum(hand.shown for hand in play.hands if not hand.out)
    # Where most have shown and none of the others has a card there, they play no more.
    is_end = _is_last_turn(play) or not (any(here.values()) or shown <= len(unshown))
    most = max(2, shown) if is_end else 1
    # Several may throw in one after the other, each on the cards of the one before.
    heap = any(c.number in at.mat.backs for c in look.cards if c.zone in on_mat.MIDDLE)
    if heap and play.phase is Phase.SHOWDOWN:
        most = len(unshown)
    nothing_up = all(not card.is_up for cards in here.values() for card in cards)
    # Who went over lays the hand open at once: the others need not show yet.
    over = play.phase is Phase.PLAY
    others = any(hand.shown and not (over and hand.out) for hand in play.hands)
    still = look.hands == () and not look.said
    nowhere = others and len(unshown) <= most and nothing_up and play.phase is not Phase.DONE
    for hand in unshown:
        thinks = play.phase is Phase.PLAY and play.turn == hand.seat
        if thinks and nowhere and len(here[hand.seat]) == len(hand.cards):
            continue  # nobody has to show in the own turn
        cards = [] if nowhere else here[hand.seat]
        whole = len(cards) == len(hand.cards) or any(not card.is_up for card in cards)
        own = play.phase is Phase.PLAY and play.turn == hand.seat
        if nowhere or (cards and not whole and (own or play.phase is not Phase.PLAY)):
            # Whose hand moves in the own turn may still be laying it open.
            counts = still or not (nowhere or (own and len(unshown) > 1))
            rests = old.get((hand.seat, len(cards)), 0) + counts
            if at.mat.swept:
                rests = SHORT_RESTS
                if any(each[:2] == (hand.seat, len(cards)) for each in found):
                    continue  # it was thought of before
            found.add((hand.seat, len(cards), min(rests, SHORT_RESTS)))
    return frozenset(found)


def _is_last_turn(play: Play) -> bool:
    """Return whether the dealer, who plays last, is the only one who may still be served."""
    return play.phase is Phase.SHOWDOWN or play.turn == play.eldest[-1]


def other_counts(at: At, look: Look) -> Iterator[Move[SeatMat]]:
    """Offer that an open hand was dealt more or fewer cards than were counted."""
    play = at.state.live_play
    if play is None or play.phase not in (Phase.PLAY, Phase.SHOWDOWN, Phase.DONE):
        return
    for hand in play.hands:
        here = on_mat.cards_here(at, look, hand.seat, unknown=True)
        unread = sum(card.card is None for card in here)
        more = len(here) > len(hand.cards)  # where one is not read, it was dealt all the same
        if hand.out or not all(card.is_up for card in here) or (more and unread > 1):
            continue
        if hand.shown and more and {*hand.cards} <= {card.card for card in here}:
            new = [card for card in here if card.number not in at.mat.hand(hand.seat)]
            if hand.seat in (look.hands or ()) or not all(
                on_mat.came_after(at, look, hand, card) for card in new
            ):
                yield from _with_more(at, hand, here)  # one of them was covered then
        numbers = at.mat.hand(hand.seat)
        known = {n for n, up in zip(numbers, hand.up, strict=False) if up}
        same = len(here) == len(hand.cards) or all(card.number in known for card in here)
        if same or not hand.has_unread:
            continue
        rests = {n: rests for seat, n, rests in at.mat.short if seat == hand.seat}
        if rests.get(len(here), 0) > SHORT_RESTS or len(here) < on_mat.cards_dealt(at.state):
            continue
        if len(here) > len(hand.cards):
            yield from _with_more(at, hand, here)
            yield from _found_twice(at, hand, here)
            cards = {card.card for card in here} - {None}
            first = len(numbers) == on_mat.cards_dealt(at.state) == len(here) - 1
            if first and hand.stuck and len(cards) == len(here) and {*numbers} <= at.mat.lying:
                # All of it lay there when its player stuck: it is asked what came to it.
                waits = at.mat.short | {(hand.seat, len(here), SHORT_RESTS + 1)}
                mat = replace(at.mat.laid_back(hand.seat, here), short=waits)
                yield Move((), mat, (Assumption.FELL,))
        else:
            yield from _one_too_few(at, look, hand, here, rests.get(len(here), 0))


def _with_more(at: At, hand: PlayerCards, here: list[LyingCard]) -> Iterator[Move[SeatMat]]:
    """Offer that cards came to a hand that nobody saw come; if it was shown, it is again."""
    log, seat = at.state.log, hand.seat
    more = len(here) - len(hand.cards)
    shows = (n for n, e in enumerate(log) if isinstance(e, Reveal | Declare) and e.seat == seat)
    shown = [n for n in shows if getattr(log[n], "cards", None)]
    place, end = _turn_ends(log, seat), shown[-1] if shown else None
    if place is None:
        if play_of(at).turn != seat and end is None:
            return
        place = len(log) if end is None else end
    asked = place > 0 and isinstance(log[place - 1], Have) and seat_of(log[place - 1]) == seat
    added: list[Event] = []
    for number in range(more):
        if number or not asked:
            added.append(Have(seat))
        added.append(Deal(seat, None))
    assumed = (Assumption.SNATCHED,) * more + (Assumption.SILENT_HAVE,) * (more - asked)
    if any(on_mat.nearest(card, here) > 2 * SPREAD_MM for card in here):
        assumed = (*assumed, Assumption.SLID)  # rather a card of somebody else
    # In which order those came that had been taken up was only assumed when they were shown.
    loose = dict(at.mat.loose)
    known = [UNKNOWN if n in loose else n for n in at.mat.hand(seat)]
    mat = at.mat.laid_back(seat, here).with_numbers(seat, known)
    for _ in range(more):
        mat = mat.dealt(seat, UNKNOWN)
    about = numbers_of(here)
    gone = 0
    if end is not None:
        added, gone = [*added, *log[place:end]], end + 1 - place
    yield Move((), mat, assumed, about=about, insert=(place, gone, tuple(added)))


def _found_twice(at: At, hand: PlayerCards, here: list[LyingCard]) -> Iterator[Move[SeatMat]]:
    """Offer that of a hand laid open one over another an unread part was no card."""
    unread = [card for card in here if card.card is None]
    if len(here) != len(hand.cards) + 1 or len(unread) != 1:
        return
    beside = (math.dist(unread[0].centre, card.centre) for card in here if card.card)
    if any(apart <= STEP_MM for apart in beside):
        about = numbers_of(unread)
        yield Move((), at.mat.without(unread), (Assumption.FOUND_TWICE,), about=about)


def _one_too_few(
    at: At, look: Look, hand: PlayerCards, here: list[LyingCard], rests: int
) -> Iterator[Move[SeatMat]]:
    """Offer why a hand lies open with fewer cards than it has, *rests* looks long."""
    if UNKNOWN in at.mat.hand(hand.seat)[on_mat.cards_dealt(at.state) :]:
        yield from _with_fewer(at, look, hand, here, Assumption.NOT_DEALT)
    elif rests == SHORT_RESTS:
        yield from _with_fewer(at, look, hand, here, Assumption.MISCOUNTED)


def _with_fewer(
    at: At, look: Look, hand: PlayerCards, here: list[LyingCard], why: Assumption
) -> Iterator[Move[SeatMat]]:
    """Offer that a card had not come: one that nobody saw, else the last; or is held back."""
    log, seat = at.state.log, hand.seat
    late = why is Assumption.MISCOUNTED
    numbers = at.mat.hand(seat)
    unseen = [n for n, number in enumerate(numbers) if number == UNKNOWN]
    place = len(numbers) - 1 if late else max(unseen)
    deals = [n for n, event in enumerate(log) if isinstance(event, Deal) and seat_of(event) == seat]
    deal = deals[place]
    had = deal > 0 and isinstance(log[deal - 1], Have) and seat_of(log[deal - 1]) == seat
    spoken = had and Assumption.SILENT_HAVE not in at.assumed[deal - 1]
    # Of cards that lay there together each came, and so did one that was asked for by a button.
    asked = spoken and numbers[place] != UNKNOWN
    came = asked or dict(at.mat.together).get(seat, 0) >= len(numbers)
    mat = at.mat.laid_back(seat, here)
    short = replace(mat, short=mat.short | {(seat, len(here), SHORT_RESTS + 1)})
    # A card that was only covered shows sooner. What makes just 31 is hardly a part of a hand.
    missing = len(numbers) - len(here) + on_mat.makes_target(at, look, seat)
    yield Move((), short, (Assumption.HELD_BACK,) * (missing + (late and not came)))
    left = (*numbers[:place], *numbers[place + 1 :])
    about = numbers_of(here)
    cut = (deal - had, 1 + had, ())
    # A card that lies between the places may be the one that was asked for.
    loose = any(mat.owner(c.number) is None and not mat.is_spent(c) for c in look.in_zone(None))
    stray = (Assumption.STRAY,) * (2 if had and loose else 0)
    # That one who asked by a button got no card is twice as unusual.
    whys = (*(why,) * (2 if spoken and not late else 1), *stray)
    yield Move((), mat.with_numbers(seat, left), whys, about=about, insert=cut)


def _turn_ends(log: tuple[Event, ...], seat: int) -> int | None:
    """Return the number of the event that ended the turn of *seat*; ``None``: nothing has."""
    for number, event in enumerate(log):
        if isinstance(event, Stick) and event.seat == seat:
            return number
    return None
