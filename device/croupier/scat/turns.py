"""Turns: cards drawn from the stock or the discard, and cards laid."""

from __future__ import annotations

from collections.abc import Iterator

from device.croupier.assumptions import Assumption
from device.croupier.legal import state_after
from device.croupier.looks import Look, LyingCard, Said, numbers_of
from device.croupier.moves import Move
from device.croupier.scat import exchanges, on_mat
from device.croupier.scat.mat import At, ScatMat, play_of
from device.croupier.scat.pile import PileFit, may_cover, spot_of
from engine.core.events import Discard, Draw, Event, Knock, Reveal, Source, Undo
from engine.core.fast_replace import replace
from engine.core.views import Phase
from engine.games.scat.play import ScatPlay

MOST_TURNS = 3
"""So many turns at most are looked for between two looks."""


def in_turn(at: At, look: Look, play: ScatPlay, turn: int) -> Iterator[Move[ScatMat]]:
    """Offer what the player whose turn it is may have done at the pile (SC-4 to SC-18)."""
    fit = on_mat.fit(at, look)
    if fit.named is not None:
        if not fit.is_another(at.mat.pile, at.hands):
            return  # first it gets its name
        fit = replace(fit, new=(fit.named[1],), named=None)
    new = fit.next
    gone = _is_top_gone(play, fit)
    if play.drawn is not None:
        yield from _answers(at, look, play, turn, fit, new, gone)
        return
    if at.mat.turns < MOST_TURNS:
        yield from _whole_turn(at, look, play, turn, fit, gone)
    yield from taken_back(at, look, play)


def taken_back(at: At, look: Look, play: ScatPlay) -> Iterator[Move[ScatMat]]:
    """Offer that the last discard was taken back by its player, and maybe another one laid."""
    fit, number = on_mat.fit(at, look), _last_discard(at)
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
    at: At, look: Look, play: ScatPlay, turn: int, fit: PileFit, gone: bool
) -> Iterator[Move[ScatMat]]:
    """Offer how a turn may have begun, and ended where a new card lies there."""
    new = fit.next
    more = turn_price(at, look)
    later = on_mat.not_by_last_hand(at, look, turn)
    if new is not None:
        more = (*more, *on_mat.by_earlier_hand(at, look, turn))
        covered = bool(play.discards) and may_cover(new, at.mat.pile[-1]) and gone
        source = (Assumption.SOURCE,) if covered else ()
        assumed = (*more, *later, *source, *_not_over_stock(at, look))
        drawn = replace(at.mat, drew=True)
        yield _lay(turn, drawn, Source.STOCK, new, assumed)
        draw = (Draw(turn, Source.STOCK),)
        yield from _two_laid(at, look, turn, fit, drawn, draw)
    if gone:
        lower = _without_top(at.mat)
        if new is None:
            yield Move((Draw(turn, Source.DISCARD),), lower, more, hand=turn)
        for card in _looks_like_lower(at, look) if new is None else [new]:
            source = (Assumption.SOURCE,) if may_cover(card, at.mat.pile[-1]) else ()
            alike = (Assumption.CANDIDATE,) if new is None else ()
            assumed = (*more, *later, Assumption.ONE_MOTION, *source, *alike)
            yield _lay(turn, lower, Source.DISCARD, card, assumed)
    yield from _unseen(at, look, turn, gone, more)
    if new is not None and at.hands and {turn, None} & {*at.hands} and play.stock:
        stock = (Draw(turn, Source.STOCK),)
        late = on_mat.by_earlier_hand(at, look, turn)
        yield from taken_unseen(at, turn, stock, late, hand=turn)
    if new is None and on_mat.stock_moved(at, look) and not at.mat.drew:
        yield Move((Draw(turn, Source.STOCK),), replace(at.mat, drew=True), hand=turn)


def _looks_like_lower(at: At, look: Look) -> Iterator[LyingCard]:
    """Yield the card on top that is not read and may be what had lain there, or another one."""
    lying = on_mat.on_discard(at, look)
    if lying and lying[-1].card is None and len(lying[-1].candidates) > 1:
        yield lying[-1]


def _lay(
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
    yield from _two_laid(at, look, turn, fit, mat)
    drew_before = bool(at.ends) and at.ends[-1][1] == len(at.state.log)
    by_two = not drew_before or mat.others or exchanges.may_be_two(at, look)
    if new is not None and by_two and (at.hands is None or turn not in at.hands):
        yield from taken_unseen(at, turn, ())
    if new is not None:
        after = replace(_turn_over(mat), pile=(*mat.pile, spot_of(new)))
        about, late = frozenset({new.number}), on_mat.by_earlier_hand(at, look, turn)
        late = (*late, *on_mat.not_by_last_hand(at, look, turn))
        yield Move((Discard(turn, new.card),), after, late, hand=turn, about=about)
    for card in _looks_like_lower(at, look) if new is None and at.hands else ():
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


def taken_unseen(
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
    at: At,
    look: Look,
    turn: int,
    fit: PileFit,
    mat: ScatMat,
    drawn: tuple[Event, ...] = (),
) -> Iterator[Move[ScatMat]]:
    """Offer that two cards were laid at once, and that one of them lies there for nothing."""
    if len(fit.new) == 2 and not mat.extra:
        extra = numbers_of(fit.new)
        two = replace(mat, extra=extra, over=frozenset())
        # Where nobody tells hands apart two turns are much likelier.
        word = (Assumption.TWO_LAID,) * (3 if at.hands is None else 1)
        yield Move(drawn, two, word, hand=turn, about=extra)
    if on_mat.two_lie(at, look):
        lying = [card for card in on_mat.on_discard(at, look) if card.number in mat.extra]
        later = on_mat.on_discard(at, look)[-1].number not in mat.extra
        for card, other in (lying, reversed(lying)) if later else ():
            one = _turn_over(replace(mat, spent=mat.spent | {other.number}, extra=frozenset()))
            one = replace(one, pile=(*mat.pile, spot_of(card)))
            yield Move((Discard(turn, card.card),), one, (Assumption.TWO_LAID,))


def _unseen(
    at: At,
    look: Look,
    turn: int,
    gone: bool,
    more: tuple[Assumption, ...],
) -> Iterator[Move[ScatMat]]:
    """Offer a turn whose discard no look shows: another lies on it, or it was taken (SC-28)."""
    if on_mat.fit(at, look).next is None and not gone:
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


def turn_price(at: At, look: Look) -> tuple[Assumption, ...]:
    """Return what it costs that several turns were finished between two looks."""
    if not at.mat.turns or look.blind or at.hands is not None:
        return ()  # where hands are told apart, the search asks for each of them
    return (Assumption.UNSEEN_TURN,) if at.mat.turns == 1 else (Assumption.MANY_TURNS,)


def _not_over_stock(at: At, look: Look) -> tuple[Assumption, ...]:
    """Return what it costs that no hand was seen over the stock, where that is told."""
    over = at.mat.over | look.over
    return (Assumption.OTHER_HAND,) if over and "stock" not in over else ()


def _turn_over(mat: ScatMat) -> ScatMat:
    return replace(mat, turns=mat.turns + 1, over=frozenset())


def _without_top(mat: ScatMat) -> ScatMat:
    pile = mat.pile[:-1]
    return replace(mat, pile=pile, rested=min(mat.rested, len(pile)))


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
