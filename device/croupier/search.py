"""The search for what may have happened between two looks: best first, by legal moves only."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, TypeVar

from device.croupier.assumptions import RANK, Assumption, cost_of
from device.croupier.history import History, common
from device.croupier.legal import is_legal
from device.croupier.looks import Look, Said
from device.croupier.moves import Game, Move
from device.ports import Button, Press
from engine import IllegalActionError, State, apply
from engine.core.events import Event, Have, Stick, Undo
from engine.core.fast_replace import replace
from engine.core.views import Phase
from engine.table.state import refolded

M = TypeVar("M")

RESERVE = 3
"""Ways, and histories, up to this much dearer than the best are kept."""

NODES = 150
"""States tried for one look and one history."""

CARRIED = 4
"""So many hands that did nothing are remembered."""


Bar = tuple[int, tuple[Event, ...], frozenset[int]]
"""An explanation that people took back: its place, its events, and the things it was about."""


@dataclass(slots=True)
class Budget:
    """How many states may still be tried."""

    nodes: int

    def take(self) -> bool:
        """Take one; return whether there was one."""
        self.nodes -= 1
        return self.nodes >= 0


def explain(
    game: Game[M],
    history: History[M],
    look: Look,
    most: int,
    budget: Budget,
    barred: frozenset[Bar] = frozenset(),
    *,
    traces: frozenset[Assumption] = frozenset(),
    lost: bool = False,
) -> Iterator[History[M]]:
    """Yield the ways in which *history* can go on so that *look* shows what it shows, best first.

    Args:
        game: offers the moves.
        history: where it stood at the look before.
        look: what is to be explained.
        most: ways that cost more than this beyond *history* are not looked for.
        budget: of states to be tried.
        barred: explanations that people took back.
        traces: what these left on the mat; it costs nothing.
        lost: only by what the game offers where nobody knows any more what had happened before.
    """
    begin = _with_look(game, history, look, barred)
    if begin is None:
        return
    left, known = Budget(NODES), len(history.state.log)
    number = count()
    usable = [move.said for move in _meanings(game, begin, look) if move.said]
    first = game.lost_track(begin, look) if lost else (None,)
    heap: list[tuple[int, int, History[M], Move[Any] | None]] = [
        (begin.cost + (cost_of(move.assumed) if move else 0), next(number), begin, move)
        for move in first
    ]
    seen: set[object] = set()
    best: int | None = None
    while heap and left.take() and budget.take():
        cost, _, at, move = heapq.heappop(heap)
        if cost > history.cost + most or (best is not None and cost > best + RESERVE):
            return
        if move is not None:
            if move.mat is _AT_REST:
                best = cost if best is None else best
                yield at
                continue
            after = _played(at, move, cost)
            if after is None or _is_barred(after, history, barred):
                continue
            at = after
        same = (
            len(at.state.log),
            at.state.log[max(known - 1, 0) :],
            at.assumed[: max(known - 1, 0)],  # they tell edits of what came before
            at.mat,
            at.said,
            at.hands,
            at.untraced == (),
        )
        if same in seen:
            continue
        seen.add(same)
        rested = game.at_rest(at, look) if not at.untraced else None
        if rested is not None:
            goal = _rested(game, replace(at, mat=rested), history, look, usable)
            heapq.heappush(heap, (goal.cost, next(number), goal, _REST))
        for each in game.moves(at, look):
            unusual = () if not each.events and traces.issuperset(each.assumed) else each.assumed
            price = at.cost + cost_of(unusual) + _price_of_hand(at, each, look)
            heapq.heappush(heap, (price, next(number), at, each))


def is_word(game: Game[M], history: History[M], look: Look, press: Press) -> bool:
    """Return whether *press* would be a word in *history* that the rules allow now."""
    said = Said(press)
    heard = replace(history, said=((look.number, said),))
    return any(move.events and move.said is said for move in _meanings(game, heard, look))


def _meanings(game: Game[M], at: History[M], look: Look) -> Iterator[Move[M]]:
    """Yield the moves by which words that are said may mean something now."""
    for move in game.moves(at, look) if at.said else ():
        if move.said and is_legal(at.state, *move.events):
            yield move


_AT_REST = object()
_REST: Move[Any] = Move((), _AT_REST)


def _with_look(
    game: Game[M], history: History[M], look: Look, barred: frozenset[Bar]
) -> History[M] | None:
    """Return *history* with the presses and hands of *look*; what people decided is played."""
    at = history
    said = list(at.said)
    for each in look.said:
        if each.event is None:
            said.append((look.number, each))
            continue
        try:
            state = apply(at.state, each.event)
        except IllegalActionError:
            return None
        after = _noted(at, state, (), frozenset())
        if _is_barred(after, history, barred):
            continue  # people took it back
        at = after
        at = replace(at, mat=game.corrected(at, each.event))
    hands = None if look.acting is None else (*(at.hands or ()), *look.acting)
    return replace(at, said=tuple(said), hands=hands, untraced=())


def _noted(
    at: History[M], state: State, assumed: tuple[Assumption, ...], about: frozenset[int]
) -> History[M]:
    """Return *at* with the state after one more event."""
    done = at.done
    if done is None and state.phase is Phase.DONE:
        done = len(state.log)
    elif state.phase is not Phase.DONE:
        done = None
    # An event may make the log shorter: undo. What it assumed joins the event that is last then.
    length = len(state.log)
    gone = len(at.state.log) - length
    if gone > 0 and length:
        assumed = (*at.assumed[length - 1], *assumed)
        about |= at.about[length - 1]
    whole = (*at.assumed[: length - 1], assumed) if length else ()
    abouts = (*at.about[: length - 1], about) if length else ()
    states = (*at.states, at.state) if gone < 0 else at.states[:-gone] if gone else ()
    return replace(at, state=state, assumed=whole, about=abouts, done=done, states=states)


def _played(at: History[M], move: Move[M], cost: int) -> History[M] | None:
    """Return *at* after *move*; ``None`` where the rules refuse it.

    Moves that left no trace must have been needed: without the first, or the last of them, the
    move that follows would have been refused. A move that the game does not notice proves nothing.
    """
    before = at.untraced
    untraced = before
    if not move.leaves_trace:
        untraced = (*before, at.state)
    elif move.events:
        if before and any(is_legal(state, *move.events) for state in (before[0], before[-1])):
            return None
        untraced = ()
    # A press has a number too, so that taking its step back bars this press and no other.
    pressed = frozenset(-number for number, said in at.said if said is move.said)
    if move.reread is not None:
        number, read = move.reread
        changed = _again_from(at, number, (read, *at.events[number + 1 :]))
        if changed is None:
            return None
        at = changed
    if move.insert is not None:
        changed = _with_others(at, move)
        if changed is None:
            return None
        at = changed
    for event in move.events:
        try:
            is_known = isinstance(event, Undo) and at.states
            state = at.states[-1] if is_known else apply(at.state, event)
        except IllegalActionError:
            return None
        at = _noted(at, state, move.assumed, move.about | pressed)
    said = tuple(each for each in at.said if each[1] is not move.said) if pressed else at.said
    return replace(
        at,
        mat=move.mat,
        cost=cost,
        said=said,
        hands=_without_hand(at.hands, move.hand),
        untraced=untraced,
    )


def _again_from(at: History[M], place: int, events: Sequence[Event]) -> History[M] | None:
    """Return *at* as if *events* had come after the first *place* ones, if the rules allow it."""
    gone = len(at.events) - place
    try:
        if gone > len(at.states):
            log = (*at.events[:place], *events)
            return replace(at, state=refolded(replace(at.state, log=log)), states=())
        states = list(at.states[: len(at.states) - gone])
        state = at.states[-gone] if gone else at.state
        for event in events:
            states.append(state)
            state = apply(state, event)
    except IllegalActionError:
        return None
    return replace(at, state=state, states=tuple(states))


def _with_others(at: History[M], move: Move[M]) -> History[M] | None:
    """Return *at* with other events at a place of its past, where the rules allow it."""
    assert move.insert is not None
    place, gone, events = move.insert
    again = _again_from(at, place, (*events, *at.events[place + gone :]))
    if again is None:
        return None
    more = len(events) - gone
    done = None
    if again.state.phase is Phase.DONE:
        done = len(again.events) if at.done is None else at.done + more
    return replace(
        again,
        assumed=(
            *at.assumed[:place],
            *[move.assumed] * len(events),
            *at.assumed[place + gone :],
        ),
        about=(*at.about[:place], *[move.about] * len(events), *at.about[place + gone :]),
        ends=tuple((n, end if end <= place else end + more) for n, end in at.ends),
        done=done,
    )


def _without_hand(
    hands: tuple[int | None, ...] | None, seat: int | None
) -> tuple[int | None, ...] | None:
    """Return the hands that came after the first that may have been that of *seat*."""
    if hands is None or seat is None:
        return hands
    for wanted in (seat, None):
        if wanted in hands:
            place = hands.index(wanted) + 1
            while place < len(hands) and hands[place] == seat:  # the same hand, once more
                place += 1
            return hands[place:]
    return hands


def _price_of_hand(at: History[M], move: Move[M], look: Look) -> int:
    """Return what it costs that nobody saw the hand that acted."""
    if at.hands is None or move.hand is None or look.blind:
        return 0
    if move.hand in at.hands:
        return 0
    if None not in at.hands:
        return RANK[Assumption.OTHER_HAND]
    idle = any(hand is not None for hand in at.hands[: at.hands.index(None)])
    return RANK[Assumption.IDLE_HAND] if idle else 0


def _rested(
    game: Game[M], at: History[M], before: History[M], look: Look, usable: Sequence[Said]
) -> History[M]:
    """Return *at* at the end of a look: what explains nothing is carried on, or costs."""
    kept = []
    cost = at.cost
    for number, said in at.said:
        moving = game.words_wait and said.press is not None and said.press.moving
        waits = moving and bool(look.said)  # until what moves has come to rest
        is_new = number == look.number
        if is_new or waits:  # later looks may have a use for it
            kept.append((number, said))
        if waits or not (is_new or moving) or _is_repeated(before, said):
            continue
        if any(said is each for each in usable) and not _is_pressed_again(before, said):
            cost += RANK[Assumption.IGNORED_WORD]
        elif at.done is None:  # once a hand is over, people press what they like
            cost += RANK[Assumption.NO_EFFECT]
    acted = at.state.log != before.state.log
    hands = at.hands
    if acted and hands is not None:  # those that came later, as far as they are known
        used = len(hands) < len(before.hands or ()) + len(look.acting or ())
        hands = tuple(hand for hand in hands if used and hand is not None)
    ends = at.ends
    if acted:
        ends = (*(e for e in ends if e[1] < len(at.state.log)), (look.number, len(at.state.log)))
    hands = None if hands is None else hands[-CARRIED:]
    return replace(at, cost=cost, said=tuple(kept), hands=hands, ends=ends)


def _is_repeated(before: History[M], said: Said) -> bool:
    """Return whether a word only asks once more for the card that is awaited."""
    last = before.state.log[-1] if before.state.log else None
    press = said.press
    return (
        isinstance(last, Have)
        and press is not None
        and press.button is Button.HAVE
        and press.seat in (None, last.seat)
    )


def _is_pressed_again(before: History[M], said: Said) -> bool:
    """Return whether a word at the console may be the one before, pressed once too often."""
    log, press = before.state.log, said.press
    again = press is not None and press.button is Button.STICK and press.seat is None
    return again and bool(log) and isinstance(log[-1], Stick)


def _is_barred(at: History[M], before: History[M], barred: frozenset[Bar]) -> bool:
    if not barred:
        return False
    log, about = at.state.log, at.about
    known = common((before.state.log, log))
    for place, events, things in barred:
        # What stood there before the look may be told otherwise now: a card has its name.
        for start in {place, known}:
            end = start + len(events)
            noticed = frozenset().union(*about[start:end])
            # What nobody saw or said, and was taken back, may be seen or said now.
            if log[start:end] == events and noticed >= things and bool(noticed) == bool(things):
                return True
    return False
