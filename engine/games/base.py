"""What every game must be able to do; the table does all the rest.

A game knows one hand: dealing, turns, the end, the settlement. Cutting, misdeals, undo,
corrections, joining, the next dealer and the ledger belong to :mod:`engine.table.state`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

from engine.core.cards import Card
from engine.core.events import (
    Claim,
    CorrectBone,
    Event,
    Facing,
    Keep,
    PackEnd,
    Pile,
    Source,
    TableHand,
)
from engine.core.fast_replace import replace
from engine.core.hands import PACK, PlayerCards
from engine.core.messages.prompt import Prompt
from engine.core.options import Preset
from engine.core.outcome import NO_MATCH, Bone, End, MatchState, Result
from engine.core.payments import PaymentReason, Payments, net_tokens, of_result, transfers
from engine.core.players import Player, clockwise
from engine.core.refusals import IllegalActionError, Refusal
from engine.core.text.rules_page import Section
from engine.core.tokens import check_zero_sum, flows
from engine.core.views import Phase, TableKind, View
from engine.games.hand_views import HandViews
from engine.games.match_rules import MatchRules
from engine.games.prompts import card_prompt
from engine.games.story import Story

PlayT = TypeVar("PlayT", bound="Play")


@dataclass(frozen=True, slots=True)
class Action:
    """Something that is allowed next; prompts are drawn from these.

    Attributes:
        kind: the ``kind`` of the event.
        seat: who does it; ``None`` where the event names nobody (or, for a ``join``, any of the
            free seats).
        what: for a ``declare``, the claim.
        face: for a ``deal``, how the rules want the card laid. A card laid open by accident is
            taken too (rule BA-12).
        end: for a ``deal``, the only end of the pack allowed; ``None`` when either is.
        cards: how many cards the event must bring.
        bones: how many bones the event must bring: those of a ``roll``, or the one put right by
            a ``correct``.
        least: the smallest number that a ``choose`` or a ``stake`` may name.
        most: the largest one; ``None`` where there is no end.
        source: for a ``draw``, from where.
        pile: for a ``deal`` to the table, the pile.
        hand: in Switch, the hand on the table.
        keep: for a ``choose_hand``, the hand kept.
        give: the cards that are known to be the player's to give; secret, so no prompt for the
            whole table may show them: see :func:`engine.table.visibility.actions_for`.
        unread: how many unread cards of their hand may be given besides.
        take: the cards that lie open to be taken.
        counts: how many cards may change places at once; empty where it is one.
        places: the places on the table to choose from, from 0.
    """

    kind: str
    seat: int | None = None
    what: Claim | None = None
    face: Facing | None = None
    end: PackEnd | None = None
    cards: int = 0
    bones: int = 0
    least: int | None = None
    most: int | None = None
    source: Source | None = None
    pile: Pile | None = None
    hand: TableHand | None = None
    keep: Keep | None = None
    give: tuple[Card, ...] = ()
    unread: int = 0
    take: tuple[Card, ...] = ()
    counts: tuple[int, ...] = ()
    places: tuple[int, ...] = ()


@dataclass(frozen=True)
class Play:
    """One hand of a game, from the first card to the end. Immutable.

    Attributes:
        eldest: the seats, eldest first, the dealer last (rule G-1).
        order: the seats in the order of turns; empty until it is determined.
        turn: whose turn it is, in play only.
        asked: the player whose turn it is waits for the card they asked for (rule OT-20).
        end: why the hand is over; ``None`` while it goes on.
        late: the end was found when cards were shown, by their order (rules OT-18, OT-19).
        standing: how the match stood when the hand began.
        counted: how it stood then, counted again since (rules G-12, G-23); ``None``: the same.
    """

    options: Any
    dealer: int
    players: tuple[Player, ...]
    eldest: tuple[int, ...]
    hands: tuple[PlayerCards, ...]
    phase: Phase = Phase.DEAL
    order: tuple[int, ...] = ()
    turn: int | None = None
    asked: bool = False
    bone: Bone | None = None
    end: End | None = None
    winners: tuple[int, ...] = ()
    late: bool = False
    standing: MatchState = field(default_factory=MatchState)
    counted: Any = None

    @property
    def carried_in(self) -> Any:
        """Return how the match stood when the hand began, as its result goes by (rule G-23)."""
        return self.standing if self.counted is None else self.counted

    def hand(self, seat: int) -> PlayerCards:
        """Return the hand of *seat*.

        Raises:
            IllegalActionError: ``UNKNOWN_SEAT``.
        """
        for hand in self.hands:
            if hand.seat == seat:
                return hand
        raise IllegalActionError(
            Refusal.UNKNOWN_SEAT,
            f"nobody plays at seat {seat}; seats in the hand: {[h.seat for h in self.hands]}",
        )

    def seen(self, but: int | None = None) -> Iterator[Card]:
        """Iterate over the cards read so far, without those of seat *but*."""
        for hand in self.hands:
            if hand.seat != but:
                for card in hand.cards:
                    if card is not None:
                        yield card

    def to_reveal(self) -> tuple[int, ...]:
        """Return the seats that must show their hands, in the order of turns (rule OT-18)."""
        if self.phase is not Phase.SHOWDOWN:
            return ()
        hands = map(self.hand, self.order)
        return tuple(hand.seat for hand in hands if not hand.out and hand.has_unread)

    def may_reveal(self) -> tuple[int, ...]:
        """Return who may show unseen cards without having to: in most games nobody."""
        return ()


def with_hand(play: PlayT, hand: PlayerCards, **changes: Any) -> PlayT:
    """Return *play* with the hand of one seat replaced, and what else of its fields changes."""
    seat = hand.seat
    hands = tuple([hand if old.seat == seat else old for old in play.hands])
    return replace(play, hands=hands, **changes)


def settled(play: Play, payments: Payments, points: Callable[[Any], int | None]) -> Result:
    """Return how a finished hand ended whose money is the sum of its *payments* (rule G-18).

    Args:
        play: the hand.
        payments: all of them, those for the Bone too.
        points: returns the total of one of the hands.

    Raises:
        ValueError: the hand is not over.
    """
    if play.end is None:
        raise ValueError("the hand is not over; ask again after its last event")
    net = net_tokens(payments, sorted(play.eldest))
    check_zero_sum(net)
    hands = sorted(play.hands, key=lambda hand: hand.seat)
    of_the_game = tuple(paid for paid in payments if paid.cause is not PaymentReason.BONE)
    pooled = any(None in (paid.payer, paid.payee) for paid in payments)
    return Result(
        end=play.end,
        winners=play.winners,
        totals=tuple((hand.seat, points(hand)) for hand in hands),
        out=tuple(hand.seat for hand in hands if hand.out),
        settlement=tuple(net.items()),
        payments=flows(net) if pooled else transfers(of_the_game),
        bone=play.bone,
    )


class Game(ABC):
    """The rules of one game. Stateless: one object for each game stands in the registry."""

    name: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    """Other names that the sources give it, as they are shown; the best known first."""

    old_names: ClassVar[tuple[str, ...]] = ()
    """What else is understood, as earlier versions did, and not shown."""

    title: ClassVar[str]
    about: ClassVar[str] = ""
    """What it is about, in a few words, for people who choose; empty for its first rule."""

    emblem: ClassVar[tuple[str | None, ...]] = (None, None, None)
    """Three cards to know it by; ``None`` is a back."""

    table: ClassVar[TableKind] = TableKind.SEATS
    """Where its cards or bones lie; the croupier and the simulated table go by it."""

    strategist: ClassVar[str] = ""
    """Its simulated players: where their strategy is, ``module:class`` as in the catalogue, so that
    it is imported only where it plays. Empty: only people play it."""

    teacher: ClassVar[str] = "engine.games.hints:Hints"
    """What the teaching mode says in it: where its ``Hints`` are, likewise."""

    chances: ClassVar[str] = "engine.games.chances:Chances"
    """What is counted of its chances: where its ``Chances`` are, likewise."""

    target: ClassVar[int] = 31
    """The total that no hand may pass, unless there is an option of that name."""

    presets: ClassVar[tuple[Preset, ...]]
    """The first one is the default."""
    options_type: ClassVar[type[Any]]
    min_players: ClassVar[int] = 2
    cuts_for_deal: ClassVar[bool] = True
    """Whether the first dealer may be found by cutting cards (rule G-2)."""
    lays_stakes: ClassVar[bool] = False
    """Whether each player lays a stake of their own, and none is agreed for all (rule KB-2)."""

    story: ClassVar[Story] = Story()
    """Tells the game event by event; a card game needs none of its own."""

    cards_move: ClassVar[bool] = False
    """Whether a card may go from hand to hand, so that a correction must follow it (rule G-10)."""

    match_type: ClassVar[type[MatchRules[Any]]] = MatchRules
    """What goes on from hand to hand; games without lives, points or pots keep this one."""
    views_type: ClassVar[type[HandViews]] = HandViews
    """What screens and records show besides."""

    def __init__(self) -> None:
        """Make the one object of this game."""
        self.match = self.match_type(self.title)
        self.views = self.views_type(self.total)

    @property
    def with_bones(self) -> bool:
        """Return whether bones are thrown in it, in the place of cards."""
        return self.table is TableKind.BONES

    def begin(
        self,
        options: Any,
        players: Sequence[Player],
        dealer: int,
        order: tuple[int, ...] = (),
        standing: MatchState = NO_MATCH,
    ) -> Play:
        """Return a hand before its first card, the dealer last (rules G-1, OT-3).

        A correction never changes the order of turns (rule G-10), so it passes the old *order*.
        *players* are those who play the hand; *standing* is how the match stands before it.
        """
        seats = clockwise((player.seat for player in players), after=dealer)
        return Play(
            options=options,
            dealer=dealer,
            players=tuple(players),
            eldest=seats,
            hands=tuple(PlayerCards(seat) for seat in seats),
            order=order,
            standing=standing,
        )

    @abstractmethod
    def step(self, play: Any, event: Event) -> Play:
        """Return the hand after *event*.

        Raises:
            IllegalActionError: the event is not possible now.
        """

    @abstractmethod
    def leave(self, play: Any, seat: int) -> Play:
        """Return the hand after the player of *seat* went away in mid-play (rule G-17).

        Raises:
            IllegalActionError: they have left already, or cannot leave now.
        """

    @abstractmethod
    def actions(self, play: Any) -> tuple[Action, ...]:
        """Return what the rules of the game allow next."""

    @abstractmethod
    def total(self, play: Any, cards: Sequence[Card | None]) -> int | None:
        """Return the points of *cards*; ``None`` when one of them is unread."""

    @abstractmethod
    def result(self, play: Any) -> Result:
        """Return how a finished hand ended."""

    @abstractmethod
    def next_to_deal(self, play: Any) -> tuple[int, Facing] | None:
        """Return which seat gets the next card of the deal, and how it is laid."""

    def prompt(self, view: View, *, guided: bool = False) -> Prompt:
        """Return what is said at an ordinary moment; a card game needs no words of its own.

        With *guided* it is for people who have never played: the keys tell what buttons do.
        """
        return card_prompt(view, guided=guided)

    def payments(self, play: Any) -> Payments:
        """Return each payment of the hand up to now, with its rule.

        A game that says more than its settlement decides the money here, and its settlement is
        their sum; else this is the settlement.
        """
        return () if play.end is None else of_result(self.result(play))

    def stick_for(self, play: Any, seat: int) -> Play | None:
        """Return the hand after *seat* counts as having stuck (G-11); ``None``: no such way."""
        return None

    def patch_bone(
        self, raw: tuple[Event, ...], places: Sequence[int], event: CorrectBone
    ) -> tuple[Event, ...]:
        """Return the events with one bone put right (rule KB-20); *places* are those that count.

        Raises:
            IllegalActionError: ``BAD_CORRECTION``: that bone was not thrown.
        """
        raise IllegalActionError(
            Refusal.BAD_CORRECTION, f"no bones are thrown in {self.title}; correct a card instead"
        )

    def corrections(self, play: Any) -> tuple[Action, ...]:
        """Return which readings other than those of cards could be put right (rule KB-20)."""
        return ()

    def rules(self, options: Any) -> tuple[Section, ...]:
        """Return the rules on one page, with *options* in force; empty where none is written."""
        return ()

    def background(self, options: Any) -> tuple[Section, ...]:
        """Return where it comes from, its relatives, and what its sources leave open.

        Of the last only what *options* leave standing; empty where nothing is written.
        """
        return ()

    def goal(self, options: Any) -> int:
        """Return the total that no hand may pass: an option ``target``, or that of the game."""
        return int(getattr(options, "target", self.target))

    def stake(self, options: Any) -> int:
        """Return the tokens of one stake; 0 where players stake as they please."""
        return int(options.stake)

    def decks(self, options: Any) -> int:
        """Return how many packs are in use (rule G-5)."""
        return int(options.decks)

    def pack(self, options: Any) -> frozenset[Card]:
        """Return the cards in use; other ones are ``NOT_IN_DECK`` (rule G-9)."""
        return PACK

    def deal_mode(self, options: Any) -> str:
        """Return the option ``next_dealer`` (rule G-4)."""
        return str(options.next_dealer)

    def next_dealer(self, play: Any) -> int | None:
        """Return who deals after a finished hand where the game itself decides (rule KB-11)."""
        return None

    def stand_in(self, play: Any, staying: Sequence[int]) -> int | None:
        """Return which of those *staying* deals if the next dealer has left (G-16, KB-11).

        ``None``: the next seat on the left.
        """
        return None

    def cut_rank(self, options: Any, card: Card) -> int:
        """Return the place of a card in the cut, the lowest deals (rules G-2, G-3)."""
        return card.rank.order

    def bone_ace(self, options: Any) -> Card | None:
        """Return the ace that beats every other third card, where one does (rule BA-2)."""
        return None

    def high_ace_of_cut(self, options: Any) -> Card | None:
        """Return the ace that is the highest card of the cut, where one is (rule G-3)."""
        return None
