"""Every game by its name, and the registry that finds them."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

from engine.core.errors import BoneAceError
from engine.core.options import OptionError, Preset, build
from engine.core.plugins import LONGEST, PluginError, Registry, unknown
from engine.core.text.suggest import did_you_mean
from engine.games.base import Game
from engine.games.other_games import OTHER_GAMES

_BUILTIN: Mapping[str, Game | str] = {
    "one-and-thirty": "engine.games.one_and_thirty.rules:OneAndThirty",
    "bone-ace": "engine.games.one_and_thirty.bone_ace:BoneAce",
    "knucklebones": "engine.games.knucklebones.rules:Knucklebones",
    "scat": "engine.games.scat.rules:Scat",
}


class UnknownGameError(BoneAceError, LookupError):
    """No game of that name; the message lists those there are."""


class OtherGameError(UnknownGameError):
    """The name of a game that is not played here; the message says what game that is."""


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
    """Return the game called *name*: by its id, its title, or any name that the sources give it.

    Capitals, accents, spaces, hyphens and signs make no difference. The name of a variant finds the
    game that it is a preset of.

    Raises:
        OtherGameError: the name is that of a game that is not played here.
        UnknownGameError: there is none.
    """
    return _named(name)[0]


def choose(name: str, preset: str | None = None) -> tuple[Game, Preset]:
    """Return the game called *name* with its *preset*.

    Without *preset*, the name of a variant chooses its own ("California Quick"), and that of a game
    its first.

    Raises:
        UnknownGameError: there is no such game.
        OptionError: there is no such preset, or *name* is that of another.
    """
    game, variant = _named(name)
    if variant is None:
        return game, find_preset(game, preset)
    if preset is not None and preset != variant.name:
        raise OptionError(
            f"{name} is the preset {variant.name} of {game.name}; leave out the preset "
            f"{preset}, or choose the game {game.name}"
        )
    return game, variant


def doubtful(name: str) -> str:
    """Return a sentence about a *name* that could mean another game too; else an empty one."""
    if _bare(name) != "31":
        return ""
    return "31 is One-and-Thirty here; for the game Thirty-one (Scat) say: thirty-one"


def _named(name: str) -> tuple[Game, Preset | None]:
    try:
        return GAMES[name], None
    except (KeyError, PluginError):
        pass  # another name of it, perhaps
    bare = _bare(name)
    for game in all_games():
        if bare in map(_bare, (game.name, game.title, *game.aliases, *game.old_names)):
            return game, None
    for game in all_games():
        for preset in game.presets:
            if bare in map(_bare, preset.names):
                return game, preset
    for other, what in OTHER_GAMES.items():
        if bare == _bare(other) and bare not in map(_bare, GAMES.names):  # else it is broken
            known = ", ".join(GAMES)
            raise OtherGameError(f"{other} is {what}. It is not played here; these are: {known}")
    raise UnknownGameError(unknown("game", name, GAMES))


def _bare(name: str) -> str:
    """Return the letters and digits of *name* alone, without capitals and accents."""
    plain = unicodedata.normalize("NFKD", name[:LONGEST].casefold())
    return "".join(sign for sign in plain if sign.isalnum())


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
