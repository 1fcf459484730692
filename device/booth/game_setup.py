"""What is chosen for the next game: the game, its rules, the stake, the players."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from device.config.model import Config
from engine.core.options import describe
from engine.games import catalog
from engine.games.base import Game


@dataclass(slots=True)
class GameSetup:
    """What is chosen for the next game.

    Attributes:
        seated: seat to name, of the players.
        is_default: nobody has sat down by a button yet: the players are only proposed.
    """

    game: Game
    preset: str
    stake: int = 1
    seated: dict[int, str] = field(default_factory=dict)
    is_default: bool = True

    @property
    def options(self) -> Any:
        """Return the options of the preset, with the changes."""
        preset = catalog.find_preset(self.game, self.preset)
        return catalog.make_options(self.game, preset, self.changes)

    @property
    def has_stake(self) -> bool:
        """Return whether one stake is agreed for all."""
        return any(info.name == "stake" for info in describe(self.game.options_type))

    @property
    def changes(self) -> dict[str, object]:
        """Return what differs from the preset."""
        return {"stake": self.stake} if self.has_stake else {}

    @property
    def most(self) -> int:
        """Return how many can play."""
        return int(self.options.max_players)


def default_setup(config: Config) -> GameSetup:
    """Return what *config* proposes to people who have not chosen yet."""
    said = config.game
    game = catalog.find(said.name)
    preset = catalog.find_preset(game, said.preset or None).name
    return GameSetup(game, preset, said.stake, dict(enumerate(said.players[: config.booth.seats])))
