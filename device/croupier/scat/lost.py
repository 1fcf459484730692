"""What is left of a hand of Thirty-one whose open cards contradict what was believed.

At each draw the top of the discard is the card that was laid last, so it is taken then or never.
The hands that lie open, and what was laid later, tell which: whoever had it later took it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from device.croupier.assumptions import Assumption
from device.croupier.history import common
from device.croupier.legal import is_legal, state_after
from device.croupier.looks import Look, LyingCard
from device.croupier.moves import Move
from device.croupier.scat import on_mat
from device.croupier.scat.mat import HAND, At, ScatMat, play_of
from device.ports import Button
from engine import IllegalActionError, State
from engine.core.cards import Card
from engine.core.events import Claim, Declare, Discard, Draw, Event, Knock, Reveal, Source, TurnUp
from engine.core.fast_replace import replace
from engine.core.views import Phase
from engine.games.scat.play import ScatPlay
from engine.table.state import refolded


def lost_track(at: At, look: Look) -> Iterator[Move[ScatMat]]:
    """Offer that nobody knows what was drawn and laid: all hands lie open, and decide.

    What was said stays, and so does who is out. A knock that had no place in what was believed
    may have come after some more turns, and one that had may have been another's.
    """
    play = play_of(at.state)
    if play is None or not _may_be_lost(at, look, play):
        return
    lying = on_mat.seats_open(at, look, play)
    hidden = {*play.holding} - lying
    word: tuple[Assumption, ...] = (Assumption.LOST_TRACK,)
    outs: list[tuple[Event, ...]] = [()]
    if len(hidden) == 1 and look.hands == () and not on_mat.hand_shown(at, look, *hidden):
        out: tuple[Event, ...] = tuple(Declare(seat, Claim.OUT) for seat in hidden)
        waits = all(on_mat.lies_as_dealt(at, look, play.hand(seat)) for seat in hidden)
        outs, word = [out, ()] if waits else [out], (*word, Assumption.THROWN_IN)
    elif hidden and not _calls(at, look, play):
        return
    first = next((n for n, event in enumerate(at.events) if isinstance(event, TurnUp)), None)
    if first is None:
        return
    past = at.steps[first + 1 :]
    in_vain = [
        event
        for event, assumed in past
        if Assumption.THROWN_IN in assumed and getattr(event, "seat", 0) in lying
    ]
    kept = (event for event, _ in past if event not in in_vain)
    told = tuple(event for event in kept if not isinstance(event, Reveal))  # shown again
    begun = replace(at.state, log=at.events[: first + 1])
    if in_vain:
        told = with_turns_of({getattr(event, "seat", None) for event in in_vain}, begun, told)
    hands = {seat: _faces(on_mat.hand_shown(at, look, seat)) for seat in lying}
    mat = replace(at.mat, lost=True, pile=(), rested=0, extra=frozenset(), turns=0)
    mat = replace(mat, away=mat.away - lying)
    for known in up_to_knock(as_shown(begun, told, hands)):
        same = first + 1 + common((known, at.events[first + 1 :]))
        begun = replace(at.state, log=(*at.events[: first + 1], *known))
        insert = (same, len(at.events) - same, known[same - first - 1 :])
        for turns in unknown_turns(begun):
            for end in outs:  # who has the cards lying there may show them yet
                yield Move((*turns, *end), mat, word, insert=insert)


def _may_be_lost(at: At, look: Look, play: ScatPlay) -> bool:
    """Return whether what was believed of the pile may be given up."""
    options = play.options
    over = play.phase not in (Phase.PLAY, Phase.SHOWDOWN, Phase.DONE)
    if over or not options.has_discard or options.table != "none":
        return False
    # What was left when it was given up before may be contradicted by a hand shown since.
    is_new = not at.mat.lost or on_mat.is_elsewhere(at, look, play)
    # Where a card is misread, what was seen of the pile is no less sure.
    return is_new and not _is_misread(look, options.decks)


def _calls(at: At, look: Look, play: ScatPlay) -> bool:
    """Return whether a 31 was laid open that ends the hand: nobody has knocked."""
    if not play.options.blitz or play.knocker is not None:
        return False
    if any(said.press is not None and said.press.button is Button.STICK for _, said in at.said):
        return False
    return any(play.value_of(cards) == 31 for _, cards in on_mat.hands_open(at, look, play))


def _is_misread(look: Look, packs: int) -> bool:
    """Return whether a card lies there more often than there are packs (rule G-8)."""
    faces = Counter(card.card for card in look.cards if card.is_up and card.card is not None)
    return max(faces.values(), default=0) > packs


def _faces(cards: Iterable[LyingCard]) -> frozenset[Card]:
    return frozenset(card.card for card in cards if card.card is not None)


def as_shown(
    begun: State, events: tuple[Event, ...], hands: Mapping[int, frozenset[Card]]
) -> tuple[Event, ...]:
    """Return *events* as the *hands* that lie open have it; what they contradict is not known.

    Args:
        begun: the log up to the first card of the discard.
        events: those after it, but for hands shown, which are shown again.
        hands: the cards that each player shows, as far as they are read.
    """
    first = begun.log[-1]
    assert isinstance(first, TurnUp)
    again = _Retold(first.card, events, hands)
    shows = (seat for seat, cards in hands.items() if first.card in cards)
    try:
        if again.tell() and is_legal(refolded(begun), *again.events):
            return tuple(again.events)
    except IllegalActionError:
        pass
    return _unknown(events, first.card, next(shows, None))


class _Retold:
    """The turns told again, each card drawn from where the hands that lie open have it."""

    def __init__(
        self, first: Card | None, events: tuple[Event, ...], hands: Mapping[int, frozenset[Card]]
    ) -> None:
        """Start with the *first* card of the discard on the pile."""
        self.events = list(events)
        self._hands = hands
        self._pile: list[tuple[Card | None, int | None]] = [(first, None)]

    def tell(self) -> bool:
        """Tell the turns again; return whether the first card of the discard fits them."""
        for number, event in enumerate(self.events):
            if isinstance(event, Draw):
                if not self._draw(number, event):
                    return False
            elif isinstance(event, Discard):
                self._pile.append((event.card, number))
        top = self._pile[-1][0] if self._pile else None
        return top is None or not self._is_seen(top, len(self.events)) or self._forget()

    def _draw(self, number: int, event: Draw) -> bool:
        top, source = self._pile[-1][0] if self._pile else None, event.source
        if top is not None:
            if self._is_seen(top, number, by=event.seat):
                source = Source.DISCARD
            elif self._is_seen(top, number):
                if not self._forget():
                    return False
            elif len(self._hands.get(event.seat, ())) == HAND:
                source = Source.STOCK
        if not self._pile:
            source = Source.STOCK
        if source is Source.DISCARD:
            self._pile.pop()
        self.events[number] = Draw(event.seat, source)
        return True

    def _is_seen(self, card: Card, after: int, *, by: int | None = None) -> bool:
        """Return whether somebody, or the player *by*, lays *card* after an event or shows it."""
        laid = (event for event in self.events[after:] if isinstance(event, Discard))
        return any(event.card == card and by in (None, event.seat) for event in laid) or any(
            card in cards for seat, cards in self._hands.items() if by in (None, seat)
        )

    def _forget(self) -> bool:
        """Forget which card is on top: it is seen where it cannot be. Return whether one can."""
        _, number = self._pile.pop()
        self._pile.append((None, number))
        laid = None if number is None else self.events[number]
        if number is None or not isinstance(laid, Discard):
            return False  # all have seen the first card turned up
        self.events[number] = Discard(laid.seat, None)
        return True


def _unknown(events: Iterable[Event], first: Card | None, shows: int | None) -> tuple[Event, ...]:
    """Return *events* after the *first* card of the discard as if no other of them had been read.

    That one came to the player who *shows* it: at once, or each who took it laid it a turn later.
    """
    found: list[Event] = []
    laid, on_top, holder, is_new = 0, shows is not None, None, False
    for event in events:
        if isinstance(event, Draw):
            source = event.source
            if on_top:
                source, on_top, holder, is_new = Source.DISCARD, False, event.seat, True
            elif source is Source.DISCARD:
                source = source if laid else Source.STOCK
                laid -= bool(laid)
            event = Draw(event.seat, source)
        elif isinstance(event, Discard):
            on_top = event.seat == holder != shows and not is_new
            event = Discard(event.seat, first if on_top else None)
            laid += not on_top
            is_new = False
        found.append(event)
    return tuple(found)


def with_turns_of(
    seats: set[int | None], state: State, events: tuple[Event, ...]
) -> tuple[Event, ...]:
    """Return *events* after *state* with turns of *seats*, who were not out after all."""
    found: list[Event] = []
    now: State | None = refolded(state)
    for event in events:
        while now is not None and state_after(now, event) is None:
            play = play_of(now)
            turn = None if play is None else play.turn
            if turn not in seats or turn is None:
                return events
            unseen = (Draw(turn, Source.STOCK), Discard(turn, None))
            found += unseen
            now = state_after(now, *unseen)
        if now is None:
            return events
        found.append(event)
        now = state_after(now, event)
    return tuple(found)


def up_to_knock(events: tuple[Event, ...]) -> Iterator[tuple[Event, ...]]:
    """Yield *events*, and where somebody knocked those before."""
    yield events
    knock = next((n for n, event in enumerate(events) if isinstance(event, Knock)), None)
    if knock is not None:
        yield events[:knock]


def unknown_turns(state: State) -> Iterator[tuple[Event, ...]]:
    """Yield the turns that nobody saw, from none of them to one of each player."""
    try:
        state = refolded(state)
    except IllegalActionError:
        return
    turns: tuple[Event, ...] = ()
    play = play_of(state)
    while play is not None and play.phase in (Phase.PLAY, Phase.SHOWDOWN):
        if play.drawn is None:
            yield turns
        over = play.knocker is not None and play.drawn is None
        if play.turn is None or over or len(turns) >= 2 * len(play.holding):
            return
        drawn = () if play.drawn else (Draw(play.turn, Source.STOCK),)
        events = (*drawn, Discard(play.turn, None))
        after = state_after(state, *events)
        if after is None:
            return
        state, turns, play = after, (*turns, *events), play_of(after)
