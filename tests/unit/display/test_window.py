"""The window, opened off screen."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from display import PromptText, TableScreen, Window, prompt_for
from display.pages.base import Page
from display.pages.list import ListPage
from display.table.seats import ALL_GLIDE_S
from display.window import GLIDES_PER_S, PULSES_PER_S, DisplayError
from engine.core.errors import BoneAceError
from engine.core.views import Phase, View

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


def test_a_result_is_drawn_often_only_while_coins_glide(
    at: At, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, _prompt = at(4, "won-31")
    prompt = prompt_for(view)
    assert view.phase is Phase.DONE
    drawn: list[float] = []
    with Window((480, 270), headless=True) as window:
        monkeypatch.setattr(pygame.display, "flip", lambda: drawn.append(1.0))
        for first_s, most in ((0.0, GLIDES_PER_S), (ALL_GLIDE_S, PULSES_PER_S)):
            drawn.clear()
            for step in range(100):
                time_s = first_s + step / 100
                window.show(view, replace(prompt, result_s=time_s), time_s)
            assert most - 1 <= len(drawn) <= most + 1, first_s


def test_a_page_stands_beside_the_table_and_is_drawn_anew_when_it_changes(at: At) -> None:
    view, prompt = at(4, "turn")
    alone = pygame.Surface((800, 480))
    shown: list[Page] = []
    TableScreen((800, 480)).draw(alone, view, prompt)

    def beside() -> Page:
        shown.append(ListPage(title=f"Page {len(shown)}", items=()))
        return shown[-1]

    with Window((1280, 480), headless=True, aside=480) as window:
        window.beside = beside
        left: list[bytes] = []
        for _ in range(2):
            window.show(view, prompt)
            surface = pygame.display.get_surface()
            assert surface is not None
            right = surface.subsurface((480, 0, 800, 480))
            assert pygame.image.tobytes(right, "RGB") == pygame.image.tobytes(alone, "RGB")
            left.append(pygame.image.tobytes(surface.subsurface((0, 0, 480, 480)), "RGB"))
        assert left[0] != left[1], "the same table, and another page"
        places = TableScreen((800, 480)).touches(view, prompt)
        assert [each.area.x for each in window.touches()] == [p.area.x + 480 for p in places]
