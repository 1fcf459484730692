"""The turns of Thirty-one: knock, last turns, blitz, showing, the end (rules SC-4 to SC-27)."""

from __future__ import annotations

from collections.abc import Callable

from engine.core.events import Claim, Declare, Knock, Reveal, Stand
from engine.core.fast_replace import replace
from engine.core.outcome import End
from engine.core.refusals import IllegalActionError, Refusal
from engine.core.views import Phase
from engine.games.base import with_hand
from engine.games.scat.play import (
    ScatHand,
    ScatPlay,
    check_any_order,
    refusal,
)
from engine.games.scat.points import BLITZ, counting_cards, suit_value

RESTART_ABOVE = 21
"""Three cards of one suit worth more may restart Switch (rule SW-8)."""


def seat_in_round(play: ScatPlay, seat: int) -> ScatHand:
    """Return the hand of a player who still holds one.

    Raises:
        IllegalActionError: ``SEAT_OUT`` or ``UNKNOWN_SEAT``.
    """
    hand = play.hand(seat)
    if hand.out:
        done = "left the round" if hand.left else "thrown in"
        raise refusal(Refusal.SEAT_OUT, f"seat {seat} has {done}; go on without")
    return hand


def own_turn(play: ScatPlay, seat: int, *, drawn: bool = False) -> ScatHand:
    """Return the hand of the player whose turn it is; *drawn*: also after a draw (rule SC-4).

    Raises:
        IllegalActionError: ``SEAT_OUT``, ``UNKNOWN_SEAT``, ``NOT_YOUR_TURN`` or ``MUST_DISCARD``.
    """
    hand = seat_in_round(play, seat)
    if seat != play.turn:
        raise refusal(
            Refusal.NOT_YOUR_TURN, f"it is not the turn of seat {seat}; ask seat {play.turn}"
        )
    if play.drawn is not None and not drawn:
        raise _must_discard(seat)
    return hand


def begin_turns(play: ScatPlay) -> ScatPlay:
    """Begin with the eldest; a 31 on the deal is shown at once (rules SC-4, SC-13)."""
    play = replace(play, phase=Phase.PLAY, turn=play.active[0])
    if play.options.dealt_blitz == "immediate":
        return dealt_blitz(play) or play
    return play


def open_turn(play: ScatPlay, after: ScatPlay) -> ScatPlay:
    """Return *after*, the middle of a turn; it can be made void (rules SC-11, CQ-5)."""
    start = play.before or play
    if gate_is_shut(start) and (shown := dealt_blitz(start)):
        return shown  # they did something other than knock, so a dealt 31 is shown
    return replace(after, before=start)


def end_turn(play: ScatPlay, seat: int) -> ScatPlay:
    """Finish a turn: a blitz (SC-11, SW-9), a draw by the stock (SC-17), or the next player."""
    first = gate_is_shut(play)
    play = with_hand(play, replace(play.hand(seat), acted=True))
    play = replace(play, drawn=None, before=None, renewed=False, stopper=None, last=seat)
    if first and (shown := dealt_blitz(play)):
        return shown
    if play.value(seat) == BLITZ and _counts_as_blitz(play, seat):
        return blitz(play, (seat,))
    if is_used_up(play):
        return finish(play, End.DRAW)
    return _pass_on(play, seat)


def is_used_up(play: ScatPlay) -> bool:
    """Return whether the last card of the stock ends the round with its turn (rule SC-17)."""
    return play.knocker is None and play.options.has_discard and not play.stock


def gate_is_shut(play: ScatPlay) -> bool:
    """Return whether a dealt 31 still has to wait for the first player (rule CQ-5)."""
    waits = play.options.blitz and play.options.dealt_blitz == "after_first_turn"
    return waits and _at_the_gate(play) and play.before is None and play.knocker is None


def knock(play: ScatPlay, event: Knock) -> ScatPlay:
    """Knock instead of a turn, or stop the bus after it (SC-5, SB-3, SW-7, CQ-4, CQ-6)."""
    seat = event.seat
    _check_knock(play, seat)
    if play.options.first_knock == "out_of_gate" and _at_the_gate(play):
        return compare(replace(play, knocker=seat), End.OUT_OF_GATE)
    # Everybody else has one more turn, from the left (rule SC-6).
    return _pass_on(replace(play, knocker=seat, stopper=None, waiting=_after(play, seat)), seat)


def may_knock(play: ScatPlay, seat: int) -> bool:
    """Return whether *seat* may knock now (rules SC-5, SB-3, SW-6)."""
    return _passes(_check_knock, play, seat)


def _check_knock(play: ScatPlay, seat: int) -> None:
    hand = seat_in_round(play, seat)
    if seat != play.stopper:
        own_turn(play, seat)
    if play.knocker is not None:
        raise refusal(
            Refusal.ALREADY_KNOCKED, f"seat {play.knocker} has knocked; take your last turn"
        )
    if stops_after_swap(play) and seat != play.stopper:
        raise refusal(
            Refusal.MUST_SWAP_FIRST, f"seat {seat} may stop the bus after a swap; swap first"
        )
    if play.renewed:
        raise _renewed(Refusal.KNOCK_NOT_ALLOWED, seat)
    if play.options.first_knock == "forbidden" and not hand.acted:
        raise refusal(
            Refusal.KNOCK_NOT_ALLOWED, f"seat {seat} may knock after one turn; take that first"
        )


def stops_after_swap(play: ScatPlay) -> bool:
    """Return whether the knock comes after a swap, in the same turn (rules SB-3, SB-7)."""
    return play.options.table == "bus" and play.options.stop_timing == "after_swap"


def stand(play: ScatPlay, event: Stand) -> ScatPlay:
    """Stand on the three cards held (rules SC-6, SB-8)."""
    _check_stand(play, event.seat)
    return end_turn(play, event.seat)


def may_stand(play: ScatPlay) -> bool:
    """Return whether the player whose turn it is may stand (rules SC-6, SB-7, SB-8, SW-6)."""
    return play.turn is not None and _passes(_check_stand, play, play.turn)


def _check_stand(play: ScatPlay, seat: int) -> None:
    own_turn(play, seat)
    if play.options.table == "bus":
        if play.options.must_swap:
            raise refusal(
                Refusal.STAND_NOT_ALLOWED,
                f"seat {seat} must swap in every turn; swap one card or three",
            )
    elif play.renewed:
        raise _renewed(Refusal.STAND_NOT_ALLOWED, seat)
    elif play.knocker is None:
        raise refusal(
            Refusal.STAND_NOT_ALLOWED,
            f"nobody has knocked yet, so seat {seat} cannot stand; draw, exchange or knock",
        )


def declare(play: ScatPlay, event: Declare) -> ScatPlay:
    """Handle a blitz called from a hand that had not been read (rules SC-24, CQ-3, CQ-5).

    Or a hand thrown in (rule SC-27).
    """
    seat = event.seat
    if event.what is Claim.OUT:
        return throw_in(play, event)
    if event.what is not Claim.THIRTY_ONE or not play.options.blitz:
        raise refusal(Refusal.WRONG_PHASE, "no such call in this game; knock, or play on")
    _check_call(play, seat)
    hand = play.hand(seat)
    check_any_order(seat, hand.cards, event.cards, play.seen(but=seat), play.options)
    if play.value_of(event.cards) != BLITZ:
        raise refusal(
            Refusal.FALSE_31,
            f"the cards of seat {seat} make {play.value_of(event.cards)}, not 31; play goes on",
        )
    # A turn that another player is in the middle of is void, their drawn card goes back (SC-11).
    first = gate_is_shut(play) or (play.before is not None and gate_is_shut(play.before))
    play = play.before or play
    play = with_hand(play, replace(hand, cards=event.cards, known=(False,) * len(event.cards)))
    also = dealt_blitz_seats(play) if first else ()
    return blitz(play, (*play.blitzed, *also, seat))


def may_call(play: ScatPlay, seat: int) -> bool:
    """Return whether *seat* may call 31, by all that everybody knows of the round (SC-24)."""
    return play.options.blitz and _passes(_check_call, play, seat)


def _check_call(play: ScatPlay, seat: int) -> None:
    """Refuse a call of 31 that comes too early or too late (rules SC-24, CQ-5)."""
    if may_call_late(play, seat):
        return
    if play.phase is not Phase.PLAY:
        raise refusal(Refusal.WRONG_PHASE, "31 is called in play, before a knock; go on without it")
    seat_in_round(play, seat)
    if seat != play.turn and gate_is_shut(play):
        raise refusal(
            Refusal.NOT_YOUR_TURN,
            f"a dealt 31 waits until seat {play.turn} has done something other than knock; "
            "ask them",
        )
    if seat == play.turn and play.before is not None:
        if play.drawn is None:
            raise refusal(
                Refusal.MUST_SWAP_FIRST, f"seat {seat} is in the middle of a turn; finish it"
            )
        raise _must_discard(seat)
    if not _counts_as_blitz(play, seat):
        raise refusal(
            Refusal.ALREADY_KNOCKED, f"seat {play.knocker} has knocked; 31 is the best hand now"
        )
    if play.knocker is not None and seat != play.turn and seat in play.waiting:
        raise refusal(
            Refusal.NOT_YOUR_TURN, f"seat {seat} has their last turn to come; call it then"
        )


def may_call_late(play: ScatPlay, seat: int) -> bool:
    """Return whether 31 may still be called although the turns are over.

    The turn of a hidden hand can end the round before its player can say a word: by the last
    card of the stock (SC-17), or as the last of the last turns (CQ-3). And of two hidden 31s on
    the deal one is called first, though both count (SC-13).
    """
    end = play.end or play.ending
    if play.phase not in (Phase.DONE, Phase.SHOWDOWN) or not play.options.blitz:
        return False
    if seat not in play.holding or not play.hand(seat).has_unread:
        return False
    if end is End.DRAW:
        return seat == play.last
    if end is End.SHOWDOWN and play.phase is Phase.SHOWDOWN:
        return seat == play.last and _counts_as_blitz(play, seat)
    return end is End.BLITZ and play.knocker is None and not play.has_begun


def reveal(play: ScatPlay, event: Reveal) -> ScatPlay:
    """Show a hand when the turns are over, its cards in any order (rules SC-7, SC-23, G-20)."""
    hand = seat_in_round(play, event.seat)
    _check_must_show(play, event.seat)
    elsewhere = play.seen(but=event.seat)
    check_any_order(event.seat, hand.cards, event.cards, elsewhere, play.options)
    assert play.ending is not None  # a showdown is on its way to some end
    return compare(with_hand(play, hand.lay_open(event.cards)), play.ending)


def leave(play: ScatPlay, seat: int) -> ScatPlay:
    """Count a player who goes away as out; the rest play on (rules G-17, SC-26)."""
    if play.phase not in (Phase.PLAY, Phase.SHOWDOWN, Phase.RESTART):
        raise refusal(
            Refusal.WRONG_PHASE, f"seat {seat} cannot leave before the first turn; call a misdeal"
        )
    if play.hand(seat).left:
        raise refusal(Refusal.SEAT_OUT, f"seat {seat} has left the round; go on without")
    if seat == play.turn and play.before is not None:
        play = play.before  # an unfinished turn is void, its card goes back
    return _gone(play, seat, left=True)


def throw_in(play: ScatPlay, event: Declare) -> ScatPlay:
    """Let a player throw the hand in: it ranks below all others (rules G-17, SC-27)."""
    seat = event.seat
    if play.phase not in (Phase.PLAY, Phase.SHOWDOWN):
        raise refusal(
            Refusal.WRONG_PHASE, f"seat {seat} may throw in in play, or instead of showing"
        )
    hand = seat_in_round(play, seat)
    if play.phase is Phase.SHOWDOWN:
        _check_must_show(play, seat)
    if event.cards:
        check_any_order(seat, hand.cards, event.cards, play.seen(but=seat), play.options)
        play = with_hand(play, hand.lay_open(event.cards))
    return _gone(play, seat, left=False)


def may_throw_in(play: ScatPlay, seat: int) -> bool:
    """Return whether *seat* may throw the hand in now (rules G-17, SC-27)."""
    if play.phase is Phase.SHOWDOWN:
        return seat in play.to_reveal()
    return play.phase is Phase.PLAY and seat in play.holding


def dealt_blitz_seats(play: ScatPlay) -> tuple[int, ...]:
    """Return who is known to hold 31 (rule SC-13)."""
    return tuple(seat for seat in play.holding if play.value(seat) == BLITZ)


def dealt_blitz(play: ScatPlay) -> ScatPlay | None:
    """Return the end of the round by 31 on the deal; ``None``: nobody is known to have it."""
    seats = dealt_blitz_seats(play) if play.options.blitz else ()
    return blitz(play, seats) if seats else None


def blitz(play: ScatPlay, seats: tuple[int, ...]) -> ScatPlay:
    """Let 31 end the round; of two the elder alone where agreed (SC-11, SC-13, CQ-3, NE-4)."""
    blitzed = tuple(seat for seat in play.order if seat in seats)
    if play.options.double_blitz == "eldest_only":
        blitzed = blitzed[:1]
    play = _lay_open(play, blitzed)
    return compare(replace(play, blitzed=blitzed, end=None), End.BLITZ)


def compare(play: ScatPlay, ending: End) -> ScatPlay:
    """Compare the hands once all that matter are shown (rules SC-7, SC-11, NE-4, SW-8)."""
    play = replace(play, turn=None, waiting=(), drawn=None, before=None, stopper=None)
    play = replace(play, ending=ending)
    options = play.options
    ranked = ending is not End.BLITZ or (
        options.scoring == "points" and options.blitz_others == "rank"
    )
    if ranked and any(play.hand(seat).has_unread for seat in play.holding):
        return replace(play, phase=Phase.SHOWDOWN)
    if may_restart(play):
        play = _lay_open(play, play.holding)  # all are shown before lives would be taken (SC-7)
        return replace(play, phase=Phase.RESTART)
    return finish(play, ending)


def may_restart(play: ScatPlay) -> tuple[int, ...]:
    """Return who may restart Switch instead of the scoring (rule SW-8)."""
    if play.options.table != "switch" or not play.options.restart or play.ending is End.BLITZ:
        return ()
    found = []
    for seat in play.holding:
        cards = play.hand(seat).read_cards
        if len({card.suit for card in cards}) == 1 and suit_value(cards) > RESTART_ABOVE:
            found.append(seat)
    return tuple(found)


def finish(play: ScatPlay, end: End) -> ScatPlay:
    """End the round."""
    play = replace(play, phase=Phase.DONE, turn=None, end=end, ending=None, waiting=())
    play = replace(play, drawn=None, before=None, renewed=False, stopper=None)
    return replace(play, winners=_winners(play))


# --- private ------------------------------------------------------------------------------------


def _check_must_show(play: ScatPlay, seat: int) -> None:
    if seat not in play.to_reveal():
        raise refusal(
            Refusal.NOT_YOUR_TURN,
            f"seat {seat} need not show; waiting for seats {list(play.to_reveal())}",
        )


def _winners(play: ScatPlay) -> tuple[int, ...]:
    """Return who won, eldest first; nobody where lives or points decide (BK-4, BK-6, BK-9)."""
    if play.end is End.BLITZ:
        return play.blitzed
    if play.end is End.WALKOVER:
        return play.active
    options = play.options
    if options.scoring != "ante" or play.end not in (End.SHOWDOWN, End.OUT_OF_GATE):
        return ()
    worth = play.strengths()
    tied = [seat for seat in play.active if worth[seat] == max(worth.values())]
    if len(tied) > 1 and options.high_tie == "highest_card" and options.ranking == "suit":
        agreed = options.three_kind, options.three_kind_suits
        ranks = {seat: counting_cards(play.hand(seat).read_cards, *agreed) for seat in tied}
        tied = [seat for seat in tied if ranks[seat] == max(ranks.values())]
    return tuple(tied[:1] if options.high_tie == "eldest" else tied)


def _lay_open(play: ScatPlay, seats: tuple[int, ...]) -> ScatPlay:
    for seat in seats:
        play = with_hand(play, play.hand(seat).lay_open(play.hand(seat).cards))
    return play


def _at_the_gate(play: ScatPlay) -> bool:
    """Return whether the first player's first turn is still to come: no other counts (CQ-6)."""
    return not play.has_begun and not play.hand(play.order[0]).out


def _pass_on(play: ScatPlay, seat: int) -> ScatPlay:
    """Let the next player have their turn; after a knock each only once (rule SC-6)."""
    if play.knocker is not None:
        waiting = tuple(each for each in play.waiting if each != seat and each in play.holding)
        if not waiting:
            return compare(play, End.SHOWDOWN)
        return replace(play, waiting=waiting, turn=waiting[0])
    around = (*_after(play, seat), seat)
    return replace(play, turn=next(each for each in around if each in play.holding))


def _after(play: ScatPlay, seat: int) -> tuple[int, ...]:
    """Return the other seats in the order of turns, from the left of *seat*."""
    place = play.order.index(seat)
    return (*play.order[place + 1 :], *play.order[:place])


def _gone(play: ScatPlay, seat: int, *, left: bool) -> ScatPlay:
    """Go on without a player who left or threw in (rules SC-26, SC-27)."""
    first, cut_short = gate_is_shut(play), seat == play.turn and play.before is not None
    if cut_short:  # thrown in: what was drawn stays with the hand, and the turn is finished
        hand = replace(play.hand(seat), acted=True)
        play = with_hand(play, hand, drawn=None, before=None, renewed=False, last=seat)
    play = _without(play, seat, left)
    if len(play.holding) == 1:
        end = End.WALKOVER if len(play.active) == 1 else play.ending or End.SHOWDOWN
        return finish(play.before or play, end)
    if play.phase is not Phase.PLAY:
        assert play.ending is not None
        return compare(play, play.ending)
    if first and not gate_is_shut(play) and (shown := dealt_blitz(play)):
        return shown  # they are out instead of knocking
    if cut_short and is_used_up(play):
        return finish(play, End.DRAW)
    return _pass_on(play, seat) if play.turn == seat else play


def _without(play: ScatPlay, seat: int, left: bool) -> ScatPlay:
    hand = play.hand(seat)
    return replace(
        with_hand(play, replace(hand, left=hand.left or left, out=True)),
        before=None if play.before is None else _without(play.before, seat, left),
        stopper=None if play.stopper == seat else play.stopper,
        waiting=tuple(each for each in play.waiting if each != seat),
        blitzed=tuple(each for each in play.blitzed if each != seat),
    )


def _counts_as_blitz(play: ScatPlay, seat: int) -> bool:
    """Return whether 31 ends the round for *seat*: before a knock, or by option (SC-12, CQ-3)."""
    if not play.options.blitz:
        return False
    if play.knocker is None:
        return True
    return play.options.blitz_after_knock == "ends" and seat != play.knocker


def _must_discard(seat: int) -> IllegalActionError:
    """Return the refusal of anything but a discard after a draw (rule SC-4)."""
    return refusal(
        Refusal.MUST_DISCARD, f"seat {seat} has drawn a card; lay one on the discard first"
    )


def _renewed(code: Refusal, seat: int) -> IllegalActionError:
    return refusal(
        code, f"seat {seat} has renewed a hand face down; exchange, swap or renew once more"
    )


def _passes(check: Callable[[ScatPlay, int], None], play: ScatPlay, seat: int) -> bool:
    try:
        check(play, seat)
    except IllegalActionError:
        return False
    return True
