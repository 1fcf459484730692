"""What people may have done at a game in which cards lie at the seats, or are held."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from device.croupier.assumptions import Assumption, cost_of
from device.croupier.history import History
from device.croupier.left_over import gathered, laid_anew, lying_over
from device.croupier.legal import is_legal, refusal_of
from device.croupier.looks import (
    SPREAD_MM,
    Look,
    LyingCard,
    Said,
    is_strewn,
    rows_of,
    too_wide_for_one_throw,
)
from device.croupier.moves import Move
from device.croupier.open_cards import OpenCards
from device.croupier.seats.orders import orders
from device.croupier.seats.thirds import ways_to_deal
from device.ports import Button
from engine import State
from engine.core.cards import Card
from engine.core.events import Claim, Cut, Deal, Declare, Event, Facing, Have, Reveal, Stick
from engine.core.fast_replace import replace
from engine.core.hands import PlayerCards
from engine.core.refusals import Refusal
from engine.core.views import Phase
from engine.games.base import Play
from engine.games.one_and_thirty.bone_ace import BoneAce
from engine.games.one_and_thirty.in_order import is_word
from engine.table.state import payments_of
from vision.readings import ZoneKind

MIDDLE = (None, ZoneKind.DISCARD, ZoneKind.DEALER)
"""Zones in which no card of these games lies but one that was thrown in."""

SHORT_RESTS = 2
"""After so many rests a hand that lies open is all that the player has."""

HEAP_MM = 30.0
"""So near to a card that was thrown in the others of its heap come to light."""

STEP_MM = 15.0
"""Two cards whose middles are so near lie one over the other: of the lower a strip shows."""

APART_MM = 50.0
"""Cards of a hand whose middles are this far from each other were laid out one by one."""

LATE_S = 1.5
"""So soon after a card lies there HAVE is the word for it, said before and pressed after."""

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
        in_vain: the last look at which all hands lay open whole, and that was not the end.
        short: seats whose hand lies open with a card less than it has, or nowhere, when hands are
            shown: how many lie there, and at how many rests they did.
        gathered: the hand is over, and all that lay there was taken up since.
        together: for each seat, the most cards of its hand that lay there at one rest.
        swept: all cards were gathered though somebody had still to show: what comes is the next
            hand's.
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
    in_vain: int = 0
    short: frozenset[tuple[int, int, int]] = frozenset()
    gathered: bool = False
    together: tuple[tuple[int, int], ...] = ()
    swept: bool = False

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
        lying = _numbers(look)
        owned = [(c.number, self.owner(c.number), c.seat) for c in look.cards]
        astray = {number for number, owner, seat in owned if owner not in (None, seat)}
        astray |= {n for n in self.astray - lying if self.owner(n) is not None}
        down = frozenset(card.number for card in look.cards if not card.is_up)
        here = Counter(seat for _, owner, seat in owned if owner == seat)
        most = {seat: max(here[seat], dict(self.together).get(seat, 0)) for seat, _ in self.hands}
        return replace(
            self,
            together=tuple(most.items()),
            lying=lying,
            fresh=frozenset(),
            astray=frozenset(astray),
            fallen=self.fallen & down,
            exposed=self.exposed & lying - down,
        )

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
        mat, lying = self, _numbers(look)
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


class SeatMoves:
    """The moves of such a game, and what a look must show after them."""

    tells_end = True
    words_wait = False

    def __init__(self, open_cards: OpenCards = OpenCards.NONE) -> None:
        """*open_cards*: which cards are dealt open by agreement."""
        self._open_cards = open_cards

    def start(self, state: State, look: Look) -> SeatMat:
        """Return what is believed when a hand begins, or goes on without its looks."""
        play = state.live_play
        held = {h.seat: len(h.cards) for h in play.hands} if play is not None else {}
        if any(held.values()):
            # Which of the cards that lie there is which is lost; how many there are is known.
            mat = SeatMat(tuple((seat, (UNKNOWN,) * cards) for seat, cards in sorted(held.items())))
            for seat, cards in held.items():
                mat = mat.laid_back(seat, look.at_seat(seat)[:cards])
            return mat.seen(look)
        return SeatMat(spent=_numbers(look), left=look.cards)

    # --- what a look shows --------------------------------------------------------------------

    def lost_track(self, at: At, look: Look) -> Iterator[Move[SeatMat]]:
        """Offer that nobody knows how many cards each was dealt: all hands lie open, and decide."""
        play = at.state.live_play
        if play is None or play.phase not in (Phase.PLAY, Phase.SHOWDOWN):
            return
        events, first = at.events, len(play.hands) * self.cards_dealt(at.state)
        deals = [n for n, event in enumerate(events) if isinstance(event, Deal)]
        mat, turns = replace(at.mat, fallen=frozenset(), short=frozenset()), list[Event]()
        about = frozenset[int]()
        for hand in map(play.hand, play.order):
            here = self._whole(at, look, hand.seat)
            words = [
                event
                for event, mark in zip(events, at.marks, strict=True)
                if is_word(event) and _of(event) == hand.seat
                # Whoever shows a hand has not thrown it in.
                if not (here and Assumption.THROWN_IN in mark.split(","))
            ]
            if not (words or here):
                return
            drawn = [events[n] for n in deals[first:] if _of(events[n]) == hand.seat]
            more = 0 if words else len(here) - len(hand.cards)
            drawn = [*drawn[: len(drawn) + min(0, more)], *[Deal(hand.seat, None)] * more]
            turns += [each for deal in drawn for each in (Have(hand.seat), deal)]
            turns += words or [Stick(hand.seat)]
            if more or (hand.out and not words):
                about |= _of_cards(here)
                mat = mat.with_hand(hand.seat, here)
        if about:
            begin = deals[first - 1] + 1
            insert = (begin, len(events) - begin, tuple(turns))
            yield Move((), mat, (Assumption.LOST_TRACK,), about=about, insert=insert)

    def waits_in_vain(self, at: At, look: Look, *, best: bool) -> bool:
        """Return whether all hands lay open at the last rest, or one lacked a card, for nothing."""
        play, mat = at.state.live_play, at.mat
        open_hands = play is not None and play.phase is not Phase.DONE and mat.in_vain > 0
        short = (rests <= SHORT_RESTS and (best or cards > 0) for _, cards, rests in mat.short)
        return open_hands or any(short)

    def was_swept(self, at: At) -> bool:
        """Return whether the hands were gathered though some had still to be shown."""
        return at.mat.swept

    def at_rest(self, at: At, look: Look) -> SeatMat | None:
        """Return the mat with what lies now, where *at* explains all of it."""
        at = replace(at, mat=at.mat.sorted_out(look))
        mat, play = at.mat, at.state.live_play
        if at.state.phase is Phase.CUT:
            due = [c for c in self.cards_cut(at, look) if c.is_up and c.card is not None]
            return None if due else _lying_over(mat, look)
        gathered = mat.gathered or _is_cleared(mat, look) or self._is_gathered(at, look)
        if play is None or (play.phase is Phase.DONE and gathered):
            # What comes now is the next hand's.
            return replace(mat.seen(look), gathered=play is not None)
        if mat.swept and not any(self._claims(at, look)):
            return self._rest_of_next(at, look)
        if self._is_busy(at, look) or self._speaks_against_the_end(at, look):
            return None
        if any(self._claims(at, look)) or self._all_show(at) or self._turn_is_shown(play):
            return None
        open_moves = (self._miscounted, self._unshown, self._shown_asking, self._in_vain)
        if any(True for moves in open_moves for _ in moves(at, look)):
            return None
        if self._is_turned_up(at, look):
            return None  # whoever shows a hand has not thrown it in
        if any(c.is_up and self._is_of_another(mat, c) for c in look.cards):
            return None  # what lies open at a place is its player's
        if play.phase is Phase.DEAL:
            return None if any(self._gathered(at, look)) else _lying_over(mat, look)
        return replace(mat.seen(look), short=self._short(at, look))

    def _is_gathered(self, at: At, look: Look) -> bool:
        """Return whether the hands that were shown at the end are gathered but for one card."""
        play = at.state.live_play
        if play is None or play.phase is not Phase.DONE:
            return False
        lying = [card for card in look.cards if card.zone is not ZoneKind.STOCK]
        shown = {n for hand in play.hands if hand.shown for n in at.mat.hand(hand.seat)}
        left = {card.number for card in lying}
        return len(lying) == 1 and left <= shown and len(shown) > self.cards_dealt(at.state)

    def _rest_of_next(self, at: At, look: Look) -> SeatMat | None:
        """Return the mat where what lies there is the next hand's, though this one is not over."""
        due = any(True for _ in self._unshown(at, look))
        return None if due else replace(at.mat.seen(look), short=self._short(at, look))

    def _is_busy(self, at: At, look: Look) -> bool:
        """Return whether cards came, were thrown in, or swept, that *at* does not explain."""
        known = at.mat.exposed
        new = any(not c.is_up or c.number not in known for _, c in self.new_cards(at, look))
        if _play(at).phase is not Phase.DONE and (new or self._thrown_at_rest(at, look)):
            return True
        return self._is_swept(at, look)

    def _is_swept(self, at: At, look: Look) -> bool:
        """Return whether the hands were gathered while some are still to be shown."""
        return _play(at).phase is Phase.SHOWDOWN and not at.mat.swept and look.is_swept

    def _speaks_against_the_end(self, at: At, look: Look) -> bool:
        """Return whether hands lie open otherwise than they were shown, or play went on."""
        phase = _play(at).phase
        if phase in (Phase.SHOWDOWN, Phase.DONE) and any(self._more_shown(at, look)):
            return True
        if phase is not Phase.DONE:
            return False
        return bool(self._dealt_after(at, look)) or any(self._shown_after(at, look))

    def _more_shown(self, at: At, look: Look) -> Iterator[tuple[PlayerCards, LyingCard]]:
        """Yield the open cards that lie beside a hand which was shown, and are nobody's."""
        shown = {hand.seat: hand for hand in _play(at).hands if hand.shown}
        for card in look.cards:
            hand = shown.get(card.seat) if card.seat is not None else None
            at_seat = card.is_up and card.zone is ZoneKind.SEAT
            nobodys = at.mat.owner(card.number) is None and not at.mat.is_spent(card)
            if hand is not None and at_seat and nobodys:
                yield hand, card

    def _dealt_after(self, at: At, look: Look) -> frozenset[int]:
        """Return the card that was dealt since the end, where nothing is gathered yet."""
        if look.blind or at.mat.lying - _numbers(look):
            return frozenset()

        def is_whole(seat: int) -> bool:
            return len(self._lying_at(at, look, seat)) == len(_play(at).hand(seat).cards)

        new = self.new_cards(at, look)
        dealt = frozenset(c.number for seat, c in new if not c.is_up or is_whole(seat))
        return dealt - at.mat.lying

    def _short(self, at: At, look: Look) -> frozenset[tuple[int, int, int]]:
        """Return which hands are not shown whole in the end, and for how many rests."""
        play, old = _play(at), {(seat, cards): rests for seat, cards, rests in at.mat.short}
        found = {each for each in at.mat.short if each[2] > SHORT_RESTS}
        unshown = [hand for hand in play.hands if not hand.out and not hand.shown]
        if play.phase not in (Phase.PLAY, Phase.SHOWDOWN, Phase.DONE) or not unshown:
            return frozenset(found)
        here = {hand.seat: self._here(at, look, hand.seat, unknown=True) for hand in unshown}
        shown = sum(hand.shown for hand in play.hands if not hand.out)
        # Where most have shown and none of the others has a card there, they play no more.
        is_end = self._is_last_turn(play) or not (any(here.values()) or shown <= len(unshown))
        most = max(2, shown) if is_end else 1
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

    def _is_last_turn(self, play: Play) -> bool:
        """Return whether the dealer, who plays last, is the only one who may still be served."""
        return play.phase is Phase.SHOWDOWN or play.turn == play.eldest[-1]

    def _is_of_another(self, mat: SeatMat, card: LyingCard) -> bool:
        owner = mat.owner(card.number)
        strayed = card.zone is ZoneKind.SEAT and owner not in (None, card.seat)
        return strayed and card.number not in dict(mat.loose)

    def new_cards(self, at: At, look: Look) -> Iterator[tuple[int, LyingCard]]:
        """Yield the cards at the places of players that the history does not explain."""
        play = _play(at)
        pending = play.turn if play.asked else None
        for card in look.cards:
            seat = self._at_seat(at, card)
            if seat is None:
                continue
            owner = at.mat.owner(card.number)
            # A card that is laid just where one of a neighbour had come to lie looks like that one.
            other = seat == pending != owner and card.number not in at.mat.lying
            again = other or (owner == pending and self._is_again(at, look, card))
            if owner is None or again:
                yield seat, card

    def _is_again(self, at: At, look: Look, card: LyingCard) -> bool:
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

    def _at_seat(self, at: At, card: LyingCard) -> int | None:
        """Return at whose place *card* lies that is still in the hand; ``None``: at nobody's."""
        return None if at.mat.is_spent(card) else self._place_of(at, card)

    def _place_of(self, at: At, card: LyingCard) -> int | None:
        """Return at the place of whom who is in *card* lies."""
        if card.zone is not ZoneKind.SEAT:
            return None
        return next((h.seat for h in _play(at).hands if h.seat == card.seat and not h.out), None)

    def _in_middle(self, at: At, look: Look) -> list[LyingCard]:
        """Return the cards between the places that nothing explains."""
        out = {hand.seat for hand in _play(at).hands if hand.out}
        loose, spent = dict(at.mat.loose), at.mat.spent
        left = [
            card
            for card in look.cards
            if card.number not in spent and not (card.is_up and card.number in loose)
        ]
        middle = [c for c in left if c.zone in MIDDLE or self._is_nobodys(at, c, out)]
        there = [c for c in left if c.zone is ZoneKind.STOCK]
        return [*middle, *self._on_stock(at, look, there, middle)]

    def _on_stock(
        self, at: At, look: Look, there: list[LyingCard], middle: list[LyingCard]
    ) -> list[LyingCard]:
        """Return the cards that were thrown on the stock, or where it would lie: strewn ones."""
        if not there or not is_strewn([*there, *middle]):
            return []
        lay = [card for card in there if card.number in at.mat.lying]
        if not lay and look.hands and not {at.state.dealer, None} & {*look.hands}:
            return there  # nobody lays a stock but the dealer
        stock = next(iter(lay), there[0])
        return [card for card in there if card is not stock]

    def _is_nobodys(self, at: At, card: LyingCard, out: set[int]) -> bool:
        """Return whether it lies face down at the place of somebody out, and is not theirs."""
        there = card.zone is ZoneKind.SEAT and card.seat in out and not card.is_up
        return there and at.mat.owner(card.number) is None

    def _thrown_at_rest(self, at: At, look: Look) -> bool:
        return bool(self._in_middle(at, look)) or bool(self._turned_down(at, look))

    def _turned_down(self, at: At, look: Look) -> list[int]:
        """Return the seats whose open cards all lie face down now."""
        found = []
        for hand in _play(at).hands:
            numbers = at.mat.hand(hand.seat)
            was_up = [n for n, up in zip(numbers, hand.up, strict=False) if up and n > UNKNOWN]
            now = [card for n in was_up if (card := look.card(n)) is not None]
            if not hand.out and now and all(not card.is_up for card in now):
                found.append(hand.seat)
        return found

    def _lying_at(self, at: At, look: Look, seat: int) -> list[LyingCard]:
        """Return the cards that the history knows to be of *seat* and that lie anywhere."""
        return [card for card in look.cards if at.mat.owner(card.number) == seat]

    # --- what may have happened ---------------------------------------------------------------

    def moves(self, at: At, look: Look) -> Iterator[Move[SeatMat]]:
        """Offer what may have happened next on the way to what *look* shows."""
        for _, said in at.said:
            if said.press is not None and said.press.button is Button.NEXT:
                yield from self._given_up(at, look, said)
            else:
                yield from self._word(at, look, said)
        if at.state.phase is Phase.CUT:
            yield from self._cuts(at, look)
            return
        play = at.state.live_play
        if play is None or play.phase is Phase.DONE:
            yield from self._claims(at, look)
            if play is not None:
                yield from self._shown_after(at, look)
                yield from self._shown_all_the_same(at, look)
                yield from self._beside_shown(at, look)
                yield from self._laid_otherwise(at, look)
                yield from self._miscounted(at, look)
                yield from self._plays_on(at, look)
            return
        yield from self._never_lay(at, look)
        if play.phase is Phase.DEAL:
            # What lies there when the first picture comes was dealt before.
            lay_there = list(self._laid_back(at, look)) if look.blind else []
            yield from self._gathered(at, look)
            yield from lay_there or self._deals(at, look)
            yield from self._dealt_unseen(at, look)
            yield from self._laid_back_in_the_deal(at, look)
            yield from self._dealt_elsewhere(at, look)
            return
        yield from self._laid_back(at, look)
        yield from self._opened_anew(at, look)
        if play.phase is Phase.PLAY and play.turn is not None:
            yield from self._turn(at, look, play, play.turn)
        if not at.mat.swept:
            yield from self._throws_in(at, look)
            yield from self._laid_aside(at, look)
        yield from self._claims(at, look)
        yield from self._shown_astray(at, look)
        yield from self._shown_afar(at, look)
        yield from self._miscounted(at, look)
        yield from self._unshown(at, look)
        if self._is_swept(at, look):
            swept = replace(at.mat, swept=True)
            short = self._short(replace(at, mat=swept), look)
            yield Move((), replace(swept, short=short))
        yield from self._shown_asking(at, look)
        yield from self._shown_all_the_same(at, look)
        yield from self._beside_shown(at, look)
        yield from self._laid_otherwise(at, look)
        yield from self._in_vain(at, look)

    def _plays_on(self, at: At, look: Look) -> Iterator[Move[SeatMat]]:
        """Offer that a card was dealt although everybody could see that the hand was over.

        Nobody goes on where a hand that lies open had been 31 before its last card: it was out.
        """
        dealt = self._dealt_after(at, look)
        if dealt and not any(Assumption.TOOK_MORE in mark.split(",") for mark in at.marks):
            mat = replace(at.mat, lying=at.mat.lying | dealt, spent=at.mat.spent | dealt)
            # What shows beside a hand that lacked a card is more likely that card.
            lay = dict(mat.together)
            here = [c.seat for c in look.cards if c.number in dealt and c.seat in lay]
            lacked = any(lay[seat] > len(_play(at).hand(seat).cards) for seat in here)
            yield Move((), mat, (Assumption.PLAYED_ON,) * (1 + 3 * lacked), about=dealt)

    def _cuts(self, at: At, look: Look) -> Iterator[Move[SeatMat]]:
        """Offer the cards that were cut for the deal."""
        for card in self.cards_cut(at, look):
            if card.is_up and card.card is not None and card.seat is not None:
                about = frozenset((card.number,))
                left = tuple(was for was in at.mat.left if was.number != card.number)
                after = replace(at.mat.without((card,)), left=left)
                yield Move((Cut(card.seat, card.card),), after, about=about)

    def _shown_all_the_same(self, at: At, look: Look) -> Iterator[Move[SeatMat]]:
        """Offer that open cards at the place of somebody who threw in mean nothing.

        That is likely only where they show that the hand was over.
        """
        for seat in at.mat.away:
            here = [c for c in look.at_seat(seat) if c.is_up and not at.mat.is_spent(c)]
            shown = _of_cards(here) - at.mat.spent
            if shown:
                why = (Assumption.MISREAD,) * min(3, len(shown))
                if self._is_more(at.state, [card.card for card in here]):
                    why = (Assumption.STRAY,)
                yield Move((), replace(at.mat, spent=at.mat.spent | shown), why, about=shown)

    def _shown_after(self, at: At, look: Look) -> Iterator[Move[SeatMat]]:
        """Offer that a hand that was held is laid open whole after the end (rule OT-19)."""
        new = list(self.new_cards(at, look))
        for hand in _play(at).hands:
            here = [card for seat, card in new if seat == hand.seat and card.is_up]
            held = len(hand.cards) - len(self._lying_at(at, look, hand.seat))
            if hand.has_unread and not hand.out and len(here) == held > 1:
                yield Move((), at.mat.laid_back(hand.seat, here), about=_of_cards(here))

    def _beside_shown(self, at: At, look: Look) -> Iterator[Move[SeatMat]]:
        """Offer that one more card at the place of a shown hand means nothing.

        Else it would hold up the others, who still show theirs. It may be one that is seen twice;
        and a hand that is over is so with another card, too.
        """
        for hand, card in self._more_shown(at, look):
            may_be = {*card.candidates} if card.card is None else {card.card}
            if hand.out or (may_be and may_be <= {*hand.cards}):
                about = frozenset((card.number,))
                why = (Assumption.MISCOUNTED,) if hand.out else (Assumption.FELL,) * 2
                yield Move((), at.mat.without((card,)), why, about=about)

    def _laid_otherwise(self, at: At, look: Look) -> Iterator[Move[SeatMat]]:
        """Offer that open cards were pushed, or taken up and laid back, and one reads otherwise.

        Then it is asked which card that one is.
        """
        lying = _numbers(look)
        for hand in _play(at).hands:
            numbers = at.mat.hand(hand.seat)
            open_ones = zip(numbers, hand.cards, hand.up, strict=False)
            gone = {n: card for n, card, up in open_ones if up and card and n not in lying}
            here = [c for c in look.at_seat(hand.seat) if c.is_up and not at.mat.is_spent(c)]
            new = {c.card: c.number for c in here if at.mat.owner(c.number) is None}
            other = [number for number, card in gone.items() if card not in new]
            strange = [card for card in new if card not in gone.values()]
            if len(gone) != len(new) or not len(other) == len(strange) == 1 or None in new:
                continue
            (left,) = strange
            now = {number: new[left if number in other else card] for number, card in gone.items()}
            mat = at.mat
            for was, number in now.items():
                mat = mat.renamed(hand.seat, was, number)
            about = frozenset(now.values())
            yield Move((), mat, (Assumption.LAID_BACK,), about=about)

    def _in_vain(self, at: At, look: Look) -> Iterator[Move[SeatMat]]:
        """Offer that all hands lie open, and that people wait for something all the same.

        It is the less likely the longer they lie so. Where a hand lacks one card, that is what is
        waited for, and it is charged when it does not come; where one has a card more, that this is
        taken away.
        """
        play, mat = _play(at), at.mat
        if play.phase not in (Phase.PLAY, Phase.SHOWDOWN) or mat.in_vain == look.number:
            return
        for seat, cards, rests in self._short(at, look):
            missing = len(play.hand(seat).cards) - cards
            if missing < 0 or (missing == 1 and rests <= SHORT_RESTS):
                return
        alive = [hand.seat for hand in play.hands if not hand.out]
        if self._open_cards is OpenCards.NONE and all(self._whole(at, look, s) for s in alive):
            yield Move((), replace(mat, in_vain=look.number), (Assumption.OPEN_IN_VAIN,))

    def _whole(self, at: At, look: Look, seat: int) -> list[LyingCard]:
        """Return the cards that lie at a place, if they may be a whole hand that lies open."""
        mat = at.mat
        here = [c for c in look.at_seat(seat) if c.number not in mat.spent]
        here = [c for c in here if mat.owner(c.number) in (None, seat)]
        is_open = all(card.is_up and card.card is not None for card in here)
        return here if is_open and len(here) >= self.cards_dealt(at.state) else []

    def cards_cut(self, at: At, look: Look) -> list[LyingCard]:
        """Return the cards at the places of those who have still to cut (rule G-2)."""
        due = at.state.round.to_cut
        spent = at.mat.spent - laid_anew(at.mat, look)
        return [c for c in look.cards if c.seat in due and c.number not in spent]

    def _given_up(self, at: At, look: Look, said: Said) -> Iterator[Move[SeatMat]]:
        """Offer that NEXT tells that whoever has no card there and shows none has thrown in (G-17).

        It may have been pressed too early as well.
        """
        play = at.state.live_play
        if play is None or play.phase is not Phase.SHOWDOWN:
            return
        unshown = [hand.seat for hand in play.hands if not hand.out and not hand.shown]
        gone = [s for s in unshown if not self._here(at, look, s, unknown=True)]
        yield Move((), at.mat, said=said)
        if gone and len(unshown) < sum(not hand.out for hand in play.hands):
            away = replace(at.mat, away=at.mat.away | {*gone})
            events = tuple(Declare(seat, Claim.OUT) for seat in gone)
            yield Move(events, away, (Assumption.THROWN_IN,), said)

    def _word(self, at: At, look: Look, said: Said) -> Iterator[Move[SeatMat]]:
        """Offer what a press may mean; without a seat it is the word of whose turn it is."""
        press, play = said.press, at.state.live_play
        if press is None or play is None:
            return
        seat = play.turn if press.seat is None else press.seat
        if seat is None:
            return
        event: Event | None = None
        if press.button is Button.HAVE:
            event = Have(seat)
        elif press.button is Button.STICK:
            event = Stick(seat)
        elif press.button is Button.OUT:
            event = Declare(seat, Claim.OUT)
        silent = _was_silent(at, press.button, press.seat)
        # People press when they have spoken, and the card may lie there first.
        late = silent and said.after_s <= LATE_S and _came_silently(at, seat)
        if event is not None:
            yield Move((event,), at.mat, (Assumption.AT_ONCE,) if late else (), said)
        if silent:  # of what was done already
            yield Move((), at.mat, () if late else (Assumption.LATE_WORD,), said)
        if press.button is Button.STICK:
            yield from self._withdraws(at, look, seat, said)

    def _withdraws(
        self, at: At, look: Look, seat: int, said: Said | None = None
    ) -> Iterator[Move[SeatMat]]:
        """Offer that a player who had asked for a card wants none after all."""
        if at.events[-1:] == (Have(seat),) and not any(c.zone in MIDDLE for c in look.cards):
            stick = (len(at.events) - 1, 1, (Stick(seat),))
            yield Move((), at.mat, (Assumption.WITHDRAWN,), said, insert=stick)

    def _gathered(self, at: At, look: Look) -> Iterator[Move[SeatMat]]:
        """Offer that what was left over was gathered, and dealt where it lies now."""

        def may_be_dealt(card: LyingCard) -> bool:
            seat = self._place_of(at, card)
            if seat is None or not card.is_up:
                return seat is not None
            deal = Deal(seat, card.card, Facing.UP)
            due = card.card is not None and is_legal(at.state, deal)
            return due and self._may_be_open(at, (deal,), card)

        yield from gathered(at.mat, look, at.state.dealer, may_be_dealt)

    def _deals(self, at: At, look: Look) -> Iterator[Move[SeatMat]]:
        """Offer the next card of the deal: one that lies there, else one that nobody saw.

        In which order the cards of one look were dealt makes no difference, so one order is tried:
        who has the fewest cards first. It does where third cards came open with others.
        """
        play = _play(at)
        new = list(self.new_cards(at, look))
        ways = list(self._deals_at_once(at, look, new))
        if ways:
            yield from ways
            return
        held = {hand.seat: len(hand.cards) for hand in play.hands}
        turn = {seat: place for place, seat in enumerate(play.eldest)}

        def order(seat: int) -> tuple[int, int]:
            return held[seat], turn[seat]

        for seat, card in sorted(new, key=lambda each: order(each[0])):
            for move in self._dealt(at, look, seat, card):
                if is_legal(at.state, *move.events):
                    yield move
                    if seat != min(held, key=order):
                        yield from self._falls(at, [card])
                    return
        yield from self._falls(at, [card for _, card in new])
        if new or any(said.press for _, said in at.said):
            due = next(
                (s for s in sorted(held, key=order) if is_legal(at.state, Deal(s, None))), None
            )
            here = [card for place, card in new if place == due]
            if due is not None and not self._fell_open(at, here):
                # Where all others have theirs, the next card at that place shows that it came.
                others = min((n for each, n in held.items() if each != due), default=0)
                shows = bool(here) and others >= self.cards_dealt(at.state)
                after = at.mat.dealt(due, UNKNOWN)
                event = Deal(due, None)
                yield Move((event,), after, (Assumption.SNATCHED,), leaves_trace=shows)

    def _dealt_unseen(self, at: At, look: Look) -> Iterator[Move[SeatMat]]:
        """Offer that all have their cards, and that each hand was taken up at once, or lies there.

        People say so by what only comes after the deal: a word, or a hand laid open.
        """
        play, mat = _play(at), at.mat
        nothing = at.hands == () and not any(hand.cards for hand in play.hands)
        if nothing or isinstance(at.state.setup.game, BoneAce):
            return
        presses = [said.press for _, said in at.said if said.press is not None]
        word = any(press.button is not Button.NEXT for press in presses)
        if not word and not any(self._whole(at, look, hand.seat) for hand in play.hands):
            return
        most, due = self.cards_dealt(at.state), Counter[int]()
        last_has_all = len(play.hand(play.eldest[-1]).cards) == most
        for hand in play.hands:
            lying = {c.number for c in look.at_seat(hand.seat)} - mat.spent
            whole = len(lying) == most or bool(self._whole(at, look, hand.seat))
            if lying and not (whole or last_has_all):
                return  # the deal goes on
            due[hand.seat] = most - len(hand.cards)
        events = tuple(
            Deal(seat, None)
            for left in range(most, 0, -1)
            for seat in play.eldest
            if due[seat] >= left
        )
        for event in events:
            mat = mat.dealt(event.seat, UNKNOWN)
        yield Move(events, mat, (Assumption.SNATCHED,) * 2, leaves_trace=False)

    def _deals_at_once(
        self, at: At, look: Look, new: list[tuple[int, LyingCard]]
    ) -> Iterator[Move[SeatMat]]:
        """Offer all *new* cards of a deal by who may have the Bone, where that is not plain."""
        play, game = _play(at), at.state.setup.game
        hands: dict[int, list[LyingCard]] = {}
        for seat, card in new:
            hands.setdefault(seat, []).append(card)
        if not isinstance(game, BoneAce) or not all(map(self._may_lie_so, hands.values())):
            return
        turn = {seat: place for place, seat in enumerate(play.eldest)}
        held = {hand.seat: len(hand.cards) for hand in play.hands}
        about = _of_cards(card for _, card in new)
        for way in ways_to_deal(game, play, hands, look):
            dealt = sorted(
                (held[seat] + place, turn[seat], seat, card)
                for seat, cards in way.items()
                for place, card in enumerate(cards)
            )
            mat = at.mat
            for _, _, seat, card in dealt:
                mat = mat.dealt(seat, card.number)
            events = [
                Deal(seat, card.card, Facing.UP if card.is_up else Facing.DOWN)
                for _, _, seat, card in dealt
            ]
            if is_legal(at.state, *events):
                yield Move(tuple(events), mat, (Assumption.ORDER,), about=about)

    def _fell_open(self, at: At, cards: list[LyingCard]) -> bool:
        """Return whether more of the *cards* dealt to a place are open than should be (G-4)."""
        open_places = getattr(at.state.setup.game, "face_up", ())
        up = sum(card.is_up and card.card is not None for card in cards)
        return self._open_cards is not OpenCards.ALL and up > len(open_places)

    def _may_lie_so(self, cards: list[LyingCard]) -> bool:
        """Return whether all open *cards* of a hand are read, and may lie open."""
        up = [card for card in cards if card.is_up]
        fell = len(up) > 1 and self._open_cards is not OpenCards.ALL
        return all(card.card is not None for card in up) and (
            not fell or any(card.allowed for card in up)
        )

    def _never_lay(self, at: At, look: Look) -> Iterator[Move[SeatMat]]:
        """Offer that the back dealt last, gone though no hand was there, had been seen twice."""
        log, gone = at.events, at.mat.lying - _numbers(look)
        last = log[-1] if log else None
        if look.hands != () or look.blind or len(gone) != 1 or not isinstance(last, Deal):
            return
        *left, number = at.mat.hand(last.seat) or (UNKNOWN,)
        if number not in gone or last.card is not None:
            return
        silent = Assumption.SILENT_HAVE in at.marks[-1].split(",")
        events = 1 + silent
        mat = at.mat.with_numbers(last.seat, left)
        cut = (len(log) - events, events, ())
        yield Move((), mat, (Assumption.FOUND_TWICE,), about=gone, insert=cut)

    def _dealt_elsewhere(self, at: At, look: Look) -> Iterator[Move[SeatMat]]:
        """Offer that an open card was dealt to the wrong player, and lies at the right one now."""
        lying, deals = _numbers(look), dict[Card, tuple[int, Deal]]()
        for number, event in enumerate(at.events):
            if isinstance(event, Deal) and event.face is Facing.UP and event.card is not None:
                deals[event.card] = number, event
        for card in look.cards:
            seat = self._at_seat(at, card)
            if seat is None or not card.is_up or card.card not in deals:
                continue
            number, deal = deals[card.card]
            dealt = [_of(event) for event in at.events[:number] if isinstance(event, Deal)]
            hands = {each: list(held) for each, held in at.mat.hands}
            held = hands.get(deal.seat, [])
            if seat == deal.seat or dealt.count(deal.seat) >= len(held):
                continue
            was = held.pop(dealt.count(deal.seat))
            if was != card.number and was in lying:
                continue
            hands.setdefault(seat, []).insert(dealt.count(seat), card.number)
            sorted_hands = tuple(sorted((each, tuple(held)) for each, held in hands.items()))
            yield Move(
                (),
                replace(at.mat, hands=sorted_hands),
                _by_hand(look, at.state.dealer),
                about=frozenset((card.number,)),
                insert=(number, 1, (Deal(seat, deal.card, deal.face),)),
            )

    def _opened_anew(self, at: At, look: Look) -> Iterator[Move[SeatMat]]:
        """Offer that the dealer opened a wrong card of each hand, and has turned all over since."""
        events, mat, about = list(at.events), at.mat, set[int]()
        ups = [n for n, e in enumerate(events) if isinstance(e, Deal) and e.face is Facing.UP]
        if any(map(is_word, events)) or len(ups) != len(_play(at).hands):
            return
        for place in ups:
            seat = _of(events[place])
            assert seat is not None
            numbers = list(mat.hand(seat))
            was = [_of(e) for e in events[:place] if isinstance(e, Deal)].count(seat)
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

    def _falls(self, at: At, cards: list[LyingCard], *why: Assumption) -> Iterator[Move[SeatMat]]:
        """Offer that the one card that lies where none is due fell there by mistake."""
        if len(cards) != 1 or cards[0].number in at.mat.lying or cards[0].is_up:
            return
        card = cards[0]
        assert card.seat is not None
        refusal = None
        if at.state.phase is Phase.DEAL:
            refusal = refusal_of(at.state, Deal(card.seat, None))
        if refusal is None or refusal.code == Refusal.TOO_MANY_CARDS:
            after = replace(at.mat, fallen=at.mat.fallen | {card.number})
            yield Move((), after, (Assumption.FELL, *why), about=frozenset((card.number,)))

    def _dealt(
        self,
        at: At,
        look: Look,
        seat: int,
        card: LyingCard,
        *before: Event,
        assumed: tuple[Assumption, ...] = (),
    ) -> Iterator[Move[SeatMat]]:
        """Offer *card* as one dealt to *seat*, after some events."""
        if card.is_up and card.card is None:
            return  # it must be named first
        face = Facing.UP if card.is_up else Facing.DOWN
        event = Deal(seat, card.card, face)
        if card.is_up and not (
            (at.state.phase is Phase.PLAY and seat in _who_spoke(at))  # who plays on with it
            or self._may_be_open(at, (*before, event), card)
        ):
            if not before and at.state.phase is Phase.PLAY and card.number not in at.mat.exposed:
                exposed = replace(at.mat, exposed=at.mat.exposed | {card.number})
                yield Move((), exposed, (*assumed, Assumption.EXPOSED))
            return
        after = at.mat.dealt(seat, card.number)
        if at.state.phase is Phase.PLAY and not card.is_up:
            after = after.in_any_order(seat)
        about = frozenset((card.number,))
        if card.number not in at.mat.lying and at.state.phase is Phase.PLAY:
            held = len(_play(at).hand(seat).cards) - len(self._lying_at(at, look, seat))
            # Who holds no card has taken this one out of the dealer's hand.
            taken = seat in (look.hands or ()) and not held
            assumed = (*assumed, *_by_hand(look, seat if taken else at.state.dealer))
        if self._come_to_light(at, look, [card]):
            assumed = (*assumed, Assumption.STRAY)  # it is rather one of the heap
        yield Move((*before, event), after, assumed, hand=None, about=about)

    def _may_be_open(self, at: At, events: tuple[Event, ...], card: LyingCard) -> bool:
        """Return whether an open card counts without a question (rules BA-1, BA-12)."""
        drawn = at.state.phase is Phase.PLAY
        if (
            card.allowed
            or self._open_cards is OpenCards.ALL
            or (drawn and self._open_cards is OpenCards.DRAWN)
        ):
            return True
        # Where the rules want it open, they refuse it face down.
        *before, deal = events
        assert isinstance(deal, Deal)
        return not is_legal(at.state, *before, Deal(deal.seat, None))

    def exposed(self, at: At, look: Look) -> LyingCard | None:
        """Return a card that lies open and should not; the table is asked to play on with it."""
        play = at.state.live_play
        if play is None or play.phase not in (Phase.DEAL, Phase.PLAY):
            return None
        new = list(self.new_cards(at, look))
        unread = any(card.is_up and card.card is None for _, card in new)
        if play.phase is Phase.DEAL and unread:
            return None  # the others may only wait for it to be named
        for seat, card in new:
            asked = play.phase is Phase.DEAL or (play.asked and play.turn == seat)
            if play.phase is Phase.PLAY and sum(other == seat for other, _ in new) > 1:
                continue  # so a hand is shown
            if asked and card.card is not None:
                deal = (Deal(seat, card.card, Facing.UP),)
                if is_legal(at.state, *deal) and not self._may_be_open(at, deal, card):
                    return card
        return None

    def _laid_back(self, at: At, look: Look) -> Iterator[Move[SeatMat]]:
        """Offer cards of a hand that was taken up: all of a place are laid back, or shown.

        What several lay back that costs nothing is offered together first: one after the other
        would be as many ways as there are orders.
        """
        new = list(self.new_cards(at, look))
        ways: list[Move[SeatMat]] = []
        free: list[Move[SeatMat]] = []
        together = at.mat
        for hand in _play(at).hands:
            here = [card for seat, card in new if seat == hand.seat]
            lying = _of_cards(self._lying_at(at, look, hand.seat))
            there = lying & _of_cards(here)  # they lie just where they lay
            held = len(hand.cards) - len(lying - there)
            if not here or len(here) > held or self._are_others(at, look, hand, here):
                continue
            astray = self._left_astray(at, look, hand.seat)
            if len(here) == len(astray) == 1:  # the card that came to a neighbour is put right
                ways.append(Move((), at.mat.renamed(hand.seat, astray[0], here[0].number)))
                continue
            why = self._why_laid_back(at, hand, new, held, look)
            if len(there) == held > 1:
                why = _by_hand(look, hand.seat)  # the whole hand lies as it lay
            if len(here) < held and self._makes_target(at, look, hand.seat):
                why = (*why, *[Assumption.LAID_BACK] * 3)  # that is all of it
            mat = _with_back(at.mat, hand.seat, here, there)
            (ways if why else free).append(Move((), mat, why))
            if not why:
                together = _with_back(together, hand.seat, here, there)
            aside = _aside(new, look, here, held - len(here))
            if aside:
                slid = (Assumption.SLID, *_by_hand(look, hand.seat))
                ways.append(Move((), mat.laid_back(hand.seat, aside), slid))
        if len(free) > 1:
            yield Move((), together)
        if len(free) < 2 or _play(at).phase is not Phase.SHOWDOWN:  # else they are nothing else
            yield from free
        yield from ways

    def _are_others(self, at: At, look: Look, hand: PlayerCards, here: list[LyingCard]) -> bool:
        """Return whether open cards lie for others that are known: one reads otherwise."""
        lying, numbers = _numbers(look), at.mat.hand(hand.seat)
        gone = [card for n, card in zip(numbers, hand.cards, strict=False) if n not in lying]
        faces = {card.card for card in here if card.is_up}
        return None not in {*gone, *faces} and len(faces) == len(gone) and faces != {*gone}

    def _laid_back_in_the_deal(self, at: At, look: Look) -> Iterator[Move[SeatMat]]:
        """Offer that a player laid all back that they had taken up while cards were dealt.

        A single one is rather the next of the deal, unless the dealer's hand was not there.
        """
        play, hands, dealer = _play(at), {*(look.hands or ())}, at.state.dealer
        new = list(self.new_cards(at, look))
        for hand in play.hands:
            here = [card for seat, card in new if seat == hand.seat]
            held = len(hand.cards) - len(self._lying_at(at, look, hand.seat))
            is_next = len(here) == 1 and bool(hands & {dealer, None})
            if hand.seat in hands and 0 < len(here) == held and not is_next:
                yield Move((), at.mat.laid_back(hand.seat, here), (Assumption.LAID_BACK,))

    def lies_as_shown(self, at: At, look: Look) -> bool:
        """Return whether no card of any hand was taken up since it was seen last."""
        hands = (at.mat.hand(hand.seat) for hand in _play(at).hands)
        return {*chain(*hands)} - {UNKNOWN, TAKEN_UP} <= _numbers(look)

    def is_over(self, at: At, seat: int) -> bool:
        """Return whether all cards of a hand are known, and make more than the game wants."""
        return self._is_more(at.state, _play(at).hand(seat).cards)

    def _is_more(self, state: State, cards: Sequence[Card | None]) -> bool:
        """Return whether all *cards* are known, and make more than the game wants."""
        game = state.setup.game
        total = None if None in cards else game.total(state.live_play, cards)
        return total is not None and total > game.target

    def _makes_target(self, at: At, look: Look, seat: int) -> bool:
        """Return whether the open cards at a place make 31, or what the game wants, exactly."""
        game, play = at.state.setup.game, _play(at)
        cards = [card.card for card in look.at_seat(seat) if card.is_up]
        if len(cards) < self.cards_dealt(at.state) or None in cards:
            return False
        return bool(game.total(play, cards) == game.target)

    def _left_astray(self, at: At, look: Look, seat: int) -> list[int]:
        """Return the cards of *seat* that lay at the place of another, and are gone from there."""
        gone = at.mat.astray - _numbers(look)
        return [number for number in at.mat.hand(seat) if number in gone]

    def _why_laid_back(
        self,
        at: At,
        hand: PlayerCards,
        new: Sequence[tuple[int, LyingCard]],
        held: int,
        look: Look,
    ) -> tuple[Assumption, ...]:
        """Return how unusual it is that of the *held* cards of a hand those of *new* are laid back.

        *new* are the cards that came to lie at places, each with the seat.
        """
        play, here = _play(at), [card for seat, card in new if seat == hand.seat]
        own = play.turn == hand.seat and not hand.stuck
        if look.blind:
            return ()
        if own and play.asked:
            # One card is rather the one that is awaited; a whole hand is not.
            whole = len(here) == held > 1
            return (Assumption.LAID_BACK,) if whole else (Assumption.LAID_BACK_ASKED,)
        hand_seen = _by_hand(look, hand.seat)
        if is_strewn(here) and not any(card.is_up for card in here):
            return (Assumption.LAID_BACK_STREWN, *hand_seen)
        shown = all(card.is_up for card in here)
        if len(here) == held or (shown and not _lie_apart(here)):
            return hand_seen
        hands = {None} if look.hands is None else {*look.hands}
        dealt = bool(hands & {at.state.dealer, None})
        if len(here) == 1 and not shown and hand.seat in hands:
            # Their own hand laid it: the others lie under it, unless the dealer brought it.
            several = len({seat for seat, _ in new}) > 1
            return () if several or not dealt else (Assumption.LAID_BACK,)
        word = Assumption.LAID_BACK_TURN if own and not shown else Assumption.LAID_BACK
        return (word, *hand_seen)

    def _turn(self, at: At, look: Look, play: Play, turn: int) -> Iterator[Move[SeatMat]]:
        """Offer what the player whose turn it is, or the dealer, may have done."""
        new = list(self.new_cards(at, look))
        astray = [card for seat, card in new if seat != turn]
        if not play.asked:  # rather that than one dealt unasked that slid far
            yield from self._falls(at, astray, Assumption.FELL)
        yield from self._card_comes(at, look, play, turn, new)
        if play.asked:
            yield from self._falls(at, astray)
        waits = [seat for seat, _ in new if seat != turn]
        spoken = _who_spoke(at)
        if play.asked:
            if spoken or waits or self._shows_more(at, look, turn):
                after = at.mat.dealt(turn, UNKNOWN)
                why = self._snatched(at, turn)
                yield Move((Deal(turn, None),), after, why, leaves_trace=False)
                yield from self._withdraws(at, look, turn)
            return
        if waits or any(seat not in (None, turn) for seat in spoken):
            silent_stick = (Assumption.SILENT_STICK,)
            yield Move((Stick(turn),), at.mat, silent_stick, leaves_trace=False)
        elif None in spoken and turn != at.state.dealer:
            # A word at the console is that of whose turn it is, or hardly of a later player.
            skipped = (Assumption.SILENT_STICK, *(() if at.untraced else (Assumption.OUT_OF_TURN,)))
            yield Move((Stick(turn),), at.mat, skipped, leaves_trace=False)
        if self._shows_more(at, look, turn):
            events = (Have(turn), Deal(turn, None))
            assumed = (Assumption.SILENT_HAVE, *self._snatched(at, turn))
            yield Move(events, at.mat.dealt(turn, UNKNOWN), assumed, leaves_trace=False)
        if self._all_show(at) or self._turn_is_shown(play):
            yield Move((Stick(turn),), at.mat, (Assumption.HANDS_OPEN,))

    def _card_comes(
        self, at: At, look: Look, play: Play, turn: int, new: list[tuple[int, LyingCard]]
    ) -> Iterator[Move[SeatMat]]:
        """Offer a new card as the one for *turn*, asked for or not."""
        have = () if play.asked else (Have(turn),)
        silent = (Assumption.SILENT_HAVE,) if have else ()
        if not play.asked and self._left_astray(at, look, turn):
            silent = (*silent, Assumption.SLID)  # rather the card that lay elsewhere is put right
        held = len(play.hand(turn).cards) - len(self._lying_at(at, look, turn))
        if look.blind and sum(seat == turn for seat, _ in new) <= held:
            silent = (*silent, Assumption.DEALT_BLIND)
        tried = set()
        # What lies where one of the hand lay is rather that one.
        for seat, card in sorted(new, key=lambda each: at.mat.owner(each[1].number) is not None):
            if seat in tried:
                continue  # the first that was laid came first
            tried.add(seat)
            if seat == turn:
                yield from self._dealt(at, look, seat, card, *have, assumed=silent)
            elif not play.hand(turn).shown:
                slid = Assumption.SLID if _beside(play, seat, turn) else Assumption.SLID_FAR
                yield from self._dealt(at, look, turn, card, *have, assumed=(*silent, slid))

    def _snatched(self, at: At, seat: int) -> tuple[Assumption, ...]:
        """Return how unusual it is that a card came to *seat* and was taken up unseen."""
        hands = at.hands or ()
        hidden = (Assumption.DEALT_UNSEEN,)
        both = {at.state.dealer, seat} <= {*hands} and seat != at.state.dealer
        if both and self._open_cards is OpenCards.NONE:
            return hidden
        # Where no hands are seen at all, the same word said twice is likelier; so it is where cards
        # that are drawn stay open.
        lies = at.hands is None or self._open_cards is not OpenCards.NONE
        return (Assumption.SNATCHED,) * (2 if lies else 1)

    def _shows_more(self, at: At, look: Look, seat: int) -> bool:
        """Return whether more open cards lie at a place than the hand is known to have."""
        lying = sum(c.is_up for c in look.cards if self._at_seat(at, c) == seat)
        return lying > len(_play(at).hand(seat).cards)

    def _all_show(self, at: At) -> bool:
        """Return whether everybody who is still in lies open while somebody is to play."""
        play = _play(at)
        if play.phase is not Phase.PLAY or play.asked or self._open_cards is OpenCards.ALL:
            return False
        alive = [hand for hand in play.hands if not hand.out]
        return all(h.shown for h in alive) and any(not h.stuck for h in alive)

    def _turn_is_shown(self, play: Play) -> bool:
        """Return whether the hand of the player whose turn it is was laid open: they stick."""
        if play.phase is not Phase.PLAY or play.asked or play.turn is None:
            return False
        return self._open_cards is not OpenCards.ALL and play.hand(play.turn).shown

    def _throws_in(self, at: At, look: Look) -> Iterator[Move[SeatMat]]:
        """Offer hands thrown into the middle, or turned face down (rules G-17, OT-17)."""
        yield from self._turns_down(at, look)
        play, middle = _play(at), self._in_middle(at, look)
        if middle and len(middle) <= at.mat.hidden and not self._is_turned_up(at, look):
            why = self._why_not_new(at, look)
            yield Move((), at.mat.without(middle, at.mat.hidden - len(middle)), why)
        elif middle:
            several = self._is_own_hand(at, look) and len(middle) > 1
            stray = (Assumption.STRAY,) * (3 if several else min(3, len(middle)))
            yield Move((), at.mat.without(middle), max(stray, self._why_not_new(at, look), key=len))
        new = [(seat, card) for seat, card in self.new_cards(at, look) if not card.is_up]
        heap = self._come_to_light(at, look, [card for _, card in new])
        if heap:
            yield Move((), at.mat.without(heap, at.mat.hidden - len(heap)))
        wide = too_wide_for_one_throw(card for _, card in new)
        for hand in play.hands:
            # Where several players laid something down, each did at their own place.
            own = [(seat, card) for seat, card in new if seat == hand.seat]
            yield from self._throw(at, look, hand, middle, own if wide else new)

    def _laid_aside(self, at: At, look: Look) -> Iterator[Move[SeatMat]]:
        """Offer that a hand that is out, or the stock, lies face down at somebody's place."""
        play, mat = _play(at), at.mat
        gone = mat.lying - _numbers(look)
        out = {n for hand in play.hands if hand.out for n in mat.hand(hand.seat)}
        new = [card for _, card in self.new_cards(at, look)]
        # Nobody's card that lay there is the stock; who has asked gets a card from it.
        stock = {n for n in gone if mat.owner(n) is None} - mat.spent - mat.exposed - mat.fallen
        if stock and len(new) == 1 and not (play.asked or look.in_zone(ZoneKind.STOCK)):
            aside = new
        elif out & gone:
            aside = [card for card in new if card.seat != play.turn]
        else:
            return
        if aside and not any(card.is_up for card in aside):
            yield Move((), mat.without(aside), (Assumption.STRAY,), about=_of_cards(aside))

    def _throw(
        self,
        at: At,
        look: Look,
        hand: PlayerCards,
        middle: list[LyingCard],
        new: Sequence[tuple[int, LyingCard]],
    ) -> Iterator[Move[SeatMat]]:
        """Offer that a hand was thrown in, of which cards are not at its place.

        Args:
            at: the history.
            look: what is seen.
            hand: whose cards they may be.
            middle: cards in the middle that nobody has explained.
            new: backs that came to lie at somebody's place, each with the seat.
        """
        play = _play(at)
        gone = len(hand.cards) - len(self._here(at, look, hand.seat))
        if gone < 1 or (hand.out and (hand.shown or hand.seat in at.mat.away)):
            return  # of cards thrown in before only the hidden ones can still show
        row = self._row_of(at, look, hand)
        if len(row) == gone:
            return  # a hand that lies open is shown (rule OT-18), wherever it lies
        aside = [card for _, card in new]
        places = [card for seat in {seat for seat, _ in new} for card in look.at_seat(seat)]
        strewn, cards = is_strewn([*middle, *places]), [*middle, *aside]
        assumed = self._whose_hand(at, look, hand.seat)
        if hand.out:  # they came to light only now
            assumed = max(assumed, self._why_not_new(at, look), key=cost_of)
        else:
            assumed = (Assumption.THROWN_IN, *assumed, *(Assumption.STRAY,) * bool(row))
        events = () if hand.out else (Declare(hand.seat, Claim.OUT),)
        doubt = (Assumption.STRAY,) * (gone < len(hand.cards) and not hand.out)
        ways = [(middle, (*assumed, *doubt))] if middle else []
        seen = hand.seat in (look.hands or ())
        seen = seen or (None in (look.hands or ()) and self._is_throw(at, look, hand))
        # The one card that the dealer brings is the one that was asked for.
        dealer_seen = at.state.dealer in (hand.seat, *(look.hands or ()))
        deals = play.asked and dealer_seen and len(cards) == 1
        brings = deals and not is_strewn(cards)
        by_throw = strewn or (seen and self._is_throw(at, look, hand))
        elsewhere = any(seat != hand.seat for seat, _ in new)
        alone = {*(look.hands or ())} == {hand.seat} != {at.state.dealer}
        took_up = self._took_up(at, look, hand)
        by_side = alone or len(cards) > 1 or took_up
        # Of a hand thrown down at its own place not every card shows.
        at_home = alone and took_up and len(aside) > 1
        if aside and by_throw and not brings:  # they came to lie at somebody's place
            # One who sits there, and held their cards, has rather laid down their own.
            others = ({seat for seat, _ in new} - {hand.seat}) & {*(look.hands or ())}
            holding = (play.hand(seat) for seat in others)
            theirs = any(len(o.cards) > len(self._at_own_place(at, look, o.seat)) for o in holding)
            # So has who lays them at their own place while another one plays.
            at_ease = len(aside) > 1 and not elsewhere and play.turn not in (None, hand.seat)
            ways.append((cards, (*assumed, *(Assumption.STRAY,) * (2 * theirs + at_ease))))
        elif seen and (by_side if elsewhere else at_home):
            part = elsewhere and gone < len(hand.cards)  # nobody throws in one card of three
            stray = (Assumption.STRAY,) * (3 if brings or part else 1 if elsewhere else 2)
            ways.append((cards, (*assumed, *stray)))
        for thrown, why in ways:
            away = thrown[: len(hand.cards)]
            took = frozenset(card.number for card in away)
            mat = at.mat.without(away, at.mat.hidden + max(0, gone - len(took)))
            mat = replace(mat, away=mat.away | {hand.seat})
            yield Move(events, mat, why, about=took)

    def _come_to_light(self, at: At, look: Look, backs: Sequence[LyingCard]) -> Sequence[LyingCard]:
        """Return those of new *backs* that are of a heap thrown in at somebody's place.

        Of such a heap a camera tells now these and now those.
        """
        heap = [card.centre for card in look.cards if card.number in at.mat.backs]
        near = [c for c in backs if any(math.dist(c.centre, other) <= HEAP_MM for other in heap)]
        return near[: at.mat.hidden]

    def _is_own_hand(self, at: At, look: Look) -> bool:
        """Return whether nobody deals, and all hands that were seen are of players with cards."""
        play = _play(at)
        holding = {hand.seat for hand in play.hands if not hand.out and hand.cards}
        return bool(look.hands) and holding >= {*(look.hands or ())} and not play.asked

    def _turns_down(self, at: At, look: Look) -> Iterator[Move[SeatMat]]:
        """Offer open cards turned face down: thrown in, or nothing at all."""
        for seat in self._turned_down(at, look):
            about = frozenset(card.number for card in self._lying_at(at, look, seat))
            event = Declare(seat, Claim.OUT)
            away = replace(at.mat, away=at.mat.away | {seat})
            yield Move((event,), away, (Assumption.THROWN_IN,), about=about)
            turned = {n for n in at.mat.hand(seat) if n > UNKNOWN}
            back = replace(at.mat, hands=_without(at.mat.hands, seat, turned))
            loose = tuple(sorted({*at.mat.loose, *((n, seat) for n in turned)}))
            # By one's own hand it counts as the word (G-17); somebody else may only tidy up.
            own = (Assumption.STRAY,) if look.hands == (seat,) else ()
            yield Move((), replace(back, loose=loose), (Assumption.TURNED_DOWN, *own))

    def _is_throw(self, at: At, look: Look, hand: PlayerCards) -> bool:
        """Return whether no card is dealt any more, and those of *hand* are gone from its place."""
        return _play(at).phase is Phase.SHOWDOWN and self._took_up(at, look, hand)

    def _took_up(self, at: At, look: Look, hand: PlayerCards) -> bool:
        """Return whether cards of *hand* that lay there are gone from sight."""
        return bool((at.mat.lying & frozenset(at.mat.hand(hand.seat))) - _numbers(look))

    def _why_not_new(self, at: At, look: Look) -> tuple[Assumption, ...]:
        """Return how unusual it is that cards thrown in before show only now."""
        hands = look.hands or ()
        unlikely: tuple[Assumption, ...] = ()
        for hand in _play(at).hands:
            if hand.out or not {hand.seat, None} & {*hands}:
                continue
            lay = at.mat.lying & frozenset(at.mat.hand(hand.seat)) - at.mat.spent
            here = len(self._at_own_place(at, look, hand.seat))
            alone = {*hands} == {hand.seat}
            if lay - _numbers(look) or (alone and not here):
                return (Assumption.STRAY,) * 3  # whose cards are gone, or held, has thrown them in
            if hand.seat in hands and here < len(hand.cards):
                unlikely = (Assumption.STRAY,)
        return unlikely

    def _whose_hand(self, at: At, look: Look, seat: int) -> tuple[Assumption, ...]:
        """Return how unusual it is that the cards in the middle came from *seat*."""
        if look.hands is not None and seat in look.hands:
            return ()
        own = _play(at).turn in (None, seat)
        return _by_hand(look, seat) or (() if own else (Assumption.OUT_OF_TURN,))

    def _at_own_place(self, at: At, look: Look, seat: int) -> list[LyingCard]:
        return [card for card in self._lying_at(at, look, seat) if card.seat == seat]

    # --- hands laid open ----------------------------------------------------------------------

    def _claims(self, at: At, look: Look) -> Iterator[Move[SeatMat]]:
        """Offer a hand that lies open whole, in each order that may matter (G-20).

        Of several the first is tried; which of them is shown first makes no difference.
        """
        for hand, lying in self.open_hands(at, look):
            about = frozenset(card.number for card in lying)
            ways = self._orders(at, hand, lying)
            found = False
            for cards, last in ways:
                assumed = (Assumption.ORDER,) if len(ways) > 1 else ()
                if last < len(cards) - 1:
                    assumed = (Assumption.TOOK_MORE,)
                event = self._claim(at.state, hand.seat, cards)
                if event is not None:
                    found = True
                    mat = at.mat.shown(hand.seat, cards, lying)
                    yield Move((event,), mat, assumed, about=about)
            if found:
                return

    def _shown_astray(self, at: At, look: Look) -> Iterator[Move[SeatMat]]:
        """Offer a hand that lies open with cards that had slid to a neighbour's place.

        All of the neighbour's own cards lie there as well, and further off than those of the hand.
        """
        for hand in _play(at).hands:
            lying = self._lying_at(at, look, hand.seat)
            slid = [c for c in lying if c.is_up and self._is_of_another(at.mat, c)]
            if not slid or len(lying) < len(hand.cards) or not all(c.is_up for c in lying):
                continue
            others = [each for each in _play(at).hands if each.seat in {c.seat for c in slid}]
            theirs = [self._here(at, look, each.seat) for each in others]
            whole = all(len(here) == len(o.cards) for here, o in zip(theirs, others, strict=True))
            if whole and all(_nearest(c, lying) < _nearest(c, chain(*theirs)) for c in slid):
                yield Move((), at.mat.laid_back(hand.seat, slid), about=_of_cards(slid))

    def _shown_afar(self, at: At, look: Look) -> Iterator[Move[SeatMat]]:
        """Offer that somebody lays open what they held, but not at their own place.

        Whose arm was there is seen; all that lies open there is in one row.
        """
        for hand in _play(at).hands:
            row = self._row_of(at, look, hand)
            if row and not hand.out:
                yield Move((), at.mat.laid_back(hand.seat, row), about=_of_cards(row))

    def _row_of(self, at: At, look: Look, hand: PlayerCards) -> list[LyingCard]:
        """Return the row off the own place in which a player laid open what they held; or none.

        Between the places not all of it need show yet.
        """
        hands, mat = {*(look.hands or ())}, at.mat
        if hand.seat not in hands or not look.turned_up:
            return []
        here = self._here(at, look, hand.seat)
        row = [
            card
            for card in look.cards
            if card.number in look.turned_up and card.seat not in hands and card not in here
            if mat.owner(card.number) in (None, hand.seat) and not mat.is_spent(card)
        ]
        held = len(hand.cards) - len(here)
        if not 1 < len(row) <= held:
            return []
        if all(self._may_be_own(at, look, card, len(row)) for card in row):
            return []  # it lies as the hand of who sits there does
        whole = len(row) == held or all(card.zone is not ZoneKind.SEAT for card in row)
        return row if whole and 1 in (len(rows_of(row)), len(rows_of([*row, *here]))) else []

    def _may_be_own(self, at: At, look: Look, card: LyingCard, cards: int) -> bool:
        """Return whether a card may be of who sits where it lies, with *cards* of that hand."""
        if card.zone is not ZoneKind.SEAT or card.number in look.across:
            return False
        hand = next((h for h in _play(at).hands if h.seat == card.seat and not h.out), None)
        return hand is not None and len(hand.cards) - len(self._here(at, look, hand.seat)) >= cards

    def _is_turned_up(self, at: At, look: Look) -> bool:
        """Return whether cards lie open of a hand that seemed thrown in: at its place, or a row."""
        mat = at.mat
        shown = (c for c in look.cards if c.is_up and mat.owner(c.number) in (None, c.seat))
        if any(c.seat in mat.away and c.number not in mat.spent for c in shown):
            return True
        thrown = (hand for hand in _play(at).hands if hand.out and hand.seat in mat.away)
        return any(len(self._row_of(at, look, hand)) == len(hand.cards) for hand in thrown)

    def open_hands(self, at: At, look: Look) -> Iterator[tuple[PlayerCards, list[LyingCard]]]:
        """Yield the hands that the game does not know and that lie open whole, every card read."""
        play = at.state.live_play
        if play is None or play.phase not in (Phase.PLAY, Phase.SHOWDOWN, Phase.DONE):
            return
        for hand in play.hands:
            if hand.out or not hand.has_unread:
                continue
            lying = self._here(at, look, hand.seat)
            if len(lying) == len(hand.cards) and all(card.card is not None for card in lying):
                yield hand, lying

    def unread_31(self, at: At, look: Look) -> Iterator[tuple[int, LyingCard]]:
        """Yield the one unread card of a hand shown after the end that may have won before."""
        for hand in _play(at).hands:
            lying = self._here(at, look, hand.seat, unknown=True)
            unread = [card for card in lying if card.card is None]
            whole = len(lying) == len(hand.cards) and all(card.is_up for card in lying)
            if hand.out or not hand.has_unread or not whole or len(unread) != 1:
                continue
            for candidate in unread[0].candidates:
                read = [replace(c, card=candidate) if c is unread[0] else c for c in lying]
                ways = self._orders(at, hand, read)
                if any(self._claim(at.state, hand.seat, cards) for cards, _ in ways):
                    yield hand.seat, unread[0]
                    break

    def _miscounted(self, at: At, look: Look) -> Iterator[Move[SeatMat]]:
        """Offer that an open hand was dealt more or fewer cards than were counted."""
        play = at.state.live_play
        if play is None or play.phase not in (Phase.PLAY, Phase.SHOWDOWN, Phase.DONE):
            return
        for hand in play.hands:
            here = self._here(at, look, hand.seat, unknown=True)
            unread = sum(card.card is None for card in here)
            more = len(here) > len(hand.cards)  # where one is not read, it was dealt all the same
            if hand.out or not all(card.is_up for card in here) or (more and unread > 1):
                continue
            if hand.shown and more and {*hand.cards} <= {card.card for card in here}:
                yield from self._with_more(at, hand, here)  # one of them was covered then
            numbers = at.mat.hand(hand.seat)
            known = {n for n, up in zip(numbers, hand.up, strict=False) if up}
            same = len(here) == len(hand.cards) or all(card.number in known for card in here)
            if same or not hand.has_unread:
                continue
            rests = {n: rests for seat, n, rests in at.mat.short if seat == hand.seat}
            if rests.get(len(here), 0) > SHORT_RESTS or len(here) < self.cards_dealt(at.state):
                continue
            if len(here) > len(hand.cards):
                yield from self._with_more(at, hand, here)
                yield from self._found_twice(at, hand, here)
                cards = {card.card for card in here} - {None}
                first = len(numbers) == self.cards_dealt(at.state) == len(here) - 1
                if first and hand.stuck and len(cards) == len(here) and {*numbers} <= at.mat.lying:
                    # All of it lay there when its player stuck: it is asked what came to it.
                    waits = at.mat.short | {(hand.seat, len(here), SHORT_RESTS + 1)}
                    mat = replace(at.mat.laid_back(hand.seat, here), short=waits)
                    yield Move((), mat, (Assumption.FELL,))
            else:
                yield from self._one_too_few(at, look, hand, here, rests.get(len(here), 0))

    def _shown_asking(self, at: At, look: Look) -> Iterator[Move[SeatMat]]:
        """Offer that a player who waits for a card has laid the hand open all the same."""
        play = _play(at)
        if not play.asked or play.turn is None or play.phase is not Phase.PLAY:
            return
        hand, mat = play.hand(play.turn), at.mat
        here = self._here(at, look, play.turn, unknown=True)
        settled = (play.turn, len(here), SHORT_RESTS + 1)
        whole = len(here) == len(hand.cards) and hand.has_unread
        if whole and all(card.is_up for card in here) and settled not in mat.short:
            after = replace(mat, short=mat.short | {settled})
            yield Move((), after, (Assumption.SHOWN_EARLY,) * 2)

    def _unshown(self, at: At, look: Look) -> Iterator[Move[SeatMat]]:
        """Offer that whoever shows no card, when all others have shown, has thrown in."""
        for seat, cards, rests in at.mat.short:
            waited = cards == 0 and rests == SHORT_RESTS and not _play(at).hand(seat).out
            here = self._here(at, look, seat, unknown=True)
            # Of several whose hands lie face down, as they were dealt, each may still be shown.
            lies = len(at.mat.short) > 1 and len(here) == len(_play(at).hand(seat).cards)
            if waited and not (lies or any(card.is_up for card in here)):
                away = replace(at.mat, away=at.mat.away | {seat})
                yield Move((Declare(seat, Claim.OUT),), away, (Assumption.THROWN_IN,))
                waits = at.mat.short ^ {(seat, 0, rests), (seat, 0, rests + 1)}
                yield Move((), replace(at.mat, short=waits), (Assumption.STRAY,))

    def _here(self, at: At, look: Look, seat: int, *, unknown: bool = False) -> list[LyingCard]:
        """Return the cards of *seat*; where *unknown*, with those there that are nobody's yet."""
        here, loose = [], dict(at.mat.loose)
        for card in look.cards:
            owner = at.mat.owner(card.number)
            own = owner == seat and (card.seat == seat or card.number in loose)
            if own or (unknown and owner is None and self._at_seat(at, card) == seat):
                here.append(card)
        return here

    def cards_dealt(self, state: State) -> int:
        """Return how many cards everybody has before the first turn."""
        return int(getattr(state.setup.game, "cards_dealt", 0))

    def _with_more(
        self, at: At, hand: PlayerCards, here: list[LyingCard]
    ) -> Iterator[Move[SeatMat]]:
        """Offer that cards came to a hand that nobody saw come; if it was shown, it is again."""
        log, seat = at.state.log, hand.seat
        more = len(here) - len(hand.cards)
        shown = [n for n, e in enumerate(log) if isinstance(e, Reveal) and e.seat == seat]
        place, end = _turn_ends(log, seat), shown[-1] if shown else None
        if place is None:
            if _play(at).turn != seat and end is None:
                return
            place = len(log) if end is None else end
        asked = place > 0 and isinstance(log[place - 1], Have) and _of(log[place - 1]) == seat
        added: list[Event] = []
        for number in range(more):
            if number or not asked:
                added.append(Have(seat))
            added.append(Deal(seat, None))
        assumed = (Assumption.SNATCHED,) * more + (Assumption.SILENT_HAVE,) * (more - asked)
        if any(_nearest(card, here) > 2 * SPREAD_MM for card in here):
            assumed = (*assumed, Assumption.SLID)  # rather a card of somebody else
        mat = at.mat.laid_back(seat, here)
        for _ in range(more):
            mat = mat.dealt(seat, UNKNOWN)
        about = frozenset(card.number for card in here)
        gone = 0
        if end is not None:
            added, gone = [*added, *log[place:end]], end + 1 - place
        yield Move((), mat, assumed, about=about, insert=(place, gone, tuple(added)))

    def _found_twice(
        self, at: At, hand: PlayerCards, here: list[LyingCard]
    ) -> Iterator[Move[SeatMat]]:
        """Offer that of a hand laid open one over another an unread part was no card."""
        unread = [card for card in here if card.card is None]
        if len(here) != len(hand.cards) + 1 or len(unread) != 1:
            return
        beside = (math.dist(unread[0].centre, card.centre) for card in here if card.card)
        if any(apart <= STEP_MM for apart in beside):
            about = _of_cards(unread)
            yield Move((), at.mat.without(unread), (Assumption.FOUND_TWICE,), about=about)

    def _one_too_few(
        self, at: At, look: Look, hand: PlayerCards, here: list[LyingCard], rests: int
    ) -> Iterator[Move[SeatMat]]:
        """Offer why a hand lies open with fewer cards than it has, *rests* looks long."""
        if UNKNOWN in at.mat.hand(hand.seat)[self.cards_dealt(at.state) :]:
            yield from self._with_fewer(at, look, hand, here, Assumption.NOT_DEALT)
        elif rests == SHORT_RESTS:
            yield from self._with_fewer(at, look, hand, here, Assumption.MISCOUNTED)

    def _with_fewer(
        self, at: At, look: Look, hand: PlayerCards, here: list[LyingCard], why: Assumption
    ) -> Iterator[Move[SeatMat]]:
        """Offer that a card had not come: one that nobody saw, else the last; or is held back."""
        log, seat = at.state.log, hand.seat
        late = why is Assumption.MISCOUNTED
        numbers = at.mat.hand(seat)
        unseen = [n for n, number in enumerate(numbers) if number == UNKNOWN]
        place = len(numbers) - 1 if late else max(unseen)
        deals = [n for n, event in enumerate(log) if isinstance(event, Deal) and _of(event) == seat]
        deal = deals[place]
        had = deal > 0 and isinstance(log[deal - 1], Have) and _of(log[deal - 1]) == seat
        spoken = had and Assumption.SILENT_HAVE not in at.marks[deal - 1].split(",")
        # Of cards that lay there together each came, and so did one that was asked for by a button.
        asked = spoken and numbers[place] != UNKNOWN
        came = asked or dict(at.mat.together).get(seat, 0) >= len(numbers)
        mat = at.mat.laid_back(seat, here)
        short = replace(mat, short=mat.short | {(seat, len(here), SHORT_RESTS + 1)})
        # A card that was only covered shows sooner. What makes just 31 is hardly a part of a hand.
        missing = len(numbers) - len(here) + self._makes_target(at, look, seat)
        yield Move((), short, (Assumption.HELD_BACK,) * (missing + (late and not came)))
        left = (*numbers[:place], *numbers[place + 1 :])
        about = frozenset(card.number for card in here)
        cut = (deal - had, 1 + had, ())
        # A card that lies between the places may be the one that was asked for.
        loose = any(mat.owner(c.number) is None and not mat.is_spent(c) for c in look.in_zone(None))
        stray = (Assumption.STRAY,) * (2 if had and loose else 0)
        # That one who asked by a button got no card is twice as unusual.
        whys = (*(why,) * (2 if spoken and not late else 1), *stray)
        yield Move((), mat.with_numbers(seat, left), whys, about=about, insert=cut)

    def _claim(self, state: State, seat: int, cards: tuple[Card, ...]) -> Event | None:
        """Return how a hand laid open counts: a call of 31, one that is over, or a hand shown."""
        ways: list[Event] = [Declare(seat, Claim.THIRTY_ONE, cards)]
        play, game = state.live_play, state.setup.game
        total = game.total(play, cards)
        own = play is not None and play.turn == seat
        if own and total is not None and total > game.target:
            ways.append(Declare(seat, Claim.OUT, cards))
        ways.append(Reveal(seat, cards))
        return next((event for event in ways if is_legal(state, event)), None)

    def _orders(
        self, at: At, hand: PlayerCards, lying: list[LyingCard]
    ) -> list[tuple[tuple[Card, ...], int]]:
        """Return the orders in which the cards that lie open can have been dealt.

        With each goes the place of the card that made exactly the target, or went over it.
        """
        numbers = at.mat.hand(hand.seat)
        shown = {card.number: card.card for card in lying}
        fixed = [
            known if known is not None else shown.get(number)
            for known, number in zip(hand.cards, numbers, strict=True)
        ]
        cards = [card.card for card in lying if card.card is not None]
        if any(card is not None and card not in cards for card in fixed):
            return []
        state, play = at.state, _play(at)
        game = state.setup.game
        dealt = self.cards_dealt(state)
        return orders(cards, fixed, dealt, lambda c: game.total(play, c), game.target)

    # --- what histories have in common --------------------------------------------------------

    def key(self, at: At, watched: frozenset[Card]) -> Hashable:
        """Return what decides the future of a history."""
        play = at.state.live_play
        hands = (
            () if play is None else tuple((h.cards, h.out, h.stuck, h.shown) for h in play.hands)
        )
        mat = at.mat
        loose = dict(mat.loose)
        lying = tuple(
            tuple(n for n in numbers if n in mat.lying and n not in loose)
            for _, numbers in mat.hands
        )
        owned = tuple(frozenset(numbers) for _, numbers in mat.hands)
        asked = play is not None and play.asked
        dropped = (mat.spent, mat.fallen, mat.exposed, mat.hidden)
        rest = (asked, mat.loose, mat.lying, *dropped, mat.away, mat.short)
        return (self.frame(at.state), self.money(at.state), hands, lying, owned, rest)

    def frame(self, state: State) -> Hashable:
        """Return who may do what next."""
        play = state.live_play
        if play is None:
            return (state.phase, state.dealer, state.round.to_cut, state.round.misdeal)
        if play.phase is Phase.DONE:
            return (play.phase, state.dealer)
        # Whoever is out is asked nothing more, whether they had stuck before or not.
        hands = tuple((h.seat, h.stuck and not h.out, h.out, h.left) for h in play.hands)
        return (play.phase, state.dealer, play.turn, hands)

    def money(self, state: State) -> Hashable:
        """Return all that is paid, and who deals next."""
        over = state.outcome
        paid = tuple((p.payer, p.payee, p.amount, p.unit) for p in payments_of(state))
        return (paid, over and (over.settlement, state.round.due))

    def suspects(self, at: At, look: Look) -> frozenset[Card]:
        """Return no cards: where each card of these games is always decides the future."""
        return frozenset()

    def where(self, at: At, card: Card) -> None:
        """Return nothing: no card is a suspect."""

    def corrected(self, at: At, event: Event) -> SeatMat:
        """Return the mat after people corrected or left: it lies as it lay."""
        return at.mat


def _play(at: At) -> Play:
    play = at.state.live_play
    assert play is not None
    return play


def _lie_apart(cards: list[LyingCard]) -> bool:
    """Return whether several cards lie so far from each other that they hide none of the hand."""
    return len(cards) > 1 and all(
        math.dist(one.centre, other.centre) >= APART_MM
        for place, one in enumerate(cards)
        for other in cards[:place]
    )


def _numbers(look: Look) -> frozenset[int]:
    return _of_cards(look.cards)


def _with_back(
    mat: SeatMat, seat: int, cards: Sequence[LyingCard], there: frozenset[int]
) -> SeatMat:
    """Return *mat* with *cards* laid back by *seat*, those numbered in *there* as they lay."""
    mat = replace(mat, lying=mat.lying | there)
    return mat.laid_back(seat, (card for card in cards if card.number not in there))


def _who_spoke(at: At) -> list[int | None]:
    """Return at which seats words were pressed that explain nothing yet; ``None``: the console."""
    return [said.press.seat for _, said in at.said if said.press is not None]


def _aside(
    new: Sequence[tuple[int, LyingCard]], look: Look, here: Sequence[LyingCard], left: int
) -> list[LyingCard]:
    """Return the open cards at other places that may be the *left* ones of the hand *here*.

    Of a hand that is not whole they are those that lie in its row.
    """
    if not all(card.is_up for card in here):
        return []
    aside = [card for _, card in new if card.is_up and card.seat != here[0].seat]
    if len(aside) != left:
        aside = [card for card in aside if _is_of_row(card, look, here)]
    return aside if len(aside) <= left else []


def _is_of_row(card: LyingCard, look: Look, row: Sequence[LyingCard]) -> bool:
    """Return whether a card continues a *row* at another place, and lies off its own neighbours."""
    apart = _nearest(card, look.at_seat(card.seat)) if card.seat is not None else 0.0
    return _nearest(card, row) <= SPREAD_MM < apart


def _nearest(card: LyingCard, others: Iterable[LyingCard]) -> float:
    """Return how far the nearest of *others* lies from a card, in millimetres."""
    near = (math.dist(card.centre, each.centre) for each in others if each is not card)
    return min(near, default=math.inf)


def _of_cards(cards: Iterable[LyingCard]) -> frozenset[int]:
    return frozenset(card.number for card in cards)


def _is_cleared(mat: SeatMat, look: Look) -> bool:
    """Return whether all that lay there but the stock was taken up."""
    return bool(mat.lying) and all(card.zone is ZoneKind.STOCK for card in look.cards)


def _lying_over(mat: SeatMat, look: Look) -> SeatMat:
    """Return the mat at rest where the cards gathered for the deal may be dealt again."""
    left = lying_over(mat.spent, look)
    return replace(mat.seen(look), spent=_of_cards(left), left=left)


def _without(
    hands: tuple[tuple[int, tuple[int, ...]], ...], seat: int, numbers: set[int]
) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return *hands* where these cards of *seat* are not known apart any more."""
    return tuple(
        (each, tuple(UNKNOWN if each == seat and n in numbers else n for n in held))
        for each, held in hands
    )


def _by_hand(look: Look, seat: int | None) -> tuple[Assumption, ...]:
    """Return how unusual it is that the hand of *seat* did it, by those that were seen."""
    if look.blind or not look.hands or None in look.hands or seat in look.hands:
        return ()
    return (Assumption.OTHER_HAND,)


def _of(event: Event) -> int | None:
    return getattr(event, "seat", None)


def _turn_ends(log: tuple[Event, ...], seat: int) -> int | None:
    """Return the number of the event that ended the turn of *seat*; ``None``: nothing has."""
    for number, event in enumerate(log):
        if isinstance(event, Stick) and event.seat == seat:
            return number
    return None


def _was_silent(at: At, button: Button, seat: int | None) -> bool:
    """Return whether a word that is said now was assumed before."""
    kinds = {Button.HAVE: Have, Button.STICK: Stick}
    silent = {str(Assumption.SILENT_HAVE), str(Assumption.SILENT_STICK)}
    silent.add(str(Assumption.HANDS_OPEN))
    kind = kinds.get(button)
    if kind is None:
        return False
    for event, mark in list(zip(at.events, at.marks, strict=True))[-9:]:
        if not isinstance(event, kind) or seat not in (None, _of(event)):
            continue
        if silent & set(mark.split(",")):
            return True
    return False


def _came_silently(at: At, seat: int) -> bool:
    """Return whether the last thing that happened is a card for *seat*, which did not ask."""
    *_, have, deal = at.events if len(at.events) > 1 else (None, None)
    drew = isinstance(have, Have) and isinstance(deal, Deal) and _of(deal) == seat
    return drew and Assumption.SILENT_HAVE in at.marks[-2].split(",")


def _beside(play: Play, seat: int, turn: int) -> bool:
    """Return whether *seat* sits next to *turn*."""
    seats = sorted(hand.seat for hand in play.hands)
    there, here = seats.index(seat), seats.index(turn)
    return abs(there - here) in (1, len(seats) - 1)
