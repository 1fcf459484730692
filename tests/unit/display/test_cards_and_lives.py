"""Court cards, the indices of a language's decks, and how lives are drawn."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pygame
import pytest

from display import TableScreen
from display.drawing.courts import COURTS, rank_text
from display.drawing.shapes import card_face, note
from display.drawing.text import SurfaceCache
from display.drawing.theme import Theme
from display.table.scat_seats import CORNERS, NOTES
from engine.core.cards import Card, Rank
from engine.core.views import PlayerMatchView
from engine.games import catalog
from tests.support.scat_moments import scat_moments

SIZE = (800, 480)


def face(code: str, *, large: bool = True, language: str = "en") -> bytes:
    made = card_face(
        SurfaceCache(), Theme(), Card.parse(code), 120, large=large, language=language
    )  # fmt: skip
    return pygame.image.tobytes(made, "RGBA")


@pytest.mark.parametrize(
    ("language", "letters"),
    [("en", "JQK"), ("es", "JQK"), ("fr", "VDR"), ("de", "BDK"), ("nl", "BVH"), ("xx", "JQK")],
)
def test_court_cards_have_the_indices_of_the_decks_sold_there(language: str, letters: str) -> None:
    assert "".join(rank_text(rank, language) for rank in COURTS) == letters
    assert rank_text(Rank.ACE, language) == "A"
    differs = face("QS", language=language) != face("QS")
    assert differs == (rank_text(Rank.QUEEN, language) != "Q")


def test_every_court_card_has_its_own_figure() -> None:
    """Right of the index, where no letter tells them apart."""
    pictures = {}
    for code in ("JH", "QH", "KH", "JS", "QS", "KS"):
        made = card_face(SurfaceCache(), Theme(), Card.parse(code), 200, large=True)
        frame = pygame.Rect(0.36 * made.get_width(), 0, 0.6 * made.get_width(), made.get_height())
        pictures[code] = pygame.image.tobytes(made.subsurface(frame), "RGBA")
    assert all(pictures[one] != pictures[other] for one, other in combinations(pictures, 2))


def test_a_figure_is_the_same_upside_down() -> None:
    made = card_face(SurfaceCache(), Theme(), Card.parse("KS"), 400, large=True)
    inside = pygame.Rect(0.4 * made.get_width(), 40, 0.5 * made.get_width(), 320)
    figure = made.subsurface(inside)
    turned = pygame.transform.rotate(figure, 180)
    same = sum(
        figure.get_at((x, y)) == turned.get_at((x, y))
        for x in range(0, figure.get_width(), 4)
        for y in range(0, figure.get_height(), 4)
    )
    assert same > 0.5 * (figure.get_width() // 4) * (figure.get_height() // 4)


def test_a_note_shows_its_corners() -> None:
    ink, ground = (230, 182, 84), (12, 36, 31)
    pictures = [
        pygame.image.tobytes(note(SurfaceCache(), n, 40, ink, ground), "RGBA")
        for n in range(CORNERS + 1)
    ]
    assert len(set(pictures)) == CORNERS + 1


def test_notes_are_drawn_by_rules_that_there_are() -> None:
    assert {*NOTES} <= {preset.name for preset in catalog.find("scat").presets}


@pytest.mark.parametrize("lives", range(1, 5))
def test_lives_are_pennies_or_corners(lives: int) -> None:
    view = scat_moments(2)["draw"]
    seats = tuple(replace(seat, match=PlayerMatchView(lives=lives)) for seat in view.seats)
    pictures = set()
    for preset in ("wikipedia", *NOTES):
        surface = pygame.Surface(SIZE)
        TableScreen(SIZE).draw(surface, replace(view, seats=seats, preset=preset))
        pictures.add(pygame.image.tobytes(surface, "RGB"))
    assert len(pictures) == 2, "both rules of the note are drawn alike, and not as pennies"


def test_the_pot_is_in_sight_in_play_and_after_a_hand() -> None:
    for name in ("draw", "lost"):
        view = scat_moments(4)[name]
        assert view.match is not None
        view = replace(view, match=replace(view.match, pot=12))
        written = TableScreen(SIZE).draw(pygame.Surface(SIZE), view)
        assert any("Pot: 12 tokens" in piece.text for piece in written), name
