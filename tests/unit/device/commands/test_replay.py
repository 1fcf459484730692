"""What ``boneace replay`` tells of a journal."""

import pytest

from device import app
from device.cli import main
from device.clock import HandClock
from device.config.model import GameConfig
from device.croupier.by_hand import BY_HAND
from device.storage.journal.journal import Journal
from engine import Deal, Misdeal, NextHand, Stick

CLOCK = HandClock(wall=1_700_000_000.0)


@pytest.mark.parametrize(("language", "mark"), [("en", " (assumed)"), ("de", " (angenommen)")])
def test_what_was_only_assumed_is_marked(tmp_path, capsys, language, mark):
    path = tmp_path / "journal.sqlite3"
    with Journal(path) as journal:
        config = GameConfig(name="one-and-thirty", players=("Ann", "Bess"), dealer=0)
        session = app.open_session(journal, CLOCK, config, range(2))
        for seat in (1, 0) * 3:
            session.apply(Deal(seat, None))
        session.apply(Stick(1), assumed="silent_stick")
    assert main(["replay", "--journal", str(path), "--language", language]) == 0
    marked = [line.endswith(mark) for line in capsys.readouterr().out.splitlines()]
    assert marked.count(True) == 1


def test_what_people_entered_is_not_marked_nor_is_an_empty_line(tmp_path, capsys):
    path = tmp_path / "journal.sqlite3"
    with Journal(path) as journal:
        config = GameConfig(name="one-and-thirty", players=("Ann", "Bess"), dealer=0)
        session = app.open_session(journal, CLOCK, config, range(2))
        for seat in (1, 0) * 3:
            session.apply(Deal(seat, None), assumed=BY_HAND)
        session.apply(Misdeal("called"), assumed=BY_HAND)
        session.apply(NextHand(), assumed="thrown_in")
    assert main(["replay", "--journal", str(path), "--language", "en"]) == 0
    lines = capsys.readouterr().out.splitlines()
    (marked,) = [line for line in lines if "assumed" in line]
    assert marked.startswith("Hand 2")
