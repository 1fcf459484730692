"""The ordinary moments of a game, which it words itself, in a language."""

from __future__ import annotations

from display.i18n.translate import Translator
from display.prompts.prompt import PromptText, render
from engine.core.views import View
from engine.games import catalog, prompts


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
