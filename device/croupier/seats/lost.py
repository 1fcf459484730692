"""What is left of a hand whose open cards contradict how many cards each was dealt."""

from __future__ import annotations

from collections.abc import Iterator

from device.croupier.assumptions import Assumption
from device.croupier.looks import Look, numbers_of
from device.croupier.moves import Move
from device.croupier.seats import on_mat
from device.croupier.seats.mat import At, SeatMat, seat_of
from engine.core.events import Deal, Event, Have, Stick
from engine.core.fast_replace import replace
from engine.core.views import Phase
from engine.games.one_and_thirty.in_order import is_word


def lost_track(at: At, look: Look) -> Iterator[Move[SeatMat]]:
    """Offer that nobody knows how many cards each was dealt: all hands lie open, and decide."""
    play = at.state.live_play
    if play is None or play.phase not in (Phase.PLAY, Phase.SHOWDOWN, Phase.DONE):
        return
    events, first = at.events, len(play.hands) * on_mat.cards_dealt(at.state)
    deals = [n for n, event in enumerate(events) if isinstance(event, Deal)]
    mat, played = replace(at.mat, fallen=frozenset(), short=frozenset()), list[Event]()
    about = frozenset[int]()
    for hand in map(play.hand, play.order):
        here = on_mat.whole_hand(at, look, hand.seat)
        said = [
            (event, Assumption.THROWN_IN in assumed)
            for event, assumed in at.steps
            if is_word(event) and seat_of(event) == hand.seat
        ]
        # Whoever shows a hand has not thrown it in.
        thrown = bool(here) and any(thrown for _, thrown in said)
        words = [event for event, thrown in said if not (here and thrown)]
        if not (words or here):
            return
        drawn = [events[n] for n in deals[first:] if seat_of(events[n]) == hand.seat]
        more = len(here) - len(hand.cards) if thrown or not words else 0
        drawn = [*drawn[: len(drawn) + min(0, more)], *[Deal(hand.seat, None)] * more]
        played += [each for deal in drawn for each in (Have(hand.seat), deal)]
        played += words or [Stick(hand.seat)]
        if more or (hand.out and (thrown or not words)):
            about |= numbers_of(here)
            mat = mat.with_hand(hand.seat, here)
    if about:
        begin = deals[first - 1] + 1
        insert = (begin, len(events) - begin, tuple(played))
        yield Move((), mat, (Assumption.LOST_TRACK,), about=about, insert=insert)
