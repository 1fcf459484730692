"""Every game of the registry, played from the waiting screen to the picture of the evening.

python tests/support/playthrough.py --out DIR [--size 1920x1080] [--theme large] [--language fr]

People of the virtual table hold the cards and throw the bones; all they say, they say by buttons:
gpiozero's mock pins, or with ``--keys`` real keys of a real window, pressed by xdotool. Each screen
is kept as a picture the first time that it is seen. In every game a reading is corrected and taken
back again, in mid-play and after the end, and a newcomer sits down between hands where he may.
"""

from __future__ import annotations

import argparse
import logging
import subprocess
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pygame

from device.app import build_booth
from device.booth.scenes.correct import ChangeScene, CorrectScene, readings
from device.booth.scenes.naming import FaceScene, RankScene, SuitScene
from device.booth.tables import Services
from device.clock import HandClock
from device.commands.play import Story
from device.config.model import (
    BoothConfig,
    Config,
    DisplayConfig,
    GameConfig,
    SoundConfig,
)
from device.ports import Button
from device.runtime.observer import ReadingObserver
from device.simulator.bone_table import BonesTable
from device.simulator.simulation import (
    NAMES,
    SimulationSetup,
    build_simulation,
)
from device.storage.journal.journal import Journal
from display import Window
from engine import Phase, legal_actions, view
from engine.core.bones import Face
from engine.core.cards import Rank, Suit
from engine.core.events import Correct, CorrectBone, Join, Leave, Undo
from engine.games import catalog
from engine.table.visibility import EVERYTHING
from tests.support.mock_header import SEAT_PINS, Header
from tests.support.oracle_source import reading_of
from vision.readings import BoneReading, Reading, Spot, UnsureBoneReading

STEP_S = 0.1
MOST_STEPS = 3000
PLAYERS = 3
SEATS = 4

X_KEYS = {
    Button.HAVE: "Return", Button.STICK: "space", Button.NEXT: "Page_Down",
    Button.UNDO: "BackSpace", Button.MENU: "Escape", Button.PUSH: "Return",
    Button.LEFT: "Left", Button.RIGHT: "Right",
}  # fmt: skip
"""Keys that are commands everywhere: letters type where letters or ranks are shown."""


class Keys:
    """A keyboard that xdotool presses, in the window that has the pointer."""

    def __init__(self, clock, window):
        self.window = window
        self.waiting = 0
        subprocess.run(["xdotool", "mousemove", "20", "20"], check=True)

    def press(self, button, seat=None):
        """Press the key; what X has sent is in the queue of this program when it has gone."""
        name = X_KEYS[button]
        if seat is not None:
            name = f"F{seat + 1}" if button is Button.STICK else str(seat + 1)
        subprocess.run(["xdotool", "key", name], check=True)
        for _ in range(100_000):
            if pygame.event.peek(pygame.KEYDOWN):
                return
        raise AssertionError(f"the key {name} never came")

    def lit(self):
        return None

    def close(self):
        pass


class TableEyes:
    """Eyes that know what lies on whatever table is before them."""

    def __init__(self):
        self.table = None
        self.frame, self.trouble, self.ended = 0, None, False
        self._before = None

    def poll(self):
        self.frame += 1
        if self.table is None:
            return ()
        self.table.settle()
        now = (id(self.table), self.table.fingerprint())
        if now == self._before:
            return ()
        self._before = now
        if isinstance(self.table, BonesTable):
            return (bones_of(self.table, float(self.frame)),)
        covered = self.table.at(-1)[:-1] if hasattr(self.table, "discard") else ()
        return (reading_of(self.table, float(self.frame), covered),)

    def close(self):
        self.ended = True


def bones_of(table, time_s):
    """Read what bones lie there; one on its end is not sure."""
    bones, unsure = [], []
    for (x, y), face in table.lying():
        spot = Spot(((x, y), (x + 9, y), (x, y + 9)), (x, y), (x, y))
        if face is None:
            unsure.append(UnsureBoneReading((), 0.2, spot))
        else:
            bones.append(BoneReading(face, 0.99, spot))
    seats = table.layout.seats
    return Reading(time_s, seats=seats, bones=tuple(bones), unsure_bones=tuple(unsure))


class Nobody:
    """A watch that sees nothing."""

    def see(self, image, time_s):
        return None


@dataclass
class Report:
    """What was played.

    Attributes:
        pictures: name to file of each screen, in the order seen.
        presses: how often each button was pressed.
        corrected: where a reading was put right and taken back, as (game, preset, phase).
    """

    hands: int = 0
    events: int = 0
    joined: int = 0
    left: int = 0
    presses: Counter = field(default_factory=Counter)
    corrected: list = field(default_factory=list)
    pictures: dict = field(default_factory=dict)


class Playthrough:
    """A booth with people before it."""

    def __init__(self, folder, *, size=(800, 480), theme="felt", language="en", out=None,
                 keys=False):  # fmt: skip
        self.out = out
        self.report = Report()
        self.clock = HandClock(wall=1_700_000_000.0)
        self.eyes = TableEyes()
        config = Config(
            game=GameConfig(players=NAMES[:PLAYERS]),
            display=DisplayConfig(language=language, theme=theme, teaching=True),
            sound=SoundConfig(mute=True),
            booth=BoothConfig(enabled=True, seats=SEATS),
        )
        self.window = Window(size, headless=not keys)
        self.journal = Journal(folder / "journal.sqlite3")
        self.hands = Keys(self.clock, self.window) if keys else Header(self.clock)
        self.booth = build_booth(
            config,
            Services(
                self.journal,
                self.clock,
                self.eyes,
                () if keys else (self.hands.panel,),
                observer=ReadingObserver(Nobody()),
                on_session=Story().open,
            ),
            self.window,
        )
        self.events = []
        self.people = None
        self.where = ""

    def close(self):
        self.booth.shut()
        self.hands.close()
        self.journal.close()
        self.window.close()

    # One thing after another

    @property
    def view(self):
        return self.booth.session.view

    @property
    def scene(self):
        return self.booth.stage.top

    def step(self):
        self.clock.wait(STEP_S)
        assert self.booth.step()
        self._keep_picture()
        self._check_lamps()

    def press(self, button, seat=None):
        self.report.presses[button] += 1
        self.hands.press(button, seat)
        self.step()

    def choose(self, number):
        """Turn the knob to item *number* of the screen, and push it."""
        for _ in range(60):
            if self.scene.focus == number:
                break
            self.press(Button.RIGHT if self.scene.focus < number else Button.LEFT)
        assert self.scene.focus == number
        self.press(Button.PUSH)

    def row(self, text):
        """Choose the row of a list that says *text*."""
        rows = [str(item.text) for item in self.scene.page().items]
        self.choose(rows.index(text))

    def _keep_picture(self):
        name = type(self.scene).__name__ if self.scene is not None else self._moment()
        if self.out is None or name in self.report.pictures:
            return
        path = self.out / f"{len(self.report.pictures) + 1:03d}-{name}.png"
        self.window.save(path)
        self.report.pictures[name] = path

    def _moment(self):
        if self.booth.is_waiting:
            return "waiting" if self.booth.view.page is not None else "waiting-table"
        seen, question = self.view, self.booth.stage.table.question
        parts = [self.where, seen.phase.value]
        if question is not None:
            parts.append(f"asks-{question.kind.value}")
        elif seen.phase is Phase.PLAY:
            parts += [seen.stage or "", "card" if seen.card_asked else ""]
        elif seen.phase is Phase.DONE and seen.result is not None:
            parts.append(seen.result.end)
        return "-".join(part for part in parts if part)

    def _check_lamps(self):
        lit, lamps = self.hands.lit(), self.booth.lamps
        if lit is None or lamps.winners:
            return
        asked = set(lamps.lit) | ({lamps.turn} if lamps.turn is not None else set())
        assert lit == asked & set(SEAT_PINS), "the lamps on the header are those that are meant"

    # A game

    def start(self, game, preset, seed=1):
        """Wake the booth, choose the game and its rules, sit down, and deal."""
        self.where = f"{game}-{preset}"
        assert self.booth.is_waiting
        self.step()
        self.press(Button.STICK, 0)  # any button, a player's own among them
        self.choose([each.name for each in catalog.all_games()].index(game))
        for seat in range(PLAYERS):
            self.press(Button.HAVE, seat)
        known = [each.name for each in catalog.find(game).presets]
        if known.index(preset):
            self.choose([str(key.text) for key, _then in self.scene.choices()].index("Rules"))
            self.choose(known.index(preset))
        assert self.booth.context.setup.preset == preset
        self.press(Button.NEXT)
        assert self.scene is None, self.scene.page().note
        setup = SimulationSetup(game=game, players=PLAYERS, seed=seed)
        simulation = build_simulation(setup, self.booth.session)
        self.eyes.table, self.people = simulation.table, simulation.people
        self.booth.session.listeners.append(lambda event, *views: self.events.append(event))
        assert self.view.game == game

    def play(self, until):
        """Let the people play until *until* says that it is enough."""
        app = self.booth.stage.table
        for _ in range(MOST_STEPS):
            self.step()
            self.step()
            if until():
                return
            self.eyes.table.settle()
            question = app.question
            presses = (
                self.people.act(self.view) if question is None else self.people.answer(question)
            )
            for press in presses:
                self.press(press.button, press.seat)
        raise AssertionError(f"{self.where} stands still at: {app.prompt_text.title}")

    def hand(self):
        """Play a hand to its end, with a reading put right and taken back in its midst."""
        tried = set()

        def until():
            phase = self.view.phase
            new = phase not in tried and phase is not Phase.CUT
            if new and not self._waits_for_eyes() and self._can_correct():
                tried.add(phase)
                self.correct_and_undo()
            return self.view.phase is Phase.DONE and self.booth.stage.table.question is None

        self.play(until)
        self.report.hands += 1
        assert sum(net for _seat, net in self.booth.session.state.hands[-1].settlement) == 0

    def _waits_for_eyes(self):
        return self.booth.stage.table.prompt_text.kind.value in ("question", "trouble")

    def _can_correct(self):
        return bool(self._in_the_game())

    def _in_the_game(self):
        """Return what was read and is in the game: it may lie below what is not yet."""
        context = self.booth.context
        return {pick.what for pick, _ in readings(context, context.session.view)}

    def correct_and_undo(self):
        """Say by the menu that a thing is another, see what follows, and take that back."""
        session = self.booth.session
        before = session.view
        self.press(Button.MENU)
        self.row("Correct a reading")
        assert isinstance(self.scene, CorrectScene)
        known = self._in_the_game()
        picks = enumerate(self.scene.page().items)
        self.choose(next(number for number, pick in picks if pick.what in known))
        if isinstance(self.scene, FaceScene):
            self.choose((self.scene.focus + 1) % len(Face))
            kind = CorrectBone
        else:
            assert isinstance(self.scene, RankScene)
            card = self._free_card()
            self.choose(list(Rank).index(card.rank))
            assert isinstance(self.scene, SuitScene)
            self.choose(list(Suit).index(card.suit))
            kind = Correct
        if isinstance(self.scene, ChangeScene):  # the hand is over: it shows first what changes
            self.press(Button.HAVE)
        assert self.scene is None
        said = self.booth.stage.table.prompt_text
        assert isinstance(self.events[-1], kind), f"{self.where}: {said.title} {said.detail}"
        assert session.view != before
        nets = [net for hand in session.state.hands for _seat, net in hand.settlement]
        assert sum(nets) == 0
        for _ in range(4):
            # A question that the change has raised is answered first: UNDO is no answer to some.
            if isinstance(self.events[-1], Undo):
                break
            self.press(Button.UNDO)
        assert isinstance(self.events[-1], Undo)
        assert session.view == before, f"{self.where}: what is taken back is as it was"
        self.report.corrected.append((before.game, before.preset, before.phase.value))

    def _free_card(self):
        """Return a card that lies nowhere, neither open nor hidden."""
        state = self.booth.session.state
        seen = view(state, EVERYTHING)
        used = {card for seat in seen.seats for card in (*seat.cards, *seat.known)}
        used |= {card for hand in self.people._hands.values() for card in hand}
        if seen.middle is not None:
            used |= {*seen.middle.discards, *self.people.middle.discards}
            used |= {card for pile in self.people.middle.piles.values() for card, _up in pile}
        setup = state.setup
        return max(set(setup.game.pack(setup.options)) - used)

    def come_and_go(self):
        """Between hands a fourth sits down by his own button, and gets up again."""
        kinds = [action.kind for action in legal_actions(self.booth.session.state)]
        if Join.kind not in kinds:
            return
        newcomer = SEATS - 1
        self.press(Button.HAVE, newcomer)
        assert isinstance(self.events[-1], Join)
        self.press(Button.STICK, newcomer)
        self.press(Button.STICK, newcomer)
        assert isinstance(self.events[-1], Leave)
        self.press(Button.MENU)
        assert self.scene is None
        self.report.joined += 1
        self.report.left += 1

    def end(self):
        """Look at every screen over the table, end the evening, and let the booth wait again."""
        self.press(Button.MENU)
        for number in range(4, self.scene.count - 1):
            self.choose(number)
            if self.scene is not None and type(self.scene).__name__ != "MenuScene":
                self.press(Button.UNDO)
        rows = [str(item.text) for item in self.scene.page().items]
        self.choose(len(rows) - 1)
        self.choose(1)  # it asks
        assert self.booth.session is None
        self.press(Button.HAVE)
        self.press(Button.MENU)
        for _ in range(3000):
            if self.booth.is_waiting:
                break
            self.step()
        table = self.eyes.table  # the next company finds it empty
        if isinstance(table, BonesTable):
            table.lift(0)
        else:
            table.take_up(by=0)
        self.step()
        self.eyes.table = None
        self.report.events += len(self.events)
        self.events.clear()


def everything(every_preset=False):
    """Return each game with its first preset, or with all; of Thirty-one each kind of table."""
    found = []
    for game in catalog.all_games():
        tables = set()
        for number, preset in enumerate(game.presets):
            options = catalog.make_options(game, preset, {})
            table = getattr(options, "table", None)
            if every_preset or number == 0 or table not in tables:
                found.append((game.name, preset.name))
            tables.add(table)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--size", default="800x480")
    parser.add_argument("--theme", default="felt")
    parser.add_argument("--language", default="en")
    parser.add_argument("--keys", action="store_true", help="real keys of a real X window")
    parser.add_argument("--every-preset", action="store_true")
    parser.add_argument("--game", help="this game alone")
    args = parser.parse_args()
    logging.basicConfig(level=logging.WARNING)
    args.out.mkdir(parents=True, exist_ok=True)
    width, height = (int(part) for part in args.size.split("x"))
    with tempfile.TemporaryDirectory() as folder:
        play = Playthrough(
            Path(folder), size=(width, height), theme=args.theme, language=args.language,
            out=args.out, keys=args.keys,
        )  # fmt: skip
        for game, preset in everything(args.every_preset):
            if args.game in (None, game):
                play.start(game, preset)
                play.hand()
                play.come_and_go()
                play.end()
        play.close()
    report = play.report
    print(f"{report.hands} hands, {report.events} events, {sum(report.presses.values())} presses, "
          f"{len(report.corrected)} readings put right and taken back, {report.joined} joined, "
          f"{len(report.pictures)} pictures in {args.out}")  # fmt: skip


if __name__ == "__main__":
    main()
