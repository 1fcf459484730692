"""Plates lie where the seats lie, and the look for large words keeps what it promises."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from itertools import combinations

import numpy as np
import pygame
import pytest

from device.config.legible import ANGLE, farthest_m
from display import TableScreen, prompt_for
from display.drawing.theme import PROMISED_CAPS, THEMES
from display.i18n.languages import languages
from display.table.layout import LARGE_BAR, LONG_BAR, PROMPT_BAR, lay_out
from tests.support.paths import ROOT
from tests.support.scat_moments import scat_moments
from tests.support.table_moments import moments
from vision.mat.layout import MatLayout
from vision.readings import ZoneKind

SIZES = ((800, 480), (1280, 720), (1920, 1080))


def degrees(place, middle):
    """Return the direction in which *place* lies, on a table as wide as it is high."""
    return math.degrees(math.atan2(place[1] / middle[1] - 1, place[0] / middle[0] - 1))


@pytest.mark.parametrize("bar", [PROMPT_BAR, LARGE_BAR])
@pytest.mark.parametrize("paper", ["A2", "A1", "A0"])
@pytest.mark.parametrize("seats", range(2, 9))
def test_a_plate_lies_where_its_seat_lies(seats, paper, bar):
    mat = MatLayout(seats, paper)
    middle = [length / 2 for length in mat.size_mm]
    lie = [np.mean(where, axis=0) for zone, where in mat.zones if zone.kind is ZoneKind.SEAT]
    for size in SIZES:
        places = lay_out(size, seats, bar=bar)
        for seat, plate in zip(lie, places.plates, strict=True):
            apart = degrees(seat, middle) - degrees(
                (plate.centerx - places.sheet.x, plate.centery - places.sheet.y),
                (places.sheet.w / 2, places.sheet.h / 2),
            )
            assert abs((apart + 180) % 360 - 180) <= 45, (seats, paper, size)


@pytest.mark.parametrize("panel", SIZES)
@pytest.mark.parametrize("bar", [PROMPT_BAR, LARGE_BAR, LONG_BAR])
@pytest.mark.parametrize("seats", range(2, 9))
def test_the_middle_is_free_from_edge_to_edge(seats, bar, panel):
    places = lay_out(panel, seats, bar=bar)
    band = pygame.Rect(0, places.centre.y, panel[0], places.centre.h)
    boxes = [*places.plates, band, places.prompt_bar]
    assert not any(one.colliderect(other) for one, other in combinations(boxes, 2))


@pytest.mark.parametrize("panel", SIZES)
@pytest.mark.parametrize("theme", THEMES)
def test_the_middle_has_rather_fewer_lines_than_small_or_crowded_ones(theme, panel):
    screen = TableScreen(panel, theme=THEMES[theme])
    for players in range(2, 9):
        written = screen.draw(pygame.Surface(panel), moments(players)["turn"][0])
        caps = [each.cap for each in written if re.match("Stake 1|Hand 3", each.text)]
        assert caps, "the stake stays"
        assert min(caps) >= 0.025 * panel[1]
        seen = scat_moments(max(players, 4))["restart"]
        lines = [
            each
            for each in screen.draw(pygame.Surface(panel), seen)
            if re.match("Hand 12|Pot|.* has knocked", each.text)
        ]
        assert all(each.box.h >= 1.3 * each.cap for each in lines), lines


def test_two_players_fill_the_table():
    for size in SIZES:
        assert all(plate.w >= 0.65 * size[0] for plate in lay_out(size, 2).plates)


@pytest.mark.parametrize("language", languages())
def test_from_the_distance_of_the_panel_its_words_have_enough_degrees(language):
    """Totals, questions and whose turn it is, in the look large (EN 301 549, 5.1.4)."""
    inches = 7.0
    for size in SIZES:
        screen = TableScreen(size, theme=THEMES["large"], language=language)
        height_m = inches * 0.0254 * size[1] / math.hypot(*size)
        far = farthest_m(inches, size)
        for seats in (2, 4, 6, 8):
            for name in ("turn", "bone", "showdown", "won-31", "yes-no"):
                view, prompt = moments(seats)[name]
                named = tuple(replace(seat, name=seat.name[:16]) for seat in view.seats)
                view = replace(view, seats=tuple(
                    replace(seat, name="Margaret") if seat.name.startswith("WWW") else seat
                    for seat in named
                ))  # fmt: skip
                shown = prompt or prompt_for(view, language)
                written = screen.draw(pygame.Surface(size), view, shown)
                totals = {str(seat.total) for seat in view.seats if seat.total is not None}
                title = [piece for piece in written if piece.text in shown.title]
                large = [piece for piece in written if piece.text in totals]
                assert title
                for piece in (max(title, key=lambda each: each.cap), *large):
                    seen = math.atan2(piece.cap / size[1] * height_m, far)
                    assert seen >= ANGLE * 0.999, (size, name, piece.text, piece.cap / size[1])


def test_the_promise_is_kept_by_whole_pixels_too():
    assert THEMES["large"].least > PROMISED_CAPS


def test_the_sheet_of_the_page_says_what_the_config_reckons():
    page = (ROOT / "docs" / "how-to" / "blind.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([\d.]+) in \| (\d+) x (\d+) \| ([\d.]+) m \|$", page, re.MULTILINE)
    assert len(rows) == 9
    for inches, width, height, far in rows:
        assert f"{farthest_m(float(inches), (int(width), int(height))):.2f}" == far


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", ["large", "contrast"])
def test_nothing_lies_on_anything_else_in_the_other_looks(name, language):
    cases = [each for seats in (2, 4, 8) for each in moments(seats).values()]
    cases += [(view, None) for seats in (2, 8) for view in scat_moments(seats).values()]
    for size in (SIZES[0], SIZES[2]):
        screen = TableScreen(size, theme=THEMES[name], language=language)
        surface = pygame.Surface(size)
        for view, prompt in cases:
            written = screen.draw(surface, view, prompt)
            for piece in written:
                assert piece.box.contains(piece.ink), (size, piece.text)
            for one, other in combinations(written, 2):
                assert not one.ink.colliderect(other.ink), (size, one.text, other.text)
