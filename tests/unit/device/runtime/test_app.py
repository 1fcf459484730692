"""The loop with everything faked but the game: what it shows, survives and writes down."""

import logging
import threading
from dataclasses import replace

import pytest

from device.clock import HandClock, SystemClock
from device.croupier.messages import cannot_see
from device.croupier.questions import Notice
from device.hardware.buttons import KeyboardPanel, ScriptedPanel, ScriptedPress
from device.heartbeat import Heartbeats
from device.ports import (
    Button,
    CameraError,
    EndOfFramesError,
    Frame,
    Lamps,
    NoThreadError,
    Press,
)
from device.runtime.camera_worker import (
    LONGEST_PAUSE_S,
    SyncReadingSource,
    ThreadedReadingSource,
)
from device.runtime.loop import MOST_FAILURES
from device.runtime.observer import ObservedReading, ReadingObserver
from device.runtime.session import Session
from device.runtime.table import REFUSED_S, TELL_S, TableController
from device.storage.journal.journal import Journal
from display import PromptKind
from engine import Phase, Player
from tests.support.mat_readings import NAMES, Mat
from tests.support.paper_players import PaperPeople
from vision.image_quality import IssueKind, QualityIssue


class ListCamera:
    """Frames that are anything: the fake watch below knows what to do with them."""

    def __init__(self, frames):
        self.frames = list(frames)
        self.closed = 0

    def read(self, timeout_s=2.0):
        if not self.frames:
            raise EndOfFramesError("the recording is over; start it again")
        frame = self.frames.pop(0)
        if isinstance(frame, Exception):
            raise frame
        return Frame(frame, 0.0)

    def close(self):
        self.closed += 1


class PassingWatch:
    """The frame is the reading."""

    def see(self, image, time_s):
        if image == "bad":
            raise ValueError("this frame breaks the reader")
        return image


class PaperEyes:
    """Eyes that look at a paper mat."""

    def __init__(self, mat):
        self.mat = mat
        self.frame = 0
        self.trouble = None
        self.ended = False

    def poll(self):
        self.frame += 1
        return (self.mat.reading(),)

    def close(self):
        pass


class Screen:
    def __init__(self):
        self.shown = []

    def show(self, view, prompt=None, time_s=0.0):
        self.shown.append((view, prompt))


class Rig:
    def __init__(self, folder, players=2, presses=()):
        self.clock = HandClock(wall=1_700_000_000.0)
        self.journal = Journal(folder / "journal.sqlite3")
        company = [Player(seat, NAMES[seat]) for seat in range(players)]
        self.session = Session.begin(
            self.journal, self.clock, "bone-ace", company, dealer=players - 1
        )
        self.mat = Mat(players)
        self.eyes = PaperEyes(self.mat)
        self.panel = ScriptedPanel(presses, lambda: self.eyes.frame)
        self.glass = Screen()
        self.app = TableController(
            self.session, self.eyes, [self.panel], self.clock, screen=self.glass
        )


@pytest.fixture
def rig(tmp_path):
    made = Rig(tmp_path)
    yield made
    made.journal.close()


def test_whole_hand_through_the_loop(rig):
    people = PaperPeople(2)
    people.mat = rig.eyes.mat = rig.mat
    for _ in range(200):
        for press in people.act(rig.session.view):
            rig.app.press(press)
        rig.app.step()
        if rig.session.view.hand_number == 2:
            break
    assert rig.session.state.hands[0].settlement
    assert sum(net for _, net in rig.session.state.hands[0].settlement) == 0
    assert rig.app.asked == 0
    assert len(rig.glass.shown) == rig.eyes.frame
    # What was on screen was on disk: the last picture is of the last event.
    assert rig.glass.shown[-1][0] == rig.session.view


def test_question_is_on_screen_and_lights_the_lamp(rig):
    for seat in (0, 1, 0, 1):
        rig.mat.lay(seat)
        rig.app.step()
    rig.mat.lay(0, "9D?6D")
    rig.app.step()
    prompt = rig.app.prompt_text
    assert prompt.kind is PromptKind.QUESTION
    assert [str(card) for card in prompt.card_choices] == ["9D", "6D"]
    answers = [
        ("have", "the one marked"),
        ("stick", "the next one"),
        ("next", "another card"),
        ("undo", "none of these"),
    ]
    assert [(key.button, key.message) for key in prompt.keys] == answers
    assert prompt.detail == "", "the keys tell the answers"
    assert rig.panel.lamps == Lamps(attention=True)
    rig.app.step()
    assert rig.app.asked == 1, "the same question is one question"


def test_the_screen_knows_the_mat_also_while_something_covers_it(rig):
    assert rig.app.prompt_text.mat_seats == 0
    rig.app.see(replace(rig.mat.reading(), seats=4))
    rig.app.see(replace(rig.mat.reading(), seats=None))
    assert rig.app.prompt_text.mat_seats == 4


def test_a_touched_answer_is_chosen_by_one_press(rig, monkeypatch):
    for seat in (0, 1, 0, 1):
        rig.mat.lay(seat)
        rig.app.step()
    rig.mat.lay(0, "9D?6D")
    rig.app.step()
    pressed, on_press = [], rig.app.croupier.on_press

    def noted(press, state):
        pressed.append(press)
        return on_press(press, state)

    monkeypatch.setattr(rig.app.croupier, "on_press", noted)
    touched = Press(Button.HAVE, 0.0, choice=1)
    rig.app.press(touched)
    assert pressed == [touched]
    assert rig.app.question is None
    assert str(rig.session.view.seat(0).cards[2]) == "6D"


def test_lamps_follow_the_turn_and_the_winner(tmp_path):
    rig = Rig(tmp_path)
    people = PaperPeople(2)
    people.mat = rig.mat
    turns = set()
    while rig.session.view.phase is not Phase.DONE:
        for press in people.act(rig.session.view):
            rig.app.press(press)
        rig.app.step()
        turns.add(rig.panel.lamps.turn)
    assert {0, None} <= turns
    assert rig.panel.lamps.winners == rig.session.view.result.winners
    rig.journal.close()


def test_mild_notice_stands_under_the_ordinary_prompt(rig):
    rig.mat.lay(7, "QC", zone=None)
    rig.app.step()
    assert "Ann" in rig.app.prompt_text.title
    assert "between the places" in rig.app.prompt_text.detail


def test_quit_ends_the_loop(tmp_path):
    rig = Rig(tmp_path, presses=[ScriptedPress(3, Button.QUIT)])
    rig.app.run()
    assert rig.eyes.frame == 4
    rig.journal.close()


def test_a_refused_press_is_a_line_of_its_own_for_four_seconds(rig):
    rig.app.step()
    before = rig.app.prompt_text
    rig.app.press(Press(Button.STICK, 0.0, 0))
    assert rig.session.events == 0
    assert rig.app.prompt_text.refused == "Cards are still being dealt; finish the deal first."
    assert replace(rig.app.prompt_text, refused="") == before, "nothing gives way to it"
    rig.clock.wait(REFUSED_S - 0.1)
    rig.app.step()
    assert rig.app.prompt_text.refused, "another look at the same mat takes nothing away"
    rig.clock.wait(0.1)
    assert rig.app.prompt_text == before
    assert REFUSED_S == 4.0


def test_the_next_press_or_card_ends_what_was_refused_before(rig):
    rig.app.press(Press(Button.STICK, 0.0, 0))
    rig.app.press(Press(Button.MENU, 0.0))
    assert (rig.app.prompt_text.kind, rig.app.prompt_text.refused) == (PromptKind.QUESTION, "")
    rig.app.press(Press(Button.STICK, 0.0))
    rig.app.press(Press(Button.STICK, 0.0, 0))
    assert rig.app.prompt_text.refused
    rig.mat.lay(0)
    rig.app.step()
    assert rig.session.events == 1
    assert rig.app.prompt_text.refused == ""


def test_how_it_stands_is_on_the_screen_too_until_it_stands_otherwise(rig):
    rig.app.step()
    rig.app.press(Press(Button.STICK, 0.0, 0))
    before = rig.app.prompt_text
    rig.app.press(Press(Button.TELL, 0.0))
    shown = rig.app.prompt_text
    assert shown.shows_told
    assert shown.told
    assert not shown.refused, "what was refused gives way"
    assert (shown.title, shown.detail, shown.keys) == (before.title, before.detail, before.keys)
    rig.clock.wait(TELL_S - 0.1)
    assert rig.app.prompt_text.shows_told
    rig.clock.wait(0.1)
    assert not rig.app.prompt_text.shows_told
    rig.app.press(Press(Button.TELL, 0.0))
    rig.mat.lay(0)
    rig.app.step()
    assert rig.session.events == 1
    assert not rig.app.prompt_text.shows_told, "a card has come"
    rig.app.press(Press(Button.TELL, 0.0))
    rig.app.press(Press(Button.AGAIN, 0.0))
    assert not rig.app.prompt_text.shows_told, "what is said again is there already"


def test_a_refused_press_leaves_a_question_and_a_trouble_alone(rig):
    for button, seat in ((Button.MENU, None), (Button.NEXT, None)):
        rig.app.press(Press(button, 0.0, seat))
    assert (rig.app.prompt_text.title, rig.app.prompt_text.kind) == (
        "Call a misdeal?",
        PromptKind.QUESTION,
    )
    assert rig.app.prompt_text.refused.startswith("This hand is not over. Play it to the end")
    rig.eyes.trouble = Notice("I cannot see the table just now; the game waits.", "check it")
    assert rig.app.prompt_text.title == str(rig.eyes.trouble.text)
    assert rig.app.prompt_text.refused


def test_no_press_after_a_hand_puts_anything_in_the_winners_place(rig):
    people = PaperPeople(2)
    people.mat = rig.mat
    while rig.session.view.phase is not Phase.DONE:
        for press in people.act(rig.session.view):
            rig.app.press(press)
        rig.app.step()
    won = rig.app.prompt_text
    for button in (Button.HAVE, Button.STICK):
        for seat in (None, 0, 7):
            rig.app.press(Press(button, 0.0, seat))
            rig.app.step()
            assert rig.app.prompt_text.refused, (button, seat)
            assert replace(rig.app.prompt_text, refused="") == won
    rig.clock.wait(REFUSED_S)
    assert rig.app.prompt_text == won


def test_disk_that_refuses_stops_the_event_and_says_so(rig):
    rig.mat.lay(0)
    rig.journal._connection().execute("PRAGMA query_only = ON")
    rig.app.step()
    assert rig.session.events == 0
    assert rig.app.prompt_text.kind is PromptKind.TROUBLE
    assert "could not be written down yet" in rig.app.prompt_text.title
    rig.journal._connection().execute("PRAGMA query_only = OFF")
    rig.app.step()
    assert rig.session.events == 1
    assert rig.app.prompt_text.kind is PromptKind.TURN


def test_loop_survives_a_fault_and_keeps_the_scores(rig, caplog):
    rig.mat.lay(0)
    rig.app.step()
    calls = 0

    def broken_poll():
        nonlocal calls
        calls += 1
        if calls < 3:
            raise ValueError("cosmic ray")
        rig.eyes.ended = True
        return ()

    rig.eyes.poll = broken_poll
    with caplog.at_level(logging.ERROR):
        rig.app.run()
    assert calls == 3
    assert caplog.text.count("the loop failed") == 2
    assert rig.session.events == 1


def test_fault_that_does_not_heal_ends_the_loop(rig):
    def broken_poll():
        raise ValueError("for ever")

    rig.eyes.poll = broken_poll
    with pytest.raises(ValueError, match="for ever"):
        rig.app.run()
    assert MOST_FAILURES > 1


def test_lost_camera_is_a_calm_prompt(rig):
    rig.eyes.trouble = Notice("I cannot see the table just now; the game waits.", "check it")
    rig.app.step()
    assert rig.app.prompt_text.kind is PromptKind.TROUBLE
    assert rig.panel.lamps.attention


def test_a_mat_that_is_not_seen_for_want_of_light_says_so_in_plain_play(rig):
    looking = ReadingObserver(None)
    looking.remarks = (QualityIssue(IssueKind.NO_MAT, "", ""), QualityIssue(IssueKind.DARK, "", ""))
    rig.app._observer = looking
    prompt = rig.app.prompt_text
    assert (prompt.kind, prompt.title) == (PromptKind.TROUBLE, "There is too little light.")
    assert "lamp" in prompt.detail
    assert "waits" in prompt.detail
    rig.app.step()
    assert rig.panel.lamps.attention
    # With the mat in sight again nothing of it is left.
    looking.last = ObservedReading(None, rig.mat.reading())
    looking.remarks = ()
    assert (rig.app.prompt_text.kind, rig.app.prompt_text.hint) == (PromptKind.TURN, "")


def test_a_game_that_waits_beside_glare_hints_at_the_lamp(rig):
    looking = ReadingObserver(None)
    looking.last = ObservedReading(None, rig.mat.reading())
    looking.remarks = (
        QualityIssue(IssueKind.FLICKER, "", ""),
        QualityIssue(IssueKind.GLARE, "", ""),
    )
    rig.app._observer = looking
    prompt = rig.app.prompt_text
    assert prompt.kind is PromptKind.TURN
    assert prompt.hint.startswith("A lamp is mirrored on the mat.")


def test_every_step_that_went_well_is_a_heartbeat(rig):
    beats = []
    rig.app.tasks.append(lambda now_s: beats.append(rig.eyes.frame))
    poll, seen = rig.eyes.poll, []

    def failing_once():
        seen.append(1)
        if len(seen) == 3:
            raise ValueError("once")
        if len(seen) == 6:
            rig.eyes.ended = True
        return poll()

    rig.eyes.poll = failing_once
    rig.app.run()
    assert len(beats) == 5, "a step that failed is none"


def test_notices_of_the_journal_are_shown_first(tmp_path):
    rig = Rig(tmp_path)
    app = TableController(
        rig.session, rig.eyes, [], rig.clock, notices=["The journal was damaged."]
    )
    assert app.prompt_text.title == "The journal was damaged."
    rig.journal.close()


def test_keyboard_plays_too(rig):
    keys = [["s"], ["quit"]]
    app = TableController(rig.session, rig.eyes, [KeyboardPanel(lambda: keys.pop(0))], rig.clock)
    assert app.step() is True
    assert app.step() is False


def test_steady_eyes_miss_nothing_and_survive_a_torn_picture(caplog):
    mat = Mat(2)
    one, two = mat.reading(), mat.reading()
    eyes = SyncReadingSource(
        ListCamera([one, CameraError("torn.jpg: cannot be read; delete it"), two]), PassingWatch()
    )
    assert eyes.poll() == (one,)
    assert eyes.poll() == ()
    assert "torn.jpg" in caplog.text
    assert eyes.trouble == cannot_see(), "no names of files on the screen, and no English"
    assert eyes.poll() == (two,)
    assert eyes.trouble is None
    assert (eyes.frame, eyes.ended) == (2, False)
    assert eyes.poll() == ()
    assert eyes.ended


@pytest.mark.fault("camera lost in the middle, and returning")
def test_worker_eyes_open_the_camera_again_with_growing_pauses(caplog):
    mat = Mat(2)
    one, two = mat.reading(), mat.reading()
    lost = CameraError("no camera; check the cable")
    tries = [lost] * 7 + [ListCamera([one, lost]), lost, ListCamera([two])]
    cameras = [each for each in tries if isinstance(each, ListCamera)]
    pauses = []

    def open_camera():
        found = tries.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    eyes = ThreadedReadingSource(open_camera, PassingWatch(), wait=pauses.append)
    eyes._thread.join()
    assert eyes.ended
    assert eyes.poll() == (one, two)
    assert pauses[:7] == [1.0, 2.0, 4.0, *[LONGEST_PAUSE_S] * 4]
    assert pauses[7:] == [1.0, 2.0], "after a frame the pauses start again"
    assert [camera.closed for camera in cameras] == [1, 1]
    eyes.close()


def test_worker_eyes_without_a_thread_for_the_camera_end_and_are_late(caplog):
    """No pause mends that: the service manager has to start the program anew."""
    clock, tries = HandClock(), []
    hearts = Heartbeats(clock, 30.0)

    def open_camera():
        tries.append(clock.monotonic())
        raise NoThreadError("no more threads can be started")

    eyes = ThreadedReadingSource(open_camera, PassingWatch(), wait=clock.wait, hearts=hearts)
    eyes._thread.join()
    assert len(tries) == 1
    assert "no more threads" in caplog.text
    assert str(eyes.trouble.detail) == "Please wait."
    assert hearts.late(clock.monotonic()) == ()
    clock.wait(31.0)
    assert hearts.late(clock.monotonic()) == ("the camera",)


def test_worker_eyes_survive_a_watch_that_fails(caplog):
    one = Mat(2).reading()
    cameras = iter([ListCamera(["bad"]), ListCamera([one])])
    eyes = ThreadedReadingSource(lambda: next(cameras), PassingWatch(), wait=lambda pause: None)
    eyes._thread.join()
    assert eyes.poll() == (one,)
    assert eyes.trouble is None
    assert "the reader failed" in caplog.text


def test_worker_eyes_pause_when_told_to_and_wake_who_waits_for_a_reading():
    one, two = Mat(2).reading(), Mat(2).reading()

    class SeldomWatch:
        def see(self, image, time_s):
            return image

    pauses = iter([0.0, 0.1, 0.1])
    woken, waits = [], []
    eyes = ThreadedReadingSource(
        lambda: ListCamera([one, None, two]),
        SeldomWatch(),
        wait=waits.append,
        pause_s=lambda: next(pauses),
        wake=lambda: woken.append(len(waits)),
    )
    eyes._thread.join()
    assert eyes.poll() == (one, two)
    assert woken == [0, 1], "with each reading, before the pause after it"
    assert waits == [0.1, 0.1]


def test_a_wait_on_the_machines_clock_can_be_ended_by_another_thread():
    clock = SystemClock()
    clock.wake()
    clock.wait(3600.0)
    waker = threading.Timer(0.01, clock.wake)
    waker.start()
    clock.wait(3600.0)
    waker.join()


def test_worker_eyes_stop_when_closed():
    reading = Mat(2).reading()
    looked = threading.Event()

    class Endless:
        def read(self, timeout_s=2.0):
            looked.set()
            return Frame(reading, 0.0)

        def close(self):
            pass

    eyes = ThreadedReadingSource(Endless, PassingWatch())
    assert looked.wait(10)
    eyes.close()
    assert not eyes._thread.is_alive()
