"""Thirty-one, played by people of software: what the croupier once paid wrongly, or never."""

import random

import pytest

from device.runtime.table import TableController
from device.simulator.people import play_sitting, setup_by_chance
from tests.acceptance.people.judge import RIGHT, Verdict, judge
from tests.support.readings_player import play


def judged(seed, mix="mixed"):
    """How the one hand of *seed* ended, as the oracle sees it."""
    rng = random.Random(f"scat-wikipedia-{mix}-{seed}")
    sitting = play_sitting(setup_by_chance("scat", "wikipedia", rng), mix, rng, 1)
    (found,), _ = judge(sitting, play(sitting.lines, sitting.answers, sitting.setup))
    return found.verdict


def test_a_knock_that_nobody_said_is_asked_also_when_a_card_was_put_back_after_it():
    """The undo of the card that was put back took the place of what was assumed of the knock."""
    assert judged("1.0-87") is Verdict.RIGHT_ASKED


def test_nobody_pays_for_a_hand_that_lies_open_otherwise_than_was_inferred():
    """A dear repair knew all cards, and so the end, before the last hand was laid open."""
    assert judged("1.0-56") is Verdict.RIGHT_UNASKED


@pytest.mark.parametrize(
    ("seed", "verdict"),
    [
        pytest.param("1.0-1", Verdict.RIGHT_ASKED, id="own discard taken back, then covered"),
        pytest.param("1.0-15", Verdict.RIGHT_UNASKED, id="out said between a draw and a discard"),
        pytest.param("1.0-23", Verdict.RIGHT_ASKED, id="first card taken before it was read"),
        pytest.param("1.0-57", Verdict.RIGHT_ASKED, id="who does not show at the end is out"),
        pytest.param("1.0-68", Verdict.RIGHT_ASKED, id="lost track, and nobody said a knock"),
        pytest.param("1.0-78", Verdict.RIGHT_ASKED, id="all hands open, and a turn not over"),
        pytest.param("1.0-91", Verdict.RIGHT_UNASKED, id="lost track, and 31 laid open"),
    ],
)
def test_hands_that_lie_open_decide_also_where_the_track_was_lost(seed, verdict):
    """Each of these hands once ended without a result."""
    assert judged(seed) is verdict


def test_who_drew_before_the_hands_lay_open_has_laid_a_card_too():
    """Somebody had knocked, the last player had drawn, and so no story had an end."""
    assert judged("11.0-59", "careful") in RIGHT


def test_the_first_card_of_the_discard_may_be_in_the_hand_that_shows_it():
    """It was left in the pile when the track was lost, so its own hand was refused."""
    assert judged("105-31", "careful") in RIGHT


@pytest.mark.parametrize(
    ("seed", "mix"),
    [
        pytest.param("101-13", "careful", id="a knock said before the others stood"),
        pytest.param("101-16", "careful", id="a knock is told from a stand by who moves next"),
        pytest.param("101-18", "careful", id="a turn whose hand was seen is no knock"),
        pytest.param("105-23", "careful", id="a silent knock that is said at last"),
    ],
)
def test_a_knock_is_not_asked_about_without_need(seed, mix):
    assert judged(seed, mix) is Verdict.RIGHT_UNASKED


def test_what_nobody_knows_is_not_told_when_the_track_was_lost(monkeypatch):
    """It once said that Cecil drew from the stock after all, which nobody had seen."""
    told = []
    refuse = TableController._refuse

    def refused(table, words):
        told.append(str(words))
        refuse(table, words)

    monkeypatch.setattr(TableController, "_refuse", refused)
    assert judged("105-31", "careful") in RIGHT
    assert "What was drawn and laid is not clear any more: the open hands count." in told
    assert not any("drew from the stock after all" in words for words in told)
