"""Counting at the booth and by itself: one press begins, and what is read is on the screen."""

from dataclasses import replace

import pytest

from device.booth.booth import Booth
from device.booth.counting import CountLoop
from device.booth.preferences import default_setup
from device.booth.presentation import Presentation
from device.booth.scenes.base import Context
from device.booth.scenes.count import CountScene, WhichScene
from device.booth.scenes.games import GamesScene
from device.booth.scenes.naming import FaceScene, RankScene, SuitScene
from device.booth.state import Idle
from device.clock import HandClock
from device.croupier.counting.counter import Kind
from device.croupier.messages import cannot_see
from device.narration.speech import SilentSpeaker
from device.ports import Button, Press
from device.runtime.counting import Counting, counted
from engine.core.bones import Face
from tests.support.booth_rig import IDLE_S, PaperEyes, Rig, Screen
from tests.support.count_readings import FIVE, FLAT, reading, thrown
from tests.support.mat_readings import Mat


class HandedEyes(PaperEyes):
    """Eyes that are handed readings."""

    def __init__(self):
        super().__init__()
        self.waiting = []

    def poll(self):
        self.frame += 1
        now, self.waiting = tuple(self.waiting), []
        return now


class Voice(SilentSpeaker):
    def __init__(self):
        self.said = []

    def say(self, text, topic="", *, urgent=False):
        self.said.append(text)


class CountRig(Rig):
    """A booth whose networks are of paper."""

    def make(self):
        self.eyes, self.speaker, self.loaded = HandedEyes(), Voice(), []
        services = self.services(processor_for=lambda game, options: self.loaded.append(game))
        return Booth(services, self.config)

    def see(self, *bones, **more):
        self.eyes.waiting.append(replace(reading(bones, **more), time_s=self.clock.monotonic()))
        return self.step(2.0)


@pytest.fixture
def rig(tmp_path):
    rig = CountRig(tmp_path)
    yield rig
    rig.journal.close()


@pytest.fixture
def counts(rig):
    """The booth that counts bones: woken, and the tile after the games chosen."""
    rig.press("have")
    assert isinstance(rig.scene, GamesScene)
    titles = [str(tile.title) for tile in rig.scene.page().items]
    return rig.press("have", choice=titles.index("Count"))


def test_the_tile_counts_bones_at_once(counts):
    page = counts.glass.page
    assert isinstance(counts.scene, CountScene)
    assert (page.title, page.total, page.items) == ("Counting bones", "", ())
    assert "Throw the bones" in page.status
    counts.see(*FIVE)
    page = counts.glass.page
    assert (page.total, len(page.items)) == ("18", 5)
    assert {bar.face: bar.count for bar in page.tally} == {
        Face.FLAT: 1,
        Face.CONCAVE: 1,
        Face.CONVEX: 2,
        Face.TWISTED: 1,
    }
    counts.see().see(*thrown(1))
    assert counts.glass.page.note == "Throw 2 · 10 bones · 15 throws a minute"
    total = counts.scene.counting.counter.throws[-1].total
    throws = [text for text in counts.speaker.said if text.startswith("Throw ")]
    assert throws[-2:] == ["Throw 1: 18.", f"Throw 2: {total}."]


def test_the_count_is_kept_beside_the_journal_and_in_no_sitting(counts):
    counts.see(*FIVE).press("menu")
    assert counted(counts.folder / "counts.jsonl", Kind.BONES)[1:] == (1, 1)
    assert counts.journal.sittings() == ()
    assert isinstance(counts.booth.stage.state, Idle)


def test_what_does_not_count_is_told(counts):
    counts.see(*FIVE[:3], (None, 230, 200), (FLAT, 500, 100, "off"))
    page = counts.glass.page
    assert (page.total, page.items[-1]) == ("9", None)
    assert "1 bone leans" in page.status
    assert "1 bone lies beside the mat and does not count." in page.status


def test_a_throw_is_taken_back_and_then_the_games_are_shown(counts):
    counts.see(*FIVE).press("undo")
    assert counts.glass.page.total == ""
    assert counts.see(*FIVE[:4]).see(*FIVE).glass.page.total == ""
    counts.press("undo")
    assert isinstance(counts.scene, GamesScene)


def test_a_face_is_named_by_hand(counts):
    counts.see(*FIVE).press("have")
    assert isinstance(counts.scene, WhichScene)
    counts.press("have", choice=1)  # from left to right: the flat one
    assert isinstance(counts.scene, FaceScene)
    assert counts.glass.page.note == "It was read as 1."
    counts.press("have", choice=list(Face).index(Face.TWISTED))
    assert isinstance(counts.scene, CountScene)
    assert counts.glass.page.total == "23"
    assert counts.see(*FIVE).glass.page.total == "23"


def test_a_leaning_bone_that_is_touched_is_named(counts):
    counts.see(*FIVE[:4], (None, 230, 200)).press("have", choice=4)
    assert isinstance(counts.scene, FaceScene)
    counts.press("have", choice=list(Face).index(Face.CONCAVE))
    assert (counts.glass.page.total, counts.glass.page.items.count(None)) == ("18", 0)


def test_bones_are_counted_while_a_face_is_named(counts):
    counts.see(*FIVE).press("have").see().see(*thrown(1))
    assert isinstance(counts.scene, WhichScene)
    assert counts.scene.count == 5
    counts.press("undo")
    assert len(counts.scene.counting.counter.throws) == 2


def test_next_counts_cards(counts):
    counts.see(*FIVE).press("next")
    mat = Mat(4)
    mat.lay(0, "9H")
    counts.eyes.waiting.append(mat.reading())
    counts.step(2.0)
    mat.lay(1, "KD")
    counts.eyes.waiting.append(mat.reading())
    counts.step(2.0)
    page = counts.glass.page
    assert (page.title, page.total, page.kept) == ("Counting cards", "19", 1)
    assert len(page.tally) == 13
    counts.press("have", choice=1)
    assert isinstance(counts.scene, RankScene)
    counts.press("have", choice=1)
    assert isinstance(counts.scene, SuitScene)
    counts.press("have", choice=0)
    assert counts.glass.page.total == "11"
    assert "two of spades: 11." in counts.speaker.said
    assert counted(counts.folder / "counts.jsonl", Kind.BONES)[1:] == (1, 1)
    assert counted(counts.folder / "counts.jsonl", Kind.CARDS)[1:] == (2, 1)


def test_nothing_to_name_is_said(counts):
    counts.press("have")
    assert "Nothing lies open" in counts.glass.page.status


def test_who_throws_is_not_sent_away_and_who_has_gone_is(counts):
    for number in range(10):
        counts.see(*thrown(number)).step(IDLE_S / 2)
    assert isinstance(counts.scene, CountScene)
    for _ in range(3):
        counts.step(IDLE_S)
    assert isinstance(counts.booth.stage.state, Idle)
    assert counted(counts.folder / "counts.jsonl", Kind.BONES)[1:] == (10, 1)


def test_the_mat_that_is_not_seen_and_a_camera_that_is_gone_are_told(counts):
    counts.see(*FIVE).see(mat=False)
    assert (counts.glass.page.warning, "mat is not seen" in counts.glass.page.note) == (True, True)
    counts.see(*FIVE)
    assert not counts.glass.page.warning


def test_while_the_camera_is_gone_people_enter_what_lies_there(counts):
    counts.see(*FIVE)
    counts.eyes.trouble = cannot_see("the cable is loose")
    counts.step()
    assert "enter what lies there" in str(counts.glass.page.note)
    counts.press("have")
    assert isinstance(counts.scene, FaceScene)
    faces = thrown(1)
    for face, *_at in faces:
        counts.press("have", choice=list(Face).index(face))
    assert "Named so far" in str(counts.glass.page.note)
    counts.press("undo")
    total = sum(face.points for face, *_at in faces)
    assert (counts.glass.page.total, len(counts.glass.page.items)) == (str(total), 5)
    counts.press("stick")
    assert isinstance(counts.scene, WhichScene)
    counts.press("undo")
    counts.eyes.trouble = None
    counts.see(*faces)
    assert len(counts.scene.counting.counter.throws) == 2, "what was entered lies there"
    counts.press("have")
    assert isinstance(counts.scene, WhichScene), "the camera sees it again"


class BlindRig(Rig):
    """A booth without a camera."""

    def make(self):
        return Booth(self.services(by_hand=True), self.config)


def test_a_booth_without_a_camera_counts_what_is_entered(tmp_path):
    rig = BlindRig(tmp_path)
    rig.press("have")
    titles = [str(tile.title) for tile in rig.scene.page().items]
    rig.press("have", choice=titles.index("Count"))
    assert str(rig.glass.page.status) == "Throw the bones, and enter how they lie."
    assert [(str(hint.button), str(hint.message)) for hint in rig.glass.page.hints] == [
        ("have", "enter a throw"),
        ("undo", "back"),
        ("next", "count cards"),
        ("menu", "end"),
    ]
    rig.press("next").press("have")
    for suit in ("have", "stick"):  # the ace of spades, and that of hearts
        rig.press("have").press(suit)
    rig.press("have").press("undo")
    assert (rig.glass.page.total, rig.glass.page.kept) == ("2", 1)
    rig.press("have").press("have").press("have").press("undo")
    assert rig.glass.page.total == "1", "who enters anew has taken the others away"
    rig.journal.close()


class Alone:
    """``boneace count`` with everything of paper."""

    def __init__(self, folder, config):
        self.eyes, self.glass, self.clock, self.voice = HandedEyes(), Screen(), HandClock(), Voice()
        shown = Presentation(config, folder, self.glass, lambda now: self.voice)
        context = Context(shown.preferences, default_setup(config), 0)
        self.counting = Counting(Kind.BONES, folder / "counts.jsonl", self.clock)
        self.loop = CountLoop(self.eyes, (), self.clock, shown, context, self.counting)

    def press(self, button, choice=None):
        self.loop.press(Press(Button(button), 0.0, None, choice))
        return self.loop.step()


def test_it_counts_alone_until_menu(tmp_path, rig):
    alone = Alone(tmp_path / "alone", rig.config)
    alone.eyes.waiting.append(reading(FIVE, 1.0))
    assert alone.loop.step()
    assert alone.glass.page.total == "18"
    assert [str(hint.button) for hint in alone.glass.page.hints] == ["have", "undo", "menu"]
    assert alone.press("next"), "there is nothing else to count"
    assert alone.press("have")
    assert alone.press("have", choice=0)
    assert alone.press("have", choice=0)
    assert alone.glass.page.total == "13"
    assert alone.press("have")
    assert alone.press("undo")
    assert alone.press("undo")
    assert alone.press("undo"), "there is nowhere to go back to"
    assert alone.glass.page.total == ""
    assert not alone.press("menu")
    assert "Throw 1: 18." in alone.voice.said


def test_why_nothing_is_seen_is_told(tmp_path, rig):
    alone = Alone(tmp_path / "alone", rig.config)
    alone.eyes.trouble = cannot_see("the cable is loose")
    alone.loop.step()
    assert alone.glass.page.warning
    assert "The camera gives no picture" in str(alone.glass.page.note), "the cure is for the log"
    alone.loop.failed()
