import pytest

from device.config import Config, ConfigError, load
from device.ports import Button


def write(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def test_empty_file_is_valid(tmp_path):
    assert load([write(tmp_path / "c.toml", "")]) == Config()


def test_missing_files_are_the_defaults(tmp_path):
    assert load([tmp_path / "none.toml"]) == Config()


def test_later_file_wins_key_by_key(tmp_path):
    one = write(tmp_path / "1.toml", '[game]\nstake = 5\nname = "one-and-thirty"\n')
    two = write(tmp_path / "2.toml", '[game]\nstake = 2\nplayers = ["X", "Y"]\n')
    game = load([one, two]).game
    assert (game.stake, game.name, game.players) == (2, "one-and-thirty", ("X", "Y"))


def test_pins(tmp_path):
    text = "[panel]\nattention_lamp = 16\n[panel.console]\nhave = 17\n"
    text += "[panel.seats.2]\nstick = 5\nlamp = 13\n"
    pins = load([write(tmp_path / "c.toml", text)]).panel.pins()
    assert pins.buttons == {(Button.HAVE, None): 17, (Button.STICK, 2): 5}
    assert pins.turn_lamps == {2: 13}
    assert pins.attention_lamp == 16


def test_all_problems_at_once_with_file_key_and_cure(tmp_path):
    one = write(tmp_path / "1.toml", "[gme]\nstake = 1\n[game]\nstakes = 1\nplayers = ['solo']\n")
    two = write(
        tmp_path / "2.toml",
        "[display]\nwidth = 12.5\nfullscreen = 1\n[panel]\nbackend = 'usb'\n"
        "[panel.console]\nhve = 3\n[panel.seats.x]\nhave = 1\n",
    )
    with pytest.raises(ConfigError) as caught:
        load([one, two])
    lines = str(caught.value).splitlines()
    expected = [
        ("1.toml: gme: unknown table; did you mean 'game'?"),
        ("1.toml: game.stakes: unknown key; did you mean 'stake'?"),
        ("1.toml: game.players: ['solo'] is not a list of two or more names"),
        ("2.toml: display.width: 12.5 is not a whole number; try 800"),
        ("2.toml: display.fullscreen: 1; write true or false"),
        ("2.toml: panel.backend: unknown backend 'usb'; known are: auto, gpio, keyboard"),
        ("2.toml: panel.console.hve: unknown button; did you mean 'have'?"),
        ("2.toml: panel.seats.x: is not a seat"),
    ]
    assert len(lines) == len(expected)
    for line, words in zip(lines, expected, strict=True):
        assert words in line


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("[game", "is not TOML", id="broken"),
        pytest.param("game = 3", "write \\[game\\]", id="no-table"),
        pytest.param("[game]\nstake = 0", "is below 1", id="stake"),
        pytest.param("[game]\ndealer = -2", "is below -1", id="dealer"),
        pytest.param("[camera]\nspec = 3", "is not text", id="spec"),
        pytest.param("[panel.console]\nhave = 99", "choose one from 0 to 27", id="pin"),
        pytest.param("[panel.console]\nhave = 4\nstick = 4", "pin 4 is used 2 times", id="twice"),
    ],
)
def test_single_problems(tmp_path, text, words):
    with pytest.raises(ConfigError, match=words):
        load([write(tmp_path / "c.toml", text)])
