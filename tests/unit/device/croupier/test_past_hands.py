"""An earlier hand is put right in the middle of the next, at every kind of table (rule G-12)."""

import random

import pytest

from device.clock import HandClock
from device.ports import Button, Press
from device.runtime.croupiers import croupier_for
from device.runtime.session import Session
from device.storage.journal.journal import Journal
from engine import Misdeal, NextHand, Phase, Player, Undo, apply, bots
from engine.core.events import Entry
from vision.readings import Reading

PEOPLE = [Player(0, "Ann"), Player(1, "Bess"), Player(2, "Cecil")]


class Played(bots.Driver):
    """A session that players of software play."""

    def __init__(self, session):
        people = [bots.player("bold", session.view.game) for _ in PEOPLE]
        super().__init__(session.state, people, random.Random(1))
        self.session = session

    def do(self, event):
        event = super().do(event)
        self.session.apply(event)
        return event


@pytest.fixture(params=["one-and-thirty", "bone-ace", "knucklebones", "scat"])
def session(request, tmp_path):
    """The second hand, some events in."""
    with Journal(tmp_path / "journal.sqlite3") as journal:
        found = Session.begin(journal, HandClock(), request.param, PEOPLE, dealer=0)
        driver = Played(found)
        while driver.state.phase is not Phase.DONE:
            driver.go_on()
        driver.do(NextHand())
        while driver.state.phase is not Phase.PLAY or len(driver.state.log) < 2:
            driver.go_on()
        yield found


def follow(session, croupier, result):
    """Write what the croupier found, as a table does."""
    for _ in range(20):
        for event in (*[Undo()] * result.back, *result.events):
            session.apply(event)
        if not result.events and not result.back:
            return result
        result = croupier.reinterpret(session.state)
    raise AssertionError("the croupier does not come to rest")


def test_a_hand_made_void_leaves_the_next_as_it_is_and_undo_takes_it_back(session):
    croupier = croupier_for(session)
    follow(session, croupier, croupier.on_reading(Reading(1.0, seats=3), session.state))
    before = session.state
    follow(session, croupier, croupier.enter(Misdeal("", 1), session.state))
    assert session.state.hands[0].end == "misdeal"
    assert session.state.round.play == before.round.play
    assert session.state.log == (*before.log, Misdeal("", 1))
    follow(session, croupier, croupier.on_press(Press(Button.UNDO, 2.0), session.state))
    assert session.state.hands == before.hands
    assert session.state.log == before.log


def test_what_the_rules_refuse_changes_nothing_and_is_said(session):
    croupier = croupier_for(session)
    before = session.state
    for event in (Entry(((0, 1), (1, -1)), "a wager"), Misdeal("", 9)):
        result = follow(session, croupier, croupier.enter(event, session.state))
        assert [*result.refused, *result.notices]
        assert session.state.log == before.log
    assert apply(before, Misdeal("", 1)).hands[0].end == "misdeal"
