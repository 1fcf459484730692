"""What ``boneace ledger`` prints of a match in which lives are lost, not tokens."""

import contextlib
import json
import sqlite3

import pytest

from device import app
from device.booth.summary import ledger_page
from device.cli import main
from device.clock import HandClock
from device.config.model import GameConfig
from device.storage.journal.journal import Journal
from display.i18n.translate import Translator
from engine import Card, Deal
from engine.core.events import Claim, Declare, Misdeal, NextHand, TurnUp

CLOCK = HandClock(wall=1_700_000_000.0)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.sqlite3"


def played(journal, hands):
    """Return the session of *hands* hands of two players with two lives; Bess throws each in."""
    options = {"lives": 2, "free_ride": False}
    config = GameConfig(name="scat", players=("Ann", "Bess"), dealer=0, options=options)
    session = app.open_session(journal, CLOCK, config, range(2))
    for number in range(hands):
        if number:
            session.apply(NextHand())
        first = 1 - session.view.dealer
        for seat in (first, 1 - first) * 3:
            session.apply(Deal(seat, None))
        session.apply(TurnUp(Card.parse("4C")))
        session.apply(Declare(1, Claim.OUT))
    return session


def printed(capsys, path, *more):
    assert main(["ledger", "--journal", str(path), *more]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("closed", [False, True], ids=["folded", "from its summary"])
def test_a_match_that_goes_on_shows_lives_and_its_pot(path, capsys, closed):
    with Journal(path) as journal:
        session = played(journal, 1)
        page = ledger_page(session.state, ())
        if closed:
            session.close()
    lines = printed(capsys, path).splitlines()
    assert lines[2].split() == ["1", "showdown,", "lives", "0", "-1"]
    assert lines[3].split() == ["total", "0", "0"]
    assert lines[4].split() == ["lives", "left", "2", "1"]
    assert lines[5] == "The match is not over: 6 in its pot."
    settled = printed(capsys, path, "--settle")
    assert settled == "Nobody owes anybody anything.\nThe match is not over: 6 in its pot.\n"
    (row,) = page.rows
    assert row.nets == (0, -1)
    assert Translator.of("en").render(row.end) == "showdown, lives"


def test_a_match_that_is_over_has_paid_its_pot(path, capsys):
    with Journal(path) as journal:
        played(journal, 2)
    told = printed(capsys, path)
    assert "lives left" not in told
    assert "in its pot" not in told
    assert told.splitlines()[-1].split() == ["total", "+3", "-3"]


@pytest.mark.parametrize("closed", [False, True], ids=["folded", "from its summary"])
def test_a_hand_that_was_put_right_later_is_marked(path, capsys, closed):
    with Journal(path) as journal:
        session = played(journal, 1)
        session.apply(NextHand())
        page = printed(capsys, path)
        session.apply(Misdeal(hand=1))
        if closed:
            session.close()
    lines = printed(capsys, path).splitlines()
    assert "*" not in page
    assert lines[2].split()[:2] == ["1*", "misdeal"]
    assert lines[-1] == "* put right after the next hand had begun"
    (sitting,) = json.loads(printed(capsys, path, "--json"))["sittings"]
    assert [hand["put_right"] for hand in sitting["hands"]] == [True]


def test_an_event_that_was_changed_later_is_told_beside_the_ledger(path, capsys, caplog):
    with Journal(path) as journal:
        played(journal, 1).close()
    with contextlib.closing(sqlite3.connect(path)) as file:
        file.execute("UPDATE events SET event = replace(event, '4C', 'KH')")
        file.commit()
    assert main(["ledger", "--journal", str(path)]) == 1
    told = capsys.readouterr().out
    assert "showdown, lives" in told, "as it was when the sitting was closed"
    assert "is damaged" in caplog.text
    assert "somebody has changed the file" in caplog.text
