"""Every game by its name, and the registry that finds them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.errors import BoneAceError
from engine.core.options import OptionError, Preset, build
from engine.core.plugins import PluginError, Registry, unknown
from engine.core.text.suggest import did_you_mean
from engine.games.base import Game

_BUILTIN: Mapping[str, Game | str] = {
    "one-and-thirty": "engine.games.one_and_thirty.rules:OneAndThirty",
    "bone-ace": "engine.games.one_and_thirty.bone_ace:BoneAce",
    "knucklebones": "engine.games.knucklebones.rules:Knucklebones",
    "scat": "engine.games.scat.rules:Scat",
}


class UnknownGameError(BoneAceError, LookupError):
    """No game of that name; the message lists those there are."""


def _validate(name: str, found: object) -> Game:
    """Return the game, made once, and tried before it is offered."""
    if not isinstance(found, type) or not issubclass(found, Game):
        raise PluginError(f"{found!r} is no subclass of engine.games.base.Game")
    game = found()
    if game.name != name:
        raise PluginError(f"it calls itself {game.name!r}; give both the same name")
    for preset in game.presets:
        game.rules(make_options(game, preset, {}))
    return game


GAMES: Registry[Game] = Registry("boneace.games", lambda: _BUILTIN, _validate)
"""Every game by its name; docs/how-to/extend.md says how to add one."""


def all_games() -> tuple[Game, ...]:
    """Return every game of the registry."""
    return tuple(GAMES.values())


def find(name: str) -> Game:
    """Return the game called *name*, by its own name or an alias.

    Raises:
        UnknownGameError: there is none.
    """
    try:
        return GAMES[name]
    except (KeyError, PluginError):
        pass  # an alias, perhaps
    for game in all_games():
        if name == game.name or name in game.aliases:
            return game
    raise UnknownGameError(unknown("game", name, GAMES))


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
