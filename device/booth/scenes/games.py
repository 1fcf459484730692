"""Which game is played? A tile for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from device.booth.scenes.base import (
    Action,
    ChoiceScene,
    Context,
    Do,
    Open,
    Then,
    rules_title,
)
from device.booth.scenes.seats import SeatsScene
from device.booth.scenes.tiles import tile_of, title_of
from display.pages.games import GamesPage, GameTile
from engine.core.bones import Face
from engine.core.messages.message import Message
from engine.games import catalog
from engine.games.base import Game


class GamesScene(ChoiceScene[GameTile]):
    """Which game? One that was left comes first, unmarked: newcomers want a new one."""

    kind = GamesPage
    title = Message("Which game?")
    note = Message("Turn the knob, or touch a game.")

    def __init__(self, context: Context) -> None:
        """Mark the game played last, or the one that the config proposes."""
        super().__init__(context)
        self.focus = catalog.all_games().index(context.setup.game) + (context.session is not None)

    def rows(self) -> Sequence[tuple[GameTile, Then]]:
        """Return a tile for each game."""
        setup, language = self.context.setup, self.context.preferences.language
        tiles: list[tuple[GameTile, Then]] = [
            (tile_of(game, language), partial(self._set_up, game)) for game in catalog.all_games()
        ]
        if setup.chosen:
            # What is agreed already stands on the tile: newcomers know what they choose.
            at = catalog.all_games().index(setup.game)
            text = rules_title(setup.game, setup.preset, setup.options)
            tiles[at] = (replace(tiles[at][0], text=text), tiles[at][1])
        count = self.context.count
        if count is not None:
            text = Message("Throw bones or lay cards: the table counts.")
            tile = GameTile(Message("Count"), text, bones=tuple(Face))
            tiles.append((tile, lambda: Open(count())))
        session = self.context.session
        if session is not None:
            # No names before strangers: who left it knows the game and the hand.
            game, hand = catalog.find(session.view.game), session.view.hand_number
            text = Message("{game}, hand {n}: the game that was left.", game=title_of(game), n=hand)
            left = replace(tile_of(game, language), title=Message("Go on"), text=text, is_open=True)
            tiles.insert(0, (left, Do.RESUME))
        return tiles

    def _set_up(self, game: Game) -> Action:
        setup = self.context.setup
        if setup.game is not game:
            setup.game = game
            setup.use(game.presets[0].name)
        return Open(SeatsScene(self.context))
