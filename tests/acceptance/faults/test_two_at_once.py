"""Two tables on one journal: the second says so and leaves, before it touches camera or screen."""

import pytest

from device import app
from device.cli import main
from device.storage.journal.journal import Journal
from device.storage.journal.reader import SessionRecord


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    for name in ("HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    monkeypatch.setattr("device.config.model.SYSTEM_PATH", tmp_path / "none.toml")


def test_the_second_says_so_and_leaves(tmp_path, monkeypatch, capsys):
    path = tmp_path / "journal.sqlite3"

    def touched(*words, **more):
        raise AssertionError("the second one must leave camera and screen to the first")

    monkeypatch.setattr(app, "open_camera", touched)
    monkeypatch.setattr(app, "Window", touched)
    with Journal(path) as first:
        first.begin(SessionRecord("bone-ace", "willughby", {}, ({"seat": 0, "name": "Ann"},), 0))
        assert main(["play", "--camera", "/dev/video0", "--journal", str(path)]) == 1
        told = capsys.readouterr().err
        assert "another boneace is writing to this journal" in told
        assert "systemctl stop boneace" in told
        # The first one notices nothing of it.
        first.append(1, 0, {"e": "undo"}, 0.0)
        assert len(first.events(1)) == 1


def test_when_the_first_has_gone_the_second_may_come(tmp_path, monkeypatch):
    path = tmp_path / "journal.sqlite3"
    opened = []

    class Reached(Exception):
        pass

    def reached(*words, **more):
        opened.append(words)
        raise Reached

    Journal(path).close()
    monkeypatch.setattr(app, "open_source", reached)
    with pytest.raises(Reached):
        main(["play", "--headless", "--camera", "/dev/video0", "--journal", str(path)])
    assert len(opened) == 1
