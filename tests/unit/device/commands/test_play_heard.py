"""``boneace play`` with a window: touched, heard, and in the language of the config."""

import cv2
import numpy as np
import pygame
import pytest

from device import app
from device.cli import main
from device.narration.speech import SilentSpeaker
from display import Window

TOUCHES = {2: (0.95, 0.05), 5: (0.25, 0.9)}
"""Frame to the place touched: the corner of MENU, then HAVE, which says yes to the question."""


class Blind:
    def see(self, image, time_s):
        return None


class TouchedWindow(Window):
    """The real window, with fingers."""

    def __init__(self, size, **more):
        super().__init__(size, headless=True, **more)
        self.frame = 0

    def show(self, view, prompt=None, time_s=0.0):
        super().show(view, prompt, time_s)
        self.frame += 1
        if self.frame in TOUCHES:
            across, down = TOUCHES[self.frame]
            pygame.event.post(pygame.event.Event(pygame.FINGERDOWN, x=across, y=down))


@pytest.fixture
def speaker(tmp_path, monkeypatch, capsys):
    """Play eight empty frames; return what was heard."""
    heard = SilentSpeaker()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr("device.config.model.SYSTEM_PATH", tmp_path / "none.toml")
    (tmp_path / "boneace").mkdir()
    (tmp_path / "boneace" / "config.toml").write_text('[display]\nlanguage = "de"\n')
    monkeypatch.setattr(app, "Window", TouchedWindow)
    monkeypatch.setattr(app, "require_screen", lambda: None)
    monkeypatch.setattr(app, "FRAME_S", 0.001)
    monkeypatch.setattr(app, "MotionGate", lambda reader: Blind())
    monkeypatch.setattr(app, "open_speaker", lambda *args, **more: heard)
    film = tmp_path / "film"
    film.mkdir()
    for number in range(8):
        cv2.imwrite(str(film / f"{number}.png"), np.zeros((6, 8, 3), np.uint8))
    journal = tmp_path / "journal.sqlite3"
    words = ["--camera", str(film), "--journal", str(journal), "--dealer", "0"]
    assert main(["play", *words]) == 0
    return heard


def test_touches_are_presses_and_all_is_said_in_the_language_of_the_config(speaker, capsys):
    said = [what for kind, what in speaker.heard if kind == "say"]
    assert any("nächste Karte" in text for text in said), "the first prompt"
    asked = next(
        n for n, text in enumerate(said) if "Vergeben: Soll das Spiel ungültig sein?" in text
    )
    assert any("Das Spiel gilt nicht" in text for text in said[asked + 1 :])
    out = capsys.readouterr().out
    assert "Der Abend:" in out, "the story is told in it too"
    chimes = [what for kind, what in speaker.heard if kind == "chime"]
    assert chimes == ["question", "undo"]
    speaker.say("Too late.")
    assert "Too late." not in [what for _, what in speaker.heard], "the end of play is silence"
