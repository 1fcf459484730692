"""Thirty-one, also called Scat, and its variants (rules SC-1 to SC-26 and section 6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from engine.core.cards import Card
from engine.core.events import (
    Accept,
    ChooseHand,
    Deal,
    DealTo,
    Declare,
    Discard,
    Draw,
    Event,
    Exchange,
    Facing,
    Knock,
    Renew,
    Restart,
    Reveal,
    Stand,
    SwapCards,
    SwapHand,
    TurnUp,
    Widow,
)
from engine.core.fast_replace import replace
from engine.core.match_state import NO_MATCH, MatchState
from engine.core.messages.prompt import Prompt
from engine.core.options import Preset
from engine.core.outcome import End, Result
from engine.core.payments import Payments, net_tokens
from engine.core.players import Player, clockwise
from engine.core.refusals import Refusal
from engine.core.text.rules_page import Section
from engine.core.views import Phase, TableKind, View
from engine.games.base import Action, Game
from engine.games.hand_views import HandViews
from engine.games.match_rules import MatchRules
from engine.games.scat import actions as scat_actions
from engine.games.scat import deal, prompts, rulebook, stock, turns
from engine.games.scat.match import ScatMatchState
from engine.games.scat.match_rules import ScatMatch
from engine.games.scat.options import SCAT_PRESETS, ScatOptions
from engine.games.scat.play import OPEN_HAND, Place, ScatHand, ScatPlay, pack_of, refusal
from engine.games.scat.scoring import antes
from engine.games.scat.scoring.payments import of_thirty_one
from engine.games.scat.scoring.settlement import details
from engine.games.scat.story import ScatStory
from engine.games.scat.variants import banking, stop_the_bus, switch
from engine.games.scat.views import ScatViews, suit_value
from engine.games.story import Story

Step = Callable[[ScatPlay, Any], ScatPlay]

_STEPS: Mapping[tuple[Phase, type[Event]], Step] = {
    (Phase.DEAL, Deal): deal.deal,
    (Phase.DEAL, DealTo): deal.deal_to,
    (Phase.TURN_UP, TurnUp): stock.turn_up,
    (Phase.CHOOSE, ChooseHand): switch.choose_hand,
    (Phase.PLAY, Knock): turns.knock,
    (Phase.PLAY, Stand): turns.stand,
    (Phase.SHOWDOWN, Reveal): turns.reveal,
    (Phase.RESTART, Restart): switch.restart,
    (Phase.RESTART, Accept): switch.accept,
}
"""What each event does, by the phase of the round."""

_TURNS: Mapping[str, Mapping[type[Event], Step]] = {
    "none": {Draw: stock.draw, Discard: stock.discard},
    "widow": {Draw: stock.draw, Discard: stock.discard, Widow: banking.exchange},
    "switch": {
        Discard: stock.discard,  # refused there: nothing has been drawn
        Exchange: switch.exchange,
        SwapHand: switch.swap,
        Renew: switch.renew,
    },
    "bus": {SwapCards: stop_the_bus.swap},
}
"""What a turn may be besides, by the option ``table``."""


class Scat(Game):
    """One game with a preset for every variant."""

    name: ClassVar[str] = "scat"
    aliases: ClassVar[tuple[str, ...]] = ("thirty-one", "ride-the-bus", "cadillac")
    title: ClassVar[str] = "Thirty-one"
    about: ClassVar[str] = "Draw and discard: 31 in one suit. Knock in time."
    emblem: ClassVar[tuple[str | None, ...]] = ("AH", "KH", "TH")
    table: ClassVar[TableKind] = TableKind.MIDDLE
    strategist: ClassVar[str] = "engine.games.scat.bots.strategy:ScatPlayer"
    teacher: ClassVar[str] = "engine.games.scat.hints:ScatHints"
    story: ClassVar[Story] = ScatStory()
    options_type: ClassVar[type[Any]] = ScatOptions
    presets: ClassVar[tuple[Preset, ...]] = SCAT_PRESETS
    cards_move: ClassVar[bool] = True
    match_type: ClassVar[type[MatchRules[Any]]] = ScatMatch
    views_type: ClassVar[type[HandViews]] = ScatViews

    # --- the deal ---------------------------------------------------------------------------

    def begin(
        self,
        options: Any,
        players: Sequence[Player],
        dealer: int,
        order: tuple[int, ...] = (),
        standing: MatchState = NO_MATCH,
    ) -> ScatPlay:
        """Lay out empty hands and count the pack, which becomes the stock (SC-3, SC-17, ED-3).

        After a restart of Switch its hand lies open already (SW-8).
        """
        seats = clockwise((player.seat for player in players), after=dealer)
        play = ScatPlay(
            options=options,
            dealer=dealer,
            players=tuple(players),
            eldest=seats,
            hands=tuple(ScatHand(seat) for seat in seats),
            order=seats,
            standing=standing,
            stock=options.deck * options.decks,
        )
        if not isinstance(standing, ScatMatchState) or not standing.restart:
            return play
        open_hand = tuple(Place(card, up=True) for card in standing.restart)
        return replace(play.with_pile(OPEN_HAND, open_hand), stock=play.stock - len(open_hand))

    def step(self, play: ScatPlay, event: Event) -> ScatPlay:
        """Apply one event; seat known, then phase, seat out, turn, the rest."""
        take = _STEPS.get((play.phase, type(event)))
        if take is None and play.phase is Phase.PLAY:
            take = _TURNS[play.options.table].get(type(event))
        if isinstance(event, Declare):  # in play; a late call when the round is over
            take = turns.declare
        if take is None:
            raise refusal(Refusal.WRONG_PHASE, _wrong_phase(play, event))
        return take(play, event)

    def next_to_deal(self, play: ScatPlay) -> tuple[int, Facing] | None:
        """Return the seat that gets the next card; ``None`` too while the table gets one (SC-3)."""
        seat = deal.seat_due(play)
        return None if seat is None or deal.due_piles(play) else (seat, Facing.DOWN)

    def leave(self, play: ScatPlay, seat: int) -> ScatPlay:
        """Count a player who goes away as out (rules G-17, SC-26)."""
        return turns.leave(play, seat)

    def actions(self, play: ScatPlay) -> tuple[Action, ...]:
        """List what the rules allow next."""
        if play.phase is Phase.DEAL:
            return deal.actions(play)
        return scat_actions.actions(play)

    # --- the end ----------------------------------------------------------------------------

    def total(self, play: ScatPlay, cards: Sequence[Card | None]) -> int | None:
        """Return what cards are worth in whole points; 30.5 is no total (SC-2, TK-1)."""
        worth = suit_value(play, cards)
        return None if worth is None or worth != int(worth) else int(worth)

    def result(self, play: ScatPlay) -> Result:
        """Return the end of the round with what it cost (rules SC-7 to SC-11, NE, BK)."""
        if play.end is None:
            raise ValueError("the hand is not over; ask again after its last event")
        found = details(play)
        net = net_tokens(antes.payments(play), (hand.seat for hand in play.hands))
        return Result(
            end=play.end,
            winners=play.winners,
            totals=found.values,
            out=tuple(sorted(hand.seat for hand in play.hands if hand.left)),
            settlement=tuple(sorted(net.items())),
            details=found,
            to_pot=-sum(net.values()),
        )

    def payments(self, play: ScatPlay) -> Payments:
        """Return the lives, points or tokens that moved, and by which rule (SC-7 to SC-11)."""
        return of_thirty_one(play)

    def next_dealer(self, play: ScatPlay) -> int | None:
        """Keep the dealer after a restart (rule SW-8); else the option decides (SC-22)."""
        return play.dealer if play.end is End.RESTART else None

    def prompt(self, view: View, *, guided: bool = False) -> Prompt:
        """Return what is said at an ordinary moment."""
        return prompts.prompt(view, guided=guided)

    def rules(self, options: Any) -> tuple[Section, ...]:
        """Return the page of this variant."""
        return rulebook.scat(options)

    def stake(self, options: Any) -> int:
        """Return the ante of a hand, or what each put up for the match (rules BK-1, SC-21)."""
        return int(options.ante if options.scoring == "ante" else options.buy_in)

    def pack(self, options: Any) -> frozenset[Card]:
        """Return the cards in use (rules G-9, ED-1)."""
        return pack_of(options)


def _may_do(play: ScatPlay) -> str:
    """Return in words what the turn may be used for; a call of 31 tells of hands (rule G-7)."""
    kinds = dict.fromkeys(action.kind for action in scat_actions.actions(play))
    return " or ".join(kind for kind in kinds if kind != Declare.kind)


def _wrong_phase(play: ScatPlay, event: Event) -> str:
    words = {
        Phase.DEAL: "cards are still being dealt; finish the deal first",
        Phase.TURN_UP: "the first card of the discard is due; turn it up",
        Phase.CHOOSE: f"seat {play.dealer} chooses one of his two hands first",
        Phase.PLAY: f"it is the turn of seat {play.turn}: {_may_do(play)}",
        Phase.SHOWDOWN: f"hands are being shown; show seats {list(play.to_reveal())} first",
        Phase.RESTART: "a player may begin anew; restart, or accept the scoring",
        Phase.DONE: "the hand is over; begin the next hand first",
    }
    return f"no {event.kind!r} now: {words[play.phase]}"
