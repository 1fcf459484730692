"""The real program in front of the drawn table: booth, journal, eyes, window and header."""

from __future__ import annotations

import logging
import threading
from collections import Counter

from device.app import build_booth
from device.booth.tables import Services
from device.clock import HandClock
from device.config.model import BoothConfig, Config, DisplayConfig, GameConfig, SoundConfig
from device.files import LineFile
from device.hardware.buttons import Pins
from device.ports import Button
from device.runtime.observer import ReadingObserver
from device.runtime.readings import Keeper
from device.storage.journal.journal import Journal
from display import Window
from tests.acceptance.evening.lockstep import LockstepEyes
from tests.support.mock_header import Header

STEP_S = 0.1
"""The camera gives ten pictures a second."""

BEGAN_S = 1_795_286_400.0
"""An evening in November, in seconds since 1970."""

NAMES = ("Ann", "Bess", "Cecil", "Doll", "Edmund", "Frances")

CONSOLE = {
    Button.HAVE: 17, Button.STICK: 27, Button.NEXT: 22, Button.UNDO: 5, Button.MENU: 6,
    Button.PUSH: 25,
}  # fmt: skip
SEAT_PINS = {
    0: (2, 3, 4), 1: (14, 15, 12), 2: (7, 8, 13), 3: (9, 10, 19), 4: (11, 20, 21), 5: (26, 0, 1),
}  # fmt: skip
PINS = Pins(
    {
        **{(button, None): pin for button, pin in CONSOLE.items()},
        **{(Button.HAVE, seat): pins[0] for seat, pins in SEAT_PINS.items()},
        **{(Button.STICK, seat): pins[1] for seat, pins in SEAT_PINS.items()},
    },
    {seat: pins[2] for seat, pins in SEAT_PINS.items()},
    attention_lamp=16,
    knob=(23, 24),
    buzzer=18,
)
"""Every pin of the header is taken: two buttons and a lamp for each of six people."""


class Warnings(logging.Handler):
    """Keeps each warning and worse: when it came and what it says."""

    def __init__(self, clock):
        super().__init__(logging.WARNING)
        self.clock = clock
        self.said = []

    def emit(self, record):
        self.said.append((self.clock.monotonic(), record.levelname, record.getMessage()))


class Machine:
    """What stands on the table.

    Attributes:
        failures: steps that ended in an exception; the program itself would go on after each.
        pressed: how often each button was pressed.
        asked: questions put to the table, by their kind.
    """

    def __init__(self, folder, room, watch_for, *, size=(1280, 720)):
        self.clock = HandClock(wall=BEGAN_S)
        self.folder = folder
        self.room = room
        self.warnings = Warnings(self.clock)
        logging.getLogger().addHandler(self.warnings)
        self.config = Config(
            game=GameConfig(players=NAMES),
            display=DisplayConfig(language="en", teaching=True),
            sound=SoundConfig(mute=True),
            booth=BoothConfig(enabled=True, seats=len(NAMES)),
        )
        self.watch_for = watch_for
        self.window = Window(size, headless=True)
        self.header = Header(self.clock, PINS)
        self.failures = []
        self.pressed = Counter()
        self.asked = Counter()
        self.steps = 0
        self._asked = None
        self._kept, self._log = None, None
        self.begin()

    def begin(self):
        """Start the program."""
        self.looking = ReadingObserver(self.watch_for("bone-ace", None))
        self.eyes = LockstepEyes(self.room, self.looking, self.clock)
        self.journal = Journal(self.folder / "journal.sqlite3")
        self.booth = build_booth(self.config, self.services(), self.window)

    def services(self):
        return Services(
            self.journal, self.clock, self.eyes, (self.header.panel,),
            observer=self.looking, processor_for=self.watch_for,
        )  # fmt: skip

    def end(self):
        """Let the program go: what is not on disk is lost."""
        self.eyes.close()
        self.journal.close()

    def close(self):
        self.booth.shut()
        self.end()
        self.header.close()
        self.window.close()
        if self._log is not None:
            self._log.close()
        logging.getLogger().removeHandler(self.warnings)

    # What is shown

    @property
    def now(self):
        """Return how long the evening has lasted, in seconds."""
        return self.clock.monotonic()

    @property
    def session(self):
        return self.booth.session

    @property
    def scene(self):
        return self.booth.stage.top

    @property
    def question(self):
        return None if self.booth.stage.table is None else self.booth.stage.table.question

    @property
    def is_blind(self):
        """Say whether the screen says that nothing is seen."""
        last = self.looking.last
        unseen = last is not None and last.reading.seats is None
        return self.eyes.trouble is not None or unseen

    # One thing after another

    def step(self, seconds=STEP_S):
        """Let time pass, and the program take one step, as its loop does."""
        self.clock.wait(seconds)
        self.steps += 1
        try:
            assert self.booth.step(), "the booth says that the evening is over"
        except AssertionError:
            raise
        except Exception as problem:
            self.failures.append((self.now, repr(problem)))
            logging.getLogger("evening").exception("a step failed")
            self.booth.failed()
        for thread in threading.enumerate():
            # In fast time the networks of the next game are loaded at once.
            if thread.name == "refit":
                thread.join()
        self._count_questions()
        self._keep_readings()

    def _keep_readings(self):
        """Write what each table sees and what is pressed to a log of its own."""
        app = self.booth.stage.table
        if app is None or app is self._kept:
            return
        if self._log is not None:
            self._log.close()
        self._kept, self._log = app, LineFile(self.folder / f"readings-{self.now:.0f}.jsonl")
        keeper = Keeper(self._log.write, self.clock)
        app.on_reading, app.on_press = keeper.see, keeper.press

    def _count_questions(self):
        app = self.booth.stage.table
        question = None if app is None else app.question
        before, self._asked = self._asked, question
        if question is not None and not question.is_same(before):
            self.asked[question.kind.value] += 1

    def press(self, button, seat=None):
        """Press one button, or turn the knob by one step."""
        self.pressed[button] += 1
        self.header.press(button, seat)
        self.step()

    def press_at_once(self, *keys):
        """Press several buttons together."""
        for button, _seat in keys:
            self.pressed[button] += 1
        self.header.press_at_once(*keys)
        self.step()

    def choose(self, number):
        """Turn the knob to item *number* of the screen, and push it."""
        for _ in range(80):
            if self.scene is None or self.scene.focus == number:
                break
            self.press(Button.RIGHT if self.scene.focus < number else Button.LEFT)
        assert self.scene is not None, "the screen went away"
        assert self.scene.focus == number
        self.press(Button.PUSH)

    def row(self, text):
        """Choose the row of the menu that says *text*; say whether it is there."""
        if self.scene is None:
            self.press(Button.MENU)
        if self.scene is None:
            return False
        rows = [str(item.text) for item in self.scene.page().items]
        if text not in rows:
            return False
        self.choose(rows.index(text))
        return True
