"""Options and presets are the ones of the rule book, where it lies beside the project."""

from __future__ import annotations

import json
import re

import pytest

from engine.core.options import OneOf, OptionError, WholeNumber, describe
from engine.games import catalog
from engine.games.catalog import all_games, find, find_preset, make_options
from tests.support.rulebook import newest

BOOK = newest("options.json")
NAMES = [game.name for game in all_games()]


@pytest.fixture
def book():
    if not BOOK.exists():
        pytest.skip(f"no rule book at {BOOK}")
    return json.loads(BOOK.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", NAMES)
def test_a_note_explains_values_that_can_be_chosen(name):
    for info in describe(find(name).options_type):
        for value in re.findall(r"(?:^|; )(\S+) = ", info.note):
            if isinstance(info.default, bool):
                assert value in ("true", "false"), info.name
            elif isinstance(info.choices, OneOf):
                assert value in map(str, info.choices.values), info.name
            else:
                assert int(value) >= info.choices.least, info.name


@pytest.mark.parametrize("name", NAMES)
def test_options_are_those_of_the_book(book, name):
    infos = {info.name: info for info in describe(find(name).options_type)}
    assert sorted(infos) == sorted(book["options"][name])
    for option, entry in book["options"][name].items():
        assert infos[option].default == entry["default"], option
        if isinstance(entry["choices"], list):
            assert isinstance(infos[option].choices, OneOf)
            assert sorted(map(repr, infos[option].choices.values)) == sorted(
                map(repr, entry["choices"])
            )
        else:
            assert isinstance(infos[option].choices, WholeNumber)


@pytest.mark.parametrize("name", NAMES)
def test_presets_are_those_of_the_book(book, name):
    found = {preset.name: preset for preset in find(name).presets}
    assert list(found) == list(book["presets"][name])
    for preset, entry in book["presets"][name].items():
        assert found[preset].source.split()[0] == entry.pop("_of").split()[0]
        assert dict(found[preset].changes) == entry


@pytest.mark.parametrize("game", all_games(), ids=NAMES)
def test_every_preset_is_valid_and_says_where_it_comes_from(game):
    for preset in game.presets:
        options = make_options(game, preset, {})
        for name, value in preset.changes.items():
            assert getattr(options, name) == value
        assert preset.source
    assert find_preset(game, None) is game.presets[0]


def test_single_options_lie_over_the_preset():
    game = find("bone-ace")
    options = make_options(game, find_preset(game, "cotton"), {"ace_value": 1, "stake": 5})
    assert (options.bone_ace, options.ace_value, options.stake) == ("AD", 1, 5)


@pytest.mark.parametrize(
    "changes",
    [
        {"max_players": 9},
        {"max_players": 11, "decks": 2},
        {"max_players": 1},
        {"stake": True},
        {"stake": 1.5},
        {"ace_value": "11"},
        {"decks": 3},
        {"cut_bone_ace_high": "yes"},
    ],
)
def test_values_outside_the_choices_are_refused(changes):
    game = find("one-and-thirty")
    with pytest.raises(OptionError, match=next(iter(changes))):
        make_options(game, game.presets[0], changes)


def test_an_unknown_game_is_a_lookup_error():
    with pytest.raises(catalog.UnknownGameError, match="known are: one-and-thirty, bone-ace"):
        find("whist")
