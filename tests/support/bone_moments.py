"""Moments of One-and-Twenty, from the engine itself, with what is said in any language."""

from __future__ import annotations

from display import PromptKind, PromptText, prompt_for
from engine import TABLE, Player, apply, new_table, view
from engine.core.events import Choose, Roll, Stake
from engine.core.messages.prompt import KeyHint
from engine.core.views import View

NAMES = ("Ann", "Bess", "Bartholomew Whitcomb")


def bone_moments(language: str = "en") -> dict[str, tuple[View, PromptText]]:
    """Name to view and prompt: stakes, a throw, the choice, a bone more, and who won."""
    state = new_table("knucklebones", [Player(n, name) for n, name in enumerate(NAMES)], dealer=2)
    found = {}

    def keep(name: str) -> None:
        seen = view(state, TABLE)
        found[name] = (seen, prompt_for(seen, language))

    state = apply(state, Stake(0, 2))
    state = apply(state, Stake(1, 10))
    keep("stakes")
    state = apply(state, Roll(0, (3, 4, 4, 1, 3)))
    keep("choose")
    seen, said = found["choose"]
    choices = tuple(str(number) for number in range(6))
    keys = KeyHint("have", "that many"), KeyHint("stick", "the next one")
    found["how-many"] = (
        seen, PromptText(said.title, choices=choices, kind=PromptKind.QUESTION, keys=keys)
    )  # fmt: skip
    state = apply(state, Choose(0, 1))
    keep("extra")
    state = apply(state, Roll(0, (6,)))
    state = apply(state, Roll(1, (6, 6, 4, 3, 4)))
    state = apply(state, Roll(2, (4, 4, 3, 4, 3)))
    state = apply(state, Choose(2, 1))
    state = apply(state, Roll(2, (1,)))
    keep("done")
    assert found["done"][0].result is not None
    return found
