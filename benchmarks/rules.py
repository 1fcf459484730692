"""``make bench``: how fast the rules are; writes "The engine" of docs/why/performance.md.

python benchmarks/rules.py [--hands 1000000] [--jobs 2]

A million hands of One-and-Thirty go through the real rules, and what comes of "stick at L or more"
is compared with the exact chances of ``engine.odds``: a z-score is how many times the sampling
error a count lies off. A sitting of Thirty-one with seven players is refolded from its record.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import statistics
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import date

from benchmarks.page import write_section
from engine import Deal, Event, Have, Phase, Player, State, Stick, apply, deck
from engine.bots import player
from engine.core import counting
from engine.games import catalog
from engine.odds.totals import stick_at
from engine.records.record import Record, read, write
from tests.support.game_driver import Driver

HEADING = "## The engine"
LIMITS = (22, 23, 24, 25, 26, 27)
"""From which totals on the simulated players stick: each plays a sixth of the hands."""
PLAYERS = (Player(0, "Ann"), Player(1, "Bess"))
PACK = deck()
GOAL = counting.GOAL


def simulate(seed: int, hands: int, limit: int) -> Counter[int]:
    """Play *hands* hands for two who stick at *limit*; count the final totals of the eldest.

    He always plays his hand to its end, so what becomes of it hangs on nobody else; totals over 31
    are counted as 32.
    """
    rng, game = random.Random(seed), catalog.find("one-and-thirty")
    options = catalog.make_options(game, game.presets[0], {})
    pack, found = list(PACK), Counter()
    chance, step, total = rng.random, game.step, counting.total
    stick, have = {0: Stick(0), 1: Stick(1)}, {0: Have(0), 1: Have(1)}
    for _ in range(hands):
        left = len(pack)

        def draw() -> object:
            # One step of a shuffle: only the cards that are dealt need to be in random order.
            nonlocal left
            place = int(chance() * left)
            left -= 1
            pack[place], pack[left] = pack[left], pack[place]
            return pack[left]

        play = game.begin(options, PLAYERS, dealer=1)
        for seat in (0, 1) * 3:
            play = step(play, Deal(seat, draw()))
        while play.phase is Phase.PLAY:
            turn = play.turn
            if play.asked:
                play = step(play, Deal(turn, draw()))
            elif total(play.hand(turn).cards, 1) >= limit:
                play = step(play, stick[turn])
            else:
                play = step(play, have[turn])
        result = game.result(play)
        found[min(dict(result.totals)[0], GOAL + 1)] += 1
    return found


@dataclass(frozen=True)
class Simulated:
    """What a simulation gave: final totals by limit, and how long it took."""

    counts: dict[int, Counter[int]]
    seconds: float
    processor_seconds: float

    @property
    def hands(self) -> int:
        """Return how many hands were played."""
        return sum(counts.total() for counts in self.counts.values())

    def z_scores(self) -> dict[tuple[int, int], float]:
        """Return how far each total at each limit lies off, in sampling errors."""
        found = {}
        for limit, counts in self.counts.items():
            hands, exact = counts.total(), stick_at(limit)
            chances = {total: float(p) for total, p in exact.chances if total <= GOAL}
            chances[GOAL + 1] = float(exact.over)
            assert not set(counts) - set(chances), "a total came that cannot be"
            for total, p in chances.items():
                if p:
                    error = (hands * p * (1 - p)) ** 0.5
                    found[limit, total] = (counts[total] - hands * p) / error
        return found


def simulation(hands: int, jobs: int) -> Simulated:
    """Share the hands out among processes."""
    parts = 4
    tasks = [(limit, part) for limit in LIMITS for part in range(parts)]
    each = hands // len(tasks)
    counts: dict[int, Counter[int]] = {limit: Counter() for limit in LIMITS}
    began, spent = time.perf_counter(), 0.0
    with ProcessPoolExecutor(jobs) as pool:
        futures = [pool.submit(timed, limit * 100 + part, each, limit) for limit, part in tasks]
        for (limit, _), future in zip(tasks, futures, strict=True):
            found, seconds = future.result()
            counts[limit] += found
            spent += seconds
    return Simulated(counts, time.perf_counter() - began, spent)


def timed(seed: int, hands: int, limit: int) -> tuple[Counter[int], float]:
    """Simulate, and tell the processor time it took."""
    began = time.process_time()
    return simulate(seed, hands, limit), time.process_time() - began


# --- refolding ------------------------------------------------------------------------------------


def match_of_seven() -> tuple[State, tuple[Event, ...]]:
    """Return a table of Thirty-one and the events of a whole match of seven players."""
    people = [player(style, "scat") for style in ("cautious", "bold") * 4][:7]
    table = Driver("scat", "wikipedia", people, seed=7)
    opening = table.state
    table.play(100)
    assert table.state.round.standing.over, "the match goes on; play more hands"
    return opening, table.state.events


def refold_ms(opening: State, events: tuple[Event, ...], runs: int = 9) -> tuple[float, float]:
    """Return milliseconds to fold the events again, and to read the record and fold it."""
    document = json.dumps(write(Record(opening, tuple((None, event) for event in events))))

    def fold() -> None:
        state = opening
        for event in events:
            state = apply(state, event)

    def whole() -> None:
        read(json.loads(document)).final()

    return median_ms(fold, runs), median_ms(whole, runs)


def median_ms(work, runs: int) -> float:
    """Median milliseconds of processor time of *work*, after one run that does not count."""
    work()
    times = []
    for _ in range(runs):
        began = time.process_time()
        work()
        times.append((time.process_time() - began) * 1000)
    return statistics.median(times)


# --- the page -------------------------------------------------------------------------------------

BEFORE = 5_800
"""Hands a second of processor time on the machine below before hands were counted in one loop."""
FARTHEST = 4.5
"""No z-score of some sixty lies so far off by chance: once in two thousand runs."""


def report(done: Simulated, events: int, folded: float, read_and_folded: float) -> str:
    """Return the section of the page."""
    z = done.z_scores()
    farthest = max(z, key=lambda key: abs(z[key]))
    square = sum(value * value for value in z.values()) / len(z)
    rate = done.hands / done.processor_seconds
    lines = [
        HEADING,
        "",
        f"Measured by `make bench` on {date.today().isoformat()} on a {platform.machine()} machine "
        f"with Python {platform.python_version()}; processor time, since other work ran beside it.",
        "",
        "| what | measured | goal |",
        "|---|---:|---:|",
        f"| hands of One-and-Thirty for two, a second on one core | {rate:,.0f} | 8,333 |",
        f"| the same before the rules were made faster | {BEFORE:,} | |",
        f"| a million of them on two cores, at that rate | {500_000 / rate:.0f} s | 60 s |",
        f"| a match of Thirty-one, seven players, {events} events, folded again | {folded:.0f} ms "
        "| 50 ms |",
        f"| the same, its record read first | {read_and_folded:.0f} ms | |",
        "",
        f"{done.hands:,} hands went through the rules one event at a time, without the table "
        f"around them, in {done.seconds:.0f} s by the clock. Both "
        'players stick at L or more; the final totals of the eldest against the exact "stick at '
        f'L" of `engine.odds`, {len(z)} counts: mean square of the z-scores {square:.2f} (1 is '
        f"expected), the farthest {z[farthest]:+.1f} at L = {farthest[0]}.",
        "",
        "| L | hands | over 31 | exact | exactly 31 | exact |",
        "|---:|---:|---:|---:|---:|---:|",
    ]
    for limit, counts in done.counts.items():
        exact, hands = stick_at(limit), counts.total()
        lines.append(
            f"| {limit} | {hands:,} | {counts[GOAL + 1] / hands:.4f} | {float(exact.over):.4f} "
            f"| {counts[GOAL] / hands:.4f} | {float(exact.exactly_31):.4f} |"
        )
    return "\n".join([*lines, ""])


def main() -> int:
    """Measure, compare and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hands", type=int, default=1_000_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--dry", action="store_true", help="print the section, write nothing")
    args = parser.parse_args()
    done = simulation(args.hands, args.jobs)
    opening, events = match_of_seven()
    section = report(done, len(events), *refold_ms(opening, events))
    print(section)
    if not args.dry:
        write_section(section)
    off = max(abs(value) for value in done.z_scores().values())
    if off > FARTHEST:
        print(f"a count lies {off:.1f} sampling errors off: rules and odds disagree")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
