"""Nothing on screen that is not on disk, and nothing on disk that is lost."""

import json
import os
import subprocess
import sys

import pytest

from device.clock import HandClock
from device.runtime.session import REPAIRED, Session
from device.storage.journal.errors import JournalError
from device.storage.journal.journal import Journal
from device.storage.journal.replay import play_session, replay_session
from device.storage.journal.summary import from_text, summarise, to_text
from engine import TABLE, Card, Deal, Facing, Have, IllegalActionError, Phase, Player, view
from engine.core.players import PlayersError
from tests.support.mat_readings import NAMES, croupier_at_seats
from tests.support.paper_players import PaperPeople
from tests.support.paths import ROOT

PLAYERS = 3
HANDS = 2


@pytest.fixture
def clock():
    return HandClock(wall=1_700_000_000.0)


@pytest.fixture
def journal(tmp_path):
    with Journal(tmp_path / "journal.sqlite3") as made:
        yield made


def begin(journal, clock, **more):
    company = [Player(seat, NAMES[seat]) for seat in range(PLAYERS)]
    return Session.begin(journal, clock, "bone-ace", company, dealer=PLAYERS - 1, **more)


def play_on_paper(session, hands):
    """Play whole hands without interruption."""
    people, croupier = PaperPeople(PLAYERS), croupier_at_seats()

    def follow(advice):
        while advice.events:
            for event in advice.events:
                session.apply(event)
            advice = croupier.reinterpret(session.state)

    while not (session.view.phase is Phase.DONE and session.view.hand_number == hands):
        for press in people.act(session.view):
            follow(croupier.on_press(press, session.state))
        follow(croupier.on_reading(people.mat.reading(), session.state))


def test_event_is_on_disk_before_anybody_hears_of_it(journal, clock):
    session = begin(journal, clock)
    heard = []

    def listen(event, before, after, assumed):
        heard.append(len(journal.events(1)))

    session.listeners.append(listen)
    session.apply(Deal(0, None))
    session.apply(Deal(1, None))
    assert heard == [1, 2]


def test_refused_event_leaves_state_and_disk_alone(journal, clock):
    session = begin(journal, clock)
    before = session.state
    with pytest.raises(IllegalActionError):
        session.apply(Have(0))
    assert session.state is before
    assert journal.events(1) == ()


def test_event_the_disk_refuses_did_not_happen(journal, clock):
    session = begin(journal, clock)
    session.apply(Deal(0, None))
    before = session.state
    journal._connection().execute("PRAGMA query_only = ON")
    with pytest.raises(JournalError, match="nothing before it is lost"):
        session.apply(Deal(1, None))
    assert session.state is before
    journal._connection().execute("PRAGMA query_only = OFF")
    session.apply(Deal(1, None))
    assert session.events == 2
    assert len(journal.events(1)) == 2


def test_nobody_sits_down_beside_somebody_of_his_name(journal, clock):
    with pytest.raises(PlayersError, match="give each a different name"):
        Session.begin(journal, clock, "bone-ace", [Player(0, "Ann"), Player(1, "ANN")], dealer=0)
    assert journal.sittings() == ()


def test_what_was_assumed_is_repaired_in_one_step(journal, clock):
    session = begin(journal, clock)
    session.apply(Deal(0, None), assumed="whose", looks=["a card"])
    straight = begin(journal, clock)
    straight.apply(Deal(0, Card.parse("9S"), Facing.UP))
    heard = []
    session.listeners.append(lambda *each: heard.append(each))
    before = session.view
    event = Deal(0, Card.parse("9S"), Facing.UP)
    with pytest.raises(IllegalActionError):
        session.amend(1, [(event, ""), (Have(0), "")])
    assert (session.events, heard, session.view) == (1, [], before)
    session.amend(1, [(event, "")], looks=["an ace"])
    assert session.view == straight.view
    assert heard == [(event, before, session.view, REPAIRED)]
    found = [(each.entry()["e"], each.assumed, each.batch) for each in journal.stored(1)]
    assert found == [("deal", b"whose", 0), ("undo", b"", 2), ("deal", b"", 2)]
    assert journal.looks(1) == ["a card", "an ace"]
    again = Session.resume(journal, clock, journal.sittings()[0])
    assert again.state == session.state


def test_a_closed_sitting_leaves_a_summary(journal, clock):
    session = begin(journal, clock)
    play_on_paper(session, HANDS)
    assert journal.summary(1) is None
    session.close()
    found = from_text(journal.summary(1))
    played = play_session(journal, session.record)
    wanted = summarise(played.state, played.people)
    assert found == from_text(to_text(wanted).encode())
    assert [each.settlement for each in found.hands] == [
        each.settlement for each in session.state.hands
    ]
    assert found.people == (dict(enumerate(NAMES[:PLAYERS])),) * HANDS
    db = journal._connection()
    db.execute("UPDATE summaries SET body = replace(body, 'Ann', 'Eve')")
    assert journal.summary(1) is None, "it is not what was written"


def test_a_summary_of_another_version_or_of_fewer_events_is_not_trusted(
    journal, clock, monkeypatch
):
    session = begin(journal, clock)
    play_on_paper(session, 1)
    session.close()
    assert journal.summary(1) is not None
    with monkeypatch.context() as patched:
        patched.setattr("device.storage.journal.reader.program_version", lambda: "another")
        assert journal.summary(1) is None
    journal.append(1, session.events, {"e": "undo"}, 0.0)
    assert journal.summary(1) is None


def test_resume_is_the_same_state(journal, clock):
    session = begin(journal, clock, options={"stake": 3})
    play_on_paper(session, HANDS)
    again = Session.resume(journal, clock, journal.open_sittings()[0])
    assert again.state == session.state
    assert again.view == session.view
    assert again.events == session.events
    assert again.view.stake == 3


def test_retell_hears_every_event(journal, clock):
    session = begin(journal, clock)
    heard = []
    session.listeners.append(lambda *each: heard.append(each[:3]))
    play_on_paper(session, 1)
    told = []
    state = replay_session(journal, session.record, lambda *each: told.append(each))
    assert told == heard
    assert view(state, TABLE) == session.view


def test_close_ends_the_sitting(journal, clock):
    session = begin(journal, clock)
    session.close()
    assert not journal.open_sittings()


def test_journal_that_cannot_be_played_names_the_event(journal, clock):
    session = begin(journal, clock)
    journal.append(1, 0, {"e": "have", "seat": 0}, 0.0)
    with pytest.raises(JournalError, match=r"sitting 1: event 0 .* boneace play --new"):
        Session.resume(journal, clock, session.record)


def test_upcards_survive(journal, clock):
    session = begin(journal, clock)
    for _ in range(2):
        for seat in range(PLAYERS):
            session.apply(Deal(seat, None))
    session.apply(Deal(0, Card.parse("KC"), Facing.UP))
    again = Session.resume(journal, clock, session.record)
    assert again.view.seat(0).cards == (None, None, Card.parse("KC"))


@pytest.mark.slow
@pytest.mark.fault(
    "process killed at every event",
    sees="after the start the very hand they left, to the last event that was on the screen",
    does="goes on from the journal: an event is on disk before anybody sees what it does",
)
@pytest.mark.parametrize("when", ["after", "before"])
def test_killed_at_every_event_loses_nothing(tmp_path, clock, when):
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "tests.support.killed_player",
            str(tmp_path),
            when,
            str(PLAYERS),
            str(HANDS),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYGAME_HIDE_SUPPORT_PROMPT": "1"},
    )
    assert run.returncode == 0, run.stderr
    report = json.loads(run.stdout)
    assert report["status"] == 0, run.stderr

    with Journal(tmp_path / "whole.sqlite3") as other:
        whole = begin(other, clock)
        play_on_paper(whole, HANDS)
    with Journal(tmp_path / "journal.sqlite3") as journal:
        assert journal.notices == []
        again = Session.resume(journal, clock, journal.open_sittings()[0])
        assert len(journal.sittings()) == 1
    assert again.state == whole.state
    assert again.events > 20
    # One life an event; killed inside the transaction, one life for each event but the last.
    assert report["killed"] == again.events - (when == "before")
