"""A table: hands one after another, folded from events (rules G-12, G-14, G-19)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any

from engine.core.events import (
    Correct,
    CorrectBone,
    Cut,
    Declare,
    Entry,
    Event,
    Join,
    Leave,
    Misdeal,
    NextHand,
    Undo,
)
from engine.core.fast_replace import replace
from engine.core.outcome import Outcome
from engine.core.payments import Payments
from engine.core.players import Player, PlayersError, seated
from engine.core.refusals import IllegalActionError, Refusal
from engine.core.tokens import Ledger, LedgerError, check_zero_sum
from engine.core.views import Phase
from engine.games import catalog
from engine.games.base import Action, Game, Play
from engine.table.book import Book, PutRight
from engine.table.corrections import can_correct, correct
from engine.table.hand import (
    EDITION,
    HandState,
    begin,
    may_misdeal,
    may_still_claim,
    outcome,
    step,
    who_plays_on,
)

UNNAMED: Mapping[int, Mapping[str, object]] = {
    1: {"late_out": "at_showdown", "late_31": "single", "bank_passes": "best_winner"},
    EDITION: {},
}
"""By edition of the rules, options that are not as now where a record does not name them (OT-26).

Those that the first edition did not know stand in no record of it."""

_NOT_A_STEP = (NextHand, Undo, Correct, CorrectBone, Misdeal, Entry)
"""Events that are, or may be, about more than the hand in play alone."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What was agreed before the first card.

    Attributes:
        start: the keys ``start`` and ``stakes`` of the case format, as they were given.
        edition: the edition of the rules that judges the sitting (rule OT-26).
    """

    game: Game
    preset: str
    options: Any
    players: tuple[Player, ...]
    dealer: int | None
    start: Mapping[str, Any] = field(default_factory=dict, hash=False)
    edition: int = EDITION


@dataclass(frozen=True)
class State:
    """The setup and the accepted events, and what they amount to. Immutable.

    Attributes:
        events: all accepted events, from the first; folding them again gives the same state.
        log: the accepted events since this hand began that count (an undone one does not).
        start: this hand before its first event.
        round: this hand now.
        opened: the book when this hand began.
        book: the hands before this one and the entries, as they are now.
    """

    setup: Setup
    start: HandState
    round: HandState
    events: tuple[Event, ...] = ()
    log: tuple[Event, ...] = ()
    opened: Book = field(default_factory=Book)
    book: Book = field(default_factory=Book)

    @property
    def phase(self) -> Phase:
        """Return where the hand stands."""
        return self.round.phase

    @property
    def players(self) -> tuple[Player, ...]:
        """Return who sits at the table now, by seat."""
        return self.round.seated

    @property
    def dealer(self) -> int | None:
        """Return the dealer of this hand; ``None`` while the cards are cut."""
        return self.round.dealer

    @property
    def turn(self) -> int | None:
        """Return whose turn it is; ``None`` outside of play."""
        play = self.live_play
        return None if play is None else play.turn

    @property
    def live_play(self) -> Play | None:
        """Return the game's own hand; ``None`` while cutting and after a misdeal."""
        return None if self.round.misdeal is not None else self.round.play

    @property
    def outcome(self) -> Outcome | None:
        """Return how this hand ended; ``None`` while it goes on."""
        return outcome(self.round)

    @property
    def past(self) -> tuple[Outcome, ...]:
        """Return the outcomes of the hands before this one, as they are now."""
        return tuple(past.outcome for past in self.book.played)

    @property
    def hands(self) -> tuple[Outcome, ...]:
        """Return the outcomes of all finished hands, in order."""
        last = self.outcome
        return self.past if last is None else (*self.past, last)

    @property
    def ledger(self) -> Ledger:
        """Return net tokens by seat over all finished hands and entries, and the won match."""
        last, paid = self.outcome, self.book.paid
        if last is None:
            return paid
        paid, match = paid.add(dict(last.settlement), last.to_pot), self.round.standing
        return paid.add(dict(match.settlement)) if match.over else paid

    @property
    def hand_number(self) -> int:
        """Return the number of this hand, from 1."""
        return self.book.number


def new_table(
    game: str | Game,
    players: Sequence[Player],
    *,
    dealer: int | None,
    preset: str | None = None,
    options: Mapping[str, object] = MappingProxyType({}),
    start: Mapping[str, Any] = MappingProxyType({}),
    edition: int = EDITION,
) -> State:
    """Sit down to a game; without a dealer the players cut for the deal (rule G-2).

    *start* holds, where a match is already in progress, the keys ``start`` and ``stakes`` of the
    case format. *edition* 1 is for what 0.1 wrote down, which is judged as it was played: what it
    does not name is as it was then (rule OT-26).

    Raises:
        BoneAceError: an unknown game, preset or option, or players who cannot play it.
    """
    if isinstance(game, str):
        rules, chosen = catalog.choose(game, preset)
    else:
        rules, chosen = game, catalog.find_preset(game, preset)
    named = {**_in_edition(rules, edition), **options}
    agreed = catalog.make_options(rules, chosen, named)
    people = seated(players)
    if not rules.min_players <= len(people) <= agreed.max_players:
        raise PlayersError(
            f"{rules.name}: {len(people)} players cannot play; "
            f"seat {rules.min_players} to {agreed.max_players}"
        )
    if dealer is not None and all(player.seat != dealer for player in people):
        raise PlayersError(
            f"dealer: nobody sits at seat {dealer}; "
            f"choose one of {[player.seat for player in people]}, or none, to cut"
        )
    if dealer is None and not rules.cuts_for_deal:
        raise PlayersError(
            f"dealer: no cards are cut in {rules.title}; the players choose the first one, "
            f"so name one of {[player.seat for player in people]}"
        )
    standing = rules.match.read(agreed, people, start)
    if dealer in standing.eliminated:
        raise PlayersError(f"dealer: seat {dealer} is out of the match; name a player in it")
    first = begin(rules, agreed, people, dealer, standing, edition)
    setup = Setup(rules, chosen.name, agreed, people, dealer, dict(start), edition)
    return State(setup, first, first)


def _in_edition(game: Game, edition: int) -> dict[str, object]:
    """Return the options that were otherwise in an older edition of the rules (OT-26)."""
    known = {each.name for each in fields(game.options_type)}
    return {name: old for name, old in UNNAMED[edition].items() if name in known}


def apply(state: State, event: Event) -> State:
    """Return the state after *event*; *state* itself never changes.

    Raises:
        IllegalActionError: the rules refuse the event now; nothing has changed (rule G-19).
    """
    return replace(_step(state, event), events=(*state.events, event))


def apply_each(state: State, events: Iterable[Event]) -> Iterator[tuple[Event, State]]:
    """Apply *events*; yield each, and the state after it, which has no ``events``.

    Raises:
        IllegalActionError: the rules refuse one of them.
    """
    state = replace(state, events=())
    for event in events:
        state = _step(state, event)
        yield event, state


def apply_all(state: State, events: Iterable[Event]) -> Iterator[State]:
    """Apply *events*; yield the state at the end of each hand, and the one after the last event.

    As :func:`apply` again and again, but quicker: only the last state has its ``events``.

    Raises:
        IllegalActionError: the rules refuse one of them.
    """
    played = list(state.events)
    state = replace(state, events=())
    hand, log = state.round, list(state.log)
    for event in events:
        played.append(event)
        if not isinstance(event, _NOT_A_STEP):
            hand = step(hand, event)
            log.append(event)
            continue
        state = replace(state, round=hand, log=tuple(log))
        if isinstance(event, NextHand):
            yield state
        state = _step(state, event)
        hand, log = state.round, list(state.log)
    yield replace(state, round=hand, log=tuple(log), events=tuple(played))


def _step(state: State, event: Event) -> State:
    """Return the state after *event*, which is not yet among its events."""
    if isinstance(event, Undo):
        return _undo(state)
    if isinstance(event, NextHand):
        return _next_hand(state, event)
    book, hand = _judged(state.start, state.book, state.round, event)
    return replace(state, book=book, round=hand, log=(*state.log, event))


def _judged(start: HandState, book: Book, hand: HandState, event: Event) -> tuple[Book, HandState]:
    """Return the book and the hand in play after an event that takes nothing back."""
    if isinstance(event, Entry):
        return book.note(hand, event), hand
    if isinstance(event, PutRight) and book.names_past(event):
        return book.put_right(start, hand, event)
    if isinstance(event, Correct | CorrectBone):
        return book, correct(start, hand, event)
    return book, step(hand, event)


def _undo(state: State) -> State:
    """Take the last accepted event since this hand began back (rules G-12, G-14)."""
    if not state.log:
        raise IllegalActionError(
            Refusal.NOTHING_TO_UNDO,
            "nothing has happened in this hand yet; correct it as you go on",
        )
    return refolded(replace(state, log=state.log[:-1]))


def refolded(state: State) -> State:
    """Return *state* with the events of its log applied again from the start of the hand."""
    book, hand = state.opened, state.start
    for event in state.log:
        book, hand = _judged(state.start, book, hand, event)
    return replace(state, book=book, round=hand)


def _next_hand(state: State, event: NextHand) -> State:
    """Begin the next hand (rules G-12, G-16)."""
    hand, last = state.round, state.outcome
    if last is None:
        raise IllegalActionError(
            Refusal.WRONG_PHASE, "this hand is not over; finish it or call a misdeal"
        )
    game, least = state.setup.game, state.setup.game.min_players
    if hand.standing.over:
        raise IllegalActionError(Refusal.MATCH_OVER, "the match is won; begin a new one")
    staying = len(who_plays_on(hand))
    if staying < least:
        raise IllegalActionError(
            Refusal.NOT_ENOUGH_PLAYERS, f"{staying} can play on; wait until {least} sit down"
        )
    taken = [player.seat for player in hand.seated]
    for seat, _ in event.stakes:
        if seat not in taken:
            raise IllegalActionError(
                Refusal.UNKNOWN_SEAT, f"nobody sits at seat {seat} to stake; seats taken: {taken}"
            )
    standing = game.match.before_hand(hand.options, hand.standing, event.stakes)
    start = begin(game, hand.options, hand.seated, hand.due, standing, hand.edition)
    book = state.book.close_hand(state.start, hand, last)
    return replace(state, start=start, round=start, log=(), opened=book, book=book)


def legal_actions(state: State) -> tuple[Action, ...]:
    """Return everything that the rules allow next: prompts are drawn from it.

    An action that needs cards is accepted with cards that can truly lie there; a claim of 31 is
    listed where it may be true, which the engine judges by all it knows: draw prompts for the
    whole table from the turn and the phase, not from the claims (rule G-7). A ``join`` and, in
    knucklebones, a ``next_hand`` may bring stakes, each at least 1, of seats that are taken. Not
    listed is a ``correct`` or a ``misdeal`` of an earlier hand, which may come at any time (G-12).
    """
    hand = state.round
    found = [Action(Cut.kind, seat, cards=1) for seat in hand.to_cut]
    if state.live_play is not None:
        listed = state.setup.game.actions(state.live_play)
        may_claim = may_still_claim(hand)
        found.extend(action for action in listed if may_claim or action.kind != Declare.kind)
    if may_misdeal(hand):
        found.append(Action(Misdeal.kind))
    if hand.phase is Phase.DONE:
        found.append(Action(Entry.kind))
        if len(who_plays_on(hand)) >= state.setup.game.min_players and not hand.standing.over:
            found.append(Action(NextHand.kind))
        if takes_newcomers(state):
            found.append(Action(Join.kind))
    found.extend(Action(Leave.kind, seat) for seat in _may_leave(hand))
    if can_correct(hand):
        found.append(Action(Correct.kind, cards=2))
    if hand.play is not None:
        found.extend(state.setup.game.corrections(hand.play))
    if state.log:
        found.append(Action(Undo.kind))
    return tuple(found)


def takes_newcomers(state: State) -> bool:
    """Return whether anybody more may join between hands (rule G-15)."""
    hand = state.round
    is_open = state.setup.game.match.takes_newcomers(hand.options)
    return is_open and len(hand.seated) < int(hand.options.max_players)


def _may_leave(hand: HandState) -> tuple[int, ...]:
    if hand.phase in (Phase.CUT, Phase.DEAL, Phase.TURN_UP, Phase.CHOOSE):
        return ()
    gone = () if hand.phase is Phase.DONE else hand.standing.eliminated  # they are not in the hand
    return tuple(player.seat for player in hand.seated if player.seat not in gone)


def payments_of(state: State) -> Payments:
    """Return all that was paid in this hand up to now, and for the match once it is won.

    A misdeal gives everything back, so nothing was paid (rules G-13, BA-13).
    """
    setup, hand = state.setup, state.round
    found = _payments(hand)
    standing = hand.standing
    return (*found, *setup.game.match.payments(setup.options, standing)) if standing.over else found


def past_payments(state: State) -> tuple[Payments, ...]:
    """Return all that was paid in each of the hands before this one, as they are now."""
    return tuple(_payments(past.hand) for past in state.book.played)


def _payments(hand: HandState) -> Payments:
    play = None if hand.misdeal is not None else hand.judged
    return () if play is None else hand.game.payments(play)


def find_inconsistencies(state: State) -> tuple[str, ...]:
    """Return what contradicts the rules in *state*, each with a cure; empty when all is well."""
    found = []
    play = state.live_play
    if play is not None:
        decks = state.setup.game.decks(state.setup.options)
        for card, count in sorted(Counter(play.seen()).items()):
            if count > decks:
                found.append(
                    f"{card} lies {count} times on the table, with {decks} pack(s); "
                    "correct one of the readings"
                )
        if play.phase is Phase.PLAY:
            if play.turn is None:
                found.append("it is nobody's turn; undo the last event")
            elif play.hand(play.turn).out:
                found.append(f"it is the turn of seat {play.turn}, who is out; undo")
        if play.phase is Phase.SHOWDOWN and not play.to_reveal():
            found.append("a showdown with nobody to show; undo the last event")
    for number, hand in enumerate(state.past, start=1):
        try:
            check_zero_sum(dict(hand.settlement), hand.to_pot)
        except LedgerError as problem:
            found.append(f"hand {number}: {problem}")
    return tuple(found)
