"""Nothing cut off: every sentence that the croupier may say as a title, with its longest values."""

import re

import pygame
import pytest
from babel.messages.pofile import read_po

from display import PromptKind, PromptText, TableScreen
from display.drawing.text import ELLIPSIS
from display.drawing.theme import PROMISED_CAPS, THEMES
from display.i18n.languages import languages
from display.i18n.translate import Translator
from display.table.layout import lay_out
from display.table.prompt_bar import PromptBar, bar_height
from engine import Card
from engine.core.messages.message import Listing, Message
from engine.core.messages.prompt import KeyHint
from engine.core.messages.words import the_card
from tests.support.paths import ROOT
from tests.support.table_moments import moments

POT = ROOT / "display" / "i18n" / "locales" / "boneace.pot"
SAYS = re.compile(r"device/(croupier|runtime)/|engine/games/(\w+/)?prompts")
NAME = "Bartholomew Whit"  # sixteen letters, the most that can be typed
LONGEST = 110
"""Letters: longer ones are whole rules, and stand in no title."""

SIZES = ((800, 480), (1280, 720), (1920, 1080))
LOOKS = [(size, theme) for theme in THEMES for size in SIZES]
LETTERS = 60
"""A title of no more keeps the size that the look for large words promises."""
QUEEN = the_card(Card.parse("QD"))
VALUES = {
    **dict.fromkeys(("name", "who", "to", "dealer"), NAME),
    "names": Listing((NAME, "Wilhelmina", "Ann")),
    **dict.fromkeys(("card", "was"), QUEEN),
    "ace": Message("the ace of diamonds"),
}
KEYS = (KeyHint("have", "one more card"), KeyHint("stick", "no more"), KeyHint("undo", "back"))
"""In five languages they are about as long."""


def sentences():
    """Return every sentence that may be a title, with its plural."""
    with POT.open("rb") as file:
        for entry in read_po(file):
            ids = entry.id if isinstance(entry.id, tuple) else (entry.id, "")
            said = any(SAYS.search(path) for path, _line in entry.locations)
            if entry.id and said and len(ids[0]) <= LONGEST:
                yield ids


def with_longest_values(ids):
    names = set(re.findall(r"{(\w+)}", " ".join(ids)))
    return Message(*ids, 41, **{name: VALUES.get(name, 41) for name in names})


@pytest.mark.slow
@pytest.mark.parametrize("language", languages())
def test_no_title_is_cut_off(language):
    say, cut = Translator.of(language).render, []
    said = [say(with_longest_values(ids)) for ids in sentences()]
    assert len(said) > 150
    for size, theme in LOOKS:
        screen = TableScreen(size, theme=THEMES[theme], language=language)
        surface, view = pygame.Surface(size), moments(4)["turn"][0]
        for title in said:
            for kind, keys in ((PromptKind.TURN, ()), (PromptKind.QUESTION, KEYS)):
                prompt = PromptText(title, "Ann", kind=kind, keys=keys)
                canvas = screen._canvas(surface)
                canvas.painter.written.clear()
                high = bar_height(canvas, view, prompt, size[0])
                PromptBar(canvas, prompt, lay_out(size, 4, bar=high).prompt_bar).draw()
                written = canvas.painter.written
                lines = written[: len(written) - 1 - 2 * len(keys)]
                detail = written[-1]
                assert detail.text == "Ann"
                if any(piece.text.endswith(ELLIPSIS) and not title.endswith(ELLIPSIS)
                       for piece in lines):  # fmt: skip
                    cut.append((size, theme, title))
                for piece in lines:
                    assert piece.box.contains(piece.ink), title
                    assert not piece.ink.colliderect(detail.ink), (size, theme, title)
                    if THEMES[theme].least and len(title) <= LETTERS:
                        # A letter with an accent above it may be a pixel lower.
                        assert piece.cap >= PROMISED_CAPS * size[1] - 1, (size, theme, title)
    assert cut == []


def test_large_words_leave_room_between_title_and_detail():
    size = SIZES[0]
    screen = TableScreen(size, theme=THEMES["large"])
    canvas = screen._canvas(pygame.Surface(size))
    prompt = PromptText("Ann and Bess share the winning", "Cut for the next deal.")
    bar = lay_out(
        size, 4, bar=bar_height(canvas, moments(4)["turn"][0], prompt, size[0])
    ).prompt_bar
    PromptBar(canvas, prompt, bar).draw()
    title, detail = canvas.painter.written[-2:]
    assert detail.ink.top - title.ink.bottom >= 0.01 * size[1]
