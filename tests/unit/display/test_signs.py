"""Strangers are told apart by a shape and a colour, wherever their names stand."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pygame
import pytest

from display import TableScreen
from display.drawing.signs import sign_picture
from display.drawing.text import Face, SurfaceCache, TextPainter, text_width
from display.drawing.theme import THEMES
from display.i18n.languages import LANGUAGES
from display.i18n.signs import SIGNS
from display.i18n.translate import Translator
from display.pages.evening import Column, LedgerPage
from display.pages.renderer import PageScreen
from engine.core.messages.message import stranger
from tests.support.table_moments import moments

INK = (245, 236, 214)


def test_no_sign_has_the_shape_of_another():
    masks = [pygame.surfarray.array_alpha(sign_picture(n, 24, INK)) > 127 for n in range(8)]
    for one, other in combinations(masks, 2):
        assert (one & other).sum() < 0.85 * (one | other).sum()


def test_no_sign_has_the_colour_of_another():
    seen = [pygame.surfarray.array3d(sign_picture(n, 40, INK)) for n in range(8)]
    fills = []
    for picture in seen:
        colours, counts = np.unique(picture.reshape(-1, 3), axis=0, return_counts=True)
        coloured = (np.abs(colours.astype(int) - INK).max(axis=1) > 4) & (colours.max(axis=1) > 90)
        fills.append(colours[coloured][counts[coloured].argmax()].astype(int))
    for one, other in combinations(fills, 2):
        assert np.abs(one - other).max() > 40


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_name_of_a_stranger_has_its_sign_once(language):
    view, _prompt = moments(8)["turn"]
    seats = tuple(replace(seat, name=stranger(seat.seat + 1)) for seat in view.seats)
    screen = TableScreen((1920, 1080), language=language)
    written = screen.draw(pygame.Surface(screen.size), replace(view, seats=seats))
    say = Translator.of(language).render
    for seat in seats:
        wanted = f"{SIGNS[seat.seat]}\N{NO-BREAK SPACE}{say(seat.name)}"
        assert wanted in [each.text for each in written]
    assert any(SIGNS[view.turn] in each.text for each in written if each.cap > 50)
    assert all(each.text.count(sign) < 2 for each in written for sign in SIGNS)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("players", "shown"), [(3, "■\xa0Joueur 3"), (8, "■\xa03")])
def test_where_columns_are_narrow_sign_and_number_are_enough(players, shown, theme):
    columns = tuple(Column(stranger(n), 20 - n) for n in range(1, players + 1))
    screen = PageScreen((800, 480), theme=THEMES[theme], language="fr")
    drawn = screen.draw(pygame.Surface(screen.size), LedgerPage(title="x", columns=columns))
    (piece,) = (each for each in drawn.written if each.text == shown)
    assert piece.cap >= 0.022 * 480


def test_a_name_that_was_given_has_no_sign():
    say = Translator.of("de").signed
    assert say("Bess zahlt 3 Marken.") == "Bess zahlt 3 Marken."
    assert say(say("Spieler 9 gibt.")) == "●\N{NO-BREAK SPACE}Spieler 9 gibt."


@pytest.mark.parametrize("face", Face)
def test_a_sign_has_its_own_room(face):
    """The words behind it stand where they stand behind a blank; the sign is before them."""
    pen = TextPainter(pygame.Surface((400, 80)), SurfaceCache())
    ink = pen.line("▲\N{NO-BREAK SPACE}Ann", pygame.Rect(0, 0, 400, 80), 40, INK, face=face)
    assert ink.w > text_width("Ann", face, 40) + 40
    before = pygame.surfarray.array3d(pen.surface)[: ink.x + 30].max(axis=(1, 2))
    assert before.max() > 200
