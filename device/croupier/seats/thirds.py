"""The third card of Bone-Ace, which is dealt open: which one it is (rule BA-2).

The highest third card has the Bone. Where all cards are dealt open, a look may show two or three
new ones at a place, and does not tell which of them came last. Nor does it where a closed card fell
open, where the dealer opened a wrong one, or where the third hides the others.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter

from device.croupier.assumptions import Assumption
from device.croupier.legal import is_legal
from device.croupier.looks import Look, LyingCard
from device.croupier.moves import Move
from device.croupier.open_cards import OpenCards
from device.croupier.seats import on_mat
from device.croupier.seats.mat import UNKNOWN, At, SeatMat, play_of, seat_of
from engine.core.events import Deal, Event, Facing
from engine.games.base import Play
from engine.games.one_and_thirty.bone_ace import THIRD, BoneAce
from engine.games.one_and_thirty.in_order import is_word

Hands = Mapping[int, Sequence[LyingCard]]
"""For each seat its new cards, in the order in which they were dealt."""


def ways_to_deal(game: BoneAce, play: Play, new: Hands, look: Look) -> Iterator[Hands]:
    """Yield the orders of *new* cards by who has the Bone; none where one look tells the order.

    The first is as most people deal: from the left to the right of each player. What lies face down
    came before what lies open.
    """
    held = {hand.seat: len(hand.cards) for hand in play.hands}
    down = {seat: [card for card in cards if not card.is_up] for seat, cards in new.items()}
    up = {seat: [card for card in cards if card.is_up] for seat, cards in new.items()}
    unsure = [s for s in new if len(up[s]) > 1 and held[s] + len(new[s]) == THIRD + 1]
    if not unsure:
        return

    def rank(card: LyingCard) -> int:
        assert card.card is not None
        return game.upcard_rank(play.options, card.card)

    yield {seat: [*down[seat], *_left_to_right(up[seat], look)] for seat in new}
    for holder in unsure:
        yield {
            seat: [*down[seat], *sorted(up[seat], key=rank, reverse=seat != holder)] for seat in new
        }


def dealt_under_the_third(at: At, look: Look) -> Iterator[Move[SeatMat]]:
    """Offer that all have their cards where only the open one of a hand may be in sight.

    It came last, and hides others; or the others were taken up at once.
    """
    play, game = play_of(at), at.state.setup.game
    if not isinstance(game, BoneAce) or at.mat.open_cards is OpenCards.ALL:
        return
    seen = any(on_mat.took_up(at, look, hand) for hand in play.hands)
    dealt = list[tuple[int, Event]]()
    mat, about = at.mat, set[int]()
    for hand in play.hands:
        if len(hand.cards) > THIRD and any(hand.up):
            continue
        here = [card for card in look.at_seat(hand.seat) if not mat.is_spent(card)]
        up = [card for card in here if card.is_up]
        down = [card for card in here if not card.is_up]
        if len(up) != 1 or up[0].card is None or any(hand.up) or len(down) > THIRD:
            return
        numbers = [card.number for card in down]
        numbers = [*mat.hand(hand.seat), *(n for n in numbers if mat.owner(n) is None)]
        seen = seen or bool(numbers)
        numbers += [UNKNOWN] * (THIRD - len(numbers))
        dealt += [(place, Deal(hand.seat, None)) for place in range(len(hand.cards), THIRD)]
        dealt.append((THIRD, Deal(hand.seat, up[0].card, Facing.UP)))
        mat = mat.with_numbers(hand.seat, [*numbers, up[0].number])
        about |= {*numbers, up[0].number} - {UNKNOWN}
    # Where no card of any hand lies, or lay, face down, the first of each were dealt open.
    if dealt and seen and any(UNKNOWN in numbers for _, numbers in mat.hands):
        for way in (sorted(dealt, key=itemgetter(0)), dealt):  # in rounds, in packets
            events = tuple(deal for _, deal in way)
            if is_legal(at.state, *events):
                yield Move(events, mat, (Assumption.DEALT_UNSEEN,), about=frozenset(about))
                return


def opened_anew(at: At, look: Look) -> Iterator[Move[SeatMat]]:
    """Offer that the dealer opened a wrong card of each hand, and has turned all over since."""
    events, mat, about = list(at.events), at.mat, set[int]()
    ups = [n for n, e in enumerate(events) if isinstance(e, Deal) and e.face is Facing.UP]
    if any(map(is_word, events)) or len(ups) != len(play_of(at).hands):
        return
    for place in ups:
        seat = seat_of(events[place])
        assert seat is not None
        numbers = list(mat.hand(seat))
        was = [seat_of(e) for e in events[:place] if isinstance(e, Deal)].count(seat)
        lies = {n: card for n in numbers if (card := look.card(n)) is not None}
        now = [n for n, card in lies.items() if card.card is not None]
        if len(lies) < len(numbers) or len(now) != 1 or now[0] == numbers[was]:
            return
        about |= {numbers[was], now[0]}
        other = numbers.index(now[0])
        numbers[was], numbers[other] = numbers[other], numbers[was]
        mat = mat.with_numbers(seat, numbers)
        events[place] = Deal(seat, lies[now[0]].card, Facing.UP)
    insert = (ups[0], ups[-1] + 1 - ups[0], tuple(events[ups[0] : ups[-1] + 1]))
    yield Move((), mat, (Assumption.EXPOSED,), about=frozenset(about), insert=insert)


def fell_open(at: At, look: Look) -> Iterator[Move[SeatMat]]:
    """Offer that an open card, taken for the third, was a closed one that is turned down now.

    It is one of the closed cards that nobody had seen; the third came since, or is still due.
    """
    events = at.events
    for seat in () if any(map(is_word, events)) else on_mat.turned_down(at, look):
        numbers = at.mat.hand(seat)
        unseen, number = numbers.count(UNKNOWN), numbers[-1]
        place = max(n for n, e in enumerate(events) if isinstance(e, Deal) and seat_of(e) == seat)
        third = [c for each, c in on_mat.new_cards(at, look) if each == seat and c.card is not None]
        if not unseen or len(third) > 1:
            continue
        if third:
            closed = list(numbers[:-1])
            closed[closed.index(UNKNOWN)] = number
            mat = at.mat.with_numbers(seat, [*closed, third[0].number])
            deal = Deal(seat, third[0].card, Facing.UP)
            about = frozenset((number, third[0].number))
            yield Move((), mat, about=about, insert=(place, 1, (deal,)))
        elif {seat_of(event) for event in events[place - unseen :]} == {seat}:
            seen = [each for each in numbers[:-1] if each != UNKNOWN]
            mat = at.mat.with_numbers(seat, [*seen, number])
            insert = (place - unseen, unseen + 1, (Deal(seat, None),))
            yield Move((), mat, about=frozenset((number,)), insert=insert)


def _left_to_right(cards: Sequence[LyingCard], look: Look) -> list[LyingCard]:
    """Return *cards* as their player sees them, who sits beyond them and looks to the middle."""
    if len(cards) < 2:
        return list(cards)
    x, y = _middle(look.cards)
    ahead_x, ahead_y = _middle(cards)
    ahead_x, ahead_y = x - ahead_x, y - ahead_y
    length = math.hypot(ahead_x, ahead_y) or 1.0

    def to_the_right(card: LyingCard) -> float:
        return (-ahead_y * card.centre[0] + ahead_x * card.centre[1]) / length

    return sorted(cards, key=to_the_right)


def _middle(cards: Sequence[LyingCard]) -> tuple[float, float]:
    xs, ys = zip(*(card.centre for card in cards), strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)
