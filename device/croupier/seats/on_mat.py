"""Which cards lie where, and whose they are, as a history has it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from device.croupier.assumptions import Assumption
from device.croupier.left_over import laid_anew
from device.croupier.looks import Look, LyingCard, is_strewn
from device.croupier.seats.mat import TAKEN_UP, UNKNOWN, At, SeatMat, numbers_in, play_of
from engine import State
from engine.core.cards import Card
from engine.core.events import Stick
from engine.core.hands import PlayerCards
from engine.core.views import Phase
from vision.readings import ZoneKind

COVERED_MM = 30.0
"""The middles of two cards are at most so far apart where one hides most of the other."""

MIDDLE = (None, ZoneKind.DISCARD, ZoneKind.DEALER)
"""Zones in which no card of these games lies but one that was thrown in."""


def new_cards(at: At, look: Look) -> Iterator[tuple[int, LyingCard]]:
    """Yield the cards at the places of players that the history does not explain."""
    play = play_of(at)
    pending = play.turn if play.asked else None
    for card in look.cards:
        seat = at_seat(at, card)
        if seat is None:
            continue
        owner = at.mat.owner(card.number)
        # A card that is laid just where one of a neighbour had come to lie looks like that one.
        other = seat == pending != owner and card.number not in at.mat.lying
        again = other or (owner == pending and _is_again(at, look, card))
        if owner is None or again:
            yield seat, card


def _is_again(at: At, look: Look, card: LyingCard) -> bool:
    """Return whether a card may be a new one that lies just where one lay before.

    Where others of the hand lie untouched, it was only overlooked.
    """
    mat, owner = at.mat, at.mat.owner(card.number)
    if owner is None or card.number in mat.lying:
        return False
    if look.blind and card.number in dict(mat.loose):
        return False  # laid back while nobody looked
    others = mat.lying & frozenset(mat.hand(owner))
    return not any(each.number in others for each in look.at_seat(owner))


def at_seat(at: At, card: LyingCard) -> int | None:
    """Return at whose place *card* lies that is still in the hand; ``None``: at nobody's."""
    return None if at.mat.is_spent(card) else place_of(at, card)


def place_of(at: At, card: LyingCard) -> int | None:
    """Return at the place of whom who is in *card* lies."""
    if card.zone is not ZoneKind.SEAT:
        return None
    return next((h.seat for h in play_of(at).hands if h.seat == card.seat and not h.out), None)


def lying_at(at: At, look: Look, seat: int) -> list[LyingCard]:
    """Return the cards that the history knows to be of *seat* and that lie anywhere."""
    return [card for card in look.cards if at.mat.owner(card.number) == seat]


def held(at: At, look: Look, seat: int) -> int:
    """Return how many cards of *seat* lie nowhere on the mat."""
    return len(play_of(at).hand(seat).cards) - len(lying_at(at, look, seat))


def at_own_place(at: At, look: Look, seat: int) -> list[LyingCard]:
    """Return the cards of *seat* that lie at its own place."""
    return [card for card in lying_at(at, look, seat) if card.seat == seat]


def cards_here(at: At, look: Look, seat: int, *, unknown: bool = False) -> list[LyingCard]:
    """Return the cards of *seat*; where *unknown*, with those there that are nobody's yet."""
    here, loose = [], dict(at.mat.loose)
    for card in look.cards:
        owner = at.mat.owner(card.number)
        own = owner == seat and (card.seat == seat or card.number in loose)
        if own or (unknown and owner is None and at_seat(at, card) == seat):
            here.append(card)
    return here


def whole_hand(at: At, look: Look, seat: int) -> list[LyingCard]:
    """Return the cards that lie at a place, if they may be a whole hand that lies open."""
    mat = at.mat
    here = [c for c in look.at_seat(seat) if c.number not in mat.spent]
    here = [c for c in here if mat.owner(c.number) in (None, seat)]
    is_open = all(card.is_up and card.card is not None for card in here)
    return here if is_open and len(here) >= cards_dealt(at.state) else []


def is_of_another(mat: SeatMat, card: LyingCard) -> bool:
    """Return whether *card* lies at a place, and is another player's."""
    owner = mat.owner(card.number)
    strayed = card.zone is ZoneKind.SEAT and owner not in (None, card.seat)
    return strayed and card.number not in dict(mat.loose)


def took_up(at: At, look: Look, hand: PlayerCards) -> bool:
    """Return whether cards of *hand* that lay there are gone from sight."""
    return bool((at.mat.lying & frozenset(at.mat.hand(hand.seat))) - numbers_in(look))


def left_astray(at: At, look: Look, seat: int) -> list[int]:
    """Return the cards of *seat* that lay at the place of another, and are gone from there."""
    gone = at.mat.astray - numbers_in(look)
    return [number for number in at.mat.hand(seat) if number in gone]


def turned_down(at: At, look: Look) -> list[int]:
    """Return the seats whose open cards all lie face down now."""
    found = []
    for hand in play_of(at).hands:
        numbers = at.mat.hand(hand.seat)
        was_up = [n for n, up in zip(numbers, hand.up, strict=False) if up and n > UNKNOWN]
        now = [card for n in was_up if (card := look.card(n)) is not None]
        if not hand.out and now and all(not card.is_up for card in now):
            found.append(hand.seat)
    return found


def in_middle(at: At, look: Look) -> list[LyingCard]:
    """Return the cards between the places that nothing explains."""
    out = {hand.seat for hand in play_of(at).hands if hand.out}
    loose, spent = dict(at.mat.loose), at.mat.spent
    left = [
        card
        for card in look.cards
        if card.number not in spent and not (card.is_up and card.number in loose)
    ]
    middle = [c for c in left if c.zone in MIDDLE or _is_nobodys(at, c, out)]
    there = [c for c in left if c.zone is ZoneKind.STOCK]
    return [*middle, *_on_stock(at, look, there, middle)]


def _on_stock(
    at: At, look: Look, there: list[LyingCard], middle: list[LyingCard]
) -> list[LyingCard]:
    """Return the cards that were thrown on the stock, or where it would lie: strewn ones."""
    if not there or not is_strewn([*there, *middle]):
        return []
    lay = [card for card in there if card.number in at.mat.lying]
    if not lay and look.hands and not {at.state.dealer, None} & {*look.hands}:
        return there  # nobody lays a stock but the dealer
    stock = next(iter(lay), there[0])
    return [card for card in there if card is not stock]


def _is_nobodys(at: At, card: LyingCard, out: set[int]) -> bool:
    """Return whether it lies face down at the place of somebody out, and is not theirs."""
    there = card.zone is ZoneKind.SEAT and card.seat in out and not card.is_up
    return there and at.mat.owner(card.number) is None


def thrown_at_rest(at: At, look: Look) -> bool:
    """Return whether cards lie there as thrown in or turned down that nothing explains."""
    return bool(in_middle(at, look)) or bool(turned_down(at, look))


def more_shown(at: At, look: Look) -> Iterator[tuple[PlayerCards, LyingCard]]:
    """Yield the open cards that lie beside a hand which was shown, and are nobody's."""
    shown = {hand.seat: hand for hand in play_of(at).hands if hand.shown}
    for card in look.cards:
        hand = shown.get(card.seat) if card.seat is not None else None
        at_seat = card.is_up and card.zone is ZoneKind.SEAT
        nobodys = at.mat.owner(card.number) is None and not at.mat.is_spent(card)
        if hand is not None and at_seat and nobodys:
            yield hand, card


def came_after(at: At, look: Look, hand: PlayerCards, card: LyingCard) -> bool:
    """Return whether one card came to hands that had been shown, and lie as they did.

    People look what would have come. What one of the hand's cards had covered lies by them, and
    who lacked a card has found it. Who had turned the hand up without a word may play on.
    """
    if not hand.shown or play_of(at).phase not in (Phase.SHOWDOWN, Phase.DONE):
        return False
    lacks = dict(at.mat.together).get(hand.seat, 0) > len(hand.cards)
    if lacks or _may_play_on(at, hand):
        return False
    numbers = frozenset(at.mat.hand(hand.seat))
    lay = numbers <= at.mat.lying and not numbers & (look.turned_up | look.pushed)
    new = [each for _, each in more_shown(at, look)]
    apart = nearest(card, lying_at(at, look, hand.seat)) > COVERED_MM
    return lay and new == [card] and apart


def _may_play_on(at: At, hand: PlayerCards) -> bool:
    """Return whether only an open hand said that its player sticks, and no other is shown."""
    silent = any(
        isinstance(event, Stick) and event.seat == hand.seat and Assumption.SILENT_STICK in assumed
        for event, assumed in at.steps
    )
    return silent and not any(each.shown for each in play_of(at).hands if each is not hand)


def dealt_after(at: At, look: Look) -> frozenset[int]:
    """Return the card that was dealt since the end, where nothing is gathered yet."""
    if look.blind or at.mat.lying - numbers_in(look):
        return frozenset()

    def is_whole(seat: int) -> bool:
        return len(lying_at(at, look, seat)) == len(play_of(at).hand(seat).cards)

    new = new_cards(at, look)
    dealt = frozenset(c.number for seat, c in new if not c.is_up or is_whole(seat))
    return dealt - at.mat.lying


def is_swept(at: At, look: Look) -> bool:
    """Return whether the hands were gathered while some are still to be shown."""
    return play_of(at).phase is Phase.SHOWDOWN and not at.mat.swept and look.is_swept


def shows_more(at: At, look: Look, seat: int) -> bool:
    """Return whether more open cards lie at a place than the hand is known to have."""
    lying = sum(c.is_up for c in look.cards if at_seat(at, c) == seat)
    return lying > len(play_of(at).hand(seat).cards)


def lies_as_shown(at: At, look: Look) -> bool:
    """Return whether no card of any hand was taken up since it was seen last."""
    hands = (at.mat.hand(hand.seat) for hand in play_of(at).hands)
    return {*chain(*hands)} - {UNKNOWN, TAKEN_UP} <= numbers_in(look)


def cards_cut(at: At, look: Look) -> list[LyingCard]:
    """Return the cards at the places of those who have still to cut (rule G-2)."""
    due = at.state.round.to_cut
    spent = at.mat.spent - laid_anew(at.mat, look)
    return [c for c in look.cards if c.seat in due and c.number not in spent]


def cards_dealt(state: State) -> int:
    """Return how many cards everybody has before the first turn."""
    return int(getattr(state.setup.game, "cards_dealt", 0))


def is_more(state: State, cards: Sequence[Card | None]) -> bool:
    """Return whether all *cards* are known, and make more than the game wants."""
    game = state.setup.game
    total = None if None in cards else game.total(state.live_play, cards)
    return total is not None and total > game.target


def is_over(at: At, seat: int) -> bool:
    """Return whether all cards of a hand are known, and make more than the game wants."""
    return is_more(at.state, play_of(at).hand(seat).cards)


def makes_target(at: At, look: Look, seat: int) -> bool:
    """Return whether the open cards at a place make 31, or what the game wants, exactly."""
    game, play = at.state.setup.game, play_of(at)
    cards = [card.card for card in look.at_seat(seat) if card.is_up]
    if len(cards) < cards_dealt(at.state) or None in cards:
        return False
    return bool(game.total(play, cards) == game.target)


def who_spoke(at: At) -> list[int | None]:
    """Return at which seats words were pressed that explain nothing yet; ``None``: the console."""
    return [said.press.seat for _, said in at.said if said.press is not None]


def by_hand(look: Look, seat: int | None) -> tuple[Assumption, ...]:
    """Return how unusual it is that the hand of *seat* did it, by those that were seen."""
    if look.blind or not look.hands or None in look.hands or seat in look.hands:
        return ()
    return (Assumption.OTHER_HAND,)


def nearest(card: LyingCard, others: Iterable[LyingCard]) -> float:
    """Return how far the nearest of *others* lies from a card, in millimetres."""
    near = (math.dist(card.centre, each.centre) for each in others if each is not card)
    return min(near, default=math.inf)
