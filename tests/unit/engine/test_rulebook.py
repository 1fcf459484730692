"""The page of rules says what the options say."""

from __future__ import annotations

import pytest

from engine.core.options import OneOf, OptionError, describe
from engine.games import catalog
from tests.support.rulebook import BOOK, rule_ids

GAMES = catalog.all_games()
PRESETS = [
    pytest.param(game, preset, id=f"{game.name}-{preset.name}")
    for game in GAMES
    for preset in game.presets
]

UNSAID = {
    "stake", "stock_out", "dealer_wins_if_all_out", "double_loss_last", "all_out", "blitz_others",
    "post_knock_31", "swap_face", "three_kind_suits", "stop_timing", "knock_penalty",
}  # fmt: skip
"""Options that need another option beside them before the page can change, or are too rare for
one page: they stand in the list of options under it."""


def page(game, options):
    return [str(rule) for section in game.rules(options) for rule in section.rules]


@pytest.mark.parametrize(("game", "preset"), PRESETS)
def test_every_preset_has_a_page_that_fits_a_sheet(game, preset):
    options = catalog.make_options(game, preset, {})
    lines = page(game, options)
    assert 10 <= len(lines) <= 40, f"rules() of {game.name} gives no 10 to 40 sentences"
    assert len(set(lines)) == len(lines), "a sentence stands there twice"
    for line in lines:
        assert line.endswith(".")
        assert "{" not in line


@pytest.mark.parametrize(("game", "preset"), PRESETS)
def test_every_sentence_names_its_rules(game, preset):
    if not BOOK.is_file():
        pytest.skip("the rule book lies beside the project only in its workshop")
    ids = rule_ids()
    for section in game.rules(catalog.make_options(game, preset, {})):
        for rule in section.rules:
            assert rule.ids, rule.text
            assert set(rule.ids) <= ids, rule.text


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_an_option_that_is_changed_changes_the_page_of_some_preset(game):
    said = set()
    for preset in game.presets:
        usual = page(game, catalog.make_options(game, preset, {}))
        for info in describe(game.options_type):
            for value in other_values(info):
                try:
                    options = catalog.make_options(game, preset, {info.name: value})
                except OptionError:
                    continue  # needs another option beside it
                if page(game, options) != usual:
                    said.add(info.name)
    free = {info.name for info in describe(game.options_type) if other_values(info)}
    assert free - said <= UNSAID, (
        f"let rules() of {game.name} say these options, or put those too rare for a page in UNSAID"
    )


AT_THE_TABLE = {
    **dict.fromkeys(("G-6", "G-7", "G-20"), "what the table knows and shows of hidden cards"),
    **dict.fromkeys(("G-8", "G-9", "OT-20", "KB-14", "SC-28"), "refused or asked as it happens"),
    **dict.fromkeys(("G-10", "G-11", "G-12", "G-14", "G-19", "KB-20"), "how things are put right"),
    **dict.fromkeys(("G-22", "G-23"), "entries and corrections after the hand, in the ledger"),
    "G-18": "how payments are rounded",
    "OT-26": "what 0.1 wrote",
}
"""Rules of the table and not of the game: where they matter the screen says what to do."""


def test_every_rule_of_the_book_has_its_line_on_some_page():
    if not BOOK.is_file():
        pytest.skip("the rule book lies beside the project only in its workshop")
    told = set()
    for game in GAMES:
        for preset in game.presets:
            single = [
                {info.name: value}
                for info in describe(game.options_type)
                for value in other_values(info)
            ]
            for changes in ({}, *single):
                try:
                    options = catalog.make_options(game, preset, changes)
                except OptionError:
                    continue  # needs another option beside it
                for part in game.rules(options):
                    told.update(*(line.ids for line in part.rules))
    assert rule_ids() - told == set(AT_THE_TABLE)


def other_values(info):
    if isinstance(info.choices, OneOf):
        return [value for value in info.choices.values if value != info.default]
    return [info.default + 1, info.default - 1]


def test_the_pages_of_cotton_and_willughby_differ_where_the_books_do():
    game = catalog.find("bone-ace")
    willughby, cotton = (
        page(game, catalog.make_options(game, catalog.find_preset(game, name), {}))
        for name in ("willughby", "cotton")
    )
    assert "Every other player pays its holder one stake at once." in willughby
    assert "Its holder takes half of all the stakes at once." in cotton
    assert any("ace eleven" in line for line in cotton)
    assert any("two stakes" in line for line in willughby)
    assert not any("two stakes" in line for line in cotton)
