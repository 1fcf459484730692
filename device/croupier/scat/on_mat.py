"""Which cards lie where, and what the pile and the stock show, as a history has it."""

from __future__ import annotations

import math
from collections.abc import Iterator

from device.croupier.assumptions import Assumption
from device.croupier.left_over import laid_anew
from device.croupier.looks import Look, LyingCard, numbers_of
from device.croupier.scat import exchanges
from device.croupier.scat.mat import HAND, At, ScatMat, play_of
from device.croupier.scat.pile import COVERED, NO_PILE, PileFit, Spot, fit_pile, may_cover, spot_of
from engine import State
from engine.core.cards import Card
from engine.core.views import Phase
from engine.games.scat.play import ScatHand, ScatPlay
from vision.mat.layout import CARD_MM
from vision.readings import ZoneKind

OPEN_BY_MISTAKE = 2
"""So many hands lie open in play before a showdown is under way."""

HALF_CARD_MM = CARD_MM[0] / 2
"""One back nearer than this to the one on the stock is of the stock: nobody has thrown a hand."""

TOUCHED_MM = 6.0
"""A back in the middle that lies further off than this was touched, or others lie on it."""


class _Last:
    """The pile that was held against a look last: the search asks for it many times on end."""

    of: tuple[State, ScatMat, Look, PileFit] | None = None


def fit(at: At, look: Look) -> PileFit:
    """Hold the pile of *at* against what shows on its place."""
    play, last = play_of(at.state), _Last.of
    assert play is not None
    if not play.options.has_discard or at.mat.lost:
        return NO_PILE
    if last and last[0] is at.state and last[1] is at.mat and last[2] is look:
        return last[3]
    pile = [thrown.card for thrown in play.discards]
    there = [c for c in look.in_zone(ZoneKind.DISCARD) if c.number not in at.mat.spent]
    covered = there and not there[-1].is_up and not _lies_beside(at, look, play, there[-1])
    if covered or two_lie(at, look):
        found = COVERED
    else:
        lying, over = on_discard(at, look), play.phase is Phase.SHOWDOWN
        unseen = at.mat.unseen and len(pile) == 1
        found = fit_pile(pile, at.mat.pile, lying, play.options.decks, over=over, unseen=unseen)
    _Last.of = (at.state, at.mat, look, found)
    return found


def _lies_beside(at: At, look: Look, play: ScatPlay, back: LyingCard) -> bool:
    """Return whether a back on the discard is none, and leaves the top of the pile bare."""
    known = dict(at.mat.loose).keys() | numbers_of(thrown_cards(at, look, play))
    top = at.mat.pile[-1] if at.mat.pile else None
    return back.number in known and not may_cover(back, top)


def two_lie(at: At, look: Look) -> bool:
    """Return whether both cards that a player laid at once still lie on the discard."""
    extra = at.mat.extra
    return bool(extra) and extra <= numbers_of(on_discard(at, look))


def on_discard(at: At, look: Look) -> list[LyingCard]:
    """Return the open cards on the place of the discard, in order of laying."""
    return [
        card
        for card in look.cards
        if card.zone is ZoneKind.DISCARD and card.is_up and card.number not in at.mat.spent
    ]


def middle_cards(at: At, look: Look) -> list[LyingCard]:
    """Return the cards where those between the players may lie."""
    play = play_of(at.state)
    assert play is not None
    return [
        card
        for card in look.cards
        if card.number not in at.mat.spent and exchanges.is_middle_card(card, play)
    ]


def hand_shown(at: At, look: Look, seat: int) -> list[LyingCard]:
    """Return the open cards of a player, at their place or where they laid their hand.

    Of more than a hand those are no part of it that lie under others in the pile: the reader
    sees a corner of them.
    """
    afar, spent = dict(at.mat.afar), at.mat.spent
    up = (card for card in look.cards if card.is_up and card.number not in spent)
    lying = [card for card in up if afar.get(card.number, card.seat) == seat]
    play = play_of(at.state)
    if len(lying) <= HAND or play is None or play.options.decks > 1:
        return lying
    covered = {thrown.card for thrown in play.discards[:-1]}
    return [card for card in lying if card.card is None or card.card not in covered]


def is_elsewhere(at: At, look: Look, play: ScatPlay) -> bool:
    """Return whether an open hand shows what cannot be: a card of the pile, or one missing."""
    if play.options.decks > 1:
        return False
    lying = {*(thrown.card for thrown in play.discards), *play.gone}
    for hand in play.hands:
        if hand.out:
            continue
        cards = [card.card for card in hand_shown(at, look, hand.seat)]
        if any(card is not None and card in lying for card in cards):
            return True
        others = {c for other in play.hands if other is not hand for c in other.cards}
        if any(card is not None and card in others for card in cards):
            return True
        new = {*cards} - {*hand.cards}
        if len(cards) == HAND and None not in cards and len(new) > hand.cards.count(None):
            return True  # also while one more was drawn, and is not laid yet
    return False


def thrown_cards(at: At, look: Look, play: ScatPlay) -> list[LyingCard]:
    """Return the backs that nobody has explained."""
    mat, table = at.mat, play.options.table
    known = mat.spent | mat.dealt | _lying_still(mat, look)
    if table in exchanges.TABLES:
        ties = exchanges.tie(mat.ties, play, middle_cards(at, look))
        known |= {number for _, number, _ in ties}
    stock = stock_card(at, look)
    found = [
        card
        for card in look.cards
        if not card.is_up and card is not stock and card.number not in known
    ]
    if len(found) == 1 and found[0].zone is ZoneKind.DISCARD:
        return []  # a discard that is to be turned
    if len(found) == 1 and stock is not None:
        apart_mm = math.dist(found[0].centre, stock.centre)
        return found if apart_mm > HALF_CARD_MM else []  # the stock's own top slid on it
    return found


def _lying_still(mat: ScatMat, look: Look) -> frozenset[int]:
    """Return the numbers of the loose backs that lie where they lay."""
    lain = dict(mat.loose)
    return numbers_of(
        card
        for card in look.cards
        if card.number in lain and math.dist(card.centre, lain[card.number]) <= TOUCHED_MM
    )


def stock_card(at: At, look: Look) -> LyingCard | None:
    """Return the back on the stock: of several the one that lies where it lay last."""
    lying, loose = look.in_zone(ZoneKind.STOCK), dict(at.mat.loose)
    backs = [card for card in lying if not card.is_up and card.number not in loose]
    last = at.mat.stock
    if last is None or not backs:
        return backs[-1] if backs else None
    return min(backs, key=lambda card: math.dist(card.centre, last.at))


def stock_spot(at: At, look: Look) -> Spot | None:
    """Return where the back on the stock lies; ``None``: none does."""
    card = stock_card(at, look)
    return None if card is None else spot_of(card)


def stock_moved(at: At, look: Look) -> bool:
    """Return whether the back on the stock lies otherwise than at the last rest."""
    back, before = stock_spot(at, look), at.mat.stock
    return back is not None and before is not None and back.is_other(before)


def stock_differs(at: At, look: Look) -> bool:
    """Return whether the stock shows what *at* does not explain."""
    play = play_of(at.state)
    if play is None or play.options.table == "bus" or at.mat.lost:
        return False
    back = stock_spot(at, look)
    if back is None:
        return at.mat.stock is not None and play.stock > 0
    return play.stock == 0 or (stock_moved(at, look) and not at.mat.drew)


def is_swept(at: At, look: Look, play: ScatPlay) -> bool:
    """Return whether the hands that were shown were gathered, and others are still to be."""
    shows = play.phase is Phase.SHOWDOWN and any(hand.shown for hand in play.hands)
    return shows and not at.mat.swept and look.is_swept


def seats_open(at: At, look: Look, play: ScatPlay) -> set[int]:
    """Return who has laid a whole hand open, read or not."""
    return {h.seat for h in play.hands if len(hand_shown(at, look, h.seat)) == HAND}


def hands_open(at: At, look: Look, play: ScatPlay) -> Iterator[tuple[ScatHand, tuple[Card, ...]]]:
    """Yield the hands that lie open whole, every card read, and were not shown before.

    One that was known already may lie there as nothing but what was known.
    """
    if not (at.mat.afar or any(card.is_up and card.seat is not None for card in look.cards)):
        return
    for hand in play.hands:
        if hand.out or hand.shown:
            continue
        lying = hand_shown(at, look, hand.seat)
        cards = tuple(card.card for card in lying if card.card is not None)
        is_it = hand.has_unread or {*hand.cards} == {*cards}
        if is_it and len(lying) == len(cards) == HAND:
            yield hand, cards


def all_open(at: At, look: Look, play: ScatPlay) -> bool:
    """Return whether all who play have laid their hands open, and every card is read."""
    shown = {hand.seat for hand, _ in hands_open(at, look, play)}
    return play.options.has_discard and shown >= set(play.holding)


def lies_as_dealt(at: At, look: Look, hand: ScatHand) -> bool:
    """Return whether a hand lies where it was dealt: nothing else of it can be thrown in.

    A card that was drawn may lie beside it, face down.
    """
    lying = numbers_of(look.at_seat(hand.seat)) & at.mat.dealt
    return len(lying) >= min(HAND, len(hand.cards)) > 0


def cards_cut(at: At, look: Look, seat: int) -> list[LyingCard]:
    """Return the open cards at the place of somebody who has still to cut."""
    spent = at.mat.spent - laid_anew(at.mat, look)
    return [card for card in look.at_seat(seat) if card.is_up and card.number not in spent]


def suspects(at: At, look: Look) -> frozenset[Card]:
    """Return the cards that *look* shows elsewhere than *at* has them."""
    play = play_of(at.state)
    if play is None or play.phase not in (Phase.PLAY, Phase.SHOWDOWN, Phase.DONE):
        return frozenset()
    found: set[Card | None] = set()
    pile = [thrown.card for thrown in play.discards]
    if play.options.has_discard:
        lying = on_discard(at, look)
        shown = {card.card for card in lying}
        top = lying[-1].card if lying else None
        if not pile or top != pile[-1]:
            found |= {top} | (set(pile[-HAND:]) - shown)
        held = {card for hand in play.hands for card in hand.cards}
        found |= shown & held
    for hand in play.hands:
        cards = [card.card for card in hand_shown(at, look, hand.seat)]
        found |= set(cards) & set(pile)
        if len(cards) == HAND:
            found |= set(hand.cards) - set(cards)
        others = {c for other in play.hands if other is not hand for c in other.cards}
        found |= set(cards) & others
    return frozenset(card for card in found if card is not None)


def by_earlier_hand(at: At, look: Look, seat: int) -> tuple[Assumption, ...]:
    """Return what it costs that *seat* laid a card that only other hands can have laid since."""
    acting = look.acting
    if not acting or None in acting or seat in acting or seat not in (at.hands or ()):
        return ()  # where it was not seen at all, the search asks for it
    return (Assumption.OTHER_HAND,)


def not_by_last_hand(at: At, look: Look, seat: int) -> tuple[Assumption, ...]:
    """Return what it costs that *seat* laid the top card, unseen, where another hand was the last.

    Where its own was seen, too, the last may be a neighbour's that was taken for another.
    """
    acting = look.acting or (None,)
    if acting[-1] is None or seat in acting or None not in acting or len(fit(at, look).new) != 1:
        return ()
    return (Assumption.EARLIER_HAND,)
