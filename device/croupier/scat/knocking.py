"""What players say: that they stand, or knock; also where nobody heard it."""

from __future__ import annotations

from collections.abc import Iterator

from device.croupier.assumptions import Assumption
from device.croupier.looks import Look, Said
from device.croupier.moves import Move
from device.croupier.scat import exchanges, on_mat, turns
from device.croupier.scat.mat import HAND, At, ScatMat
from device.ports import Button
from engine.core.events import Draw, Knock, Source, Stand
from engine.core.fast_replace import replace
from engine.core.views import Phase
from engine.games.scat.play import ScatPlay


def words(at: At, look: Look, play: ScatPlay) -> Iterator[Move[ScatMat]]:
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
            yield from _stick(at, look, play, number, said, seat)
        elif press.button is Button.HAVE and play.options.has_discard:
            yield Move((Draw(seat, Source.STOCK),), replace(at.mat, drew=True), said=said)
    if play.drawn is None and _is_puzzling(at, look, play):
        yield from _unsaid(at, look, play, turn)


def _stick(
    at: At, look: Look, play: ScatPlay, number: int, said: Said, seat: int
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
    yield Move((Knock(seat),), replace(at.mat.passed(), knocked=press.seat), assumed, said=said)
    if seat == turn:
        yield Move((Stand(seat),), at.mat.passed(), said=said)
    if _was_silent(at, seat):
        yield Move((), at.mat, said=said)
    elif press.seat is None and _was_silent(at, play.knocker):
        yield Move((), at.mat, (Assumption.LATE_WORD,), said)
    if play.options.has_discard and on_mat.fit(at, look).next is None:
        drawn = () if play.drawn else (Draw(turn, Source.STOCK),)
        yield from turns.taken_unseen(at, turn, drawn, hand=turn, said=said)


def withdrawn(at: At) -> Iterator[Move[ScatMat]]:
    """Offer that who knocked at the own seat plays on: only their hand was over the mat since."""
    knock = at.events[-1] if at.events else None
    if isinstance(knock, Knock) and at.hands and {at.mat.knocked, *at.hands} == {knock.seat}:
        back = (len(at.events) - 1, 1, ())
        yield Move((), at.mat, (Assumption.WITHDRAWN,), leaves_trace=False, insert=back)


def _unsaid(at: At, look: Look, play: ScatPlay, turn: int) -> Iterator[Move[ScatMat]]:
    """Offer a knock or a stand that nobody said; it is needed by what follows."""
    open_hand = len(on_mat.hand_shown(at, look, turn)) == HAND
    if play.knocker is not None or play.options.table == "bus":
        stood: tuple[Assumption, ...] = () if open_hand else (Assumption.SILENT_STAND,)
        if play.knocker is None or at.hands is None:
            # Nothing tells of it: no hand of the next player, and no last turn (SB-8).
            stood = (*stood, *stood)
        yield Move((Stand(turn),), at.mat.passed(), stood, leaves_trace=open_hand)
    if play.knocker is None:
        assumed = (Assumption.SILENT_KNOCK,)
        yield Move((Knock(turn),), at.mat.passed(), assumed, leaves_trace=False)


def _is_puzzling(at: At, look: Look, play: ScatPlay) -> bool:
    """Return whether something is left to be explained."""
    if at.said or any(on_mat.hands_open(at, look, play)):
        return True
    if play.options.table in exchanges.TABLES:
        ties = exchanges.tie(at.mat.ties, play, on_mat.middle_cards(at, look))
        if exchanges.is_open(ties, look, play):
            return True
    if at.hands and not {play.turn, None} & {*at.hands} and on_mat.stock_moved(at, look):
        return True  # another player drew
    return play.options.has_discard and not on_mat.fit(at, look).fits


def last_words(at: At, play: ScatPlay) -> Iterator[Move[ScatMat]]:
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


def late_words(at: At) -> Iterator[Move[ScatMat]]:
    """Offer that who knocked or stood unheard says so only when the turns are over."""
    for _, said in at.said:
        press = said.press
        if press is not None and _is_stick(said) and _was_silent(at, press.seat):
            yield Move((), at.mat, said=said)


def _is_stick(said: Said) -> bool:
    return said.press is not None and said.press.button is Button.STICK


def _was_silent(at: At, seat: int | None) -> bool:
    """Return whether *seat* is taken to have knocked or stood without a word."""
    silent = {Assumption.SILENT_KNOCK, Assumption.SILENT_STAND, Assumption.HANDS_OPEN}
    return any(
        isinstance(event, Knock | Stand) and event.seat == seat and silent & {*assumed}
        for event, assumed in at.steps
    )
