"""A press that was meant before a question came up is no answer to it."""

import contextlib

import pytest

from device.clock import HandClock
from device.croupier.lines import press_line, read_line, with_hands
from device.croupier.questions import CroupierResult
from device.ports import Button, Press
from device.runtime.camera_worker import NoCamera
from device.runtime.observer import ReadingObserver
from device.runtime.session import Session
from device.runtime.table import TableController
from device.storage.journal.journal import Journal
from engine import Player
from tests.support.mat_readings import Mat
from vision import MotionGate


@pytest.fixture
def table(tmp_path):
    """Bone-Ace for two: Ann's third card lies there, and nobody can tell which it is."""
    clock = HandClock()
    with contextlib.ExitStack() as stack:
        journal = stack.enter_context(Journal(tmp_path / "journal.sqlite3"))
        people = [Player(0, "Ann"), Player(1, "Bess")]
        session = Session.begin(journal, clock, "bone-ace", people, dealer=1)
        made = TableController(session, NoCamera(), [], clock)
        mat = Mat(2)
        made.see(mat.reading())
        for seat in (0, 1, 0, 1):
            mat.lay(seat)
            clock.wait(1)
            made.see(mat.reading())
        mat.lay(0, "9D?9H")
        clock.wait(1)
        made.see(mat.reading())
        assert made.question is not None
        yield made


def press(table, button, after_s):
    table.clock.wait(after_s)
    table.press(Press(button, table.clock.monotonic()))


def test_a_press_that_comes_with_the_question_does_not_answer_it(table):
    asked = table.question
    press(table, Button.HAVE, 0.2)
    assert table.question == asked


def test_a_press_after_that_does(table):
    asked = table.question
    press(table, Button.HAVE, 0.5)
    assert table.question != asked


def test_who_has_answered_may_answer_what_comes_next_at_once(table):
    table.croupier.choose(2)  # another card
    press(table, Button.HAVE, 0.5)
    rank = table.question
    assert rank.of is not None
    press(table, Button.HAVE, 0.0)
    assert table.question != rank


def test_who_leads_to_a_question_by_a_word_has_not_read_it(table, monkeypatch):
    asked = table.question
    with monkeypatch.context() as patch:
        patch.setattr(table, "_advice", CroupierResult())
        patch.setattr(table.croupier, "on_press", lambda *_: CroupierResult(question=asked))
        press(table, Button.STICK, 3.0)
    press(table, Button.HAVE, 0.2)
    assert table.question == asked


def test_a_finger_on_an_answer_is_no_slip(table):
    asked = table.question
    table.press(Press(Button.HAVE, table.clock.monotonic(), choice=0))
    assert table.question != asked


def test_a_word_stays_one_in_the_journal():
    word = Press(Button.STICK, 2.5, 1, is_word=True)
    assert read_line(press_line(word)).press == word
    assert read_line(press_line(Press(Button.STICK, 2.5, 1))).press.is_word is False


def test_what_was_said_while_things_moved_stays_so_in_the_journal():
    log = ['{"t":1,"hand":1}', '{"t":1.2,"press":"stick"}', '{"t":2,"lies":[]}']
    log.append('{"t":3,"press":"stick"}')
    presses = [line.press for line in with_hands(map(read_line, log)) if line.press]
    assert [press.moving for press in presses] == [True, False]
    assert [read_line(press_line(press)).press for press in presses] == presses


def test_a_press_while_hands_move_says_so(table, monkeypatch):
    pressed = []
    table.on_press = pressed.append
    monkeypatch.setattr(table, "_observer", ReadingObserver(MotionGate(NoReader())))
    press(table, Button.STICK, 0.0)
    monkeypatch.setattr(MotionGate, "hands_move", True)
    press(table, Button.STICK, 0.0)
    assert [each.moving for each in pressed] == [False, True]


class NoReader:
    def read(self, image, time_s=0.0):
        raise AssertionError
