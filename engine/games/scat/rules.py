"""Thirty-one, also called Scat, and its variants (rules SC-1 to SC-26 and section 6).

The turns are in :mod:`engine.games.scat.turns`, what a variant lays on the table in
``scat_widow``, ``scat_switch`` and ``scat_bus``, the scoring in ``scat_settlement``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    Join,
    Knock,
    PackEnd,
    Pile,
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
from engine.core.options import Preset
from engine.core.outcome import End, Outcome, Result
from engine.core.payments import Payments
from engine.core.players import Player, clockwise
from engine.core.text.prompt import Prompt
from engine.core.text.rules_page import Section
from engine.core.tokens import Tokens
from engine.core.views import LossView, MatchView, MiddleView, Phase, PlayerMatchView, View
from engine.games.base import Action, Game, with_hand
from engine.games.scat import (
    actions as scat_actions,
)
from engine.games.scat import (
    match as scat_standing,
)
from engine.games.scat import (
    prompts,
    rulebook,
    settlement,
    stock,
    turns,
)
from engine.games.scat import (
    record as scat_record,
)
from engine.games.scat.match import ScatMatchState
from engine.games.scat.options import CARDS_DEALT, SCAT_PRESETS, ScatOptions
from engine.games.scat.payments import of_a_match, of_thirty_one
from engine.games.scat.play import OPEN_HAND, Place, ScatHand, ScatPlay, check_new, pack_of, refusal
from engine.games.scat.story import ScatStory
from engine.games.scat.variants import banking, stop_the_bus, switch
from engine.games.story import Story

_ORDERED = {"none": (), "widow": (), "switch": (Pile.SECOND, Pile.MIDDLE), "bus": (Pile.TABLE,)}
"""Piles that are dealt once every player has his three cards (SW-1, SB-2)."""


class Scat(Game):
    """One game with a preset for every variant."""

    name: ClassVar[str] = "scat"
    aliases: ClassVar[tuple[str, ...]] = ("thirty-one", "ride-the-bus", "cadillac")
    title: ClassVar[str] = "Thirty-one"
    about: ClassVar[str] = "Draw and discard: 31 in one suit. Knock in time."
    emblem: ClassVar[tuple[str | None, ...]] = ("AH", "KH", "TH")
    family: ClassVar[str] = "scat"
    story: ClassVar[Story] = ScatStory()
    options_type: ClassVar[type[Any]] = ScatOptions
    presets: ClassVar[tuple[Preset, ...]] = SCAT_PRESETS
    cards_move: ClassVar[bool] = True

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
        """Take one event; seat known, then phase, seat out, turn, the rest."""
        after = self._before_play(play, event)
        if after is None:
            after = self._in_play(play, event)
        if after is None:
            after = self._after_play(play, event)
        if after is None:
            raise refusal("WRONG_PHASE", _wrong_phase(play, event))
        return after

    def _before_play(self, play: ScatPlay, event: Event) -> ScatPlay | None:
        if play.phase is Phase.DEAL:
            if isinstance(event, Deal):
                return self._deal(play, event)
            if isinstance(event, DealTo):
                return self._deal_to(play, event)
        if play.phase is Phase.TURN_UP and isinstance(event, TurnUp):
            return stock.turn_up(play, event)
        if play.phase is Phase.CHOOSE and isinstance(event, ChooseHand):
            return switch.choose_hand(play, event)
        return None

    def _in_play(self, play: ScatPlay, event: Event) -> ScatPlay | None:
        if play.phase is not Phase.PLAY:
            return None
        table = play.options.table
        if isinstance(event, Draw) and play.options.has_discard:
            return stock.draw(play, event)
        if isinstance(event, Discard) and table != "bus":  # in Switch it is told to draw first
            return stock.discard(play, event)
        if isinstance(event, Knock):
            return turns.knock(play, event)
        if isinstance(event, Stand):
            return turns.stand(play, event)
        if isinstance(event, Widow) and table == "widow":
            return banking.exchange(play, event)
        if isinstance(event, SwapCards) and table == "bus":
            return stop_the_bus.swap(play, event)
        if table == "switch":
            if isinstance(event, Exchange):
                return switch.exchange(play, event)
            if isinstance(event, SwapHand):
                return switch.swap(play, event)
            if isinstance(event, Renew):
                return switch.renew(play, event)
        return None

    def _after_play(self, play: ScatPlay, event: Event) -> ScatPlay | None:
        if isinstance(event, Declare):  # in play; a late call when the round is over
            return turns.declare(play, event)
        if isinstance(event, Reveal) and play.phase is Phase.SHOWDOWN:
            return turns.reveal(play, event)
        if isinstance(event, Restart) and play.phase is Phase.RESTART:
            return switch.restart(play, event)
        if isinstance(event, Accept) and play.phase is Phase.RESTART:
            return switch.accept(play)
        return None

    def _deal(self, play: ScatPlay, event: Deal) -> ScatPlay:
        """Deal a card to a player, one at a time from the dealer's left (rules SC-3, G-21)."""
        hand = play.hand(event.seat)
        if len(hand.cards) >= CARDS_DEALT:
            raise refusal(
                "TOO_MANY_CARDS",
                f"seat {event.seat} has three cards; put the card back, or call a misdeal",
            )
        due = due_piles(play)
        if due or self._seat_due(play) != event.seat:
            raise refusal("WRONG_DEAL_ORDER", f"the next card goes {_goes_to(play, due)}")
        if event.end is PackEnd.BOTTOM:
            raise refusal("WRONG_END", "cards come from the top of the pack; call a misdeal")
        check_new(play, event.card)
        hand = hand.take(event.card, up=event.face is Facing.UP)
        return self._dealt(with_hand(play, hand))

    def _deal_to(self, play: ScatPlay, event: DealTo) -> ScatPlay:
        """Deal a card to the table, or to the dealer's other hand (BK-2, SW-1, SB-2)."""
        if event.to not in piles_of(play):
            raise refusal(
                "WRONG_PHASE", f"this deal has no pile {str(event.to)!r}; give it to a player"
            )
        if event.to is Pile.SECOND and event.seat not in (None, play.dealer):
            raise refusal(
                "WRONG_DEAL_ORDER", f"only the dealer, seat {play.dealer}, has a second hand"
            )
        lying = play.pile(event.to)
        if len(lying) >= CARDS_DEALT:
            raise refusal("TOO_MANY_CARDS", f"{str(event.to)!r} has three cards; put the card back")
        due = due_piles(play)
        if event.to not in due:
            raise refusal("WRONG_DEAL_ORDER", f"the next card goes {_goes_to(play, due)}")
        if event.to is Pile.TABLE and (event.card is None or event.face is not Facing.UP):
            raise refusal(
                "UPCARD_UNREADABLE", "cards for the table lie face up; turn it up and read it"
            )
        check_new(play, event.card)
        laid = Place(event.card, up=event.face is Facing.UP)
        return self._dealt(play.with_pile(event.to, (*lying, laid)))

    def _dealt(self, play: ScatPlay) -> ScatPlay:
        """Count the card, and see whether it was the last of the deal (SC-3, SW-2, SB-2)."""
        play = replace(play, stock=play.stock - 1)
        if self._seat_due(play) is not None or due_piles(play):
            return play
        if play.options.has_discard:
            return replace(play, phase=Phase.TURN_UP)
        if play.pile(Pile.SECOND):
            return replace(play, phase=Phase.CHOOSE, turn=play.dealer)
        return turns.begin_turns(play)

    def _seat_due(self, play: ScatPlay) -> int | None:
        waiting = [hand for hand in play.hands if len(hand.cards) < CARDS_DEALT]
        if play.phase is not Phase.DEAL or not waiting:
            return None
        return min(waiting, key=lambda hand: len(hand.cards)).seat

    def next_to_deal(self, play: ScatPlay) -> tuple[int, Facing] | None:
        """Name the seat that gets the next card; ``None`` too while the table gets one (SC-3)."""
        seat = self._seat_due(play)
        return None if seat is None or due_piles(play) else (seat, Facing.DOWN)

    def leave(self, play: ScatPlay, seat: int) -> ScatPlay:
        """Count a player who goes away as out (rules G-17, SC-26)."""
        return turns.leave(play, seat)

    def actions(self, play: ScatPlay) -> tuple[Action, ...]:
        """List what the rules allow next."""
        if play.phase is Phase.DEAL:
            due = due_piles(play)
            if due:
                return tuple(
                    Action("deal", pile=pile, face=_face(pile), end=PackEnd.TOP, cards=1)
                    for pile in due
                )
            seat = self._seat_due(play)
            return (Action("deal", seat, face=Facing.DOWN, end=PackEnd.TOP, cards=1),)
        return scat_actions.actions(play)

    # --- the end ----------------------------------------------------------------------------

    def total(self, play: ScatPlay, cards: Sequence[Card | None]) -> int | None:
        """Return what cards are worth in whole points; 30.5 is no total (SC-2, TK-1)."""
        worth = self.value(play, cards)
        return None if worth is None or worth != int(worth) else int(worth)

    def value(self, play: ScatPlay, cards: Sequence[Card | None]) -> float | None:
        """Return what cards are worth; nothing where Brag hands are compared (SC-2, SB-1)."""
        return None if play.options.ranking == "brag" else play.value_of(cards)

    def result(self, play: ScatPlay) -> Result:
        """Return the end of the round with what it cost (rules SC-7 to SC-11, NE, BK)."""
        if play.end is None:
            raise ValueError("the hand is not over; ask again after its last event")
        found = settlement.details(play)
        net = settlement.settlement(play)
        return Result(
            end=play.end,
            winners=play.winners,
            totals=found.values,
            out=tuple(sorted(hand.seat for hand in play.hands if hand.left)),
            settlement=tuple(sorted(net.items())),
            details=found,
            to_pot=settlement.to_pot(play),
        )

    def paid_so_far(self, play: ScatPlay) -> dict[int, int]:
        """Return the antes, which lie on the table while the hand goes on (rule BK-1)."""
        if play.options.scoring != "ante":
            return {}
        return dict.fromkeys(play.order, -play.options.ante)

    def payments(self, play: ScatPlay) -> Payments:
        """Return the lives, points or tokens that moved, and by which rule (SC-7 to SC-11)."""
        return of_thirty_one(play)

    def match_payments(self, options: Any, standing: Any) -> Payments:
        """Return the buy-ins, and who takes the pot of the match (rules SC-21, SC-25)."""
        return of_a_match(options, standing)

    # --- from hand to hand ------------------------------------------------------------------

    def opening(self, options: Any, players: Sequence[Player]) -> MatchState:
        """Return how a match stands before its first hand (rules SC-1, DB-1, NE-6)."""
        return scat_standing.opening(options, players)

    def read_standing(
        self, options: Any, players: Sequence[Player], record: Mapping[str, Any]
    ) -> MatchState:
        """Return a match in progress from the key ``start`` of a case.

        Raises:
            BoneAceError: the record names a match that cannot be.
        """
        return scat_standing.read(options, players, record)

    def standing_after(self, play: ScatPlay) -> MatchState:
        """Return how the match stands after a finished round (SC-21, SC-25, NE-6, BK-8)."""
        return settlement.standing_after(play)

    def standing_if_void(self, play: ScatPlay) -> MatchState:
        """Return the match after a misdeal; who left is out of it (rules G-13, SC-26)."""
        return settlement.standing_if_void(play)

    def leave_match(self, options: Any, standing: Any, seat: int) -> MatchState:
        """Return the match without a player who leaves between hands (rules G-16, SC-26)."""
        return scat_standing.without(options, standing, (seat,))

    def takes_newcomers(self, options: Any, standing: MatchState) -> bool:
        """Tell whether anybody may join: not in a match with lives that has begun (G-15)."""
        return bool(options.scoring != "lives")

    def next_standing(self, options: Any, standing: Any, stakes: Tokens) -> MatchState:
        """Return how the match stands as the next hand begins.

        Raises:
            IllegalActionError: ``WRONG_PHASE``: stakes were named, and none are laid here.
        """
        if stakes:
            raise refusal("WRONG_PHASE", f"no stakes are laid in {self.title}; leave them out")
        result: MatchState = standing
        return result

    def join_match(self, options: Any, standing: Any, event: Join) -> MatchState:
        """Let a newcomer begin without points (rules G-15, NE-6)."""
        if not self.takes_newcomers(options, standing):
            raise refusal("JOIN_NOT_NOW", "the match has begun; join the next one")
        if options.scoring != "points":
            return super().join_match(options, standing, event)
        points = {**dict(standing.points), event.seat: 0}
        joined: MatchState = replace(standing, points=tuple(sorted(points.items())))
        return joined

    def next_dealer(self, play: ScatPlay) -> int | None:
        """Keep the dealer after a restart (rule SW-8); else the option decides (SC-22)."""
        return play.dealer if play.end is End.RESTART else None

    # --- for records and screens ------------------------------------------------------------

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

    def hand_record(self, outcome: Outcome) -> dict[str, Any]:
        """Return a finished hand in the words of the case format."""
        return scat_record.hand_record(outcome)

    def state_record(self, play: ScatPlay) -> dict[str, Any]:
        """Return what the case format says of a round of this game only."""
        return scat_record.state_record(play)

    def masked(self, play: ScatPlay, seat: int | None) -> ScatPlay:
        """Return *play* with every card unread that *seat* may not know of (rule G-7)."""
        return scat_record.masked(play, seat)

    def middle(self, play: ScatPlay, seat: int | None, everything: bool) -> MiddleView:
        """Return what lies between the players, as one of them or all may see it (G-7)."""
        return scat_record.middle(play, due_piles(play), seat, everything)

    def toll(self, outcome: Outcome) -> LossView | None:
        """Return the lives or points of a finished hand."""
        return scat_record.toll(outcome)

    def match(self, options: Any, standing: Any) -> MatchView | None:
        """Return how the match stands, which is public."""
        return scat_record.match(options, standing)

    def player_match_view(self, options: Any, standing: Any, seat: int) -> PlayerMatchView | None:
        """Return how a player stands in the match, which is public."""
        return scat_record.player_match_view(options, standing, seat)

    def public_cards(self, play: ScatPlay, seat: int) -> tuple[Card, ...]:
        """Return the cards everybody saw go into a hand that is held (section 5, Public)."""
        return play.hand(seat).public_cards()

    def hand_name(self, play: ScatPlay, cards: Sequence[Card | None]) -> str | None:
        """Return what cards are in Brag; ``None`` while one is unread, or where suits count."""
        return scat_record.hand_name(play, cards)


def piles_of(play: ScatPlay) -> tuple[Pile, ...]:
    """Return which piles this deal lays on the table; no second hand after a restart (SW-8)."""
    if play.options.table == "widow":
        return (Pile.WIDOW,)
    if play.pile(OPEN_HAND):
        return (Pile.MIDDLE,)
    return _ORDERED[play.options.table]


def due_piles(play: ScatPlay) -> tuple[Pile, ...]:
    """Return the piles one of which gets the next card; none while a player does (BK-2)."""
    if play.phase is not Phase.DEAL:
        return ()
    fewest = min(len(hand.cards) for hand in play.hands)
    if play.options.table == "widow":
        return (Pile.WIDOW,) if len(play.pile(Pile.WIDOW)) < fewest else ()
    if fewest < CARDS_DEALT:
        return ()
    return tuple(pile for pile in piles_of(play) if len(play.pile(pile)) < CARDS_DEALT)


def _face(pile: Pile) -> Facing:
    return Facing.UP if pile is Pile.TABLE else Facing.DOWN


def _goes_to(play: ScatPlay, due: tuple[Pile, ...]) -> str:
    if due:
        return f"to the table ({', '.join(due)}); deal it there"
    waiting = min(play.hands, key=lambda hand: len(hand.cards))
    return f"to seat {waiting.seat}; deal it there"


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
