"""The trial before an upgrade: what must not be broken is tried, and nothing is changed."""

from __future__ import annotations

import shutil

import pytest

from device.clock import SystemClock
from device.commands.doctor import ONLY_BY_NAME, examine
from device.config.model import Config, GameConfig, JournalConfig
from device.diagnostics import trial
from device.diagnostics.check import Status
from device.runtime.session import Session
from device.storage.journal.errors import JournalError
from device.storage.journal.journal import Journal
from engine import Player
from engine.core.cards import Card
from engine.core.events import Deal, Facing


@pytest.fixture
def path(tmp_path, monkeypatch):
    """Where the journal of this table is; there is none yet."""
    path = tmp_path / "state" / "journal.sqlite3"
    monkeypatch.setattr(trial, "load", lambda: Config(journal=JournalConfig(path=str(path))))
    return path


def begin(path):
    with Journal(path) as journal:
        players = [Player(0, "Ann"), Player(1, "Bess")]
        session = Session.begin(journal, SystemClock(), "one-and-thirty", players, dealer=0)
        session.apply(Deal(1, Card.parse("9S"), Facing.DOWN))


def test_every_part_is_tried(path):
    check = examine("upgrade")
    assert check.status is Status.OK
    assert "8 cards read" in check.detail
    assert check.detail.endswith("no journal yet")
    assert "upgrade" in ONLY_BY_NAME


def test_the_game_is_gone_on_with_in_a_copy(path):
    begin(path)
    before = path.read_bytes()
    assert trial.open_journal() == "the game goes on after event 1"
    assert path.read_bytes() == before


def test_a_game_that_cannot_go_on_stops_the_upgrade(path, monkeypatch):
    begin(path)

    def refuse(journal, clock):
        assert journal.path != path, "only a copy is opened to write"
        raise JournalError("event 1 cannot be played")

    monkeypatch.setattr(trial.Session, "unfinished", refuse)
    check = trial.upgrade()
    assert (check.status, check.detail) == (Status.PROBLEM, "event 1 cannot be played")
    assert "keep the old program" in check.remedy


@pytest.mark.parametrize("named", ["bones", "deck"])
def test_what_must_be_taught_again_is_told_and_stops_no_upgrade(path, monkeypatch, named):
    game = GameConfig(**{named: "heirloom"})
    monkeypatch.setattr("device.diagnostics.taught.load", lambda: Config(game=game))
    check = examine("upgrade")
    assert check.status is Status.WARNING
    assert "8 cards read" in check.detail
    assert "'heirloom'" in check.detail
    assert f"boneace teach {named} heirloom" in check.remedy


def test_other_cards_stop_the_upgrade(path, monkeypatch):
    monkeypatch.setattr(trial, "LYING", ("2C", *trial.LYING[1:]))
    check = trial.upgrade()
    assert check.status is Status.PROBLEM
    assert "where 2C 7S" in check.detail


def test_a_missing_picture_stops_the_upgrade(path, monkeypatch, tmp_path):
    monkeypatch.setattr(trial, "PICTURE", tmp_path / "table.jpg")
    check = trial.upgrade()
    assert check.status is Status.PROBLEM
    assert "table.jpg" in check.detail


def test_a_module_that_cannot_be_imported_stops_the_upgrade(path, monkeypatch, tmp_path):
    package = tmp_path / "display"
    shutil.copytree(trial.importlib.import_module("display").__path__[0], package)
    (package / "broken.py").write_text("import not_there\n")
    monkeypatch.setattr("display.__path__", [str(package)])
    assert "not_there" in trial.upgrade().detail


def test_packages_of_an_extra_that_are_not_there_stop_no_upgrade(path, monkeypatch):
    real = trial.importlib.import_module

    def without_hall(name):
        if name.startswith("device.hall"):
            raise ModuleNotFoundError("No module named 'aiomqtt'", name="aiomqtt")
        return real(name)

    monkeypatch.setattr(trial.importlib, "import_module", without_hall)
    check = trial.upgrade()
    assert check.status is Status.OK
    assert "without boneace[hall];" in check.detail
    assert trial.requirement_for("numpy.linalg").startswith("numpy")
    assert trial.requirement_for("not_there") is None
