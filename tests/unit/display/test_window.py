"""The window, opened off screen."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pygame
import pytest

from display import PromptText, Window
from display.window import DisplayError
from engine.core.errors import BoneAceError
from engine.core.views import View

At = Callable[[int, str], tuple[View, PromptText | None]]


def test_headless_window_shows_and_saves(at: At, tmp_path: Path) -> None:
    path = tmp_path / "table.png"
    with Window((800, 480), headless=True) as window:
        assert window.size == (800, 480)
        window.show(*at(4, "turn"))
        window.save(path)
    picture = pygame.image.load(path)
    assert picture.get_size() == (800, 480)
    assert len({tuple(picture.get_at((x, 60))) for x in range(0, 800, 7)}) > 5


def test_keys_are_named_once() -> None:
    with Window((480, 270), headless=True) as window:
        window.keys()
        for key in (pygame.K_SPACE, pygame.K_h, pygame.K_RETURN):
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key))
        pygame.event.post(pygame.event.Event(pygame.QUIT))
        assert window.keys() == ["space", "h", "return", "quit"]
        assert window.keys() == []


def test_close_may_be_called_twice_and_keys_after_it() -> None:
    window = Window((480, 270), headless=True)
    window.close()
    window.close()
    assert window.keys() == []
    with Window((480, 270), headless=True) as again:
        assert again.size == (480, 270)


def test_no_display_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "no-such-driver")
    with pytest.raises(DisplayError, match=r"no display: .*--headless") as caught:
        Window((480, 270))
    assert isinstance(caught.value, BoneAceError)


def test_headless_leaves_the_environment_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "no-such-driver")
    with Window((480, 270), headless=True):
        assert os.environ["SDL_VIDEODRIVER"] == "no-such-driver"
    monkeypatch.delenv("SDL_VIDEODRIVER")
    with Window((480, 270), headless=True):
        assert "SDL_VIDEODRIVER" not in os.environ


def test_a_picture_that_cannot_be_written_is_a_clear_error(tmp_path: Path) -> None:
    with (
        Window((480, 270), headless=True) as window,
        pytest.raises(DisplayError, match="choose a folder you may write"),
    ):
        window.save(tmp_path / "missing" / "table.png")
