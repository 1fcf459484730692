"""Random play of Thirty-one: what a walker does next, and what the rules say of any event.

An unread card is any card that nobody has seen: which one it is, is decided when it is shown.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from engine import (
    Action,
    Card,
    Claim,
    Correct,
    Cut,
    Deal,
    Declare,
    Event,
    Facing,
    Have,
    IllegalActionError,
    Join,
    Leave,
    Misdeal,
    NextHand,
    Phase,
    Player,
    Reveal,
    State,
    Undo,
    apply,
    legal_actions,
    new_table,
)
from engine.core.events import (
    Accept,
    ChooseHand,
    DealTo,
    Discard,
    Draw,
    Exchange,
    Keep,
    Knock,
    Pile,
    Renew,
    Restart,
    Source,
    Stand,
    SwapCards,
    SwapHand,
    TableHand,
    TurnUp,
    Widow,
)
from tests.support import past_hands

RARE = {
    "misdeal": 0.004,
    "leave": 0.012,
    "undo": 0.05,
    "correct": 0.04,
    "knock": 0.12,
    "join": 0.1,
    "declare": 0.03,
    "entry": 0.1,
}
UNREAD = 0.05
"""How often a discard from a hand with unread cards is not read either (SC-28)."""


class Walker:
    """Plays at random; some of its cards nobody reads."""

    def __init__(self, seed: int, preset: str, options: dict[str, object]) -> None:
        self.rng = random.Random(seed)
        seats = self.rng.sample(range(8), self.rng.randint(2, 5))
        players = [Player(seat, f"P{seat}") for seat in sorted(seats)]
        dealer = self.rng.choice([None, *seats])
        self.state = new_table("scat", players, dealer=dealer, preset=preset, options=options)
        self.blind = self.rng.choice([0.0, 0.0, 0.3, 0.9])

    # --- cards --------------------------------------------------------------------------------

    def unseen(self, state: State | None = None) -> list[Card]:
        """The cards nobody has read, in a random order."""
        state = state or self.state
        hand = state.round
        left = Counter(dict.fromkeys(hand.game.pack(hand.options), hand.game.decks(hand.options)))
        if hand.play is not None:
            left.subtract(hand.play.seen())
        elif hand.cuts:
            left.subtract(card for _, card in hand.cuts)
        cards = sorted(card for card, count in left.items() if count > 0 for _ in range(count))
        self.rng.shuffle(cards)
        return cards

    def dealt(self, face: Facing | None = Facing.DOWN) -> Card | None:
        hidden = face is Facing.DOWN and self.rng.random() < self.blind
        return None if hidden else self.unseen()[0]

    def filled(self, cards) -> tuple[Card, ...]:
        fresh = iter(self.unseen())
        return tuple(card if card is not None else next(fresh) for card in cards)

    def blitz_of(self, cards) -> tuple[Card, ...]:
        """The hand made 31 by unread cards, if they can."""
        known = [card for card in cards if card is not None]
        unread = len(cards) - len(known)
        for suit in "SHDC":
            fresh = sorted((c for c in self.unseen() if c.suit == suit), key=worth)[-unread:]
            if unread and _is_blitz((*known, *fresh)):
                return (*known, *fresh)
        return self.filled(cards)

    def given(self, action: Action, count: int) -> tuple[Card, ...]:
        """Cards that the action lets the player give."""
        held = self.state.live_play.hand(action.seat).cards
        known = [card for card in held if card in action.give]
        fresh = self.unseen()[: action.unread]
        return tuple(self.rng.sample([*known, *fresh], count))

    # --- events -------------------------------------------------------------------------------

    def event(self, action: Action) -> Event:
        seat = action.seat
        match action.kind:
            case "cut":
                return Cut(seat, self.unseen()[0])
            case "deal" if action.pile is not None:
                return DealTo(action.pile, self.dealt(action.face), action.face)
            case "deal":
                return Deal(seat, self.dealt(), action.face, action.end)
            case "turn_up":
                return TurnUp(self.unseen()[0])
            case "draw":
                stock = action.source is Source.STOCK
                return Draw(seat, action.source, self.dealt() if stock else None)
            case "discard":
                if action.unread and self.rng.random() < UNREAD:
                    return Discard(seat, None)
                return Discard(seat, self.given(action, 1)[0])
            case "declare" if action.what is Claim.OUT:
                shown = self.filled(self.state.live_play.hand(seat).cards)
                return Declare(seat, action.what, shown if self.rng.random() < 0.3 else ())
            case "declare":
                held = self.state.live_play.hand(seat).cards
                return Declare(seat, action.what, self.blitz_of(held))
            case "reveal":
                cards = list(self.filled(self.state.live_play.hand(seat).cards))
                self.rng.shuffle(cards)
                return Reveal(seat, tuple(cards))
            case "correct":
                return self.correction()
            case "join":
                free = min(set(range(12)) - {player.seat for player in self.state.players})
                return Join(free, f"N{free}")
            case "leave":
                return Leave(seat)
        return self.table_event(action)

    def table_event(self, action: Action) -> Event:
        seat, play = action.seat, self.state.live_play
        match action.kind:
            case "widow":
                count = self.rng.choice(action.counts)
                give = self.given(action, count)
                return Widow(seat, give, tuple(self.rng.sample(action.places, count)))
            case "swap" if action.hand is None:
                count = self.rng.choice(action.counts)
                take = tuple(self.rng.sample(action.take, count))
                return SwapCards(seat, self.given(action, count), take)
            case "swap":
                gave = self.filled(play.hand(seat).cards) if action.cards else ()
                return SwapHand(seat, action.hand, gave)
            case "exchange":
                give = self.given(action, 1)[0]
                return Exchange(seat, action.hand, self.rng.choice(action.places), give)
            case "renew":
                fresh = self.unseen()[: action.cards]
                hidden = action.face is Facing.DOWN and self.rng.random() < self.blind
                return Renew(
                    seat, action.hand, (None,) * 3 if hidden else tuple(fresh), action.face
                )
            case "choose_hand":
                second = [place.card for place in play.pile(Pile.SECOND)]
                other = second if action.keep is Keep.FIRST else play.hand(seat).cards
                return ChooseHand(seat, action.keep, self.filled(other) if action.cards else ())
        plain = {"knock": Knock, "stand": Stand, "restart": Restart}
        if action.kind in plain:
            return plain[action.kind](seat)
        if action.kind == "misdeal":
            return past_hands.misdeal(self.rng, self.state)
        if action.kind == "entry":
            return past_hands.entry(self.rng, self.state)
        alone = {"next_hand": NextHand, "undo": Undo, "accept": Accept}
        return alone[action.kind]()

    def correction(self) -> Event:
        earlier = past_hands.correction(self.rng, self.state)
        if earlier is not None and self.rng.random() < 0.5:
            return earlier
        play = self.state.round.play
        if play is None:
            was = self.rng.choice(self.state.round.cuts or self.state.round.last_cuts)
            return Correct(was[1], self.unseen()[0], was[0])
        where = [(hand.seat, card) for hand in play.hands for card in hand.cards if card]
        if self.state.setup.options.decks == 1:
            where += [(None, card) for card in play.seen()]
        if not where:
            return Correct(self.unseen()[0], self.unseen()[0], play.dealer)
        seat, card = self.rng.choice(where)
        fresh = self.unseen() or [card]  # of 32 cards all may have been read: it stays as it is
        return Correct(card, fresh[0], seat)

    def choose(self) -> Action:
        found = legal_actions(self.state)
        likely = [a for a in found if self.rng.random() < RARE.get(a.kind, 1.0)]
        return self.rng.choice(likely or list(found))

    def steps(self, count: int) -> Iterator[tuple[State, Event, State]]:
        """Yield ``(before, event, after)`` for each accepted event."""
        for _ in range(count):
            event = self.event(self.choose())
            before = self.state
            try:
                self.state = apply(before, event)
            except IllegalActionError:
                if not isinstance(event, Correct):  # may name a card that is as it was
                    raise
                continue
            yield before, event, self.state
            if self.state.round.standing.over and self.rng.random() < 0.5:
                return


def candidates(walker: Walker, state: State) -> list[Event]:
    """Events of every kind, most of which cannot be now."""
    rng = walker.rng
    fresh = walker.unseen(state)[:4]
    play = state.round.play
    seen = sorted(play.seen()) if play is not None else []
    some = [*fresh[:2], *rng.sample(seen, min(3, len(seen)))]
    held = [c for h in (play.hands if play else ()) for c in h.cards if c is not None]
    some += rng.sample(held, min(2, len(held)))
    found: list[Event] = [Misdeal(), NextHand(), Undo(), Accept(), TurnUp(fresh[0]), TurnUp(None)]
    found += [
        DealTo(pile, card, face) for pile in Pile for card in (fresh[0], None) for face in Facing
    ]
    for seat in sorted({p.seat for p in (*state.round.players, *state.players)} | {11}):
        found += [Have(seat), Knock(seat), Stand(seat), Restart(seat), Leave(seat)]
        found += [Deal(seat, fresh[0], Facing.DOWN), Cut(seat, fresh[0]), Join(seat, "N")]
        found += [Draw(seat, Source.STOCK, fresh[0]), Draw(seat, Source.DISCARD)]
        found += [Discard(seat, card) for card in (*some, None)]
        found += [ChooseHand(seat, keep) for keep in Keep]
        three = tuple(fresh[:3])
        found += [Reveal(seat, three), Declare(seat, Claim.THIRTY_ONE, three)]
        found += [Declare(seat, Claim.OUT), Declare(seat, Claim.OUT, three)]
        if play is not None and any(h.seat == seat for h in play.hands):
            cards = play.hand(seat).cards
            found += [Reveal(seat, walker.filled(cards))]
            found += [Declare(seat, Claim.THIRTY_ONE, walker.blitz_of(cards))]
        for one in TableHand:
            found += [
                SwapHand(seat, one),
                Exchange(seat, one, rng.choice([0, 2, 3]), rng.choice(some)),
            ]
            found += [Renew(seat, one, three, face) for face in Facing]
            found += [Renew(seat, one, three[:2], Facing.UP)]
        for count in (1, 2, 3):
            give = tuple(rng.sample(some, min(count, len(some))))
            found += [Widow(seat, give, tuple(rng.sample(range(4), count)))]
            found += [SwapCards(seat, give, tuple(rng.sample(some, min(count, len(some)))))]
    return found


def allowed(state: State, event: Event) -> bool:
    """Say by the listed actions alone whether an event may be, cards that can truly lie there."""
    return any(_fits(state, action, event) for action in legal_actions(state))


def _fits(state: State, action: Action, event: Event) -> bool:
    if action.kind != event.kind:
        return False
    if isinstance(event, Join):
        return all(player.seat != event.seat for player in state.players)
    if action.seat is not None and action.seat != getattr(event, "seat", None):
        return False
    if getattr(event, "what", None) != action.what:
        return False
    play = state.round.play
    match event:
        case DealTo():
            reads = event.to is not Pile.TABLE or (event.card and event.face is Facing.UP)
            return event.to is action.pile and bool(reads)
        case Deal():
            return action.pile is None
        case TurnUp():
            return event.card is not None
        case Draw():
            return event.source is action.source
        case Discard():
            if event.card is None:
                return action.unread > 0
            return _may_give(state, action, (event.card,))
        case Widow():
            fits = len(event.take) in action.counts and len(event.give) == len(event.take)
            fits = fits and not Counter(event.take) - Counter(action.places)
            return fits and _may_give(state, action, event.give)
        case SwapCards():
            fits = len(event.take) in action.counts and len(event.give) == len(event.take)
            fits = fits and action.hand is None and not Counter(event.take) - Counter(action.take)
            return fits and _may_give(state, action, event.give)
        case SwapHand():
            return event.hand is action.hand and (bool(event.gave) or not action.cards)
        case Exchange():
            there = event.hand is action.hand and event.pos in action.places
            return there and _may_give(state, action, (event.give,))
        case Renew():
            same = event.hand is action.hand and event.face is action.face
            return same and len(event.cards) == action.cards
        case ChooseHand():
            return event.keep is action.keep and (bool(event.shown) or not action.cards)
        case Declare() if event.what is Claim.OUT:
            return not event.cards or _could_be(state, event.seat, event.cards)
        case Declare():
            return _could_be(state, event.seat, event.cards) and _is_blitz(event.cards)
        case Reveal():
            return _could_be(state, event.seat, event.cards)
    assert play is not None or event.kind in ("cut", "undo", "correct", "leave", "join")
    return True


def _may_give(state: State, action: Action, give: tuple[Card | None, ...]) -> bool:
    """Cards the action names, as often as they are held; or unread ones, that nobody has seen."""
    held = Counter(state.live_play.hand(action.seat).cards)
    left = Counter(dict.fromkeys(state.round.game.pack(state.round.options), 0))
    for card in left:
        left[card] = state.round.game.decks(state.round.options)
    left.subtract(state.live_play.seen())
    unread = action.unread
    for card in give:
        if card in action.give and held[card]:
            held[card] -= 1
        elif held[card] == 0 and unread and left[card] > 0:
            unread -= 1
            left[card] -= 1
        else:
            return False
    return True


def _could_be(state: State, seat: int, cards: tuple[Card | None, ...]) -> bool:
    """Whether the cards hold all that is known of the hand, and else only unseen ones."""
    known = Counter(card for card in state.live_play.hand(seat).cards if card is not None)
    shown = Counter(cards)
    if len(cards) != len(state.live_play.hand(seat).cards) or known - shown:
        return False
    left = Counter(state.live_play.seen())
    decks = state.setup.options.decks
    fresh = shown - known
    return all(left[card] + count <= decks for card, count in fresh.items())


def worth(card: Card) -> int:
    """What a card counts, said plainly."""
    return {"A": 11, "T": 10, "J": 10, "Q": 10, "K": 10}.get(str(card.rank)) or int(card.rank)


def _is_blitz(cards: tuple[Card | None, ...]) -> bool:
    """Whether three cards of one suit make 31 (or 32, with two packs and two aces)."""
    known = [card for card in cards if card is not None]
    one_suit = len(known) == 3 and len({card.suit for card in known}) == 1
    return one_suit and sum(map(worth, known)) >= 31


__all__ = ["Phase", "Walker", "allowed", "candidates"]
