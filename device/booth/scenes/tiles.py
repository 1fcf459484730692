"""The name of a game, what it is about, and its tile."""

from __future__ import annotations

from display.i18n.translate import Translator
from display.pages.games import GameTile
from display.pages.rules import rule_words
from engine.core.bones import Face
from engine.core.cards import Card
from engine.core.messages.message import Distinct, Message, Value
from engine.games import catalog
from engine.games.base import Game

MOST_NAMES = 4
"""Other names of a game that its tile tells."""


def title_of(game: Game) -> Value:
    """Return the name of *game*; in languages in which two have the same, with its own as well.

    One-and-Thirty and Thirty-one are one word in most languages.
    """
    title = Message(game.title)
    if "-" in game.name:
        return title
    # Of the two it is the later game that is known by another name as well: Scat.
    others = tuple(Message(other.title) for other in catalog.all_games() if other is not game)
    return Distinct(title, others, game.name.title())


def about(game: Game) -> Value:
    """Return what *game* is about, in a few words."""
    if game.about:
        return Message(game.about)
    pages = game.rules(catalog.make_options(game, game.presets[0], {}))
    return rule_words(pages[0].rules[0]) if pages else ""


def tile_of(game: Game, language: str) -> GameTile:
    """Return the tile of *game*, with its cards, or its bones where it is played with bones.

    What else it is called does not repeat its name in *language*.
    """
    cards = tuple(None if code is None else Card.parse(code) for code in game.emblem)
    if game.with_bones:
        return GameTile(title_of(game), about(game), bones=tuple(Face))
    # In a title one of them may stand in brackets: "Thirty-one (Scat)".
    title = Translator.of(language).render(title_of(game)).lower()
    others = [name for name in game.aliases if name.lower() not in title]
    also = Message("Also called: {names}", names=", ".join(others[:MOST_NAMES])) if others else ""
    return GameTile(title_of(game), about(game), cards, also=also)
