"""A booth with everything faked but the game: eyes, glass and panel of paper."""

from device.booth.booth import Booth
from device.booth.tables import Services
from device.clock import HandClock
from device.config.model import BoothConfig, Config, DisplayConfig, GameConfig
from device.narration.speech import SilentSpeaker
from device.ports import Button, Lamps, Press
from device.storage.journal.journal import Journal
from device.storage.journal.reader import JournalReader
from engine import Phase
from tests.support.mat_readings import Mat
from tests.support.paper_players import PaperPeople
from tests.support.words import in_words

IDLE_S = 60

IN_PLAY = 3
"""After this many times as long a hand in play is left, at the latest."""


class Company(PaperPeople):
    """People on paper who cut for the deal as well."""

    def act(self, seen):
        """Cut, each a higher card than the one before; take the cards up for the deal."""
        if seen.phase is Phase.CUT:
            seat = seen.to_cut[0]
            self.mat.lay(seat, f"{3 + seat}C")
            return []
        if seen.phase is Phase.DEAL and seen.cuts and not self.hands and self.mat.cards:
            self.mat.clear()
            return []
        return super().act(seen)


class PaperEyes:
    """Eyes that look at a paper mat."""

    def __init__(self):
        self.mat = None
        self.before = None
        self.frame = 0
        self.trouble = None
        self.ended = False

    def poll(self):
        """A reading whenever the mat has changed, as the real watch gives them."""
        self.frame += 1
        if self.mat is None or self.mat.cards == self.before:
            return ()
        self.before = dict(self.mat.cards)
        return (self.mat.reading(),)

    def close(self):
        pass


class Screen:
    """Keeps what was shown last."""

    size = (800, 480)

    def __init__(self):
        self.page = self.view = self.prompt = None
        self.dressed = []

    def show(self, view, prompt=None, time_s=0.0):
        self.page, self.view, self.prompt = None, view, prompt

    def show_page(self, page, time_s=0.0):
        self.page, self.view, self.prompt = in_words(page, self.dressed[-1][2]), None, None

    def set_style(self, theme=None, language="en"):
        self.dressed.append((theme.name, theme.four_colours, language))

    def touches(self):
        return ()


class Panel:
    """Presses on demand; keeps the lamps."""

    def __init__(self):
        self.waiting = []
        self.lamps = Lamps()

    def poll(self, time_s):
        presses, self.waiting = tuple(self.waiting), []
        return presses

    def show(self, lamps):
        self.lamps = lamps

    def close(self):
        pass


class Rig:
    scripted = False

    def __init__(self, folder, config=None):
        self.folder = folder
        self.config = config or Config(
            game=GameConfig(players=("Ann", "Bess")),
            display=DisplayConfig(language="en"),
            booth=BoothConfig(enabled=True, idle_s=IDLE_S),
        )
        self.clock = HandClock(wall=1_700_000_000.0)
        self.eyes, self.glass, self.panel = PaperEyes(), Screen(), Panel()
        self.speaker = SilentSpeaker()
        self.saved = []
        self.journal = Journal(folder / "journal.sqlite3")
        self.booth = self.make()

    def make(self):
        return Booth(self.services(), self.config)

    def services(self, **more):
        """What the booth works with; *more* of it than every booth needs."""
        return Services(
            self.journal,
            self.clock,
            self.eyes,
            (self.panel,),
            screen=self.glass,
            speaker_for=lambda now: self.speaker,
            save=lambda page, path, language: self.save(in_words(page, language), path),
            scripted=self.scripted,
            **more,
        )

    def other_journal(self):
        """Read the journal as another program does."""
        return JournalReader(self.journal.path)

    def save(self, page, path):
        self.saved.append((page, path))

    def step(self, seconds=0.1):
        self.clock.wait(seconds)
        assert self.booth.step()
        return self

    def press(self, button, seat=None, choice=None):
        """Press; nobody touches a tile in the very moment in which the booth is woken."""
        was_waiting = self.booth.is_waiting
        self.panel.waiting.append(Press(Button(button), 0.0, seat, choice))
        self.step()
        return self.step(0.5) if was_waiting and not self.booth.is_waiting else self

    def start(self, players=2):
        """Wake the booth, take the game that is marked, and deal."""
        self.press("have").press("have").press("have")
        self.eyes.mat = Mat(players)
        return self

    def play(self, people, until, most=400):
        people.mat = self.eyes.mat
        for _ in range(most):
            self.step()
            if until(self.booth.session.view):
                return self
            for press in people.act(self.booth.session.view):
                self.panel.waiting.append(press)
        raise AssertionError(f"still at {self.booth.session.view.phase}")

    def finished(self):
        return self.start().play(Company(2, seed=3), lambda seen: seen.phase is Phase.DONE)

    @property
    def scene(self):
        return self.booth.stage.top
