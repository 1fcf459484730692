"""What people may have done at a table of Thirty-one, and what a look must show after it.

Players hold their cards, so only what lies between them can be read. Where a card was drawn from
is told by the pile: a new card beside the old top came from the stock; where the old top is gone it
was taken; where the new card hides its place both may be.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from itertools import product

from device.croupier.assumptions import Assumption
from device.croupier.history import common
from device.croupier.left_over import gathered, laid_anew, lying_over
from device.croupier.legal import is_legal, state_after
from device.croupier.looks import (
    PUT_BACK_MM,
    Look,
    LyingCard,
    Said,
    is_strewn,
    rows_of,
    too_wide_for_one_throw,
)
from device.croupier.moves import Move
from device.croupier.scat import exchanges
from device.croupier.scat.lost import as_shown, unknown_turns, up_to_knock, with_turns_of
from device.croupier.scat.mat import HAND, At, ScatMat, play_of
from device.croupier.scat.pile import COVERED, NO_PILE, PileFit, Spot, fit_pile, may_cover, spot_of
from device.ports import Button
from engine import State, apply
from engine.core.cards import Card
from engine.core.events import (
    Accept,
    Claim,
    Cut,
    Deal,
    DealTo,
    Declare,
    Discard,
    Draw,
    Event,
    Facing,
    Knock,
    Pile,
    Restart,
    Reveal,
    Source,
    Stand,
    TurnUp,
    Undo,
)
from engine.core.fast_replace import replace
from engine.core.views import Phase
from engine.games.scat.deal import due_piles, seat_due
from engine.games.scat.play import ScatHand, ScatPlay
from engine.games.scat.turns import may_restart
from vision.mat.layout import CARD_MM, PILES
from vision.readings import Point, ZoneKind

OPEN_BY_MISTAKE = 2
"""So many hands lie open in play before a showdown is under way."""

TOUCHED_MM = 6.0
"""A back in the middle that lies further off than this was touched, or others lie on it."""

HALF_CARD_MM = CARD_MM[0] / 2
"""One back nearer than this to the one on the stock is of the stock: nobody has thrown a hand."""

MOST_TURNS = 3
"""So many turns at most are looked for between two looks."""


class ScatMoves:
    """The moves of Thirty-one and its variants."""

    tells_end = False
    words_wait = True

    def __init__(self) -> None:
        """Start with nothing worked out."""
        self._fit: tuple[State, ScatMat, Look, PileFit] | None = None

    def start(self, state: State, look: Look) -> ScatMat:
        """Return what is believed when a hand begins, or goes on without its looks."""
        play = play_of(state)
        if not state.log:
            kept = () if play is None else tuple(place.card for place in play.pile("A"))
            old = (card for card in look.cards if card.card is None or card.card not in kept)
            spent = names_of(old)
            return ScatMat(spent=spent, left=lying_over(spent, look))
        pile = () if play is None else (None,) * len(play.discards)
        return ScatMat(dealt=_backs(look), loose=_places(_backs_of(look)), pile=pile)

    # --- what a look shows --------------------------------------------------------------------

    def was_swept(self, at: At) -> bool:
        """Return whether the hands were gathered though some had still to be shown."""
        return at.mat.swept

    def at_rest(self, at: At, look: Look) -> ScatMat | None:
        """Return the mat with what lies now, where *at* explains it; else ``None``."""
        # What was taken up and comes back is a card of this hand.
        lying = {card.number for card in look.cards}
        at = replace(at, mat=replace(at.mat, spent=at.mat.spent & lying))
        mat, phase = at.mat, at.state.phase
        if phase is Phase.CUT:
            due = any(self._cuts(at, look))
            return None if due else replace(mat, left=lying_over(mat.spent, look))
        play = play_of(at.state)
        if play is None:
            return mat
        if phase is Phase.DEAL:
            due = any(self._gathered(at, look, play)) or any(self._deals(at, look, play))
            left = replace(mat, left=lying_over(mat.spent, look))
            return None if due else self._rested(replace(at, mat=left), look, play)
        shows = any(self.hand_shown(at, look, seat) for seat in mat.away)
        over = phase is Phase.PLAY and (mat.lost or self._all_open(at, look, play))
        waits = self._hands_wait(at, look, play) or self._is_swept(at, look, play)
        if phase is Phase.RESTART or shows or over or waits:
            return None  # whoever shows a hand has not thrown it in, and does not play on
        if phase is Phase.DONE or mat.swept:
            return self._rest_after(at, look, play)
        if phase is Phase.TURN_UP:
            unnamed = next(iter(self.on_discard(at, look)), None)
            return None if any(self._turn_up(at, look)) else replace(mat, unnamed=unnamed)
        free = self.middle_cards(at, look)
        if phase is Phase.CHOOSE:
            return None if any(exchanges.choices(at, play, free)) else mat
        if play.options.table in exchanges.TABLES:
            ties = exchanges.tie(mat.ties, play, free)
            reread = phase is Phase.SHOWDOWN and exchanges.are_same(mat.ties, ties)
            if exchanges.is_open(ties, look, play) and not reread:
                return None
            mat = replace(mat, ties=exchanges.kept(mat.ties, ties, look, play))
        return self._rested(replace(at, mat=mat), look, play)

    def _rest_after(self, at: At, look: Look, play: ScatPlay) -> ScatMat | None:
        """Return the mat after the end, or where all was gathered.

        Then a card on the pile that still lies there was laid since.
        """
        mat = at.mat
        if at.state.phase is Phase.DONE:
            return None if self._shows_others(at, look, play) else mat
        if not look.in_zone(ZoneKind.DISCARD):
            mat = replace(mat, pile=())
        return None if mat.pile and self.on_discard(at, look) else mat

    def _is_swept(self, at: At, look: Look, play: ScatPlay) -> bool:
        """Return whether the hands that were shown were gathered, and others are still to be."""
        shows = play.phase is Phase.SHOWDOWN and any(hand.shown for hand in play.hands)
        return shows and not at.mat.swept and look.is_swept

    def _rested(self, at: At, look: Look, play: ScatPlay) -> ScatMat | None:
        """Return the mat with the pile and the stock as they lie now, where they fit."""
        mat = at.mat
        if play.phase in (Phase.PLAY, Phase.SHOWDOWN):
            fit = self.fit(at, look)
            if (
                not fit.fits
                or self._thrown(at, look, play)
                or self._is_elsewhere(at, look, play)
                or self._stock_differs(at, look)
            ):
                return None
            if fit.hidden and mat.rested != len(mat.pile):
                return None  # the pile was changed, so it lies there
            extra = mat.extra if self.two_lie(at, look) else frozenset()
            mat = replace(mat, pile=fit.spots(mat.pile), rested=len(mat.pile), extra=extra)
            mat = replace(mat, unseen=mat.unseen and fit.hidden)
            mat = replace(mat, seen=_read_last(mat, fit, len(at.events)))
        back = self._stock(at, look)
        going = play.drawn is not None or not mat.turns
        return replace(
            mat,
            stock=mat.stock if back is None else back,
            drew=play.drawn is Source.STOCK,
            over=mat.over | look.over if going else frozenset(),
            others=play.drawn is not None and (mat.others or at.hands not in (None, ())),
            turns=0,
        )

    def fit(self, at: At, look: Look) -> PileFit:
        """Hold the pile of *at* against what shows on its place."""
        play, last = play_of(at.state), self._fit
        assert play is not None
        if not play.options.has_discard or at.mat.lost:
            return NO_PILE
        if last and last[0] is at.state and last[1] is at.mat and last[2] is look:
            return last[3]
        pile = [thrown.card for thrown in play.discards]
        there = [c for c in look.in_zone(ZoneKind.DISCARD) if c.number not in at.mat.spent]
        covered = there and not there[-1].is_up and not self._lies_beside(at, look, play, there[-1])
        if covered or self.two_lie(at, look):
            fit = COVERED
        else:
            lying, over = self.on_discard(at, look), play.phase is Phase.SHOWDOWN
            unseen = at.mat.unseen and len(pile) == 1
            fit = fit_pile(pile, at.mat.pile, lying, play.options.decks, over=over, unseen=unseen)
        self._fit = (at.state, at.mat, look, fit)
        return fit

    def _lies_beside(self, at: At, look: Look, play: ScatPlay, back: LyingCard) -> bool:
        """Return whether a back on the discard is none, and leaves the top of the pile bare."""
        known = dict(at.mat.loose).keys() | names_of(self._thrown(at, look, play))
        top = at.mat.pile[-1] if at.mat.pile else None
        return back.number in known and not may_cover(back, top)

    def two_lie(self, at: At, look: Look) -> bool:
        """Return whether both cards that a player laid at once still lie on the discard."""
        extra = at.mat.extra
        return bool(extra) and extra <= names_of(self.on_discard(at, look))

    def on_discard(self, at: At, look: Look) -> list[LyingCard]:
        """Return the open cards on the place of the discard, in order of laying."""
        return [
            card
            for card in look.cards
            if card.zone is ZoneKind.DISCARD and card.is_up and card.number not in at.mat.spent
        ]

    def middle_cards(self, at: At, look: Look) -> list[LyingCard]:
        """Return the cards where those between the players may lie."""
        play = play_of(at.state)
        assert play is not None
        return [
            card
            for card in look.cards
            if card.number not in at.mat.spent and exchanges.is_middle_card(card, play)
        ]

    def hand_shown(self, at: At, look: Look, seat: int) -> list[LyingCard]:
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

    def _is_elsewhere(self, at: At, look: Look, play: ScatPlay) -> bool:
        """Return whether an open hand shows what cannot be: a card of the pile, or one missing."""
        if play.options.decks > 1:
            return False
        lying = {*(thrown.card for thrown in play.discards), *play.gone}
        for hand in play.hands:
            if hand.out:
                continue
            cards = [card.card for card in self.hand_shown(at, look, hand.seat)]
            if any(card is not None and card in lying for card in cards):
                return True
            others = {c for other in play.hands if other is not hand for c in other.cards}
            if any(card is not None and card in others for card in cards):
                return True
            new = {*cards} - {*hand.cards}
            if len(cards) == HAND and None not in cards and len(new) > hand.cards.count(None):
                return True  # also while one more was drawn, and is not laid yet
        return False

    # --- the stock ----------------------------------------------------------------------------

    def _stock_card(self, at: At, look: Look) -> LyingCard | None:
        """Return the back on the stock: of several the one that lies where it lay last."""
        lying, loose = look.in_zone(ZoneKind.STOCK), dict(at.mat.loose)
        backs = [card for card in lying if not card.is_up and card.number not in loose]
        last = at.mat.stock
        if last is None or not backs:
            return backs[-1] if backs else None
        return min(backs, key=lambda card: math.dist(card.centre, last.at))

    def _stock(self, at: At, look: Look) -> Spot | None:
        card = self._stock_card(at, look)
        return None if card is None else spot_of(card)

    def _stock_moved(self, at: At, look: Look) -> bool:
        """Return whether the back on the stock lies otherwise than at the last rest."""
        back, before = self._stock(at, look), at.mat.stock
        return back is not None and before is not None and back.is_other(before)

    def _stock_differs(self, at: At, look: Look) -> bool:
        """Return whether the stock shows what *at* does not explain."""
        play = play_of(at.state)
        if play is None or play.options.table == "bus" or at.mat.lost:
            return False
        back = self._stock(at, look)
        if back is None:
            return at.mat.stock is not None and play.stock > 0
        return play.stock == 0 or (self._stock_moved(at, look) and not at.mat.drew)

    # --- what may have happened ---------------------------------------------------------------

    def moves(self, at: At, look: Look) -> Iterator[Move[ScatMat]]:
        """Offer what may have happened next on the way to what *look* shows."""
        phase, play = at.state.phase, play_of(at.state)
        if phase is Phase.CUT:
            yield from self._cuts(at, look)
            return
        if play is None:
            return
        yield from self._hands(at, look, play)
        yield from self._sweeps(at, look, play)
        if at.mat.lost or at.mat.swept:
            yield from self._last_words(at, play)
            yield from self._still_laid(at, look)
            return
        yield from self._throws_in(at, look, play)
        if phase is Phase.DEAL:
            yield from self._gathered(at, look, play)
            yield from self._deals(at, look, play)
        elif phase is Phase.TURN_UP:
            yield from self._turn_up(at, look)
        elif phase is Phase.CHOOSE:
            yield from exchanges.choices(at, play, self.middle_cards(at, look))
        elif phase is Phase.RESTART:
            for seat in may_restart(play):
                yield Move((Restart(seat),), at.mat)
            yield Move((Accept(),), at.mat)
        elif phase in (Phase.PLAY, Phase.SHOWDOWN):
            yield from self._plays(at, look, play)

    def _plays(self, at: At, look: Look, play: ScatPlay) -> Iterator[Move[ScatMat]]:
        """Offer what may be done in a turn, and what changes the table and means nothing."""
        if play.phase is Phase.PLAY and play.turn is not None:
            yield from self._words(at, look, play)
            if play.options.table in exchanges.TABLES and at.mat.turns < MOST_TURNS:
                free, price = self.middle_cards(at, look), self._turn_price(at, look)
                yield from exchanges.moves(at, look, play, free, price)
            if play.options.has_discard:
                yield from self._turn(at, look, play, play.turn)
        elif play.options.has_discard:
            yield from self._taken_back(at, look, play)
        yield from self._named(at, look, play)
        yield from self._read_otherwise(at, look, play)
        if play.options.table in exchanges.TABLES:
            yield from exchanges.reread(at, look, play, self.middle_cards(at, look))
        yield from self._from_elsewhere(at, look, play)
        yield from self._disturbed(at, look, play)

    # Before the first turn

    def _cuts(self, at: At, look: Look) -> Iterator[Move[ScatMat]]:
        """Offer the cards cut for the deal (rule G-2)."""
        for seat in at.state.round.to_cut:
            for card in self.cards_cut(at, look, seat)[:1]:
                if card.card is not None:
                    spent = at.mat.spent | {card.number}
                    left = tuple(was for was in at.mat.left if was.number != card.number)
                    yield Move(
                        (Cut(seat, card.card),),
                        replace(at.mat, spent=spent, left=left),
                        about=frozenset({card.number}),
                    )

    def cards_cut(self, at: At, look: Look, seat: int) -> list[LyingCard]:
        """Return the open cards at the place of somebody who has still to cut."""
        spent = at.mat.spent - laid_anew(at.mat, look)
        return [card for card in look.at_seat(seat) if card.is_up and card.number not in spent]

    def _gathered(self, at: At, look: Look, play: ScatPlay) -> Iterator[Move[ScatMat]]:
        """Offer that what was left over was gathered, and dealt where it lies now."""
        seats = {hand.seat for hand in play.hands}

        def may_be_dealt(card: LyingCard) -> bool:
            return card.seat in seats and not card.is_up

        yield from gathered(at.mat, look, at.state.dealer, may_be_dealt)

    def undealt(self, at: At, look: Look, seat: int) -> list[LyingCard]:
        """Return the cards at a place that were not yet counted as dealt."""
        known = at.mat.spent | at.mat.dealt
        new = [card for card in look.at_seat(seat) if card.number not in known]
        play = play_of(at.state)
        if not look.blind or at.mat.dealt or play is None:
            return new
        return new[len(play.hand(seat).cards) :]  # nobody saw which of them are dealt

    def _deals(self, at: At, look: Look, play: ScatPlay) -> Iterator[Move[ScatMat]]:
        """Offer the next card of the deal, or, once it is over, the rest that nobody saw."""
        seat = seat_due(play)
        if due_piles(play):
            yield from self._middle_dealt(at, look, play)
        elif seat is not None:
            cards = self.undealt(at, look, seat)
            card = next((c for c in cards if not c.is_up or c.card is not None), None)
            if card is not None:
                event = Deal(seat, card.card, Facing.UP if card.is_up else Facing.DOWN)
                after = replace(at.mat, dealt=at.mat.dealt | {card.number})
                yield Move((event,), after, about=frozenset({card.number}))
        for said in self._words_of_all(at):
            rest = rest_of_deal(at.state)
            yield Move(rest, self._all_dealt(at, look), (Assumption.DEALT_UNSEEN,), said)
        early = self.after_the_deal(at, look, play)
        if early:
            yield Move(
                rest_of_deal(at.state),
                self._all_dealt(at, look),
                (Assumption.DEALT_UNSEEN,),
                about=frozenset(card.number for card in early),
            )

    def _middle_dealt(self, at: At, look: Look, play: ScatPlay) -> Iterator[Move[ScatMat]]:
        """Offer the next card of those between the players, or of the dealer's second hand."""
        due = due_piles(play)
        dealers = self.undealt(at, look, play.dealer) if Pile.SECOND in due else []
        known = {place.card for _, laid in play.piles for place in laid if place.card}
        lying = self.middle_cards(at, look)
        free = [c for c in lying if c.number not in at.mat.dealt and c.card not in known]
        moved = exchanges.laid_right(at.mat.ties, look, free)
        if moved is not None:
            ties, number = moved
            yield Move((), replace(at.mat, dealt=at.mat.dealt | {number}, ties=ties))
            return
        for pile in due:
            event, card = exchanges.deal_to(pile, dealers, free)
            if event is not None and card is not None:
                ties = exchanges.laid(at.mat.ties, pile, play, card)
                after = replace(at.mat, dealt=at.mat.dealt | {card.number}, ties=ties)
                yield Move((event,), after, about=frozenset({card.number}))
                return

    def _words_of_all(self, at: At) -> Iterator[Said]:
        """Yield the presses by which the dealer says that all have their cards."""
        for _, said in at.said:
            press = said.press
            if press is not None and press.button is Button.HAVE and press.seat is None:
                yield said

    def after_the_deal(self, at: At, look: Look, play: ScatPlay) -> list[LyingCard]:
        """Return open cards that lie where one may lie only once all are dealt."""
        due = due_piles(play)
        early = self.on_discard(at, look) if play.options.has_discard else []
        if Pile.TABLE not in due and play.options.table in ("bus", "switch"):
            kept = {place.card for place in play.pile("A")}
            early += [
                card
                for card in self.middle_cards(at, look)
                if card.is_up and card.number not in at.mat.dealt and card.card not in kept
            ]
        return early

    def _all_dealt(self, at: At, look: Look) -> ScatMat:
        return replace(at.mat, dealt=at.mat.dealt | _backs(look))

    def _turn_up(self, at: At, look: Look) -> Iterator[Move[ScatMat]]:
        """Offer the first card of the discard (rule SC-3)."""
        was = at.mat.unnamed
        for card in self.on_discard(at, look)[:1]:
            if was is not None and was.candidates and card.number != was.number:
                for named in was.candidates:  # it was taken, or covered, before it had its name
                    yield self._turned(at, look, was, named, (Assumption.CANDIDATE,))
            elif card.card is not None:
                yield self._turned(at, look, card, card.card)

    def _turned(
        self,
        at: At,
        look: Look,
        card: LyingCard,
        named: Card,
        assumed: tuple[Assumption, ...] = (),
    ) -> Move[ScatMat]:
        stock = self._stock_card(at, look)
        loose = _places(back for back in _backs_of(look) if back is not stock)
        after = replace(at.mat, pile=(spot_of(card),), stock=None, loose=loose, unnamed=None)
        return Move((TurnUp(named),), after, assumed, about=frozenset({card.number}))

    # Words

    def _words(self, at: At, look: Look, play: ScatPlay) -> Iterator[Move[ScatMat]]:
        """Offer what was pressed, and knocks and stands that nobody said."""
        assert play.turn is not None
        turn = play.turn
        for number, said in at.said:
            press = said.press
            if press is None:
                continue
            usual = turn if play.stopper is None or press.button is Button.HAVE else play.stopper
            seat = usual if press.seat is None else press.seat
            if press.button is Button.STICK:
                yield from self._stick(at, look, play, number, said, seat)
            elif press.button is Button.HAVE and play.options.has_discard:
                yield Move((Draw(seat, Source.STOCK),), replace(at.mat, drew=True), said=said)
        if play.drawn is None and self._is_puzzling(at, look, play):
            yield from self._unsaid(at, look, play, turn)

    def _stick(
        self, at: At, look: Look, play: ScatPlay, number: int, said: Said, seat: int
    ) -> Iterator[Move[ScatMat]]:
        """Offer what STICK may mean, pressed at look *number*: a knock or a stand of *seat*."""
        press, turn = said.press, play.turn
        assert press is not None
        assert turn is not None
        # Of hands in a look in which things moved some came after the word.
        at_rest = press.seat is None and not press.moving
        idle = at_rest and seat in (at.hands or ())
        assumed = (Assumption.IDLE_HAND,) if idle else ()
        if any(each < number and _is_stick(other) for each, other in at.said):
            assumed = (*assumed, Assumption.NO_EFFECT)  # whoever pressed before it, knocked
        yield Move((Knock(seat),), _passed(at.mat), assumed, said=said)
        if seat == turn:
            yield Move((Stand(seat),), _passed(at.mat), said=said)
        if _was_silent(at, seat):
            yield Move((), at.mat, said=said)
        elif press.seat is None and _was_silent(at, play.knocker):
            yield Move((), at.mat, (Assumption.LATE_WORD,), said)
        if play.options.has_discard and self.fit(at, look).next is None:
            drawn = () if play.drawn else (Draw(turn, Source.STOCK),)
            yield from self._taken_unseen(at, turn, drawn, hand=turn, said=said)

    def _unsaid(self, at: At, look: Look, play: ScatPlay, turn: int) -> Iterator[Move[ScatMat]]:
        """Offer a knock or a stand that nobody said; it is needed by what follows."""
        open_hand = len(self.hand_shown(at, look, turn)) == HAND
        if play.knocker is not None or play.options.table == "bus":
            stood: tuple[Assumption, ...] = () if open_hand else (Assumption.SILENT_STAND,)
            if play.knocker is None or at.hands is None:
                # Nothing tells of it: no hand of the next player, and no last turn (SB-8).
                stood = (*stood, *stood)
            yield Move((Stand(turn),), _passed(at.mat), stood, leaves_trace=open_hand)
        if play.knocker is None:
            assumed = (Assumption.SILENT_KNOCK,)
            yield Move((Knock(turn),), _passed(at.mat), assumed, leaves_trace=False)

    def _is_puzzling(self, at: At, look: Look, play: ScatPlay) -> bool:
        """Return whether something is left to be explained."""
        if at.said or any(self._hands_open(at, look, play)):
            return True
        if play.options.table in exchanges.TABLES:
            ties = exchanges.tie(at.mat.ties, play, self.middle_cards(at, look))
            if exchanges.is_open(ties, look, play):
                return True
        return play.options.has_discard and not self.fit(at, look).fits

    # Draws and discards

    def _turn(self, at: At, look: Look, play: ScatPlay, turn: int) -> Iterator[Move[ScatMat]]:
        """Offer what the player whose turn it is may have done at the pile (SC-4 to SC-18)."""
        fit = self.fit(at, look)
        if fit.named is not None:
            if not fit.is_another(at.mat.pile, at.hands):
                return  # first it gets its name
            fit = replace(fit, new=(fit.named[1],), named=None)
        new = fit.next
        gone = _is_top_gone(play, fit)
        if play.drawn is not None:
            yield from self._answers(at, look, play, turn, fit, new, gone)
            return
        if at.mat.turns < MOST_TURNS:
            yield from self._whole_turn(at, look, play, turn, fit, gone)
        yield from self._taken_back(at, look, play)

    def _taken_back(self, at: At, look: Look, play: ScatPlay) -> Iterator[Move[ScatMat]]:
        """Offer that the last discard was taken back by its player, and maybe another one laid."""
        fit, number = self.fit(at, look), _last_discard(at)
        if play.last is None or number is None or not _is_top_gone(play, fit):
            return
        lower, word = _without_top(at.mat), (Assumption.TAKEN_BACK,)
        if number == len(at.events) - 1:
            yield Move((Undo(),), lower, word, hand=play.last)
        if fit.next is not None:
            other = replace(_turn_over(lower), pile=(*lower.pile, spot_of(fit.next)))
            insert = (number, 1, (Discard(play.last, fit.next.card),))
            yield Move((), other, word, hand=play.last, insert=insert)

    def _whole_turn(
        self, at: At, look: Look, play: ScatPlay, turn: int, fit: PileFit, gone: bool
    ) -> Iterator[Move[ScatMat]]:
        """Offer how a turn may have begun, and ended where a new card lies there."""
        new = fit.next
        more = self._turn_price(at, look)
        if new is not None:
            more = (*more, *_by_earlier_hand(at, look, turn))
            covered = bool(play.discards) and may_cover(new, at.mat.pile[-1]) and gone
            source = (Assumption.SOURCE,) if covered else ()
            assumed = (*more, *source, *self._not_over_stock(at, look))
            drawn = replace(at.mat, drew=True)
            yield self._lay(turn, drawn, Source.STOCK, new, assumed)
            draw = (Draw(turn, Source.STOCK),)
            yield from self._two_laid(at, look, turn, fit, drawn, draw)
        if gone:
            lower = _without_top(at.mat)
            if new is None:
                yield Move((Draw(turn, Source.DISCARD),), lower, more, hand=turn)
            for card in self._looks_like_lower(at, look) if new is None else [new]:
                source = (Assumption.SOURCE,) if may_cover(card, at.mat.pile[-1]) else ()
                alike = (Assumption.CANDIDATE,) if new is None else ()
                assumed = (*more, Assumption.ONE_MOTION, *source, *alike)
                yield self._lay(turn, lower, Source.DISCARD, card, assumed)
        yield from self._unseen(at, look, turn, gone, more)
        if new is not None and at.hands and {turn, None} & {*at.hands} and play.stock:
            stock = (Draw(turn, Source.STOCK),)
            late = _by_earlier_hand(at, look, turn)
            yield from self._taken_unseen(at, turn, stock, late, hand=turn)
        if new is None and self._stock_moved(at, look) and not at.mat.drew:
            yield Move((Draw(turn, Source.STOCK),), replace(at.mat, drew=True), hand=turn)

    def _looks_like_lower(self, at: At, look: Look) -> Iterator[LyingCard]:
        """Yield the card on top that is not read and may be what had lain there, or another one."""
        lying = self.on_discard(at, look)
        if lying and lying[-1].card is None and len(lying[-1].candidates) > 1:
            yield lying[-1]

    def _named(self, at: At, look: Look, play: ScatPlay) -> Iterator[Move[ScatMat]]:
        """Offer the name of a discard that nobody had read (rule SC-28)."""
        fit = self.fit(at, look)
        card = fit.new[0] if fit.new else None
        old = play.discards[: at.mat.rested]
        unseen = (place for place, thrown in enumerate(old) if thrown.card is None)
        found = [(place, card) for place in unseen if at.mat.pile[place] is None]
        doubt: tuple[Assumption, ...] = ()
        if fit.named is not None:
            found = [fit.named]
            doubt = (Assumption.CANDIDATE,) if fit.is_another(at.mat.pile, at.hands) else ()
        for place, face in found:
            number = discard_at(at.events, place)
            if face is None or face.card is None or number is None:
                continue
            laid = at.events[number]
            assert isinstance(laid, Discard)
            if face is card and card.card in {*play.seen(but=laid.seat)}:
                continue
            spots = (*at.mat.pile[:place], spot_of(face), *at.mat.pile[place + 1 :])
            yield Move(
                (),
                replace(at.mat, pile=spots),
                doubt,
                about=frozenset({face.number}),
                reread=(number, replace(laid, card=face.card)),
            )

    def _read_otherwise(self, at: At, look: Look, play: ScatPlay) -> Iterator[Move[ScatMat]]:
        """Offer that the top of the discard, which nobody has touched, had been read wrongly."""
        fit, top = self.fit(at, look), len(play.discards) - 1
        if look.hands != () or look.blind or len(fit.new) != 1 or top < 0:
            return
        number = discard_at(at.events, top)
        laid = None if number is None else at.events[number]
        face, spot = fit.new[0], at.mat.pile[top]
        if number is None or not isinstance(laid, Discard):
            return
        if spot is not None and math.dist(spot.at, face.centre) <= PUT_BACK_MM:
            yield Move(
                (),
                replace(at.mat, pile=(*at.mat.pile[:top], spot_of(face))),
                (Assumption.FACE_MISREAD,),
                about=frozenset({face.number}),
                reread=(number, replace(laid, card=face.card)),
            )

    def _from_elsewhere(self, at: At, look: Look, play: ScatPlay) -> Iterator[Move[ScatMat]]:
        """Offer that a card whose place was covered had been drawn from elsewhere after all."""
        options = play.options
        if not options.has_discard or options.decks > 1:
            return
        if self.fit(at, look).fits and not self._is_elsewhere(at, look, play):
            return
        pile: list[Card | None] = []
        suspects = self.suspects(at, look)
        for number, event in enumerate(at.events):
            top = pile[-1] if pile else None
            if isinstance(event, TurnUp | Discard):
                if isinstance(event, Discard) and event.card in suspects:
                    yield from self._own_again(at, look, play, number, len(pile))
                pile.append(event.card)
            elif isinstance(event, Draw):
                if event.source is Source.DISCARD:
                    pile.pop()
                marks = at.marks[number].split(",")
                hidden = Assumption.SOURCE in marks
                seen = event.source is Source.DISCARD and Assumption.ONE_MOTION not in marks
                if top in suspects and (hidden or not seen):
                    yield from self._other_source(at, play, number, top, was_hidden=hidden)

    def _own_again(
        self, at: At, look: Look, play: ScatPlay, number: int, place: int
    ) -> Iterator[Move[ScatMat]]:
        """Offer that a discard whose player shows it was taken back, and another laid unseen.

        It is the one that they are known to hold and do not show, if there is one.
        """
        laid = at.events[number]
        assert isinstance(laid, Discard)
        lying = self.hand_shown(at, look, laid.seat)
        shown = [card.card for card in lying]
        lies = [thrown.card for thrown in play.discards][place : place + 1] == [laid.card]
        if laid.card not in shown or not lies or place >= len(at.mat.pile):
            return
        held = [card for card in play.hand(laid.seat).cards if card not in (None, *shown)]
        yield Move(
            (),
            replace(at.mat, pile=(*at.mat.pile[:place], None, *at.mat.pile[place + 1 :])),
            (Assumption.TAKEN_BACK, Assumption.UNSEEN_DISCARD),
            about=names_of(lying),
            insert=(number, 1, (Discard(laid.seat, next(iter(held), None)),)),
        )

    def _other_source(
        self, at: At, play: ScatPlay, number: int, top: Card | None, *, was_hidden: bool
    ) -> Iterator[Move[ScatMat]]:
        """Offer the draw that is event *number*, when *top* lay on the pile, from elsewhere.

        Where it was not hidden from where, the stock was touched, and *top* taken after that; or
        another card lies on *top* that leaves much of it bare.
        """
        event, mat = at.events[number], at.mat
        assert isinstance(event, Draw)
        taken = event.source is Source.STOCK
        source = Source.DISCARD if taken else Source.STOCK
        events = (*at.events[:number], Draw(event.seat, source), *at.events[number + 1 :])
        before, after = [thrown.card for thrown in play.discards], pile_after(events)
        longer, shorter = (before, after) if taken else (after, before)
        if after is None or longer is None or shorter is None or top not in longer:
            return
        place = longer.index(top)
        if [*longer[:place], *longer[place + 1 :]] != shorter:
            return
        spots = mat.pile
        if taken:
            if any(card == top and since > number + (not was_hidden) for card, since in mat.seen):
                return  # it was seen lying there after that draw
            spots = (*spots[:place], *spots[place + 1 :])
        else:
            spots = (*spots[:place], None, *spots[place:])
        rested = mat.rested + (place < mat.rested) * (-1 if taken else 1)
        word = (Assumption.ONE_MOTION, Assumption.SOURCE) if taken else (Assumption.SOURCE,)
        if not was_hidden:
            word = (Assumption.STOCK_MOVED if taken else Assumption.CARD_HIDDEN,)
        yield Move(
            (),
            replace(mat, pile=spots, rested=rested),
            word,
            insert=(number, 1, (Draw(event.seat, source),)),
        )

    def _lay(
        self,
        turn: int,
        mat: ScatMat,
        source: Source,
        card: LyingCard,
        assumed: tuple[Assumption, ...],
    ) -> Move[ScatMat]:
        """Return a whole turn: a card drawn, and one laid on the pile."""
        after = replace(_turn_over(mat), pile=(*mat.pile, spot_of(card)))
        events = (Draw(turn, source), Discard(turn, card.card))
        return Move(events, after, assumed, hand=turn, about=frozenset({card.number}))

    def _answers(
        self,
        at: At,
        look: Look,
        play: ScatPlay,
        turn: int,
        fit: PileFit,
        new: LyingCard | None,
        gone: bool,
    ) -> Iterator[Move[ScatMat]]:
        """Offer what may follow a draw: a discard, or that the card was put back."""
        mat = at.mat
        yield from self._two_laid(at, look, turn, fit, mat)
        drew_before = bool(at.ends) and at.ends[-1][1] == len(at.state.log)
        by_two = not drew_before or mat.others or exchanges.may_be_two(at, look)
        if new is not None and by_two and (at.hands is None or turn not in at.hands):
            yield from self._taken_unseen(at, turn, ())
        if new is not None:
            after = replace(_turn_over(mat), pile=(*mat.pile, spot_of(new)))
            about, late = frozenset({new.number}), _by_earlier_hand(at, look, turn)
            yield Move((Discard(turn, new.card),), after, late, hand=turn, about=about)
        for card in self._looks_like_lower(at, look) if new is None and at.hands else ():
            after = replace(_turn_over(mat), pile=(*mat.pile, spot_of(card)))
            about = frozenset({card.number})
            assumed = (Assumption.CANDIDATE,)
            yield Move((Discard(turn, None),), after, assumed, hand=turn, about=about)
        if new is not None or gone:
            after = replace(_turn_over(mat), pile=(*mat.pile, None))
            yield Move((Discard(turn, None),), after, (Assumption.UNSEEN_DISCARD,), hand=turn)
        taken = play.hand(turn).cards[-1]
        drew_last = isinstance(at.state.log[-1], Draw)  # else UNDO takes back something else
        if (
            play.drawn is Source.DISCARD
            and drew_last
            and new is not None
            and taken in (new.card, *new.candidates)
        ):
            after = replace(mat, pile=(*mat.pile, spot_of(new)))
            yield Move((Undo(),), after, (Assumption.PUT_BACK,), hand=turn)
        over = at.mat.over | look.over
        stock_too = fit.gone or "stock" in over
        if play.drawn is Source.DISCARD and drew_last and new is not None and stock_too:
            # It was put back, and another one drawn, before any look.
            after = replace(_turn_over(mat), pile=(*mat.pile, None, spot_of(new)), drew=True)
            again = (Undo(), Draw(turn, Source.STOCK), Discard(turn, new.card))
            yield Move(again, after, (Assumption.PUT_BACK,), hand=turn)
        if play.drawn is Source.STOCK and gone and drew_last:
            # HAVE was pressed, or the stock was touched; the card came from the pile.
            lower = _without_top(mat)
            events = (Undo(), Draw(turn, Source.DISCARD))
            yield Move(events, lower, (Assumption.STOCK_MOVED,), hand=turn)

    def _taken_unseen(
        self,
        at: At,
        turn: int,
        drawn: tuple[Event, ...],
        assumed: tuple[Assumption, ...] = (),
        hand: int | None = None,
        said: Said | None = None,
    ) -> Iterator[Move[ScatMat]]:
        """Offer a discard that the next player took before any look: the pile lies as before.

        Where *said* is given the next one knocked, and the one after them took it.
        """
        laid: tuple[Event, ...] = (*drawn, Discard(turn, None))
        state = state_after(at.state, *laid)
        play = None if state is None else play_of(state)
        if said is not None and said.press is not None and play is not None:
            knocker = play.turn if said.press.seat is None else said.press.seat
            laid = (*laid, *(() if knocker is None else (Knock(knocker),)))
            state = state_after(at.state, *laid)
            play = None if state is None else play_of(state)
        if play is None or play.phase is not Phase.PLAY or play.turn is None:
            return
        if at.hands is None or {play.turn, None} & {*at.hands}:
            mat = replace(_turn_over(at.mat), drew=at.mat.drew or bool(drawn))
            events = (*laid, Draw(play.turn, Source.DISCARD))
            word = (*assumed, Assumption.UNSEEN_DISCARD)
            if at.hands is None:
                word = (*word, Assumption.UNSEEN_TURN)
            yield Move(events, mat, word, said, hand, leaves_trace=said is not None)

    def _two_laid(
        self,
        at: At,
        look: Look,
        turn: int,
        fit: PileFit,
        mat: ScatMat,
        drawn: tuple[Event, ...] = (),
    ) -> Iterator[Move[ScatMat]]:
        """Offer that two cards were laid at once, and that one of them lies there for nothing."""
        if len(fit.new) == 2 and not mat.extra:
            extra = names_of(fit.new)
            two = replace(mat, extra=extra, over=frozenset())
            # Where nobody tells hands apart two turns are much likelier.
            word = (Assumption.TWO_LAID,) * (3 if at.hands is None else 1)
            yield Move(drawn, two, word, hand=turn, about=extra)
        if self.two_lie(at, look):
            lying = [card for card in self.on_discard(at, look) if card.number in mat.extra]
            later = self.on_discard(at, look)[-1].number not in mat.extra
            for card, other in (lying, reversed(lying)) if later else ():
                one = _turn_over(replace(mat, spent=mat.spent | {other.number}, extra=frozenset()))
                one = replace(one, pile=(*mat.pile, spot_of(card)))
                yield Move((Discard(turn, card.card),), one, (Assumption.TWO_LAID,))

    def _unseen(
        self,
        at: At,
        look: Look,
        turn: int,
        gone: bool,
        more: tuple[Assumption, ...],
    ) -> Iterator[Move[ScatMat]]:
        """Offer a turn whose discard no look shows: another lies on it, or it was taken (SC-28)."""
        if self.fit(at, look).next is None and not gone:
            return
        if not exchanges.may_be_two(at, look):
            return  # one hand alone cannot have laid a card that another one covered
        mat = at.mat
        assumed = (*more, Assumption.UNSEEN_DISCARD)
        after = replace(_turn_over(mat), pile=(*mat.pile, None), drew=True)
        events: tuple[Event, ...] = (Draw(turn, Source.STOCK), Discard(turn, None))
        source = (Assumption.SOURCE,) if gone else ()
        yield Move(events, after, (*assumed, *source), hand=turn)
        if gone:
            lower = _without_top(mat)
            after = replace(_turn_over(lower), pile=(*lower.pile, None))
            events = (Draw(turn, Source.DISCARD), Discard(turn, None))
            word = (Assumption.ONE_MOTION, Assumption.SOURCE)
            yield Move(events, after, (*assumed, *word), hand=turn)

    def _turn_price(self, at: At, look: Look) -> tuple[Assumption, ...]:
        """Return what it costs that several turns were finished between two looks."""
        if not at.mat.turns or look.blind or at.hands is not None:
            return ()  # where hands are told apart, the search asks for each of them
        return (Assumption.UNSEEN_TURN,) if at.mat.turns == 1 else (Assumption.MANY_TURNS,)

    def _not_over_stock(self, at: At, look: Look) -> tuple[Assumption, ...]:
        """Return what it costs that no hand was seen over the stock, where that is told."""
        over = at.mat.over | look.over
        return (Assumption.OTHER_HAND,) if over and "stock" not in over else ()

    def _disturbed(self, at: At, look: Look, play: ScatPlay) -> Iterator[Move[ScatMat]]:
        """Offer what changes the pile or the stock and means nothing in the game."""
        fit = self.fit(at, look)
        touched = len(fit.moved) + len(fit.gone)
        if touched and fit.top_shows and fit.next is None:
            if touched > 1:
                word = Assumption.SQUARED
            elif fit.gone:
                word = Assumption.CARD_HIDDEN
            elif fit.moved == (len(play.discards) - 1,):
                word = Assumption.PUT_BACK
            else:
                word = Assumption.SQUARED
            spots = fit.spots(at.mat.pile, anew=True)
            yield Move((), replace(at.mat, pile=spots), (word,))
        if fit.gone == (0,) and len(at.mat.pile) == 1 and not fit.new:
            unseen = replace(at.mat, pile=(None,), unseen=True)
            yield Move((), unseen, (Assumption.CARD_HIDDEN,))
        top, unread = next(reversed(at.mat.pile), None), fit.unread
        if top is not None and unread is not None and not fit.new and top.number == unread.number:
            # The top that nobody has read was pushed, and no other one lies on it.
            spots = (*fit.spots(at.mat.pile, anew=True)[:-1], spot_of(unread))
            yield Move((), replace(at.mat, pile=spots), (Assumption.SQUARED,))
        if fit.fits and self._stock_differs(at, look) and play.stock > 0:
            back = self._stock(at, look)
            word = Assumption.STOCK_GONE if back is None else Assumption.STOCK_MOVED
            yield Move((), replace(at.mat, stock=back), (word,))

    def waits_in_vain(self, at: At, look: Look, *, best: bool) -> bool:
        """Return whether all but one lie open, and should or are not explained.

        That one may have thrown in.
        """
        play = play_of(at.state)
        if not best or play is None or play.phase not in (Phase.PLAY, Phase.SHOWDOWN):
            return False
        all_but_one = len({*play.holding} - self._seats_open(at, look, play)) == 1
        return all_but_one and (play.phase is Phase.SHOWDOWN or self.at_rest(at, look) is None)

    def lost_track(self, at: At, look: Look) -> Iterator[Move[ScatMat]]:
        """Offer that nobody knows what was drawn and laid: all hands lie open, and decide.

        What was said stays, and so does who is out. A knock that had no place in what was believed
        may have come after some more turns, and one that had may have been another's.
        """
        play = play_of(at.state)
        if play is None or not self._may_be_lost(at, look, play):
            return
        lying = self._seats_open(at, look, play)
        hidden = {*play.holding} - lying
        word: tuple[Assumption, ...] = (Assumption.LOST_TRACK,)
        outs: list[tuple[Event, ...]] = [()]
        if len(hidden) == 1 and look.hands == () and not self.hand_shown(at, look, *hidden):
            out: tuple[Event, ...] = tuple(Declare(seat, Claim.OUT) for seat in hidden)
            waits = all(self._lies_as_dealt(at, look, play.hand(seat)) for seat in hidden)
            outs, word = [out, ()] if waits else [out], (*word, Assumption.THROWN_IN)
        elif hidden and not self._calls(at, look, play):
            return
        first = next((n for n, event in enumerate(at.events) if isinstance(event, TurnUp)), None)
        if first is None:
            return
        past = list(zip(at.events[first + 1 :], at.marks[first + 1 :], strict=True))
        in_vain = [
            event
            for event, mark in past
            if Assumption.THROWN_IN in mark.split(",") and getattr(event, "seat", 0) in lying
        ]
        kept = (event for event, _ in past if event not in in_vain)
        told = tuple(event for event in kept if not isinstance(event, Reveal))  # shown again
        begun = replace(at.state, log=at.events[: first + 1])
        if in_vain:
            told = with_turns_of({getattr(event, "seat", None) for event in in_vain}, begun, told)
        hands = {seat: _faces(self.hand_shown(at, look, seat)) for seat in lying}
        mat = replace(at.mat, lost=True, pile=(), rested=0, extra=frozenset(), turns=0)
        mat = replace(mat, away=mat.away - lying)
        for known in up_to_knock(as_shown(begun, told, hands)):
            same = first + 1 + common((known, at.events[first + 1 :]))
            begun = replace(at.state, log=(*at.events[: first + 1], *known))
            insert = (same, len(at.events) - same, known[same - first - 1 :])
            for turns in unknown_turns(begun):
                for end in outs:  # who has the cards lying there may show them yet
                    yield Move((*turns, *end), mat, word, insert=insert)

    def _may_be_lost(self, at: At, look: Look, play: ScatPlay) -> bool:
        """Return whether what was believed of the pile may be given up."""
        options = play.options
        over = play.phase not in (Phase.PLAY, Phase.SHOWDOWN, Phase.DONE)
        if over or not options.has_discard or options.table != "none":
            return False
        # What was left when it was given up before may be contradicted by a hand shown since.
        is_new = not at.mat.lost or self._is_elsewhere(at, look, play)
        # Where a card is misread, what was seen of the pile is no less sure.
        return is_new and not _is_misread(look, options.decks)

    def _seats_open(self, at: At, look: Look, play: ScatPlay) -> set[int]:
        """Return who has laid a whole hand open, read or not."""
        return {h.seat for h in play.hands if len(self.hand_shown(at, look, h.seat)) == HAND}

    def _all_open(self, at: At, look: Look, play: ScatPlay) -> bool:
        """Return whether all who play have laid their hands open, and every card is read."""
        shown = {hand.seat for hand, _ in self._hands_open(at, look, play)}
        return play.options.has_discard and shown >= set(play.holding)

    def _calls(self, at: At, look: Look, play: ScatPlay) -> bool:
        """Return whether a 31 was laid open that ends the hand: nobody has knocked."""
        if not play.options.blitz or play.knocker is not None:
            return False
        if any(said.press is not None and said.press.button is Button.STICK for _, said in at.said):
            return False
        return any(play.value_of(cards) == 31 for _, cards in self._hands_open(at, look, play))

    def _last_words(self, at: At, play: ScatPlay) -> Iterator[Move[ScatMat]]:
        """Offer who knocked, and that the others have had their last turn: all hands lie open."""
        turn = play.turn
        if play.phase is not Phase.PLAY or turn is None:
            return
        if play.knocker is not None:
            yield Move((Stand(turn),), at.mat, (Assumption.HANDS_OPEN,))
            return
        for _, said in at.said:
            press = said.press
            if press is not None and press.button is Button.STICK and press.seat in (None, turn):
                yield Move((Knock(turn),), at.mat, said=said)
        yield Move((Knock(turn),), at.mat, (Assumption.SILENT_KNOCK,))

    # Hands laid open, hands thrown in

    def _hands_open(
        self, at: At, look: Look, play: ScatPlay
    ) -> Iterator[tuple[ScatHand, tuple[Card, ...]]]:
        """Yield the hands that lie open whole, every card read, and were not shown before.

        One that was known already may lie there as nothing but what was known.
        """
        if not any(card.is_up and card.seat is not None for card in look.cards):
            return
        for hand in play.hands:
            if hand.out or hand.shown:
                continue
            lying = self.hand_shown(at, look, hand.seat)
            cards = tuple(card.card for card in lying if card.card is not None)
            is_it = hand.has_unread or {*hand.cards} == {*cards}
            if is_it and len(lying) == len(cards) == HAND:
                yield hand, cards

    def _hands(self, at: At, look: Look, play: ScatPlay) -> Iterator[Move[ScatMat]]:
        """Offer hands laid open: calls of 31, hands shown, and last turns that are over."""
        if play.phase not in (Phase.PLAY, Phase.SHOWDOWN, Phase.DONE):
            return
        yield from self._shown_afar(at, look, play)
        shown = list(self._hands_open(at, look, play))
        for hand, cards in shown:
            seat = hand.seat
            about = frozenset(card.number for card in self.hand_shown(at, look, seat))
            call = Declare(seat, Claim.THIRTY_ONE, cards)
            # Where others lie open already, hands are shown: after a knock that nobody heard.
            first = len(shown) <= OPEN_BY_MISTAKE or play.phase is not Phase.PLAY
            made = play.options.blitz and play.value_of(cards) == 31
            fits = not play.options.has_discard or self.fit(at, look).fits
            if made and first and is_legal(at.state, call):
                assumed: tuple[Assumption, ...] = ()
                if play.phase is Phase.PLAY and not fits:
                    assumed = (Assumption.UNSEEN_DISCARD,)
                yield Move((call,), at.mat, assumed, about=about)
                return
            if play.phase is Phase.SHOWDOWN and seat in play.to_reveal():
                show = Reveal(seat, cards)
                fits = fits or not self._ends_by_inference(play, seat)
                if fits and is_legal(at.state, show):
                    yield Move((show,), at.mat, about=about)
                    return
        if play.phase is Phase.PLAY and play.turn is not None and not at.mat.lost:
            yield from self._shown_early(at, look, play, [hand.seat for hand, _ in shown])
        if play.phase is Phase.DONE:
            yield from self._shown_after(at, look, play)

    def _shown_afar(self, at: At, look: Look, play: ScatPlay) -> Iterator[Move[ScatMat]]:
        """Offer that somebody lays a hand open, but not at their own place.

        Whose arm was there is seen; what lies there is one row of a hand.
        """
        shown = {hand.seat for hand in play.hands if hand.shown}
        moved = {seat for seat in look.hands or () if seat is not None} & {*play.holding} - shown
        if not moved or not look.turned_up or not play.options.has_discard:
            return
        thrown = {each.card for each in play.discards}
        laid = look.turned_up - at.mat.spent - {number for number, _ in at.mat.afar}
        told = {card for hand in play.hands if hand.shown for card in hand.cards}
        free = [
            card
            for card in look.cards
            if card.number in laid and card.zone not in PILES and card.card not in told
        ]
        for row, seat in product(rows_of(free), moved):
            places, faces = {card.seat for card in row}, {card.card for card in row}
            astray = bool(places & {None, *shown}) or any(c.number in look.across for c in row)
            own = astray and not places & moved - {seat}
            if own and len(row) == HAND and not faces <= thrown:  # else the pile is spread out
                afar = (*at.mat.afar, *((card.number, seat) for card in row))
                yield Move((), replace(at.mat, afar=afar), about=names_of(row))

    def _ends_by_inference(self, play: ScatPlay, seat: int) -> bool:
        """Return whether only *seat* has still to show, and somebody's cards were only inferred.

        Such an end must not hide that the pile is not what was believed.
        """
        others = (h for h in play.hands if h.seat != seat and not h.out)
        return play.to_reveal() == (seat,) and not all(hand.shown for hand in others)

    def _shows_others(self, at: At, look: Look, play: ScatPlay) -> bool:
        """Return whether a hand that was only inferred lies open, and is another one."""
        for hand in play.hands:
            lying = self.hand_shown(at, look, hand.seat)
            cards = {card.card for card in lying}
            is_read = len(lying) == HAND and None not in cards
            if is_read and not hand.shown and not {*hand.cards} - {None} <= cards:
                return True
        return False

    def _shown_after(self, at: At, look: Look, play: ScatPlay) -> Iterator[Move[ScatMat]]:
        """Offer that all have laid their hands open after a call of 31: only that one need be.

        So they do where somebody had knocked unheard, and the 31 was only the first hand shown.
        """
        last = at.events[-1]
        called = isinstance(last, Declare) and last.what is Claim.THIRTY_ONE
        if called and not at.mat.all_shown and self._seats_open(at, look, play) >= {*play.holding}:
            yield Move((), replace(at.mat, all_shown=True), (Assumption.SHOWN_AFTER,))

    def _hands_wait(self, at: At, look: Look, play: ScatPlay) -> bool:
        """Return whether hands that lie open are still to be explained."""
        # What was shown too early counts once hands are to be shown.
        early = frozenset() if play.phase is Phase.SHOWDOWN else at.mat.early
        return any(
            move.events == () or not {-number for number in move.about} <= early
            for move in self._hands(at, look, play)
        )

    def _shown_early(
        self, at: At, look: Look, play: ScatPlay, shown: list[int]
    ) -> Iterator[Move[ScatMat]]:
        """Offer what hands laid open in play tell: the turns are over, or somebody was early."""
        turn = play.turn
        assert turn is not None
        event: Event
        if play.drawn is None and play.knocker is not None and turn in shown:
            fits = not play.options.has_discard or self.fit(at, look).fits
            word = Assumption.HANDS_OPEN if fits else Assumption.SILENT_STAND
            event = Stand(turn)
            about = names_of(self.hand_shown(at, look, turn))
            yield Move((event,), _passed(at.mat), (word,), about=about)
        elif (
            play.drawn is None
            and play.knocker is None
            and (turn in shown or set(shown) >= set(play.holding))
        ):
            yield Move((Knock(turn),), _passed(at.mat), (Assumption.SILENT_KNOCK,))
        for seat in shown:
            # What was too early in another's turn may mean something in one's own.
            own = seat == turn
            lying = frozenset(
                -card.number if own else card.number for card in self.hand_shown(at, look, seat)
            )
            if lying <= at.mat.early:
                continue
            if play.knocker is None or own:
                early: tuple[Assumption, ...] = (Assumption.SHOWN_EARLY,)
                if own and play.drawn is not None:
                    early = (*early, Assumption.HELD_BACK)  # the one that is still to be laid
            else:
                early = (Assumption.SILENT_STAND,) if seat in play.waiting else ()
            mat = replace(at.mat, early=at.mat.early | lying)
            yield Move((), mat, early, about=lying)

    def _thrown(self, at: At, look: Look, play: ScatPlay) -> list[LyingCard]:
        """Return the backs that nobody has explained."""
        mat, table = at.mat, play.options.table
        known = mat.spent | mat.dealt | _lying_still(mat, look)
        if table in exchanges.TABLES:
            ties = exchanges.tie(mat.ties, play, self.middle_cards(at, look))
            known |= {number for _, number, _ in ties}
        stock = self._stock_card(at, look)
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

    def _throws_in(self, at: At, look: Look, play: ScatPlay) -> Iterator[Move[ScatMat]]:
        """Offer the word that a player is out, and hands thrown into the middle (G-17, SC-27)."""
        for _, said in at.said:
            press = said.press
            if press is not None and press.button is Button.OUT:
                seat = play.turn if press.seat is None else press.seat
                if seat is not None:
                    yield Move((Declare(seat, Claim.OUT),), at.mat, said=said)
        if play.phase in (Phase.PLAY, Phase.SHOWDOWN):
            yield from self._shows_nothing(at, look, play)
            yield from self._backs_laid(at, look, play)

    def _sweeps(self, at: At, look: Look, play: ScatPlay) -> Iterator[Move[ScatMat]]:
        """Offer that the hands were gathered before the last was shown, or that one is out."""
        if not self._is_swept(at, look, play):
            return
        pile, left = names_of(self.on_discard(at, look)), play.to_reveal()
        swept = replace(at.mat, swept=True, spent=at.mat.spent | pile)
        # Where the pile still lies, the hands may have been taken up to be played on with.
        why = (Assumption.STRAY,) * bool(pile)
        yield Move((), swept, why)
        if len(left) == 1:
            yield Move((Declare(left[0], Claim.OUT),), swept, (*why, Assumption.THROWN_IN))

    def _still_laid(self, at: At, look: Look) -> Iterator[Move[ScatMat]]:
        """Offer that a card laid on the pile after the hands were gathered means nothing."""
        laid = names_of(self.on_discard(at, look))
        if at.mat.swept and at.mat.pile and laid:
            yield Move((), replace(at.mat, spent=at.mat.spent | laid), (Assumption.STRAY,))

    def _shows_nothing(self, at: At, look: Look, play: ScatPlay) -> Iterator[Move[ScatMat]]:
        """Offer that the one who does not show, when all others have shown, has thrown in."""
        left = play.to_reveal() if play.phase is Phase.SHOWDOWN else ()
        if play.phase is Phase.PLAY and play.knocker is not None:
            left = tuple({*play.holding} - self._seats_open(at, look, play))
        if len(left) == 1 and look.hands == () and not self.hand_shown(at, look, left[0]):
            gone = replace(at.mat, away=at.mat.away | {left[0]})
            yield Move((Declare(left[0], Claim.OUT),), gone, (Assumption.THROWN_IN,))

    def _backs_laid(self, at: At, look: Look, play: ScatPlay) -> Iterator[Move[ScatMat]]:
        """Offer whose the backs are that nobody has explained, and whether they are thrown in."""
        backs = self._thrown(at, look, play)
        if not backs:
            return
        thrown, lain = names_of(backs), dict(at.mat.loose)
        mat = replace(at.mat, loose=tuple(sorted({**lain, **dict(_places(backs))}.items())))
        laid = {card.seat if card.zone is ZoneKind.SEAT else None for card in backs}
        there, strewn = laid.pop() if len(laid) == 1 else None, is_strewn(backs)
        seen = () if None in (look.hands or ()) else look.hands or ()
        apart = (Assumption.STRAY,) * too_wide_for_one_throw(backs)
        for hand in play.hands:
            left = len(names_of(look.at_seat(hand.seat)) & mat.dealt)
            if hand.seat == there and 0 < left <= HAND - len(backs) and not play.discards[1:]:
                yield Move((), mat, about=thrown)  # of the hand dealt there, found again beside it
            if hand.seat == there:  # they may be laid down there, and still be held
                held = (Assumption.LAID_BACK_STREWN,) if strewn else ()
                if seen and there not in seen:
                    held = (*held, Assumption.STRAY)
                yield Move((), mat, held, hand=there, about=thrown)
            beside = hand.seat == there and left
            if hand.seat in mat.away or beside or self._lies_as_dealt(at, look, hand):
                continue
            after = replace(mat, away=mat.away | {hand.seat})
            if hand.out:
                yield Move((), after, hand=hand.seat)
                continue
            own = play.turn in (None, hand.seat)
            word = (Assumption.THROWN_IN, *apart, *(() if own else (Assumption.OUT_OF_TURN,)))
            word = (*word, *(Assumption.STRAY,) * left)  # nobody throws in one card of three
            by_own_hand = hand.seat in seen and there not in seen
            if there not in (None, hand.seat) and not strewn and not by_own_hand:
                word = (*word, Assumption.STRAY)
            yield Move((Declare(hand.seat, Claim.OUT),), after, word, hand=hand.seat, about=thrown)
        new = len(thrown - lain.keys())  # none: a sleeve may have pushed what lies there
        # A known hand laid down what it held; on the stock it may only have cut that.
        known = bool(seen) and new > 0 and all(card.zone is not ZoneKind.STOCK for card in backs)
        yield Move((), mat, (Assumption.STRAY,) * (1 + known + min(HAND, new)), about=thrown)

    def _lies_as_dealt(self, at: At, look: Look, hand: ScatHand) -> bool:
        """Return whether a hand lies where it was dealt: nothing else of it can be thrown in.

        A card that was drawn may lie beside it, face down.
        """
        lying = names_of(look.at_seat(hand.seat)) & at.mat.dealt
        return len(lying) >= min(HAND, len(hand.cards)) > 0

    # --- what histories have in common --------------------------------------------------------

    def key(self, at: At, watched: frozenset[Card]) -> Hashable:
        """Return what decides the future of a history."""
        play = play_of(at.state)
        if play is None:
            return self.frame(at.state)
        where = tuple(self.where(at, card) for card in sorted(watched))
        return (
            self.frame(at.state),
            self.money(at.state),
            play.top,
            min(play.stock, 2),
            play.piles,
            tuple(thrown.card is None for thrown in play.discards[-HAND:]),
            tuple(hand.has_unread for hand in play.hands),
            where,
            at.mat.afar,
        )

    def frame(self, state: State) -> Hashable:
        """Return who may do what next."""
        play = play_of(state)
        if play is None:
            return (state.phase, state.dealer, state.round.to_cut, state.round.misdeal)
        if play.phase is Phase.DONE:
            return (play.phase, state.dealer)
        hands = tuple(  # how many cards a player has who is out decides nothing
            (h.seat, 0 if h.out else len(h.cards), h.left, h.out, h.shown) for h in play.hands
        )
        return (
            play.phase,
            state.dealer,
            play.turn,
            hands,
            play.knocker,
            play.waiting,
            play.renewed,
            play.stopper,
        )

    def money(self, state: State) -> Hashable:
        """Return all that is paid or charged, and who deals next."""
        over = state.outcome
        if over is None:
            return None
        found = over.details
        lost = getattr(found, "lost", ()), getattr(found, "gained", ())
        return (over.end, over.winners, over.settlement, lost, over.standing, state.round.due)

    def suspects(self, at: At, look: Look) -> frozenset[Card]:
        """Return the cards that *look* shows elsewhere than *at* has them."""
        play = play_of(at.state)
        if play is None or play.phase not in (Phase.PLAY, Phase.SHOWDOWN, Phase.DONE):
            return frozenset()
        found: set[Card | None] = set()
        pile = [thrown.card for thrown in play.discards]
        if play.options.has_discard:
            lying = self.on_discard(at, look)
            shown = {card.card for card in lying}
            top = lying[-1].card if lying else None
            if not pile or top != pile[-1]:
                found |= {top} | (set(pile[-HAND:]) - shown)
            held = {card for hand in play.hands for card in hand.cards}
            found |= shown & held
        for hand in play.hands:
            cards = [card.card for card in self.hand_shown(at, look, hand.seat)]
            found |= set(cards) & set(pile)
            if len(cards) == HAND:
                found |= set(hand.cards) - set(cards)
            others = {c for other in play.hands if other is not hand for c in other.cards}
            found |= set(cards) & others
        return frozenset(card for card in found if card is not None)

    def where(self, at: At, card: Card) -> Hashable:
        """Return where a card is: in the pile, with a player, or nobody knows."""
        play = play_of(at.state)
        if play is None:
            return None
        if any(thrown.card == card for thrown in play.discards):
            return "pile"
        return next((hand.seat for hand in play.hands if card in hand.cards), None)

    def corrected(self, at: At, event: Event) -> ScatMat:
        """Return the mat after people corrected, left or threw in: it lies as it lay."""
        play = play_of(at.state)
        pile = at.mat.pile
        if play is not None and len(play.discards) != len(pile):
            pile = (*pile, *(None,) * len(play.discards))[: len(play.discards)]
        return replace(at.mat, pile=pile)


def rest_of_deal(state: State) -> tuple[Event, ...]:
    """Return the cards that are still to be dealt, as far as they need not be read."""
    events: list[Event] = []
    play = play_of(state)
    while play is not None and play.phase is Phase.DEAL:
        due, seat = due_piles(play), seat_due(play)
        event: Event
        if due and Pile.TABLE in due:
            break  # the open cards of Stop the bus must be read
        if due:
            event = DealTo(due[0], None, seat=play.dealer if due[0] is Pile.SECOND else None)
        elif seat is not None:
            event = Deal(seat, None)
        else:
            break
        events.append(event)
        state = apply(state, event)
        play = play_of(state)
    return tuple(events)


def _is_misread(look: Look, packs: int) -> bool:
    """Return whether a card lies there more often than there are packs (rule G-8)."""
    faces = Counter(card.card for card in look.cards if card.is_up and card.card is not None)
    return max(faces.values(), default=0) > packs


def _faces(cards: Iterable[LyingCard]) -> frozenset[Card]:
    return frozenset(card.card for card in cards if card.card is not None)


def _read_last(mat: ScatMat, fit: PileFit, now: int) -> tuple[tuple[Card, int], ...]:
    """Return when each card of the pile was read last; what is undone makes the past shorter."""
    since = {card: min(then, now) for card, then in mat.seen}
    return tuple(sorted((since | dict.fromkeys(fit.read(), now)).items()))


def _without_top(mat: ScatMat) -> ScatMat:
    pile = mat.pile[:-1]
    return replace(mat, pile=pile, rested=min(mat.rested, len(pile)))


def _passed(mat: ScatMat) -> ScatMat:
    """Return the mat after a turn in which no card was touched."""
    return replace(mat, over=frozenset())


def _turn_over(mat: ScatMat) -> ScatMat:
    return replace(mat, turns=mat.turns + 1, over=frozenset())


def pile_after(events: Iterable[Event]) -> list[Card | None] | None:
    """Return the cards of the pile after *events*; ``None`` where none is left to be taken."""
    pile: list[Card | None] = []
    for event in events:
        if isinstance(event, TurnUp | Discard):
            pile.append(event.card)
        elif isinstance(event, Draw) and event.source is Source.DISCARD:
            if not pile:
                return None
            pile.pop()
    return pile


def discard_at(events: Iterable[Event], place: int) -> int | None:
    """Return the number of the event that laid the card at *place* of the pile."""
    pile: list[int | None] = []
    for number, event in enumerate(events):
        if isinstance(event, TurnUp):
            pile.append(None)
        elif isinstance(event, Draw) and event.source is Source.DISCARD:
            pile.pop()
        elif isinstance(event, Discard):
            pile.append(number)
    return pile[place]


def _is_stick(said: Said) -> bool:
    return said.press is not None and said.press.button is Button.STICK


def _was_silent(at: At, seat: int | None) -> bool:
    """Return whether *seat* is taken to have knocked or stood without a word."""
    silent = {Assumption.SILENT_KNOCK, Assumption.SILENT_STAND, Assumption.HANDS_OPEN}
    return any(
        isinstance(event, Knock | Stand) and event.seat == seat and silent & {*mark.split(",")}
        for event, mark in zip(at.events, at.marks, strict=True)
    )


def _by_earlier_hand(at: At, look: Look, seat: int) -> tuple[Assumption, ...]:
    """Return what it costs that *seat* laid a card that only other hands can have laid since."""
    acting = look.acting
    if not acting or None in acting or seat in acting or seat not in (at.hands or ()):
        return ()  # where it was not seen at all, the search asks for it
    return (Assumption.OTHER_HAND,)


def _is_top_gone(play: ScatPlay, fit: PileFit) -> bool:
    """Return whether the top of the pile may have been taken: it does not show.

    One that shows cannot have been, but for a hand that took it and put it back.
    """
    return bool(play.discards) and len(play.discards) - 1 not in fit.shown and not fit.hidden


def _last_discard(at: At) -> int | None:
    """Return the number of the last event, but for hands that were shown, if it is a discard."""
    for number, event in reversed(list(enumerate(at.events))):
        if not isinstance(event, Reveal):
            return number if isinstance(event, Discard) else None
    return None


def _backs_of(look: Look) -> Iterator[LyingCard]:
    """Yield the cards that lie face down."""
    return (card for card in look.cards if not card.is_up)


def _backs(look: Look) -> frozenset[int]:
    """Return the numbers of the cards that lie face down."""
    return names_of(_backs_of(look))


def _lying_still(mat: ScatMat, look: Look) -> frozenset[int]:
    """Return the numbers of the loose backs that lie where they lay."""
    lain = dict(mat.loose)
    return names_of(
        card
        for card in look.cards
        if card.number in lain and math.dist(card.centre, lain[card.number]) <= TOUCHED_MM
    )


def _places(cards: Iterable[LyingCard]) -> tuple[tuple[int, Point], ...]:
    """Return the numbers of cards, each with where it lies."""
    return tuple(sorted((card.number, card.centre) for card in cards))


def names_of(cards: Iterable[LyingCard]) -> frozenset[int]:
    """Return the numbers of cards."""
    return frozenset(card.number for card in cards)
