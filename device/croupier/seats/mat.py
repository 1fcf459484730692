"""What a history believes of the mat where cards lie at the seats, or are held."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from device.croupier.history import History
from device.croupier.looks import Look, LyingCard, numbers_of
from device.croupier.open_cards import OpenCards
from engine.core.cards import Card
from engine.core.events import Event
from engine.core.fast_replace import replace
from engine.games.base import Play

SHORT_RESTS = 2
"""After so many rests a hand that lies open is all that the player has."""

UNKNOWN = 0
"""Stands for a card of a hand that was never seen lying by itself."""

TAKEN_UP = -1
"""Stands for one that was: where it lay another card was dealt, and has its number now."""


@dataclass(frozen=True)
class SeatMat:
    """What a history believes of the mat.

    Attributes:
        hands: for each seat, the numbers of the cards in the order dealt.
        loose: cards laid back or laid open whose place in the order is not known, and their seats.
        lying: the cards that showed at the last rest.
        fresh: the cards that were dealt since.
        astray: those that lay at the place of another player and, until another card is dealt,
            those of them that were taken up from there.
        spent: cards of the hand before, of a finished cut, or thrown in: they are nobody's.
        left: those of the hand before and of the cut, as they lay at the last rest of the deal.
        backs: those of them that were thrown in face down.
        fallen: cards that fell at somebody's place by mistake; they count again once taken up, or
            turned up.
        exposed: cards that were dealt open and should not be: people say whether they count.
        hidden: how many cards of those who threw in are not seen yet.
        away: seats whose cards were thrown in for everybody to see.
        plays_open: seats that were shown, and whose players may still want a card.
        in_vain: the last look at which all hands lay open whole, and that was not the end.
        short: seats whose hand lies open with a card less than it has, or nowhere, when hands are
            shown: how many lie there, and at how many rests they did.
        gathered: the hand is over, and all that lay there was taken up since.
        together: for each seat, the most cards of its hand that lay there at one rest.
        swept: all cards were gathered though somebody had still to show: what comes is the next
            hand's.
        open_cards: which cards are dealt open by agreement of the table.
    """

    hands: tuple[tuple[int, tuple[int, ...]], ...] = ()
    loose: tuple[tuple[int, int], ...] = ()
    lying: frozenset[int] = frozenset()
    fresh: frozenset[int] = frozenset()
    astray: frozenset[int] = frozenset()
    spent: frozenset[int] = frozenset()
    left: tuple[LyingCard, ...] = ()
    backs: frozenset[int] = frozenset()
    fallen: frozenset[int] = frozenset()
    exposed: frozenset[int] = frozenset()
    hidden: int = 0
    away: frozenset[int] = frozenset()
    plays_open: frozenset[int] = frozenset()
    in_vain: int = 0
    short: frozenset[tuple[int, int, int]] = frozenset()
    gathered: bool = False
    together: tuple[tuple[int, int], ...] = ()
    swept: bool = False
    open_cards: OpenCards = OpenCards.NONE

    def hand(self, seat: int) -> tuple[int, ...]:
        """Return the numbers of the cards of *seat*, in the order dealt."""
        return dict(self.hands).get(seat, ())

    def owner(self, number: int) -> int | None:
        """Return whose card it is; ``None`` for one that no history knows."""
        for seat, numbers in self.hands:
            if number in numbers:
                return seat
        return dict(self.loose).get(number)

    def knows(self, number: int) -> bool:
        """Return whether a card is somebody's, or is known to be nobody's."""
        return number in self.spent or self.owner(number) is not None

    def seen(self, look: Look) -> SeatMat:
        """Return the mat with what lies now."""
        lying = numbers_in(look)
        owned = [(c.number, self.owner(c.number), c.seat) for c in look.cards]
        astray = {number for number, owner, seat in owned if owner not in (None, seat)}
        astray |= {n for n in self.astray - lying if self.owner(n) is not None}
        down = frozenset(card.number for card in look.cards if not card.is_up)
        here = Counter(seat for _, owner, seat in owned if owner == seat)
        most = {seat: max(here[seat], dict(self.together).get(seat, 0)) for seat, _ in self.hands}
        return replace(
            self._mixed(look, down - self.lying - self.fresh),
            together=tuple(most.items()),
            lying=lying,
            fresh=frozenset(),
            astray=frozenset(astray),
            fallen=self.fallen & down,
            exposed=self.exposed & lying - down,
        )

    def _mixed(self, look: Look, back: frozenset[int]) -> SeatMat:
        """Return the mat where nobody knows the order of cards that their player has laid *back*.

        They lie where cards of the hand had lain, but maybe in another order.
        """
        mat = self
        for seat, numbers in self.hands:
            own = [card for card in look.cards if card.number in back.intersection(numbers)]
            if len(own) > 1 and (look.hands is None or {seat, None} & {*look.hands}):
                mat = mat.laid_back(seat, own)
                mat = mat.with_numbers(seat, [TAKEN_UP if n in back else n for n in numbers])
        return mat

    def dealt(self, seat: int, number: int) -> SeatMat:
        """Return the mat with one more card in the hand of *seat*."""
        # A card that is dealt where one lay that was taken up looks like that one. Of two that are
        # dealt at one look, and look like one, nobody saw the other.
        was = UNKNOWN if number in self.fresh else TAKEN_UP
        hands = {
            each: tuple(was if other == number > UNKNOWN else other for other in numbers)
            for each, numbers in {seat: (), **dict(self.hands)}.items()
        }
        hands[seat] = (*hands[seat], number)
        loose = tuple(pair for pair in self.loose if pair[0] != number)
        return replace(
            self,
            hands=tuple(sorted(hands.items())),
            loose=loose,
            fresh=self.fresh | {number},
            astray=self.astray & self.lying,
        )

    def in_any_order(self, seat: int) -> SeatMat:
        """Return the mat where nobody saw in which order *seat* got the cards of this look."""
        came = [number for number in self.fresh if self.owner(number) == seat]
        if len(came) < 2:
            return self
        left = [UNKNOWN if number in came else number for number in self.hand(seat)]
        loose = tuple(sorted({*self.loose, *((number, seat) for number in came)}))
        return replace(self.with_numbers(seat, left), loose=loose)

    def renamed(self, seat: int, was: int, now: int) -> SeatMat:
        """Return the mat with a card of *seat* lying elsewhere, where it has another number."""
        return self.with_numbers(seat, [now if n == was else n for n in self.hand(seat)])

    def with_numbers(self, seat: int, numbers: Iterable[int]) -> SeatMat:
        """Return the mat where the hand of *seat* is these cards, in the order dealt."""
        hands = {**dict(self.hands), seat: tuple(numbers)}
        return replace(self, hands=tuple(sorted(hands.items())))

    def laid_back(self, seat: int, cards: Iterable[LyingCard]) -> SeatMat:
        """Return the mat with *cards* of the hand of *seat* lying there again."""
        back = {(card.number, seat) for card in cards}
        return replace(self, loose=tuple(sorted({*self.loose, *back})))

    def with_hand(self, seat: int, cards: Sequence[LyingCard]) -> SeatMat:
        """Return the mat with a hand of *cards*, of which nobody knows in what order they came."""
        mat = self.laid_back(seat, cards).with_numbers(seat, [UNKNOWN] * len(cards))
        return replace(mat, away=self.away - {seat})

    def shown(self, seat: int, cards: Sequence[Card], lying: Sequence[LyingCard]) -> SeatMat:
        """Return the mat with the hand of *seat* as it lies open: *cards* in the order dealt."""
        left, numbers = list(lying), []
        for card in cards:
            it = next(each for each in left if each.card == card)
            left.remove(it)
            numbers.append(it.number)
        return self.with_numbers(seat, numbers)

    def without(self, cards: Iterable[LyingCard], hidden: int = 0) -> SeatMat:
        """Return the mat with cards that are nobody's any more."""
        spent, backs = set(self.spent), set(self.backs)
        for card in cards:
            spent.add(card.number)
            if not card.is_up:
                backs.add(card.number)
        return replace(self, spent=frozenset(spent), backs=frozenset(backs), hidden=hidden)

    def fallen_cards(self, look: Look) -> Iterator[tuple[int, LyingCard]]:
        """Yield the cards that fell at somebody's place by mistake, and whose place it is."""
        for card in look.cards:
            if card.number in self.fallen and card.seat is not None:
                yield card.seat, card

    def sorted_out(self, look: Look) -> SeatMat:
        """Return the mat where, of a hand and a card that fell there, one was taken away.

        That one had fallen, whichever it was: of a hand people take all.
        """
        mat, lying = self, numbers_in(look)
        for seat, card in self.fallen_cards(look):
            gone = [number for number in mat.hand(seat) if number not in lying]
            if len(gone) == 1:
                fallen = mat.fallen - {card.number} | {gone[0]}
                mat = replace(mat.renamed(seat, gone[0], card.number), fallen=fallen)
        return mat

    def is_spent(self, card: LyingCard) -> bool:
        """Return whether a card is nobody's.

        An open card where a back lay that was thrown in is one of the hand laid open over it.
        """
        if card.number in self.fallen and not card.is_up:
            return True
        return card.number in self.spent and not (card.is_up and card.number in self.backs)


At = History[SeatMat]


def play_of(at: At) -> Play:
    """Return the hand that is played."""
    play = at.state.live_play
    assert play is not None
    return play


def numbers_in(look: Look) -> frozenset[int]:
    """Return the numbers of all cards of a look."""
    return numbers_of(look.cards)


def seat_of(event: Event) -> int | None:
    """Return whose event it is; ``None``: nobody's."""
    return getattr(event, "seat", None)
