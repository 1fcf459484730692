"""The cards between the players of Thirty-one: which lies at which place, and who changed it.

A widow, the open cards of Stop the bus, and the two hands of Switch lie side by side wherever no
player's cards lie: between the places, on the dealer's, or on the place of a seat that is empty.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from device.croupier.assumptions import Assumption
from device.croupier.legal import is_legal
from device.croupier.looks import PUT_BACK_MM, Look, LyingCard, numbers_of
from device.croupier.moves import Move
from device.croupier.scat.mat import At, Key, ScatMat, Ties
from device.ports import Button
from engine.core.cards import Card
from engine.core.events import (
    ChooseHand,
    Correct,
    DealTo,
    Event,
    Exchange,
    Facing,
    Keep,
    Pile,
    Renew,
    SwapCards,
    SwapHand,
    TableHand,
    Widow,
)
from engine.games.scat.play import ScatPlay
from vision.readings import ZoneKind

TABLES = ("widow", "switch", "bus")
"""Variants with cards between the players, as the option ``table`` has them."""

NEIGHBOUR_MM = 45.0
"""A card laid this near to where one was taken lies in its place: the next one is 57 mm away."""

HAND = 3
"""Cards of a hand on the table."""


@dataclass(frozen=True, slots=True)
class Change:
    """A place that shows another card than the game knows of; *was* ``None`` is a back."""

    key: Key
    was: Card | None
    card: LyingCard

    @property
    def is_down(self) -> bool:
        """A back lies where the game knows an open card."""
        return not self.card.is_up


def is_middle_card(card: LyingCard, play: ScatPlay) -> bool:
    """Return whether a card lies where the cards between the players may lie.

    Of what the mat calls stock and discard only what the game does not use is free; the stock
    itself is backs, wherever the game.
    """
    table = play.options.table
    if card.zone is ZoneKind.SEAT:
        return card.seat not in {hand.seat for hand in play.hands}
    if card.zone is ZoneKind.DISCARD:
        return table in ("switch", "bus")
    if card.zone is ZoneKind.STOCK:
        return table == "bus" and card.is_up
    return True


def sorted_by_position(cards: Iterable[LyingCard]) -> list[LyingCard]:
    """Sort cards as seat 0 sees them: left to right, or top to bottom where they lie so."""
    found = list(cards)
    if not found:
        return []
    across = [card.centre[0] for card in found]
    down = [card.centre[1] for card in found]
    axis = 0 if max(across) - min(across) >= max(down) - min(down) else 1
    return sorted(found, key=lambda card: (card.centre[axis], card.centre))


def places(play: ScatPlay) -> dict[Key, Card | None]:
    """Return what the game knows to lie open at each place; ``None`` is a back."""
    return {
        (str(name), spot): place.card if place.up else None
        for name, pile in play.piles
        if name != Pile.SECOND
        for spot, place in enumerate(pile)
    }


# --- which card lies where ----------------------------------------------------------------------


def tie(ties: Ties, play: ScatPlay, free: Sequence[LyingCard]) -> Ties:
    """Find the card of every place among the cards in the middle.

    An open card is known by its name, so a row may be laid in another order; any other by where it
    lies. Places whose card is not found are left out.
    """
    known = places(play)
    bonds = {key: (number, at) for key, number, at in ties if key in known}
    left = {card.number: card for card in free}
    found: dict[Key, LyingCard] = {}
    for key, card in known.items():
        same = [each for each in left.values() if card is not None and each.card == card]
        if same:
            bond = bonds.get(key)
            best = min(same, key=lambda each: bond is None or each.number != bond[0])
            found[key] = left.pop(best.number)
    for key, (number, at) in bonds.items():
        near = left.get(number)
        if key not in found and near is not None and math.dist(near.centre, at) <= NEIGHBOUR_MM:
            found[key] = left.pop(number)
    pairs = sorted(
        (math.dist(at, card.centre), key, card.number)
        for key, (_, at) in bonds.items()
        for card in left.values()
        if key not in found
    )
    for far, key, number in pairs:
        if far <= NEIGHBOUR_MM and key not in found and number in left:
            found[key] = left.pop(number)
    _tie_by_order(known, found, left, frozenset(bonds))
    return tuple(sorted((key, card.number, card.centre) for key, card in found.items()))


def _tie_by_order(
    known: dict[Key, Card | None],
    found: dict[Key, LyingCard],
    left: dict[int, LyingCard],
    bound: frozenset[Key],
) -> None:
    """After a new start nothing is remembered: cards belong to the places in a row."""
    lost = [key for key in known if key not in found and key not in bound]
    backs = sorted_by_position(card for card in left.values() if not card.is_up)
    closed = [key for key in lost if known[key] is None]
    if len(backs) == len(closed):
        found.update(zip(closed, backs, strict=True))
        for card in backs:
            del left[card.number]
    lost = [key for key in lost if key not in found]
    if lost and len(lost) == len(left):
        found.update(zip(lost, sorted_by_position(left.values()), strict=True))
        left.clear()


def changes(ties: Ties, look: Look, play: ScatPlay) -> list[Change]:
    """Return the places that show something else than the game knows."""
    known = places(play)
    lying = {key: look.card(number) for key, number, _ in ties}
    return [
        Change(key, was, card)
        for key, was in known.items()
        if (card := lying.get(key)) is not None and not _shows(card, was)
    ]


def vacant(ties: Ties, play: ScatPlay) -> bool:
    """Return whether no card is seen at some place: a hand is still busy."""
    return len(ties) < len(places(play))


def kept(before: Ties, now: Ties, look: Look, play: ScatPlay) -> Ties:
    """Return the ties at a rest: a place that shows something else keeps what it was."""
    changed = {change.key for change in changes(now, look, play)}
    seen = {key: (key, number, at) for key, number, at in now if key not in changed}
    old = {key: (key, number, at) for key, number, at in before if key in places(play)}
    return tuple(sorted({**old, **seen}.values()))


def are_same(before: Ties, now: Ties) -> bool:
    """Return whether the same cards lie at the places, however they are read."""
    return [tied[:2] for tied in before] == [tied[:2] for tied in now]


def is_open(ties: Ties, look: Look, play: ScatPlay) -> bool:
    """Return whether something changed in the middle that a turn must explain."""
    found = changes(ties, look, play)
    if not found or vacant(ties, play):
        return False
    return all(change.is_down or change.card.card is not None for change in found)


def unread(ties: Ties, look: Look, play: ScatPlay) -> Iterator[Change]:
    """Yield the places at which lies a new card that nobody has read."""
    for change in changes(ties, look, play):
        if change.card.is_up and change.card.card is None:
            yield change


def _shows(card: LyingCard, known: Card | None) -> bool:
    """Return whether a card looks as the game knows it; ``None`` is a back."""
    if known is None:
        return not card.is_up
    if card.card is None and card.is_up:
        return known in card.candidates  # the same card, not so well seen this time
    return card.card == known


# --- the deal -----------------------------------------------------------------------------------


def deal_to(
    pile: Pile,
    dealers: Sequence[LyingCard],
    undealt: Sequence[LyingCard],
) -> tuple[Event | None, LyingCard | None]:
    """Return the next card of the deal that goes to a pile, and which it is.

    Args:
        pile: where it is due.
        dealers: cards at the dealer's place that were not yet counted.
        undealt: those in the middle.
    """
    if pile is Pile.SECOND:
        card = next((each for each in dealers if not each.is_up), None)
        return (DealTo(Pile.SECOND, None, Facing.DOWN) if card else None), card
    for card in sorted_by_position(undealt):
        if pile is Pile.TABLE and card.card is not None:
            return DealTo(pile, card.card, Facing.UP), card
        if pile is not Pile.TABLE and not card.is_up:
            return DealTo(pile, None), card
    return None, None


def laid(ties: Ties, pile: Pile, play: ScatPlay, card: LyingCard) -> Ties:
    """Return the ties with one card more, dealt to the next place of *pile*."""
    if pile is Pile.SECOND:
        return ties
    return tuple(sorted((*ties, ((str(pile), len(play.pile(pile))), card.number, card.centre))))


def laid_right(ties: Ties, look: Look, free: Sequence[LyingCard]) -> tuple[Ties, int] | None:
    """Return the ties after a card that had been dealt to the middle was laid elsewhere, and which.

    It had fallen aside: while cards are dealt nobody takes one from there.
    """
    gone = next((key for key, number, _ in ties if look.card(number) is None), None)
    card = next((each for each in free if not each.is_up), None)
    if gone is None or card is None:
        return None
    others = (each for each in ties if each[0] != gone)
    return tuple(sorted((*others, (gone, card.number, card.centre)))), card.number


def choices(at: At, play: ScatPlay, free: Sequence[LyingCard]) -> Iterator[Move[ScatMat]]:
    """Offer the hand that the dealer of Switch lays open: the other one is kept (rule SW-2)."""
    tied = {number for _, number, _ in at.mat.ties}
    lying = sorted_by_position(c for c in free if c.is_up and c.number not in tied)
    cards = tuple(card.card for card in lying)
    if len(lying) != HAND or None in cards:
        return
    ties = at.mat.ties + tuple(
        ((str(TableHand.A), spot), card.number, card.centre) for spot, card in enumerate(lying)
    )
    mat = replace(at.mat, ties=tuple(sorted(ties)))
    about = numbers_of(lying)
    for keep in (Keep.FIRST, Keep.SECOND):
        event = ChooseHand(play.dealer, keep, cards)
        if is_legal(at.state, event):
            yield Move((event,), mat, hand=play.dealer, about=about)
            return  # hands that nobody has read are alike


# --- turns --------------------------------------------------------------------------------------


def moves(
    at: At, look: Look, play: ScatPlay, free: Sequence[LyingCard], price: tuple[Assumption, ...]
) -> Iterator[Move[ScatMat]]:
    """Offer turns in which cards in the middle were changed (BK-3, SW-3 to SW-6, SB-2)."""
    seat = play.turn
    if seat is None or play.drawn is not None:
        return
    ties = tie(at.mat.ties, play, free)
    found = changes(ties, look, play) if not vacant(ties, play) else []
    found = [change for change in found if change.is_down or change.card.card is not None]
    groups = [found] if found else []
    if len(found) > 1 and may_be_two(at, look):
        groups += [[change] for change in found]
    for group in groups:
        changed = {change.key for change in group}
        numbers = frozenset(change.card.number for change in group)
        now = {key: (key, number, where) for key, number, where in ties}
        old = {key: (key, number, where) for key, number, where in at.mat.ties}
        after = tuple(sorted((now if key in changed else {**now, **old})[key] for key in now))
        for event in _events(seat, play, group):
            over = not (isinstance(event, Renew) and event.face is Facing.DOWN)
            mat = replace(
                at.mat,
                ties=after,
                turns=at.mat.turns + over,
                drew=at.mat.drew or isinstance(event, Renew),
            )
            some = (Assumption.UNSEEN_TURN,) if len(group) < len(found) else ()
            yield Move((event,), mat, (*price, *some), hand=seat, about=numbers)
    yield from _said(at, play, seat)


def reread(
    at: At, look: Look, play: ScatPlay, free: Sequence[LyingCard]
) -> Iterator[Move[ScatMat]]:
    """Offer that cards in the middle, which nobody has touched, had been read wrongly.

    What was taken for an exchange was none, or one of fewer cards; else they are corrected.
    """
    ties = tie(at.mat.ties, play, free)
    if look.hands != () or look.blind or vacant(ties, play):
        return
    found, lay = changes(ties, look, play), {key: where for key, _, where in at.mat.ties}
    for change in found:
        where = lay.get(change.key)
        if change.card.card is None or change.was is None or where is None:
            return
        if math.dist(where, change.card.centre) > PUT_BACK_MM:
            return
    if not found:
        return
    mat, about = replace(at.mat, ties=ties), frozenset(change.card.number for change in found)
    word, last = (Assumption.FACE_MISREAD,), at.events[-1]
    before = at.states[-1].live_play if at.states else None
    if isinstance(last, Exchange | Widow | SwapCards) and isinstance(before, ScatPlay):
        then = changes(ties, look, before)
        instead = tuple(_events(last.seat, before, then)[:1]) if then else ()
        yield Move((), mat, word, about=about, insert=(len(at.events) - 1, 1, instead))
    events = tuple(Correct(c.was, c.card.card) for c in found if c.was and c.card.card)
    yield Move(events, mat, word, about=about)


def may_be_two(at: At, look: Look) -> bool:
    """Return whether two players may have acted: hands of more than one were over the mat."""
    hands = at.hands
    if hands is None or look.blind:
        return True
    return len(set(hands) - {None}) + hands.count(None) > 1


def _said(at: At, play: ScatPlay, seat: int) -> Iterator[Move[ScatMat]]:
    """Offer what HAVE may mean in Switch: what no camera can see (rule SW-6)."""
    if play.options.table != "switch":
        return
    for _, said in at.said:
        press = said.press
        if press is None or press.button is not Button.HAVE or press.seat not in (None, seat):
            continue
        for hand in TableHand:
            if any(place.up for place in play.pile(hand)):
                continue
            event: Event = Renew(seat, hand, (None,) * HAND, Facing.DOWN)
            yield Move((event,), replace(at.mat, drew=True), said=said)
            if play.options.swap_face == "same":
                yield Move((SwapHand(seat, hand),), at.mat, said=said)


def _events(seat: int, play: ScatPlay, group: Sequence[Change]) -> list[Event]:
    """Return what *seat* may have done: one event, or two that look alike (SW-4, SW-5)."""
    given = tuple(change.card.card for change in group)
    if play.options.table == "bus":
        return [SwapCards(seat, given, tuple(change.was for change in group))]
    if play.options.table == "widow":
        if any(change.is_down for change in group):
            return []
        return [Widow(seat, given, tuple(change.key[1] for change in group))]
    hands = {change.key[0] for change in group}
    if len(group) == 1 and not group[0].is_down:
        (change,) = group
        return [Exchange(seat, TableHand(change.key[0]), change.key[1], change.card.card)]
    if len(hands) > 1:
        return []
    hand = TableHand(hands.pop())
    turned = {change.key[1] for change in group if change.is_down}
    if turned:
        # New cards face down: where backs had lain before nothing seems to have changed.
        closed = {spot for spot, place in enumerate(play.pile(hand)) if not place.up}
        all_down = len(turned) == len(group) and len(turned | closed) == HAND
        return [Renew(seat, hand, (None,) * HAND, Facing.DOWN)] if all_down else []
    if len(group) != HAND:
        return []
    ordered = tuple(c.card.card for c in sorted(group, key=lambda change: change.key[1]))
    return [SwapHand(seat, hand, ordered), Renew(seat, hand, ordered, Facing.UP)]
