"""Looks: what lies on the mat at one rest, with all that led to it since the rest before.

``Looks`` gives each card and bone an identity that it keeps from look to look. It knows nothing
about any game.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from itertools import combinations
from typing import Any, TypeVar

from device.ports import Press
from engine.core.bones import Face
from engine.core.cards import Card
from engine.core.events import Event
from vision.readings import Place, Point, Reading, ZoneKind

SAME_PLACE_MM = 20.0
"""A card whose middle moved less than this is the same card: a card is at least 57 mm wide."""

FLIPPED_MM = 120.0
"""A card turned over lands this near: over its long edge 88 mm, and a hand's looseness."""

TURNED_DOWN_MM = 45.0
"""An open card turned face down lands this near: further off lies another one, newly dealt."""

PUSHED_MM = 5.0
"""A card found further off than this was pushed: one that lies still is read within 3 mm."""

PUT_BACK_MM = 3.0
"""A card that lies so near to where one lay that is gone, or that a hand hid, is that one."""

HIDDEN_MM = 8.0
"""Where a hand hid a card beside others, it may be read so far from where it was."""

STILL_MM = 1.0
"""A card whose middle moved less than this was not touched."""

LAID_AGAIN_MM = 10.0
"""A card that lies this far from where it lay was taken up: a sleeve pushes it less far."""

IN_PLACE_MM = 6.0
"""Cards that were turned up where they lay are off by no more than this in the mean."""

MOST_GONE = 60
"""So many cards that are gone are remembered."""

SAME_BONE_MM = 10.0
"""A bone found this near to where one lay is that bone: a bone is at least 25 mm long."""


THROW_MM = 200.0
"""Cards that were thrown in at once lie no further apart than this."""

STREWN_DEG = 30.0
"""Cards that lie at an angle of more than this to each other were thrown."""

ASKEW_DEG = 25.0
"""So does a card that is turned by more than this from all edges of the mat."""

ACROSS_DEG = 45.0
"""A card that is turned by more than this from another lies on its side for it."""

ROW_MM, ROW_DEG = 30.0, 20.0
"""Open cards so near to each other, and turned alike, are of one hand: a fan, or a packet."""

SPREAD_MM = 100.0
"""The middles of two neighbours in a hand that is laid open are no further apart."""

Thing = TypeVar("Thing", "LyingCard", "LyingBone")


class Side(StrEnum):
    """How a card lies."""

    UP = "up"
    DOWN = "down"


@dataclass(frozen=True, slots=True)
class LyingCard:
    """A card on the mat.

    Attributes:
        number: its identity; a card that appeared later has a higher one.
        card: what it is; ``None`` for a back, and for a face that is not read.
        candidates: what an unread face may be, best first.
        unread: people have said that it is none of the candidates.
        allowed: people have said that it counts although it lies the wrong way up.
        turn_deg: clockwise on the mat; ``None`` where nobody knows.
    """

    number: int
    side: Side
    centre: Point
    card: Card | None = None
    candidates: tuple[Card, ...] = ()
    zone: ZoneKind | None = None
    seat: int | None = None
    unread: bool = False
    allowed: bool = False
    turn_deg: float | None = None

    @property
    def is_up(self) -> bool:
        """It lies face up, read or not."""
        return self.side is Side.UP


@dataclass(frozen=True, slots=True)
class LyingBone:
    """A bone on the mat, or beside it (*off_mat*); *face* is ``None`` where it is not sure."""

    number: int
    centre: Point
    face: Face | None = None
    candidates: tuple[Face, ...] = ()
    off_mat: bool = False
    unread: bool = False
    allowed: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    """A press, or an event that people made: a correction, a player leaving.

    Attributes:
        number: the number that was dialled before it.
        after_s: seconds since the last look at the mat.
    """

    press: Press | None = None
    event: Event | None = None
    number: int | None = None
    after_s: float = math.inf


@dataclass(frozen=True, slots=True)
class Look:
    """One settled reading and all that led to it.

    Attributes:
        number: from 1, in the order of the hand.
        cards: in the order of laying as far as it is known: the last lies on top.
        hands: whose hands were over the mat since the last look, in order, ``None`` for one that
            nobody knows; ``None`` altogether where hands are not told apart.
        over: which places the hands covered, as far as it is known.
        said: presses, answers and corrections since the last look.
        blind: the mat was not seen in between.
        taken_up: nothing but backs at the places of players was taken up, by their own hands.
        cleared: the places at which cards lay at the last look, and none lies now.
        turned_up: cards that lie open, and did not at the last look.
        pushed: cards that lay elsewhere at the last look.
        across: cards at the place of somebody for whom they lie on their side, unlike the first
            back of the hand there.
        before_deal: cards that lay there before the deal began, at most one at the places, and that
            nobody touched since.
    """

    number: int
    cards: tuple[LyingCard, ...] = ()
    bones: tuple[LyingBone, ...] = ()
    hands: tuple[int | None, ...] | None = None
    over: frozenset[str] = frozenset()
    said: tuple[Said, ...] = ()
    blind: bool = False
    taken_up: bool = False
    cleared: frozenset[int] = frozenset()
    turned_up: frozenset[int] = frozenset()
    pushed: frozenset[int] = frozenset()
    across: frozenset[int] = frozenset()
    before_deal: frozenset[int] = frozenset()

    @property
    def is_swept(self) -> bool:
        """Whether the cards of several players were gathered, and none lies at a place."""
        several = len(self.cleared) > 1 and bool(self.hands) and not self.taken_up
        return several and not self.in_zone(ZoneKind.SEAT)

    @property
    def acting(self) -> tuple[int | None, ...] | None:
        """The hands that may have done something in the game."""
        return () if self.taken_up and self.hands is not None else self.hands

    def at_seat(self, seat: int) -> tuple[LyingCard, ...]:
        """Return the cards at the place of *seat*, in order of laying."""
        return tuple(card for card in self.cards if card.seat == seat)

    def in_zone(self, zone: ZoneKind | None) -> tuple[LyingCard, ...]:
        """Return the cards of a zone, or between the zones, in order of laying."""
        return tuple(card for card in self.cards if card.zone is zone)

    def card(self, number: int) -> LyingCard | None:
        """Return the card with that identity."""
        return next((card for card in self.cards if card.number == number), None)


@dataclass(frozen=True, slots=True)
class _Naming:
    """What people said of a card or bone: what it is, or that no candidate is right.

    Attributes:
        read: as what it was read then, and *maybe* what it may have been.
    """

    read: Card | Face | None
    maybe: tuple[Card | Face, ...]
    named: Card | Face | None
    where: Point


class Looks:
    """Makes looks out of readings and presses.

    Attributes:
        last: the newest look.
    """

    def __init__(self) -> None:
        """Start with an empty mat."""
        self.last = Look(0)
        self._cards: list[LyingCard] = []  # as read; what people said is not in them
        self._bones: list[LyingBone] = []
        self._gone: list[LyingCard] = []
        self._turns: dict[int, float] = {}  # how the first back of the hand lay at each place
        self._flips: list[LyingCard] = []  # as they lay that seem to lie turned over elsewhere
        self._names: dict[int, list[_Naming]] = {}
        self._allowed: set[int] = set()
        self._before_deal: dict[int, LyingCard] | None = None  # untouched since
        self._is_dealt = False
        self._next = 0

    @property
    def _things(self) -> list[LyingCard | LyingBone]:
        return [*self._cards, *self._bones]

    def see(
        self,
        reading: Reading,
        *,
        hands: Sequence[int | None] | None = None,
        over: frozenset[str] = frozenset(),
        said: Sequence[Said] = (),
        blind: bool = False,
    ) -> Look:
        """Return the look of a reading that shows a mat."""
        cards, ordered = _cards_of(reading)
        old = {card.number: place for place, card in enumerate(self._cards)}
        before = self._cards
        rows, anew = _pushed_rows(before, cards)
        known = rows | self._overlooked(cards) | self._named_again(cards)
        rounds = _card_rounds(before, cards, anew, touched=hands is None or len(hands) > 0)
        lain = {card.number: card.centre for card in self._gone}
        self._cards = self._numbered(cards, before, rounds, self._gone, known)
        self._note_flips([was for was in before if was.number not in known.values()])
        lying = {card.number for card in self._cards}
        gone = (card for card in (*self._gone, *before) if card.number not in lying)
        self._gone = list(gone)[-MOST_GONE:]
        if not ordered:
            # A camera does not tell what was laid first: what was there stays below, and so does
            # what comes to light again where it lay.
            self._cards.sort(key=lambda card: self._height(card, old, lain))
        self._bones = self._numbered(_bones_of(reading), self._bones, _BONE_ROUNDS)
        for thing in self._things:
            self._check_name(thing)
        for card in self._cards:
            if card.number in lain and card.zone is ZoneKind.DISCARD and card.card is None:
                self._names.pop(card.number, None)  # it may be another one that was laid there
        self._is_dealt |= sum(card.zone is ZoneKind.SEAT for card in self._cards) > 1
        if self._before_deal is None or not self._is_dealt:
            self._before_deal = {card.number: card for card in self._cards}
        for card in self._cards:
            if not _is_untouched(self._before_deal.get(card.number, card), card):
                del self._before_deal[card.number]
        hands = None if hands is None else tuple(hands)
        cleared = _seats(before) - _seats(self._cards)
        taken_up = bool(hands) and _only_taken_up(before, self._cards, hands or ())
        look = self._look(hands, over, tuple(said), blind)
        across = frozenset(card.number for card in look.cards if self._is_across(card))
        turned_up = _open(self._cards) - _open(before)
        lay = {card.number: card.centre for card in before}
        pushed = frozenset(
            card.number
            for card in self._cards
            if math.dist(lay.get(card.number, card.centre), card.centre) > PUSHED_MM
        )
        self.last = replace(
            look,
            taken_up=taken_up,
            cleared=cleared,
            turned_up=turned_up,
            pushed=pushed,
            across=across,
        )
        return self.last

    def _is_across(self, card: LyingCard) -> bool:
        """Return whether a card lies on its side at a place; remember how backs lie there."""
        seat, turn_deg = card.seat, card.turn_deg
        if card.zone is not ZoneKind.SEAT or seat is None or turn_deg is None:
            return False
        if not card.is_up:
            self._turns.setdefault(seat, turn_deg)
        return turned_apart(self._turns.get(seat, turn_deg), turn_deg) > ACROSS_DEG

    def _height(self, card: LyingCard, old: dict[int, int], lain: dict[int, Point]) -> float:
        """Return how high *card* lies, where *old* cards lie in their order."""
        if card.number in old or card.number not in lain:
            return old.get(card.number, len(old))
        if math.dist(card.centre, lain[card.number]) > PUT_BACK_MM:
            return len(old)
        later = (height for number, height in old.items() if number > card.number)
        return min(later, default=len(old) + 0.5) - 0.5

    def hear(self, *said: Said) -> Look:
        """Return a look at the mat as it lay last, with something said."""
        hands = None if self.last.hands is None else ()
        return self._look(hands, frozenset(), said, False)

    def name(self, number: int, named: Card | Face | None) -> None:
        """Take the word of people for what a card or bone is; ``None``: none of the candidates.

        It holds until the camera is sure that something else lies there than it saw then. The
        next look has it.
        """
        for thing in self._things:
            if thing.number == number:
                naming = _Naming(_face(thing), thing.candidates, named, thing.centre)
                self._names.setdefault(number, []).append(naming)

    def allow(self, number: int) -> None:
        """Let a card or bone count although it lies wrongly.

        Where the whole deal lies open, all its cards do: nobody wants to be asked of each.
        """
        self._allowed |= {number} | _all_open(self.last)

    @property
    def names(self) -> Mapping[int, int]:
        """How often people have said what each card or bone is."""
        return {number: len(said) for number, said in self._names.items() if said}

    def unname(self, number: int) -> tuple[Card | Face | None, Card | Face | None]:
        """Forget what people said last of a card or bone; what they had said before holds.

        Returns:
            What they had called it, and as what it was read then.
        """
        naming = self._names[number].pop()
        return naming.named, naming.read

    def begin_hand(self) -> None:
        """Forget what is gone, and what people said: in the next hand it is asked anew."""
        self._gone.clear()
        self._turns.clear()
        self._flips.clear()
        self._allowed.clear()
        self._names.clear()
        self._before_deal = {card.number: card for card in self._cards} or None
        self._is_dealt = False

    def _look(
        self,
        hands: tuple[int | None, ...] | None,
        over: frozenset[str],
        said: tuple[Said, ...],
        blind: bool,
    ) -> Look:
        cards = tuple(self._as_named(card) for card in self._cards)
        bones = tuple(self._as_named(bone) for bone in self._bones)
        self.last = Look(self.last.number + 1, cards, bones, hands, over, said, blind)
        if self._before_deal:
            self.last = replace(self.last, before_deal=frozenset(self._before_deal))
        return self.last

    def _check_name(self, thing: LyingCard | LyingBone) -> None:
        """Forget a name where another face lies there now than was seen when it was named.

        What people said to be none of the candidates is read again once it was moved.
        """
        naming = self._naming(thing)
        if naming is None:
            return
        face, maybe = _face(thing), thing.candidates
        if face is None:
            other = bool(maybe) and naming.named not in maybe and set(maybe) != set(naming.maybe)
        else:
            other = face not in (naming.read, naming.named)
        moved = naming.named is None and math.dist(naming.where, thing.centre) > PUT_BACK_MM
        if moved or other:
            del self._names[thing.number]

    def _naming(self, thing: LyingCard | LyingBone) -> _Naming | None:
        return next(reversed(self._names.get(thing.number, ())), None)

    def _as_named(self, thing: Thing) -> Thing:
        if thing.number in self._allowed:
            thing = replace(thing, allowed=True)
        naming = self._naming(thing)
        if naming is None or (isinstance(thing, LyingCard) and thing.side is Side.DOWN):
            return thing
        if naming.named is None and isinstance(thing, LyingCard):
            return replace(thing, card=None, unread=True)
        if naming.named is None:
            return replace(thing, unread=True)
        if isinstance(thing, LyingCard):
            card = naming.named if isinstance(naming.named, Card) else None
            return replace(thing, card=card, candidates=())
        face = naming.named if isinstance(naming.named, Face) else None
        return replace(thing, face=face, candidates=())

    def _overlooked(self, new: Sequence[LyingCard]) -> dict[int, int]:
        """Return the places of cards that lie where one lay that seemed to be turned over."""
        found: dict[int, int] = {}
        for was in self._flips:
            for place, card in enumerate(new):
                near = math.dist(was.centre, card.centre) <= PUT_BACK_MM
                if near and _same_card(was, card) and place not in found:
                    found[place] = was.number
        return found

    def _named_again(self, new: Sequence[LyingCard]) -> dict[int, int]:
        """Return the places of cards that are read as people had said they are, or as before.

        One that nobody could read, and that is gone from where it lay, is that which is read so
        elsewhere: a fan is spread out.
        """
        found: dict[int, int] = {}
        named = [(was, naming) for was in self._cards if (naming := self._naming(was)) is not None]
        for was, naming in named:
            for place, card in enumerate(new):
                near = math.dist(was.centre, card.centre) <= SAME_PLACE_MM
                if near and card.card is not None and card.card in (naming.named, naming.read):
                    found.setdefault(place, was.number)
        read = {card.card for card in self._cards}
        for was, naming in named:
            lies = any(
                c.card is None and math.dist(was.centre, c.centre) <= SAME_PLACE_MM for c in new
            )
            if lies or was.card is not None or was.number in found.values():
                continue
            for place, card in enumerate(new):
                is_it = card.card is not None and card.card == naming.named
                if is_it and card.card not in read and place not in found:
                    found[place] = was.number
                    break
        return found

    def _note_flips(self, before: Sequence[LyingCard]) -> None:
        """Remember how cards lay that seem to have been turned over to another place."""
        now = {card.number: card for card in self._cards}
        flips = [
            was
            for was in (*self._flips, *before)
            if was.number in now
            and now[was.number].side is not was.side
            and math.dist(now[was.number].centre, was.centre) > PUT_BACK_MM
        ]
        self._flips = flips[-MOST_GONE:]

    def _numbered(
        self,
        new: Sequence[Thing],
        old: Sequence[Thing],
        rounds: Sequence[_Round],
        gone: Sequence[Thing] = (),
        found: Mapping[int, int] | None = None,
    ) -> list[Thing]:
        """Return *new* with the identities of *old* where they are the same, the nearest first.

        What is found neither so may be what lay there before: it was overlooked, or taken up and
        put back just so. *found* are the numbers of some places that are known already.
        """
        numbers: dict[int, int] = dict(found or {})

        def tries() -> Iterator[tuple[Sequence[Thing], Callable[[Any, Any], bool], float]]:
            yield from ((old, fits, most_mm) for fits, most_mm in rounds)
            if not gone:
                return
            put_back = partial(_lies_on, touched=True)
            yield gone, put_back, PUT_BACK_MM
            # Where others are found that lay at a place, they were only hidden, and so were these.
            places = {_at(was) for was in gone if was.number in numbers.values()}
            yield [was for was in gone if _at(was) in places], put_back, HIDDEN_MM
            yield gone, _same_name, math.inf

        for known, fits, most_mm in tries():
            pairs = sorted(
                (math.dist(before.centre, after.centre), before.number, place)
                for before in known
                for place, after in enumerate(new)
                if place not in numbers and fits(before, after)
            )
            for far, number, place in pairs:
                if far <= most_mm and place not in numbers and number not in numbers.values():
                    numbers[place] = number
        for place in range(len(new)):
            if place not in numbers:
                self._next += 1
                numbers[place] = self._next
        return [replace(thing, number=numbers[place]) for place, thing in enumerate(new)]


def has_changed(then: LyingCard | LyingBone, now: LyingCard | LyingBone | None) -> bool:
    """Return whether a card or bone was taken up, turned over, or reads as something else now."""
    if now is None:
        return True
    turned = (
        isinstance(then, LyingCard) and isinstance(now, LyingCard) and then.side is not now.side
    )
    return turned or len({_face(then), _face(now)} - {None}) > 1


def may_be_another(then: LyingCard | LyingBone, now: LyingCard | LyingBone | None) -> bool:
    """Return whether what nobody could read is read now, or looks most like something else.

    Where a hand was over the mat, it may have been taken up and another laid there.
    """
    if now is None or _face(then) is not None:
        return False
    best = [each.candidates[:1] for each in (then, now)]
    return _face(now) is not None or best[0] != best[1]


def _seats(cards: Iterable[LyingCard]) -> frozenset[int]:
    return frozenset(card.seat for card in cards if card.seat is not None)


def _only_taken_up(
    before: Sequence[LyingCard], now: Sequence[LyingCard], hands: Sequence[int | None]
) -> bool:
    """Return whether all that changed is that players took up backs from their own places."""
    lay = {card.number: card for card in before}
    for card in now:
        was = lay.pop(card.number, None)
        if was is None or math.dist(was.centre, card.centre) > STILL_MM or has_changed(was, card):
            return False
    takers = {card.seat for card in lay.values()}
    by_own_hands = set(hands) - {None} <= takers and len(hands) <= len(takers)
    return (
        bool(lay) and by_own_hands and all(not c.is_up and c.seat is not None for c in lay.values())
    )


def laid_again(before: Look, now: Look) -> frozenset[int]:
    """Return the card that was taken up and laid down elsewhere between two looks.

    Where several were moved they were squared up, or pushed aside.
    """
    moved = [
        (card.number, far)
        for card in now.cards
        if (was := before.card(card.number)) is not None
        and (far := math.dist(was.centre, card.centre)) > PUT_BACK_MM
    ]
    return frozenset(number for number, far in moved if len(moved) == 1 and far >= LAID_AGAIN_MM)


def is_strewn(cards: Sequence[LyingCard]) -> bool:
    """Return whether cards lie at all angles, as nobody deals them or lays them down."""
    turns = [card.turn_deg for card in cards if card.turn_deg is not None]
    if any(ASKEW_DEG < turn % 90.0 < 90.0 - ASKEW_DEG for turn in turns):
        return True
    return any(
        turned_apart(one, other) > STREWN_DEG
        for place, one in enumerate(turns)
        for other in turns[:place]
    )


def _all_open(look: Look) -> frozenset[int]:
    """Return the cards at the places where all lie open, two or more at each; else none."""
    dealt = look.in_zone(ZoneKind.SEAT)
    most = Counter(card.seat for card in dealt)
    if not all(card.is_up for card in dealt) or min(most.values(), default=0) < 2:
        return frozenset()
    return numbers_of(dealt)


def _is_untouched(was: LyingCard, now: LyingCard) -> bool:
    """Return whether a card lies as it lay."""
    return was.side is now.side and math.dist(was.centre, now.centre) <= STILL_MM


def _open(cards: Iterable[LyingCard]) -> frozenset[int]:
    return frozenset(card.number for card in cards if card.is_up)


def numbers_of(cards: Iterable[LyingCard]) -> frozenset[int]:
    """Return the numbers of *cards*."""
    return frozenset(card.number for card in cards)


def rows_of(cards: Iterable[LyingCard]) -> list[list[LyingCard]]:
    """Return the rows in which cards lie, each no further from the next than those of a hand."""
    rows: list[list[LyingCard]] = []
    for card in cards:
        near = [
            row for row in rows if any(math.dist(card.centre, c.centre) <= SPREAD_MM for c in row)
        ]
        rows = [row for row in rows if row not in near]
        rows.append([*(each for row in near for each in row), card])
    return rows


def too_wide_for_one_throw(cards: Iterable[LyingCard]) -> bool:
    """Return whether cards lie too far from each other for one throw."""
    places = [card.centre for card in cards]
    return any(math.dist(one, other) > THROW_MM for one in places for other in places)


def turned_apart(one_deg: float, other_deg: float) -> float:
    """Return by how many degrees, 0 to 90, two cards are turned; half a turn is none."""
    off = abs(one_deg - other_deg) % 180.0
    return min(off, 180.0 - off)


_Round = tuple[Callable[[Any, Any], bool], float]
"""Which things may be the same, and how far from each other they may lie, in millimetres."""


def _face(thing: LyingCard | LyingBone) -> Card | Face | None:
    return thing.card if isinstance(thing, LyingCard) else thing.face


def _at(card: Any) -> tuple[ZoneKind | None, int | None]:
    return card.zone, card.seat


def _same_card(before: LyingCard, after: LyingCard) -> bool:
    """Return whether nothing speaks against it: same side, no two different faces."""
    faces = {before.card, after.card} - {None}
    return before.side is after.side and len(faces) < 2


def _lies_on(before: LyingCard, after: LyingCard, *, touched: bool) -> bool:
    """Return whether a card lies where it lay, or was pushed a little.

    On the discard a card that hardly is what lay there covers it, or was covered by it; while
    nobody *touched* it, only the reading of what lies just there may have changed.
    """
    on_pile = before.zone is after.zone is ZoneKind.DISCARD
    if on_pile and (touched or math.dist(before.centre, after.centre) > PUT_BACK_MM):
        may_be, may_have_been = _may_be(after), _may_be(before)
        shared = len(may_be & may_have_been)
        if may_be and may_have_been and 2 * shared < min(len(may_be), len(may_have_been)):
            return False
    return _same_card(before, after)


def _may_be(card: LyingCard) -> set[Card]:
    """Return what a card may be; nothing where nobody knows."""
    return set(card.candidates) if card.card is None else {card.card}


def _same_name(before: LyingCard, after: LyingCard) -> bool:
    return after.card is not None and before.card == after.card


def _may_be_named(before: LyingCard, after: LyingCard) -> bool:
    """Return whether a card of a hand may be one that nobody can read, elsewhere at its place."""
    return _at_one_seat(before, after) and after.card is None and before.card in after.candidates


def _reads_otherwise(before: LyingCard, after: LyingCard) -> bool:
    """Return whether a card at a place was misread, then or now: nobody lays another just so."""
    return _at_one_seat(before, after) and before.is_up and after.is_up


def _at_one_seat(before: LyingCard, after: LyingCard) -> bool:
    return before.zone is after.zone is ZoneKind.SEAT and before.seat == after.seat


def _turned_up(before: LyingCard, after: LyingCard) -> bool:
    there = (before.zone, before.seat) == (after.zone, after.seat)
    return there and after.is_up and not before.is_up


def _turned_down(before: LyingCard, after: LyingCard) -> bool:
    return _turned_up(after, before)


def _card_rounds(
    before: Sequence[LyingCard],
    now: Sequence[LyingCard],
    anew: frozenset[int],
    *,
    touched: bool,
) -> Sequence[_Round]:
    """Return the rounds that find cards again: by name wherever they lie, by place, turned over.

    Where a hand that was held is laid open over backs, nobody can tell which of its cards they are,
    unless several more lie there, and one just where each back lay; nor where all of a place were
    taken up and laid open at once: those of the seats *anew*.
    *touched*: a hand was over the mat.
    """
    up = [card for card in before if card.is_up]

    def is_known(card: LyingCard) -> bool:
        near = any(math.dist(was.centre, card.centre) <= SAME_PLACE_MM for was in up)
        return near or any(_same_name(was, card) for was in up)

    backs = Counter(card.seat for card in before if not card.is_up)
    faces = Counter(card.seat for card in now if card.is_up and not is_known(card))
    mixed = {seat for seat, number in faces.items() if seat is not None and number > backs[seat]}
    # One face more may also be a card that fell there: then which of them is left open.
    mixed -= {n for n in mixed if faces[n] > backs[n] + 1 and _all_lie_so(n, before, now)}
    mixed |= anew

    def turned_up(was: LyingCard, card: LyingCard) -> bool:
        return card.seat not in mixed and _turned_up(was, card)

    def lies_on(was: LyingCard, card: LyingCard) -> bool:
        is_another = card.card is None and card.candidates and was.card not in card.candidates
        if is_another and any(_same_name(was, other) for other in now):
            return False  # it lies elsewhere
        return _lies_on(was, card, touched=touched)

    return (
        (_same_name, SAME_PLACE_MM),
        (lies_on, SAME_PLACE_MM),
        (_same_name, math.inf),
        (_may_be_named, math.inf),
        (_reads_otherwise, PUT_BACK_MM),
        (turned_up, FLIPPED_MM),
        (_turned_down, TURNED_DOWN_MM),
    )


def _pushed_rows(
    before: Sequence[LyingCard], now: Sequence[LyingCard]
) -> tuple[dict[int, int], frozenset[int]]:
    """Find rows of backs that were moved as a whole: each card keeps its rank in the row.

    Where all were turned up as well, the ranks are kept only by a row that was pushed, or turned
    in place; else it was taken up and laid anew.

    Returns:
        The numbers of some places in *now*, and the seats whose rows were laid anew.
    """
    found: dict[int, int] = {}
    anew = set[int]()
    for seat in {card.seat for card in before} - {None}:
        assert seat is not None
        lay = [card for card in before if card.seat == seat]
        places = [place for place, card in enumerate(now) if card.seat == seat]
        lie = [now[place] for place in places]
        backs = [sum(not card.is_up for card in cards) for cards in (lay, lie)]
        turned = backs[0] > 1 and not backs[1] and len(lay) == len(lie)
        moved = len(lie) - len(lay) == backs[1] - backs[0] in (0, 1) and backs[0] > 1
        if not turned and (not moved or 2 * sum(_stayed(c, lay) for c in lie) >= len(lie)):
            continue
        if turned and _is_in_place(lay, lie):
            continue
        axis = max((0, 1), key=lambda k: _extent([card.centre[k] for card in lay]))
        lay.sort(key=lambda card: card.centre[axis])
        places.sort(key=lambda place: now[place].centre[axis])
        rows = [places] if len(lie) == len(lay) else combinations(places, len(lay))
        apart, row = min((_apart(lay, [now[n] for n in row]), row) for row in rows)
        if _extent([card.centre[1 - axis] for card in lay]) > ROW_MM:
            apart = math.inf  # they lie in several rows
        most_mm = LAID_AGAIN_MM if turned else ROW_MM if len(lie) == len(lay) else PUT_BACK_MM
        if apart <= most_mm:
            found |= {place: was.number for was, place in zip(lay, row, strict=True)}
        elif turned:
            anew.add(seat)
    return found, frozenset(anew)


def _stayed(card: LyingCard, lay: Sequence[LyingCard]) -> bool:
    return any(math.dist(was.centre, card.centre) <= STILL_MM for was in lay)


def _is_in_place(lay: Sequence[LyingCard], lie: Sequence[LyingCard]) -> bool:
    """Return whether cards were turned up one by one where they lay: one of them may have slid."""
    off = [min(math.dist(was.centre, card.centre) for card in lie) for was in lay]
    return max(off) <= LAID_AGAIN_MM or (
        max(off) <= SAME_PLACE_MM and sum(off) <= IN_PLACE_MM * len(off)
    )


def _all_lie_so(seat: int, before: Sequence[LyingCard], now: Sequence[LyingCard]) -> bool:
    """Return whether, where several backs lay at a place, open cards lie just so."""
    backs = [card for card in before if card.seat == seat and not card.is_up]
    up = [card for card in now if card.seat == seat and card.is_up]
    near = [[math.dist(was.centre, card.centre) for card in up] for was in backs]
    return len(backs) > 1 and all(min(each, default=math.inf) <= PUT_BACK_MM for each in near)


def _extent(numbers: Sequence[float]) -> float:
    return max(numbers) - min(numbers)


def _apart(lay: Sequence[LyingCard], lie: Sequence[LyingCard]) -> float:
    """Return by how many millimetres a card went otherwise than its row, at most.

    It is infinite where an open card would have become another one, or a back was turned round.
    """
    for was, card in zip(lay, lie, strict=True):
        turns = [each.turn_deg for each in (was, card) if each.turn_deg is not None]
        spun = was.side is card.side and len(turns) > 1 and turned_apart(*turns) > ROW_DEG
        if spun or was.card not in (None, card.card):
            return math.inf
    ways = [
        [now.centre[k] - was.centre[k] for was, now in zip(lay, lie, strict=True)] for k in (0, 1)
    ]
    x, y = (sum(way) / len(way) for way in ways)
    return max(math.dist((x, y), way) for way in zip(*ways, strict=True))


_BONE_ROUNDS: Sequence[_Round] = ((lambda _before, _after: True, SAME_BONE_MM),)


def _cards_of(reading: Reading) -> tuple[list[LyingCard], bool]:
    """Return the cards that have a place on the mat, and whether their order is known."""
    found: list[tuple[Place, Side, Card | None, tuple[Card, ...]]] = [
        *((each.place, Side.UP, each.card, ()) for each in reading.cards),
        *((each.place, Side.DOWN, None, ()) for each in reading.backs),
        *((each.place, Side.UP, None, each.candidates) for each in reading.unsure),
    ]
    placed = [(each[0].centre_mm, each) for each in found]
    cards = [
        (
            place.layer,
            LyingCard(
                0,
                side,
                centre,
                card,
                candidates,
                None if place.zone is None else place.zone.kind,
                None if place.zone is None else place.zone.seat,
                turn_deg=place.turn_deg,
            ),
        )
        for centre, (place, side, card, candidates) in placed
        if centre is not None
    ]
    ordered = all(layer is not None for layer, _ in cards)
    cards.sort(key=lambda pair: (pair[0] or 0, pair[1].centre))
    return _by_rows([card for _, card in cards]), ordered


def _by_rows(cards: list[LyingCard]) -> list[LyingCard]:
    """Return *cards* where those of a fan that reaches beyond its place are its player's.

    It is the place where most of the cards of the row lie.
    """
    row_of = list(range(len(cards)))
    for place, card in enumerate(cards):
        for other in range(place):
            if _in_one_row(card, cards[other]):
                old, new = row_of[place], row_of[other]
                row_of = [new if row == old else row for row in row_of]
    found = list(cards)
    for row in set(row_of):
        places = [place for place in range(len(cards)) if row_of[place] == row]
        seats = Counter(cards[place].seat for place in places)
        (seat, most), *others = seats.most_common()
        if seat is not None and others and most > others[0][1]:
            for place in places:
                found[place] = replace(cards[place], seat=seat, zone=ZoneKind.SEAT)
    return found


def _in_one_row(one: LyingCard, other: LyingCard) -> bool:
    if not (one.is_up and other.is_up) or {one.zone, other.zone} - {ZoneKind.SEAT, None}:
        return False
    if one.turn_deg is None or other.turn_deg is None:
        return False
    near = math.dist(one.centre, other.centre) <= ROW_MM
    return near and turned_apart(one.turn_deg, other.turn_deg) <= ROW_DEG


def _bones_of(reading: Reading) -> list[LyingBone]:
    bones = [
        *((each.spot, each.face, ()) for each in reading.bones),
        *((each.spot, None, each.candidates) for each in reading.unsure_bones),
    ]
    found = [
        LyingBone(0, spot.centre_mm, face, candidates, spot.off_mat)
        for spot, face, candidates in bones
        if spot.centre_mm is not None
    ]
    return sorted(found, key=lambda bone: bone.centre)
