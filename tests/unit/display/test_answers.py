"""Answers in words and the keys beside them: all can be read, however long they are."""

from dataclasses import replace
from itertools import combinations

import pygame
import pytest

from device.croupier import by_hand
from device.croupier import questions as ask
from device.croupier.questions import Choice, QuestionKind
from device.croupier.scat import messages as in_middle
from device.croupier.scat.words import _MOVES
from display import PromptKind, TableScreen, prompt_for
from display.controls import BUTTON_WORDS
from display.drawing.text import ELLIPSIS
from display.drawing.theme import THEMES
from display.i18n.languages import languages
from display.i18n.translate import Translator
from display.prompts.prompt import render
from engine import Card
from engine.core.messages.message import Message
from engine.core.messages.prompt import Prompt
from tests.support.table_moments import moments
from tests.unit.display.test_long_messages import LOOKS, NAME

NAMES = (NAME, "Wilhelmina Smith", "Ann", "Bess", "Tom", "Joan", "Margaret")
LEAST_NAME, LEAST_WORDS = 0.025, 0.02
"""Capitals of answers and of names of keys, and of what keys do, as shares of the height."""


def questions():
    """Yield what the croupier asks with answers in words, by name, with long names."""
    seats = [Choice(str(seat), name) for seat, name in enumerate(NAMES)]
    moves = [Choice(key, text) for key, text in _MOVES.items()]
    for count in range(2, 8):
        text = Message("Whose is the new card?")
        yield f"whose-{count}", ask.divides(QuestionKind.WHOSE, text, seats[:count])
        yield f"restart-{count}", in_middle.restart(list(enumerate(NAMES[: count - 1])))
        numbers = ask.how_many(NAME, 0, range(count))
        yield f"how-many-{count}", numbers
    for count in range(2, len(moves) + 1):
        text = Message("{name}: what do you do?", name=NAME)
        yield f"moves-{count}", ask.divides(QuestionKind.MOVE, text, moves[-count:], 0)
    yield "bumped", ask.bone_changed(NAME, 0, 4, 6, ("old", "new"))
    yield "off-the-mat", ask.off_the_mat(NAME, 0)
    yield "exposed", ask.exposed(NAME, 0, Card.parse("QD"), 1)
    card = ask.with_any_card(ask.which_card(NAME, 0, (Card.parse("QD"), Card.parse("QH")), 1))
    yield "any-card", card
    yield "rank", ask.next_step(card, card.candidates.index(ask.OTHER))
    draws = [Message("From the stock"), Message("From the discard"), Message("I have 31")]
    besides = [
        Message(text, name=name)
        for name in NAMES[:2]
        for text in ("{name} knocks", "{name} has 31", "{name} is out")
    ]
    for name, texts in (("draw", draws), ("besides", [*besides, Message("A card was wrong")])):
        for count in range(2, len(texts) + 1):
            yield f"{name}-{count}", by_hand._which(texts[-count:], None)


QUESTIONS = dict(questions())


def prompt_of(question, language):
    asked = Prompt(
        question.text,
        question.detail,
        choices=question.answers,
        card_choices=question.cards,
        kind=PromptKind.QUESTION,
        keys=question.keys,
    )
    return render(asked, Translator.of(language))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("look", LOOKS)
def test_keys_and_answers_are_whole_and_can_be_read(look, language):
    size, theme = look
    view = moments(4)["turn"][0]
    screen = TableScreen(size, theme=THEMES[theme], language=language)
    surface, say = pygame.Surface(size), Translator.of(language).render
    names = {say(word) for word in BUTTON_WORDS.values()}
    for what, question in QUESTIONS.items():
        prompt = prompt_of(question, language)
        written = screen.draw(surface, view, prompt)
        for touch in screen.touches(view, prompt):
            if touch.button == "menu" and touch.choice is not None:
                continue  # a card on a plate
            found = [piece for piece in written if touch.area.contains(piece.ink)]
            assert found or touch.choice is not None, (what, touch)
            for piece in found:
                named = piece.text in names or touch.choice is not None
                least = LEAST_NAME if named else LEAST_WORDS
                assert not piece.text.endswith(ELLIPSIS), (what, piece.text)
                assert piece.cap >= least * size[1], (what, piece.text)
        keys = [piece.text for piece in written if piece.text in names]
        assert sorted(keys) == sorted(say(BUTTON_WORDS[key.button]) for key in prompt.keys), what
        for one, other in combinations(written, 2):
            assert not one.ink.colliderect(other.ink), (what, one.text, other.text)


@pytest.mark.parametrize("panel", [(800, 480), (1920, 1080), (480, 800)])
def test_answers_with_a_row_of_their_own_are_touched_apart_from_the_keys(panel):
    view = moments(4)["turn"][0]
    prompt = prompt_of(QUESTIONS["moves-4"], "es")
    areas = [
        touch
        for touch in TableScreen(panel, language="es").touches(view, prompt)
        if touch.button != "menu"
    ]
    assert [touch.choice for touch in areas] == [None, None, None, 0, 1, 2, 3]
    for one, other in combinations(areas, 2):
        assert not one.area.colliderect(other.area)


@pytest.mark.parametrize("panel", [(800, 480), (1920, 1080)])
def test_a_question_with_a_detail_and_answers_is_as_large_as_others(panel):
    view = moments(4)["turn"][0]
    prompt = replace(prompt_of(QUESTIONS["bumped"], "en"), title="Which of the two counts?")
    assert prompt.detail
    usual, screen, surface = prompt_for(view), TableScreen(panel), pygame.Surface(panel)
    caps = {
        piece.text: piece.cap
        for shown in (usual, prompt)
        for piece in screen.draw(surface, view, shown)
    }
    assert caps[prompt.title] >= caps[usual.title]
