"""Thirty-one, also called Scat, and its variants (rules SC-1 to SC-28 and section 6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from engine.core.cards import Card, Suit
from engine.core.events import (
    Accept,
    ChooseHand,
    Claim,
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
from engine.core.options import Preset
from engine.core.outcome import NO_MATCH, End, MatchState, Result
from engine.core.players import Player, clockwise
from engine.core.refusals import Refusal
from engine.core.views import Phase, TableKind
from engine.games.base import Action, Game
from engine.games.hand_views import HandViews
from engine.games.match_rules import MatchRules
from engine.games.scat import background, deal, prompts, rulebook, turns, variants
from engine.games.scat.match import ScatMatch
from engine.games.scat.options import CARDS_DEALT, SCAT_PRESETS, ScatOptions
from engine.games.scat.play import (
    OPEN_HAND,
    Place,
    ScatHand,
    ScatMatchState,
    ScatPlay,
    pack_of,
    refusal,
)
from engine.games.scat.points import BLITZ, points
from engine.games.scat.settlement import details, net, payments
from engine.games.scat.story import ScatStory
from engine.games.scat.views import ScatViews, suit_value
from engine.games.story import Story

Step = Callable[[ScatPlay, Any], ScatPlay]

_STEPS: Mapping[tuple[Phase, type[Event]], Step] = {
    (Phase.DEAL, Deal): deal.deal,
    (Phase.DEAL, DealTo): deal.deal_to,
    (Phase.TURN_UP, TurnUp): deal.turn_up,
    (Phase.CHOOSE, ChooseHand): variants.choose_hand,
    (Phase.PLAY, Knock): turns.knock,
    (Phase.PLAY, Stand): turns.stand,
    (Phase.SHOWDOWN, Reveal): turns.reveal,
    (Phase.RESTART, Restart): variants.restart,
    (Phase.RESTART, Accept): variants.accept,
}
"""What each event does, by the phase of the round."""

_TURNS: Mapping[str, Mapping[type[Event], Step]] = {
    "none": {Draw: deal.draw, Discard: deal.discard},
    "widow": {Draw: deal.draw, Discard: deal.discard, Widow: variants.widow},
    "switch": {
        Discard: deal.discard,  # refused there: nothing has been drawn
        Exchange: variants.exchange,
        SwapHand: variants.swap_hand,
        Renew: variants.renew,
    },
    "bus": {SwapCards: variants.swap_cards},
}
"""What a turn may be besides, by the option ``table``."""


class Scat(Game):
    """One game with a preset for every variant."""

    name: ClassVar[str] = "scat"
    aliases: ClassVar[tuple[str, ...]] = (
        "Scat",
        "Blitz",
        "Trente et un",
        "Ride the bus",
        "Cadillac",
        "Cad",
        "Whammy!",
        "Juble",
        "Kitty",
        "High hat",
        "Geronimo",
        "Nickle knock",
    )
    title: ClassVar[str] = "Thirty-one"
    about: ClassVar[str] = "Draw and discard: 31 in one suit. Knock in time."
    emblem: ClassVar[tuple[str | None, ...]] = ("AH", "KH", "TH")
    table: ClassVar[TableKind] = TableKind.MIDDLE
    strategist: ClassVar[str] = "engine.games.scat.bots.strategy:ScatPlayer"
    teacher: ClassVar[str] = "engine.games.scat.hints:ScatHints"
    chances: ClassVar[str] = "engine.games.scat.chances:ScatChances"
    story: ClassVar[Story] = ScatStory()
    options_type: ClassVar[type[Any]] = ScatOptions
    presets: ClassVar[tuple[Preset, ...]] = SCAT_PRESETS
    cards_move: ClassVar[bool] = True
    match_type: ClassVar[type[MatchRules[Any]]] = ScatMatch
    views_type: ClassVar[type[HandViews]] = ScatViews

    pack = staticmethod(pack_of)
    leave = staticmethod(turns.leave)
    payments = staticmethod(payments)
    prompt = staticmethod(prompts.prompt)
    background = staticmethod(background.scat)
    rules = staticmethod(rulebook.scat)

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
            standing=standing if isinstance(standing, ScatMatchState) else ScatMatchState(),
            stock=options.deck * options.decks,
        )
        open_hand = tuple(Place(card, up=True) for card in play.standing.restart)
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

    def actions(self, play: ScatPlay) -> tuple[Action, ...]:
        """List what the rules allow next: complete and exact, for prompts and for tests."""
        found: list[Action] = []
        match play.phase:
            case Phase.DEAL:
                return deal.deal_actions(play)
            case Phase.TURN_UP:
                found.append(Action("turn_up", face=Facing.UP, cards=1))
            case Phase.CHOOSE:
                found += variants.choices(play)
            case Phase.PLAY:
                found += _of_the_turn(play)
            case Phase.SHOWDOWN:
                cards = ((seat, len(play.hand(seat).cards)) for seat in play.to_reveal())
                found += [Action("reveal", seat, cards=number) for seat, number in cards]
            case Phase.RESTART:
                found += [Action("restart", seat) for seat in turns.may_restart(play)]
                found.append(Action("accept"))
        found += [
            Action("declare", seat, what=Claim.THIRTY_ONE, cards=len(play.hand(seat).cards))
            for seat in play.holding
            if turns.may_call(play, seat) and _may_be_blitz(play, seat)
        ]
        found += [
            Action("declare", seat, what=Claim.OUT)
            for seat in play.holding
            if turns.may_throw_in(play, seat)
        ]
        return tuple(found)

    # --- the end ----------------------------------------------------------------------------

    def total(self, play: ScatPlay, cards: Sequence[Card | None]) -> int | None:
        """Return what cards are worth in whole points; 30.5 is no total (SC-2, TK-1)."""
        worth = suit_value(play, cards)
        return None if worth is None or worth != int(worth) else int(worth)

    def result(self, play: ScatPlay) -> Result:
        """Return the end of the round with what it cost (rules SC-7 to SC-11, NE, BK)."""
        if play.end is None:
            raise ValueError("the hand is not over; ask again after its last event")
        found, tokens = details(play), net(play)
        return Result(
            end=play.end,
            winners=play.winners,
            totals=found.values,
            out=tuple(sorted(hand.seat for hand in play.hands if hand.out)),
            settlement=tuple(sorted(tokens.items())),
            details=found,
            to_pot=-sum(tokens.values()),
        )

    def next_dealer(self, play: ScatPlay) -> int | None:
        """Keep the dealer after a restart (rule SW-8); else the option decides (SC-22)."""
        return play.dealer if play.end is End.RESTART else None

    def stake(self, options: Any) -> int:
        """Return the ante of a hand, or what each put up for the match (rules BK-1, SC-21)."""
        return int(options.ante if options.scoring == "ante" else options.buy_in)


def _of_the_turn(play: ScatPlay) -> list[Action]:
    """List what the player whose turn it is may do (SC-4 to SC-6, BK-3, SW-3 to SW-7, SB-2)."""
    found: list[Action] = []
    seat = play.turn
    if seat is not None:
        if play.options.has_discard:
            found += deal.turn_actions(play, seat)
        found += variants.actions(play, seat)
        if turns.may_stand(play):
            found.append(Action("stand", seat))
    found += [Action("knock", each) for each in play.holding if turns.may_knock(play, each)]
    return found


def _may_be_blitz(play: ScatPlay, seat: int) -> bool:
    """Return whether a hand is 31, or could be by cards that nobody has read (G-6, SC-24)."""
    cards = play.hand(seat).cards
    if None not in cards:
        return play.value(seat) == BLITZ
    known = Counter(play.hand(seat).read_cards)
    if len(cards) != CARDS_DEALT or len({card.suit for card in known}) > 1:
        return False
    left = Counter({card: play.options.decks for card in pack_of(play.options)})
    left.subtract(play.seen(but=seat))
    held, hidden = sum(map(points, known.elements())), cards.count(None)
    for suit in {card.suit for card in known} or Suit:
        unseen = Counter({card: n for card, n in left.items() if card.suit is suit}) - known
        rest = sorted(map(points, unseen.elements()), reverse=True)
        if held + sum(rest[:hidden]) >= BLITZ:  # with three cards of one suit (SC-2)
            return True
    return False


def _wrong_phase(play: ScatPlay, event: Event) -> str:
    turn = _of_the_turn(play) if play.phase is Phase.PLAY else []
    may = " or ".join(dict.fromkeys(action.kind for action in turn))
    words = {
        Phase.DEAL: "cards are still being dealt; finish the deal first",
        Phase.TURN_UP: "the first card of the discard is due; turn it up",
        Phase.CHOOSE: f"seat {play.dealer} chooses one of their two hands first",
        Phase.PLAY: f"it is the turn of seat {play.turn}: {may}",
        Phase.SHOWDOWN: f"hands are being shown; show seats {list(play.to_reveal())} first",
        Phase.RESTART: "a player may start again; restart, or accept the scoring",
        Phase.DONE: "the hand is over; begin the next hand first",
    }
    return f"no {event.kind!r} now: {words[play.phase]}"
