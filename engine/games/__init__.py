"""The rules of each game, one module a game, and the registry that finds them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.errors import BoneAceError
from engine.games.base import Action, Game, Play
from engine.games.bone_ace import BoneAce
from engine.games.knucklebones import Knucklebones
from engine.games.one_and_thirty import OneAndThirty
from engine.games.scat import Scat
from engine.options import OptionError, Preset, build
from engine.suggest import did_you_mean

__all__ = [
    "Action",
    "Game",
    "Play",
    "UnknownGameError",
    "all_games",
    "find",
    "find_preset",
    "make_options",
]

_GAMES: tuple[Game, ...] = (OneAndThirty(), BoneAce(), Knucklebones(), Scat())


class UnknownGameError(BoneAceError, LookupError):
    """No game of that name; the message lists those there are."""


def all_games() -> tuple[Game, ...]:
    """Return every game of the registry."""
    return _GAMES


def find(name: str) -> Game:
    """Return the game called *name*, by its own name or an alias.

    Raises:
        UnknownGameError: there is none.
    """
    for game in _GAMES:
        if name == game.name or name in game.aliases:
            return game
    names = [game.name for game in _GAMES]
    raise UnknownGameError(f"unknown game {name!r}; {did_you_mean(name, names)}")


def find_preset(game: Game, name: str | None) -> Preset:
    """Return the preset *name* of *game*; ``None`` gives its first.

    Raises:
        OptionError: there is none.
    """
    if name is None:
        return game.presets[0]
    for preset in game.presets:
        if preset.name == name:
            return preset
    names = [preset.name for preset in game.presets]
    raise OptionError(f"{game.name}: unknown preset {name!r}; {did_you_mean(name, names)}")


def make_options(game: Game, preset: Preset, changes: Mapping[str, object]) -> Any:
    """Return the options of *game*: *changes* over *preset* over the defaults.

    Raises:
        OptionError: an option that the game does not have, or a value it does not allow.
    """
    return build(game.options_type, game.name, preset, changes)
