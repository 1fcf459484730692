"""What all games have in common in which cards are counted on the way to a target.

Cards are dealt to each player, who then take more or stick; whoever is over the target is out, and
at the end the hands are compared. The rules are those of One-and-Thirty (OT-1 to OT-25), which
this was first written for. A game of the kind sets *target* and *cards_dealt*, says in
``payments`` who pays whom, and overrides the methods that differ.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from engine.core import counting
from engine.core.cards import Card
from engine.core.events import Claim, Deal, Declare, Event, Facing, Have, PackEnd, Reveal, Stick
from engine.core.fast_replace import replace
from engine.core.hands import PlayerCards, check_new_card, check_shown_hand
from engine.core.messages.message import N_
from engine.core.options import OneOf, WholeNumber, check, option
from engine.core.outcome import End, Result
from engine.core.payments import Payments
from engine.core.refusals import IllegalActionError, Refusal
from engine.core.views import Phase
from engine.games.base import Action, Game, Play, settled, with_hand

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven")
_PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")


@dataclass(frozen=True, slots=True, kw_only=True)
class CountingOptions:
    """What every game of the kind reads; a game with more to agree extends or replaces it."""

    stake: int = option(1, WholeNumber(1), N_("our ruling"), "tokens in one single stake")
    decks: Literal[1, 2] = option(1, OneOf((1, 2)), N_("our ruling"), "2 = two packs together")
    max_players: int = option(8, WholeNumber(2, 10), N_("our ruling"))
    ace_value: Literal[1, 11, "1or11"] = option("1or11", OneOf((1, 11, "1or11")), N_("our ruling"))
    next_dealer: Literal["left", "winner", "same", "recut"] = option(
        "left", OneOf(("left", "winner", "same", "recut")), N_("our ruling")
    )

    def __post_init__(self) -> None:
        """Refuse values outside the choices."""
        check(self)


class DealtGame(Game):
    """A game in which each player gets so many cards before the first turn.

    Where it has an option ``deal_style``, that says in which order: ``rounds``, ``packet`` (a whole
    hand at once) or ``any``.
    """

    cards_dealt: ClassVar[int]
    """How many cards each player gets before the first turn."""
    face_up: ClassVar[tuple[int, ...]] = ()
    """Which of these lie face up and are read before the deal goes on; the first card is 0."""

    def next_to_deal(self, play: Play) -> tuple[int, Facing] | None:
        """Return the seat with the fewest cards, eldest first; a whole hand at once in packets."""
        held = [len(hand.cards) for hand in play.hands]
        fewest = min(held)
        if play.phase is not Phase.DEAL or fewest == self.cards_dealt:
            return None
        if _deal_style(play) == "packet":
            fewest = next(count for count in held if count < self.cards_dealt)
        up = fewest in self.face_up
        return play.hands[held.index(fewest)].seat, Facing.UP if up else Facing.DOWN

    def deal(self, play: Play, event: Deal) -> Play:
        """Deal one of the first cards, from the top (rules OT-3, BA-1, BA-9).

        Raises:
            IllegalActionError: not that card, or not to that seat.
        """
        hand, dealt = play.hand(event.seat), self.cards_dealt
        place = len(hand.cards)
        if place >= dealt:
            raise IllegalActionError(
                Refusal.TOO_MANY_CARDS,
                f"seat {event.seat} has {_NUMBERS[dealt]} cards; "
                "put the card back, or call a misdeal",
            )
        due = None if _deal_style(play) == "any" else self.next_to_deal(play)
        if due is not None and due[0] != event.seat:
            raise IllegalActionError(
                Refusal.WRONG_DEAL_ORDER,
                f"the next card goes to seat {due[0]}, not to seat {event.seat}",
            )
        if event.end is PackEnd.BOTTOM:
            raise IllegalActionError(
                Refusal.WRONG_END,
                f"the first {_NUMBERS[dealt]} cards come from the top; call a misdeal",
            )
        if place in self.face_up and (event.card is None or event.face is not Facing.UP):
            raise IllegalActionError(
                Refusal.UPCARD_UNREADABLE,
                f"the {_PLACES[place]} card of seat {hand.seat} must lie face up and be read; "
                "turn it up and straighten it",
            )
        play = with_hand(play, self.taken(play, hand, event))
        if place + 1 < dealt or any(len(each.cards) < dealt for each in play.hands):
            return play
        return self.begin_turns(play)

    def taken(self, play: Play, hand: PlayerCards, event: Deal) -> PlayerCards:
        """Return *hand* with the card of *event*.

        Raises:
            IllegalActionError: that card lies elsewhere, or is not in the pack (G-8, G-9).
        """
        options = play.options
        check_new_card(event.card, play.seen(), options.decks, self.pack(options))
        # A hand that lay open is no longer all shown, once a card comes to it.
        return replace(hand, shown=False).take(event.card, event.face is Facing.UP)

    @abstractmethod
    def begin_turns(self, play: Any) -> Play:
        """Return the hand after its last card was dealt."""

    def deal_actions(self, play: Play) -> tuple[Action, ...]:
        """List who may get the next card of the deal."""
        due = self.next_to_deal(play)
        found = []
        for hand in play.hands:
            if len(hand.cards) == self.cards_dealt:
                continue
            if _deal_style(play) != "any" and due is not None and hand.seat != due[0]:
                continue
            face = Facing.UP if len(hand.cards) in self.face_up else Facing.DOWN
            found.append(Action("deal", hand.seat, face=face, end=PackEnd.TOP, cards=1))
        return tuple(found)

    def cards_left(self, play: Play) -> int:
        """Return how many cards have not been dealt."""
        dealt = sum(len(hand.cards) for hand in play.hands)
        return len(self.pack(play.options)) * int(play.options.decks) - dealt


class CountingGame(DealtGame):
    """The turns and the showdown; a subclass says what differs.

    Where it has an option ``draw_from``, that says whether cards asked for must come from the
    ``bottom`` of the pack or from ``any`` end.
    """

    options_type: ClassVar[type[Any]] = CountingOptions
    strategist: ClassVar[str] = "engine.games.counting_player:CountingPlayer"
    teacher: ClassVar[str] = "engine.games.hints:CountingHints"

    def step(self, play: Play, event: Event) -> Play:
        """Apply one event; seat known, then phase, seat out, turn, the rest.

        Raises:
            IllegalActionError: the event is not possible now.
        """
        if isinstance(event, Deal) and play.phase is Phase.DEAL:
            return self.deal(play, event)
        if isinstance(event, Reveal) and play.phase in (Phase.PLAY, Phase.SHOWDOWN):
            return self._show(play, event)
        if isinstance(event, Declare) and play.phase in (Phase.PLAY, Phase.SHOWDOWN):
            if event.what is Claim.OUT:
                return self._show(play, event)
            if play.phase is Phase.PLAY:
                return self.claim(play, event)
        elif play.phase is Phase.PLAY:
            if isinstance(event, Deal):
                return self._draw(play, event)
            if isinstance(event, Have):
                return self._have(play, event)
            if isinstance(event, Stick):
                return self.stick(play, _own_turn(play, event.seat))
        raise wrong_phase(play, event)

    # --- turns ------------------------------------------------------------------------------

    def begin_turns(self, play: Play) -> Play:
        """Settle what the deal itself decides, then begin with the eldest (rules OT-5, OT-16)."""
        play = replace(play, phase=Phase.PLAY, order=play.order or self.turn_order(play))
        for hand in play.hands:
            if self.is_certainly_over(play, hand):
                play = with_hand(play, replace(hand, out=True))
        return self.won_by_deal(play) or self.advance(play)

    def won_by_deal(self, play: Play) -> Play | None:
        """Return the hand, over, if the deal itself ends it; in most games it never does."""
        return None

    def turn_order(self, play: Play) -> tuple[int, ...]:
        """Return the order of turns: eldest first, the dealer last (rule OT-5)."""
        return play.eldest

    def _have(self, play: Play, event: Have) -> Play:
        """Ask for a card (rules OT-6, OT-7)."""
        hand = _own_turn(play, event.seat)
        if not self.cards_left(play):
            raise IllegalActionError(
                Refusal.STOCK_EMPTY,
                "the pack is empty, so cards are missing; call a misdeal (OT-21)",
            )
        return with_hand(play, replace(hand, acted=True), asked=True)

    def _draw(self, play: Play, event: Deal) -> Play:
        """Return the card asked for (rules OT-7, OT-8, OT-20)."""
        hand = play.hand(event.seat)
        if event.seat != play.turn:
            raise not_your_turn(play, event.seat)
        if not play.asked:
            raise IllegalActionError(
                Refusal.NO_REQUEST, f"seat {event.seat} has not asked for a card; put it back"
            )
        if event.end is PackEnd.TOP and _from_bottom(play):
            raise IllegalActionError(
                Refusal.WRONG_END, "cards asked for come from the bottom of the pack; deal that one"
            )
        hand = self.taken(play, hand, event)
        if self.is_certainly_over(play, hand):
            return self.advance(with_hand(play, replace(hand, out=True), asked=False))
        return self.drawn(with_hand(play, hand, asked=False), hand)

    def drawn(self, play: Play, hand: PlayerCards) -> Play:
        """Return what follows a card that leaves its player in: they are asked again (OT-6)."""
        return play

    def stick(self, play: Play, hand: PlayerCards) -> Play:
        """Let a player stand on the cards held (rule OT-6)."""
        return self.advance(with_hand(play, replace(hand, acted=True, stuck=True)))

    def stick_for(self, play: Play, seat: int) -> Play | None:
        """Let the player whose turn it is count as having stuck (rule G-11)."""
        if play.phase is not Phase.PLAY or play.turn != seat:
            return None
        return self.stick(play, play.hand(seat))

    def claim(self, play: Play, event: Declare) -> Play:
        """Handle a claim in play other than that of being out: no such thing in most games.

        Raises:
            IllegalActionError: the claim is not possible, or not true.
        """
        raise wrong_phase(play, event)

    def _show(self, play: Play, event: Declare | Reveal) -> Play:
        """Show a hand, or throw it in: in play too, in any player's turn (G-17, OT-17, OT-18)."""
        gives_up = isinstance(event, Declare)
        hand = play.hand(event.seat)
        if play.phase is Phase.SHOWDOWN:
            hand = _to_show(play, event.seat)
        elif gives_up:
            _check_not_out(hand)
        else:
            check_may_act(play, hand)
        if event.cards or not gives_up:
            hand = shown(play, hand, event.cards)
        out = gives_up or self.is_certainly_over(play, hand)
        return self.advance(with_hand(play, replace(hand, acted=hand.acted or gives_up, out=out)))

    def leave(self, play: Play, seat: int) -> Play:
        """Count a player who goes away as out (rule G-17).

        Raises:
            IllegalActionError: they have left already, or cards are being dealt.
        """
        hand = play.hand(seat)
        if play.phase not in (Phase.PLAY, Phase.SHOWDOWN):
            raise IllegalActionError(
                Refusal.WRONG_PHASE,
                f"seat {seat} cannot leave while cards are dealt; call a misdeal",
            )
        if hand.left:
            raise IllegalActionError(
                Refusal.SEAT_OUT, f"seat {seat} has left already; go on without"
            )
        return self.advance(with_hand(play, replace(hand, out=True, left=True)))

    # --- points and the end -----------------------------------------------------------------

    def total(self, play: Play, cards: Sequence[Card | None]) -> int | None:
        """Return the best total not over the target, else the smallest (rules OT-4, OT-25)."""
        return counting.total(cards, play.options.ace_value, self.target)

    def is_certainly_over(self, play: Play, hand: PlayerCards) -> bool:
        """Return whether even the smallest values of the unread cards are too much (G-6)."""
        return counting.least(hand.cards, play.options.ace_value) > self.target

    def advance(self, play: Play) -> Play:
        """Find whose turn it is, or how the hand ends (rules OT-12, OT-18)."""
        alive = [hand for hand in map(play.hand, play.order) if not hand.out]
        over = self.decided(play, alive)
        if over is not None:
            return over
        turn = next((hand.seat for hand in alive if not hand.stuck), None)
        if turn is not None:
            return replace(play, turn=turn, asked=play.asked and turn == play.turn)
        if any(hand.has_unread for hand in alive):
            return replace(play, phase=Phase.SHOWDOWN, turn=None, asked=False)
        return self.compare(play, alive)

    def decided(self, play: Play, alive: Sequence[PlayerCards]) -> Play | None:
        """Return the hand, over, if those still in (*alive*) decide it early (OT-11, OT-22)."""
        if not alive:
            return finish(play, End.ALL_OUT, ())
        if len(alive) > 1 or not self.wins_alone(play, alive[0]):
            return None
        waited = alive[0].seat == play.dealer and not alive[0].acted
        return finish(play, End.DEALER_WINS if waited else End.SOLE_SURVIVOR, (alive[0].seat,))

    def wins_alone(self, play: Play, hand: PlayerCards) -> bool:
        """Return whether the last player not out has won (rules OT-11, OT-22).

        Who stuck with unread cards must show them first.
        """
        return not (hand.stuck and hand.has_unread)

    def compare(self, play: Play, alive: Sequence[PlayerCards]) -> Play:
        """End a hand of which every card is known (rule OT-12); all of a tie win."""
        return finish(play, End.SHOWDOWN, self.nearest(play, alive))

    def nearest(self, play: Play, alive: Sequence[PlayerCards]) -> tuple[int, ...]:
        """Return who is nearest to the target, the eldest of a tie first."""
        totals = {hand.seat: self.total(play, hand.cards) or 0 for hand in alive}
        best = max(totals.values())
        return tuple(seat for seat in play.eldest if totals.get(seat) == best)

    @abstractmethod
    def payments(self, play: Any) -> Payments:
        """Return who paid whom up to now, and by which rule; the settlement is their sum."""

    def result(self, play: Play) -> Result:
        """Return the end of the hand with its payments (rule G-18)."""
        return settled(play, self.payments(play), lambda hand: self.total(play, hand.cards))

    # --- what may come next -----------------------------------------------------------------

    def actions(self, play: Play) -> tuple[Action, ...]:
        """List what the rules allow next."""
        out = Claim.OUT
        if play.phase is Phase.DEAL:
            return self.deal_actions(play)
        if play.phase is Phase.SHOWDOWN:
            return tuple(
                action
                for seat in play.to_reveal()
                for action in (
                    Action("reveal", seat, cards=len(play.hand(seat).cards)),
                    Action("declare", seat, what=out),
                )
            )
        if play.phase is not Phase.PLAY or play.turn is None:
            return ()
        turn = play.turn
        alive = [hand for hand in map(play.hand, play.order) if not hand.out]
        words = [Action("declare", hand.seat, what=out) for hand in alive]
        may_show = alive  # again too: a hand that was shown may have got another card since
        if play.asked:
            end = PackEnd.BOTTOM if _from_bottom(play) else None
            now = [Action("deal", turn, face=Facing.DOWN, end=end, cards=1)]
            may_show = [hand for hand in alive if hand.seat != turn]
        else:
            have = [Action("have", turn)] if self.cards_left(play) else []
            now = [Action("stick", turn), *have]
        shows = [Action("reveal", hand.seat, cards=len(hand.cards)) for hand in may_show]
        return (*now, *words, *shows)


def finish(play: Play, end: End, winners: tuple[int, ...]) -> Play:
    """Return *play* ended."""
    return replace(play, phase=Phase.DONE, turn=None, asked=False, end=end, winners=winners)


def shown(play: Play, hand: PlayerCards, cards: Sequence[Card | None]) -> PlayerCards:
    """Return *hand* laid open with *cards*.

    Raises:
        IllegalActionError: it cannot be these cards (rule G-20).
    """
    check_shown_hand(hand, cards, play.seen(but=hand.seat), play.options.decks)
    return replace(hand.lay_open(cards), up=(True,) * len(cards))


def seat_out(seat: int) -> IllegalActionError:
    """Return the refusal of what somebody does who is out."""
    return IllegalActionError(Refusal.SEAT_OUT, f"seat {seat} is out of this hand; go on")


def check_may_act(play: Play, hand: PlayerCards) -> None:
    """Refuse to let a player act who is out, or first gets the card they asked for (OT-20).

    Raises:
        IllegalActionError: ``SEAT_OUT`` or ``CARD_PENDING``.
    """
    _check_not_out(hand)
    if play.asked and hand.seat == play.turn:
        raise IllegalActionError(
            Refusal.CARD_PENDING,
            f"seat {hand.seat} has asked for a card and gets it first; deal it",
        )


def not_your_turn(play: Play, seat: int) -> IllegalActionError:
    """Return the refusal of what somebody does out of turn."""
    said = f"it is not the turn of seat {seat}; ask seat {play.turn}"
    if play.phase is Phase.SHOWDOWN:
        said = f"seat {seat} need not show; waiting for seats {list(play.to_reveal())}"
    return IllegalActionError(Refusal.NOT_YOUR_TURN, said)


def wrong_phase(play: Play, event: Event) -> IllegalActionError:
    """Return the refusal of an event that has no place in this phase."""
    words = {
        Phase.DEAL: "cards are still being dealt; finish the deal first",
        Phase.PLAY: "the players are taking turns; wait for the turn or the end",
        Phase.SHOWDOWN: f"hands are being shown; show seats {list(play.to_reveal())} first",
        Phase.DONE: "the hand is over; begin the next hand first",
    }
    return IllegalActionError(Refusal.WRONG_PHASE, f"no {event.kind!r} now: {words[play.phase]}")


def _deal_style(play: Play) -> str:
    return getattr(play.options, "deal_style", "any")


def _from_bottom(play: Play) -> bool:
    return getattr(play.options, "draw_from", "any") == "bottom"


def _own_turn(play: Play, seat: int) -> PlayerCards:
    hand = play.hand(seat)
    _check_not_out(hand)
    if seat != play.turn:
        raise not_your_turn(play, seat)
    check_may_act(play, hand)
    return hand


def _to_show(play: Play, seat: int) -> PlayerCards:
    hand = play.hand(seat)
    _check_not_out(hand)
    if seat not in play.to_reveal():
        raise not_your_turn(play, seat)
    return hand


def _check_not_out(hand: PlayerCards) -> None:
    if hand.out:
        raise seat_out(hand.seat)
