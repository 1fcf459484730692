"""What is really played: the engine driven with the true events of each hand, and no camera.

The people of the evening hold these cards and know what they did. What the machine has made of it
is compared with this game, and never the other way round.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from device.croupier.looks import LyingCard
from engine import Card, Deal, Event, Phase, Player, State, legal_actions, new_table, view
from engine.bots import player
from engine.core.events import (
    ChooseHand,
    Claim,
    DealTo,
    Declare,
    Discard,
    Draw,
    Exchange,
    Have,
    Join,
    Leave,
    NextHand,
    Reveal,
    Roll,
    Stake,
    Stick,
    SwapCards,
    Widow,
)
from engine.core.outcome import End
from engine.core.views import View
from engine.games.decision import actions_of
from engine.table.visibility import TABLE
from tests.support.game_driver import Driver


class TrueGame(Driver):
    """A game with people at any seats, who come and go."""

    def __init__(self, game, preset, seated, *, styles, dealer, options, seed):
        self.rng = random.Random(seed)
        self.blind = 1.0  # nobody reads a card that lies face down
        self.game = game
        self.styles = styles
        self.people = {seat: player(styles[seat], game) for seat in seated}
        players = [Player(seat, name) for seat, name in seated.items()]
        self.state = new_table(game, players, dealer=dealer, preset=preset, options=options)
        self.decided = []
        self.discards = []
        self.shuffle()

    @property
    def seen(self) -> View:
        """Return the table as everybody at it knows it to be."""
        return view(self.state, TABLE)

    @property
    def seated(self) -> dict[int, str]:
        """Return who sits where."""
        return {each.seat: each.name for each in self.state.players}

    def shuffle(self):
        """Gather and shuffle; newcomers get a hand of cards too."""
        super().shuffle()
        self.before = {}
        self.bones = {}

    def may_matter(self, action):
        """Return whether people may do it in another's turn: all but throwing in."""
        return action.what is not Claim.OUT

    def decision(self):
        """Ask those who play this hand."""
        playing = {seat.seat for seat in self.seen.seats}
        everybody, self.people = (
            self.people,
            {seat: each for seat, each in self.people.items() if seat in playing},
        )
        try:
            return super().decision()
        finally:
            self.people = everybody

    def next(self, has_room) -> Event:
        """Return what happens next; who has no room for a card on the mat sticks."""
        event = self.decision() or self.chance()
        if isinstance(event, Have) and self.game != "knucklebones" and not has_room(event.seat):
            return Stick(event.seat)
        if isinstance(event, Declare) and event.what is Claim.OUT:
            return replace(event, cards=self.hand_of(event.seat))
        return event

    def do(self, event):
        """Take an event; of who comes and goes the people know."""
        if isinstance(event, Join):
            self.people[event.seat] = player(self.styles[event.seat], self.game)
        super().do(event)
        if isinstance(event, NextHand):
            self.people = {seat: player(self.styles[seat], self.game) for seat in self.seated}
            self.held = {seat: self.held.get(seat, []) for seat in self.people}


def key(event: Event) -> tuple:
    """Return what an event is about, without what only one of two onlookers may know."""
    match event:
        case Deal():
            return "deal", event.seat, event.face
        case Declare() | Reveal():
            return "show", event.seat
        case Draw():
            return "draw", event.seat, event.source
        case Discard():
            return "discard", event.seat, event.card
        case Roll():
            return "roll", event.seat, tuple(sorted(event.faces))
        case Widow() | SwapCards():
            return event.kind, event.seat, frozenset(event.give), frozenset(event.take)
        case DealTo(to=pile):
            return event.kind, pile, event.face
        case ChooseHand():
            # Which of two hands that nobody has seen was the first, only the dealer knows.
            return event.kind, event.seat
        case Exchange():
            return event.kind, event.seat, event.hand, event.pos, event.give
        case Leave() | Join() | Have() | Stick():
            return event.kind, event.seat
    # Of the rest every field but the cards that one may have seen and the other not.
    parts = [getattr(event, name, None) for name in ("seat", "n", "hand", "face")]
    return event.kind, *parts


def events_of(state) -> Counter:
    """Count what has happened in this hand, but for stakes: those are seen as they lie."""
    return events_in(state.round.raw)


def events_in(events: Iterable[Event]) -> Counter:
    """Return what *events* are about; tokens that are laid are looked at by themselves."""
    return Counter(key(event) for event in events if not isinstance(event, Stake))


def without_unread(shown: Counter, real: Counter) -> tuple[Counter, Counter]:
    """Return what each has besides the other that can be seen on the screen.

    An unread discard is the one that really was. Where a card was drawn from is not shown.
    """
    extra, missing = shown - real, real - shown
    for each in list(extra.elements()):
        if each[0] == "draw" or (each[0] == "discard" and each[2] is None):
            same = next((one for one in missing if one[:2] == each[:2]), None)
            if same is not None:
                extra -= Counter([each])
                missing -= Counter([same])
    return extra, missing


def is_behind(true: TrueGame, state: State) -> bool:
    """Say whether the machine does not know yet of something that has happened."""
    return bool(told(events_of(true.state)) - told(events_of(state)))


def told(events: Counter) -> Counter:
    """Return *events* without the cards in them: those may be misread."""
    return Counter(
        tuple(part for part in each if not isinstance(part, Card)) for each in events.elements()
    )


def difference(true: TrueGame, state: State) -> str:
    """Say what is not on the screen (*state*) as it really is; nothing where all is."""
    real, seen = true.seen, view(state, TABLE)
    for name in ("game", "phase", "hand_number", "dealer", "turn", "card_asked", "stage",
                 "bones_due"):  # fmt: skip
        if getattr(real, name) != getattr(seen, name):
            return f"{name}: {getattr(seen, name)}, not {getattr(real, name)}"
    if real.result is not None and real.result.end == End.MISDEAL:
        return _end(real, seen)  # what lay there when it was called does not matter any more
    pairs = {
        "cuts": (sorted(real.cuts), sorted(seen.cuts)),
        "to cut": (sorted(real.to_cut), sorted(seen.to_cut)),
        "to reveal": (sorted(real.to_reveal), sorted(seen.to_reveal)),
        "seats": ([s.seat for s in real.seats], [s.seat for s in seen.seats]),
        "company": (sorted(true.seated), sorted(each.seat for each in state.players)),
    }
    for name, (right, shown) in pairs.items():
        if name == "to reveal" and set(right) < set(shown):
            continue  # it may not have seen where a card of that hand came from, and asks for it
        if right != shown:
            return f"{name}: {shown}, not {right}"
    for mine, his_ in zip(real.seats, seen.seats, strict=True):
        for name in ("status", "stake_laid", "tokens", "match", "throws"):
            right, shown = getattr(mine, name), getattr(his_, name)
            if name == "throws":
                right, shown = ([sorted(each) for each in one] for one in (right, shown))
            if right != shown:
                return f"{name} of seat {mine.seat}: {shown}, not {right}"
        if len(mine.cards) != len(his_.cards):
            return f"seat {mine.seat}: {len(his_.cards)} cards, not {len(mine.cards)}"
    wrong = misread(true, seen)
    if wrong:
        return f"misread: {wrong}"
    return _middle(real, seen) or _end(real, seen)


def _middle(real: View, seen: View) -> str:
    if real.middle is None or seen.middle is None:
        return ""
    for name in ("knocker", "drawn", "deal_to", "may_restart", "stopper", "renewed"):
        right, shown = getattr(real.middle, name), getattr(seen.middle, name)
        if right != shown:
            return f"{name}: {shown}, not {right}"
    right, shown = real.middle.discards, seen.middle.discards
    if len(right) == len(shown) and right[-1:] != shown[-1:]:
        # Nobody looks at the cards below it; those that nobody could read are not shown at all.
        return f"on the discard: {shown[-1:]}, not {right[-1:]}"
    for pile in real.middle.piles:
        shown = seen.middle.pile(pile.name)
        if pile.name != "second" and Counter(pile.cards) != Counter(shown):
            return f"{pile.name}: {shown}, not {pile.cards}"
    return ""


def _end(real: View, seen: View) -> str:
    if (real.bone is None) != (seen.bone is None):
        return f"the Bone: {seen.bone}, not {real.bone}"
    if real.bone is not None and seen.bone is not None and real.bone != seen.bone:
        return f"the Bone: {seen.bone}, not {real.bone}"
    if (real.result is None) != (seen.result is None):
        return f"the end: {seen.result}, not {real.result}"
    if real.result is not None and seen.result is not None:
        for name in ("end", "winners", "settlement"):
            right, shown = getattr(real.result, name), getattr(seen.result, name)
            if right != shown:
                return f"{name}: {shown}, not {right}"
    return ""


def misread(true: TrueGame, seen: View) -> list[tuple[int | None, Card, Card]]:
    """Return the cards that the screen shows wrongly: whose, as what, and what each really is."""
    found: list[tuple[int | None, Card, Card]] = []
    for seat in seen.seats:
        held = true.held.get(seat.seat, [])
        shown = [card for card in seat.cards if card is not None]
        found += _odd_ones(seat.seat, shown, held) if len(held) == len(seat.cards) else []
    if seen.phase is Phase.CUT or true.seen.phase is Phase.CUT:
        real = dict(true.seen.cuts)
        found += [(s, card, real[s]) for s, card in seen.cuts if real.get(s, card) != card]
    if seen.middle is not None and true.seen.middle is not None:
        right, shown = true.seen.middle.discards, seen.middle.discards
        if len(right) == len(shown):
            top = zip(shown[-1:], right[-1:], strict=True)
            found += [(None, a, b) for a, b in top if a != b]
        for pile in true.seen.middle.piles:
            other = [card for card in seen.middle.pile(pile.name) if card is not None]
            found += _odd_ones(None, other, [card for card in pile.cards if card is not None])
    return found


def misread_lying(true: TrueGame, lying: Iterable[LyingCard]) -> list[tuple[int, Card, Card]]:
    """Return the same of hands that lie open as a whole, whether they count yet or not."""
    found: list[tuple[int, Card, Card]] = []
    for seat, held in true.held.items():
        shown = [card.card for card in lying if card.seat == seat]
        found += _odd_ones(seat, shown, held) if len(held) == len(shown) else []
    return found


def _odd_ones(seat, shown, held):
    wrong = list((Counter(shown) - Counter(held)).elements())
    right = list((Counter(held) - Counter(shown)).elements())
    return [(seat, a, b) for a, b in zip(wrong, right, strict=False)]


def may_join(true: TrueGame) -> bool:
    """Say whether somebody may sit down now (rule G-15)."""
    return any(action.kind == Join.kind for action in legal_actions(true.state))


def may_leave(true: TrueGame, seat: int) -> bool:
    """Say whether this player may get up now (rules G-16, G-17)."""
    return any(a.kind == Leave.kind for a in actions_of(legal_actions(true.state), seat))
