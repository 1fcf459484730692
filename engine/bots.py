"""People to play with: a cautious, a bold and an exact player of every game, for demos and tests.

They see what a person at their seat sees (:func:`engine.view`), may do what the rules allow them
(:func:`engine.legal_actions`), and know nothing else. Each is pure: it draws no lots, so the same
question has the same answer.
"""

from __future__ import annotations

from engine.core.text.suggest import did_you_mean
from engine.games import catalog
from engine.games.base import Game
from engine.games.decision import Decision, Strategy, StrategyError, Style, actions_of
from engine.games.knucklebones.rules import Knucklebones
from engine.games.knucklebones.strategy import BonesPlayer
from engine.games.one_and_thirty.rules import OneAndThirty
from engine.games.one_and_thirty.strategy import CountingPlayer
from engine.games.scat.bots.strategy import ScatPlayer
from engine.games.scat.rules import Scat

__all__ = ["Decision", "Strategy", "StrategyError", "Style", "actions_of", "is_played", "player"]

_FAMILIES: tuple[tuple[type[Game], type[Strategy]], ...] = (
    (OneAndThirty, CountingPlayer),
    (Knucklebones, BonesPlayer),
    (Scat, ScatPlayer),
)


def is_played(game: str) -> bool:
    """Return whether there is anybody who plays *game*: a game of its own may have none.

    >>> is_played("bone-ace")
    True

    Raises:
        UnknownGameError: no such game.
    """
    return any(isinstance(catalog.find(game), family) for family, _ in _FAMILIES)


def player(style: str, game: str) -> Strategy:
    """Return somebody who plays *game* in that *style*.

    >>> player("bold", "bone-ace")
    CountingPlayer('bold')

    Raises:
        StrategyError: no such style, or nobody plays that game.
        UnknownGameError: no such game.
    """
    styles = [str(each) for each in Style]
    if style not in styles:
        raise StrategyError(f"unknown style {style!r}; {did_you_mean(style, styles)}")
    rules = catalog.find(game)
    for family, strategist in _FAMILIES:
        if isinstance(rules, family):
            return strategist(Style(style))
    raise StrategyError(f"nobody here plays {rules.name}; add a family to engine.bots")
