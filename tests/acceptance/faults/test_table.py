"""What happens on the table, on its buttons and on its screen that should not happen."""

import cv2
import numpy as np
import pygame
import pytest
from gpiozero.pins.mock import MockFactory

from device.clock import HandClock
from device.hardware.buttons import SETTLE_S, GpioPanel, Pins
from device.ports import Button, Lamps
from device.runtime.session import Session
from device.runtime.table import TableController
from device.simulator.table import SimulatedTable
from device.storage.journal.journal import Journal
from display import PromptKind, Window
from display.pages.list import Item, ListPage
from engine import Card, Phase, Player
from engine.core.events import Deal, Have, Stick
from tests.support.mat_readings import NAMES, Bench, Mat
from tests.support.oracle_source import reading_of
from vision.cards.pipeline import CardPipeline
from vision.mat.pose import MatLayout, find_mat
from vision.mat.segmentation import FrameAnalysis, find_on_mat
from vision.tracking.change_tracker import ChangeTracker


class NoEyes:
    frame, trouble, ended = 0, None, False

    def poll(self):
        return ()

    def close(self):
        pass


class Rig:
    """A table of two with every button on the header; the mat is of paper."""

    BUTTONS = tuple(each for each in Button if each not in (Button.QUIT, Button.PUSH))

    def __init__(self, folder):
        self.clock = HandClock(wall=1_700_000_000.0)
        self.journal = Journal(folder / "journal.sqlite3")
        company = [Player(seat, NAMES[seat]) for seat in range(2)]
        self.session = Session.begin(self.journal, self.clock, "bone-ace", company, dealer=1)
        self.mat = Mat(2)
        self.factory = MockFactory()
        keys = [(button, None) for button in self.BUTTONS if button not in ("left", "right")]
        keys += [(button, seat) for seat in (0, 1) for button in (Button.HAVE, Button.STICK)]
        self.pins = Pins({key: 2 + number for number, key in enumerate(keys)})
        self.panel = GpioPanel(self.pins, clock=self.clock, pin_factory=self.factory)
        self.app = TableController(self.session, NoEyes(), [self.panel], self.clock)

    def pin(self, button, seat=None):
        return self.factory.pin(self.pins.buttons[button, seat])

    def push(self, button, seat=None):
        self.pin(button, seat).drive_low()
        self.step()
        self.pin(button, seat).drive_high()
        self.step()

    def step(self, seconds=0.1):
        self.clock.wait(seconds)
        assert self.app.step()

    def deal(self):
        """Two backs and an open card to each; the eldest is asked."""
        for slot in range(3):
            for seat in (0, 1):
                self.mat.lay(seat, ("7H", "8S")[seat] if slot == 2 else "back")
                self.app.see(self.mat.reading())
        self.step()
        assert self.session.view.phase is Phase.PLAY
        assert self.session.view.turn == 0

    def kinds(self):
        return [record["e"] for _, record in self.journal.events(self.session.record.number)]

    def close(self):
        self.panel.close()
        self.factory.reset()
        self.journal.close()


@pytest.fixture
def rig(tmp_path):
    made = Rig(tmp_path)
    yield made
    made.close()


# --- the mat ------------------------------------------------------------------------------------


class OutlineLooker(CardPipeline):
    """Sees where cards lie, and reads nothing: no networks are needed for that."""

    def __init__(self):
        self.looks = 0

    def detect_on_mat(self, frame, pose, wanted=None, boxes=None, backs=()):
        self.looks += 1
        return []


@pytest.fixture(scope="module")
def laid():
    """A drawn table with three cards, at rest."""
    table = SimulatedTable(MatLayout(4), style="modern", seed=12)
    for seat, code in enumerate(("7H", "KS", "2D")):
        table.lay(seat, Card.parse(code), face_up=True)
        while table.is_moving:
            table.frame()
    return table.frame(), reading_of(table)


def outlines_mm(image):
    pose = find_mat(image)
    assert pose is not None
    cards = find_on_mat(image, pose).cards
    return sorted(tuple(pose.to_mm(quad).mean(axis=0).round()) for quad in cards)


def carried(image, degrees, shift=(0.0, 0.0), scale=0.8):
    """The mat with all that lies on it, pushed and turned on the table."""
    height, width = image.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, scale)
    matrix[:, 2] += shift
    return np.asarray(cv2.warpAffine(image, matrix, (width, height), borderValue=(60, 70, 80)))


@pytest.mark.fault(
    "mat covered",
    sees="I cannot see the play mat.",
    does="waits; what lay on it is remembered, and nothing is taken for taken up",
)
def test_a_cloth_over_the_mat(rig, laid, sees):
    image, _ = laid
    covered = image.copy()
    covered[:, : covered.shape[1] * 9 // 10] = (90, 60, 40)
    assert find_mat(covered) is None
    looker = OutlineLooker()
    follower = ChangeTracker(looker)
    assert follower.update(FrameAnalysis(image)) is not None
    assert follower.update(FrameAnalysis(covered)) is None, "no mat, no reading of it"
    # What such a reading does to the game.
    rig.deal()
    before = rig.session.view
    blind = rig.mat.reading()
    rig.app.see(type(blind)(blind.time_s))
    assert rig.app.prompt_text.title == sees
    assert rig.session.view == before
    rig.app.see(rig.mat.reading())
    assert rig.session.view == before
    assert rig.app.prompt_text.kind is PromptKind.TURN


@pytest.mark.parametrize(
    ("degrees", "shift"),
    [
        pytest.param(
            0,
            (30.0, -20.0),
            id="moved",
            marks=pytest.mark.fault("mat moved"),
        ),
        pytest.param(90, (0.0, 0.0), id="a quarter", marks=pytest.mark.fault("mat rotated")),
        pytest.param(180, (5.0, 0.0), id="half round", marks=pytest.mark.fault("mat rotated")),
    ],
)
def test_the_places_go_with_the_mat(laid, degrees, shift):
    image, _ = laid
    scale = 0.5 if degrees == 90 else 0.9
    moved = carried(image, degrees, shift, scale)
    before, after = outlines_mm(image), outlines_mm(moved)
    assert len(before) >= 3
    assert len(after) == len(before)
    assert np.abs(np.array(before) - np.array(after)).max() <= 4.0


@pytest.mark.fault(
    "mat moved",
    sees="nothing of it",
    does="finds the mat again, reads all of it anew; places, seats and cards are those of before",
)
@pytest.mark.fault(
    "mat rotated",
    sees="nothing of it",
    does="finds it by its marks, whichever way it lies; every place keeps its seat",
)
def test_a_mat_that_was_pushed_is_read_anew_at_once(laid, caplog):
    image, _ = laid
    looker = OutlineLooker()
    follower = ChangeTracker(looker)
    follower.update(FrameAnalysis(image))
    follower.update(FrameAnalysis(image))
    assert looker.looks == 1
    follower.update(FrameAnalysis(carried(image, 180, (25.0, 10.0), 0.9)))
    assert follower.moved
    assert looker.looks == 2
    assert "read anew" in caplog.text


# --- cards behind the machine's back ------------------------------------------------------------


def dealt():
    bench = Bench(players=2)
    bench.deal(["7H", "8S"])
    assert bench.view.phase is Phase.PLAY
    return bench


@pytest.mark.fault(
    "a card added between two events",
    sees="A card lies at Bess's place.",
    does="whoever gets it in their own turn asked for it, and UNDO takes that back; at another "
    "place it waits for what is done next, and is asked about after four seconds",
)
def test_a_card_that_nobody_asked_for(sees):
    bench = dealt()
    assert bench.lay(0, "back") == [Have(0), Deal(0, None)]
    bench.press("undo")
    assert bench.view == dealt().view
    other = dealt()
    before = other.state
    assert other.lay(1, "back") == []
    assert other.state == before
    assert sees in other.said
    asked = other.croupier.on_time(other.mat.time_s + 5.0, other.state)
    assert asked.events == ()
    assert str(asked.question.text) == "Does Ann stick?"


@pytest.mark.fault(
    "a card removed between two events",
    sees="nothing is said: players hold their cards",
    does="keeps the hand as it was dealt, whether a card of it lies there or is held",
)
def test_a_card_taken_off_the_mat():
    bench = dealt()
    before = bench.state
    bench.mat.lift(0, 2)
    assert bench.look() == []
    assert bench.advice.notices == ()
    assert bench.state == before
    bench.mat.lay(0, "7H", slot=2)
    assert bench.look() == []
    assert bench.state == before
    assert bench.advice.notices == ()


@pytest.mark.fault(
    "a card swapped between two events",
    sees="Ann's seven of hearts now looks like a king of clubs. Which is it?",
    does="asks; the card stays what it was until a person says otherwise, and both are on record",
)
def test_a_card_exchanged_for_another(sees):
    bench = dealt()
    before = bench.state
    bench.mat.cards[0, 2] = "KC"
    assert bench.look() == []
    assert str(bench.question.text) == sees
    assert bench.state == before
    bench.press("right")
    assert bench.press("have") == []
    assert bench.state == before, "the knob was turned to what it was"
    bench = dealt()
    bench.mat.cards[0, 2] = "KC"
    bench.look()
    bench.press("have")
    assert bench.view.seat(0).cards[2] == Card.parse("KC")
    assert bench.events[-1].was == Card.parse("7H")


# --- buttons ------------------------------------------------------------------------------------


@pytest.mark.fault(
    "a button stuck down",
    sees="one press; a STICK that stays down counts for nothing, as it counts when it is let go",
    does="takes it once; the console's button, the keys and the glass do the same meanwhile",
)
def test_a_button_that_stays_down(rig):
    rig.deal()
    rig.pin(Button.STICK, 0).drive_low()
    for _ in range(600):
        rig.step()
    assert rig.kinds().count("stick") == 0
    assert rig.panel.held() == ((Button.STICK, 0),)
    rig.push(Button.STICK)
    assert rig.kinds().count("stick") == 1
    assert rig.session.view.turn == 1
    rig.pin(Button.HAVE, 1).drive_low()
    for _ in range(600):
        rig.step()
    assert rig.kinds().count("have") == 1
    rig.pin(Button.STICK, 0).drive_high()
    rig.step()
    assert "declare" not in rig.kinds(), "no finger holds a button for a minute"


@pytest.mark.fault(
    "a button bounces",
    sees="one press",
    does="counts the first touch, and no other until the contact has been quiet for 30 ms",
)
def test_a_contact_that_chatters(rig):
    rig.deal()
    pin = rig.pin(Button.HAVE, 0)
    for _ in range(40):
        pin.drive_low()
        rig.clock.wait(SETTLE_S / 10)
        pin.drive_high()
        rig.clock.wait(SETTLE_S / 10)
    rig.step()
    assert rig.kinds().count("have") == 1


@pytest.mark.fault("all buttons at once")
def test_children_press_everything(rig):
    rig.deal()
    before = rig.session.events
    for _ in range(3):
        for button, seat in rig.pins.buttons:
            rig.pin(button, seat).drive_low()
        rig.step()
        for button, seat in rig.pins.buttons:
            rig.pin(button, seat).drive_high()
        rig.step()
    assert rig.session.events > before
    # What is in the journal is what is on the screen, to the last event.
    again = Session.resume(rig.journal, rig.clock, rig.session.record)
    assert again.state == rig.session.state
    assert rig.session.view.phase is not Phase.CUT
    assert rig.app.prompt_text.title


@pytest.mark.fault(
    "a button out of turn",
    sees="Does Ann stick?",
    does="records nothing until Ann says so too, plays on, or answers",
)
def test_a_press_out_of_turn(rig, sees):
    rig.deal()
    before = rig.session.events
    rig.push(Button.STICK, 1)
    assert sees in [str(notice.text) for notice in rig.app.notices]
    assert rig.session.events == before
    rig.push(Button.STICK, 0)
    assert Stick(0) in rig.session.state.events


# --- the screen ---------------------------------------------------------------------------------


@pytest.mark.fault(
    "display lost",
    sees="nothing; voice, lamps and buttons go on",
    does="plays on and opens the display again every 2 seconds, as it was, until it is back",
)
def test_the_display_goes_and_comes_back(rig, monkeypatch, caplog):
    rig.deal()
    with Window((480, 270), headless=True) as window:
        rig.app._screen = window
        rig.step()
        flips = []

        def flip():
            flips.append(window.is_lost)
            if len(flips) < 3:
                raise pygame.error("the video system is gone")

        monkeypatch.setattr(pygame.display, "flip", flip)
        rig.push(Button.STICK, 0)
        assert window.is_lost
        assert rig.session.view.turn == 1, "the game goes on unseen"
        assert window.keys() == []
        for _ in range(60):
            rig.step()
        assert not window.is_lost
        assert len(flips) > 3
        assert caplog.text.count("the display is lost") == 2
        # It is the table that is drawn again, whatever was shown before.
        monkeypatch.undo()
        window.show_page(ListPage(title="Settings", note="", items=(Item("Sound"),)), 100.0)
        assert window.touches()


def test_lamps_are_lit_while_the_display_is_away(rig):
    shown = []
    rig.panel.show = lambda lamps: shown.append(lamps)
    rig.deal()
    assert shown[-1] == Lamps(turn=0)
