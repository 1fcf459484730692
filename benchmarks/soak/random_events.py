"""Random events: listed actions filled in with cards that may truly lie there, and any nonsense."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from itertools import combinations
from typing import Any, get_args, get_type_hints

from engine import Action, Card, Claim, Event, Facing, State, deck
from engine.core import counting, events
from engine.games.counting_game import CountingGame
from engine.games.scat.points import points

KINDS: tuple[type[Any], ...] = tuple(events.EVENTS)
FACES = (1, 3, 4, 6)
DECK = deck()
_HINTS = {kind: get_type_hints(kind) for kind in KINDS}
_PLAIN = {
    kind.kind: kind
    for kind in (events.Have, events.Stick, events.Leave, events.Knock, events.Stand)
}
_BARE = {kind.kind: kind for kind in (events.Misdeal, events.Undo, events.Accept)}


class RandomEvents:
    """Makes events for a table as it stands."""

    def __init__(self, rng: random.Random, blind: float) -> None:
        self.rng = rng
        self.blind = blind

    # --- cards --------------------------------------------------------------------------------

    def unseen(self, state: State) -> list[Card]:
        """Return the cards that nobody has read, in a random order."""
        hand = state.round
        decks = max(1, state.setup.game.decks(hand.options))
        pack = state.setup.game.pack(hand.options)
        cards = [card for card in DECK if card in pack] * decks
        seen = (card for _, card in hand.cuts) if hand.play is None else hand.play.seen()
        for card in seen:
            if card in cards:  # after a correction it may lie there once too often
                cards.remove(card)
        self.rng.shuffle(cards)
        return cards

    def dealt(self, state: State, face: Facing | None) -> Card | None:
        hidden = face is Facing.DOWN and self.rng.random() < self.blind
        return None if hidden else self.unseen(state)[0]

    def filled(self, state: State, cards: Iterable[Card | None]) -> tuple[Card, ...]:
        fresh = iter(self.unseen(state))
        return tuple(next(fresh) if card is None else card for card in cards)

    def given(self, state: State, action: Action, count: int) -> tuple[Card, ...]:
        held = state.live_play.hand(action.seat).cards
        known = [card for card in held if card in action.give]
        return tuple(self.rng.sample([*known, *self.unseen(state)[: action.unread]], count))

    def claim(self, state: State, seat: int) -> tuple[Card, ...] | None:
        """Return the hand as a 31, if unread cards can make it one; ``None`` if they cannot."""
        held = state.live_play.hand(seat).cards
        unread, fresh = held.count(None), self.unseen(state)
        if isinstance(state.setup.game, CountingGame):
            ace, goal = state.setup.options.ace_value, state.setup.game.target
            for _ in range(200):
                some = iter(self.rng.sample(fresh, unread))
                cards = tuple(next(some) if card is None else card for card in held)
                if counting.total(cards, ace, goal) == goal:
                    return cards
            return None
        for suit in "SHDC":
            best = sorted((card for card in fresh if card.suit == suit), key=points)
            for some in combinations(best[-5:], unread):
                rest = iter(some)
                cards = tuple(next(rest) if card is None else card for card in held)
                if len(cards) == 3 and state.live_play.value_of(cards) == 31:
                    return cards
        return None

    # --- what is allowed ----------------------------------------------------------------------

    def fill(self, state: State, action: Action) -> Event | None:
        """Return an event that the action allows; ``None`` if no cards can be found for it."""
        rng, seat = self.rng, action.seat
        if action.kind in _PLAIN:
            return _PLAIN[action.kind](seat)
        if action.kind in _BARE:
            return _BARE[action.kind]()
        match action.kind:
            case "cut":
                return events.Cut(seat, self.unseen(state)[0])
            case "deal" if action.pile is not None:
                card = self.dealt(state, action.face)
                return events.DealTo(action.pile, card, action.face)
            case "deal":
                card = self.dealt(state, action.face)
                return events.Deal(seat, card, action.face, rng.choice([None, action.end]))
            case "turn_up":
                return events.TurnUp(self.unseen(state)[0])
            case "roll":
                faces = tuple(rng.choices(FACES, (1, 4, 4, 1), k=action.bones))
                return events.Roll(seat, faces)
            case "choose":
                return events.Choose(seat, rng.randint(action.least, action.most))
            case "stake":
                return events.Stake(seat, action.least + rng.randrange(9))
            case "declare" if action.what is Claim.THIRTY_ONE:
                cards = self.claim(state, seat)
                return None if cards is None else events.Declare(seat, action.what, cards)
            case "declare":
                held = self.filled(state, state.live_play.hand(seat).cards)
                return events.Declare(seat, action.what, rng.choice([(), held]))
            case "reveal":
                return events.Reveal(seat, self.filled(state, state.live_play.hand(seat).cards))
            case "restart":
                return events.Restart(seat)
            case "join":
                free = min(set(range(12)) - {player.seat for player in state.players})
                return events.Join(free, f"N{free}", rng.choice([None, 20, 60]))
            case "next_hand":
                return events.NextHand()
            case "entry":
                seats = {player.seat for player in (*state.round.players, *state.players)}
                payer, payee = rng.sample(sorted(seats), 2)
                tokens = rng.randint(1, 9)
                return events.Entry(((payer, -tokens), (payee, tokens)), "soak")
            case "correct":
                return self.correction(state, action)
        return self.exchange(state, action)

    def correction(self, state: State, action: Action) -> Event | None:
        rng, play = self.rng, state.round.play
        if action.bones:
            throws = play.hand(action.seat).throws
            roll = rng.randrange(len(throws))
            pos = rng.randrange(len(throws[roll]))
            return events.CorrectBone(action.seat, roll, pos, rng.choice(FACES))
        if play is None:
            seat, card = rng.choice(state.round.cuts or state.round.last_cuts)
            return events.Correct(card, self.unseen(state)[0], seat)
        held = [(hand.seat, card) for hand in play.hands for card in hand.cards if card]
        if not held:
            return None
        seat, card = rng.choice(held)
        return events.Correct(card, self.unseen(state)[0], seat)

    def exchange(self, state: State, action: Action) -> Event | None:
        """Fill in what changes cards in Thirty-one."""
        rng, seat, play = self.rng, action.seat, state.live_play
        match action.kind:
            case "draw":
                stock = action.source is events.Source.STOCK
                card = self.dealt(state, Facing.DOWN) if stock else None
                return events.Draw(seat, action.source, card)
            case "discard":
                return events.Discard(seat, self.given(state, action, 1)[0])
            case "widow":
                count = rng.choice(action.counts)
                take = tuple(rng.sample(action.places, count))
                return events.Widow(seat, self.given(state, action, count), take)
            case "swap" if action.hand is None:
                count = rng.choice(action.counts)
                take = tuple(rng.sample(action.take, count))
                return events.SwapCards(seat, self.given(state, action, count), take)
            case "swap":
                gave = self.filled(state, play.hand(seat).cards) if action.cards else ()
                return events.SwapHand(seat, action.hand, gave)
            case "exchange":
                give = self.given(state, action, 1)[0]
                return events.Exchange(seat, action.hand, rng.choice(action.places), give)
            case "renew":
                fresh = tuple(self.unseen(state)[: action.cards])
                hidden = action.face is Facing.DOWN and rng.random() < self.blind
                cards = (None,) * len(fresh) if hidden else fresh
                return events.Renew(seat, action.hand, cards, action.face)
            case "choose_hand":
                second = [place.card for place in play.pile(events.Pile.SECOND)]
                keeps_first = action.keep is events.Keep.FIRST
                other = second if keeps_first else play.hand(seat).cards
                shown = self.filled(state, other) if action.cards else ()
                return events.ChooseHand(seat, action.keep, shown)
        raise AssertionError(f"no event is known for {action}")

    # --- what mostly is not -------------------------------------------------------------------

    def any_event(self, state: State) -> Event:
        """Return an event of any kind, its fields filled in with little sense."""
        kind = self.rng.choice(KINDS)
        values = {
            each.name: self.any_value(state, each.name, _HINTS[kind][each.name])
            for each in fields(kind)
        }
        event: Event = kind(**values)
        return event

    def twist(self, state: State, event: Event) -> Event:
        """Return the event with one of its fields changed."""
        parts = fields(event)
        if not parts:
            return event
        each = self.rng.choice(parts)
        value = self.any_value(state, each.name, _HINTS[type(event)][each.name])
        return replace(event, **{each.name: value})

    def any_value(self, state: State, name: str, hint: Any) -> Any:
        rng = self.rng
        words = [one for one in (hint, *get_args(hint)) if isinstance(one, type)]
        word = next((one for one in words if issubclass(one, events.StrEnum)), None)
        if word is not None:
            return rng.choice([*word, *([None] if type(None) in get_args(hint) else [])])
        if name == "seat":
            return self.any_seat(state, optional=hint is not int)
        if hint == Card | None:
            return self.any_card(state)
        if hint == tuple[Card | None, ...]:
            return self.any_cards(state)
        if name == "faces":
            return tuple(rng.choices((*FACES, *FACES, 0, 2), k=rng.choice([1, 2, 5, 5, 5, 6])))
        if name == "take":
            return tuple(rng.choices(range(4), k=rng.randint(0, 3)))
        if name in ("stakes", "tokens"):
            seats = rng.sample(range(6), rng.choice([0, 0, 0, 1]))
            return tuple((seat, rng.choice([-1, 0, 1, 5])) for seat in sorted(seats))
        if name in ("name", "reason"):
            return rng.choice(["", "Zoe"])
        numbers = [-1, 0, 0, 1, 1, 2, 3, 5, 40]
        return rng.choice([None, *numbers] if type(None) in get_args(hint) else numbers)

    def any_seat(self, state: State, *, optional: bool) -> int | None:
        seats = [player.seat for player in (*state.round.players, *state.players)]
        turn = [state.turn] * 4 if state.turn is not None else []
        return self.rng.choice([*seats, *turn, 11, *([None] * 6 if optional else [])])

    def any_card(self, state: State) -> Card | None:
        some: list[Card | None] = [None, self.rng.choice(DECK)]
        if state.round.play is not None:
            seen = list(state.round.play.seen())
            some += self.rng.sample(seen, min(2, len(seen)))
        return self.rng.choice([*some, *self.unseen(state)[:2]])

    def any_cards(self, state: State) -> Sequence[Card | None]:
        play = state.round.play
        if play is not None and self.rng.random() < 0.5:
            held = self.rng.choice(play.hands).cards
            return self.filled(state, held) if self.rng.random() < 0.7 else held
        return tuple(self.any_card(state) for _ in range(self.rng.randint(0, 4)))
