"""Presses that lose a game: every sequence of up to four, from every phase of every game.

python tests/acceptance/booth/presses.py [--most 4] [--game NAME] [--chance N --seed S]

People press what they like, at the console, at their seats and on the glass. Whatever it is, unless
they answer "yes, end it" to a question, the booth must still have their game, in play or to go on
with, the journal must give it back, and every finished hand must count as before. The presses are
tried as a tree: what looks the same from the same game is gone on from only once. With --chance N
sequences are drawn instead, as `make test` does. Exits 1 if any loses a game.
"""

from __future__ import annotations

import argparse
import logging
import random
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from device.booth.scenes.base import Action, SureScene
from device.clock import HandClock
from device.ports import ASKS_VOICE, Button
from device.runtime.session import Session
from device.runtime.table import GOES_ON_S
from device.storage.journal.journal import Journal
from engine import TABLE, Event, Phase, Player, bots, new_table, view
from engine.core.events import NextHand
from engine.games import catalog
from engine.table.state import State
from tests.support.booth_rig import IDLE_S, Rig

MOST = 4
STYLES = ("bold", "cautious")
QUICK = {"scat": "california-quick"}
"""Presets whose match is soon over."""
MOST_EVENTS = 600
MOST_HANDS = 2
"""Hands of a game that has no match."""

Pressed = tuple[Button, int | None, int | None]
"""A button, the seat that it belongs to, and which answer was touched."""

CONSOLE = tuple(button for button in Button if button is not Button.QUIT)
AT_SEATS = (Button.HAVE, Button.STICK, Button.OUT, *ASKS_VOICE)
SEATS = (0, 1, 7)
"""Two players' and a free one."""

FIXED: tuple[Pressed, ...] = (
    *((button, None, None) for button in CONSOLE),
    *((button, seat, None) for seat in SEATS for button in AT_SEATS),
)


@dataclass(frozen=True, slots=True)
class Start:
    """Where the presses begin.

    Attributes:
        name: of the game and the phase.
        game: of the session.
        preset: of the session.
        events: which led there.
        idle_s: seconds for which nobody has done anything since.
    """

    name: str
    game: str
    preset: str
    events: tuple[Event, ...]
    idle_s: float = GOES_ON_S + 1


def starts() -> list[Start]:
    """Return one start for each phase of each game, and for what the booth shows by itself."""
    found: dict[str, Start] = {}
    for game in catalog.all_games():
        preset = QUICK.get(game.name, game.presets[0].name)
        for state in _played(game.name, preset):
            name = f"{game.name}: {_phase_of(state)}"
            found.setdefault(name, Start(name, game.name, preset, state.events))
        for phase, shown in ((Phase.PLAY, "still there?"), (Phase.DONE, "ledger")):
            start = next(start for name, start in found.items() if f"{game.name}: {phase}" in name)
            for title, idle_s in ((shown, IDLE_S + 1.0), (f"{phase}, left", IDLE_S * 10.0)):
                name = f"{game.name}: {title}"
                found[name] = Start(name, game.name, preset, start.events, idle_s)
    return list(found.values())


def _played(game: str, preset: str) -> Iterator[State]:
    """Yield every state of a few hands, up to the end of a match where there is one."""
    players = [Player(seat, name) for seat, name in enumerate(("Ann", "Bess"))]
    for seed in range(3):
        people = [bots.player(style, game) for style in STYLES]
        state = new_table(game, players, dealer=_dealer(game), preset=preset)
        driver = bots.Driver(state, people, random.Random(seed))
        for _ in range(MOST_EVENTS):
            if driver.state.phase is not Phase.DONE:
                driver.go_on()
            elif driver.state.round.standing.over or len(driver.state.hands) > MOST_HANDS:
                break
            else:
                driver.do(NextHand())
                driver.shuffle()
            yield driver.state


def _dealer(game: str) -> int | None:
    """Return who deals first; ``None`` where it is cut for."""
    return None if catalog.find(game).cuts_for_deal else 0


def _phase_of(state: State) -> str:
    """Return where a hand stands: what is pressed there may mean something else elsewhere."""
    if state.phase is Phase.DONE and state.round.standing.over:
        return "match over"
    asked = view(state, TABLE)
    if state.phase is Phase.PLAY and asked.stage is not None:
        return f"play, {asked.stage}"
    if state.phase is Phase.PLAY and (asked.card_asked or (asked.middle and asked.middle.drawn)):
        return "play, a card due"
    return str(state.phase)


class Table:
    """A booth at one start, made anew for each sequence of presses."""

    def __init__(self, start: Start, folder: Path) -> None:
        """Write the journal of *start*."""
        self.start, self._folder = start, folder / "start"
        self._copies = 0
        self._folder.mkdir(parents=True)
        journal = Journal(self._folder / "journal.sqlite3")
        players = [Player(seat, name) for seat, name in enumerate(("Ann", "Bess"))]
        session = Session.begin(
            journal,
            HandClock(),
            start.game,
            players,
            dealer=_dealer(start.game),
            preset=start.preset,
        )
        for event in start.events:
            session.apply(event)
        self.before = session.state
        journal.close()

    def rig(self) -> Rig:
        """Return a booth at the start."""
        self._copies += 1
        folder = self._folder.with_name(f"{self._copies}")
        shutil.copytree(self._folder, folder)
        rig = Rig(folder)
        shown = 0.0
        while shown <= self.start.idle_s:
            step = min(IDLE_S * 2 / 3 - 1.0, self.start.idle_s)
            rig.step(step)
            shown += step
        return rig

    def problem(self, rig: Rig) -> str:
        """Return what the presses have lost; empty if nothing."""
        booth, number = rig.booth, 1
        tables = (booth.stage.in_play, booth.stage.left)
        if not any(table and table.session.record.number == number for table in tables):
            return "the booth has lost the game"
        with rig.other_journal() as journal:
            open_ones = {each.number: each for each in journal.open_sittings()}
            if number not in open_ones:
                return "the journal says that it is over"
            state = Session.resume(journal, rig.clock, open_ones[number]).state
        finished = len(self.before.hands) - (self.before.phase is Phase.DONE)
        if state.hands[:finished] != self.before.hands[:finished]:
            return "a finished hand counts differently"
        return ""


def close(rig: Rig) -> None:
    """Close a booth and remove its files."""
    rig.booth.shut()
    rig.journal.close()
    shutil.rmtree(rig.folder)


class Yes:
    """Notes whether anybody has answered "yes, end it" since it was reset."""

    said = False

    def __enter__(self) -> Yes:
        """Listen to every question of the booth."""
        self._choose = SureScene.choose

        def choose(scene: SureScene, number: int) -> Action | None:
            self.said |= number > 0
            return self._choose(scene, number)

        SureScene.choose = choose  # type: ignore[method-assign]
        return self

    def __exit__(self, *_problem: object) -> None:
        """Listen no more."""
        SureScene.choose = self._choose  # type: ignore[method-assign]


def pressable(rig: Rig) -> list[Pressed]:
    """Return all that can be pressed or touched now."""
    top = rig.booth.stage.top
    touched = 0 if top is None else top.count
    return [*FIXED, *((Button.HAVE, None, choice) for choice in range(touched))]


def look(rig: Rig) -> str:
    """Return what is seen, and the game behind it; not since when, nor what was asked and told."""
    scenes = [(type(scene).__name__, scene.focus) for scene in rig.booth.stage.scenes]
    session = rig.booth.session
    log = () if session is None else session.state.log
    left = rig.booth.stage.left is not None
    shown = rig.glass.prompt
    unseen = {"asked": 0, "told": "", "shows_told": False, "moment_s": 0.0, "result_s": 0.0}
    prompt = None if shown is None else replace(shown, **unseen)
    return repr((scenes, rig.glass.page, prompt, log, left))


def try_all(table: Table, most: int, yes: Yes) -> tuple[int, list[tuple[Pressed, ...]]]:
    """Try every sequence of up to *most* presses; return how many ways, and which lose the game."""
    lost: list[tuple[Pressed, ...]] = []
    level, seen, tried = [()], set(), 0
    for _ in range(most):
        following: list[tuple[Pressed, ...]] = []
        for sequence in level:
            rig = _after(table, sequence)
            choices = pressable(rig)
            close(rig)
            for press in choices:
                yes.said = False
                rig = _after(table, (*sequence, press))
                tried += 1
                if not yes.said:
                    if table.problem(rig):
                        lost.append((*sequence, press))
                    elif (seen_now := look(rig)) not in seen:
                        seen.add(seen_now)
                        following.append((*sequence, press))
                close(rig)
        level = following
    return tried, lost


def try_some(
    table: Table, count: int, most: int, yes: Yes, rng: random.Random
) -> list[tuple[Pressed, ...]]:
    """Try *count* sequences by chance; return those that lose the game."""
    lost = []
    for _ in range(count):
        rig, sequence, yes.said = table.rig(), [], False
        for _ in range(rng.randint(1, most)):
            sequence.append(rng.choice(pressable(rig)))
            rig.press(*sequence[-1])
        if not yes.said and table.problem(rig):
            lost.append(tuple(sequence))
        close(rig)
    return lost


def _after(table: Table, sequence: tuple[Pressed, ...]) -> Rig:
    rig = table.rig()
    for press in sequence:
        rig.press(*press)
    return rig


def words(sequence: tuple[Pressed, ...]) -> str:
    """Return a sequence as people would tell it."""
    told = []
    for button, seat, choice in sequence:
        at = "" if seat is None else f" at seat {seat + 1}"
        told.append(f"touch item {choice + 1}" if choice is not None else f"{button}{at}")
    return ", ".join(told)


def main() -> int:
    """Try them, and print what each start came to."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--most", type=int, default=MOST, help="presses in a sequence")
    parser.add_argument("--game", help="only this one")
    parser.add_argument("--chance", type=int, metavar="N", help="draw N sequences instead of all")
    parser.add_argument("--seed", default="1")
    args = parser.parse_args()
    logging.disable(logging.WARNING)  # nothing was seen of these hands
    chosen = [start for start in starts() if args.game in (None, start.game)]
    rng, losses = random.Random(args.seed), 0
    with Yes() as yes, tempfile.TemporaryDirectory() as folder:
        for number, start in enumerate(chosen):
            table = Table(start, Path(folder) / str(number))
            if args.chance:
                tried = args.chance // len(chosen) + 1
                lost = try_some(table, tried, args.most, yes, rng)
            else:
                tried, lost = try_all(table, args.most, yes)
            losses += len(lost)
            print(f"{start.name}: {tried} tried, {len(lost)} lose the game", flush=True)
            for sequence in lost[:5]:
                print(f"  {words(sequence)}", flush=True)
    return 1 if losses else 0


if __name__ == "__main__":
    sys.exit(main())
