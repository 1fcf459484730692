"""The discard of Thirty-one as it lies: which of its cards show, moved, are gone or are new."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from device.croupier.looks import LyingCard, turned_apart
from engine.core.cards import Card
from vision.mat.layout import CARD_MM
from vision.readings import Point

MOVED_MM = 2.5
"""A card of the pile whose middle moved this far was touched."""

COVERED_MOVED_MM = 15.0
"""The same for one that others may cover: the drawn piles of the people of software are read up to
12 mm beside where they lie."""

SAME_MM = 15.0
"""With two packs a card of the same name further off than this is the other one."""

HIDES_MM, APART_MM = 16.0, 90.0
"""Nearer than this, along both edges of the mat, a card may hide another; further it never does."""

_X_MM, _Y_MM = CARD_MM[0] / 2, CARD_MM[1] / 2
_INDEX = tuple((x, y) for x in (-29.5, -21.5) for y in (-41.5, -25.5))
_INDICES = (_INDEX, tuple((-x, -y) for x, y in _INDEX))
"""The corners of the two indices of a card, in millimetres from its middle."""

NAMED_DEG = 8.0
"""A face where an unread one lay that is turned further from it is another card's."""

STOCK_MM, STOCK_DEG = 1.5, 2.0
"""The back on the stock lies otherwise than before when it moved or turned this far."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a card lies: its middle in millimetres of the mat, and how it is turned.

    *number* is the identity that the looks gave it.
    """

    at: Point
    turn_deg: float | None = None
    number: int = field(default=0, compare=False)

    def is_other(self, other: Spot) -> bool:
        """Return whether the back of the stock is another one, or was moved."""
        if math.dist(self.at, other.at) > STOCK_MM:
            return True
        if self.turn_deg is None or other.turn_deg is None:
            return False
        return turned_apart(self.turn_deg, other.turn_deg) > STOCK_DEG


def spot_of(card: LyingCard) -> Spot:
    """Return where a card lies."""
    return Spot(card.centre, card.turn_deg, card.number)


@dataclass(frozen=True, slots=True)
class PileFit:
    """The pile of a history held against what shows on its place.

    Attributes:
        shown: for each place in the pile, from 0 at the bottom, the card seen there.
        named: a place whose card nobody had read, and that shows a face now.
        new: cards that are not in the pile, in order of laying.
        unread: a face on top that nobody has read yet, and that is no card of the pile.
        top_shows: the top of the pile lies on top, or the pile is not in sight at all.
        moved: places of cards that lie elsewhere than before.
        gone: places of cards that showed before, and that nothing covers.
        hidden: cards should lie there, and none is seen.
    """

    shown: dict[int, LyingCard]
    new: tuple[LyingCard, ...]
    unread: LyingCard | None
    top_shows: bool
    moved: tuple[int, ...]
    gone: tuple[int, ...]
    hidden: bool
    named: tuple[int, LyingCard] | None = None

    @property
    def fits(self) -> bool:
        """The pile looks as the history has it."""
        return self.top_shows and not (
            self.new or self.moved or self.gone or self.unread or self.named
        )

    def is_another(self, before: Sequence[Spot | None], hands: Collection[object] | None) -> bool:
        """Return whether the face where nobody had read one may be another card laid upon it.

        It is none of those that the card there, which lay last as *before*, might have been; and
        one of *hands* was over the mat.
        """
        if self.named is None or not hands:
            return False
        spot = before[self.named[0]]
        on_top = self.named[0] == len(before) - 1
        return on_top and spot is not None and spot.number != self.named[1].number

    @property
    def next(self) -> LyingCard | None:
        """The next discard: the first that is new, or the one on top that is not read."""
        return self.new[0] if self.new else self.unread

    def spots(
        self, before: Sequence[Spot | None], *, anew: bool = False
    ) -> tuple[Spot | None, ...]:
        """Return where the cards lie now; *anew*: of those that do not show nobody knows."""
        return tuple(
            spot_of(self.shown[place]) if place in self.shown else None if anew else spot
            for place, spot in enumerate(before)
        )

    def read(self) -> frozenset[Card]:
        """Return the cards of the pile that are read now."""
        return frozenset(card.card for card in self.shown.values() if card.card is not None)


NO_PILE = PileFit({}, (), None, True, (), (), False)
"""Of a game without a discard."""

COVERED = PileFit({}, (), None, True, (), (), True)
"""Of a pile on which a back lies: nothing is known of it."""


def fit_pile(
    pile: Sequence[Card | None],
    spots: Sequence[Spot | None],
    lying: Sequence[LyingCard],
    decks: int = 1,
    *,
    over: bool = False,
    unseen: bool = False,
) -> PileFit:
    """Hold *pile*, the bottom first, against the open cards that lie on its place.

    Args:
        pile: the cards, ``None`` for one that nobody has read.
        spots: for each of them where it lay last; ``None`` where nobody knows.
        lying: the open cards on the place of the discard, in order of laying.
        decks: with two packs a card may lie twice.
        unseen: the only card of the pile is taken to lie there, though it is not seen.
        over: nobody lays a card any more: one on top that is not read may be the old top, pushed.
    """
    shown, new, named = _known_faces(pile, spots, lying, decks)
    unread: LyingCard | None = None
    for each in lying:
        if each.card is not None:
            continue
        place = _place_of_unread(each, pile, spots, shown, last=each is lying[-1] and not over)
        if place is None:
            unread = each
        else:
            shown[place] = each
    hidden = not lying and (len(pile) > 1 or unseen)
    if not pile:
        top_shows = not lying
    elif not lying:
        top_shows = hidden
    else:
        top_shows = shown.get(len(pile) - 1) is lying[-1]
    laid = [spot_of(each) for each in (*new, unread) if each is not None]
    moved, gone = ((), ()) if hidden else _changed(spots, shown, laid)
    return PileFit(shown, tuple(new), unread, top_shows, moved, gone, hidden, named)


def _known_faces(
    pile: Sequence[Card | None],
    spots: Sequence[Spot | None],
    lying: Sequence[LyingCard],
    decks: int,
) -> tuple[dict[int, LyingCard], list[LyingCard], tuple[int, LyingCard] | None]:
    """Return the cards that were read: those of the pile, those that are new, and one named now."""
    where = {card: place for place, card in enumerate(pile) if card is not None}
    seen = {each.card for each in lying}
    shown: dict[int, LyingCard] = {}
    new: list[LyingCard] = []
    named: tuple[int, LyingCard] | None = None
    for each in lying:
        if each.card is None:
            continue
        place = where.get(each.card)
        if place is not None and decks > 1:
            spot = spots[place]
            if place in shown or (spot and math.dist(spot.at, each.centre) > SAME_MM):
                place = None
        if place is not None:
            shown[place] = each
            continue
        here = next(
            (n for n, spot in enumerate(spots) if pile[n] is None and _lies_at(each, spot)), None
        )
        if here is not None and len({*pile[here + 1 :]} - seen) > 1:
            here = None  # more lay on it than one player can have taken
        if here is None:
            new.append(each)
        else:
            named, shown[here] = (here, each), each
    return shown, new, named


def _place_of_unread(
    card: LyingCard,
    pile: Sequence[Card | None],
    spots: Sequence[Spot | None],
    shown: dict[int, LyingCard],
    *,
    last: bool,
) -> int | None:
    """Return which card of the pile an unread face is: one that lay there, or may look so."""
    free = [place for place in reversed(range(len(pile))) if place not in shown]
    for place in free:
        spot = spots[place]
        known = pile[place]
        alike = known is None or not card.candidates or known in card.candidates
        if alike and _near(card, spot):
            return place
    if card.unread or last:
        return None
    return next((place for place in free if pile[place] in card.candidates), None)


def _changed(
    spots: Sequence[Spot | None], shown: dict[int, LyingCard], laid: Sequence[Spot]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return which cards of the pile moved, and which do not show although nothing covers them."""
    top = max(shown, default=-1)

    def moves(place: int, each: LyingCard) -> bool:
        # Of a card that others cover only a corner shows, and where the rest lies is guessed.
        most = COVERED_MOVED_MM if laid or place < top else MOVED_MM
        return spots[place] is not None and not _near(each, spots[place], most)

    moved = tuple(place for place, each in shown.items() if moves(place, each))
    gone, above, unknown = [], list(laid), False
    for place in reversed(range(len(spots))):
        spot = spots[place]
        if place in shown:
            above.append(spot_of(shown[place]))
        elif spot is None:
            unknown = True
        else:
            if not any(may_hide(other, spot) for other in above) and not (
                unknown and any(_near_twice(other, spot) for other in above)
            ):
                gone.append(place)
            above.append(spot)
    return moved, tuple(gone)


def _near(card: LyingCard, spot: Spot | None, most_mm: float = MOVED_MM) -> bool:
    return spot is not None and math.dist(spot.at, card.centre) <= most_mm


def _lies_at(card: LyingCard, spot: Spot | None) -> bool:
    """Return whether a card lies where another one did, and turned as it was."""
    if spot is None or not _near(card, spot):
        return False
    if card.turn_deg is None or spot.turn_deg is None:
        return True
    return turned_apart(card.turn_deg, spot.turn_deg) <= NAMED_DEG


def may_hide(upper: Spot, lower: Spot) -> bool:
    """Return whether a card may lie so on another that nothing tells what the lower one is.

    That is when some of both its indices is covered.
    """
    dx, dy = lower.at[0] - upper.at[0], lower.at[1] - upper.at[1]
    if abs(dx) <= HIDES_MM and abs(dy) <= HIDES_MM:
        return True
    if abs(dx) > APART_MM or abs(dy) > APART_MM:
        return False
    cos, sin = _turned(lower)
    cos_up, sin_up = _turned(upper)

    def is_under(x: float, y: float) -> bool:
        x, y = dx + cos * x - sin * y, dy + sin * x + cos * y
        return abs(cos_up * x + sin_up * y) <= _X_MM and abs(cos_up * y - sin_up * x) <= _Y_MM

    return all(any(is_under(x, y) for x, y in index) for index in _INDICES)


def _near_twice(upper: Spot, lower: Spot) -> bool:
    """Return whether a card between the two, that lies nobody knows where, may hide the lower."""
    return all(abs(a - b) <= 2 * HIDES_MM for a, b in zip(upper.at, lower.at, strict=True))


def _turned(spot: Spot) -> tuple[float, float]:
    turn = math.radians(spot.turn_deg or 0.0)
    return math.cos(turn), math.sin(turn)


def may_cover(upper: LyingCard, lower: Spot | None) -> bool:
    """Return whether one card may hide another so that nobody sees whether it is still there."""
    return lower is None or may_hide(spot_of(upper), lower)
