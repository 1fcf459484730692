"""Hands that are thrown in, or gathered, and backs that lie in the middle."""

from __future__ import annotations

from collections.abc import Iterator

from device.croupier.assumptions import Assumption
from device.croupier.looks import Look, is_strewn, numbers_of, too_wide_for_one_throw
from device.croupier.moves import Move
from device.croupier.scat import on_mat
from device.croupier.scat.mat import HAND, At, ScatMat, places_of
from device.ports import Button
from engine.core.events import Claim, Declare
from engine.core.fast_replace import replace
from engine.core.views import Phase
from engine.games.scat.play import ScatPlay
from vision.readings import ZoneKind


def throws_in(at: At, look: Look, play: ScatPlay) -> Iterator[Move[ScatMat]]:
    """Offer the word that a player is out, and hands thrown into the middle (G-17, SC-27)."""
    for _, said in at.said:
        press = said.press
        if press is not None and press.button is Button.OUT:
            seat = play.turn if press.seat is None else press.seat
            if seat is not None:
                yield Move((Declare(seat, Claim.OUT),), at.mat, said=said)
    if play.phase in (Phase.PLAY, Phase.SHOWDOWN):
        yield from _shows_nothing(at, look, play)
        yield from _backs_laid(at, look, play)


def sweeps(at: At, look: Look, play: ScatPlay) -> Iterator[Move[ScatMat]]:
    """Offer that the hands were gathered before the last was shown, or that one is out."""
    if not on_mat.is_swept(at, look, play):
        return
    pile, left = numbers_of(on_mat.on_discard(at, look)), play.to_reveal()
    swept = replace(at.mat, swept=True, spent=at.mat.spent | pile)
    # Where the pile still lies, the hands may have been taken up to be played on with.
    why = (Assumption.STRAY,) * bool(pile)
    yield Move((), swept, why)
    if len(left) == 1:
        yield Move((Declare(left[0], Claim.OUT),), swept, (*why, Assumption.THROWN_IN))


def still_laid(at: At, look: Look) -> Iterator[Move[ScatMat]]:
    """Offer that a card laid on the pile after the hands were gathered means nothing."""
    laid = numbers_of(on_mat.on_discard(at, look))
    if at.mat.swept and at.mat.pile and laid:
        yield Move((), replace(at.mat, spent=at.mat.spent | laid), (Assumption.STRAY,))


def _shows_nothing(at: At, look: Look, play: ScatPlay) -> Iterator[Move[ScatMat]]:
    """Offer that the one who does not show, when all others have shown, has thrown in."""
    left = play.to_reveal() if play.phase is Phase.SHOWDOWN else ()
    if play.phase is Phase.PLAY and play.knocker is not None:
        left = tuple({*play.holding} - on_mat.seats_open(at, look, play))
    if len(left) == 1 and look.hands == () and not on_mat.hand_shown(at, look, left[0]):
        gone = replace(at.mat, away=at.mat.away | {left[0]})
        yield Move((Declare(left[0], Claim.OUT),), gone, (Assumption.THROWN_IN,))


def _backs_laid(at: At, look: Look, play: ScatPlay) -> Iterator[Move[ScatMat]]:
    """Offer whose the backs are that nobody has explained, and whether they are thrown in."""
    backs = on_mat.thrown_cards(at, look, play)
    if not backs:
        return
    thrown, lain = numbers_of(backs), dict(at.mat.loose)
    mat = replace(at.mat, loose=tuple(sorted({**lain, **dict(places_of(backs))}.items())))
    laid = {card.seat if card.zone is ZoneKind.SEAT else None for card in backs}
    there, strewn = laid.pop() if len(laid) == 1 else None, is_strewn(backs)
    seen = () if None in (look.hands or ()) else look.hands or ()
    apart = (Assumption.STRAY,) * too_wide_for_one_throw(backs)
    for hand in play.hands:
        left = len(numbers_of(look.at_seat(hand.seat)) & mat.dealt)
        if hand.seat == there and 0 < left <= HAND - len(backs) and not play.discards[1:]:
            yield Move((), mat, about=thrown)  # of the hand dealt there, found again beside it
        if hand.seat == there:  # they may be laid down there, and still be held
            held = (Assumption.LAID_BACK_STREWN,) if strewn else ()
            if seen and there not in seen:
                held = (*held, Assumption.STRAY)
            yield Move((), mat, held, hand=there, about=thrown)
        beside = hand.seat == there and left
        if hand.seat in mat.away or beside or on_mat.lies_as_dealt(at, look, hand):
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
