"""What people agree at the booth: single rules, and how old they are."""

from dataclasses import replace

import pygame
import pytest

from device.booth.scenes.agreed import OptionScene, OptionsScene
from device.booth.scenes.base import Play
from device.booth.scenes.names_and_ages import AgesScene
from device.booth.scenes.seats import SeatsScene
from device.config.model import BoothConfig, Config, DisplayConfig, GameConfig
from device.simulator.people import bank_customs
from display.drawing.theme import THEMES
from display.i18n.languages import LANGUAGES
from display.pages.renderer import PageScreen
from engine.core.events import Join, Misdeal, Roll
from engine.core.options import describe
from engine.games import catalog
from engine.games.agreed import agreements
from tests.support.booth_rig import Rig
from tests.support.words import in_words


def made(folder, **game):
    rig = Rig(
        folder,
        Config(
            game=GameConfig(players=("Ann", "Bess"), **game),
            display=DisplayConfig(language="en"),
            booth=BoothConfig(enabled=True, keep_settings=True),
        ),
    )
    return rig.press("have").press("have")


@pytest.fixture
def rig(tmp_path):
    rig = made(tmp_path, name="one-and-thirty")
    yield rig
    rig.booth.shut()
    rig.journal.close()


def key(rig, text):
    """Touch the key or the row that says *text*."""
    page = rig.glass.page
    texts = [each.text for each in getattr(page, "choices", None) or page.items]
    return rig.press("have", choice=texts.index(text))


def test_a_rule_is_agreed_by_touch_shown_and_kept(rig):
    key(rig, "Options")
    key(rig, "The deal passes to the left.")
    assert [item.detail for item in rig.glass.page.items] == ["Willughby", "", "", ""]
    key(rig, "The winner deals next.")
    row = next(item for item in rig.glass.page.items if item.text == "The winner deals next.")
    assert row.detail == "changed"
    rig.press("next")
    assert isinstance(rig.booth.stage.top, SeatsScene)
    assert rig.glass.page.middle[1] == "Willughby, 1 rule changed"
    rig.press("undo")
    assert rig.glass.page.items[0].text == "Willughby, 1 rule changed", "on the tile"
    rig.press("have")
    key(rig, "Deal")
    assert rig.booth.session.state.setup.options.next_dealer == "winner"
    assert rig.booth.session.record.options["next_dealer"] == "winner", "in the journal"


def test_a_rule_is_agreed_with_the_buttons_and_taken_back(rig):
    for _ in range(4):
        rig.press("stick")
    rig.press("have")
    assert isinstance(rig.booth.stage.top, OptionsScene)
    count = len(rig.glass.page.items)
    rig.press("have").press("stick").press("have")
    assert rig.booth.context.setup.chosen == {"decks": 2}
    assert len(rig.glass.page.items) == count + 1, "and all as the preset has it"
    rig.press("left").press("have")
    assert rig.booth.context.setup.chosen == {}


def test_another_preset_begins_without_changes(rig):
    rig.booth.context.setup.chosen["decks"] = 2
    key(rig, "Rules")
    key(rig, "Kerr")
    assert rig.booth.context.setup.chosen == {}


def test_the_options_of_the_config_are_what_the_booth_proposes(tmp_path):
    rig = made(tmp_path, name="one-and-thirty", options={"decks": 2, "stake": 3})
    key(rig, "Deal")
    options = rig.booth.session.state.setup.options
    assert (options.decks, options.stake) == (2, 3)
    rig.booth.shut()
    rig.journal.close()


def ages(rig):
    return [player.age for player in rig.booth.session.state.setup.players]


def test_ages_are_asked_for_once_and_only_by_rules_that_need_them(rig):
    assert "Ages" not in [each.text for each in rig.glass.page.choices]
    key(rig, "Rules")
    key(rig, "Davis")
    assert rig.glass.page.choices[-1].text == "Ages"
    key(rig, "Deal")
    assert isinstance(rig.booth.stage.top, AgesScene)
    key(rig, "Bess")
    for digit in (3, 9, 8):  # 4, 0, and a 9 that would be too old
        rig.press("have", choice=digit)
    rig.press("next")
    assert [item.value for item in rig.glass.page.items] == ["-", "40"]
    rig.press("next")
    assert isinstance(rig.booth.stage.top, SeatsScene)
    key(rig, "Deal")
    assert ages(rig) == [None, 40], "who does not tell plays all the same"


def test_the_ages_of_the_config_are_those_of_its_players_alone(tmp_path):
    rig = made(tmp_path, name="one-and-thirty", preset="davis", ages=(30, 50))
    key(rig, "Deal")
    assert ages(rig) == [30, 50]
    rig.booth.new_game()
    rig.press("have")
    rig.press("have", seat=0)
    rig.press("have", seat=3)
    assert rig.booth.context.setup.lacks_ages
    rig.booth.shut()
    rig.journal.close()


def test_who_sits_down_between_hands_is_proposed_with_an_age_again(tmp_path):
    rig = made(tmp_path, name="knucklebones", ages=(30, 50))
    key(rig, "Deal")
    rig.booth.carry_out(Play(Misdeal("a bone is gone")))
    rig.booth.carry_out(Play(Join(2, "Cecil", 40)))
    setup = rig.booth.context.setup
    assert setup.seated[2] == "Cecil"
    assert setup.ages == {2: 40}, "the others tell none by these rules"
    rig.booth.shut()
    rig.journal.close()


def test_stakes_are_laid_by_five_buttons_until_the_first_throw(tmp_path):
    rig = made(tmp_path, name="knucklebones", ages=(30, 50))
    key(rig, "Stake")  # from 1 to 2
    key(rig, "Deal")
    assert rig.booth.session.state.round.play.stakes == ((0, 2),)
    rig.press("menu")
    rows = [item.text for item in rig.glass.page.items]
    for _step in range(rows.index("The stakes")):
        rig.press("stick")
    rig.press("have")
    assert [(item.text, item.value) for item in rig.glass.page.items] == [("Ann", "two tokens")]
    rig.press("have").press("have")
    assert [item.value for item in rig.glass.page.items] == ["five tokens"]
    rig.press("menu")
    assert rig.booth.session.state.round.play.stakes == ((0, 5),)
    rig.booth.carry_out(Play(Roll(0, (1, 3, 4, 6, 6))))
    rig.press("menu")
    assert "The stakes" not in [item.text for item in rig.glass.page.items]
    rig.booth.shut()
    rig.journal.close()


# The customs of the bank

BANK = ("bank_passes", "tie", "banker_rule", "extra_mode", "target")


@pytest.mark.parametrize("name", BANK)
def test_every_custom_of_the_bank_is_agreed_in_plain_words(tmp_path, name):
    """Each choice has a sentence of its own, in each language, that fits its row."""
    rig = made(tmp_path, name="knucklebones")
    preset = catalog.find_preset(catalog.find("knucklebones"), None)
    options = {a.name: a for a in agreements(catalog.find("knucklebones"), preset, {})}
    choices = describe(catalog.find("knucklebones").options_type)
    (values,) = (info.choices.values for info in choices if info.name == name)
    assert set(options[name].rules) == set(values)
    scene = OptionScene(rig.booth.context, options[name])
    for language in LANGUAGES:
        screen = PageScreen((800, 480), theme=THEMES["large"], language=language)
        for focus in range(len(values)):
            page = replace(scene.page(), focus=focus)
            written = screen.draw(pygame.Surface((800, 480)), page).written
            assert not [each.text for each in written if "…" in each.text], language
        said = [in_words(item.text, language) for item in scene.page().items]
        assert len(set(said)) == len(values), "each says what it is"
        if language != "en":
            assert not set(said) & {in_words(item.text) for item in scene.page().items}
    rig.booth.shut()
    rig.journal.close()


@pytest.mark.parametrize(
    "custom", bank_customs()[::5], ids=lambda c: "-".join(map(str, c.values()))
)
def test_customs_of_the_bank_are_chosen_by_touch_and_played(tmp_path, custom):
    rig = made(tmp_path, name="knucklebones")
    key(rig, "Options")
    for name, value in custom.items():
        scene = rig.booth.stage.top
        found = next(each for each in scene._found if each.name == name)
        rig.press("have", choice=scene._found.index(found))
        rig.press("have", choice=list(found.rules).index(value))
    rig.press("next")
    key(rig, "Deal")
    options = rig.booth.session.state.setup.options
    assert {name: getattr(options, name) for name in custom} == custom
    rig.booth.shut()
    rig.journal.close()
