"""One-and-Thirty, after Willughby, Cotton and their readers (rules OT-1 to OT-25)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from engine.core import counting
from engine.core.cards import Card, Rank, deck
from engine.core.counting import GOAL
from engine.core.events import Claim, Deal, Declare, Event, Facing, Have, PackEnd, Reveal, Stick
from engine.core.fast_replace import replace
from engine.core.hands import PlayerCards, check_new_card, check_shown_hand
from engine.core.messages.prompt import Prompt
from engine.core.options import Preset
from engine.core.outcome import NO_MATCH, Bone, End, MatchState, Result
from engine.core.payments import PaymentReason, Payments, net_tokens
from engine.core.players import Player, clockwise
from engine.core.refusals import IllegalActionError, Refusal
from engine.core.text.rules_page import Section
from engine.core.tokens import check_zero_sum, share
from engine.core.views import Phase, View
from engine.games.base import Action, Game, Play, with_hand
from engine.games.one_and_thirty import prompts, rulebook
from engine.games.one_and_thirty.options import OneAndThirtyOptions
from engine.games.one_and_thirty.payments import of_cards

CARDS_DEALT = 3
PACK_SIZE = 52


class OneAndThirty(Game):
    """The game itself; what Bone-Ace changes is in methods of their own."""

    name: ClassVar[str] = "one-and-thirty"
    aliases: ClassVar[tuple[str, ...]] = ("31", "one-and-thirty-with-cards")
    title: ClassVar[str] = "One-and-Thirty"
    about: ClassVar[str] = "Come near to 31, and not over it."
    emblem: ClassVar[tuple[str | None, ...]] = ("9S", "KH", "QC")
    family: ClassVar[str] = "one-and-thirty"
    options_type: ClassVar[type[Any]] = OneAndThirtyOptions
    presets: ClassVar[tuple[Preset, ...]] = (
        Preset("willughby", "S1 du Coeur's reconstruction from Willughby"),
        Preset("davis", "S3 Nakoa Davis", {"eldest_means": "age", "double_on_31": False}),
        Preset("kerr", "E12 Katherine Kerr", {"max_players": 8}),
    )
    bone_ace_in_cut: ClassVar[Card] = Card.parse("AH")

    def prompt(self, view: View, *, guided: bool = False) -> Prompt:
        """Return what is said at an ordinary moment."""
        return prompts.prompt(view, guided=guided)

    def rules(self, options: Any) -> tuple[Section, ...]:
        """Return the page of this game."""
        return rulebook.one_and_thirty(options)

    # --- the deal ---------------------------------------------------------------------------

    def begin(
        self,
        options: Any,
        players: Sequence[Player],
        dealer: int,
        order: tuple[int, ...] = (),
        standing: MatchState = NO_MATCH,
    ) -> Play:
        """Lay out empty hands, the dealer last (rule OT-3)."""
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

    def step(self, play: Play, event: Event) -> Play:
        """Apply one event; seat known, then phase, seat out, turn, the rest.

        Raises:
            IllegalActionError: the event is not possible now.
        """
        if isinstance(event, Deal) and play.phase is Phase.DEAL:
            return self._deal(play, event)
        if isinstance(event, Reveal) and play.phase is Phase.SHOWDOWN:
            return self._reveal(play, event)
        if isinstance(event, Declare) and play.phase is Phase.SHOWDOWN:
            if event.what is Claim.OUT:
                return self._give_up(play, event)
        elif play.phase is Phase.PLAY:
            if isinstance(event, Deal):
                return self._draw(play, event)
            if isinstance(event, Have):
                return self._have(play, event)
            if isinstance(event, Stick):
                return self._stick(play, event)
            if isinstance(event, Declare):
                return self._declare(play, event)
        raise IllegalActionError(Refusal.WRONG_PHASE, _wrong_phase(play, event))

    def third_card_up(self) -> bool:
        """Return whether the third card lies face up: not in this game (rule OT-3)."""
        return False

    def on_dealt(self, play: Play) -> Play:
        """Do what is due between the deal and the first turn: nothing in this game."""
        return play

    def next_to_deal(self, play: Play) -> tuple[int, Facing] | None:
        """Return the seat with the fewest cards, eldest first; three together in packets."""
        held = [len(hand.cards) for hand in play.hands]
        fewest = min(held)
        if play.phase is not Phase.DEAL or fewest == CARDS_DEALT:
            return None
        if play.options.deal_style == "packet":
            fewest = next(count for count in held if count < CARDS_DEALT)
        up = fewest == CARDS_DEALT - 1 and self.third_card_up()
        return play.hands[held.index(fewest)].seat, Facing.UP if up else Facing.DOWN

    def _deal(self, play: Play, event: Deal) -> Play:
        """Deal one of the first three cards, from the top (rules OT-3, BA-9)."""
        hand = play.hand(event.seat)
        if len(hand.cards) >= CARDS_DEALT:
            raise IllegalActionError(
                Refusal.TOO_MANY_CARDS,
                f"seat {event.seat} has three cards; put the card back, or call a misdeal",
            )
        due = None if play.options.deal_style == "any" else self.next_to_deal(play)
        if due is not None and due[0] != event.seat:
            raise IllegalActionError(
                Refusal.WRONG_DEAL_ORDER,
                f"the next card goes to seat {due[0]}, not to {event.seat}",
            )
        if event.end is PackEnd.BOTTOM:
            raise IllegalActionError(
                Refusal.WRONG_END, "the first three cards come from the top; call a misdeal"
            )
        self.check_third(hand, event)
        check_new_card(event.card, play.seen(), play.options.decks)
        hand = hand.take(event.card, event.face is Facing.UP)
        play = with_hand(play, hand)
        if len(hand.cards) < CARDS_DEALT or any(len(h.cards) < CARDS_DEALT for h in play.hands):
            return play
        return self._begin_turns(self.on_dealt(play))

    def check_third(self, hand: PlayerCards, event: Deal) -> None:
        """Refuse a third card that cannot be used: any will do in this game."""

    def _begin_turns(self, play: Play) -> Play:
        """Settle what the deal itself decides, then begin with the eldest (rules OT-5, OT-16)."""
        play = replace(play, phase=Phase.PLAY, order=play.order or self.turn_order(play))
        for hand in play.hands:
            if self.is_certainly_over(play, hand):
                play = with_hand(play, replace(hand, out=True))
        for seat in self.elders(play):
            if self.total(play, play.hand(seat).cards) == GOAL:
                return self._finish(play, End.THIRTY_ONE, (seat,))
        return self._advance(play)

    # --- turns ------------------------------------------------------------------------------

    def turn_order(self, play: Play) -> tuple[int, ...]:
        """Return the order of turns: eldest first, the dealer last (rules OT-5, OT-15)."""
        if play.options.eldest_means == "seat":
            return play.eldest
        ages = _ages(play.players)
        others = [seat for seat in play.eldest if seat != play.dealer]
        oldest = max(others, key=lambda seat: ages[seat])  # of equal ages the first by seat
        start = others.index(oldest)
        return (*others[start:], *others[:start], play.dealer)

    def elders(self, play: Play) -> tuple[int, ...]:
        """Return the seats, the one that wins ties first (rules OT-13, OT-15)."""
        if play.options.eldest_means == "seat":
            return play.eldest
        ages = _ages(play.players)
        return tuple(sorted(play.eldest, key=lambda seat: -ages[seat]))

    def _own_turn(self, play: Play, seat: int) -> PlayerCards:
        hand = play.hand(seat)
        _check_not_out(hand)
        if seat != play.turn:
            raise IllegalActionError(Refusal.NOT_YOUR_TURN, _whose_turn(play, seat))
        if play.asked:
            raise _card_pending(seat)
        return hand

    def _have(self, play: Play, event: Have) -> Play:
        """Ask for a card (rules OT-6, OT-7)."""
        hand = self._own_turn(play, event.seat)
        if not _cards_left(play):
            raise IllegalActionError(
                Refusal.STOCK_EMPTY,
                "the pack is empty, so cards are missing; call a misdeal (OT-21)",
            )
        return with_hand(play, replace(hand, acted=True), asked=True)

    def _draw(self, play: Play, event: Deal) -> Play:
        """Return the card asked for (rules OT-7, OT-8, OT-9, OT-20)."""
        hand = play.hand(event.seat)
        if event.seat != play.turn:
            raise IllegalActionError(Refusal.NOT_YOUR_TURN, _whose_turn(play, event.seat))
        if not play.asked:
            raise IllegalActionError(
                Refusal.NO_REQUEST, f"seat {event.seat} has not asked for a card; put it back"
            )
        if event.end is PackEnd.TOP and play.options.draw_from == "bottom":
            raise IllegalActionError(
                Refusal.WRONG_END, "cards asked for come from the bottom of the pack; deal that one"
            )
        check_new_card(event.card, play.seen(), play.options.decks)
        hand = hand.take(event.card, event.face is Facing.UP)
        play = with_hand(play, hand, asked=False)
        if self.is_certainly_over(play, hand):
            return self._advance(with_hand(play, replace(hand, out=True)))
        if self.total(play, hand.cards) == GOAL:
            return self._finish(play, End.THIRTY_ONE, (hand.seat,))
        return play

    def _stick(self, play: Play, event: Stick) -> Play:
        """Stand on the cards held; always allowed (rule OT-6)."""
        hand = self._own_turn(play, event.seat)
        return self._advance(with_hand(play, replace(hand, acted=True, stuck=True)))

    def _declare(self, play: Play, event: Declare) -> Play:
        """Handle a claim of a hidden hand in play (rule OT-17)."""
        hand = play.hand(event.seat)
        _check_not_out(hand)
        if event.seat != play.turn and (event.what is Claim.OUT or hand.acted):
            raise IllegalActionError(Refusal.NOT_YOUR_TURN, _whose_turn(play, event.seat))
        if event.seat == play.turn and play.asked:
            raise _card_pending(event.seat)
        if event.what is Claim.OUT:
            return self._give_up(play, event)
        self._check_shown(play, hand, event.cards)
        total = self.total(play, event.cards)
        if total != GOAL:
            raise IllegalActionError(
                Refusal.FALSE_31,
                f"the cards of seat {event.seat} make {total}, not 31; play goes on",
            )
        play = with_hand(play, replace(hand.lay_open(event.cards), acted=True))
        return self._finish(play, End.THIRTY_ONE, (event.seat,))

    def _give_up(self, play: Play, event: Declare) -> Play:
        """Take a player at their word that they are out (rule OT-17); also instead of showing."""
        hand = play.hand(event.seat)
        _check_not_out(hand)
        if play.phase is Phase.SHOWDOWN and event.seat not in play.to_reveal():
            raise IllegalActionError(Refusal.NOT_YOUR_TURN, _whose_turn(play, event.seat))
        if event.cards:
            self._check_shown(play, hand, event.cards)
            hand = hand.lay_open(event.cards)
        return self._advance(with_hand(play, replace(hand, acted=True, out=True)))

    def _reveal(self, play: Play, event: Reveal) -> Play:
        """Show a hand after the last turn; one over 31 is out (rule OT-18)."""
        hand = play.hand(event.seat)
        _check_not_out(hand)
        if event.seat not in play.to_reveal():
            raise IllegalActionError(Refusal.NOT_YOUR_TURN, _whose_turn(play, event.seat))
        self._check_shown(play, hand, event.cards)
        hand = hand.lay_open(event.cards)
        return self._advance(with_hand(play, replace(hand, out=self.is_certainly_over(play, hand))))

    def _check_shown(self, play: Play, hand: PlayerCards, cards: Sequence[Card | None]) -> None:
        check_shown_hand(hand, cards, play.seen(but=hand.seat), play.options.decks)

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
        return self._advance(with_hand(play, replace(hand, out=True, left=True)))

    def stick_for(self, play: Play, seat: int) -> Play | None:
        """Let the player whose turn it is count as having stuck (rule G-11)."""
        if play.phase is not Phase.PLAY or play.turn != seat:
            return None
        hand = replace(play.hand(seat), acted=True, stuck=True)
        return self._advance(with_hand(play, hand))

    # --- points -----------------------------------------------------------------------------

    def total(self, play: Play, cards: Sequence[Card | None]) -> int | None:
        """Return the best total not over 31, else the smallest (rules OT-4, OT-25)."""
        return counting.total(cards, play.options.ace_value)

    def is_certainly_over(self, play: Play, hand: PlayerCards) -> bool:
        """Return whether even the smallest values of the unread cards make more than 31 (G-6)."""
        return counting.least(hand.cards, play.options.ace_value) > GOAL

    # --- the end ----------------------------------------------------------------------------

    def _advance(self, play: Play) -> Play:
        """Find whose turn it is, or how the hand ends (rules OT-11, OT-12, OT-18, OT-22)."""
        alive = [hand for hand in map(play.hand, play.order) if not hand.out]
        if not alive:
            return self._finish(play, End.ALL_OUT, ())
        if len(alive) == 1 and self._wins_alone(play, alive[0]):
            seat = alive[0].seat
            waited = seat == play.dealer and not alive[0].acted
            return self._finish(play, End.DEALER_WINS if waited else End.SOLE_SURVIVOR, (seat,))
        turn = next((hand.seat for hand in alive if not hand.stuck), None)
        if turn is not None:
            return replace(play, turn=turn, asked=play.asked and turn == play.turn)
        if any(hand.has_unread for hand in alive):
            return replace(play, phase=Phase.SHOWDOWN, turn=None, asked=False)
        return self._finish(play, End.SHOWDOWN, self._nearest(play, alive))

    def _wins_alone(self, play: Play, hand: PlayerCards) -> bool:
        """Return whether the last player not out has won (rules OT-11, OT-22).

        Who stuck with unread cards must show them first; the option of OT-11 makes the dealer play.
        """
        if hand.stuck:
            return not hand.has_unread
        return bool(play.options.dealer_wins_if_all_out) or hand.seat != play.dealer

    def _nearest(self, play: Play, alive: Iterable[PlayerCards]) -> tuple[int, ...]:
        """Return who is nearest to 31: the elder of a tie, or all of it (OT-12 to OT-14)."""
        totals = {hand.seat: self.total(play, hand.cards) or 0 for hand in alive}
        best = max(totals.values())
        tied = tuple(seat for seat in self.elders(play) if totals.get(seat) == best)
        return tied if play.options.tie_rule == "split" else tied[:1]

    def _finish(self, play: Play, end: End, winners: tuple[int, ...]) -> Play:
        return replace(play, phase=Phase.DONE, turn=None, asked=False, end=end, winners=winners)

    def result(self, play: Play) -> Result:
        """Return the end of the hand with its payments (rules OT-10, OT-12, OT-19, G-18)."""
        if play.end is None:
            raise ValueError("the hand is not over; ask again after its last event")
        payments = self.payments(play)
        net = net_tokens(payments, sorted(play.eldest))
        check_zero_sum(net)
        hands = sorted(play.hands, key=lambda hand: hand.seat)
        return Result(
            end=play.end,
            winners=play.winners,
            totals=tuple((hand.seat, self.total(play, hand.cards)) for hand in hands),
            out=tuple(hand.seat for hand in hands if hand.out),
            settlement=tuple(net.items()),
            payments=_of_the_game(payments, net),
            bone=play.bone,
        )

    def stakes_lost(self, play: Play) -> int:
        """Return how many stakes each loser pays for the game: 1 or 2 (OT-10, OT-12, OT-19)."""
        options = play.options
        if not options.double_on_31:
            return 1
        if play.end is End.THIRTY_ONE:
            return 2
        late = play.end is End.SHOWDOWN and options.late_31 == "double"
        if late and self.total(play, play.hand(play.winners[0]).cards) == GOAL:
            return 2
        return 1

    def losses(self, play: Play) -> dict[int, int]:
        """Return the tokens that each loser pays for the game."""
        tokens = self.stakes_lost(play) * int(play.options.stake)
        return {seat: tokens for seat in play.eldest if seat not in play.winners}

    def payments(self, play: Play) -> Payments:
        """Return who paid whom, and by which rule (OT-9 to OT-14, OT-19)."""
        if play.end is None or not play.winners:
            return ()
        lost = self.losses(play)
        net = share(sum(lost.values()), play.winners)
        for seat, tokens in lost.items():
            net[seat] = -tokens
        return of_cards(play, flows(net))

    # --- what may come next -----------------------------------------------------------------

    def actions(self, play: Play) -> tuple[Action, ...]:
        """List what the rules allow next."""
        if play.phase is Phase.DEAL:
            return self._deal_actions(play)
        if play.phase is Phase.SHOWDOWN:
            return tuple(
                action
                for seat in play.to_reveal()
                for action in (
                    Action("reveal", seat, cards=len(play.hand(seat).cards)),
                    Action("declare", seat, what=Claim.OUT),
                )
            )
        if play.phase is not Phase.PLAY or play.turn is None:
            return ()
        turn, found = play.turn, []
        if play.asked:
            bottom = play.options.draw_from == "bottom"
            end = PackEnd.BOTTOM if bottom else None
            found.append(Action("deal", turn, face=Facing.DOWN, end=end, cards=1))
        else:
            found.append(Action("stick", turn))
            if _cards_left(play):
                found.append(Action("have", turn))
            found.append(Action("declare", turn, what=Claim.OUT))
        left = Counter({card: play.options.decks for card in deck()})
        left.subtract(play.seen())
        for hand in map(play.hand, play.order):
            asked = hand.seat == turn and play.asked
            free = not hand.out and not asked and (hand.seat == turn or not hand.acted)
            if free and counting.may_be_31(hand.cards, play.options.ace_value, left.elements()):
                claim = Claim.THIRTY_ONE
                found.append(Action("declare", hand.seat, what=claim, cards=len(hand.cards)))
        return tuple(found)

    def _deal_actions(self, play: Play) -> tuple[Action, ...]:
        due = self.next_to_deal(play)
        found = []
        for hand in play.hands:
            if len(hand.cards) == CARDS_DEALT:
                continue
            if play.options.deal_style != "any" and due is not None and hand.seat != due[0]:
                continue
            up = self.third_card_up() and len(hand.cards) == CARDS_DEALT - 1
            face = Facing.UP if up else Facing.DOWN
            found.append(Action("deal", hand.seat, face=face, end=PackEnd.TOP, cards=1))
        return tuple(found)

    def cut_rank(self, options: Any, card: Card) -> int:
        """Rank a card of the cut; the handout sets the Bone-Ace above the king (G-3, BA-14)."""
        if card == self.high_ace_of_cut(options):
            return len(Rank)
        return card.rank.order

    def high_ace_of_cut(self, options: Any) -> Card | None:
        """Return the Bone-Ace where it was agreed to be high in the cut (rules G-3, BA-14)."""
        return self.bone_ace(options) if options.cut_bone_ace_high else None

    def bone_ace(self, options: Any) -> Card:
        """Return the Bone-Ace, which this game knows only in the cut."""
        return self.bone_ace_in_cut


def flows(net: dict[int, int]) -> tuple[tuple[int, int, int], ...]:
    """Return who pays whom, so that everybody ends with *net*: ``(payer, payee, tokens)``."""
    owed = {seat: amount for seat, amount in sorted(net.items()) if amount > 0}
    found = []
    for payer, amount in sorted(net.items()):
        due = -amount
        for payee in owed:
            paid = min(due, owed[payee])
            if paid > 0:
                found.append((payer, payee, paid))
                owed[payee] -= paid
                due -= paid
    return tuple(found)


def _of_the_game(payments: Payments, net: dict[int, int]) -> tuple[tuple[int, int, int], ...]:
    """Return who pays whom for the game; for the whole hand where all goes through a pool."""
    found = []
    for paid in payments:
        if paid.payer is None or paid.payee is None:
            return flows(net)
        if paid.cause is not PaymentReason.BONE:
            found.append((paid.payer, paid.payee, paid.amount))
    return tuple(found)


def bone_net(bone: Bone | None, seat: int) -> int:
    """Return what *seat* got (or paid, below 0) for the Bone."""
    return dict(bone.payments).get(seat, 0) if bone else 0


def _ages(players: Iterable[Player]) -> dict[int, int]:
    """Return ages by seat; who does not tell counts as the youngest."""
    return {player.seat: -1 if player.age is None else player.age for player in players}


def _cards_left(play: Play) -> int:
    dealt = sum(len(hand.cards) for hand in play.hands)
    return PACK_SIZE * int(play.options.decks) - dealt


def _check_not_out(hand: PlayerCards) -> None:
    if hand.out:
        raise IllegalActionError(Refusal.SEAT_OUT, f"seat {hand.seat} is out of this hand; go on")


def _card_pending(seat: int) -> IllegalActionError:
    return IllegalActionError(
        Refusal.CARD_PENDING, f"seat {seat} has asked for a card and gets it first; deal it"
    )


def _whose_turn(play: Play, seat: int) -> str:
    if play.phase is Phase.SHOWDOWN:
        return f"seat {seat} need not show; waiting for seats {list(play.to_reveal())}"
    return f"it is not the turn of seat {seat}; ask seat {play.turn}"


def _wrong_phase(play: Play, event: Event) -> str:
    words = {
        Phase.DEAL: "cards are still being dealt; finish the deal first",
        Phase.PLAY: "the players are taking turns; wait for the turn or the end",
        Phase.SHOWDOWN: f"hands are being shown; show seats {list(play.to_reveal())} first",
        Phase.DONE: "the hand is over; begin the next hand first",
    }
    return f"no {event.kind!r} now: {words[play.phase]}"
