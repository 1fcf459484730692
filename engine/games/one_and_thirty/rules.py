"""One-and-Thirty, after Willughby, Cotton and their readers (rules OT-1 to OT-26)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from engine.core.cards import Card, Rank, deck
from engine.core.counting import GOAL, may_be_31
from engine.core.events import Claim, Declare, Event, Leave, Reveal, Stick
from engine.core.fast_replace import replace
from engine.core.hands import PlayerCards
from engine.core.messages.message import N_
from engine.core.messages.prompt import Prompt
from engine.core.options import Preset
from engine.core.outcome import NO_MATCH, Bone, End, MatchState
from engine.core.payments import Payments
from engine.core.players import Player
from engine.core.refusals import IllegalActionError, Refusal
from engine.core.text.rules_page import Section
from engine.core.tokens import flows, share
from engine.core.views import Phase, View
from engine.games.base import Action, Play, with_hand
from engine.games.counting_game import (
    CountingGame,
    check_may_act,
    finish,
    not_your_turn,
    seat_out,
    shown,
    wrong_phase,
)
from engine.games.one_and_thirty import background, prompts, rulebook
from engine.games.one_and_thirty.in_order import OrderedPlay, is_word, judged
from engine.games.one_and_thirty.options import OneAndThirtyOptions
from engine.games.one_and_thirty.payments import of_cards
from engine.games.one_and_thirty.story import OneAndThirtyStory
from engine.games.story import Story


class OneAndThirty(CountingGame):
    """The game itself; what Bone-Ace changes is in methods of their own."""

    name: ClassVar[str] = "one-and-thirty"
    old_names: ClassVar[tuple[str, ...]] = ("31", "one-and-thirty-with-cards")
    title: ClassVar[str] = "One-and-Thirty"
    about: ClassVar[str] = "Come near to 31, and not over it."
    emblem: ClassVar[tuple[str | None, ...]] = ("9S", "KH", "QC")
    strategist: ClassVar[str] = "engine.games.one_and_thirty.strategy:OneAndThirtyPlayer"
    teacher: ClassVar[str] = "engine.games.one_and_thirty.hints:OneAndThirtyHints"
    chances: ClassVar[str] = "engine.games.one_and_thirty.chances:OneAndThirtyChances"
    story: ClassVar[Story] = OneAndThirtyStory()
    target: ClassVar[int] = GOAL
    cards_dealt: ClassVar[int] = 3
    options_type: ClassVar[type[Any]] = OneAndThirtyOptions
    presets: ClassVar[tuple[Preset, ...]] = (
        Preset(
            "willughby",
            "S1",
            tells=N_("31 pays double; on a tie the earlier player wins."),
            says=N_(
                "Justin du Coeur rebuilt the game in 1996 from Willughby's notes of about "
                "1665: more cards come from the bottom of the pack, and the earlier player wins "
                "ties. That 31 pays double is what he advises."
            ),
        ),
        Preset(
            "davis",
            "S3",
            {"eldest_means": "age", "double_on_31": False},
            tells=N_("The oldest begins, and the older wins a tie."),
            says=N_(
                "Nakoa Davis has “the oldest player” begin and the older one win ties, where "
                "the others mean the seat on the dealer's left. That 31 pays double is only "
                "sometimes played."
            ),
        ),
        Preset(
            "kerr",
            "E12",
            {"max_players": 8},
            tells=N_("The plain game, for up to eight players."),
            says=N_(
                "Katherine Kerr: the ace counts one, and more cards come from the bottom of "
                "the pack. She lets up to ten play; one pack serves eight."
            ),
        ),
    )
    bone_ace_in_cut: ClassVar[Card] = Card.parse("AH")

    def prompt(self, view: View, *, guided: bool = False) -> Prompt:
        """Return what is said at an ordinary moment."""
        return prompts.prompt(view, guided=guided)

    def background(self, options: Any) -> tuple[Section, ...]:
        """Return where this game comes from, and what is left open."""
        return background.one_and_thirty(options)

    def rules(self, options: Any) -> tuple[Section, ...]:
        """Return the page of this game."""
        return rulebook.one_and_thirty(options)

    def begin(
        self,
        options: Any,
        players: Sequence[Player],
        dealer: int,
        order: tuple[int, ...] = (),
        standing: MatchState = NO_MATCH,
    ) -> OrderedPlay:
        """Return a hand before its first card, which keeps what happens in it."""
        return OrderedPlay(**vars(super().begin(options, players, dealer, order, standing)))

    # --- judged in order --------------------------------------------------------------------

    def step(self, play: Any, event: Event) -> Play:
        """Apply one event; a hand may be turned up at any time (rules OT-18, OT-19).

        Raises:
            IllegalActionError: the event is not possible now.
        """
        noted = replace(play, played=(*play.played, event))
        if isinstance(event, Reveal):
            if play.phase is Phase.DONE:
                return self._show_late(noted, event)
            hand = play.hand(event.seat)
            own = play.phase is Phase.PLAY and (hand.seat == play.turn or not hand.acted)
            if own and not hand.out and self.total(play, event.cards) == GOAL:
                return self.claim(noted, event)
        return super().step(noted, event)

    def _show_late(self, play: OrderedPlay, event: Reveal) -> Play:
        """Judge a hand again that was over, since more of it is seen (rule OT-19)."""
        hand = play.hand(event.seat)
        if not hand.has_unread:
            raise wrong_phase(play, event)
        if hand.out or play.has_thrown_in(event.seat):
            raise seat_out(event.seat)
        play = with_hand(play, shown(play, hand, event.cards))
        return self._judged(play) or play

    def _judged(self, play: OrderedPlay) -> Play | None:
        return judged(self, play, self.elders(play))

    def advance(self, play: Any) -> Play:
        """Find how the hand ended, by the order of what was just seen too (OT-17 to OT-19)."""
        last = play.played[-1]
        by_order = self._judged(play) if isinstance(last, Reveal) or is_word(last) else None
        return by_order or super().advance(play)

    def leave(self, play: Any, seat: int) -> Play:
        """Count a player who goes away as out: unseen cards are thrown in (G-17, OT-17).

        Raises:
            IllegalActionError: they have left already, or cards are being dealt.
        """
        return super().leave(replace(play, played=(*play.played, Leave(seat))), seat)

    def stick_for(self, play: Any, seat: int) -> Play | None:
        """Let the player whose turn it is count as having stuck (rule G-11)."""
        return super().stick_for(replace(play, played=(*play.played, Stick(seat))), seat)

    # --- the order of turns -----------------------------------------------------------------

    def turn_order(self, play: Play) -> tuple[int, ...]:
        """Return the order of turns: eldest first, the dealer last (rules OT-5, OT-15)."""
        if play.options.eldest_means == "seat":
            return play.eldest
        ages = _ages(play.players)
        others = (seat for seat in play.eldest if seat != play.dealer)
        # Of equal ages the first by seat.
        return beginning_with(play, max(others, key=lambda seat: ages[seat]))

    def elders(self, play: Play) -> tuple[int, ...]:
        """Return the seats, the one that wins ties first (rules OT-13, OT-15)."""
        if play.options.eldest_means == "seat":
            return play.eldest
        ages = _ages(play.players)
        return tuple(sorted(play.eldest, key=lambda seat: -ages[seat]))

    # --- 31 exactly -------------------------------------------------------------------------

    def won_by_deal(self, play: Any) -> Play | None:
        """End the hand if somebody was dealt 31 (rule OT-16)."""
        for seat in self.elders(play):
            if self.total(play, play.hand(seat).cards) == GOAL:
                return self._claimed(play, seat)
        return None

    def drawn(self, play: Any, hand: PlayerCards) -> Play:
        """End the hand if the card asked for makes 31 (rule OT-9)."""
        if self.total(play, hand.cards) == GOAL:
            return self._claimed(play, hand.seat)
        return super().drawn(play, hand)

    def _claimed(self, play: OrderedPlay, seat: int) -> Play:
        claimed = replace(play, claim=(seat, len(play.played)))
        return finish(claimed, End.THIRTY_ONE, (seat,))

    def claim(self, play: Any, event: Declare | Reveal) -> Play:
        """End the hand if a player shows 31, before their turn or in it (rules OT-17, OT-19).

        Raises:
            IllegalActionError: it is too late for a claim, or the cards make another total.
        """
        hand = play.hand(event.seat)
        check_may_act(play, hand)
        if event.seat != play.turn and hand.acted:
            raise not_your_turn(play, event.seat)
        hand = shown(play, hand, event.cards)
        total = self.total(play, event.cards)
        if total != GOAL:
            raise IllegalActionError(
                Refusal.FALSE_31,
                f"the cards of seat {event.seat} make {total}, not 31; play goes on",
            )
        ended: Any = self._claimed(with_hand(play, replace(hand, acted=True)), event.seat)
        return self._judged(ended) or ended

    def actions(self, play: Play) -> tuple[Action, ...]:
        """List what the rules allow next; claims of 31 that may be true are among it."""
        found = super().actions(play)
        if play.phase is Phase.DONE:
            late = ((seat, len(play.hand(seat).cards)) for seat in play.may_reveal())
            return tuple(Action("reveal", seat, cards=number) for seat, number in late)
        if play.phase is not Phase.PLAY or play.turn is None:
            return found
        left = Counter({card: play.options.decks for card in deck()})
        left.subtract(play.seen())
        claims = []
        for hand in map(play.hand, play.order):
            free = not play.asked if hand.seat == play.turn else not hand.acted
            ace = play.options.ace_value
            if free and not hand.out and may_be_31(hand.cards, ace, left.elements()):
                claim = Claim.THIRTY_ONE
                claims.append(Action("declare", hand.seat, what=claim, cards=len(hand.cards)))
        return (*found, *claims)

    # --- the end ----------------------------------------------------------------------------

    def wins_alone(self, play: Play, hand: PlayerCards) -> bool:
        """Return whether the last player not out has won; by option the dealer plays (OT-11)."""
        must_play = hand.seat == play.dealer and not play.options.dealer_wins_if_all_out
        return super().wins_alone(play, hand) and (hand.stuck or not must_play)

    def nearest(self, play: Play, alive: Sequence[PlayerCards]) -> tuple[int, ...]:
        """Return who is nearest to 31: the elder of a tie, or all of it (OT-12 to OT-14)."""
        tied = super().nearest(play, alive)
        by_age = tuple(seat for seat in self.elders(play) if seat in tied)
        return by_age if play.options.tie_rule == "split" else by_age[:1]

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

    # --- the cut ----------------------------------------------------------------------------

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


def beginning_with(play: Play, first: int) -> tuple[int, ...]:
    """Return the order of turns that begins with *first*; the dealer is last, or else first."""
    others = [seat for seat in play.eldest if seat != play.dealer]
    if first == play.dealer:
        return (first, *others)
    start = others.index(first)
    return (*others[start:], *others[:start], play.dealer)


def bone_net(bone: Bone | None, seat: int) -> int:
    """Return what *seat* got (or paid, below 0) for the Bone."""
    return dict(bone.payments).get(seat, 0) if bone else 0


def _ages(players: Iterable[Player]) -> dict[int, int]:
    """Return ages by seat; who does not tell counts as the youngest."""
    return {player.seat: -1 if player.age is None else player.age for player in players}
