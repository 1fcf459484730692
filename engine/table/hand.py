"""One hand from the cut to the moment the next begins, whatever the game.

Cutting, misdeals, leaving, joining and corrections live here once; a game only knows its play.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from engine.core.cards import Card
from engine.core.events import (
    Correct,
    CorrectBone,
    Cut,
    Declare,
    Entry,
    Event,
    Join,
    Leave,
    Misdeal,
    NextHand,
    Reveal,
    Undo,
)
from engine.core.fast_replace import replace
from engine.core.hands import check_new_card
from engine.core.outcome import NO_MATCH, End, MatchState, Outcome, Result
from engine.core.players import Player, first_at_or_after, seated
from engine.core.refusals import IllegalActionError, Refusal
from engine.core.views import Phase
from engine.games.base import Game, Play

EDITION = 2
"""The edition of the rules that a new sitting is judged by; 1 is as 0.1 played (rule OT-26)."""


@dataclass(frozen=True)
class HandState:
    """One hand. Immutable.

    Attributes:
        players: who plays this hand, by seat.
        seated: who sits at the table now; leaving and joining change it.
        dealer: ``None`` while the cards are being cut.
        to_cut: who still has to cut in this round of cutting (rule G-2).
        cuts: the cards of this round of cutting.
        last_cuts: each player's last cut, to be shown.
        order: the order of turns to keep after a correction (rule G-10).
        misdeal: why the hand is void; ``None`` when it is not.
        due: who deals next, once the hand is over; ``None`` to cut again.
        raw: the events of the hand so far, readings corrected.
        standing: how the match stands: before the hand while it goes on, then after it.
        counted: how the match stood before the hand, counted again since it began because an
            earlier hand was put right (rules G-12, G-23); ``None`` where it was not.
        ended_with: who sat at the table when the hand ended.
        since: who has come and gone since then, in order.
        edition: the rules that judge the sitting; 1 is as 0.1 played (rule OT-26).
        shown_from: which event was the first after the last turn, when hands are shown; ``None``
            before that.
        turns: in whose turn each event was taken; ``None`` outside of play.
    """

    game: Game
    options: Any
    players: tuple[Player, ...]
    seated: tuple[Player, ...]
    dealer: int | None
    to_cut: tuple[int, ...] = ()
    cuts: tuple[tuple[int, Card], ...] = ()
    last_cuts: tuple[tuple[int, Card], ...] = ()
    play: Play | None = None
    order: tuple[int, ...] = ()
    misdeal: str | None = None
    due: int | None = None
    raw: tuple[Event, ...] = ()
    standing: MatchState = NO_MATCH
    counted: MatchState | None = None
    ended_with: tuple[Player, ...] = ()
    since: tuple[Join | Leave, ...] = ()
    edition: int = EDITION
    shown_from: int | None = None
    turns: tuple[int | None, ...] = ()

    @property
    def phase(self) -> Phase:
        """Return where the hand stands."""
        if self.misdeal is not None:
            return Phase.DONE
        return Phase.CUT if self.play is None else self.play.phase

    @property
    def judged(self) -> Play | None:
        """Return the game's own hand as its result is worked out (rules G-12, G-23)."""
        if self.play is None or self.counted is None:
            return self.play
        return replace(self.play, counted=self.counted)

    def is_seated(self, seat: int) -> bool:
        """Return whether somebody sits at *seat* now."""
        return any(player.seat == seat for player in self.seated)

    def check_new_card(self, card: Card | None, lying: Iterable[Card]) -> None:
        """Refuse a card that lies there already, or is not in the pack (rules G-8, G-9)."""
        decks, pack = self.game.decks(self.options), self.game.pack(self.options)
        check_new_card(card, lying, decks, pack)


def begin(
    game: Game,
    options: Any,
    seated: tuple[Player, ...],
    dealer: int | None,
    standing: MatchState,
    edition: int = EDITION,
) -> HandState:
    """Return a hand before its first event; without a dealer it begins with the cut.

    Seats that are out of the match do not play (rule G-21).
    """
    players = tuple(player for player in seated if player.seat not in standing.eliminated)
    fresh = HandState(game, options, players, seated, None, standing=standing, edition=edition)
    if dealer is None:
        return replace(fresh, to_cut=tuple(player.seat for player in players))
    return _with_dealer(fresh, dealer)


def step(hand: HandState, event: Event) -> HandState:
    """Return the hand after *event*.

    Raises:
        IllegalActionError: the event is not possible now (rule G-19).
    """
    _check_seat(hand, event)
    if isinstance(event, Cut):
        after = _cut(hand, event)
    elif isinstance(event, Misdeal):
        after = _misdeal(hand, event)
    elif isinstance(event, Leave):
        after = _leave(hand, event)
    elif isinstance(event, Join):
        after = _join(hand, event)
    elif isinstance(event, NextHand | Undo | Correct | CorrectBone | Entry):
        raise IllegalActionError(
            Refusal.WRONG_PHASE, f"no {event.kind!r} now; finish this hand first"
        )
    elif hand.play is None:
        raise IllegalActionError(
            Refusal.WRONG_PHASE,
            f"no {event.kind!r} now: cut for the deal first; seats {hand.to_cut}",
        )
    elif hand.misdeal is not None:
        raise IllegalActionError(Refusal.WRONG_PHASE, "the hand is void; begin the next hand first")
    else:
        after = _played(hand, event)
    if after.phase is Phase.DONE and hand.phase is not Phase.DONE:
        after = finished(after)
    raw = (*hand.raw, event)
    if after.phase is Phase.SHOWDOWN and after.shown_from is None:
        after = replace(after, shown_from=len(raw))
    turn = None if hand.play is None else hand.play.turn
    return replace(after, raw=raw, turns=(*hand.turns, turn))


def outcome(hand: HandState) -> Outcome | None:
    """Return how the hand ended; ``None`` while it goes on."""
    if hand.phase is not Phase.DONE or hand.play is None or hand.dealer is None:
        return None
    if hand.misdeal is not None:  # everything paid goes back, the Bone too (G-13, BA-13)
        nothing = tuple((player.seat, 0) for player in hand.players)
        result = Result(End.MISDEAL, (), (), (), nothing)
    else:
        result = hand.game.result(hand.judged)
    return Outcome(**vars(result), dealer=hand.dealer, next_dealer=hand.due, standing=hand.standing)


def refold(
    start: HandState, raw: tuple[Event, ...], order: tuple[int, ...], was: HandState
) -> HandState:
    """Fold the corrected events of the hand *was* again; those now impossible are void (G-10)."""
    hands = [start, *trace(start, raw, order, was)]
    return replace(hands[-1], raw=raw, shown_from=was.shown_from, turns=was.turns)


def trace(
    start: HandState, raw: tuple[Event, ...], order: tuple[int, ...], was: HandState | None = None
) -> Iterator[HandState]:
    """Yield the hand after each of the events, void ones included.

    *was* is the hand as they were taken: nobody had a turn once hands were shown, and who showed
    or threw in their hand in their own turn has acted (rule G-11).
    """
    hand = replace(start, order=order)
    if hand.play is not None:
        hand = replace(hand, play=replace(hand.play, order=order))
    for number, event in enumerate(raw):
        if was is not None and number == was.shown_from:
            hand = turns_over(hand)
        late = was is not None and _acted(event, was.turns[number])
        try:
            hand = (_catch_up(hand, event) if late else None) or step(hand, event)
        except IllegalActionError:
            hand = _catch_up(hand, event) or hand
        yield hand


def _acted(event: Event, turn: int | None) -> bool:
    """Return whether a player showed or threw in their hand in their own turn."""
    return isinstance(event, Declare | Reveal) and event.seat == turn


# --- single events ------------------------------------------------------------------------------


def _played(hand: HandState, event: Event) -> HandState:
    """Let the game take an event; a late one may change a hand that was over (OT-19, SC-24)."""
    assert hand.play is not None  # the caller has seen to it
    after = replace(hand, play=hand.game.step(hand.play, event))
    if hand.phase is not Phase.DONE:
        return after
    if isinstance(event, Declare) and not may_still_claim(hand):
        raise IllegalActionError(
            Refusal.WRONG_PHASE, "players have come or gone since; begin the next hand"
        )
    return settled(after)


def may_still_claim(hand: HandState) -> bool:
    """Return whether nobody has come or gone since the hand ended (rule SC-24)."""
    return not hand.since


def _check_seat(hand: HandState, event: Event) -> None:
    seat = getattr(event, "seat", None)
    if isinstance(event, Join):
        if event.seat < 0:
            raise IllegalActionError(
                Refusal.UNKNOWN_SEAT, f"there is no seat {seat}; seats are numbered from 0"
            )
        return
    if seat is None or any(seat == player.seat for player in hand.players):
        return
    known = {player.seat for player in (*hand.players, *hand.seated)}
    if seat not in known:
        raise IllegalActionError(
            Refusal.UNKNOWN_SEAT, f"nobody sits at seat {seat}; seats taken: {sorted(known)}"
        )


def _with_dealer(hand: HandState, dealer: int) -> HandState:
    play = hand.game.begin(hand.options, hand.players, dealer, hand.order, hand.standing)
    return replace(hand, dealer=dealer, to_cut=(), cuts=(), play=play)


def _cut(hand: HandState, event: Cut) -> HandState:
    """Cut for the deal: the lowest deals, those who tie cut again (rule G-2)."""
    if hand.phase is not Phase.CUT:
        due = "deal instead of cutting" if hand.game.cuts_for_deal else "no cards are used; go on"
        raise IllegalActionError(Refusal.WRONG_PHASE, f"the dealer is known; {due}")
    if event.seat not in hand.to_cut:
        raise IllegalActionError(
            Refusal.NOT_YOUR_TURN,
            f"seat {event.seat} need not cut; waiting for {list(hand.to_cut)}",
        )
    if event.card is None:
        raise IllegalActionError(
            Refusal.UPCARD_UNREADABLE, "a card cut must be read; lay it straight"
        )
    hand.check_new_card(event.card, (card for _, card in hand.cuts))
    cuts = (*hand.cuts, (event.seat, event.card))
    last = {**dict(hand.last_cuts), event.seat: event.card}
    waiting = tuple(seat for seat in hand.to_cut if seat != event.seat)
    hand = replace(hand, cuts=cuts, last_cuts=tuple(sorted(last.items())), to_cut=waiting)
    if waiting:
        return hand
    ranks = {seat: hand.game.cut_rank(hand.options, card) for seat, card in cuts}
    tied = tuple(sorted(seat for seat in ranks if ranks[seat] == min(ranks.values())))
    if len(tied) > 1:
        return replace(hand, to_cut=tied, cuts=())
    return _with_dealer(hand, tied[0])


def _misdeal(hand: HandState, event: Misdeal) -> HandState:
    """Make the hand void, also after its payment (rules G-13, OT-21)."""
    if not may_misdeal(hand):
        raise IllegalActionError(
            Refusal.WRONG_PHASE, "there is no hand to make void now; use undo to take an event back"
        )
    void = replace(hand, misdeal=event.reason)
    return settled(void) if hand.phase is Phase.DONE else void


def _leave(hand: HandState, event: Leave) -> HandState:
    """Let a player go, between hands or in mid-play (rules G-16, G-17)."""
    if hand.phase is Phase.CUT:
        raise IllegalActionError(
            Refusal.WRONG_PHASE,
            f"seat {event.seat} cannot leave while cards are cut; finish the cut",
        )
    if hand.phase is not Phase.DONE:
        assert hand.play is not None  # only the cut has no play yet
        hand = replace(hand, play=hand.game.leave(hand.play, event.seat))
        if hand.play is not None and hand.play.end is End.MISDEAL:  # KB-21: the banker has gone
            hand = replace(hand, misdeal=f"seat {event.seat} held the bank and left")
        stay = tuple(player for player in hand.seated if player.seat != event.seat)
        return replace(hand, seated=stay)
    if not hand.is_seated(event.seat):
        taken = [player.seat for player in hand.seated]
        raise IllegalActionError(
            Refusal.UNKNOWN_SEAT, f"seat {event.seat} is empty already; seats taken: {taken}"
        )
    return _gone(replace(hand, since=(*hand.since, event)), event)


def _gone(hand: HandState, event: Leave) -> HandState:
    """Return a finished hand after a player has left the table (rules G-16, SC-26)."""
    match = hand.game.match.without(hand.options, hand.standing, event.seat)
    stay = tuple(player for player in hand.seated if player.seat != event.seat)
    hand = replace(hand, standing=match, seated=stay)
    if hand.standing.over:
        return replace(hand, due=None)
    if hand.due == event.seat:
        hand = replace(hand, due=_stand_in(hand))
    return hand


def _join(hand: HandState, event: Join) -> HandState:
    """Seat a newcomer between hands (rules G-15, OT-1)."""
    if hand.phase is not Phase.DONE:
        raise IllegalActionError(
            Refusal.JOIN_NOT_NOW, "players join between hands; finish this one"
        )
    if not hand.game.match.takes_newcomers(hand.options):
        raise IllegalActionError(Refusal.JOIN_NOT_NOW, "the match has begun; join the next one")
    if hand.is_seated(event.seat):
        raise IllegalActionError(
            Refusal.SEAT_TAKEN, f"seat {event.seat} is taken; choose a free one"
        )
    most = hand.options.max_players
    if len(hand.seated) >= most:
        raise IllegalActionError(
            Refusal.TABLE_FULL, f"the table is full with {most}; wait for a seat"
        )
    if event.stake is not None and event.stake < 0:  # in a game without stakes too
        raise IllegalActionError(
            Refusal.BAD_STAKE, f"seat {event.seat} cannot stake {event.stake}; lay whole tokens"
        )
    return _come(replace(hand, since=(*hand.since, event)), event)


def _come(hand: HandState, event: Join) -> HandState:
    """Return a finished hand after a newcomer has sat down (rule G-15)."""
    player = event.player()
    match = hand.game.match.with_newcomer(hand.options, hand.standing, event)
    hand = replace(hand, standing=match, seated=seated((*hand.seated, player)))
    if hand.due is None and hand.game.deal_mode(hand.options) != "recut":
        hand = replace(hand, due=event.seat)  # everybody had gone, so nobody was left to deal
    return hand


def finished(hand: HandState) -> HandState:
    """Settle a hand that is over now."""
    return settled(replace(hand, ended_with=hand.seated))


def settled(hand: HandState) -> HandState:
    """Settle what the end of a hand decides: the match, and who deals next.

    Who has come or gone since it ended has come or gone (rules G-12, G-13).
    """
    void, match = hand.misdeal is not None, hand.game.match
    settle = match.after_misdeal if void else match.after_hand
    hand = replace(hand, standing=settle(hand.judged), seated=hand.ended_with)
    hand = replace(hand, due=None if hand.standing.over else _next_dealer(hand))
    for event in hand.since:
        hand = _gone(hand, event) if isinstance(event, Leave) else _come(hand, event)
    return hand


def may_misdeal(hand: HandState) -> bool:
    """Return whether the hand can be made void: it has begun and is not void yet (rule G-13)."""
    return hand.phase is not Phase.CUT and hand.misdeal is None


def who_plays_on(hand: HandState) -> list[int]:
    """Return who can play and deal the next hand: all but those out of the match (rule G-21)."""
    gone = hand.standing.eliminated
    return [player.seat for player in hand.seated if player.seat not in gone]


def _stand_in(hand: HandState) -> int | None:
    """Return who deals in the place of the next dealer, who has left between hands (G-16).

    In the first edition it was the next seat on the left in every game (rule OT-26).
    """
    chosen = None
    if hand.play is not None and hand.misdeal is None and hand.edition > 1:
        staying = [player.seat for player in hand.players if player in hand.seated]
        chosen = hand.game.stand_in(hand.play, staying)
    if chosen is None and hand.due is not None:
        chosen = first_at_or_after(who_plays_on(hand), hand.due)
    return chosen


def _next_dealer(hand: HandState) -> int | None:
    """Return who deals next (rules G-4, G-13, G-16, SC-22); ``None`` to cut again."""
    assert hand.dealer is not None  # the hand is over
    assert hand.play is not None
    seats = who_plays_on(hand)
    if hand.misdeal is not None:
        return first_at_or_after(seats, hand.dealer)
    chosen = hand.game.next_dealer(hand.play)
    if chosen is not None:
        return first_at_or_after(seats, chosen)
    mode, winners = hand.game.deal_mode(hand.options), hand.play.winners
    if mode == "recut":
        return None
    if mode == "same":
        return first_at_or_after(seats, hand.dealer)
    if mode == "winner" and len(winners) == 1:
        return first_at_or_after(seats, winners[0])
    return first_at_or_after(seats, hand.dealer + 1)


# --- corrections --------------------------------------------------------------------------------


def turns_over(hand: HandState) -> HandState:
    """Let everybody who is still to act count as having stuck (rule G-11)."""
    play = hand.play
    while play is not None and play.phase is Phase.PLAY and play.turn is not None:
        stuck = hand.game.stick_for(play, play.turn)
        if stuck is None:
            return hand
        play = stuck
    after = replace(hand, play=play)
    ended = after.phase is Phase.DONE and hand.phase is not Phase.DONE
    return finished(after) if ended else after


def _catch_up(hand: HandState, event: Event) -> HandState | None:
    """Let players count as having stuck because a later one has acted (rule G-11).

    Returns ``None`` where *event* is void all the same.
    """
    play, seat = hand.play, getattr(event, "seat", None)
    if play is None or hand.phase is not Phase.PLAY or seat not in play.order:
        return None
    turn = play.order.index(play.turn) if play.turn is not None else 0
    if play.order.index(seat) <= turn:
        return None
    while play.phase is Phase.PLAY and play.turn is not None and play.turn != seat:
        stuck = hand.game.stick_for(play, play.turn)
        if stuck is None:
            return None
        play = stuck
    caught_up = replace(hand, play=play)
    if caught_up.phase is Phase.DONE:
        return finished(caught_up)
    try:
        return step(caught_up, event)
    except IllegalActionError:
        return None
