"""Prompts in a language: the strings and pictures that are drawn, and spoken."""

from __future__ import annotations

from dataclasses import dataclass

from display.drawing.image import Picture
from display.i18n.translate import Translator
from engine.core.messages.prompt import KeyHint, Prompt
from engine.core.views import View
from engine.games import catalog, prompts


@dataclass(frozen=True, slots=True)
class PromptText(Prompt):
    """A prompt in the words in which it is drawn and spoken.

    Attributes:
        picture: what the question is about, cut out of the camera's picture.
    """

    picture: Picture | None = None


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
