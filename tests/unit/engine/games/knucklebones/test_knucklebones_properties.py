"""What holds in every round of knucklebones, whatever is agreed and whatever is thrown."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    EVERYTHING,
    TABLE,
    Action,
    Card,
    Claim,
    Correct,
    Cut,
    Deal,
    Declare,
    Event,
    Have,
    IllegalActionError,
    Join,
    Leave,
    Misdeal,
    NextHand,
    Phase,
    Player,
    Reveal,
    SeatStatus,
    State,
    Stick,
    Undo,
    apply,
    find_inconsistencies,
    legal_actions,
    new_table,
    view,
)
from engine.core.events import Choose, CorrectBone, Roll, Stake
from tests.support import invariants, past_hands

pytestmark = pytest.mark.slow

FACES = (1, 3, 4, 6)
WEIGHTS = (1, 4, 4, 1)
AGREED: dict[str, list[Any]] = {
    "target": [21, 21, 31],
    "bones_first": [5, 5, 1, 7],
    "max_extra": [5, 5, 0, 2],
    "extra_mode": ["single_decision", "one_at_a_time"],
    "tie": ["banker", "push"],
    "banker_rule": ["free", "stand17"],
    "banker_loses": ["any", "net"],
    "banker_must_roll": [True, False],
    "bank_passes": ["best_winner", "left", "banker_over", "never"],
}
RARE = {
    "misdeal": 0.02,
    "leave": 0.03,
    "undo": 0.08,
    "correct": 0.08,
    "stake": 0.3,
    "join": 0.3,
    "declare": 0.04,
    "entry": 0.1,
}
NOBODY = 11


class Walker:
    """Plays at random, by nothing but what the engine lists."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        options = {name: self.rng.choice(values) for name, values in AGREED.items()}
        seats = sorted(self.rng.sample(range(10), self.rng.randint(2, 5)))
        options["max_players"] = self.rng.choice([8, len(seats)])
        players = [Player(seat, f"P{seat}") for seat in seats]
        stakes = {str(seat): self.rng.randint(1, 9) for seat in seats if self.rng.random() < 0.7}
        self.state = new_table(
            "knucklebones",
            players,
            dealer=self.rng.choice(seats),
            options=options,
            start={"stakes": stakes},
        )

    def faces(self, count: int) -> tuple[int, ...]:
        return tuple(self.rng.choices(FACES, WEIGHTS, k=count))

    def instance(self, action: Action) -> Event:
        """Fill a listed action in with anything that it allows."""
        rng, seat = self.rng, action.seat
        match action.kind:
            case "roll":
                return Roll(seat, self.faces(action.bones))
            case "choose":
                return Choose(seat, rng.randint(action.least, action.most))
            case "stake":
                return Stake(seat, action.least + rng.randrange(9))
            case "declare":
                return Declare(seat, action.what)
            case "correct":
                throws = thrown_by(self.state, seat)
                number = rng.randrange(len(throws))
                pos = rng.randrange(len(throws[number]))
                return CorrectBone(seat, number, pos, rng.choice(FACES))
            case "join":
                taken = {player.seat for player in self.state.players}
                free = rng.choice(sorted(set(range(10)) - taken))
                return Join(free, f"N{free}", None, rng.choice([None, 1, 5]))
            case "next_hand":
                some = [p.seat for p in self.state.players if rng.random() < 0.2]
                return NextHand(tuple((seat, rng.randint(1, 9)) for seat in some))
        plain = {"have": Have, "stick": Stick, "leave": Leave}
        return plain[action.kind](seat) if action.kind in plain else self.bare(action)

    def bare(self, action: Action) -> Event:
        if action.kind == "misdeal":
            return past_hands.misdeal(self.rng, self.state)
        return Undo() if action.kind == "undo" else past_hands.entry(self.rng, self.state)

    def steps(self, count: int) -> Iterator[tuple[State, Event, State]]:
        """Yield ``(before, event, after)``; everything listed must be accepted."""
        for _ in range(count):
            found = legal_actions(self.state)
            likely = [a for a in found if self.rng.random() < RARE.get(a.kind, 1.0)]
            event = self.instance(self.rng.choice(likely or found))
            before = self.state
            self.state = apply(before, event)
            yield before, event, self.state


def thrown_by(state: State, seat: int) -> tuple[tuple[int, ...], ...]:
    """The throws of this round, also of a player whose seat a newcomer has taken since."""
    return state.round.play.hand(seat).throws


def pool(state: State, rng: random.Random) -> Iterator[Event]:
    """Yield all that might be tried at a table, with little sense and without."""
    seats = [*sorted({p.seat for p in (*state.round.players, *state.players)}), NOBODY]
    ace = Card.parse("AS")
    for seat in seats:
        for count in range(9):
            yield Roll(seat, tuple(rng.choices(FACES, k=count)))
            if count:
                yield Roll(seat, (*rng.choices(FACES, k=count - 1), rng.choice((0, 2, 5, 7))))
        yield from (Choose(seat, n) for n in range(-1, 8))
        yield from (Stake(seat, amount) for amount in (-1, 0, 1, 40))
        yield from (Have(seat), Stick(seat), Leave(seat))
        yield from (Join(seat, "N", None, stake) for stake in (None, 0, 1, 7))
        for roll, pos, face in ((0, 0, 3), (0, 4, 6), (0, 5, 3), (1, 0, 1), (1, 2, 4), (2, 0, 3)):
            yield CorrectBone(seat, roll, pos, face)
        yield from (CorrectBone(seat, 0, 0, face) for face in (0, 2, 7))
        yield from (Deal(seat, ace), Cut(seat, ace), Reveal(seat, (ace,)))
        yield from (Declare(seat, Claim.OUT), Declare(seat, Claim.OUT, (ace,)))
        yield Declare(seat, Claim.THIRTY_ONE)
        yield from (NextHand(((seat, 4),)), NextHand(((seat, 0),)))
    yield from (Misdeal("pool"), Undo(), NextHand(), Correct(ace, Card.parse("2S")))


def is_listed(state: State, event: Event, actions: tuple[Action, ...]) -> bool:
    """Return whether *event* is an instance of a listed action, by the action's own fields."""
    kind, seat = event.kind, getattr(event, "seat", None)
    taken = {player.seat for player in state.players}
    for action in actions:
        if action.kind != kind or action.seat not in (None, seat):
            continue
        match event:
            case Roll():
                fits = len(event.faces) == action.bones and set(event.faces) <= set(FACES)
            case Choose():
                fits = action.least <= event.n <= action.most
            case Stake():
                fits = event.amount >= action.least
            case CorrectBone():
                throws = thrown_by(state, event.seat)
                fits = action.bones == 1 and event.face in FACES
                fits = fits and event.roll < len(throws) and event.pos < len(throws[event.roll])
            case Correct():
                fits = action.cards == 2
            case Declare():
                fits = event.what is action.what and not event.cards
            case Join():
                fits = event.seat not in taken and event.stake != 0
            case NextHand():
                fits = all(seat in taken and amount > 0 for seat, amount in event.stakes)
            case _:
                fits = True
        if fits:
            return True
    return False


def refusal(state: State, event: Event) -> str:
    """The code and the sentence of a refusal; empty when the event is accepted."""
    try:
        apply(state, event)
    except IllegalActionError as refused:
        return f"{refused.code}: {refused}"
    return ""


walks = given(st.integers(0, 10**9))
some = settings(max_examples=60, deadline=None)
few = settings(max_examples=25, deadline=None)


@walks
@few
def test_exactly_what_is_listed_is_accepted(seed):
    walker = Walker(seed)
    for _, _, state in walker.steps(15):
        actions = legal_actions(state)
        for event in pool(state, walker.rng):
            said = refusal(state, event)
            assert (said == "") == is_listed(state, event, actions), f"{event} {said}"


@walks
@some
def test_tokens_sum_to_zero_and_nothing_is_ever_wrong(seed):
    for _, _, state in Walker(seed).steps(60):
        assert find_inconsistencies(state) == ()
        assert sum(dict(state.ledger.entries).values()) == 0
        if state.players == state.setup.players and not state.book.brought:
            assert sum(seat.tokens for seat in view(state).seats) == 0
        for last in state.hands:
            assert sum(tokens for _, tokens in last.settlement) == 0
            moved = dict.fromkeys(dict(last.settlement), 0)
            for payer, payee, tokens in last.payments:
                assert tokens > 0
                assert last.dealer in (payer, payee)
                moved[payer] -= tokens
                moved[payee] += tokens
            assert moved == dict(last.settlement)


@walks
@some
def test_folding_the_events_again_gives_the_same_state_also_from_the_journal(seed):
    walker = Walker(seed)
    invariants.folds_again(walker.state, walker.steps(60))


@walks
@some
def test_undo_takes_back_anything_but_the_beginning_of_a_round(seed):
    invariants.undo_takes_back(Walker(seed).steps(40))


@walks
@few
def test_a_refused_event_and_an_accepted_one_leave_their_argument_as_it_was(seed):
    walker = Walker(seed)
    for before, event, _ in walker.steps(10):
        written = repr(before)
        apply(before, event)
        actions = legal_actions(before)
        for other in pool(before, walker.rng):
            if not is_listed(before, other, actions):
                with pytest.raises(IllegalActionError):
                    apply(before, other)
        assert repr(before) == written


@walks
@some
def test_a_bone_corrected_at_once_is_as_good_as_read_rightly(seed):
    walker = Walker(seed)
    for before, event, after in walker.steps(40):
        if not isinstance(event, Roll):
            continue
        pos = walker.rng.randrange(len(event.faces))
        wrong = walker.rng.choice(FACES)
        misread = (*event.faces[:pos], wrong, *event.faces[pos + 1 :])
        number = len(thrown_by(before, event.seat))
        state = apply(before, Roll(event.seat, misread))
        state = apply(state, CorrectBone(event.seat, number, pos, event.faces[pos]))
        assert state.round.play == after.round.play


@walks
@some
def test_a_correction_taken_back_by_another_changes_nothing(seed):
    walker = Walker(seed)
    for _, _, state in walker.steps(30):
        for action in legal_actions(state):
            if action.kind == "correct" and walker.rng.random() < 0.3:
                there = walker.instance(action)
                face = thrown_by(state, there.seat)[there.roll][there.pos]
                changed = apply(state, there)
                # A bone of a void throw cannot be named, but the one just named is never void.
                back = apply(changed, replace(there, face=face))
                assert back.round.play == state.round.play


@walks
@some
def test_the_view_says_all_to_everybody_and_agrees_with_what_may_come_next(seed):
    for _, _, state in Walker(seed).steps(50):
        seen = view(state, TABLE)
        assert all(view(state, seat.seat) == seen for seat in seen.seats)
        assert view(state, EVERYTHING) == seen
        asked = {action.kind for action in legal_actions(state) if action.seat == seen.turn}
        wanted = {
            None: set(),
            "first": {"roll"},
            "extra": {"roll"},
            "choose": {"choose"},
            "one": {"have"},
        }
        assert asked & {"roll", "choose", "have"} == wanted[seen.stage]
        assert (seen.bones_due > 0) == ("roll" in asked)
        assert (seen.stage is None) == (state.phase is Phase.DONE)
        for seat in seen.seats:
            thrown = sum(map(sum, seat.throws))
            assert seat.total == (thrown if seat.throws else None)
            if seat.status is SeatStatus.OUT and state.round.misdeal is None:
                said = state.round.play.hand(seat.seat).thrown_in
                assert said or thrown > state.setup.options.target
            assert (seat.stake_laid > 0) == (
                state.round.misdeal is None
                and not seat.is_dealer
                and seat.seat in [player.seat for player in state.round.players]
                and seat.name in [player.name for player in state.round.players]
            )
