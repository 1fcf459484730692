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
from display.pages.seats import places as chips
from display.table.layout import LARGE_BAR, LONG_BAR, PROMPT_BAR, lay_out
from display.table.prompt_bar import REFUSED
from tests.support.paths import ROOT
from tests.support.scat_moments import scat_moments
from tests.support.table_moments import moments
from vision.mat.layout import MatLayout
from vision.readings import ZoneKind

PAPERS = ("A2", "A1", "A0")
SIZES = ((800, 480), (1280, 720), (1920, 1080))


def degrees(place, middle):
    """Return the direction in which *place* lies, on a table as wide as it is high."""
    return math.degrees(math.atan2(place[1] / middle[1] - 1, place[0] / middle[0] - 1))


def lie_of(seats, paper):
    """Return in which direction each seat of a mat lies."""
    mat = MatLayout(seats, paper)
    middle = [length / 2 for length in mat.size_mm]
    where = [np.mean(where, axis=0) for zone, where in mat.zones if zone.kind is ZoneKind.SEAT]
    return [degrees(seat, middle) for seat in where]


def apart(plate, room, lies):
    """Return how far a plate on *room* is from where its seat lies, in degrees."""
    at = (plate.centerx - room.x, plate.centery - room.y)
    return abs((lies - degrees(at, (room.w / 2, room.h / 2)) + 180) % 360 - 180)


@pytest.mark.parametrize("bar", [PROMPT_BAR, LARGE_BAR, LONG_BAR])
@pytest.mark.parametrize("seats", range(2, 9))
def test_a_plate_lies_where_its_seat_lies(seats, bar):
    """Whoever of them play: seats stay free at most tables."""
    papers = [lie_of(seats, paper) for paper in PAPERS]
    companies = [who for n in range(2, seats + 1) for who in combinations(range(seats), n)]
    for size in SIZES:
        for taken in companies:
            places = lay_out(size, seats, bar=bar, taken=taken)
            assert len(places.plates) == len(taken)
            for seat, plate in zip(taken, places.plates, strict=True):
                for lie in papers:
                    assert apart(plate, places.sheet, lie[seat]) <= 45, (taken, size)
                assert places.sheet.contains(plate)
            pairs = combinations((*places.plates, places.prompt_bar), 2)
            assert not any(one.colliderect(other) for one, other in pairs), (taken, size)


def test_a_free_seat_leaves_its_room_to_the_others():
    for size in SIZES:
        of_eight = lay_out(size, 8).plates[0].w
        for taken in ((0, 1, 4), (2, 3), (0, 2, 5, 6)):
            assert lay_out(size, 8, taken=taken).plates[0].w >= 1.2 * of_eight, taken
        assert lay_out(size, 4, taken=(0, 2)).plates[0].w >= 0.65 * size[0], "across the table"


def test_the_table_is_drawn_by_the_mat_that_is_seen():
    screen, view = TableScreen(SIZES[0]), moments(2)["turn"][0]
    for first, second in ((0, 1), (0, 2)):
        seats = tuple(
            replace(seat, seat=n) for seat, n in zip(view.seats, (first, second), strict=True)
        )
        seen = replace(view, seats=seats, turn=second, dealer=first)
        drawn = {
            count: {piece.text: piece.box for piece in screen.draw(
                pygame.Surface(SIZES[0]), seen, replace(prompt_for(seen), mat_seats=count))}
            for count in (0, 2, 4)
        }  # fmt: skip
        names = [seat.name for seat in seats]
        at_end = drawn[4][names[1]].centerx < SIZES[0][0] / 3
        assert at_end == (second == 1), "the second seat of four is at the left end of the mat"
        assert drawn[0] == drawn[2], "nothing is seen, or fewer seats than players have numbers"


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("seats", range(2, 9))
def test_who_sits_down_finds_his_seat_where_it_lies(seats, paper):
    room, chip = pygame.Rect(0, 0, 760, 280), (200, 47)
    for lies, place in zip(lie_of(seats, paper), chips(room, seats, chip), strict=True):
        assert apart(place, room, lies) <= 45, (seats, paper)


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


@pytest.mark.parametrize("seats", range(2, 9))
def test_a_line_more_on_the_bar_takes_nothing_from_the_middle(seats):
    for size in SIZES:
        plain, more = (lay_out(size, seats, bar=bar) for bar in (PROMPT_BAR, PROMPT_BAR + REFUSED))
        assert more.centre.h >= plain.centre.h - 2, "but for rounding"


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
