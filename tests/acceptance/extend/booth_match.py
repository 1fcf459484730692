"""A match of an added game at the booth, in its own process: what was seen is printed as JSON.

python tests/acceptance/extend/booth_match.py GAME PRESET FOLDER
"""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path

from device import plugins
from device.booth.scenes.games import GamesScene
from device.booth.scenes.menu import SettingsScene
from device.ports import Button
from tests.support.playthrough import Playthrough
from tests.support.words import in_words

MOST_HANDS = 40


def main(game: str, preset: str, folder: Path) -> None:
    """Play hands until somebody has won the match."""
    plugins.enable()
    pictures = folder / "pictures"
    pictures.mkdir()
    play = Playthrough(folder, out=pictures, theme="midnight", language="it")
    tiles = GamesScene(play.booth.context).page()
    rows = SettingsScene(play.booth.context).page().items
    play.start(game, preset)
    play.hand()
    while not play.view.match.over:
        assert play.report.hands < MOST_HANDS, play.view
        number = play.view.hand_number
        play.press(Button.NEXT)
        play.play(lambda number=number: play.view.hand_number > number)
        play.hand()
    seen = play.view
    told = {
        "asks": in_words(tiles.title, "it"),
        "tiles": [in_words((tile.title, tile.text), "it") for tile in tiles.items],
        "settings": [in_words(row.value, "it") for row in rows],
        "hands": play.report.hands,
        "game": seen.game,
        "winner": seen.match.winner,
        "lives": [seat.match.lives for seat in seen.seats],
        "eliminated": [seat.match.eliminated for seat in seen.seats],
        "settlement": [net for _seat, net in seen.match.settlement],
        "pictures": {name: str(path) for name, path in play.report.pictures.items()},
    }
    play.end()
    play.close()
    print(json.dumps(told))


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING)
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
