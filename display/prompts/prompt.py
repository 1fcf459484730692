"""Prompts in a language: the strings and pictures that are drawn, and spoken."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from display.drawing.image import Picture
from display.i18n.translate import Translator
from engine.core.cards import Card
from engine.core.messages.prompt import KeyHint, Prompt
from engine.core.views import View
from engine.games import catalog, prompts
from engine.games.moments import Moment


@dataclass(frozen=True, slots=True)
class PromptText(Prompt):
    """A prompt in the words in which it is drawn and spoken.

    Attributes:
        picture: what the question is about, cut out of the camera's picture.
        moment: the great moment that is shown over the table; ``None`` most of the time.
        moment_s: seconds for which it has been shown.
        result_s: seconds for which the result has been shown: coins fly once.
        put_right: a card that has just been put right, or the seat, throw and place of a bone.
        asked: how often somebody has asked the voice.
        told: what they are told; without it they want to hear again what was said.
        shows_told: whether that is to be read too: for some seconds, and while it is true.
        mat_seats: how many seats the mat on the table has; 0 while nobody knows.
    """

    picture: Picture | None = None
    moment: Moment | None = field(default=None, compare=False)
    moment_s: float = field(default=0.0, compare=False)
    result_s: float = field(default=math.inf, compare=False)
    put_right: Card | tuple[int, int, int] | None = field(default=None, compare=False)
    asked: int = 0
    told: str = ""
    shows_told: bool = False
    mat_seats: int = field(default=0, compare=False)


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
        rank_choices=prompt.rank_choices,
        picture=picture,
        hint=text(prompt.hint),
        keys=tuple(KeyHint(key.button, text(key.message)) for key in prompt.keys),
        refused=text(prompt.refused),
    )


def with_moment(prompt: PromptText, moment: Moment, shown_s: float, language: str) -> PromptText:
    """Return *prompt* with a great moment over the table, shown for *shown_s* seconds."""
    text = Translator.of(language).render
    words = replace(moment, title=text(moment.title), detail=text(moment.detail))
    return replace(prompt, moment=words, moment_s=shown_s)


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
