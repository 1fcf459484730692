"""Tell which cards of a deck were dealt past a camera: singly, onto a heap, or in rows.

Each card that comes to lie is a *sighting*, for as long as it lies there. All looks at it are
weighed together. At the end all sightings are named jointly: the likeliest way in which they can be
the cards of so many packs, with few missing and few too many.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.core.cards import Card, Rank, Suit
from vision.cards.assignment import assign
from vision.cards.classifier import CARDS
from vision.cards.evidence import ASKED
from vision.geometry import Image, overlap
from vision.readings import BackReading, CardReading, JokerReading, Reading, UnsureReading
from vision.tracking.settled import cells_of, is_at, is_unmoved, peeps_out, quad_of

SHOWN = CardReading | JokerReading | UnsureReading
"""What lies face up."""

_Fresh = tuple[SHOWN, NDArray[np.float32]]
"""What a look saw, and the cells of its pixels."""

PATIENCE_S = 0.5
"""Who deals does not wait for long: so long after the first look at a rest no more are taken."""

EXTRA = 6.0
"""Log-odds against a card being there once more than there are packs: one in four hundred."""

MOST_EXTRA = 4
"""So many of one card too many are thought of."""

NOTHING = 2.5
"""Log-odds against a doubtful sighting being no card at all."""

DOUBT = 2.0
"""Log-odds by which the likeliest naming must be ahead of the next: seven to one."""

BARRED = 100.0
"""What costs so much is not so."""

SUREST = 0.999
"""A look's confidence counts as no more."""

OFTEN_WRONG = 0.1
"""A card read with less doubt than this is wrong far less often than its confidence says: of 51,555
read on mats one was. Less doubt counts as its cube, divided by the square of this. So a card that
is there twice, at 0.987, is not taken for its twin, which is missing.
"""

OUTSTAYED = 2
"""What was never read, and stayed so often where all cards were taken away, is a mere shadow."""

ON_HEAP = 0.3
"""Part of a card that lies on one which came before where cards are dealt onto a heap."""

TWIN, SAME_SUIT, ANY_CARD = 0.7, 0.25, 0.05
"""What a wrong reading really was: mostly the same rank of the same colour, seldom any card."""

TWINS = {
    Suit.SPADES: Suit.CLUBS,
    Suit.CLUBS: Suit.SPADES,
    Suit.HEARTS: Suit.DIAMONDS,
    Suit.DIAMONDS: Suit.HEARTS,
}
"""The other suit of the same colour."""

RECENT, MOSTLY = 4, 3
"""Of the last changes, how many must have put a card in the place of another: they are dealt onto a
heap, or singly. Then what looks the same as the last card is a second one, not the same one pushed.
"""


@dataclass(slots=True, eq=False)
class Sighting:
    """A card for as long as it lies there.

    Attributes:
        last: the last look at it.
        cells: what that look saw, as :func:`vision.tracking.settled.cells_of`.
        shares: the sum of what each look made of each of the 52 cards, float64 (52,).
        looks: how many looks that were.
        jokers: how many of them saw a joker.
        was_sure: any of them read a card.
        outstayed: how often it stayed alone where all cards were taken away.
    """

    last: SHOWN
    cells: NDArray[np.float32]
    shares: NDArray[np.float64] = field(default_factory=lambda: np.zeros(len(CARDS)))
    looks: int = 0
    jokers: int = 0
    was_sure: bool = False
    outstayed: int = 0

    def hear(self, said: SHOWN, cells: NDArray[np.float32]) -> None:
        """Weigh another look at it, with its *cells*, float32 (rows, columns, 3).

        What was sure is not doubted again: others may cover it.
        """
        is_sure = isinstance(said, CardReading)
        self.last, self.cells = said, cells
        if self.was_sure and not is_sure:
            return
        if is_sure and not self.was_sure:
            self.shares, self.looks, self.jokers = np.zeros(len(CARDS)), 0, 0
        self.looks += 1
        self.jokers += isinstance(said, JokerReading)
        self.was_sure = is_sure
        self.shares += _shares(said)

    @property
    def is_joker(self) -> bool:
        """Return whether most looks saw a joker."""
        return 2 * self.jokers > self.looks

    @property
    def is_shadow(self) -> bool:
        """Return whether it is neither a card nor a joker, but a shadow or a part of the table."""
        return not (self.was_sure or self.jokers) and self.outstayed >= OUTSTAYED


@dataclass(frozen=True, slots=True)
class DeckFindings:
    """What was dealt, beside what a deck should hold.

    Attributes:
        seen: how many cards were dealt, jokers too.
        missing: cards of the deck that did not come, each as often as it is missing.
        surplus: cards that came once more than there are packs, each as often as that.
        foreign: cards of ranks that the deck has not.
        jokers: how many jokers came.
        doubtful: for each card that is not sure what it is likeliest, best first; one name where
            it may be no card at all.
    """

    seen: int
    missing: tuple[Card, ...]
    surplus: tuple[Card, ...]
    foreign: tuple[Card, ...]
    jokers: int
    doubtful: tuple[tuple[Card, ...], ...]

    @property
    def is_whole(self) -> bool:
        """Return whether the deck is as it should be, and that is sure."""
        return not (self.missing or self.surplus or self.foreign or self.jokers or self.doubtful)


class DeckCheck:
    """Follows a deck that is dealt past a camera, reading by reading."""

    def __init__(self) -> None:
        """Start with nothing seen."""
        self.sightings: list[Sighting] = []
        self._lying: list[Sighting] = []
        self._lost: list[Sighting] = []
        self._replaced: deque[bool] = deque(maxlen=RECENT)

    def see(self, reading: Reading, image: Image) -> None:
        """Take the next reading of a table that has come to rest, and its frame."""
        before, self._lying = self._lying, []
        sure: tuple[SHOWN, ...] = (*reading.cards, *reading.jokers)
        # What is doubtful and lies on a card, or below it, is a part of one.
        doubtful = [
            each
            for each in reading.unsure
            if each.confidence >= ASKED and not any(_lies_on(each, other) for other in sure)
        ]
        fresh = self._not_lying((*sure, *doubtful), image, before)
        fresh = [each for each in fresh if not self._is_below(each[0], image)]
        if self._is_replacing and len(fresh) > 1:
            fresh = self._topmost(fresh)
        came = [(said, cells) for said, cells in fresh if not self._is_old(said, cells, before)]
        if sure and not came:
            came = self._unread(reading.unsure, image, before)
        if came:
            self._replaced.append(
                (bool(before) and len(before) >= len(came))
                or any(_lies_on(said, each.last) for said, _ in came for each in self._lying)
            )
        for said, cells in came:
            new = Sighting(said, cells)
            self.sightings.append(new)
            self._lie(new, said, cells)
        if not sure and any(each.was_sure for each in before):
            for each in self._lying:
                each.outstayed += 1
        # A card may be overlooked for a while, where others lie on.
        self._lost = [*before, *self._lost] if self._lying else []

    def _not_lying(
        self, shown: Sequence[SHOWN], image: Image, before: list[Sighting]
    ) -> list[_Fresh]:
        """Return what of *shown* is none of the cards *before*, and take these from there."""
        fresh: list[_Fresh] = []
        pushed: list[tuple[Sighting, SHOWN, NDArray[np.float32]]] = []
        below: list[tuple[Sighting, SHOWN, NDArray[np.float32]]] = []
        for said in shown:
            cells = cells_of(image, said)
            known = self._known(said, image, before)
            if known is None:
                fresh.append((said, cells))
                continue
            before.remove(known)
            if known.was_sure and peeps_out(image, known.last, known.cells):
                below.append((known, said, cells))
            elif is_unmoved(image, known.last, known.cells):
                self._lie(known, said, cells)
            else:
                pushed.append((known, said, cells))
        laid = pushed or ([] if self._lying else below)
        if self._is_replacing and not fresh and len(laid) == 1:
            # Nothing else came: it is a second one, laid on the first.
            fresh = [laid.pop()[1:]]
        # Below others it is known again by how it looked before they came.
        self._lying += [known for known, _, _ in below]
        for known, said, cells in pushed:
            self._lie(known, said, cells)
        return fresh

    def findings(self, packs: int = 1, lowest: int = 2) -> DeckFindings:
        """Name all that was seen, of *packs* packs with aces and the ranks from *lowest* on."""
        jokers = [each for each in self.sightings if each.is_joker]
        cards = [each for each in self.sightings if not (each.is_joker or each.is_shadow)]
        deck = [card for card in CARDS if not 0 < card.rank.order < lowest - 1]
        columns = _columns(set(deck), packs, len(cards))
        costs = _costs(cards, columns)
        named, least = _named(costs, columns)
        count = Counter(card for card in named if card is not None)
        doubtful = []
        for row, (each, card) in enumerate(zip(cards, named, strict=True)):
            if card is not None and _is_plain(each, card):
                continue
            barred = costs.copy()
            barred[row, [other == card for other, _ in columns]] = BARRED
            others, price = _named(barred, columns)
            # Which of two is which does not matter.
            if price - least < DOUBT and Counter(others) != Counter(named):
                doubtful.append(tuple(name for name in (card, others[row]) if name is not None))
        return DeckFindings(
            len(jokers) + count.total(),
            tuple(card for card in deck for _ in range(packs - count[card])),
            tuple(card for card in deck for _ in range(count[card] - packs)),
            tuple(card for card in CARDS if card not in deck for _ in range(count[card])),
            len(jokers),
            tuple(doubtful),
        )

    @property
    def _is_replacing(self) -> bool:
        return sum(self._replaced) >= MOSTLY

    def _is_below(self, said: SHOWN, image: Image) -> bool:
        """Take *said* for a card that comes to light again below others, if it is one."""
        for each in self._lost:
            if (
                _name(said) in _names(each.last)
                and _is_just_at(said, each)
                and peeps_out(image, each.last, each.cells)
            ):
                self._lost.remove(each)
                self._lying.append(each)
                return True
        return False

    def _unread(
        self, unsure: Sequence[UnsureReading], image: Image, gone: Sequence[Sighting]
    ) -> list[_Fresh]:
        """Return what covers one of those that are *gone*, however doubtful: a card did come."""
        known = [each.last for each in self._lying]
        changed = [each for each in gone if not is_unmoved(image, each.last, each.cells)]
        laid = [
            said
            for said in unsure
            if said not in known and any(_lies_on(said, each.last) for each in changed)
        ]
        laid.sort(key=lambda said: said.confidence)
        return [(said, cells_of(image, said)) for said in laid[-1:]]

    def _topmost(self, fresh: list[_Fresh]) -> list[_Fresh]:
        """Return what can be the last card of a heap; below it others come to light again."""
        recent = [_name(each.last) for each in self.sightings[-RECENT:]]
        sure = [each for each in fresh if isinstance(each[0], CardReading)]
        unseen = [each for each in sure if _name(each[0]) not in recent]
        likely = unseen or sure or fresh
        return [max(likely, key=lambda each: each[0].confidence)]

    def _lie(self, sighting: Sighting, said: SHOWN, cells: NDArray[np.float32]) -> None:
        sighting.hear(said, cells)
        self._lying.append(sighting)

    def _known(
        self,
        said: SHOWN,
        image: Image,
        lying: Sequence[Sighting],
    ) -> Sighting | None:
        """Return the card that lay at the place of *said* already, if it is the same."""
        at = [each for each in lying if _lies_on(said, each.last)]
        at.sort(key=lambda each: _name(each.last) != _name(said))
        for each in at:
            unsure = not (isinstance(said, CardReading) and each.was_sure)
            pushed = unsure and not self._is_replacing and _is_just_at(said, each)
            pushed = pushed and bool(_names(said) & _names(each.last))
            if _name(each.last) == _name(said) is not None or pushed:
                return each
            # Faces differ less than one thinks: they are mostly white.
            contradicts = self._is_replacing and not unsure
            if (
                is_at(said, each.last)
                and not contradicts
                and is_unmoved(image, each.last, each.cells)
            ):
                return each
        return None

    def _is_old(self, said: SHOWN, cells: NDArray[np.float32], gone: list[Sighting]) -> bool:
        """Take *said* for a card that was moved, or overlooked for a while, if it is one."""
        name = _name(said)
        if self._is_replacing or name is None:
            return False
        moved = next((each for each in gone if _name(each.last) == name), None)
        if moved is not None:
            gone.remove(moved)
            self._lie(moved, said, cells)
            return True
        for each in self._lost if self._lying else []:
            if _is_just_at(said, each) and name in _names(each.last):
                self._lost.remove(each)
                self._lie(each, said, cells)
                return True
        return False


def _name(said: SHOWN) -> Card | str | None:
    """Return as what a look read a card; ``None`` where it was in doubt."""
    if isinstance(said, JokerReading):
        return "joker"
    return said.card if isinstance(said, CardReading) else None


def _names(said: SHOWN) -> set[Card]:
    """Return all that a look held a card for."""
    if isinstance(said, CardReading):
        return {said.card}
    return set() if isinstance(said, JokerReading) else set(said.candidates)


def _is_just_at(said: SHOWN, sighting: Sighting) -> bool:
    one, other = quad_of(said), quad_of(sighting.last)
    apart = float(np.linalg.norm(one.mean(axis=0) - other.mean(axis=0)))
    return apart < 0.15 * float(np.linalg.norm(other[1] - other[0]))


def _lies_on(said: SHOWN, other: SHOWN | BackReading) -> bool:
    return overlap(quad_of(said), quad_of(other)) > ON_HEAP


def _shares(said: SHOWN) -> NDArray[np.float64]:
    """Return what a look makes of each of the 52 cards; the shares add up to 1."""
    if isinstance(said, JokerReading):
        return np.full(len(CARDS), 1 / len(CARDS))
    named = (said.card,) if isinstance(said, CardReading) else said.candidates
    out = np.full(len(CARDS), ANY_CARD / len(CARDS) if named else 1 / len(CARDS))
    if named:
        rank, suit = named[0].rank, named[0].suit
        out[CARDS.index(Card(rank, TWINS[suit]))] += TWIN
        for number, card in enumerate(CARDS):
            out[number] += SAME_SUIT / len(Rank) if card.suit is suit else 0.0
    for card in named[1:]:
        # The others that were named share most of what is left.
        out[CARDS.index(card)] += 10.0 / (len(named) - 1)
    doubt = 1 - min(said.confidence, SUREST)
    if isinstance(said, CardReading):
        doubt *= min(doubt / OFTEN_WRONG, 1.0) ** 2
    out *= doubt / out.sum() if named else 1.0
    if named:
        out[CARDS.index(named[0])] = 1 - doubt
    return np.asarray(out / out.sum(), np.float64)


_Column = tuple[Card | None, float]
"""What a sighting may be, ``None`` for no card, and what that costs."""


def _columns(deck: set[Card], packs: int, cards: int) -> list[_Column]:
    """Return what *cards* sightings may be."""
    columns: list[_Column] = []
    for card in CARDS:
        own = packs if card in deck else 0
        columns += [(card, 0.0)] * own
        columns += [(card, EXTRA)] * MOST_EXTRA
    return columns + [(None, NOTHING)] * cards


def _costs(cards: Sequence[Sighting], columns: Sequence[_Column]) -> NDArray[np.float64]:
    """Return what each naming of each sighting costs: float64 (sightings, columns)."""
    numbers = np.array([-1 if card is None else CARDS.index(card) for card, _ in columns])
    prices = np.array([price for _, price in columns])
    rows = []
    for each in cards:
        likely = np.append(-np.log(each.shares / each.looks), -math.log(1 / len(CARDS)))
        if each.was_sure:
            likely[-1] = BARRED
        rows.append(likely[numbers] + prices)
    return np.array(rows).reshape(len(cards), len(columns))


def _is_plain(sighting: Sighting, card: Card) -> bool:
    return bool(sighting.shares[CARDS.index(card)] / sighting.looks > 0.99)


def _named(
    costs: NDArray[np.float64], columns: Sequence[_Column]
) -> tuple[list[Card | None], float]:
    """Return the likeliest name of each sighting, and what that costs."""
    if not len(costs):
        return [], 0.0
    found, least = assign(costs)
    return [columns[column][0] for column in found.tolist()], least
