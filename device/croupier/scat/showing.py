"""Hands that are laid open: in the showdown, before it, and after it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from device.croupier.assumptions import Assumption
from device.croupier.legal import is_legal
from device.croupier.looks import Look, numbers_of, rows_of
from device.croupier.moves import Move
from device.croupier.scat import on_mat
from device.croupier.scat.mat import HAND, At, ScatMat
from device.croupier.scat.on_mat import OPEN_BY_MISTAKE
from engine.core.events import Claim, Declare, Event, Knock, Reveal, Stand
from engine.core.fast_replace import replace
from engine.core.views import Phase
from engine.games.scat.play import ScatPlay
from vision.mat.layout import PILES


def hands(at: At, look: Look, play: ScatPlay) -> Iterator[Move[ScatMat]]:
    """Offer hands laid open: calls of 31, hands shown, and last turns that are over."""
    if play.phase not in (Phase.PLAY, Phase.SHOWDOWN, Phase.DONE):
        return
    yield from _shown_afar(at, look, play)
    shown = list(on_mat.hands_open(at, look, play))
    for hand, cards in shown:
        seat = hand.seat
        about = frozenset(card.number for card in on_mat.hand_shown(at, look, seat))
        call = Declare(seat, Claim.THIRTY_ONE, cards)
        # Where others lie open already, hands are shown: after a knock that nobody heard.
        first = len(shown) <= OPEN_BY_MISTAKE or play.phase is not Phase.PLAY
        made = play.options.blitz and play.value_of(cards) == 31
        fits = not play.options.has_discard or on_mat.fit(at, look).fits
        if made and first and is_legal(at.state, call):
            assumed: tuple[Assumption, ...] = ()
            if play.phase is Phase.PLAY and not fits:
                assumed = (Assumption.UNSEEN_DISCARD,)
            yield Move((call,), at.mat, assumed, about=about)
            return
        if play.phase is Phase.SHOWDOWN and seat in play.to_reveal():
            show = Reveal(seat, cards)
            fits = fits or not _ends_by_inference(play, seat)
            if fits and is_legal(at.state, show):
                yield Move((show,), at.mat, about=about)
                return
    if play.phase is Phase.PLAY and play.turn is not None and not at.mat.lost:
        yield from _shown_early(at, look, play, [hand.seat for hand, _ in shown])
    if play.phase is Phase.DONE:
        yield from _shown_after(at, look, play)


def _shown_afar(at: At, look: Look, play: ScatPlay) -> Iterator[Move[ScatMat]]:
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
            yield Move((), replace(at.mat, afar=afar), about=numbers_of(row))


def _ends_by_inference(play: ScatPlay, seat: int) -> bool:
    """Return whether only *seat* has still to show, and somebody's cards were only inferred.

    Such an end must not hide that the pile is not what was believed.
    """
    others = (h for h in play.hands if h.seat != seat and not h.out)
    return play.to_reveal() == (seat,) and not all(hand.shown for hand in others)


def shows_others(at: At, look: Look, play: ScatPlay) -> bool:
    """Return whether a hand that was only inferred lies open, and is another one."""
    for hand in play.hands:
        lying = on_mat.hand_shown(at, look, hand.seat)
        cards = {card.card for card in lying}
        is_read = len(lying) == HAND and None not in cards
        if is_read and not hand.shown and not {*hand.cards} - {None} <= cards:
            return True
    return False


def _shown_after(at: At, look: Look, play: ScatPlay) -> Iterator[Move[ScatMat]]:
    """Offer that all have laid their hands open after a call of 31: only that one need be.

    So they do where somebody had knocked unheard, and the 31 was only the first hand shown.
    """
    last = at.events[-1]
    called = isinstance(last, Declare) and last.what is Claim.THIRTY_ONE
    if called and not at.mat.all_shown and on_mat.seats_open(at, look, play) >= {*play.holding}:
        yield Move((), replace(at.mat, all_shown=True), (Assumption.SHOWN_AFTER,))


def hands_wait(at: At, look: Look, play: ScatPlay) -> bool:
    """Return whether hands that lie open are still to be explained."""
    # What was shown too early counts once hands are to be shown.
    early = frozenset() if play.phase is Phase.SHOWDOWN else at.mat.early
    return any(
        move.events == () or not {-number for number in move.about} <= early
        for move in hands(at, look, play)
    )


def _shown_early(at: At, look: Look, play: ScatPlay, shown: list[int]) -> Iterator[Move[ScatMat]]:
    """Offer what hands laid open in play tell: the turns are over, or somebody was early."""
    turn = play.turn
    assert turn is not None
    event: Event
    if play.drawn is None and play.knocker is not None and turn in shown:
        fits = not play.options.has_discard or on_mat.fit(at, look).fits
        word = Assumption.HANDS_OPEN if fits else Assumption.SILENT_STAND
        event = Stand(turn)
        about = numbers_of(on_mat.hand_shown(at, look, turn))
        yield Move((event,), at.mat.passed(), (word,), about=about)
    elif (
        play.drawn is None
        and play.knocker is None
        and (turn in shown or set(shown) >= set(play.holding))
    ):
        yield Move((Knock(turn),), at.mat.passed(), (Assumption.SILENT_KNOCK,))
    for seat in shown:
        # What was too early in another's turn may mean something in one's own.
        own = seat == turn
        lying = frozenset(
            -card.number if own else card.number for card in on_mat.hand_shown(at, look, seat)
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
