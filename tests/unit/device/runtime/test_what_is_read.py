"""What `play` gives its camera to: nothing is read under hands, then only what changed, by vote."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from device import app
from device.cli import main
from device.commands import play
from device.ports import CameraError
from device.simulator.camera import SimulatedCamera
from device.simulator.table import SimulatedTable
from engine import Card
from vision.mat.pose import MatLayout
from vision.tracking import change_tracker


@pytest.fixture
def watch(monkeypatch, tmp_path) -> Any:
    """The very watch that `boneace play` looks through; the camera itself is not opened."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    # It takes SIGTERM over, which the run of the tests wants for itself.
    monkeypatch.setattr(play.signal, "signal", lambda number, handler: None)
    given: list[Any] = []

    def only_look(spec, looking, *more, **how):
        given.append(looking)
        raise CameraError("no camera in this test; nothing is to be done")

    monkeypatch.setattr(app, "open_source", only_look)
    assert main(["play", "--game", "one-and-thirty", "--headless", "--players", "Ann,Bess"]) == 1
    return given[0]


@pytest.fixture
def table() -> SimulatedTable:
    return SimulatedTable(MatLayout(4), style="modern", seed=12)


def looker_of(watch: Any) -> Any:
    return watch.watch._reader._pipeline


class Noted:
    """Notes how many crops go into the networks, and whether the table moved then."""

    def __init__(self, monkeypatch, watch: Any, table: SimulatedTable) -> None:
        self.crops: list[int] = []
        self.moving: list[bool] = []
        looker = looker_of(watch)
        for part in (looker._faces, looker._indices):
            monkeypatch.setattr(part, "read", self._noting(part.read, table))

    def _noting(self, read, table: SimulatedTable):
        def noting(image, places, **how):
            self.crops.append(len(places))
            self.moving.append(table.is_moving)
            return read(image, places, **how)

        return noting


def frames(watch: Any, camera: SimulatedCamera, count: int = 12) -> list[Any]:
    """The readings of so many frames, ``None`` where a frame gave none."""
    out = []
    for _ in range(count):
        frame = camera.read()
        out.append(watch.see(frame.image, frame.time_s))
    return out


def test_under_hands_nothing_is_read_and_then_only_what_changed(monkeypatch, watch, table) -> None:
    camera, noted = SimulatedCamera(table), Noted(monkeypatch, watch, table)
    frames(watch, camera)
    for seat, code in enumerate(("7H", "KS", "2D")):
        table.lay(seat, Card.parse(code), face_up=True)
        (reading,) = [each for each in frames(watch, camera, 20) if each is not None]
        assert {"7H", "KS", "2D"} >= {str(card.card) for card in reading.cards}
        assert len(reading.cards) == seat + 1
    before = len(noted.crops)
    assert not any(noted.moving)
    assert not any(frames(watch, camera, 6))
    assert len(noted.crops) == before, "a mat on which nothing happens is not read"
    table.lay(3, Card.parse("9C"), face_up=True)
    (reading,) = [each for each in frames(watch, camera, 20) if each is not None]
    assert {str(card.card) for card in reading.cards} == {"7H", "KS", "2D", "9C"}
    # One card came: two indices and a face at most, or those of four cards if all were read anew.
    assert 1 <= sum(noted.crops[before:]) <= 3
    assert not any(noted.moving)


def test_a_doubtful_card_is_voted_on_by_several_frames(monkeypatch, watch, table) -> None:
    camera = SimulatedCamera(table)
    frames(watch, camera)
    monkeypatch.setattr(change_tracker, "CLEAR", 1.1)  # nobody is ever sure
    votes: list[Any] = []
    reclassify = looker_of(watch).reclassify

    def voting(image, looks):
        votes.append(image)
        return reclassify(image, looks)

    monkeypatch.setattr(looker_of(watch), "reclassify", voting)
    table.lay(0, Card.parse("7H"), face_up=True)
    given = frames(watch, camera, 24)
    (reading,) = [each for each in given if each is not None]
    assert [str(card.card) for card in reading.cards] == ["7H"]
    assert len(votes) == change_tracker.MOST_VOTES - 1
    assert all((one != other).any() for one, other in itertools.pairwise(votes))


def test_a_card_that_nobody_doubts_is_not_voted_on(monkeypatch, watch, table) -> None:
    camera = SimulatedCamera(table)
    frames(watch, camera)
    monkeypatch.setattr(change_tracker, "CLEAR", 0.0)
    monkeypatch.setattr(looker_of(watch), "reclassify", lambda image, looks: pytest.fail("voted"))
    table.lay(0, Card.parse("7H"), face_up=True)
    (reading,) = [each for each in frames(watch, camera, 20) if each is not None]
    assert [str(card.card) for card in reading.cards] == ["7H"]
