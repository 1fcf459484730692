"""A booth at a fair: the whole table without a keyboard, and the glass that visitors look at.

What is pressed is pressed by gpiozero's mock pins, or touched where the glass shows something. The
eyes are stand-ins that know what lies on the virtual table, or the real ones over its pictures.
"""

from __future__ import annotations

import threading

import pygame

from device.booth.booth import Booth
from device.booth.tables import Services
from device.clock import HandClock
from device.config.model import BoothConfig, Config, DisplayConfig, GameConfig, SoundConfig
from device.hardware.buttons import Pins, TouchPanel
from device.narration.speech import SilentSpeaker
from device.ports import Button
from device.runtime.observer import ReadingObserver
from device.runtime.session import Session
from device.simulator.bone_table import BonesTable
from device.simulator.scat_table import ScatTable
from device.storage.journal.journal import Journal
from display import TableScreen
from display.pages.renderer import PageScreen
from engine.games import catalog
from tests.support.mock_header import Header
from tests.support.oracle_source import reading_of
from tests.support.playthrough import bones_of
from tests.support.words import in_words
from vision.mat.pose import MatLayout

SEATS = 6
IDLE_S = 60
"""As it is by default."""

STEP_S = 0.5
"""Between two looks of the loop: nobody at a fair is quicker, and an hour of it is played."""

FINGER_S = 1.5
"""From one thing that somebody does to the next."""

PINS = Pins(
    {
        **{(button, None): pin for pin, button in enumerate(
            (Button.HAVE, Button.STICK, Button.NEXT, Button.UNDO, Button.MENU, Button.PUSH))},
        **{(Button.HAVE, seat): 6 + 3 * seat for seat in range(SEATS)},
        **{(Button.STICK, seat): 7 + 3 * seat for seat in range(SEATS)},
    },
    {seat: 8 + 3 * seat for seat in range(SEATS)},
    attention_lamp=24,
    knob=(25, 26),
)  # fmt: skip


class Screen:
    """What is shown now; it is drawn when somebody looks closely, touches it, or keeps it."""

    def __init__(self, size):
        self.size = size
        self.taps = []
        self.page = self.view = self.prompt = None
        self._drawn = None
        self._surface = pygame.Surface(size)
        self.set_style()

    def set_style(self, theme=None, language="en"):
        self._language = language
        self._screen = TableScreen(self.size, theme=theme, language=language)
        self._pages = PageScreen(self.size, theme=theme, language=language)
        self._drawn = None

    def show(self, view, prompt=None, time_s=0.0):
        self.page, self.view, self.prompt = None, view, prompt

    def show_page(self, page, time_s=0.0):
        self.page, self.view, self.prompt = in_words(page, self._language), None, None

    def touches(self):
        """Return where the glass can be touched."""
        self._draw()
        return self._touches

    def texts(self):
        """Return all that can be read now."""
        self._draw()
        return [piece.text for piece in self._written]

    def save(self, path):
        self._draw()
        pygame.image.save(self._surface, str(path))

    def take_taps(self):
        taps, self.taps = self.taps, []
        return taps

    def _draw(self):
        what = (self.page, self.view, self.prompt)
        if what == self._drawn:
            return
        self._drawn = what
        if self.page is not None:
            drawn = self._pages.draw(self._surface, self.page)
            self._written, self._touches = drawn.written, drawn.touches
        else:
            self._written = self._screen.draw(self._surface, self.view, self.prompt)
            self._touches = self._screen.touches(self.view, self.prompt)


class KnowingEyes:
    """Stand-in eyes: they know what lies on the table, and say so whenever it has changed."""

    trouble, ended = None, False

    def __init__(self, tables):
        self.tables = tables
        self.frame = 0
        self._before = None
        self.looking = None
        self.has_read = True

    def poll(self):
        self.frame += 1
        table = self.tables.now
        table.settle()
        now = (id(table), table.fingerprint())
        if now == self._before:
            return ()
        self._before = now
        self.has_read = True
        if isinstance(table, BonesTable):
            return (bones_of(table, float(self.frame)),)
        return (reading_of(table, float(self.frame), table.at(-2)[:-1]),)

    def close(self):
        self.ended = True


class RealEyes:
    """The real eyes over the pictures of the virtual table; they rest while nothing moves.

    Attributes:
        looked: frames looked at.
        has_read: a reading has come since this was last made ``False``.
    """

    MOST = 14
    """Frames after which a table that has come to rest has been read, if it can be."""

    trouble, ended = None, False

    def __init__(self, tables):
        from device.storage.taught import bone_reader
        from vision import MotionGate, TableReader
        from vision.bones.on_table import BonesOnMat

        self.tables = tables
        self.frame = self.looked = 0
        self._before, self._after = None, 0
        self.has_read = True

        def watch_for(game, options=None):
            if catalog.find(game).name == "knucklebones":
                return MotionGate(BonesOnMat(bone_reader("")))
            return MotionGate(TableReader(packs=1))

        self.watch_for = watch_for
        self.looking = ReadingObserver(watch_for("bone-ace"))

    def poll(self):
        self.frame += 1
        table = self.tables.now
        now = (id(table), table.fingerprint(), id(self.looking.watch))
        self._after = self._after + 1 if now == self._before else 0
        self._before = now
        if self._after > self.MOST:
            return ()
        self.looked += 1
        reading = self.looking.see(table.frame(), self.frame * 0.1)
        if reading is None:
            return ()
        self.has_read = True
        return (reading,)

    def close(self):
        self.ended = True


class Tables:
    """The table for cards and the one for bones; one of them stands before the camera."""

    def __init__(self, seed=1):
        layout = MatLayout(SEATS, "A1")
        self.cards = ScatTable(layout, seed=seed)
        self.bones = BonesTable(layout, seed=seed)
        self.now = self.cards


class Stall:
    """The booth, and what its visitors can do to it.

    Attributes:
        glass: what they see.
        presses: how often something was pressed or touched.
        pictures: every kind of screen and where its picture is kept.
    """

    def __init__(self, folder, *, touch=False, real=False, size=(800, 480), out=None):
        self.folder, self.touch, self.out = folder, touch, out
        self.clock = HandClock(wall=1_700_000_000.0)
        self.tables = Tables()
        self.eyes = (RealEyes if real else KnowingEyes)(self.tables)
        self.glass = Screen(size)
        self.header = None if touch else Header(self.clock, PINS)
        self.config = Config(
            game=GameConfig(),
            display=DisplayConfig(language="en"),
            sound=SoundConfig(mute=True),
            booth=BoothConfig(enabled=True, seats=SEATS),
        )
        self.journal = Journal(folder / "journal.sqlite3")
        panel = (
            TouchPanel(self.glass.take_taps, lambda: self.booth.view.touchables())
            if touch
            else self.header.panel
        )
        services = Services(
            self.journal,
            self.clock,
            self.eyes,
            (panel,),
            observer=self.eyes.looking,
            screen=self.glass,
            speaker_for=lambda now: SilentSpeaker(),
            processor_for=getattr(self.eyes, "watch_for", None),
            save=lambda page, path, language: None,
        )
        self.booth = Booth(services, self.config)
        self.presses = 0
        self.pictures = {}
        self.step()

    def close(self):
        self.booth.shut()
        if self.header is not None:
            self.header.close()
        self.journal.close()

    @property
    def now_s(self):
        return self.clock.monotonic()

    def step(self, seconds=STEP_S):
        """Let time pass, and the booth look once."""
        self.clock.wait(seconds)
        assert self.booth.step()
        for thread in threading.enumerate():
            if thread.name == "refit":
                thread.join()  # the networks of another game: the clock stands still meanwhile
        self._keep_picture()

    def sittings(self):
        """Return how every sitting of the journal ended."""
        found = self.journal.sittings()
        return [Session.resume(self.journal, self.clock, sitting).state for sitting in found]

    # What a visitor can do

    def press(self, button, seat=None):
        """Press a button that there is, or touch what is shown of it."""
        self.presses += 1
        if self.touch:
            self._tap(self._place(button, seat))
        else:
            self.header.press(button, seat)
        self.step(FINGER_S)

    def choose(self, number):
        """Touch item *number* of what is shown."""
        self.presses += 1
        (place,) = [each for each in self.glass.touches() if each.choice == number]
        self._tap(place.area)
        self.step(FINGER_S)

    def tap(self, across, down):
        """Touch the glass somewhere."""
        self.presses += 1
        self.glass.taps.append((across, down))
        self.step(FINGER_S)

    def can_touch(self, number):
        return any(each.choice == number for each in self.glass.touches())

    def hold(self, button, seat, seconds):
        """Put something on a button, and let time pass."""
        pin = self.header.factory.pin(PINS.buttons[button, seat])
        pin.drive_low()
        self.presses += 1
        for _ in range(int(seconds)):
            self.step(1.0)
        return pin

    def _place(self, button, seat):
        found = [
            each.area
            for each in self.glass.touches()
            if each.button == button.value and each.choice is None and each.seat in (None, seat)
        ]
        assert found, f"nothing on the glass says {button}: {self.glass.texts()}"
        return found[-1]

    def _tap(self, area):
        width, height = self.glass.size
        self.glass.taps.append((area.centerx / width, area.centery / height))

    # Pictures

    def _keep_picture(self):
        if self.out is None:
            return
        name = self._name()
        if name not in self.pictures:
            self.pictures[name] = self.out / f"{len(self.pictures) + 1:03d}-{name}.png"
            self.glass.save(self.pictures[name])

    def _name(self):
        """Return what kind of screen is shown."""
        glass, booth = self.glass, self.booth
        language = (
            "" if booth.context.preferences.language == "en" else booth.context.preferences.language
        )
        theme = "" if booth.context.preferences.theme == "felt" else booth.context.preferences.theme
        if glass.page is not None:
            scene = booth.stage.top
            parts = [type(scene or glass.page).__name__, "note" if glass.page.warning else ""]
        else:
            seen, question = glass.view, booth.stage.table.question if booth.stage.table else None
            parts = ["waits" if booth.is_waiting else "table", seen.game, seen.phase.value]
            if not booth.is_waiting:
                parts.append(f"asks-{question.kind.value}" if question else "")
                parts.append("card" if seen.card_asked else seen.stage or "")
                parts.append(glass.prompt.kind.value)
        return "-".join(part for part in (*parts, language, theme) if part)
