"""The demo's own work, on paper: pace, pictures, answers and the honest tally."""

import importlib
import re
from random import Random
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from device import app as application
from device.cli import main
from device.clock import HandClock
from device.commands import demo as demo_command
from device.config.model import Config
from device.hardware import screen
from device.narration.speech import SilentSpeaker
from device.runtime.session import Session
from device.runtime.table import TableController
from device.simulator.demo import CardTally, Demo, DemoError
from device.storage.journal.journal import Journal
from display.i18n.translate import Translator
from display.table.moment import GROWS_S
from engine import Card, Phase, Player
from engine.bots import Driver
from engine.bots import player as bot
from engine.core.events import NextHand
from tests.support.mat_readings import NAMES
from tests.support.paper_players import PaperPeople

pytestmark = pytest.mark.slow


class PaperEyes:
    """Reads the mat when it has changed, like the real ones."""

    def __init__(self, mat):
        self.mat, self.frame, self.trouble, self.ended = mat, 0, None, False
        self.last = None
        self.seen_as = {}

    def poll(self):
        self.frame += 1
        now = dict(self.mat.cards)
        if now == self.last:
            return ()
        self.last = now
        real = dict(self.mat.cards)
        for key, what in real.items():
            self.mat.cards[key] = self.seen_as.get(what, what)
        reading = self.mat.reading()
        self.mat.cards.update(real)
        return (reading,)

    def close(self):
        self.ended = True


class Camera:
    def __init__(self):
        self.shown = None

    def show(self, view, prompt=None, time_s=0.0):
        self.shown = (view, prompt)

    def save(self, path):
        path.write_text(self.shown[1].title)


@pytest.fixture
def table(tmp_path):
    with Journal(tmp_path / "journal.sqlite3") as journal:
        clock = HandClock()
        company = [Player(seat, NAMES[seat]) for seat in range(3)]
        session = Session.begin(journal, clock, "bone-ace", company, dealer=2)
        people = PaperPeople(3, seed=4)
        eyes = PaperEyes(people.mat)
        said = []

        demo = Demo(
            TableController(session, eyes, [], clock),
            people,
            clock,
            tally=CardTally(people.lying),
            fingerprint=lambda: dict(people.mat.cards),
            say=said.append,
            picture=Camera(),
            out=tmp_path,
        )
        yield demo, eyes, said, people


def test_two_hands_with_transcript_pictures_and_tally(table):
    demo, _, said, _ = table
    assert demo.run(2) is True
    assert said == demo.lines
    assert said[0].startswith("Bone-Ace")
    assert sum(line.startswith("The hand: ") for line in said) == 2
    assert (
        said[-1] == f"Cards read: {len(demo.tally.laid)} of {len(demo.tally.laid)}; asked 0 times."
    )
    names = [path.name for path in demo.pictures]
    assert names[0] == "01-hand1-bone.png"
    assert any(name.startswith("0") and "hand2" in name for name in names)
    assert all(path.exists() for path in demo.pictures)
    assert sum(seat.tokens for seat in demo.session.view.seats) == 0


def test_a_match_that_is_over_ends_the_demo_before_its_hands_are_played(tmp_path):
    with Journal(tmp_path / "journal.sqlite3") as journal:
        clock = HandClock()
        company = [Player(seat, NAMES[seat]) for seat in range(2)]
        session = Session.begin(journal, clock, "scat", company, dealer=0, options={"lives": 1})
        people = PaperPeople(2, seed=4)
        driver = Driver(session.state, [bot("bold", "scat")] * 2, Random(1))
        while not session.state.round.standing.over:
            driver.state = session.state
            if session.state.phase is Phase.DONE:
                event = NextHand()
                driver.shuffle()
            else:
                event = driver.decision() or driver.chance()
            session.apply(driver.filled(event))
        table = TableController(session, PaperEyes(people.mat), [], clock)
        demo = Demo(
            table, people, clock, tally=CardTally(people.lying), fingerprint=dict, say=print
        )
        assert demo.run(session.state.hand_number + 9) is True


def test_pictures_are_of_moments_that_have_come_to_rest(table):
    demo, _, _, _ = table
    prompts = []
    save = demo._picture.save
    demo._picture.save = lambda path: (prompts.append(demo._picture.shown[1]), save(path))
    demo.run(2)
    moments = [prompt for prompt in prompts if prompt.moment is not None]
    assert moments, "a great moment is among them"
    assert all(prompt.moment_s > GROWS_S for prompt in moments)


def test_what_the_camera_saw_is_kept_beside_each_picture(table):
    demo, _, _, _ = table
    demo._camera = lambda: np.full((6, 8, 3), 90, np.uint8)
    demo.run(1)
    for path in demo.pictures:
        beside = cv2.imread(str(path.with_name(f"{path.stem}-camera.jpg")))
        assert beside.shape == (6, 8, 3)


def test_one_turn_is_one_line(table):
    demo, _, said, _ = table
    demo.run(1)
    turns = [line for line in said if "“" in line]
    assert turns
    assert all(line.count(": “") == 1 and line.endswith("”") for line in turns)
    assert len({line.split(":")[0] for line in turns}) == len(turns)


def test_who_lingers_looks_at_the_result_for_so_long(table):
    demo, eyes, _, _ = table
    demo._linger = 25
    ended = []
    demo.session.listeners.append(
        lambda event, before, after, _: after.result and ended.append(eyes.frame)
    )
    demo.run(1)
    # The frame of the result is the first of them.
    assert eyes.frame - ended[0] == 24


def test_unsure_cards_are_answered_by_looking_at_them(table):
    demo, eyes, said, people = table
    people.shuffle(1)
    third = people.pack[6]
    other = people.pack[-1]
    eyes.seen_as[third] = f"{other}?{third}"
    assert demo.run(1)
    assert demo.app.asked == 1
    assert demo.session.state.hands[0].bone is not None
    assert demo.session.view.seat(0).cards[2] == Card.parse(third)
    laid, read = len(demo.tally.laid), len(demo.tally.read)
    assert read == laid - 1
    assert said[-1] == f"Cards read: {read} of {laid}; asked 1 time."


def test_misread_cards_are_told(table):
    demo, eyes, said, people = table
    people.shuffle(1)
    third, absent = people.pack[6], people.pack[-20]
    eyes.seen_as[third] = absent
    demo.run(1)
    assert (1, Card.parse(absent)) in demo.tally.wrong
    assert (1, Card.parse(third)) not in demo.tally.read
    assert "1 wrongly" in said[-1]


def test_standstill_says_what_it_waits_for(table):
    demo, eyes, _, _ = table
    eyes.poll = lambda: ()
    with pytest.raises(DemoError, match=r"stands still at: Ann.*--seed"):
        demo.run(1)
    assert eyes.frame == 0
    assert len(demo.app.session.view.seat(0).cards) == 0


def test_quit_ends_it(table):
    demo, eyes, _, _ = table
    eyes.ended = True
    assert demo.run(1) is False


def test_the_demo_speaks_and_teaches_as_it_is_told(monkeypatch, capsys):
    """One hand from pixels, in French: screen, story and voice; nothing English is left in it."""
    heard = SilentSpeaker()
    monkeypatch.setattr(application, "open_speaker", lambda sound, language, beep: heard)
    monkeypatch.setattr(demo_command, "load", Config)
    words = ["demo", "--headless", "--language", "fr", "--sound", "--teaching"]
    assert main([*words, "--hands", "1", "--players", "2", "--seed", "3"]) == 0
    told = capsys.readouterr()
    story = told.out
    assert told.err.startswith("Et maintenant")
    assert "  # une partie, avec vos cartes" in told.err
    assert "installent" in story
    assert "Je reste." in story
    for english in ("Stick", "Have it", "wins", "pays", "takes", "cuts"):
        assert english not in story
    assert re.search(r"Cartes lues\u00a0: (\d+) sur \1\u00a0; 0 question posée\.\n$", story)
    said = [what for kind, what in heard.heard if kind == "say"]
    assert any("Qui donne" in text for text in said)
    assert any("encore une carte" in text for text in said)
    assert any("plus de 31 dans" in text for text in said), "the teacher"


def test_all_cards_are_dealt_open_in_the_game_of_the_config(monkeypatch, capsys):
    monkeypatch.setattr(demo_command, "load", Config)
    words = ["demo", "--open", "--headless", "--language", "en", "--hands", "1", "--players", "2"]
    assert main(words) == 0
    assert capsys.readouterr().out.count("card is turned up") == 6


class Held(Camera):
    """A window at which somebody presses a key after a while."""

    def __init__(self, *presses):
        super().__init__()
        self.presses = list(presses)
        self.texts = []

    def show(self, view, prompt=None, time_s=0.0):
        super().show(view, prompt)
        self.texts.append(prompt.detail)

    def keys(self):
        return self.presses.pop(0)

    def taps(self):
        return []


def test_who_holds_shows_the_result_until_a_key_is_pressed(table):
    demo, _, _, _ = table
    demo._out, demo._holds = None, True
    # What was pressed before the end was meant for the table.
    demo._picture = held = Held(["h"], [], [], ["space"])
    assert demo.run(1)
    assert held.texts == ["That was the demo. Press any key to end it."] * 2
    assert held.presses == []
    assert held.shown[1].title == demo.app.prompt_text.title


def test_the_window_of_a_demo_fits_the_display(monkeypatch):
    opened = []
    monkeypatch.setattr(application, "may_be_seen", lambda: True)
    monkeypatch.setattr(application, "is_seen", lambda: True)
    monkeypatch.setattr(
        application, "Window", lambda size, aside, **_how: opened.append((size, aside))
    )
    for desktop in ((1280, 1024), (1024, 600)):
        monkeypatch.setattr(application, "desktop_size", lambda size=desktop: size)
        application.open_demo_window(headless=False)
    assert opened == [((1280, 580), 480), ((1024, 540), 0)]


def test_where_there_can_be_no_screen_none_is_looked_for(monkeypatch, capsys):
    for name in ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(screen, "Path", lambda path: SimpleNamespace(exists=lambda: False))
    monkeypatch.setattr(screen.sys, "platform", "linux")
    assert not screen.may_be_seen()
    monkeypatch.setenv("DISPLAY", ":0")
    assert screen.may_be_seen()
    monkeypatch.setattr(application, "may_be_seen", lambda: False)
    window, hidden = application.open_demo_window(headless=False)
    assert window.size == application.DEMO_SIZE
    window.close()
    assert hidden
    assert "playing headless" in capsys.readouterr().err


def test_what_comes_next_is_told_as_it_can_be_typed(monkeypatch):
    monkeypatch.setattr(demo_command.shutil, "which", lambda name: None)
    monkeypatch.setattr(demo_command.sys, "argv", [".venv/bin/boneace"])
    told = demo_command.what_next(Translator.of("en"))
    assert "  .venv/bin/boneace watch " in told
    for line in told.splitlines()[1:]:
        words = line.split("#")[0].split()[1:]
        importlib.import_module(f"device.commands.{words[0]}")
