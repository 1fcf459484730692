"""What people may have done at a game in which cards lie at the seats, or are held."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from device.croupier.assumptions import Assumption
from device.croupier.left_over import lying_over, with_cut
from device.croupier.looks import Look, numbers_of
from device.croupier.moves import Move
from device.croupier.open_cards import OpenCards
from device.croupier.seats import (
    dealing,
    miscounted,
    on_mat,
    showing,
    taken_up,
    thirds,
    throwing_in,
    turns,
)
from device.croupier.seats.lost import lost_track
from device.croupier.seats.mat import (
    SHORT_RESTS,
    UNKNOWN,
    At,
    SeatMat,
    numbers_in,
    play_of,
)
from device.ports import Button
from engine import State
from engine.core.cards import Card
from engine.core.events import Event
from engine.core.fast_replace import replace
from engine.core.views import Phase
from engine.table.state import payments_of
from vision.readings import ZoneKind


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
            hands = tuple((seat, (UNKNOWN,) * cards) for seat, cards in sorted(held.items()))
            mat = SeatMat(hands, open_cards=self._open_cards)
            for seat, cards in held.items():
                mat = mat.laid_back(seat, look.at_seat(seat)[:cards])
            return mat.seen(look)
        return SeatMat(spent=numbers_in(look), left=look.cards, open_cards=self._open_cards)

    def lost_track(self, at: At, look: Look) -> Iterator[Move[SeatMat]]:
        """Offer that nobody knows how many cards each was dealt: all hands lie open, and decide."""
        return lost_track(at, look)

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
        at = _at_the_deal(replace(at, mat=at.mat.sorted_out(look)), look)
        mat, play = at.mat, at.state.live_play
        if at.state.phase is Phase.CUT:
            due = [c for c in on_mat.cards_cut(at, look) if c.is_up and c.card is not None]
            return None if due else _lying_over(with_cut(mat, look, at.state.round), look)
        gathered = mat.gathered or _is_cleared(mat, look) or self._is_gathered(at, look)
        if play is None or (play.phase is Phase.DONE and gathered):
            return self._after_hand(at, look)
        if mat.swept and not any(showing.claims(at, look)):
            return None if showing.is_laid_anew(at, look) else self._rest_of_next(at, look)
        if self._is_busy(at, look) or self._speaks_against_the_end(at, look):
            return None
        if any(showing.claims(at, look)) or turns.all_show(at) or turns.turn_is_shown(at):
            return None
        open_moves = (
            miscounted.other_counts,
            throwing_in.unshown,
            showing.shown_asking,
            miscounted.in_vain,
        )
        if any(True for moves in open_moves for _ in moves(at, look)):
            return None
        if showing.is_turned_up(at, look):
            return None  # whoever shows a hand has not thrown it in
        shown = {hand.seat for hand in play.hands if hand.shown}
        open_cards = (card for card in look.cards if card.is_up)
        strayed = (card for card in open_cards if on_mat.is_of_another(mat, card))
        if any(mat.owner(card.number) not in shown for card in strayed):
            return None  # what lies open at a place is its player's
        if play.phase is Phase.DEAL:
            return None if any(dealing.gathers(at, look)) else _lying_over(mat, look)
        return replace(mat.seen(look), short=miscounted.short_hands(at, look))

    def _after_hand(self, at: At, look: Look) -> SeatMat | None:
        """Return the mat where all was gathered: what comes now is the next hand's.

        It is not where a hand that seemed over lies open.
        """
        is_over = at.state.live_play is not None
        if is_over and showing.is_laid_anew(at, look, thrown_in=True):
            return None
        return replace(at.mat.seen(look), gathered=is_over)

    def _is_gathered(self, at: At, look: Look) -> bool:
        """Return whether the hands that were shown at the end are gathered but for one card."""
        play = at.state.live_play
        if play is None or play.phase is not Phase.DONE:
            return False
        lying = [card for card in look.cards if card.zone is not ZoneKind.STOCK]
        shown = {n for hand in play.hands if hand.shown for n in at.mat.hand(hand.seat)}
        left = {card.number for card in lying}
        return len(lying) == 1 and left <= shown and len(shown) > on_mat.cards_dealt(at.state)

    def _rest_of_next(self, at: At, look: Look) -> SeatMat | None:
        """Return the mat where what lies there is the next hand's, though this one is not over."""
        due = any(True for _ in throwing_in.unshown(at, look))
        return None if due else replace(at.mat.seen(look), short=miscounted.short_hands(at, look))

    def _is_busy(self, at: At, look: Look) -> bool:
        """Return whether cards came, were thrown in, or swept, that *at* does not explain."""
        known = at.mat.exposed
        new = any(not c.is_up or c.number not in known for _, c in on_mat.new_cards(at, look))
        if play_of(at).phase is not Phase.DONE and (new or on_mat.thrown_at_rest(at, look)):
            return True
        return on_mat.is_swept(at, look)

    def _speaks_against_the_end(self, at: At, look: Look) -> bool:
        """Return whether hands lie open otherwise than they were shown, or play went on."""
        phase = play_of(at).phase
        if phase in (Phase.SHOWDOWN, Phase.DONE) and any(on_mat.more_shown(at, look)):
            return True
        if phase is not Phase.DONE:
            return False
        return bool(on_mat.dealt_after(at, look)) or any(showing.shown_after(at, look))

    def moves(self, at: At, look: Look) -> Iterator[Move[SeatMat]]:
        """Offer what may have happened next on the way to what *look* shows."""
        at = _at_the_deal(at, look)
        yield from _words(at, look)
        if at.state.phase is Phase.CUT:
            yield from dealing.cuts(at, look)
            return
        play = at.state.live_play
        if play is None or play.phase is Phase.DONE:
            yield from showing.claims(at, look)
            if play is not None:
                yield from showing.shown_after(at, look)
                yield from showing.shown_all_the_same(at, look)
                yield from showing.beside_shown(at, look)
                yield from showing.laid_otherwise(at, look)
                yield from miscounted.other_counts(at, look)
                yield from dealing.plays_on(at, look)
            return
        yield from dealing.never_lay(at, look)
        no_cards = list(dealing.lay_before(at, look))
        if play.phase is Phase.DEAL:
            yield from _in_the_deal(at, look, no_cards)
            return
        yield from taken_up.laid_back(at, look)
        yield from taken_up.laid_elsewhere(at, look)
        yield from thirds.opened_anew(at, look)
        yield from thirds.fell_open(at, look)
        if no_cards:
            yield from no_cards
            return
        if play.phase is Phase.PLAY and play.turn is not None:
            yield from turns.in_turn(at, look, play, play.turn)
        if not at.mat.swept:
            yield from throwing_in.throws_in(at, look)
            yield from throwing_in.laid_aside(at, look)
        yield from showing.claims(at, look)
        yield from showing.shown_astray(at, look)
        yield from showing.shown_afar(at, look)
        yield from miscounted.other_counts(at, look)
        yield from throwing_in.unshown(at, look)
        if on_mat.is_swept(at, look):
            swept = replace(at.mat, swept=True)
            short = miscounted.short_hands(replace(at, mat=swept), look)
            yield Move((), replace(swept, short=short))
        yield from showing.shown_asking(at, look)
        yield from showing.shown_all_the_same(at, look)
        yield from showing.beside_shown(at, look)
        yield from showing.laid_otherwise(at, look)
        yield from miscounted.in_vain(at, look)

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
        rest = (asked, mat.loose, mat.lying, *dropped, mat.away, mat.short, mat.plays_open)
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

    def traces(self, event: Event) -> frozenset[Assumption]:
        """Return nothing: what is taken back here lies there, or was a word."""
        return frozenset()

    def corrected(self, at: At, event: Event) -> SeatMat:
        """Return the mat after people corrected or left: it lies as it lay."""
        return at.mat


def _words(at: At, look: Look) -> Iterator[Move[SeatMat]]:
    """Offer what the presses may mean."""
    for _, said in at.said:
        if said.press is not None and said.press.button is Button.NEXT:
            yield from throwing_in.given_up(at, look, said)
        else:
            yield from turns.word(at, look, said)


def _in_the_deal(at: At, look: Look, no_cards: Sequence[Move[SeatMat]]) -> Iterator[Move[SeatMat]]:
    """Offer what may have happened next while cards are dealt."""
    # What lies there when the first picture comes was dealt before.
    lay_there = list(taken_up.laid_back(at, look)) if look.blind else []
    yield from dealing.gathers(at, look)
    yield from lay_there or no_cards or dealing.deals(at, look)
    yield from dealing.dealt_unseen(at, look)
    yield from thirds.dealt_under_the_third(at, look)
    yield from dealing.laid_back_in_the_deal(at, look)
    yield from dealing.dealt_elsewhere(at, look)


def _is_cleared(mat: SeatMat, look: Look) -> bool:
    """Return whether all that lay there but the stock was taken up."""
    return bool(mat.lying) and all(card.zone is ZoneKind.STOCK for card in look.cards)


def _at_the_deal(at: At, look: Look) -> At:
    """Return *at* where nothing of the cut counts as dealt, until the first card has been."""
    play = at.state.live_play
    if play is None or play.phase is not Phase.DEAL or any(hand.cards for hand in play.hands):
        return at
    mat = with_cut(at.mat, look, at.state.round)
    return at if mat is at.mat else replace(at, mat=mat)


def _lying_over(mat: SeatMat, look: Look) -> SeatMat:
    """Return the mat at rest where the cards gathered for the deal may be dealt again."""
    left = lying_over(mat.spent, look)
    return replace(mat.seen(look), spent=numbers_of(left), left=left)
