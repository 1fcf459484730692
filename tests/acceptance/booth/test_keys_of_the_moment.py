"""What a booth writes below the table: every moment, in every language, look and size."""

from dataclasses import replace
from itertools import combinations

import pygame
import pytest

from device.booth.hints import with_key_hints
from device.croupier.messages import cannot_see, undo_or_go_on
from device.croupier.questions import QuestionKind, exposed, how_many, which_card
from display import PromptKind, TableScreen, prompt_for
from display.drawing.text import ELLIPSIS
from display.drawing.theme import THEMES
from display.i18n.languages import languages
from display.i18n.translate import Translator
from display.pages.list import ListPage
from display.pages.renderer import PageScreen
from display.prompts.prompt import render
from engine import Card, Phase
from engine.core.messages.prompt import KeyHint, Prompt
from engine.games import catalog
from engine.games.one_and_thirty.prompts import TURN_UP
from tests.support.bone_moments import bone_moments
from tests.support.scat_moments import scat_moments
from tests.support.table_moments import moments

SIZES = ((800, 480), (1920, 1080))
FINGER = 0.07
"""The least a place to be touched measures, as a share of the screen's height: 6 mm on the 7-inch
panel, where what is meant is alone in its neighbourhood."""


def every_moment():
    """Yield the name of each moment and its view."""
    for players in (2, 4):
        for name, (view, _prompt) in moments(players).items():
            yield f"{name}-{players}", view
    turn = moments(4)["turn"][0]
    yield "drawn-4", replace(turn, seats=tuple(replace(s, cards=(None,) * 4) for s in turn.seats))
    for name, view in scat_moments(5).items():
        yield f"scat-{name}", view
    for name, (view, _prompt) in bone_moments().items():
        yield f"bones-{name}", view


def said(view, language, by_hand=False):
    prompt = catalog.find(view.game).prompt(view)
    return render(with_key_hints(prompt, view, by_hand), Translator.of(language))


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("language", languages())
def test_words_and_keys_have_their_room(language, theme):
    for size in SIZES[: 1 if theme != "felt" else 2]:
        screen = TableScreen(size, theme=THEMES[theme], language=language)
        surface = pygame.Surface(size)
        every = [
            (name, view, prompt)
            for name, view in every_moment()
            for prompt in {said(view, language), said(view, language, by_hand=True)}
        ]
        for name, view, prompt in every:
            band = [piece for piece in screen.draw(surface, view, prompt)
                    if piece.box.y > 0.78 * size[1]]  # fmt: skip
            texts = [piece.text for piece in band]
            assert all(hint.message in texts for hint in prompt.keys if hint.message), (name, texts)
            for piece in band:
                assert not piece.text.endswith(ELLIPSIS), (name, piece.text)
                assert piece.cap / size[1] >= 0.0135, (name, piece.text, piece.cap / size[1])
                assert piece.box.contains(piece.ink), (name, piece.text)
            for one, other in combinations(band, 2):
                assert not one.ink.colliderect(other.ink), (name, one.text, other.text)


@pytest.mark.parametrize("language", languages())
def test_every_key_can_be_touched_and_no_two_at_once(language):
    for size in SIZES:
        screen = TableScreen(size, language=language)
        for name, view in every_moment():
            prompt = said(view, language)
            touched = screen.touches(view, prompt)
            places = [t for t in touched if t.seat is None and t.choice is None]
            assert [t.button for t in places] == [hint.button for hint in prompt.keys], name
            for place in places:
                assert pygame.Rect((0, 0), size).contains(place.area), name
                assert min(place.area.size) >= FINGER * size[1], (name, place)
            for one, other in combinations(places, 2):
                assert not one.area.colliderect(other.area), (name, one, other)


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("cut-4", ["menu"]),
        ("deal-up-4", ["menu"]),
        ("turn-4", ["have", "stick", "menu"]),
        ("asked-4", ["menu"]),
        ("showdown-4", ["menu"]),
        ("won-31-4", ["next", "menu"]),
        ("scat-draw", ["stick", "menu"]),
        ("scat-restart", ["have", "stick", "menu"]),
        ("scat-match-over", ["next", "menu"]),
        ("bones-stakes", ["menu"]),
        ("bones-done", ["next", "menu"]),
    ],
)
def test_each_moment_names_the_buttons_that_mean_something(name, keys):
    view = dict(every_moment())[name]
    assert [hint.button for hint in said(view, "en").keys] == keys


def test_who_has_never_played_is_told_what_to_do_with_his_hands():
    seen = dict(every_moment())
    assert "Lay one card face up before you." in said(seen["cut-4"], "en").detail
    assert "as near to 31 as you can" in said(seen["bone-4"], "en").detail
    assert said(seen["drawn-4"], "en").detail == str(TURN_UP)
    told = said(seen["drawn-4"], "en", by_hand=True).detail
    assert told == "Just 31, or over? Tell it by MENU: What happened?", "nobody sees the cards"
    assert "Clear the mat for the next hand." in said(seen["won-31-4"], "en").detail
    assert "NEXT" not in said(seen["won-31-4"], "en").detail, "its key says it"


@pytest.mark.parametrize(
    ("question", "keys"),
    [
        (which_card("Ann", 0, (Card.parse("9D"), Card.parse("6D")), 1), ["have", "stick", "undo"]),
        (exposed("Ann", 0, Card.parse("9D"), 1), ["have", "stick", "menu"]),
        (how_many("Ann", 0, (0, 1, 2)), ["have", "stick", "undo"]),
    ],
)
def test_a_question_says_what_each_button_answers(question, keys):
    view = moments(4)["turn"][0]
    prompt = Prompt(
        question.text, question.detail, choices=question.answers, card_choices=question.cards,
        kind=PromptKind.QUESTION, keys=question.keys,
    )  # fmt: skip
    told = render(with_key_hints(prompt, view), Translator.of("en"))
    assert [hint.button for hint in told.keys] == keys
    assert told.detail == "", "the keys have said it"
    touched = TableScreen(SIZES[0]).touches(view, told)
    chosen = [t.choice for t in touched if t.choice is not None and t.button != "menu"]
    assert chosen == list(range(len(question.candidates)))


def test_every_kind_of_question_has_keys():
    one = which_card("Ann", 0, (Card.parse("9D"),), 1)
    for kind in QuestionKind:
        keys = replace(one, kind=kind).keys
        assert {"have", "stick"} <= {hint.button for hint in keys}, kind
        assert all(hint.message for hint in keys), kind


def test_what_was_refused_does_not_hide_what_is_to_be_done():
    view = moments(4)["turn"][0]
    ordinary = catalog.find(view.game).prompt(view)
    told = with_key_hints(Prompt("Nobody plays at that seat."), view)
    assert told.title == "Nobody plays at that seat."
    assert told.detail == ordinary.title


@pytest.mark.parametrize(
    ("notice", "keys"),
    [(undo_or_go_on("Why."), ["undo", "menu"]), (cannot_see("Check the cable."), ["menu"])],
)
def test_a_trouble_keeps_its_words_and_names_undo_where_that_helps(notice, keys):
    view = moments(4)["turn"][0]
    trouble = Prompt(notice.text, notice.detail, kind=PromptKind.TROUBLE, keys=notice.keys)
    told = with_key_hints(trouble, view)
    assert (told.title, told.detail) == (notice.text, notice.detail)
    assert [hint.button for hint in told.keys] == keys


def test_a_list_of_nothing_is_drawn():
    page = ListPage(title="Names", items=(), hints=(KeyHint("undo", "back"),))
    drawn = PageScreen(SIZES[0]).draw(pygame.Surface(SIZES[0]), page)
    assert [touch.button for touch in drawn.touches] == ["undo"]


def test_a_table_without_keys_is_drawn_as_ever():
    view = moments(4)["turn"][0]
    plain = prompt_for(view)
    keyed = replace(plain, keys=(KeyHint("menu", ""),))
    for prompt, keys in ((plain, []), (keyed, ["menu"])):
        touched = TableScreen(SIZES[0]).touches(view, prompt)
        assert [t.button for t in touched if t.choice is None] == keys
    assert view.phase is Phase.PLAY
