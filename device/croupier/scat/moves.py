"""What people may have done at a table of Thirty-one, and what a look must show after it.

Players hold their cards, so only what lies between them can be read. Where a card was drawn from
is told by the pile: a new card beside the old top came from the stock; where the old top is gone it
was taken; where the new card hides its place both may be.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from device.croupier.assumptions import Assumption
from device.croupier.left_over import lying_over, with_cut
from device.croupier.looks import Look, numbers_of
from device.croupier.moves import Move
from device.croupier.scat import (
    dealing,
    exchanges,
    knocking,
    lost,
    on_mat,
    retelling,
    showing,
    throwing_in,
    turns,
)
from device.croupier.scat.mat import (
    HAND,
    At,
    ScatMat,
    backs_of,
    numbers_of_backs,
    places_of,
    play_of,
)
from device.croupier.scat.pile import PileFit
from device.croupier.scat.turns import MOST_TURNS
from engine import State
from engine.core.cards import Card
from engine.core.events import Accept, Draw, Event, Restart, Source
from engine.core.fast_replace import replace
from engine.core.views import Phase
from engine.games.scat.play import ScatPlay
from engine.games.scat.turns import may_restart
from vision.readings import ZoneKind


class ScatMoves:
    """The moves of Thirty-one and its variants."""

    tells_end = False
    words_wait = True

    def start(self, state: State, look: Look) -> ScatMat:
        """Return what is believed when a hand begins, or goes on without its looks."""
        play = play_of(state)
        if not state.log:
            kept = () if play is None else tuple(place.card for place in play.pile("A"))
            old = (card for card in look.cards if card.card is None or card.card not in kept)
            spent = numbers_of(old)
            return ScatMat(spent=spent, left=lying_over(spent, look))
        pile = () if play is None else (None,) * len(play.discards)
        return ScatMat(dealt=numbers_of_backs(look), loose=places_of(backs_of(look)), pile=pile)

    def was_swept(self, at: At) -> bool:
        """Return whether the hands were gathered though some had still to be shown."""
        return at.mat.swept

    def at_rest(self, at: At, look: Look) -> ScatMat | None:
        """Return the mat with what lies now, where *at* explains it; else ``None``."""
        # What was taken up and comes back is a card of this hand.
        lying = numbers_of(look.cards)
        at = replace(at, mat=replace(at.mat, spent=at.mat.spent & lying))
        mat, phase = at.mat, at.state.phase
        if phase is Phase.CUT:
            due = any(dealing.cuts(at, look))
            return None if due else _after_cut(at, look)
        play = play_of(at.state)
        if play is None:
            return mat
        if phase is Phase.DEAL:
            due = any(dealing.gathers(at, look, play)) or any(dealing.deals(at, look, play))
            left = replace(mat, left=lying_over(mat.spent, look))
            return None if due else self._rested(replace(at, mat=left), look, play)
        shows = any(on_mat.hand_shown(at, look, seat) for seat in mat.away)
        over = phase is Phase.PLAY and (mat.lost or on_mat.all_open(at, look, play))
        waits = showing.hands_wait(at, look, play) or on_mat.is_swept(at, look, play)
        if phase is Phase.RESTART or shows or over or waits:
            return None  # whoever shows a hand has not thrown it in, and does not play on
        if phase is Phase.DONE or mat.swept:
            return self._rest_after(at, look, play)
        if phase is Phase.TURN_UP:
            unnamed = next(iter(on_mat.on_discard(at, look)), None)
            return None if any(dealing.turn_up(at, look)) else replace(mat, unnamed=unnamed)
        free = on_mat.middle_cards(at, look)
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
            return None if showing.shows_others(at, look, play) else mat
        if not look.in_zone(ZoneKind.DISCARD):
            mat = replace(mat, pile=())
        return None if mat.pile and on_mat.on_discard(at, look) else mat

    def _rested(self, at: At, look: Look, play: ScatPlay) -> ScatMat | None:
        """Return the mat with the pile and the stock as they lie now, where they fit."""
        mat = at.mat
        if play.phase in (Phase.PLAY, Phase.SHOWDOWN):
            fit = on_mat.fit(at, look)
            if (
                not fit.fits
                or on_mat.thrown_cards(at, look, play)
                or on_mat.is_elsewhere(at, look, play)
                or on_mat.stock_differs(at, look)
            ):
                return None
            if fit.hidden and mat.rested != len(mat.pile):
                return None  # the pile was changed, so it lies there
            extra = mat.extra if on_mat.two_lie(at, look) else frozenset()
            mat = replace(mat, pile=fit.spots(mat.pile), rested=len(mat.pile), extra=extra)
            mat = replace(mat, unseen=mat.unseen and fit.hidden)
            mat = replace(mat, seen=_read_last(mat, fit, len(at.events)))
        back = on_mat.stock_spot(at, look)
        going = play.drawn is not None or not mat.turns
        return replace(
            mat,
            stock=mat.stock if back is None else back,
            drew=play.drawn is Source.STOCK,
            over=mat.over | look.over if going else frozenset(),
            others=play.drawn is not None and (mat.others or at.hands not in (None, ())),
            turns=0,
        )

    def moves(self, at: At, look: Look) -> Iterator[Move[ScatMat]]:
        """Offer what may have happened next on the way to what *look* shows."""
        phase, play = at.state.phase, play_of(at.state)
        if phase is Phase.CUT:
            yield from dealing.cuts(at, look)
            return
        if play is None:
            return
        yield from showing.hands(at, look, play)
        yield from throwing_in.sweeps(at, look, play)
        if at.mat.lost or at.mat.swept:
            yield from knocking.last_words(at, play)
            yield from throwing_in.still_laid(at, look)
            return
        yield from throwing_in.throws_in(at, look, play)
        if phase is Phase.DEAL:
            yield from dealing.gathers(at, look, play)
            yield from dealing.deals(at, look, play)
        elif phase is Phase.TURN_UP:
            yield from dealing.turn_up(at, look)
        elif phase is Phase.CHOOSE:
            yield from exchanges.choices(at, play, on_mat.middle_cards(at, look))
        elif phase is Phase.RESTART:
            for seat in may_restart(play):
                yield Move((Restart(seat),), at.mat)
            yield Move((Accept(),), at.mat)
        elif phase in (Phase.PLAY, Phase.SHOWDOWN):
            yield from self._plays(at, look, play)

    def _plays(self, at: At, look: Look, play: ScatPlay) -> Iterator[Move[ScatMat]]:
        """Offer what may be done in a turn, and what changes the table and means nothing."""
        if play.phase is Phase.PLAY and play.turn is not None:
            yield from knocking.words(at, look, play)
            if play.options.table in exchanges.TABLES and at.mat.turns < MOST_TURNS:
                free, price = on_mat.middle_cards(at, look), turns.turn_price(at, look)
                yield from exchanges.moves(at, look, play, free, price)
            yield from knocking.withdrawn(at)
            if play.options.has_discard:
                yield from turns.in_turn(at, look, play, play.turn)
        else:
            yield from knocking.late_words(at)
            if play.options.has_discard:
                yield from turns.taken_back(at, look, play)
        yield from retelling.named_late(at, look, play)
        yield from retelling.read_otherwise(at, look, play)
        if play.options.table in exchanges.TABLES:
            yield from exchanges.reread(at, look, play, on_mat.middle_cards(at, look))
        yield from retelling.from_elsewhere(at, look, play)
        yield from retelling.disturbed(at, look, play)

    def waits_in_vain(self, at: At, look: Look, *, best: bool) -> bool:
        """Return whether all but one lie open, and should or are not explained.

        That one may have thrown in.
        """
        play = play_of(at.state)
        if not best or play is None or play.phase not in (Phase.PLAY, Phase.SHOWDOWN):
            return False
        all_but_one = len({*play.holding} - on_mat.seats_open(at, look, play)) == 1
        return all_but_one and (play.phase is Phase.SHOWDOWN or self.at_rest(at, look) is None)

    def lost_track(self, at: At, look: Look) -> Iterator[Move[ScatMat]]:
        """Offer that nobody knows what was drawn and laid: all hands lie open, and decide."""
        return lost.lost_track(at, look)

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
        return on_mat.suspects(at, look)

    def where(self, at: At, card: Card) -> Hashable:
        """Return where a card is: in the pile, with a player, or nobody knows."""
        play = play_of(at.state)
        if play is None:
            return None
        if any(thrown.card == card for thrown in play.discards):
            return "pile"
        return next((hand.seat for hand in play.hands if card in hand.cards), None)

    def traces(self, event: Event) -> frozenset[Assumption]:
        """Return that the stock lies otherwise than it did, after a draw that was taken back."""
        return frozenset({Assumption.STOCK_MOVED} if isinstance(event, Draw) else ())

    def corrected(self, at: At, event: Event) -> ScatMat:
        """Return the mat after people corrected, left or threw in: it lies as it lay."""
        play = play_of(at.state)
        pile = at.mat.pile
        if play is not None and len(play.discards) != len(pile):
            pile = (*pile, *(None,) * len(play.discards))[: len(play.discards)]
        return replace(at.mat, pile=pile)


def _read_last(mat: ScatMat, fit: PileFit, now: int) -> tuple[tuple[Card, int], ...]:
    """Return when each card of the pile was read last; what is undone makes the past shorter."""
    since = {card: min(then, now) for card, then in mat.seen}
    return tuple(sorted((since | dict.fromkeys(fit.read(), now)).items()))


def _after_cut(at: At, look: Look) -> ScatMat:
    """Return the mat at rest where the cards that were cut may be dealt again."""
    mat = with_cut(at.mat, look, at.state.round)
    return replace(mat, left=lying_over(mat.spent, look))
