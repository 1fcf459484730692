"""Simulated players of Thirty-one and its variants (SC-4 to SC-6).

**Cautious** knocks at 27 (in Brag with a flush or better), takes any open card or hand that
improves their own, else draws from the stock; takes a face-down card only where there is nothing
else to do. Restarts Switch whenever they may.

**Bold** knocks at 21 (in Brag with a pair), takes the discard only for four points or more, swaps a
hand of 13 or less for a whole widow that nobody has seen, and never restarts.

**Exact** takes the move with the highest expected lives, points or tokens: see
:mod:`engine.games.scat.bots.opponents`. While nobody has knocked, they compare knocking now, after
which the others have one more turn, with every other move. A move is worth the better of a knock in
the next turn and one more draw after somebody else has knocked; the others have two more turns in
both. After a knock they compare what each hand is worth at the end. They consider every card that
may come from the stock or from a face-down place, remember which cards the others are known to
hold, and restart Switch if the round would cost them a life.

Nobody waits where waiting brings no card: without a stock, a player whose hand no open card can
improve knocks.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.cards import Card
from engine.core.events import (
    Accept,
    ChooseHand,
    Claim,
    Declare,
    Discard,
    Draw,
    Event,
    Facing,
    Keep,
    Knock,
    Renew,
    Restart,
    Reveal,
    Source,
    Stand,
    TableHand,
)
from engine.games.base import Action
from engine.games.decision import Decision, Strategy, Style
from engine.games.scat.bots.moves import Move, all_new, lying, moves, visible
from engine.games.scat.bots.opponents import Field
from engine.games.scat.brag import Kind
from engine.games.scat.odds import HAND, draw, unseen
from engine.games.scat.points import BLITZ, Strength, points, strength

KNOCKS_AT: dict[Style, int] = {Style.CAUTIOUS: 27, Style.BOLD: 21}
KNOCKS_IN_BRAG: dict[Style, tuple[int, ...]] = {
    Style.CAUTIOUS: (Kind.FLUSH,),
    Style.BOLD: (Kind.PAIR,),
}
"""From which hand on the simple players knock."""
BOLD_GAIN = 4
"""What the discard must bring the bold player in points."""
BOLD_GIVES_UP = 13
"""With no more than that they swap their hand for a widow that nobody has seen."""


class ScatPlayer(Strategy):
    """Keeps the best of their cards, and knocks when that is enough."""

    def answer(self, asked: Decision) -> Event | None:
        """Call 31, show, choose a hand, throw a card, or take a turn."""
        blitz = asked.may(Declare.kind, Claim.THIRTY_ONE)
        if blitz is not None and strength(asked.hand, asked.options) == BLITZ:
            return Declare(asked.seat, Claim.THIRTY_ONE, asked.hand)
        if asked.may(Reveal.kind):
            return Reveal(asked.seat, asked.hand)
        if asked.may(Restart.kind):
            return Restart(asked.seat) if self.restarts(asked) else None
        if asked.may(ChooseHand.kind):
            return _better_hand(asked)
        throw = asked.may(Discard.kind)
        if throw is not None:
            return Discard(asked.seat, self.throws(asked, throw))
        if asked.view.turn != asked.seat:  # who has just swapped may stop the bus (rule SB-3)
            stops = asked.may(Knock.kind) is not None and self.stops(asked)
            return Knock(asked.seat) if stops else None
        return self._best_turn(asked) if self.style is Style.EXACT else self._simple_turn(asked)

    def without_seat(self, actions: Sequence[Action]) -> Event | None:
        """Go on to the scoring where nobody restarts Switch (rule SW-8)."""
        return Accept() if any(action.kind == Accept.kind for action in actions) else None

    def throws(self, asked: Decision, action: Action) -> Card:
        """Return the card to lay on the discard, so that the best three are kept (SC-4, SC-16)."""
        hidden = [card for card in asked.hand if card not in asked.me.cards]
        allowed = [c for c in dict.fromkeys(asked.hand) if c in action.give or c in hidden]
        if self.style is Style.EXACT and not _has_knocked(asked):
            best = max(_without(asked, card)[0] for card in allowed)
            allowed = [card for card in allowed if _without(asked, card)[0] == best]
            if len(allowed) > 1:
                return max(allowed, key=lambda card: self._promise(asked, card))
        return max(allowed, key=lambda card: (_without(asked, card)[0], -points(card)))

    def stops(self, asked: Decision) -> bool:
        """Return whether they stop the bus after their swap (rule SB-3)."""
        mine = strength(asked.hand, asked.options)
        if not _improvements(asked, mine, _swaps_of_next_turn(asked)):
            return True
        if self.style is not Style.EXACT:
            return self._is_enough(asked, mine)
        field = Field.of(asked, _unseen(asked))
        best = max(move.end(asked) for move in _swaps_of_next_turn(asked))
        return field.knocked(mine, 1) >= field.stayed(best, 2)

    def restarts(self, asked: Decision) -> bool:
        """Return whether to restart Switch (rule SW-8)."""
        if self.style is not Style.EXACT:
            return self.style is Style.CAUTIOUS
        mine = strength(asked.hand, asked.options)
        rest = [seat.value for seat in asked.rivals if seat.value is not None]
        if asked.view.middle is not None and asked.view.middle.knocker == asked.seat:
            safe = asked.options.knock_tie == "safe"
            return all(mine < value or (mine == value and not safe) for value in rest)
        return all(mine <= value for value in rest)

    # --- simple players ---------------------------------------------------------------------

    def _simple_turn(self, asked: Decision) -> Event | None:
        mine = strength(asked.hand, asked.options)
        knock = asked.may(Knock.kind)
        if knock is not None and self._is_enough(asked, mine):
            return Knock(asked.seat)
        ways = list(moves(asked))
        better = _improvements(asked, mine, ways)
        better = [(end, move) for end, move in better if self._is_gain(mine, end, move)]
        if better:
            return max(better, key=lambda pair: pair[0])[1].event
        blind = self._blind(asked, mine, ways)
        if blind is not None:
            return blind
        if asked.may(Stand.kind) and _has_knocked(asked):
            return Stand(asked.seat)
        renew = _renew(asked, Facing.UP if self.style is Style.CAUTIOUS else Facing.DOWN)
        if renew is None and knock is not None:
            return Knock(asked.seat)
        return renew or _least_bad(asked, ways)

    def _is_enough(self, asked: Decision, mine: Strength) -> bool:
        if asked.options.ranking == "brag":
            return bool(mine >= KNOCKS_IN_BRAG[self.style])
        return bool(mine >= KNOCKS_AT[self.style])

    def _is_gain(self, mine: Strength, end: Strength, move: Move) -> bool:
        """Return whether the bold player does without the stock for that."""
        if self.style is Style.CAUTIOUS or not isinstance(move.event, Draw):
            return True
        return bool(end >= mine + BOLD_GAIN)

    def _blind(self, asked: Decision, mine: Strength, ways: Sequence[Move]) -> Event | None:
        """Return a card of the stock, or what else nobody has seen."""
        stock = next((move for move in ways if move.choice and move.blind), None)
        if stock is not None:
            all_new = [move for move in ways if move.blind == HAND]
            if self.style is Style.BOLD and all_new and mine <= BOLD_GIVES_UP:
                return all_new[0].event
            return stock.event
        one = [move for move in ways if move.blind == 1]
        if not one or (_has_knocked(asked) and self.style is Style.CAUTIOUS):
            return None
        return max(one, key=lambda move: strength(move.keeps, asked.options)).event

    # --- the exact player -------------------------------------------------------------------

    def _best_turn(self, asked: Decision) -> Event | None:
        left = _unseen(asked)
        field = Field.of(asked, left)
        mine = strength(asked.hand, asked.options)
        found: list[tuple[float, Event]] = []
        if asked.may(Knock.kind) is not None:
            found.append((field.knocked(mine, 0 if _is_gate(asked) else 1), Knock(asked.seat)))
        if asked.may(Stand.kind) is not None and _has_knocked(asked):
            found.append((field.stayed(mine, 1), Stand(asked.seat)))
        known: dict[object, float] = {}
        for move in moves(asked):
            if _is_idle(asked, mine, move):
                continue
            if move.makes not in known:  # which of several backs they take makes no difference
                known[move.makes] = self._worth_of(asked, field, move, left)
            found.append((known[move.makes], move.event))
        if not found:
            return _renew(asked, Facing.UP) or _least_bad(asked, list(moves(asked)))
        return max(found, key=lambda pair: pair[0])[1]

    def _worth_of(self, asked: Decision, field: Field, move: Move, left: Sequence[Card]) -> float:
        """Return what a move is worth, over all the cards that may come."""
        if move.blind == HAND and asked.options.ranking == "suit":
            values = all_new(asked)
            return sum(p * self._worth(asked, field, value) for value, p in values.items())
        draws = asked.options.has_discard and not _has_knocked(asked)
        worth = 0.0
        for hand, p in move.ends(left, asked).items():
            value = strength(hand, asked.options)
            now = self._worth(asked, field, value)
            if draws and value != BLITZ:
                now = max(field.knocked(value, 2), field.drawn(hand))
            worth += p * now
        return worth

    def _worth(self, asked: Decision, field: Field, end: Strength) -> float:
        """Return what a hand is worth at the end of this turn."""
        options, knocked = asked.options, _has_knocked(asked)
        if options.blitz and end == BLITZ and (not knocked or options.blitz_after_knock == "ends"):
            return field.blitz()
        return field.stayed(end, 1 if knocked else 2)

    def _promise(self, asked: Decision, card: Card) -> tuple[float, int]:
        """Return how good the hand without a card may be after a draw."""
        _, kept = _without(asked, card)
        more = draw(kept, [*visible(asked), card], **asked.options.for_odds)
        return float(more.after.mean), -points(card)


# --- private ------------------------------------------------------------------------------------


def _has_knocked(asked: Decision) -> bool:
    middle = asked.view.middle
    return middle is not None and middle.knocker is not None


def _is_gate(asked: Decision) -> bool:
    """Return whether a knock would show all hands at once (rule CQ-4)."""
    middle, options = asked.view.middle, asked.options
    if options.first_knock != "out_of_gate" or middle is None or asked.elders:
        return False
    dealt = HAND * sum(1 for seat in asked.view.seats if seat.cards) + options.cards_beside
    return bool(
        middle.stock == options.deck * options.decks - dealt
        and not any(seat.known for seat in asked.view.seats)
    )


def _unseen(asked: Decision) -> tuple[Card, ...]:
    return unseen([*asked.hand, *visible(asked)], asked.options.deck, asked.options.decks)


def _without(asked: Decision, card: Card) -> tuple[Strength, tuple[Card, ...]]:
    kept = list(asked.hand)
    kept.remove(card)
    return strength(kept, asked.options), tuple(kept)


def _better_hand(asked: Decision) -> Event:
    """Keep the better of the dealer's two hands, and lay the other open (rule SW-2)."""
    second = asked.second
    first_is_best = strength(asked.hand, asked.options) >= strength(second, asked.options)
    keep = Keep.FIRST if first_is_best else Keep.SECOND
    action = next(one for one in asked.actions if one.keep is keep)
    other = second if first_is_best else asked.hand
    return ChooseHand(asked.seat, keep, other if action.cards else ())


def _improvements(
    asked: Decision, mine: Strength, ways: Sequence[Move]
) -> list[tuple[Strength, Move]]:
    """Return the moves that make the hand better for certain, with what they make of it."""
    found = ((move.end(asked), move) for move in ways if not move.blind)
    return [(end, move) for end, move in found if end > mine]


def _is_idle(asked: Decision, mine: Strength, move: Move) -> bool:
    """Return whether a move takes an open card for nothing; so could all, for ever."""
    if move.blind or _has_knocked(asked):
        return False
    taken = isinstance(move.event, Draw) and move.event.source is Source.DISCARD
    return (taken or asked.may(Knock.kind) is not None) and not move.end(asked) > mine


def _swaps_of_next_turn(asked: Decision) -> list[Move]:
    """Return the swaps that the table of Stop the bus would allow as it lies (rule SB-2)."""
    table = tuple(card for card in lying(asked, "table") if card is not None)
    swap = Action("swap", asked.seat, counts=(1, 3), take=table)
    return list(moves(Decision(asked.view, asked.options, (swap,), asked.me, asked.hand)))


def _renew(asked: Decision, face: Facing) -> Event | None:
    """Return three new cards for hand B of Switch; face down one goes on (rules SW-5, SW-6)."""
    may = any(action.face is face for action in asked.all_of(Renew.kind))
    return Renew(asked.seat, TableHand.B, (), face) if may else None


def _least_bad(asked: Decision, ways: Sequence[Move]) -> Event | None:
    """Return what must be done where nothing helps: what leaves the best hand."""
    certain = [move for move in ways if not move.blind]
    if certain:
        return max(certain, key=lambda move: move.end(asked)).event
    if ways:
        return ways[0].event
    return Stand(asked.seat) if asked.may(Stand.kind) else None
