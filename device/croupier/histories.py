"""All plausible histories of the hand in play.

A history is a list of events that explains every look and every press so far, with the rank of what
it had to assume. The few best are kept; those with equal futures are joined. A look that none
explains cheaply is a surprise: the looks of the hand are explained again, with wider bounds.

The shape is that of multiple hypothesis tracking; forks that were joined and turn out to matter are
opened again by watching the cards that contradict them (counterexample-guided refinement).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from device.croupier.assumptions import RANK, Assumption
from device.croupier.doubts import first_doubt, first_knock
from device.croupier.history import History, Step, common
from device.croupier.looks import (
    Look,
    LyingBone,
    LyingCard,
    has_changed,
    laid_again,
    may_be_another,
)
from device.croupier.moves import Game
from device.croupier.search import CARRIED, RESERVE, Bar, Budget, explain
from engine import State
from engine.core.cards import Card
from engine.core.events import Correct, Event, Knock
from engine.core.fast_replace import replace
from engine.core.views import Phase

M = TypeVar("M")
T = TypeVar("T")

KEPT = 40
"""So many histories are kept at most."""

ALIVE = 2
"""Histories this much dearer than the best do not count any more."""

SURPRISE = 2
"""A look that costs this much is explained again together with those before it."""

LOST = 4
"""A look that costs this much is explained with the widest bounds."""

LOOK_NODES = 300
"""States tried at most when a look comes, so that people need not wait."""

SLICE_NODES = 100
"""States tried in one slice of a repair: some hundredths of a second on a small computer."""

SLICES, DEAR_SLICES = 60, 6
"""So many slices at most are spent on a look that nothing explains, and on one that is dear."""

WALKED = 8
"""So many ways that are known from before take as long as one state that is tried."""

WINDOW, FOLLOWED = 3, 8
"""A card's other way is looked for in so many looks; so many histories of it are followed."""

RECENT = 6
"""A repair tries so many of the last looks first."""

SLIP = RANK[Assumption.NO_UNDO]
"""So much dearer are the histories in which the last UNDO was none."""

SLIP_LOOKS = 3
"""So many looks after an UNDO it may have been a slip."""


_Things = tuple[LyingCard | LyingBone, ...]


@dataclass(slots=True)
class _Barred:
    """An explanation that people took back.

    Attributes:
        since: the newest look when they did.
        lying: the things it was about, as they lay then.
        until: the last look of those at which they lay so; ``None`` while they still do.
    """

    bar: Bar
    since: int
    lying: _Things
    until: int | None = None


@dataclass(slots=True)
class _BeforeUndo:
    """How things were before the last UNDO, for where it was pressed by mistake.

    Attributes:
        events: how many the best history had just after it.
        since: the looks since, by their numbers, with what that UNDO has set aside.
        cards: those that lay there and that it took back.
        doubted: people have played on since, as they would have without it.
    """

    looks: list[Look]
    before: list[list[History[Any]]]
    barred: list[_Barred]
    set_aside: list[_Things]
    events: int = 0
    since: dict[int, Look] = field(default_factory=dict)
    cards: tuple[LyingCard, ...] = ()
    doubted: bool = False


@dataclass(slots=True)
class Histories(Generic[M]):
    """The histories of the hand in play.

    Attributes:
        kept: best first.
        looks: all of the hand, the newest last.
        explained: the newest look is one that the histories explain.
        crowded: more histories are alive than are kept: ask now.
        written: the events of the hand that are in the journal.
        sure: events that nobody saw or said at the time, and that people have confirmed.
    """

    game: Game[M]
    base: State
    kept: list[History[M]]
    looks: list[Look] = field(default_factory=list)
    explained: bool = True
    crowded: bool = False
    written: tuple[Event, ...] = ()
    sure: frozenset[Event] = frozenset()
    _before: list[list[History[M]]] = field(default_factory=list)
    _watched: frozenset[Card] = frozenset()
    _barred: list[_Barred] = field(default_factory=list)
    _set_aside: list[_Things] = field(default_factory=list)
    _before_undo: _BeforeUndo | None = None
    _newest: Look = field(default_factory=lambda: Look(0))
    _understood: Look = field(default_factory=lambda: Look(0))
    """The newest look that was explained."""
    _settled: dict[int, list[tuple[Callable[[History[M]], bool], int | None]]] = field(
        default_factory=dict
    )
    _answered: int | None = None
    """The look at which people last answered what divides the histories."""
    _known: dict[object, tuple[int, History[M], Look, list[History[M]]]] = field(
        default_factory=dict
    )
    _repairing: Generator[None, None, None] | None = None

    @classmethod
    def begin(cls, game: Game[M], state: State, look: Look) -> Histories[M]:
        """Begin with *state*, the only history; *look* is the last one before it."""
        bare = replace(state, events=())
        log = len(bare.log)
        first = History(
            bare,
            game.start(bare, look),
            assumed=((),) * log,
            about=(frozenset(),) * log,
            done=log if bare.phase is Phase.DONE else None,
            hands=() if look.hands is not None else None,
        )
        return cls(game, bare, [first], written=bare.log)

    def saved(self) -> Histories[M]:
        """Return a copy, to go back to; a repair that is under way is not in it."""
        return replace(
            self,
            looks=[*self.looks],
            _before=[*self._before],
            _barred=[copy(each) for each in self._barred],
            _set_aside=[*self._set_aside],
            _settled={look: [*said] for look, said in self._settled.items()},
            _known={},
            _repairing=None,
        )

    # What is known now

    @property
    def best(self) -> History[M]:
        """The likeliest history."""
        return self.kept[0]

    @property
    def alive(self) -> list[History[M]]:
        """The histories that count: they must agree before anything is told or paid."""
        return [each for each in self.kept if each.cost < self.best.cost + ALIVE]

    @property
    def agrees(self) -> bool:
        """Whether all that counts agree on who may do what next, and on money."""
        if self.doubt is not None:
            return False
        alive = self.alive
        game = self.game
        return (
            len({game.frame(each.state) for each in alive}) == 1
            and len({game.money(each.state) for each in alive}) == 1
        )

    @property
    def doubt(self) -> int | None:
        """The number of an event that money hangs on, and that is not sure.

        Nobody saw or said it, or somebody else has said what may have been it. What was written
        before these histories began is not doubted: no look of theirs explains it.
        """
        return first_doubt(self.best, self.looks, len(self.base.log), self.sure)

    def plan(self) -> tuple[Step, ...]:
        """Return what is to be written now: events with what was assumed about each.

        It is the likeliest history, cut off where those that count part ways; of what is written
        as much stands as one of them still says.
        """
        alive = self.alive
        done = self.best.done
        if done is not None and not self.explained:
            return self.best.steps[: done - 1]  # what lies open speaks against how it ended
        if self.agrees:
            return self.best.steps
        shared = common(each.events for each in alive)
        if self.doubt is not None and done is not None:
            return self.best.steps[: min(shared, done - 1)]
        told = [common((each.events, self.written)) for each in alive]
        stands = max(told)  # what is written stands as long as one that counts says so
        if stands >= shared:
            return alive[told.index(stands)].steps[:stands]
        return self.best.steps[:shared]

    def wrote(self, events: tuple[Event, ...]) -> None:
        """Note that the journal now has *events* of this hand."""
        self.written = events

    # A new look

    def see(self, look: Look, *, heard: bool = False) -> None:
        """Explain one more look; *heard*: nothing but words are new."""
        if self._is_gathering(look):
            self.play_on()
        look = self._count_again(look)
        self._newest = look
        if self._before_undo is not None:
            self._before_undo.since[look.number] = look
        self._add(self.without_ignored(look), heard)
        if not heard:
            self._doubt_undo()
        self._forget_undo()
        if self.explained:
            self._understood = look

    def _is_gathering(self, look: Look) -> bool:
        """Return whether most of what lay at the last look is gone since, and nothing came."""
        lay, lies = ({c.number for c in each.cards} for each in (self._newest, look))
        return lies < lay and 2 * len(lies) < len(lay)

    def _add(self, look: Look, heard: bool = False) -> None:
        self._before.append(self.kept)
        self.looks.append(look)
        self._repair_no_more()
        before = self.kept[0].cost
        grown = _whole(self._grow(self.kept, look, RESERVE, Budget(LOOK_NODES)))
        self.explained = bool(grown)
        if grown:
            self._keep(grown)
        if not heard and (not grown or self._is_surprise(before)):
            slices = DEAR_SLICES if grown else SLICES
            self._repairing = self._repair(Budget(slices * SLICE_NODES))
            if not grown:
                self.kept = [_carried(each, look) for each in self._before[-1]]
            self.go_on()
        elif not grown:
            self.kept = [_carried(each, look) for each in self._before[-1]]

    def _is_surprise(self, before: int) -> bool:
        """Return whether the newest look cost much, or more where a card's way was left open.

        The way that was joined with another may be the one that costs nothing.
        """
        cost, look = self.kept[0].cost, self.looks[-1]
        return cost >= before + SURPRISE or (
            cost > before
            and any(self.game.suspects(each, look) & each.forks for each in self._before[-1][:3])
        )

    def _strange(self, budget: Budget) -> Generator[None, None, list[History[M]]]:
        """Return the ways in which the newest look can be explained by dearer assumptions.

        Else those in which it is left open what was lost track of; neither are joined yet.
        """
        look, before = self.looks[-1], self._before[-1]
        grown = yield from self._grow(before, look, 2 * RESERVE, budget)
        if grown:
            return grown
        barred = _barred_at(self._barred, look)
        last = Budget(LOOK_NODES)  # what was tried before may have used all of the other
        for each in before:
            if each.cost < before[0].cost + ALIVE:
                lost = explain(self.game, each, look, 3 * RESERVE, last, barred, lost=True)
                grown.extend(self._as_settled(list(lost), look))
                yield
        return grown

    @property
    def is_repairing(self) -> bool:
        """Whether a repair is not finished."""
        return self._repairing is not None

    def go_on(self) -> None:
        """Go on with a repair that is not finished, for one slice."""
        if self._repairing is not None:
            try:
                next(self._repairing)
            except StopIteration:
                self._repairing = None
                self._forget_undo()

    def _repair_no_more(self) -> None:
        if self._repairing is not None:
            self._repairing.close()
            self._repairing = None

    @property
    def ignored(self) -> frozenset[int]:
        """Cards and bones that do not count until they are taken up or turned over."""
        return frozenset(thing.number for things in self._set_aside for thing in things)

    def ignore(self, numbers: frozenset[int]) -> None:
        """Leave cards or bones out until they are touched: they do not count.

        Of cards that lie there together one that is touched is enough. What was taken up since
        counts for nothing as it lay.
        """
        looks = (*self.looks, self._newest)
        lay = {thing.number: thing for look in looks for thing in _things(look)}
        things = [lay[number] for number in sorted(numbers & lay.keys())]
        self._set_aside.append(tuple(thing for thing in things if isinstance(thing, LyingCard)))
        self._set_aside += [(thing,) for thing in things if isinstance(thing, LyingBone)]

    def leave_out(self, number: int) -> None:
        """Leave out a card that was never there, and explain again what was seen with it."""
        self.ignore(frozenset({number}))
        first = next((n for n, look in enumerate(self.looks) if look.card(number)), None)
        if first is not None:
            self._replay(first)

    def _count_again(self, look: Look) -> Look:
        """Let what was touched count again: people may mean it now; return the look to explain."""
        taken_back: set[int] = set()
        things = {thing.number: thing for thing in _things(look)}
        again = laid_again(self._newest, look)

        def touched(lying: _Things) -> bool:
            return any(
                then.number in again
                or has_changed(then, things.get(then.number))
                or (look.hands != () and may_be_another(then, things.get(then.number)))
                for then in lying
            )

        self._set_aside = [lying for lying in self._set_aside if lying and not touched(lying)]
        for bar in self._barred:
            if bar.until is None and touched(bar.lying):
                bar.until = look.number - 1
                if any(thing.number in again for thing in bar.lying):
                    taken_back |= {thing.number for thing in bar.lying}
        return self._without_looks_at(taken_back, look)

    def _without_looks_at(self, numbers: set[int], look: Look) -> Look:
        """Forget the looks at which a card lay there that people took back.

        What was said and whose hands were seen meanwhile goes into the new *look*, which is
        explained from how things were before.
        """
        start = next(
            (n for n, old in enumerate(self.looks) if any(map(old.card, numbers))), len(self.looks)
        )
        gone = self.looks[start:]
        if not gone:
            return look
        self._repair_no_more()
        self.kept = self._before[start]
        del self.looks[start:], self._before[start:]
        self._undo_was_meant()
        hands = None
        if look.hands is not None:
            hands = tuple(hand for each in (*gone, look) for hand in each.hands or ())
        return replace(
            look,
            hands=hands,
            over=frozenset().union(*(each.over for each in (*gone, look))),
            said=tuple(said for each in (*gone, look) for said in each.said),
            blind=look.blind or any(each.blind for each in gone),
        )

    def _bar(self, each: History[M], begin: int, end: int | None = None) -> None:
        """Bar what *each* says there, as long as the things it is about lie untouched."""
        about = frozenset().union(*each.about[begin:end])
        lying = tuple(thing for thing in _things(self._newest) if thing.number in about)
        # What lies there no more has been taken up: laid again it may mean just that.
        until = None if lying or not about else self._newest.number
        bar = (begin, each.events[begin:end], about)
        self._barred.append(_Barred(bar, self._newest.number, lying, until))
        self._known.clear()

    def _traces(self, bars: Iterable[_Barred], look: Look) -> frozenset[Assumption]:
        """Return what the events that were taken back after *look* may have left on the mat."""
        events = (event for bar in bars if look.number <= bar.since for event in bar.bar[1])
        return frozenset().union(*(self.game.traces(event) for event in events))

    def without_ignored(self, look: Look) -> Look:
        """Return *look* without what does not count."""
        ignored = self.ignored
        if not ignored:
            return look
        return replace(
            look,
            cards=tuple(card for card in look.cards if card.number not in ignored),
            bones=tuple(bone for bone in look.bones if bone.number not in ignored),
        )

    def _grow(
        self, kept: Sequence[History[M]], look: Look, most: int, budget: Budget
    ) -> Generator[None, None, list[History[M]]]:
        """Return all ways to go on, not yet joined; pause after each slice of the work.

        Those that count share the work, so that none of them dies because another was dear.
        """
        floor = kept[0].cost
        shares = sum(each.cost < floor + ALIVE for each in kept)
        grown: list[History[M]] = []
        for number, each in enumerate(kept):
            left, before = most - (each.cost - floor), budget.nodes
            if left < 0:
                continue
            share = Budget(max(0, before) // max(1, shares - number))
            spent = share.nodes
            ways = self._explained(each, self._seen_by(each, look), left, share)
            budget.nodes -= spent - share.nodes + len(ways) // WALKED
            if budget.nodes // SLICE_NODES < before // SLICE_NODES:
                yield
            grown.extend(ways)
        return self._as_settled(grown, look)

    def _as_settled(self, grown: list[History[M]], look: Look) -> list[History[M]]:
        """Return those of which all is true that people have said at this look.

        Of what they may have said others cost more.
        """
        for says, price in self._settled.get(look.number, ()):
            grown = _by_answer(grown, says, price)
        return grown

    def _explained(
        self, each: History[M], look: Look, most: int, budget: Budget
    ) -> list[History[M]]:
        """Return the ways in which one history explains *look*; a repair asks again and again."""
        was = self._before_undo
        bars = self._barred if was is None or not each.undo_slipped else was.barred
        barred, traces = _barred_at(bars, look), self._traces(bars, look)
        key = (id(each.state), id(each.mat), id(look), each.said, each.hands)
        known = self._known.get(key)
        if known is None or known[0] < most:
            found = list(explain(self.game, each, look, most, budget, barred, traces=traces))
            if budget.nodes < 0:
                return found  # maybe not all of them
            known = self._known[key] = (most, each, look, found)
        _, asked, _, found = known
        if (each.cost, each.assumed) != (asked.cost, asked.assumed):  # it came there by another way
            return list(explain(self.game, each, look, most, budget, barred, traces=traces))
        ways = [way for way in found if way.cost <= each.cost + most]
        if each.forks <= asked.forks:
            return ways
        return [replace(way, forks=way.forks | each.forks) for way in ways]

    def _keep(self, grown: list[History[M]]) -> None:
        self.kept, self.crowded = self._joined(grown)

    def _joined(
        self, grown: list[History[M]], most: int = RESERVE
    ) -> tuple[list[History[M]], bool]:
        """Return the best of *grown*, those with equal futures joined."""
        grown.sort(key=lambda each: (each.cost, not self._follows(each)))
        best = grown[0].cost
        found: dict[object, History[M]] = {}
        for each in grown:
            if each.cost > best + most:
                break
            key = (self.game.key(each, self._watched), each.said)
            first = found.get(key)
            if first is None:
                found[key] = each
            else:
                forks = first.forks | each.forks | _cards_between(first.events, each.events)
                if forks != first.forks:
                    found[key] = replace(first, forks=forks)
        kept = list(found.values())
        crowded = len(kept) > KEPT and kept[KEPT].cost < best + ALIVE
        return kept[:KEPT], crowded

    def _follows(self, each: History[M]) -> bool:
        return each.events[: len(self.written)] == self.written

    # Repair

    def _repair(self, budget: Budget) -> Generator[None, None, None]:
        """Explain the looks of this hand again, wider each time, until it is cheaper."""
        if self.explained and self.best.state.phase in (Phase.SHOWDOWN, Phase.DONE):
            yield from self._widen()
        before, repaired = self._watched, False
        try:
            repaired = yield from self._without_slip(budget)
            if not repaired:
                repaired = yield from self._repaired(budget)
            if not (repaired or self.explained):
                repaired = yield from self._without_bars()
        finally:
            if not repaired:
                self._watched = before

    def _without_slip(self, budget: Budget) -> Generator[None, None, bool]:
        """Leave out the last answer where nothing explains what comes next but that it was a slip.

        A finger slips, and what then lies there shows it: it must be explained at little cost.
        """
        numbers = [look.number for look in self.looks[:-1]]
        start = numbers.index(self._answered) if self._answered in numbers else None
        if self.explained or start is None:
            return False
        if self._before[start + 1][0].events != self._before[-1][0].events:
            return False
        settled = self._settled[numbers[start]]
        said, slipped = settled.pop(), False
        try:
            found = yield from self._again(start, RESERVE, budget)
            slipped = found is not None and (
                found[-1][0].cost < self._before[start][0].cost + SURPRISE
            )
        finally:  # the next look may come before this is through
            if not slipped:
                settled.append(said)
        if found is None or not slipped:
            return False
        self._answered = None
        self._before[start:] = found[:-1]
        self._keep(found[-1])
        self.explained = True
        return True

    def _without_bars(self) -> Generator[None, None, bool]:
        """Leave out what people took back, where nothing else explains what lies there long after.

        An elbow presses UNDO, too. Just after it people are at work, and nothing is looked for.
        """
        bars = self._barred
        slips = [bar for bar in bars if self.looks[-1].number - bar.since >= SLIP_LOOKS]
        if not slips:
            return False
        found = None
        self._barred = [bar for bar in bars if bar not in slips]
        self._known.clear()
        try:
            found = yield from self._again(0, RESERVE, Budget(SLICES * SLICE_NODES))
        finally:  # the next look may come before this is through
            if found is None:
                self._barred = bars
                self._known.clear()
        if found is None:
            return False
        self._before[:] = found[:-1]
        self._keep(found[-1])
        self.explained = True
        return True

    def _widen(self) -> Generator[None, None, None]:
        """Look for what counts beside a showdown or an end that is itself dear."""
        before = self._before[-1]
        most = self.kept[0].cost - before[0].cost + ALIVE - 1
        if most > RESERVE:
            grown = yield from self._grow(before, self.looks[-1], most, Budget(LOOK_NODES))
            self._keep([*self.kept, *grown])

    def _repaired(self, budget: Budget) -> Generator[None, None, bool]:
        """Repair, and return whether it was of use; if so, the cards watched for it stay so."""
        if not self.explained:
            grown = yield from self._strange(budget)
            if grown:
                self._keep(grown)
                self.explained = True
            if grown and self.kept[0].cost < self._before[-1][0].cost + SURPRISE:
                return False
        cost = self.kept[0].cost if self.explained else None
        suspects = frozenset().union(
            *(self.game.suspects(each, self.looks[-1]) for each in self._before[-1][:3])
        )
        if suspects and (yield from self._repair_cards(suspects, budget, cost)):
            return True
        if cost is not None and cost < self._before[-1][0].cost + SURPRISE:
            return False
        forks = frozenset().union(*(each.forks for each in self.kept[:3]))
        narrow, wide = self._watched | suspects, self._watched | suspects | forks
        plans = [
            (0, RESERVE, narrow),
            (max(0, len(self.looks) - RECENT), RESERVE + 1, self._watched),
            (0, RESERVE + 1, narrow),
        ]
        if cost is None or cost >= self._before[-1][0].cost + LOST:
            plans += [(0, RESERVE + 2, wide), (0, RESERVE + 4, wide)]
        for start, most, watched in plans:
            self._watched = watched
            found = yield from self._again(start, most, budget)
            if found is not None and (cost is None or found[-1][0].cost < cost):
                self._before[start:] = found[:-1]
                self.kept, self.explained = found[-1], True
                return True
            if budget.nodes <= 0:
                break
        return False

    def _repair_cards(
        self, suspects: frozenset[Card], budget: Budget, cost: int | None
    ) -> Generator[None, None, bool]:
        """Let one of *suspects* have gone another way where it was last seen to come or go.

        Only the looks around that place are explained widely, and only what takes the card
        elsewhere than was believed is followed. Return whether it explains the newest look cheaper.
        """
        old_watched = self._watched
        self._watched = old_watched | suspects
        chains: list[tuple[int, list[list[History[M]]]]] = []
        for start in self._mentions(suspects):
            found = yield from self._other_way(start, suspects, budget)
            if found is not None:
                chains.append((start, found))
            if budget.nodes <= 0:
                break
        if not chains or (cost is not None and all(f[-1][0].cost >= cost for _, f in chains)):
            self._watched = old_watched
            return False
        first = min(start for start, _ in chains)
        for place in range(first + 1, len(self.looks)):
            ways = [each for start, f in chains if start < place for each in f[place - start]]
            self._before[place] = self._joined([*ways, *self._before[place]])[0]
        last = [each for _, f in chains for each in f[-1]]
        self._keep([*last, *(self.kept if self.explained else ())])
        self.explained = True
        return True

    def _mentions(self, cards: frozenset[Card]) -> list[int]:
        """Return the places of the looks whose events name one of *cards*, the latest first."""
        best = self._before[-1][0]
        named = [n for n, event in enumerate(best.events) if cards & _named(event)]
        numbers = {next((look for look, end in best.ends if end > n), None) for n in named}
        return [n for n in reversed(range(len(self.looks))) if self.looks[n].number in numbers]

    def _other_way(
        self, start: int, suspects: frozenset[Card], budget: Budget
    ) -> Generator[None, None, list[list[History[M]]] | None]:
        """Return the sets from look *start* on where a suspect goes another way than believed."""
        game, sets, turn = self.game, [self._before[start]], start + WINDOW
        for place, look in enumerate(self.looks[start:], start + 1):
            most = RESERVE + 2 if place <= turn else RESERVE
            grown = yield from self._grow(sets[-1], look, most, budget)
            if not grown:
                return None
            found = self._joined(grown, most)[0]
            if place == turn and place < len(self.looks):
                belief = self._before[place][0]
                found = [
                    each
                    for each in found
                    if any(game.where(each, c) != game.where(belief, c) for c in suspects)
                ]
                if not found:
                    return None
            sets.append(found if place <= turn else found[:FOLLOWED])
        return sets

    def _again(
        self, start: int, most: int, budget: Budget
    ) -> Generator[None, None, list[list[History[M]]] | None]:
        """Return the sets before each look from *start* on, and the last one."""
        sets = [self._before[start]]
        for look in self.looks[start:]:
            grown = yield from self._grow(sets[-1], look, most, budget)
            if grown:
                sets.append(self._joined(grown, most)[0])
            elif look is self.looks[-1]:
                return None
            else:
                sets.append([_carried(each, look) for each in sets[-1]])
        return sets

    # What people say of it

    def take_back(self) -> bool:
        """Take the last step that was told back, and bar it; return whether there was one.

        A word that was said is as if it had not been. Else the next likely explanation takes its
        place; where there is none, the cards or bones it was about do not count until they are
        taken up. What people answered since is taken back with it.

        Fingers slip: histories in which nothing was taken back live on beside, and are dearer. Of
        two UNDOs both are a slip where the hand was over before the first.
        """
        first = self._before_undo if self._before_undo and not self._before_undo.doubted else None
        over = [each for each in self.kept if first and each.undo_slipped and each.done is not None]
        floor, stood = self.best.cost, self.alive if self.explained else []
        before = _BeforeUndo(
            [*self.looks],
            [*self._before],
            [copy(each) for each in self._barred],
            [*self._set_aside],
        )
        bars, decided = len(self._barred), self._decided()
        if not self._take_back():
            return False
        if self._decided() != decided:
            self._before_undo = None  # nobody enters a correction, or takes it back, by mistake
            return True
        new = self._barred[bars:]
        taken = [thing for bar in new for thing in bar.lying]
        before.cards = tuple(thing for thing in taken if isinstance(thing, LyingCard))
        before.events = len(self.best.events)
        # What lies there no more can hardly be meant otherwise than it was.
        is_gone = bool(new) and not taken
        dearer = SLIP if is_gone else SLIP + self.best.cost - floor
        stood = [_without_undo(each, dearer) for each in stood if not each.undo_slipped]
        self.kept = sorted([*self.kept, *(over or stood)], key=lambda each: each.cost)
        self._before_undo = first if over else before
        return True

    def _decided(self) -> int:
        """Return how many corrections the looks have."""
        return sum(isinstance(said.event, Correct) for look in self.looks for said in look.said)

    def _doubt_undo(self) -> None:
        """Let the histories without the last UNDO count, once the next move fits them as well.

        Who takes the card up that does not count any more has read what the screen says.
        """
        was, best = self._before_undo, self.best
        if was is None or was.doubted or best.undo_slipped or len(best.events) <= was.events:
            return
        if self._newest.hands is None or any(not self._newest.card(c.number) for c in was.cards):
            return
        slipped = [each for each in self.kept if each.undo_slipped]
        if slipped and slipped[0].cost <= best.cost + SLIP:
            was.doubted = True
            cheaper = [replace(each, cost=each.cost - 1) for each in slipped]
            others = [each for each in self.kept if not each.undo_slipped]
            self.kept = sorted([*others, *cheaper], key=lambda each: each.cost)

    def play_on(self) -> bool:
        """Go on from the end of the hand, where only the last UNDO took that back.

        People want the next hand, or gather the cards: they have not done anything else since.
        Return whether it is so.
        """
        was, is_over = self._before_undo, self.best.done is not None and self.agrees
        over = [each for each in self.kept if each.undo_slipped and each.done is not None]
        if was is None or was.doubted or is_over or not over:
            return False
        self.kept = over
        self._forget_undo()
        return True

    def _forget_undo(self) -> None:
        """Forget how things were before the last UNDO, once it is clear whether it was meant."""
        was = self._before_undo
        if was is None:
            return
        if not any(each.undo_slipped for each in self.kept):
            self._undo_was_meant()
        elif all(each.undo_slipped for each in self.alive):
            self._before_undo = None
            self._repair_no_more()
            self._barred, self._set_aside = was.barred, was.set_aside
            later = self._before[len(was.before) :]
            self._before = [*was.before, *(_as_without_undo(kept) or kept for kept in later)]
            looks = self.looks[-len(later) :] if later else []
            self.looks = [*was.looks, *(was.since.get(look.number, look) for look in looks)]
            self.kept = _as_without_undo(self.kept)
            self._known.clear()

    def _undo_was_meant(self) -> None:
        """Drop the histories in which the last UNDO was none."""
        self._before_undo = None
        self.kept, *self._before = (_with_undo(each) for each in (self.kept, *self._before))

    def _seen_by(self, each: History[M], look: Look) -> Look:
        """Return what of *look* counts in a history."""
        was = self._before_undo
        return look if was is None or not each.undo_slipped else was.since.get(look.number, look)

    def _take_back(self) -> bool:
        if self.looks and self._unsay(len(self.looks) - 1):
            self._replay(len(self.looks) - 1)
            return True
        plan = next((each for each in self.kept if self._follows(each)), self.best)
        length = len(self.written)
        begins = (len(self.base.log), *(end for _, end in plan.ends))
        told = [each for each in zip(begins, plan.ends, strict=False) if each[0] < length]
        if not told:
            return False
        begin, (number, end) = told[-1]  # of the last step perhaps only a part is told
        about = frozenset().union(*plan.about[begin:end])
        if self._is_about_newcomers(about, plan.events[begin:end]):
            return True
        start = next(i for i, look in enumerate(self.looks) if look.number == number)
        self._answered = None
        for look in self.looks[start:]:
            self._settled.pop(look.number, None)  # an answer may have been wrong, too
        words = [i for i, look in enumerate(self.looks) if -look.number in about]
        if words and all([self._unsay(i) for i in words]):
            self._replay(min(*words, start))
            return True
        if self._forget_decided(start):
            self._replay(start)
            return True
        self._bar(plan, begin, min(end, length))
        lies = {thing.number for thing in _things(self._newest)}
        if not self._replay(start) or self.best.cost > plan.cost + 1:
            self.ignore(about)
            self._replay(start)
            self._set_aside = [
                each for each in self._set_aside if any(thing.number in lies for thing in each)
            ]
        return True

    def _is_about_newcomers(self, about: frozenset[int], told: Sequence[Event]) -> bool:
        """Set aside cards that came since and have no place, where they are what UNDO is about.

        What was told still lies there, and they would take its place; or it was a word of others
        than those at whose places they lie.
        """
        lying = {card.number: card for card in self._newest.cards}
        lay = {card.number for card in self._understood.cards}
        newcomers = frozenset(lying.keys() - lay - self.ignored)
        if self.explained or not newcomers or not about:
            return False
        speakers = {getattr(event, "seat", None) for event in told}
        is_word = all(number < 0 for number in about)
        if is_word and speakers & {lying[number].seat for number in newcomers}:
            return False
        if not is_word and not about <= lying.keys() & lay:
            return False
        self.ignore(newcomers)
        place = next(n for n, look in enumerate(self.looks) if newcomers & set(_numbers(look)))
        self._replay(place)
        return True

    def unsay(self, numbers: Collection[int]) -> None:
        """Leave out what was said at the looks of these *numbers*: they were no words."""
        places = [i for i, look in enumerate(self.looks) if look.number in numbers]
        heard = [place for place in places if self._unsay(place)]
        if heard:
            self._replay(min(heard))

    def name(self, number: int, named: Card | None, was: Card | None = None) -> None:
        """Let the open card that looks like *was* be *named* in every look.

        ``None`` is a card that nobody could read.
        """
        first: int | None = None

        def renamed(look: Look) -> Look:
            card = look.card(number)
            if card is None or not card.is_up or card.card != was:
                return look
            new = replace(card, card=named, candidates=())
            return replace(look, cards=tuple(new if each is card else each for each in look.cards))

        for place, look in enumerate(self.looks):
            if self._change(place, renamed) is not look:
                first = place if first is None else first
        if first is not None:
            self._replay(first)

    def _unsay(self, place: int) -> bool:
        """Take the presses out of a look; return whether there were any."""
        look = self.looks[place]
        left = tuple(said for said in look.said if said.press is None)
        if len(left) == len(look.said):
            return False
        self._change(place, lambda old: replace(old, said=left))
        return True

    def _forget_decided(self, place: int) -> bool:
        """Take out of a look what people decided there: a correction, a player who came or left.

        Return whether there was anything.
        """
        look = self.looks[place]
        said = tuple(each for each in look.said if each.event is None)
        self._change(place, lambda old: replace(old, said=said))
        return len(said) < len(look.said)

    def _change(self, place: int, change: Callable[[Look], Look]) -> Look:
        """Change a look, also as it was seen before the last UNDO; return it."""
        look = self.looks[place]
        self.looks[place] = change(look)
        was = self._before_undo
        if was is not None and look.number in was.since:
            was.since[look.number] = change(was.since[look.number])
        return self.looks[place]

    def _replay(self, start: int) -> bool:
        """Explain the looks from *start* on again; return whether the last one is explained.

        As in life there is little time to repair a look before the next one comes.
        """
        looks, kept = self.looks[start:], self._before[start]
        del self.looks[start:], self._before[start:]
        self.kept = kept
        slices = SLICES
        for look in looks:
            self._add(self.without_ignored(look))
            while self.is_repairing and not self.explained and slices > 0:
                self.go_on()
                slices -= 1
        while self.is_repairing and not self.explained:
            self.go_on()
        return self.explained

    def answer(
        self,
        chosen: Iterable[History[M]],
        says: Callable[[History[M]], bool] | None = None,
        *,
        doubted: bool = False,
    ) -> None:
        """Keep only *chosen*: people said which of the histories is right.

        A repair later on keeps to it: those are right of which *says* is true at this look. Where
        it is *doubted* that they said so, the others are kept and do not count until what comes
        speaks for them.
        """
        self._repair_no_more()
        keep = list(chosen)
        price = keep[0].cost - self.best.cost + ALIVE if doubted else None
        if says is not None and self.looks:
            self._answered = self.looks[-1].number
            self._settled.setdefault(self._answered, []).append((says, price))
        self.kept = _by_answer(self.kept, lambda each: any(each is k for k in keep), price)
        self._forget_undo()
        if not self.explained and self.looks:
            self._repairing = self._repair(Budget(SLICES * SLICE_NODES))

    def confirm(self, events: Iterable[Event]) -> None:
        """Take it that *events* happened: people have said so."""
        self.sure |= frozenset(events)

    def decide(self, number: int, seat: int | None) -> None:
        """Take it that the knock that is event *number* of the best history is that of *seat*.

        Where no history has that, all is explained again without the knocks of others; ``None``:
        nobody knocked where it was believed.
        """
        if seat is None:
            self._deny(number)
            return
        knock = Knock(seat)
        self.sure |= {knock}

        def says(each: History[M]) -> bool:
            return knock in each.events

        def no_other(each: History[M]) -> bool:
            return not any(isinstance(event, Knock) and event != knock for event in each.events)

        if any(map(says, self.kept)):
            self.answer(filter(says, self.kept), says)
            return
        start = min(map(self._knocked_at, self.kept))
        self._answered = None  # what follows settles more than the last answer does
        for look in self.looks[start:]:
            self._settled.setdefault(look.number, []).append((no_other, None))
        if self.looks:
            self._settled[self.looks[-1].number].append((says, None))
            self._replay(start)

    def _knocked_at(self, each: History[M]) -> int:
        """Return the place of the look of the first knock in *each*; where there is none the last.

        One that no look of this hand explains counts as none.
        """
        number = first_knock(each)
        place = None if number is None else self._place_of(each, number)
        return max(0, len(self.looks) - 1) if place is None else place

    def _place_of(self, each: History[M], number: int) -> int | None:
        """Return the place of the look that event *number* of *each* explains, if one does."""
        look = next((look for look, end in each.ends if end > number), None)
        return next((i for i, old in enumerate(self.looks) if old.number == look), None)

    def _deny(self, number: int) -> None:
        """Bar event *number* of the best history: it did not happen.

        What no look of this hand explains cannot be barred.
        """
        best = self.best
        place = self._place_of(best, number)
        if place is not None:
            self._bar(best, number, number + 1)
            self._replay(place)

    def bar(self, wrong: Iterable[History[M]]) -> None:
        """Bar what *wrong* histories have beyond what is written: none of them is right."""
        first = len(self.looks) - 1
        for each in wrong:
            shared = common((each.events, self.written))
            self._bar(each, shared)
            for number, end in each.ends:
                if end > shared:
                    place = next(i for i, look in enumerate(self.looks) if look.number == number)
                    first = min(first, place)
                    break
        self._replay(max(first, 0))


def _by_answer(
    grown: Iterable[History[M]], says: Callable[[History[M]], bool], price: int | None
) -> list[History[M]]:
    """Return those of which *says* is true; others cost *price* more, ``None``: they are gone."""
    right, wrong = list[History[M]](), list[History[M]]()
    for each in grown:
        (right if says(each) else wrong).append(each)
    if price is not None:
        right += [replace(each, cost=each.cost + price) for each in wrong]
    return sorted(right, key=lambda each: each.cost)


def _whole(work: Generator[None, None, T]) -> T:
    """Return what *work* comes to, without a pause."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            found: T = end.value
            return found


def _without_undo(each: History[M], dearer: int) -> History[M]:
    """Return a history as one that lives on beside an UNDO by mistake."""
    assumed = each.assumed
    if assumed:
        assumed = (*assumed[:-1], (*assumed[-1], Assumption.NO_UNDO))
    return replace(each, cost=each.cost + dearer, assumed=assumed, undo_slipped=True)


def _as_without_undo(kept: list[History[M]]) -> list[History[M]]:
    """Return those in which the last UNDO was a mistake: it is none any more."""
    return [replace(each, undo_slipped=False) for each in kept if each.undo_slipped]


def _barred_at(bars: Iterable[_Barred], look: Look) -> frozenset[Bar]:
    return frozenset(b.bar for b in bars if b.until is None or look.number <= b.until)


def _with_undo(kept: list[History[M]]) -> list[History[M]]:
    """Return those in which the last UNDO was meant; never none."""
    return [each for each in kept if not each.undo_slipped] or _as_without_undo(kept)


def _numbers(look: Look) -> list[int]:
    return [thing.number for thing in _things(look)]


def _things(look: Look) -> _Things:
    return (*look.cards, *look.bones)


def _carried(each: History[M], look: Look) -> History[M]:
    """Return a history that waits: what was said and seen is used by a later look."""
    said = (*each.said, *((look.number, s) for s in look.said if s.event is None))
    hands = None if look.acting is None else (*(each.hands or ()), *look.acting)
    return replace(each, said=said, hands=None if hands is None else hands[-CARRIED:])


def _cards_between(a: tuple[Event, ...], b: tuple[Event, ...]) -> frozenset[Card]:
    """Return the cards that are in events of one of two histories only."""
    same = common((a, b))
    return frozenset().union(*(_named(event) for event in {*a[same:]} ^ {*b[same:]}))


def _named(event: Event) -> frozenset[Card]:
    """Return the cards that an event names."""
    return frozenset(card for value in vars(event).values() for card in _cards(value))


def _cards(value: object) -> tuple[Card, ...]:
    if isinstance(value, tuple):
        return tuple(card for card in value if isinstance(card, Card))
    return (value,) if isinstance(value, Card) else ()
