"""Every name that a source gives a game that is played here, however it is written."""

import pytest

import engine
from engine import Player, new_table
from engine.core.options import OptionError
from engine.core.plugins import Registry
from engine.games import catalog
from engine.games.catalog import OtherGameError, UnknownGameError, all_games, choose, doubtful, find
from engine.games.other_games import OTHER_GAMES

SCAT = (
    "Thirty-one, trente et un, blitz, scat, Cadillac, cad, whammy!, juble, kitty, high hat, "
    "ride the bus, Geronimo, nickle knock"
)
"""S5, "Name"."""

VARIANTS = {
    "Eenendertigen": "eenendertigen",
    "California Quick": "california-quick",
    "Banking": "banking",
    "Dollar bill": "dollar-bill",
    "Three-of-a-kind": "three-of-a-kind",
    "West Lansing cut throat": "west-lansing",
    "Switch": "switch",
    "No-elimination variant": "no-elimination",
    "Stop the bus": "stop-the-bus",
}
"""S5, "Common variations"."""

OTHERS = (
    "Skat, Schwimmen, Schnauz, Hosen runter, Greek 31, Biribi, Trente et quarante, commerce, "
    "cribbage, trentuno, wit and reason, vingt-un, pontoon, blackjack, brag"
)


def spellings(name):
    return {name, name.upper(), name.lower(), name.replace(" ", "-"), name.replace("-", " "),
            name.replace(" ", ""), f" {name}! "}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "game"),
    [
        *((name, "scat") for name in SCAT.split(", ")),
        *((name, "one-and-thirty") for name in ("One-and-Thirty", "One and Thirty", "31")),
        *((name, "bone-ace") for name in ("Bone-Ace", "Bone Ace", "bone", "Boneace")),
        *((name, "knucklebones") for name in ("One-and-Twenty", "One and Twenty", "knucklebones")),
        ("One and Twenty with Knucklebones", "knucklebones"),
    ],
)
def test_every_name_of_the_sources_finds_its_game(name, game):
    for spelled in spellings(name):
        found, preset = choose(spelled)
        assert found.name == game
        assert preset is found.presets[0]


@pytest.mark.parametrize(("name", "preset"), VARIANTS.items())
def test_the_name_of_a_variant_chooses_its_preset(name, preset):
    for spelled in spellings(name):
        game, chosen = choose(spelled)
        assert (game.name, chosen.name) == ("scat", preset)
    assert choose(name, preset)[1].name == preset
    with pytest.raises(OptionError, match="leave out the preset wikipedia"):
        choose(name, "wikipedia")


def test_a_table_is_written_down_by_its_own_names():
    state = new_table("California Quick", [Player(0, "Ann"), Player(1, "Bess")], dealer=0)
    assert (state.setup.game.name, state.setup.preset) == ("scat", "california-quick")


def test_a_game_that_is_played_is_not_told_as_one_that_is_not():
    played = {
        name.casefold()
        for game in all_games()
        for name in (game.name, game.title, *game.aliases, *(p.name for p in game.presets))
    }
    told = {name.casefold() for name in (*OTHER_GAMES, *OTHERS.split(", "))}
    assert played & told == set(), (
        "take these out of engine/games/other_games.py, and out of OTHERS here: they are played now"
    )


@pytest.mark.parametrize("name", OTHERS.split(", "))
def test_the_name_of_another_game_is_answered_by_what_it_is(name):
    for spelled in spellings(name):
        with pytest.raises(OtherGameError, match="It is not played here") as told:
            find(spelled)
        assert str(told.value).lower().startswith(f"{name.lower()} is ")


def test_a_game_that_was_added_and_is_broken_is_told_as_that(monkeypatch):
    added = {name: catalog.GAMES[name] for name in catalog.GAMES.names} | {"pontoon": "nowhere:It"}
    games = Registry("boneace.games", lambda: added, lambda name, found: found)
    monkeypatch.setattr(catalog, "GAMES", games)
    with pytest.raises(UnknownGameError, match=r"'pontoon' cannot be used .*nowhere"):
        find("pontoon")
    with pytest.raises(OtherGameError, match=r"these are: one-and-thirty.*scat$"):
        find("blackjack")


def test_a_name_of_no_game_lists_the_games():
    with pytest.raises(UnknownGameError, match="known are: one-and-thirty"):
        find("pinochle")


def test_31_says_what_else_it_could_mean():
    assert "say: thirty-one" in doubtful("31")
    assert not doubtful("thirty-one")
    assert find("31").name == "one-and-thirty"


def test_every_name_that_the_engine_offers_is_there():
    assert [name for name in engine.__all__ if not hasattr(engine, name)] == []
