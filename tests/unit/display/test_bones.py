"""One-and-Twenty on the screen: stakes, throws, touches, and the coins at the end."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pygame
import pytest

from display import TableScreen
from display.drawing.text import ELLIPSIS
from display.drawing.theme import THEMES
from display.i18n.languages import languages
from display.table.seats import BEHIND_S, GLIDE_S
from tests.support.bone_moments import bone_moments

SIZES = ((800, 480), (1920, 1080))


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("language", languages())
def test_every_text_fits_its_box_and_touches_no_other(theme: str, language: str) -> None:
    for size in SIZES:
        screen = TableScreen(size, theme=THEMES[theme], language=language)
        for name, (view, prompt) in bone_moments(language).items():
            written = screen.draw(pygame.Surface(size), view, prompt)
            for piece in written:
                assert piece.box.contains(piece.ink), (name, piece.text)
                cut = piece.text.endswith(ELLIPSIS) and not piece.text.startswith("Bartholomew")
                assert not cut, (name, piece.text)
            for one, other in combinations(written, 2):
                assert not one.ink.colliderect(other.ink), (name, one.text, other.text)


def test_the_stake_is_seen_of_whose_turn_it_is_too() -> None:
    view, prompt = bone_moments()["stakes"]
    written = TableScreen((800, 480)).draw(pygame.Surface((800, 480)), view, prompt)
    words = [piece.text for piece in written]
    assert "To throw, stake 2" in words
    assert "Stake 10" in words


def test_a_players_plate_is_his_have_while_stakes_are_laid() -> None:
    """Rule KB-2: each player lays his own; the bank lays none."""
    screen = TableScreen((800, 480))
    view, prompt = bone_moments()["stakes"]
    touches = screen.touches(view, prompt)
    assert [(touch.button, touch.seat) for touch in touches] == [("have", 0), ("have", 1)]
    for name in ("choose", "extra", "done"):
        assert screen.touches(*bone_moments()[name]) == ()


def test_coins_glide_from_who_pays_to_who_is_paid() -> None:
    view, prompt = bone_moments()["done"]
    screen, size = TableScreen((800, 480)), (800, 480)

    def pixels(result_s: float) -> bytes:
        surface = pygame.Surface(size)
        screen.draw(surface, view, replace(prompt, result_s=result_s))
        return pygame.image.tobytes(surface, "RGB")

    still = pixels(0.0)
    assert pixels(GLIDE_S / 2) != still
    assert pixels(GLIDE_S / 2) != pixels(GLIDE_S / 4), "they move"
    over = GLIDE_S + 12 * BEHIND_S
    assert pixels(over) == still, "and then they have come"
    assert pixels(over + GLIDE_S) == still, "and set out no more"
    turn, said = bone_moments()["stakes"]
    one, other = pygame.Surface(size), pygame.Surface(size)
    screen.draw(one, turn, said, time_s=0.0)
    screen.draw(other, turn, said, time_s=12.0)  # the pointer's own swing is over, too
    assert pygame.image.tobytes(one, "RGB") == pygame.image.tobytes(other, "RGB")
