"""A game of its own, of no family: a card each, face up; the highest takes a stake of the others.

The tests play it: what docs/how-to/add-a-game.md says of such a game is what happens to it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from engine.core.cards import Rank
from engine.core.events import Deal, Facing
from engine.core.hands import PlayerCards
from engine.core.options import OneOf, Preset, WholeNumber, option
from engine.core.outcome import NO_MATCH, End, Result
from engine.core.refusals import IllegalActionError, Refusal
from engine.core.views import Phase
from engine.games.base import Action, Game, Play, with_hand

RANKS = list(Rank)


@dataclass(frozen=True, slots=True, kw_only=True)
class HighCardOptions:
    """What may be agreed."""

    stake: int = option(1, WholeNumber(1), "ours")
    decks: Literal[1] = option(1, OneOf((1,)), "ours")
    max_players: int = option(8, WholeNumber(2, 8), "ours")
    next_dealer: Literal["left"] = option("left", OneOf(("left",)), "ours")


class HighCard(Game):
    """The rules."""

    name = "high-card"
    title = "High card"
    presets = (Preset("house", "ours"),)
    options_type = HighCardOptions

    def begin(self, options, players, dealer, order=(), standing=NO_MATCH):
        """Lay out empty hands, the dealer last."""
        seats = sorted((each.seat for each in players), key=lambda seat: (seat <= dealer, seat))
        hands = tuple(PlayerCards(seat) for seat in seats)
        return Play(options, dealer, tuple(players), tuple(seats), hands, order=tuple(seats))

    def step(self, play, event):
        """Take a card for whoever has none."""
        if not isinstance(event, Deal) or play.phase is not Phase.DEAL:
            raise IllegalActionError(
                Refusal.WRONG_PHASE, "only cards are dealt; go on to the next hand"
            )
        hand = play.hand(event.seat)
        if hand.cards:
            raise IllegalActionError(Refusal.TOO_MANY_CARDS, "one card each; put it back")
        if event.card is None:
            raise IllegalActionError(
                Refusal.UPCARD_UNREADABLE, "lay the card so that it can be read"
            )
        if event.card in play.seen():
            raise IllegalActionError(
                Refusal.DUPLICATE_CARD, "that card lies there already; look again"
            )
        play = with_hand(play, hand.take(event.card, True))
        if self.next_to_deal(play) is not None:
            return play
        best = max(self.total(play, hand.cards) for hand in play.hands)
        won = tuple(h.seat for h in play.hands if self.total(play, h.cards) == best)
        return replace(play, phase=Phase.DONE, end=End.SHOWDOWN, winners=won[:1])

    def leave(self, play, seat):
        """Nobody can go away: a hand takes a moment."""
        raise IllegalActionError(Refusal.WRONG_PHASE, "wait for the end of the hand")

    def actions(self, play):
        """Deal to the next."""
        due = self.next_to_deal(play)
        return () if due is None else (Action(Deal.kind, due[0], face=due[1], cards=1),)

    def total(self, play, cards):
        """Count the rank, ace low."""
        known = [card for card in cards if card is not None]
        return RANKS.index(known[0].rank) + 1 if len(known) == len(cards) == 1 else None

    def next_to_deal(self, play):
        """Name who has no card yet."""
        waiting = [hand.seat for hand in play.hands if not hand.cards]
        return (waiting[0], Facing.UP) if waiting and play.phase is Phase.DEAL else None

    def result(self, play):
        """Let the others pay."""
        (winner,) = play.winners
        stake = play.options.stake
        losers = [hand.seat for hand in play.hands if hand.seat != winner]
        net = {winner: stake * len(losers), **dict.fromkeys(losers, -stake)}
        return Result(
            play.end,
            play.winners,
            tuple((hand.seat, self.total(play, hand.cards)) for hand in play.hands),
            (),
            tuple(sorted(net.items())),
            tuple((loser, winner, stake) for loser in losers),
        )
