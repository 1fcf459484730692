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


@pytest.mark.parametrize("panel", SIZES)
@pytest.mark.parametrize("count", [4, 8])
def test_what_has_been_put_right_is_framed(count, panel):
    """The card alone, where it shows: nothing else on the screen changes, no neighbour either."""
    view, screen = moments(count)["won-31"][0], TableScreen(panel)
    cards, prompt = list(open_cards(view)), prompt_for(view)
    touches = [touch for touch in screen.touches(view, None) if touch.button == "menu"]
    pictures = {}
    for changed in (None, *(card for _seat, card in cards)):
        surface = pygame.Surface(panel)
        screen.draw(surface, view, replace(prompt, put_right=changed))
        pictures[changed] = pygame.surfarray.array3d(surface)
    found = {cards[touch.choice][1]: number for number, touch in reversed([*enumerate(touches)])}
    for card, number in found.items():
        touch = touches[number]
        differ = (pictures[card] != pictures[None]).any(axis=2)
        around = touch.area.inflate(30, 30).clip(pygame.Rect((0, 0), panel))
        assert differ[_pixels(around)].sum() == differ.sum()
        assert differ[_pixels(touch.area)].sum() > touch.area.h
        for other, each in enumerate(touches):
            over, own = each.area, touch.area
            if other < number:  # of those below it only what shows
                over = pygame.Rect(over.x, over.y, max(0, min(over.right, own.x) - over.x), over.h)
            assert other == number or not differ[_pixels(over)].any(), card


def _pixels(area):
    return slice(area.left, area.right), slice(area.top, area.bottom)


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
