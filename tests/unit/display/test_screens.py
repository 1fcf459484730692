"""The screens around the game: every text in its box, in every theme, size and language."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations

import pygame
import pytest

from display import PromptKind, PromptText, TableScreen
from display.drawing.image import Picture
from display.drawing.screen import ScreenSizeError
from display.drawing.text import ELLIPSIS, Written
from display.drawing.theme import THEMES, ThemeError, theme_of
from display.i18n.languages import languages
from display.i18n.translate import Translator
from display.pages.base import Page, first_row
from display.pages.camera import CameraPage
from display.pages.evening import Column
from display.pages.list import Item, ListPage
from display.pages.renderer import SHARE_SIZE, PageScreen, save_page
from display.pages.rules import Heading, RulesPage
from engine.core.bones import Face
from engine.core.cards import Card, Suit
from engine.core.messages.message import Message
from engine.core.messages.prompt import KeyHint
from tests.support.screen_samples import pages

PAGES = pages()
SCREENS: dict[tuple[object, ...], PageScreen] = {}


def screen_of(size: tuple[int, int], theme: str = "felt", language: str = "en") -> PageScreen:
    key = (size, theme, language)
    if key not in SCREENS:
        SCREENS[key] = PageScreen(size, theme=THEMES[theme], language=language)
    return SCREENS[key]


def drawn(
    page: Page, size: tuple[int, int] = (800, 480), theme: str = "felt", time_s: float = 0.0
) -> tuple[bytes, tuple[Written, ...]]:
    surface = pygame.Surface(size)
    surface.fill((255, 0, 255))
    written = screen_of(size, theme).draw(surface, page, time_s=time_s).written
    return pygame.image.tobytes(surface, "RGB"), written


def fits(written: tuple[Written, ...], size: tuple[int, int]) -> None:
    whole = pygame.Rect((0, 0), size)
    for piece in written:
        assert piece.box.contains(piece.ink), f"{piece.text!r} leaves its box"
        assert whole.contains(piece.box), f"{piece.text!r} leaves the screen"
    for one, other in combinations(written, 2):
        assert not one.ink.colliderect(other.ink), f"{one.text!r} lies on {other.text!r}"


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", PAGES)
def test_every_text_fits_its_box_and_touches_no_other(
    name: str, theme: str, size: tuple[int, int]
) -> None:
    _pixels, written = drawn(PAGES[name], size, theme)
    fits(written, size)
    assert min(piece.cap for piece in written) > 0.015 * min(size), "too small to be read"
    cut = [piece.text for piece in written if piece.text.endswith(ELLIPSIS)]
    assert [text for text in cut if not text.startswith("Ann")] == []


@pytest.mark.parametrize("panel", [(480, 270), (640, 480), (480, 800), (2560, 1080)])
@pytest.mark.parametrize("name", PAGES)
def test_other_panels_hold_their_texts_too(name: str, panel: tuple[int, int]) -> None:
    surface = pygame.Surface(panel)
    written = PageScreen(panel).draw(surface, PAGES[name]).written
    assert all(piece.box.contains(piece.ink) for piece in written)


@pytest.mark.parametrize("name", PAGES)
def test_all_of_the_surface_is_painted(name: str) -> None:
    pictures = []
    for ground in ((255, 0, 255), (0, 255, 255)):
        surface = pygame.Surface((800, 480))
        surface.fill(ground)
        screen_of((800, 480)).draw(surface, PAGES[name])
        pictures.append(pygame.image.tobytes(surface, "RGB"))
    assert pictures[0] == pictures[1]


@pytest.mark.parametrize("name", PAGES)
def test_touches_lie_on_the_screen_and_press_known_buttons(
    name: str, size: tuple[int, int]
) -> None:
    touches = screen_of(size).draw(pygame.Surface(size), PAGES[name]).touches
    whole = pygame.Rect((0, 0), size)
    for touch in touches:
        assert whole.contains(touch.area)
        assert touch.button in ("have", "stick", "next", "undo", "menu", "left", "right")
    choices = [touch for touch in touches if touch.choice is not None]
    for one, other in combinations(choices, 2):
        assert not one.area.colliderect(other.area), "two answers under one finger"
    least = 0.07 * size[1]
    assert all(min(touch.area.size) >= least for touch in choices), "too small for a finger"


@pytest.mark.parametrize("name", [n for n, page in PAGES.items() if page.focus >= 0])
def test_the_item_marked_differs_from_the_others(name: str) -> None:
    page = PAGES[name]
    if isinstance(page, RulesPage):
        pytest.skip("a page of rules has nothing to mark")
    import dataclasses

    other = dataclasses.replace(page, focus=page.focus + 1)
    same = drawn(page)[0] == drawn(other)[0]
    assert not same


def test_a_long_list_scrolls_so_that_the_mark_is_in_view() -> None:
    items = tuple(Item(f"Row {number}") for number in range(40))
    for focus in (0, 7, 21, 39):
        page = ListPage(title="Many", items=items, focus=focus)
        assert f"Row {focus}" in [piece.text for piece in drawn(page)[1]]
    assert first_row(0, 3, 8) == 0


def test_rules_turn_leaves_only_where_they_must() -> None:
    page = PAGES["rules"]
    assert not [piece for piece in drawn(page, (1920, 1080))[1] if "/" in piece.text]
    for written in (drawn(page)[1], drawn(page, (1920, 1080), theme="large")[1]):
        assert len([piece for piece in written if " / " in piece.text]) == 1, "rather than shrink"


def test_the_key_that_turns_leaves_is_named_where_there_are_several() -> None:
    page = replace(PAGES["rules"], hints=(KeyHint("undo", "back"),))
    for size, keys in (((800, 480), ["STICK", "UNDO"]), ((1920, 1080), ["UNDO"])):
        written = [piece.text for piece in drawn(page, size)[1]]
        assert [text for text in written if text in ("STICK", "UNDO")] == keys
        assert ("next page" in written) == ("STICK" in keys)


def test_each_rule_has_its_dot_where_it_begins() -> None:
    rule = "Cards count their number, and so on, for as long as it takes to fill more than a line. "
    page = RulesPage(title="Rules", sections=(Heading("The aim", (2 * rule, "Short.")),))
    surface = pygame.Surface((1920, 1080))
    written = screen_of((1920, 1080)).draw(surface, page).written
    brass = THEMES["felt"].brass
    lines = [piece for piece in written if piece.box.y > 0 and re.search("[a-z]", piece.text)]
    dotted = [
        piece.text.split()[0]
        for piece in lines
        if piece.text not in ("Rules", "The aim")
        and any(
            tuple(surface.get_at((x, piece.box.centery)))[:3] == brass
            for x in range(piece.box.x - piece.box.h, piece.box.x)
        )
    ]
    assert len(lines) > 4, "the long rule takes more than one line"
    assert dotted == ["Cards", "Short."]


def test_nobody_leads_where_nobody_is_ahead(size: tuple[int, int]) -> None:
    def rows(tokens: int) -> pygame.Surface:
        columns = (Column("Ann", tokens), Column("Bess", tokens))
        surface = pygame.Surface(size)
        screen_of(size).draw(surface, replace(PAGES["share"], columns=columns))
        return surface

    none, behind, ahead = rows(0), rows(-1), rows(1)
    left = pygame.Rect(0, 0, size[0] // 2, size[1])  # the totals stand in the right half
    bare, same, crowned = (
        pygame.image.tobytes(one.subsurface(left), "RGB") for one in (none, behind, ahead)
    )
    assert bare == same
    assert bare != crowned


def test_the_camera_page_shows_the_picture_itself() -> None:
    page = PAGES["camera"]
    assert isinstance(page, CameraPage)
    surface = pygame.Surface((800, 480))
    screen_of((800, 480)).draw(surface, page)
    colours = {tuple(surface.get_at((x, 240)))[:3] for x in range(40, 480, 5)}
    assert (60, 90, 40) in colours, "blue, green, red in memory is red, green, blue on the screen"
    assert (220, 210, 200) in colours


@pytest.mark.parametrize(("shape", "count"), [((2, 2), 11), ((0, 4), 0), ((2, 2), 13)])
def test_a_picture_of_another_size_is_refused(shape: tuple[int, int], count: int) -> None:
    with pytest.raises(ValueError, match="contiguous BGR"):
        Picture(shape, bytes(count))


def test_a_page_is_written_as_a_picture(tmp_path) -> None:
    path = tmp_path / "new" / "evening.png"
    save_page(PAGES["share"], path, "en")
    assert pygame.image.load(path).get_size() == (1200, 900)
    save_page(PAGES["share"], tmp_path / "evening.xyz", "en")
    assert (tmp_path / "evening.xyz").read_bytes() == path.read_bytes()
    for place in (path / "below" / "a file.png", tmp_path):
        with pytest.raises(OSError, match=r"File exists|Not a directory|Is a directory") as found:
            save_page(PAGES["share"], place, "en")
        assert found.value.filename is not None, "the command says which file"


def test_the_picture_to_keep_speaks_the_language_of_the_table(tmp_path) -> None:
    page = replace(PAGES["share"], headline=Message("Nobody is ahead"))
    kept = {}
    for language in languages():
        path = tmp_path / f"{language}.png"
        save_page(page, path, language)
        kept[language] = pygame.image.tobytes(pygame.image.load(path), "RGB")
        surface = pygame.Surface(SHARE_SIZE)
        written = PageScreen(SHARE_SIZE, language=language).draw(surface, page).written
        headline = Translator.of(language).render(page.headline)
        assert headline in [piece.text for piece in written]
        assert kept[language] == pygame.image.tobytes(surface, "RGB")
    assert len(set(kept.values())) == len(kept) == 5


def test_a_surface_of_another_size_is_refused() -> None:
    with pytest.raises(ScreenSizeError, match="make a PageScreen for it"):
        screen_of((800, 480)).draw(pygame.Surface((640, 480)), PAGES["menu"])
    with pytest.raises(ScreenSizeError, match="better 800x480"):
        PageScreen((100, 60))


# Questions beside what the camera saw


def question(**fields: object) -> PromptText:
    picture = Picture((28, 39), bytes((10, 20, 200)) * (28 * 39))
    start: dict[str, object] = {
        "title": "Which card is Ann's?",
        "detail": "HAVE IT: the one marked.",
        "kind": PromptKind.QUESTION,
        "picture": picture,
    }
    return PromptText(**(start | fields))  # type: ignore[arg-type]


ASKED = {
    "cards": question(card_choices=(Card.parse("9D"), Card.parse("6D"))),
    "four": question(card_choices=tuple(Card.parse(c) for c in ("9D", "6D", "QS", "8C"))),
    "bones": question(
        bone_choices=tuple(Face), choices=("flat, 1", "concave, 3", "convex, 4", "twisted, 6")
    ),
}


@pytest.mark.parametrize("name", ASKED)
def test_the_crop_stands_beside_the_candidates(at, name: str, size: tuple[int, int]) -> None:
    view, _none = at(4, "turn")
    screen = TableScreen(size)
    surface = pygame.Surface(size)
    prompt = ASKED[name]
    fits(screen.draw(surface, view, prompt), size)
    red = sum(
        tuple(surface.get_at((x, y)))[:3] == (200, 20, 10)
        for x in range(0, size[0], 7)
        for y in range(0, size[1], 7)
    )
    assert red * 49 > 0.05 * size[0] * size[1], "the crop is a large picture"
    touches = screen.touches(view, prompt)
    count = len(prompt.card_choices) + len(prompt.bone_choices)
    assert [touch.choice for touch in touches] == list(range(count))
    for one, other in combinations(touches, 2):
        assert not one.area.colliderect(other.area)
    for touch in touches:
        assert tuple(surface.get_at(touch.area.center))[:3] != (200, 20, 10)


def test_a_question_of_words_has_no_sheet(at) -> None:
    view, prompt = at(4, "yes-no")
    for said in (prompt, None):
        touches = TableScreen((800, 480)).touches(view, said)
        assert {touch.button for touch in touches} == {"menu"}, "only the cards"


@pytest.mark.parametrize("theme", THEMES)
def test_the_hint_stands_in_the_band(at, theme: str, size: tuple[int, int]) -> None:
    view, _none = at(4, "turn")
    prompt = PromptText(
        "Ann: stick, or have it?",
        "3 cards in hand.",
        kind=PromptKind.TURN,
        hint="One more card: over 31 in 38 of 100.",
    )
    written = TableScreen(size, theme=THEMES[theme]).draw(pygame.Surface(size), view, prompt)
    band = [piece for piece in written if piece.box.y > 0.8 * size[1]]
    assert prompt.hint in [piece.text for piece in band]
    assert prompt.detail in [piece.text for piece in band]
    fits(tuple(band), size)


# Themes


def test_themes_have_names_and_wrong_ones_are_refused() -> None:
    assert len({theme.title for theme in THEMES.values()}) == len(THEMES) >= 3
    assert all(theme_of(name).name == name for name in THEMES)
    with pytest.raises(ThemeError, match="did you mean"):
        theme_of("contrats")


def luminance(colour: tuple[int, int, int]) -> float:
    """Relative luminance of WCAG 2.2."""
    linear = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("name", THEMES)
def test_words_stand_out_from_their_ground(name: str) -> None:
    theme = THEMES[name]
    grounds = (theme.room, theme.plate, theme.band)
    least = 7.0 if name == "contrast" else 4.5  # WCAG 2.2: enhanced and ordinary
    for ground in grounds:
        for ink in (theme.ivory, theme.muted, theme.brass):
            assert contrast(ink, ground) >= least, (ink, ground)
    for suit in Suit:
        assert contrast(theme.suit(suit), theme.card) >= 4.5
    assert contrast(theme.ink, theme.ivory) >= least
    assert contrast(theme.ink, theme.brass) >= least


SIGHTS = {
    # Viénot, Brettel and Mollon 1999, on linear light; the third after Machado et al. 2009.
    "protanopia": ((0.1124, 0.8876, 0.0), (0.1124, 0.8876, 0.0), (0.004, -0.004, 1.0)),
    "deuteranopia": ((0.2928, 0.7072, 0.0), (0.2928, 0.7072, 0.0), (-0.0223, 0.0223, 1.0)),
    "tritanopia": ((1.2555, -0.0767, -0.1788), (-0.0784, 0.9308, 0.1476), (0.0047, 0.6914, 0.3039)),
}


def seen_as(colour: tuple[int, int, int], rows: tuple[tuple[float, ...], ...]) -> list[float]:
    linear = [(c / 255) ** 2.2 for c in colour]
    mixed = [sum(k * c for k, c in zip(row, linear, strict=True)) for row in rows]
    return [max(0.0, min(1.0, c)) ** (1 / 2.2) * 255 for c in mixed]


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("sight", SIGHTS)
def test_four_suits_stay_apart_for_the_colour_blind(name: str, sight: str) -> None:
    theme = theme_of(name, four_colours=True)
    for one, other in combinations(Suit, 2):
        first, second = (seen_as(theme.suit(s), SIGHTS[sight]) for s in (one, other))
        apart = sum((a - b) ** 2 for a, b in zip(first, second, strict=True)) ** 0.5
        assert apart > 40, (one, other, first, second)


def test_two_colours_are_the_old_ones() -> None:
    theme = theme_of("felt", four_colours=False)
    assert theme.suit(Suit.HEARTS) == theme.suit(Suit.DIAMONDS)
    assert theme.suit(Suit.SPADES) == theme.suit(Suit.CLUBS)
    assert theme.suit(Suit.SPADES) != theme.suit(Suit.HEARTS)


@pytest.mark.parametrize("name", ["turn", "won-31", "bone", "question"])
@pytest.mark.parametrize("theme", ["contrast", "large"])
def test_the_table_fits_in_every_theme(at, theme: str, name: str, size: tuple[int, int]) -> None:
    view, prompt = at(8, name)
    screen = TableScreen(size, theme=THEMES[theme])
    fits(screen.draw(pygame.Surface(size), view, prompt), size)


def test_large_text_is_larger(at) -> None:
    view, _none = at(4, "turn")
    caps = {}
    for theme in ("felt", "large"):
        written = TableScreen((800, 480), theme=THEMES[theme]).draw(
            pygame.Surface((800, 480)), view
        )
        caps[theme] = next(piece.cap for piece in written if piece.text == "Bess")
    assert caps["large"] > 1.15 * caps["felt"]


def test_languages_name_the_buttons_as_they_are_labelled() -> None:
    for language in languages():
        screen = screen_of((800, 480), language=language)
        said = [p.text for p in screen.draw(pygame.Surface((800, 480)), PAGES["menu"]).written]
        wanted = {"en": "HAVE IT", "fr": "CARTE", "de": "KARTE", "es": "CARTA", "nl": "KAART"}
        assert wanted[language] in said


def test_what_everybody_won_is_written_in_one_size(size: tuple[int, int]) -> None:
    _pixels, written = drawn(PAGES["share"], size)
    totals = [piece for piece in written if piece.text.endswith(")")]
    assert len(totals) == len(PAGES["share"].columns)
    assert len({piece.cap for piece in totals}) == 1
