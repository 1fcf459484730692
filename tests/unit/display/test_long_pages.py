"""Nothing cut off on the screens around the game: every title and note, with its longest values."""

import ast
import re
from itertools import combinations

import pygame
import pytest

from display.drawing.text import ELLIPSIS
from display.drawing.theme import THEMES
from display.i18n.languages import languages
from display.pages.cards import CardsPage, Pick
from display.pages.list import Item, ListPage
from display.pages.renderer import PageScreen
from display.pages.rules import Heading, RulesPage
from engine.core.bones import Face
from engine.core.cards import Card, Rank, Suit
from engine.core.messages.message import Listing, Message
from engine.core.messages.prompt import KeyHint
from engine.games import catalog
from tests.support.paths import ROOT

SCENES = ROOT / "device" / "booth"
SIZES = ((800, 480), (1280, 720), (1920, 1080))
LOOKS = [(size, theme) for theme in THEMES for size in SIZES]
NAME = "Bartholomew Whit"  # sixteen letters, the most that can be typed
KEYS = (
    KeyHint("have", Message("choose")),
    KeyHint("stick", Message("next one")),
    KeyHint("undo", Message("to the table")),
)
TOLD = ("title", "note")
VALUES = {
    **dict.fromkeys(("name", "other"), NAME),
    "names": Listing((NAME, "Wilhelmina", "Ann")),
    "card": Message("queen of {suit}", suit=Message("diamonds")),
    "game": Message("One-and-Thirty"),
    "preset": "California Quick",
    "bet": Message("{name} wins the match", name=NAME),
}


def sentences(told):
    """Return what the scenes show as a title, or as a note below it: an id, and its plural."""
    found = set()
    for path in sorted(SCENES.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.keyword(arg=name, value=value) if name == told:
                    found |= set(messages(value))
                case ast.Assign(targets=[target], value=value) if named(target) == told:
                    found |= set(messages(value))
                case ast.AnnAssign(target=target, value=value) if named(target) == told and value:
                    found |= set(messages(value))
    return sorted(found)


def named(target):
    return getattr(target, "id", None) or getattr(target, "attr", None)


def messages(node):
    """Yield each message in an expression."""
    for each in ast.walk(node):
        if isinstance(each, ast.Call) and getattr(each.func, "id", "") == "Message":
            ids = [arg.value for arg in each.args if isinstance(arg, ast.Constant)]
            if ids and isinstance(ids[0], str):
                yield (ids[0], ids[1] if len(ids) > 1 and isinstance(ids[1], str) else "")


def with_longest_values(ids):
    names = set(re.findall(r"{(\w+)}", " ".join(ids)))
    return Message(*ids, 41, **{name: VALUES.get(name, 41) for name in names})


def test_the_scenes_have_titles_and_notes():
    titles, notes = (dict(sentences(told)) for told in TOLD)
    assert {"Menu", "End this game?", "Which rank is it?"} <= {*titles}
    assert "The game waits." in notes
    assert len(titles) > 35
    assert len(notes) > 10


@pytest.mark.slow
@pytest.mark.parametrize("language", languages())
def test_no_title_and_no_note_is_cut_off(language):
    cut = []
    pages = [{told: with_longest_values(ids)} for told in TOLD for ids in sentences(told)]
    for size, theme in LOOKS:
        screen, surface = PageScreen(size, theme=THEMES[theme], language=language), None
        surface = pygame.Surface(size)
        for words in pages:
            page = ListPage(
                title=words.get("title", Message("Menu")),
                note=words.get("note", Message("The game waits.")),
                hints=KEYS,
                focus=0,
                items=(Item(Message("Go on")), Item(Message("Another game"))),
            )
            written = screen.draw(surface, page).written
            for piece in written:
                if piece.text.endswith(ELLIPSIS):
                    cut.append((size, theme, piece.text))
                assert piece.box.contains(piece.ink), (size, theme, piece.text)
            for one, other in combinations(written, 2):
                assert not one.ink.colliderect(other.ink), (size, theme, one.text, other.text)
    assert cut == []


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("theme", THEMES)
def test_each_preset_is_told_by_one_plain_sentence_that_is_shown_whole(theme, language):
    for game in catalog.all_games():
        for preset in game.presets:
            assert re.fullmatch(r"[^.]+\.", preset.tells), preset.name
            assert not re.search(r"\b[SE]\d", preset.tells), preset.name
        items = tuple(Item(each.name, detail=Message(each.tells)) for each in game.presets)
        for size in SIZES[:2]:
            screen = PageScreen(size, theme=THEMES[theme], language=language)
            for focus in range(len(items)):
                page = ListPage(title="x", hints=KEYS, focus=focus, items=items)
                for piece in screen.draw(pygame.Surface(size), page).written:
                    assert not piece.text.endswith(ELLIPSIS), (size, piece.text)


def rules_page(title, **pictures):
    sections = (Heading("The aim", ("Near to 31, but not over it.",)),)
    page = RulesPage(title=title, note="Willughby", hints=KEYS, sections=sections, **pictures)
    surface = pygame.Surface(SIZES[0])
    written = PageScreen(SIZES[0]).draw(surface, page).written
    return pygame.image.tobytes(surface, "RGB"), written


@pytest.mark.parametrize("pictures", [{"cards": (None, Card.parse("AH"))}, {"bones": tuple(Face)}])
def test_the_rules_show_what_the_game_is_about_where_there_is_room(pictures):
    plain, written = rules_page("Bone-Ace")
    drawn, same = rules_page("Bone-Ace", **pictures)
    assert drawn != plain
    assert same == written, "no word gives way"
    long = "A game with a name that takes up all of the line"
    assert rules_page(long, **pictures)[0] == rules_page(long)[0], "nothing is drawn over words"


@pytest.mark.parametrize("panel", SIZES)
def test_rules_on_several_leaves_are_as_large_as_so_many_leaves_allow(panel):
    sentence = "Cards count their number, court cards ten, the ace one; suits do not matter at all."
    screen, caps = PageScreen(panel), []
    for number in (10, 30, 60):
        page = RulesPage(title="Bone-Ace", sections=(Heading("The aim", number * (sentence,)),))
        written = screen.draw(pygame.Surface(panel), page).written
        caps.append(min(piece.cap for piece in written if piece.text.startswith("Cards")))
    assert caps[0] >= 0.0255 * panel[1], "a short page is written large"
    assert min(caps) >= 9.5, "no page in letters that are read with effort"


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("panel", SIZES)
@pytest.mark.parametrize("count", [4, 9, 14, 18, 28])
def test_names_below_cards_can_be_read(count, panel, theme):
    names = ("Bartholomew Whit", "Wilhelmina Smith", "Ann")
    deck = [Card(rank, suit) for rank in Rank for suit in Suit]
    picks = tuple(Pick(card, names[n % 3]) for n, card in enumerate(deck[:count]))
    for focus in range(2):
        page = CardsPage(title="Which card?", items=picks, focus=focus)
        drawn = PageScreen(panel, theme=THEMES[theme]).draw(pygame.Surface(panel), page)
        below = [piece for piece in drawn.written if piece.text != "Which card?"]
        assert " ".join(piece.text for piece in below) == " ".join(pick.label for pick in picks)
        assert min(piece.cap for piece in below) >= 0.016 * panel[1]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("panel", SIZES)
def test_the_name_below_a_marked_card_stands_within_its_frame(panel, theme):
    picks = tuple(Pick(Card.parse(code), "Jippy") for code in ("QC", "5C", "JS", "8C"))
    for focus, keys in ((0, KEYS), (2, ())):
        page = CardsPage(title="Which card?", items=picks, focus=focus, hints=keys)
        drawn = PageScreen(panel, theme=THEMES[theme]).draw(pygame.Surface(panel), page)
        names = [piece for piece in drawn.written if piece.text == "Jippy"]
        (place,) = (touch.area for touch in drawn.touches if touch.choice == focus)
        frame = place.inflate(-0.02 * panel[1], -0.02 * panel[1])
        assert frame.contains(names[focus].ink)
