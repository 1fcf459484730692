"""A great moment on the screen: large, whole, in five languages, and never over the keys."""

from dataclasses import replace

import pygame
import pytest

from display import TableScreen, prompt_for
from display.drawing.theme import THEMES, theme_of
from display.i18n.languages import languages
from display.prompts.prompt import with_moment
from display.table.layout import lay_out
from display.table.moment import GROWS_S
from engine.core.messages.prompt import KeyHint
from engine.games.moments import MomentKind
from tests.support.great_moments import great_moments
from tests.support.table_moments import moments

SIZES = ((800, 480), (1280, 720), (1920, 1080))
LEAST = 0.12
"""The least height of its capitals, as a share of the screen's."""


def drawn(size, language, theme, view, moment, shown_s=1.0):
    screen = TableScreen(size, theme=THEMES[theme] if isinstance(theme, str) else theme,
                         language=language)  # fmt: skip
    surface = pygame.Surface(size)
    prompt = with_moment(prompt_for(view, language), moment, shown_s, language)
    written = screen.draw(surface, view, prompt)
    return surface, written, prompt


@pytest.mark.parametrize("theme", ["felt", "contrast", "large"])
@pytest.mark.parametrize("language", languages())
def test_its_words_are_large_and_whole(language, theme):
    for size in SIZES:
        for players in (2, 8):
            view = moments(players)["turn"][0]
            bar = lay_out(size, players).prompt_bar
            for name, moment in great_moments().items():
                _surface, written, prompt = drawn(size, language, theme, view, moment)
                (title,) = (piece for piece in written if piece.text == prompt.moment.title)
                assert title.cap >= LEAST * size[1], (name, size, title.cap / size[1])
                assert title.box.contains(title.ink), (name, size)
                details = written[written.index(title) + 1 :]
                details = [piece for piece in details if piece.box.bottom < bar.top]
                told = " ".join(piece.text for piece in details)
                assert told == prompt.moment.detail, (name, size, told)
                assert not any(piece.ink.colliderect(title.ink) for piece in details), (name, size)
                assert all(piece.box.contains(piece.ink) for piece in details), (name, size)
                assert title.box.bottom <= bar.top, (name, size)


def test_each_has_a_picture_of_its_own():
    view, seen = moments(4)["turn"][0], {}
    for moment in great_moments().values():
        alike = replace(moment, title="Oh!", detail="Ann", card=moment.card)
        surface, _written, _prompt = drawn(SIZES[0], "en", "felt", view, alike)
        seen[pygame.image.tobytes(surface, "RGB")] = moment.kind
    assert {*seen.values()} == {*MomentKind}


@pytest.mark.parametrize("language", languages())
def test_its_picture_has_room_beside_the_longest_words(language):
    view = moments(4)["turn"][0]
    for size in SIZES:
        for name, moment in great_moments().items():
            _surface, written, prompt = drawn(size, language, "felt", view, moment)
            (title,) = (piece for piece in written if piece.text == prompt.moment.title)
            assert title.box.x >= 0.08 * size[1], (name, size)


def test_the_bone_ace_is_all_of_gold():
    view, gold = moments(4)["turn"][0], THEMES["felt"].brass
    for name, moment in great_moments().items():
        surface, written, prompt = drawn(SIZES[0], "en", "felt", view, moment)
        (title,) = (piece for piece in written if piece.text == prompt.moment.title)
        ground = surface.get_at((title.box.right + 3, title.box.top + 8))[:3]
        assert (ground == gold) == (name == "bone-ace"), name


def test_it_covers_nothing_of_what_the_croupier_says():
    view = moments(8)["turn"][0]
    for size in SIZES:
        bar = lay_out(size, 8).prompt_bar
        plain = pygame.Surface(size)
        TableScreen(size).draw(plain, view, prompt_for(view))
        for moment in great_moments().values():
            over, _written, _prompt = drawn(size, "en", "felt", view, moment)
            assert over.subsurface(bar).get_view("2").raw == plain.subsurface(bar).get_view("2").raw


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("language", languages())
def test_the_question_below_it_stays_the_largest_of_the_bar(language, theme):
    view, moment = moments(4)["turn"][0], great_moments()["bone"]
    asked = replace(
        prompt_for(view, language),
        detail="Bartholomew Whit, everyone pays one token for the Bone, and one more for the ace.",
        hint="For onlookers: one more card would be over thirty-one in twenty of one hundred.",
        keys=(KeyHint("have", "one more card"), KeyHint("stick", "no more"), KeyHint("menu", "")),
    )
    for size in SIZES:
        screen = TableScreen(size, theme=THEMES[theme], language=language)
        shown = with_moment(asked, moment, 1.0, language)
        written = screen.draw(pygame.Surface(size), view, shown)
        bar = lay_out(size, 4).prompt_bar
        caps = {piece.text: piece.cap for piece in written if piece.box.top >= bar.top}
        assert caps[asked.title] == max(caps.values()) >= 0.055 * size[1], (size, caps)
        assert "no more" in caps, "the keys stay"


@pytest.mark.parametrize("shown_s", [0.0, 0.1])
def test_while_it_opens_nothing_of_it_stands_outside_of_its_frame(shown_s):
    view, moment = moments(4)["won-31"][0], great_moments()["bone-ace"]
    plain = pygame.Surface(SIZES[0])
    TableScreen(SIZES[0]).draw(plain, view, prompt_for(view))
    over, _written, _prompt = drawn(SIZES[0], "en", "felt", view, moment, shown_s)
    changed = pygame.mask.from_threshold(over, (0, 0, 0), (1, 1, 1, 255), plain)
    changed.invert()
    boxes = changed.get_bounding_rects()
    whole = lay_out(SIZES[0], 4).centre
    opened = whole.inflate(0, -round(whole.h * 0.6 * (1 - shown_s / GROWS_S)))
    assert min(box.top for box in boxes) >= opened.top - 1
    assert max(box.bottom for box in boxes) <= opened.bottom + 1


def test_it_stands_there_at_once_with_less_motion():
    view = moments(2)["turn"][0]
    moment = great_moments()["bone-ace"]
    pixels = lambda theme, at: pygame.image.tobytes(  # noqa: E731
        drawn(SIZES[0], "en", theme, view, moment, at)[0], "RGB"
    )
    calm = theme_of("felt", calm=True)
    assert pixels(calm, 0.0) == pixels(calm, 1.0)
    assert pixels("felt", 0.0) != pixels("felt", 1.0)
    assert pixels("felt", 0.3) == pixels("felt", 1.0), "whole within 300 ms"


def test_coins_fly_once_and_over_no_plate():
    view = moments(4)["won-31"][0]
    prompt, size = prompt_for(view), SIZES[0]
    rest = picture(view, prompt)
    assert picture(view, replace(prompt, result_s=0.7)) != rest
    assert picture(view, replace(prompt, result_s=4.7)) == rest, "and not again"
    calm = theme_of("felt", calm=True)
    assert picture(view, replace(prompt, result_s=0.7), calm) == picture(view, prompt, calm)
    one, other = (surface_of(view, replace(prompt, result_s=at)) for at in (0.7, 9.0))
    for plate in lay_out(size, 4).plates:
        assert pygame.image.tobytes(one.subsurface(plate), "RGB") == pygame.image.tobytes(
            other.subsurface(plate), "RGB"
        )


def surface_of(view, prompt, theme=None):
    surface = pygame.Surface(SIZES[0])
    TableScreen(SIZES[0], theme=theme or THEMES["felt"]).draw(surface, view, prompt)
    return surface


def picture(view, prompt, theme=None):
    return pygame.image.tobytes(surface_of(view, prompt, theme), "RGB")
