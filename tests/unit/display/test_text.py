"""Translations and the bundled fonts."""

from __future__ import annotations

import doctest
import gettext
import importlib.resources

import pygame
import pytest

import display.i18n.translate
from display.drawing.text import Face, SurfaceCache, TextPainter
from display.i18n.translate import Translator
from engine.core.messages.message import Message


class Upside(gettext.NullTranslations):
    """A language in which every sentence is backwards."""

    def gettext(self, message: str) -> str:
        return message[::-1]


def test_an_unknown_language_speaks_english() -> None:
    assert Translator.of("xx_YY")("The cut") == "The cut" == Translator.of("en")("The cut")
    assert Translator.of("")("The cut") == "The cut"


def test_words_come_from_the_catalogue() -> None:
    assert Translator(Upside())("The cut") == "tuc ehT"
    assert Translator(Upside()).render(Message("The cut")) == "tuc ehT"


@pytest.mark.parametrize(
    ("names", "said"),
    [([], ""), (["Ann"], "Ann"), (["Ann", "Bess"], "Ann and Bess")],
    ids=["none", "one", "two"],
)
def test_names_are_joined_as_read_aloud(names: list[str], said: str) -> None:
    assert Translator.of("en").names(names) == said


def test_examples_in_the_docstrings_hold() -> None:
    outcome = doctest.testmod(display.i18n.translate)
    assert outcome.attempted > 0
    assert outcome.failed == 0


@pytest.mark.parametrize("face", list(Face))
def test_fonts_come_with_their_licence(face: Face) -> None:
    folder = importlib.resources.files("display.drawing").joinpath("fonts")
    assert folder.joinpath(face.value).is_file()
    assert face.value in folder.joinpath("README.md").read_text("utf-8")
    assert "SIL OPEN FONT LICENSE" in folder.joinpath("OFL.txt").read_text("utf-8")


@pytest.mark.parametrize("text", ["Éowyn Ångström", "Жанна Щукина", "Ἀθηνᾶ", "jgpqy", "—", " "])
def test_ink_of_any_name_stays_in_its_box(text: str) -> None:
    surface = pygame.Surface((300, 60))
    pen = TextPainter(surface, SurfaceCache())
    box = pygame.Rect(40, 15, 150, 30)
    pen.line(text, box, 18, (255, 255, 255))
    surface.fill((0, 0, 0), box)
    assert set(pygame.image.tobytes(surface, "RGB")) == {0}


def test_a_paragraph_wraps_and_keeps_every_word() -> None:
    pen = TextPainter(pygame.Surface((400, 200)), SurfaceCache())
    text = "Everyone pays 2 tokens to Bartholomew Whitcomb.\nNobody else pays."
    box = pygame.Rect(10, 10, 180, 120)
    pen.paragraph(text, box, 14, (255, 255, 255))
    assert " ".join(piece.text for piece in pen.written) == text.replace("\n", " ")
    assert len(pen.written) >= 3
    assert all(box.contains(piece.ink) for piece in pen.written)


def test_a_paragraph_too_long_is_cut_not_spilled() -> None:
    pen = TextPainter(pygame.Surface((400, 200)), SurfaceCache())
    box = pygame.Rect(10, 10, 90, 40)
    pen.paragraph("one two three four five six seven " * 6, box, 18, (255, 255, 255))
    assert pen.written[-1].text.endswith("…")
    assert all(box.contains(piece.ink) for piece in pen.written)


def test_old_pictures_are_thrown_out() -> None:
    sprites = SurfaceCache(limit=8)  # two pictures of one pixel
    made: list[str] = []

    def make(name: str) -> pygame.Surface:
        made.append(name)
        side = 9 if name == "large" else 1
        return pygame.Surface((side, 1), depth=32)

    for name in ("a", "b", "a", "c", "a", "b"):
        sprites.get(name, lambda name=name: make(name))  # type: ignore[misc]
    assert made == ["a", "b", "c", "b"]
    for name in ("large", "large", "a", "b", "a"):
        sprites.get(name, lambda name=name: make(name))  # type: ignore[misc]
    assert made[4:] == ["large", "a", "b"], "one that is larger than all is kept while it is shown"
