"""Who may see what (rule G-7): the only way out of the engine for a display."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from engine.core.cards import Card
from engine.core.events import Declare, Facing
from engine.core.fast_replace import replace
from engine.core.hands import PlayerCards
from engine.core.outcome import End, Outcome
from engine.core.payments import net_tokens
from engine.core.players import Player, seated
from engine.core.views import MatchView, Phase, ResultView, SeatStatus, SeatView, View
from engine.games.base import Action
from engine.table.hand import HandState
from engine.table.state import State, legal_actions, payments_of


class Audience(StrEnum):
    """Who looks, where it is not one player by their seat."""

    TABLE = "table"
    EVERYTHING = "everything"


TABLE = Audience.TABLE
"""Everybody at the table: only what lies open."""
EVERYTHING = Audience.EVERYTHING
"""All that the engine knows: for records and tests, never for a screen."""


def view(state: State, audience: Audience | int = TABLE) -> View:
    """Return the hand as *audience* may see it: the table, one seat, or everything."""
    hand, last, game = state.round, state.outcome, state.setup.game
    play = state.live_play
    to_deal = None if play is None else game.next_to_deal(play)
    stage, bones_due = (None, 0) if play is None else game.views.asked_of_turn(play)
    seat = audience if isinstance(audience, int) else None
    moved = _moved(state, last)
    result = None
    if last is not None:
        told = last.end, last.winners, last.settlement, last.payments, last.next_dealer
        late = play is not None and play.late
        result = ResultView(*told, game.views.losses(last), late)
    return View(
        game=game.name,
        preset=state.setup.preset,
        phase=hand.phase,
        hand_number=state.hand_number,
        stake=game.stake(hand.options),
        seats=tuple(_seat_view(state, player, audience, moved) for player in _company(hand)),
        dealer=hand.dealer,
        turn=state.turn,
        card_asked=play is not None and play.asked,
        deal_to=None if to_deal is None else (to_deal[0], to_deal[1] is Facing.UP),
        to_cut=hand.to_cut,
        to_reveal=() if play is None else play.to_reveal(),
        may_reveal=() if play is None or last is None else play.may_reveal(),
        bone=None if play is None else play.bone,  # BA-13
        result=result,
        cuts=hand.last_cuts,
        stage=stage,
        bones_due=bones_due,
        middle=None if play is None else game.views.middle(play, seat, audience is EVERYTHING),
        match=_match_view(state, 0 if last is not None else -sum(moved.values())),
        cut_high=game.high_ace_of_cut(hand.options),
        bone_ace=game.bone_ace(hand.options),
        table=game.table,
        target=game.goal(hand.options),
    )


def actions_for(state: State, audience: Audience | int = TABLE) -> tuple[Action, ...]:
    """Return what may come next, as far as *audience* can tell: no action shows a hidden card.

    A claim of 31 is listed wherever it may be true by what *audience* sees, and the cards to give
    are those that it knows; so more may be listed than the engine, which sees more, would take.
    """
    play = state.live_play
    if audience is Audience.EVERYTHING or play is None or state.phase is Phase.DONE:
        return legal_actions(state)
    seat = audience if isinstance(audience, int) else None
    masked = state.setup.game.views.masked(play, seat)
    guessed = legal_actions(replace(state, round=replace(state.round, play=masked)))
    if state.phase is not Phase.SHOWDOWN:
        return guessed
    # Whose cards nobody has read is public: they are the ones who must show.
    known = tuple(action for action in legal_actions(state) if action.kind != Declare.kind)
    unread = [hand.seat for hand in play.hands if hand.has_unread]
    calls = (one for one in guessed if one.kind == Declare.kind and one.seat in unread)
    return (*known, *calls)


def is_open(hand: HandState, held: PlayerCards) -> bool:
    """Return whether all of a hand is public: shown, or the hand is over (rule G-7).

    After a misdeal the cards go back unshown.
    """
    return held.shown or (hand.phase is Phase.DONE and hand.misdeal is None)


def visible_cards(
    hand: HandState, held: PlayerCards, audience: Audience | int
) -> tuple[Card | None, ...]:
    """Return the cards of one seat; ``None`` for a back, and for a card nobody has read."""
    if audience is EVERYTHING or audience == held.seat or is_open(hand, held):
        return held.cards
    if False not in held.up:
        return held.cards
    return tuple([card if up else None for card, up in zip(held.cards, held.up, strict=True)])


def _company(hand: HandState) -> tuple[Player, ...]:
    """Return who plays this hand and who has sat down since; a newcomer takes an empty seat."""
    if hand.players is hand.seated or hand.players == hand.seated:
        return hand.players
    now = {player.seat: player for player in hand.players}
    now.update((player.seat, player) for player in hand.seated)
    return seated(tuple(now.values()))


def _seat_view(
    state: State, player: Player, audience: Audience | int, moved: Mapping[int, int]
) -> SeatView:
    hand, seat, game, live = state.round, player.seat, state.setup.game, state.live_play
    play = hand.play if player in hand.players else None
    held = PlayerCards(seat) if play is None else play.hand(seat)
    cards = visible_cards(hand, held, audience)
    told: dict[str, Any] = {}
    if play is not None:
        throws = game.views.throws(play, seat)  # bones are public
        told["throws"], told["total"] = throws, sum(map(sum, throws)) if throws else None
        told["stake_laid"] = 0 if live is None else game.views.stake_laid(play, seat)
        if cards:
            told["known"] = game.views.public_cards(play, seat)
        dead = game.views.is_dead(play, seat)
        told["thrown_in"] = dead and not held.left
        if cards and not dead:
            told["value"] = game.views.value(play, cards)
            told["hand_name"] = game.views.hand_name(play, cards)
            if not throws:
                told["total"] = game.total(play, cards)
    return SeatView(
        seat=seat,
        name=player.name,
        is_dealer=seat == hand.dealer,
        is_turn=live is not None and live.turn == seat,
        is_bone_holder=live is not None and live.bone is not None and live.bone.holder == seat,
        status=_status(hand, held),
        cards=cards,
        shown=bool(cards) and is_open(hand, held),
        tokens=_tokens(state, player, moved),
        match=game.match.player_view(hand.options, hand.standing, seat),
        **told,
    )


def _match_view(state: State, laid: int) -> MatchView | None:
    """Return how the match stands; what was *laid* in this hand waits for its winner too."""
    found = state.setup.game.match.view(state.round.options, state.round.standing)
    return found if found is None or not laid else replace(found, pot=found.pot + laid)


def _moved(state: State, last: Outcome | None) -> Mapping[int, int]:
    """Return the net tokens by seat that have moved in this hand so far."""
    if last is None:
        return net_tokens(payments_of(state))
    found = Counter(dict(last.settlement))
    if state.round.standing.over:
        found.update(dict(state.round.standing.settlement))
    return found


def _tokens(state: State, player: Player, moved: Mapping[int, int]) -> int:
    """Return net tokens of the evening, with what has been paid in this hand so far."""
    hand, seat = state.round, player.seat
    if player not in hand.players and seat not in hand.standing.eliminated:
        return state.book.given_to_newcomer(seat)  # sat down after this hand
    return state.book.tokens_of(seat) + moved.get(seat, 0)


def _status(hand: HandState, held: PlayerCards) -> SeatStatus:
    play = hand.play
    if held.left:
        return SeatStatus.LEFT
    if play is not None and hand.misdeal is None and held.seat in play.winners:
        return SeatStatus.THIRTY_ONE if play.end is End.THIRTY_ONE else SeatStatus.WINNER
    if held.out or held.seat in hand.standing.eliminated:
        return SeatStatus.OUT
    return SeatStatus.STUCK if held.stuck else SeatStatus.WAITING
