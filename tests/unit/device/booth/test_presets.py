"""What presets are called on the screen."""

import pytest

from device.booth.presets import preset_title
from display.i18n.languages import languages
from display.i18n.translate import Translator
from engine.games import catalog


@pytest.mark.parametrize(
    ("name", "english", "french"),
    [
        ("willughby", "Willughby", "Willughby"),
        ("california-quick", "California Quick", "California Quick"),
        ("handout", "A handout", "Une feuille anonyme"),
        ("cotton-ace-one", "Cotton, ace one", "Cotton, as à un"),
    ],
)
def test_a_name_that_says_something_is_said_in_every_language(name, english, french):
    assert Translator.of("en").render(preset_title(name)) == english
    assert Translator.of("fr").render(preset_title(name)) == french


@pytest.mark.parametrize("language", languages())
def test_no_two_presets_of_a_game_are_called_alike(language):
    words = Translator.of(language)
    for game in catalog.all_games():
        titles = [words.render(preset_title(each.name)) for each in game.presets]
        assert len(set(titles)) == len(titles)
        assert all(0 < len(each) <= 30 for each in titles), "it stands on one key"
