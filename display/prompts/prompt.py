"""Prompts in a language: the strings and pictures that are drawn, and spoken."""

from __future__ import annotations

from dataclasses import dataclass

from display.drawing.image import Picture
from display.i18n.translate import Translator
from engine.core.bones import Face
from engine.core.cards import Card
from engine.core.messages.prompt import KeyHint, Prompt, PromptKind
from engine.core.views import View
from engine.games import catalog, prompts


@dataclass(frozen=True, slots=True)
class PromptText:
    """An :class:`engine.core.messages.prompt.Prompt` as it is shown.

    Attributes:
        title: the sentence itself, read from three metres.
        detail: a smaller sentence below it.
        choices: answers in words.
        card_choices: answers that are cards, drawn large over the table.
        selected: which answer is marked, counted from 0, the cards first.
        bone_choices: the first of *choices* as pictures, where they are faces of a bone.
        picture: what the question is about, cut out of the camera's picture.
        hint: what the teaching mode adds, below.
        refused: why the last press was refused; a line above the words, for a few seconds.
        keys: what the buttons do now, below the words; mostly none at home, where they are known.
    """

    title: str
    detail: str = ""
    choices: tuple[str, ...] = ()
    card_choices: tuple[Card, ...] = ()
    kind: PromptKind = PromptKind.INFO
    selected: int = 0
    bone_choices: tuple[Face, ...] = ()
    picture: Picture | None = None
    hint: str = ""
    keys: tuple[KeyHint, ...] = ()
    refused: str = ""


def render(prompt: Prompt, translator: Translator, picture: Picture | None = None) -> PromptText:
    """Return *prompt* in a language, with the picture beside it."""
    text = translator.render
    return PromptText(
        text(prompt.title),
        text(prompt.detail),
        choices=tuple(text(choice) for choice in prompt.choices),
        card_choices=prompt.card_choices,
        kind=prompt.kind,
        selected=prompt.selected,
        bone_choices=prompt.bone_choices,
        picture=picture,
        hint=text(prompt.hint),
        keys=tuple(KeyHint(key.button, text(key.message)) for key in prompt.keys),
        refused=text(prompt.refused),
    )


def prompt_for(view: View, language: str = "en") -> PromptText:
    """Return what the croupier says at this moment of an ordinary hand.

    Raises:
        UnknownGameError: there is no such game.
    """
    return render(catalog.find(view.game).prompt(view), Translator.of(language))


def bone_prompt(view: View, language: str = "en") -> PromptText:
    """Return the prompt of the Bone-Ace moment: who takes the Bone and who pays (rule BA-3).

    Raises:
        ValueError: the view has no Bone; ask only when ``view.bone`` is set.
    """
    return render(prompts.bone_prompt(view), Translator.of(language))


def bone_line(view: View, language: str = "en") -> str:
    """Return one sentence on what the Bone paid; empty when the view has no Bone."""
    return Translator.of(language).render(prompts.bone_line(view))


def payment_lines(view: View, language: str = "en") -> tuple[str, ...]:
    """Return one sentence for each sum that somebody is paid for the game; the Bone is apart."""
    translator = Translator.of(language)
    return tuple(translator.render(line) for line in prompts.payment_lines(view))
