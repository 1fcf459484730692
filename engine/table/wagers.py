"""Side wagers: two players bet with each other on the course of a match with lives (rule WL-7).

The table keeps them with the sitting, in no record. How one stands follows from the hands played,
as they are now: when a hand is put right it may come out otherwise (rules G-12, G-23).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from engine.core.errors import BoneAceError
from engine.core.events import Leave
from engine.core.fast_replace import replace
from engine.core.text.limits import LARGEST_NUMBER
from engine.core.views import Phase
from engine.table.hand import HandState, settled
from engine.table.state import State


class WagerError(BoneAceError, ValueError):
    """A wager that cannot be made; the message says why."""


@dataclass(frozen=True, slots=True)
class Wager:
    """What two players bet.

    Attributes:
        bettor: the seat that gets the tokens if it is so, and else pays them.
        other: the seat that bets against it.
        tokens: at least 1.
        on: the seat of which it is said that it wins the match, or goes further.
        than: the seat than which it goes further; ``None`` where it wins the match.
    """

    bettor: int
    other: int
    tokens: int
    on: int
    than: int | None = None


class Verdict(StrEnum):
    """How a wager stands: undecided, as the bettor said, not so, equally far, or void."""

    OPEN = "open"
    WON = "won"
    LOST = "lost"
    EVEN = "even"
    VOID = "void"


Moment = tuple[int, int]
"""The number of a hand, from 1, and -1 for during it, 0 for its end, or from 1 which of those that
came and went since. What was before the first hand has the number 0."""


@dataclass(frozen=True, slots=True)
class Course:
    """How a match has gone so far.

    Attributes:
        out: when each seat went out of the match; who leaves in a hand goes out at its end.
        left: when each seat was left (rules G-16, G-17).
        winner: who won the match; ``None`` while it goes on, and where it was shared.
    """

    out: Mapping[int, Moment] = field(default_factory=dict)
    left: Mapping[int, Moment] = field(default_factory=dict)
    winner: int | None = None


def judge(wager: Wager, course: Course) -> Verdict:
    """Return how *wager* stands (rule WL-7).

    It is void when one of the two has left before it was decided, or by leaving decided it.
    """
    verdict, decided = _decided(wager, course)
    gone = min(
        (course.left[s] for s in (wager.bettor, wager.other) if s in course.left), default=()
    )
    if gone and (decided is None or gone <= decided):
        return Verdict.VOID
    return verdict


def _decided(wager: Wager, course: Course) -> tuple[Verdict, Moment | None]:
    """Return how *wager* stands if nobody leaves, and when that was decided."""
    out = course.out.get(wager.on)
    if wager.than is None:
        if out is not None:
            return Verdict.LOST, out
        won = course.winner == wager.on
        return (Verdict.WON, max(course.out.values())) if won else (Verdict.OPEN, None)
    than = course.out.get(wager.than)
    if out is None and than is None:
        return Verdict.OPEN, None
    if out == than:
        return Verdict.EVEN, out
    if than is None or (out is not None and out < than):
        return Verdict.LOST, out
    return Verdict.WON, than


def due(wager: Wager, course: Course) -> int:
    """Return the tokens that *wager* brings its bettor, below 0 if they lose them."""
    return {Verdict.WON: wager.tokens, Verdict.LOST: -wager.tokens}.get(judge(wager, course), 0)


def course_of(state: State) -> Course:
    """Return how the match of *state* has gone, by all hands that are over."""
    out: dict[int, Moment] = {}
    left: dict[int, Moment] = {}
    winner = None
    for number, (start, hand) in enumerate(_hands(state), 1):
        for seat in start.standing.eliminated if number == 1 else ():
            out[seat] = (0, 0)
        done = hand.phase is Phase.DONE
        seated = {player.seat for player in (hand.ended_with if done else hand.seated)}
        for player in start.seated:
            if player.seat not in seated:
                left.setdefault(player.seat, (number, -1))
        if not done:
            continue
        for seat in settled(replace(hand, since=())).standing.eliminated:
            out.setdefault(seat, (number, 0))
        for place, event in enumerate(hand.since, 1):
            if isinstance(event, Leave):
                left.setdefault(event.seat, (number, place))
                if event.seat in hand.standing.eliminated:
                    out.setdefault(event.seat, (number, place))
        winner = hand.standing.winner
    return Course(out, left, winner)


def _hands(state: State) -> Iterator[tuple[HandState, HandState]]:
    """Yield every hand, as it began and as it is."""
    yield from ((past.start, past.hand) for past in state.book.played)
    yield state.start, state.round


def in_match(state: State) -> tuple[int, ...]:
    """Return the seats on which one may bet: who plays for the match, before it is won.

    In a game without lives that is nobody.
    """
    setup, standing = state.setup, state.round.standing
    if not setup.game.match.has_lives(setup.options) or standing.over:
        return ()
    return tuple(p.seat for p in state.players if p.seat not in standing.eliminated)


def check_wager(wager: Wager, state: State) -> None:
    """Refuse a wager that nobody can make now.

    Raises:
        WagerError: the message says why.
    """
    here, playing = {player.seat for player in state.players}, in_match(state)
    about = {wager.on} if wager.than is None else {wager.on, wager.than}
    if len(playing) < 2:
        said = "no match with lives goes on; begin one first"
    elif wager.bettor == wager.other or not {wager.bettor, wager.other} <= here:
        said = f"two players at the table bet; name two of the seats {sorted(here)}"
    elif wager.on == wager.than or not about <= set(playing):
        said = f"bet on players in the match; choose of the seats {list(playing)}"
    elif type(wager.tokens) is not int or not 0 < wager.tokens <= LARGEST_NUMBER:
        said = "bet whole tokens, at least one"
    else:
        return
    raise WagerError(f"this is no wager: {said}")
