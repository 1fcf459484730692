"""A card on the table screen is touched to be put right: where it is drawn, and which it is."""

from dataclasses import replace

import pygame
import pytest

from display import prompt_for
from display.drawing.canvas import Canvas
from display.table.correcting import open_cards
from display.table.screen import TableScreen
from engine import Phase
from engine.core.cards import Card
from tests.support.bone_moments import bone_moments
from tests.support.scat_moments import scat_moments
from tests.support.table_moments import moments

SIZES = [(800, 480), (1920, 1080), (480, 800)]
VIEWS = {
    **{f"{name}-{count}": moments(count)[name][0] for name in moments(4) for count in (2, 5, 8)},
    **{f"scat-{name}": view for name, view in scat_moments(4).items()},
}


@pytest.mark.parametrize("panel", SIZES)
@pytest.mark.parametrize("name", VIEWS)
def test_a_card_is_touched_where_it_is_drawn(name, panel, monkeypatch):
    view, screen = VIEWS[name], TableScreen(panel)
    drawn = []
    draw_card = Canvas.card

    def card(canvas, what, height, at, **more):
        drawn.append((what, *at, height))
        return draw_card(canvas, what, height, at, **more)

    monkeypatch.setattr(Canvas, "card", card)
    screen.draw(pygame.Surface(panel), view)
    cards = list(open_cards(view))
    touches = [touch for touch in screen.touches(view, None) if touch.button == "menu"]
    for touch in touches:
        seat, what = cards[touch.choice]
        assert seat == touch.seat
        assert (what, *touch.area.topleft, touch.area.h) in drawn
    spots = {(touch.area.topleft, touch.area.h) for touch in touches}
    named = {what for _seat, what in cards}
    left = {what for what, x, y, high in drawn if what in named and ((x, y), high) not in spots}
    # What stands there besides is a picture of the moment: the Bone-Ace, or a card that is held.
    shown = {view.bone.card} if view.bone is not None else set()
    held = {card for seat in view.seats for card in seat.known}
    assert left <= shown | held


def test_the_cards_of_a_cut_can_be_put_right():
    view = moments(4)["cut"][0]
    assert view.phase is Phase.CUT
    assert list(open_cards(view)) == list(view.cuts)


def test_a_back_is_no_card_to_be_put_right():
    view = moments(4)["turn"][0]
    backs = sum(card is None for seat in view.seats for card in seat.cards)
    assert backs
    assert all(isinstance(card, Card) for _seat, card in open_cards(view))


def test_of_cards_that_overlap_the_one_on_top_is_touched():
    view = moments(8)["won-31"][0]
    touches = [t for t in TableScreen((800, 480)).touches(view, None) if t.button == "menu"]
    for touch in touches:
        middle = touch.area.center
        over = [each for each in touches if each.area.collidepoint(middle)]
        assert touch in over


def test_what_has_been_put_right_is_framed():
    """The card alone: nothing else on the screen changes."""
    view = moments(4)["turn"][0]
    prompt = prompt_for(view)
    pictures = []
    for changed in (None, Card.parse("AH")):
        surface = pygame.Surface(SIZES[0])
        TableScreen(SIZES[0]).draw(surface, view, replace(prompt, put_right=changed))
        pictures.append(surface)
    places = dict(_drawn_places(view))
    place = places[Card.parse("AH")].inflate(30, 30)
    differ = [
        (x, y)
        for x in range(0, SIZES[0][0], 2)
        for y in range(0, SIZES[0][1], 2)
        if pictures[0].get_at((x, y)) != pictures[1].get_at((x, y))
    ]
    assert differ
    assert all(place.collidepoint(point) for point in differ)


def test_a_bone_that_has_been_put_right_is_framed():
    view, prompt = bone_moments()["how-many"]
    seat = next(seat for seat in view.seats if seat.throws)
    pictures = set()
    for place in (None, 0, 1):
        surface = pygame.Surface(SIZES[0])
        changed = None if place is None else (seat.seat, 0, place)
        TableScreen(SIZES[0]).draw(surface, view, replace(prompt, put_right=changed))
        pictures.add(pygame.image.tobytes(surface, "RGB"))
    assert len(pictures) == 3


def _drawn_places(view):
    screen = TableScreen(SIZES[0])
    touches = [touch for touch in screen.touches(view, None) if touch.button == "menu"]
    cards = list(open_cards(view))
    return [(cards[touch.choice][1], touch.area) for touch in touches]
