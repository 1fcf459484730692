"""The sentences of the rules pages, for translators: found by turning every page there can be.

A page is put together from the options in force, so its sentences are not looked for in the source
but gathered from the pages: every preset with every option at every choice, and every two
options together over the first preset. What needs more than that to be met would be missed; the
tests hold the result against the words that stand in the source.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from engine.core.options import OneOf, OptionError, describe
from engine.games import catalog
from engine.games.base import Game


def our_games() -> tuple[Game, ...]:
    """Return the games of the house: a package that adds one brings its own words."""
    return tuple(game for game in catalog.all_games() if not catalog.GAMES.plugin_of(game.name))


def rulebook_sentences() -> tuple[str, ...]:
    """Return every heading and every sentence of every page, in the order they are met."""
    found: dict[str, None] = {}
    for game in our_games():
        for options in _every_options(game):
            for section in game.rules(options):
                found.setdefault(section.heading)
                for rule in section.rules:
                    found.setdefault(rule.text)
    return tuple(found)


def _every_options(game: Game) -> Iterator[Any]:
    """Yield options with one change over each preset, and two over the first; see the head."""
    changes = [
        (info.name, value)
        for info in describe(game.options_type)
        if isinstance(info.choices, OneOf)
        for value in info.choices.values
    ]
    for preset in game.presets:
        tried: list[Mapping[str, object]] = [{}, *({name: value} for name, value in changes)]
        if preset is game.presets[0]:
            tried += [dict(pair) for pair in combinations(changes, 2) if pair[0][0] != pair[1][0]]
        for each in tried:
            try:
                yield catalog.make_options(game, preset, each)
            except OptionError:
                continue
