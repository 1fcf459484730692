import json
import os
import re
import socket
from dataclasses import fields

import pytest

from device.cli import main
from device.config.fields import MOST, validate
from device.config.model import Config, ConfigError, load, load_layers, with_config_file
from device.ports import MOST_SEATS, Button
from engine.core.options import describe
from engine.games import catalog
from vision.mat.layout import SEATS


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


@pytest.mark.fault("config broken")
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
        pytest.param(
            "[game]\nplayers = ['Ann', 'Bess', 'ann ']",
            'game.players: two players are called "Ann"; give each a different name',
            id="one name twice",
        ),
        pytest.param("[game]\nages = [30, -1]", "from 0 to 130; write", id="no age"),
        pytest.param("[game]\nages = 30", "is not a list of ages; try", id="ages"),
        pytest.param(
            "[game]\nages = [30]", "c.toml: game.ages: 1 ages for 4 players", id="too few ages"
        ),
        pytest.param("[camera]\nspec = 3", "is not text", id="spec"),
        pytest.param("[panel.console]\nhave = 99", "choose one from 0 to 27", id="pin"),
        pytest.param("[panel.console]\nhave = 4\nstick = 4", "pin 4 is used 2 times", id="twice"),
    ],
)
def test_single_problems(tmp_path, text, words):
    with pytest.raises(ConfigError, match=words):
        load([write(tmp_path / "c.toml", text)])


@pytest.mark.parametrize(
    ("pin", "words"),
    [
        ("'GPIO17'", "'GPIO17' is not a BCM pin; write 17, without quotes"),
        ("'gpio 4'", "write 4, without quotes"),
        ("'17'", "write 17, without quotes"),
        ("'GPIO99'", "choose one from 0 to 27"),
        ("36", "36 is not a BCM pin; place 36 of the header is BCM 16"),
        ("39", "39 is not a BCM pin; choose one from 0 to 27"),
        ("true", "choose one from 0 to 27"),
    ],
)
def test_a_pin_by_another_name_is_told_by_its_number(tmp_path, pin, words):
    with pytest.raises(ConfigError, match=words):
        load([write(tmp_path / "c.toml", f"[panel.console]\nhave = {pin}")])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[panel.console]\nhave = GPIO17", 'begins "have =": words in quotes, numbers without$'),
        ("[panel.console\nhave = 3", r'begins "\[panel.console"$'),
        ("[game]\nplayers = ['Doll' 'Joan']", 'begins "players ="$'),
        ("[game]\nplayers = [\n'Doll'\n'Joan']", "mend it$"),
        ("[game]\nplayers = ['Doll'", "mend it$"),
    ],
)
def test_a_line_that_is_not_toml_is_named_without_what_it_says(tmp_path, text, words):
    with pytest.raises(ConfigError, match=words) as caught:
        load([write(tmp_path / "c.toml", text)])
    assert "Doll" not in str(caught.value)


def test_an_unknown_choice_of_open_cards_is_told_with_those_there_are(tmp_path):
    words = "unknown choice 'al'; did you mean 'all'"
    with pytest.raises(ConfigError, match=words):
        load([write(tmp_path / "c.toml", "[game]\nopen_cards = 'al'")])


@pytest.mark.parametrize("name", ["panel.console.have", "console", "panel.console"])
def test_a_wire_is_explained_by_the_key_it_stands_in(capsys, name):
    assert main(["config", "--explain", name]) == 0
    assert "Buttons of the dealer's console" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "beside"),
    [
        ("next = 99\n", ["panel.console.next: 99 is not a BCM pin"]),
        (
            "nxt = 5\nundo = 'x'\n",
            ["panel.console.nxt: unknown button", "panel.console.undo: 'x' is not a BCM pin"],
        ),
        ("[panel.knob]\na = 22\n", ["panel.knob: a knob has two phases, b is missing"]),
        (
            "[panel.seats.0]\nlmap = 9\nhave = 3.5\n[panel.seats.8]\n",
            [
                "panel.seats.0.lmap: unknown button or lamp; did you mean 'lamp'?",
                "panel.seats.0.have: 3.5 is not a BCM pin",
                "panel.seats.8: a mat has 8 seats",
            ],
        ),
        ("[panel]\nbuzer = 5\n", ["panel.buzer: unknown key"]),
    ],
)
def test_a_pin_that_is_used_twice_is_told_whatever_is_wrong_beside_it(tmp_path, text, beside):
    console = "console = {have = 17, stick = 17}\n"
    if text.startswith("[panel]"):
        text = f"{text}{console}"
    else:
        text = f"[panel.console]\nhave = 17\nstick = 17\n{text}"
    with pytest.raises(ConfigError) as caught:
        load([write(tmp_path / "c.toml", text)])
    lines = str(caught.value).splitlines()
    assert len(lines) == len(beside) + 1
    for words in beside:
        assert any(words in line for line in lines), words
    assert (
        "panel: pin 17 is used 2 times, by panel.console.have and panel.console.stick" in lines[-1]
    )


@pytest.mark.parametrize("broker", ["192.168.1.20:1883", "mqtt://192.168.1.20", "host/"])
def test_a_broker_with_its_port_is_refused(tmp_path, capsys, broker):
    path = write(tmp_path / "c.toml", f"[hall]\nbroker = '{broker}'\n")
    assert main(["--config", str(path), "config", "check"]) == 1
    assert "write the host alone, and its port in a line of its own" in capsys.readouterr().err
    write(path, "[hall]\nbroker = 'fe80::1'\n")
    assert main(["--config", str(path), "config", "check"]) == 0


def test_a_file_of_the_hall_that_is_not_there_is_told(tmp_path, capsys):
    path = write(tmp_path / "c.toml", f"[hall]\npassword_file = '{tmp_path / 'none'}'\n")
    assert main(["--config", str(path), "config", "check"]) == 1
    said = capsys.readouterr()
    assert f"{path}: can be used" in said.out
    assert f'hall.password_file: there is no file "{tmp_path / "none"}"' in said.err
    (tmp_path / "none").touch()
    assert main(["--config", str(path), "config", "check"]) == 0
    name = "/run/credentials/boneace-hall.service/hall-password"
    write(path, f"[hall]\npassword_file = '{name}'\n")
    assert main(["--config", str(path), "config", "check"]) == 0


@pytest.mark.parametrize(
    ("data", "words"),
    [
        pytest.param(b"\xff\xfe", "UTF-8", id="not UTF-8"),
        pytest.param(b"a = " + b"[" * 5000, "nested too deeply", id="deep"),
        pytest.param(b"# " + b"x" * 1_000_001, "over 1000000 bytes", id="large"),
        pytest.param(b"[game]\nstake = " + b"9" * 5000, "is not TOML", id="long number"),
        pytest.param(b"[game]\nstake = 0x" + b"f" * 5000, "is above 1000000", id="long hex"),
        pytest.param(b'[game]\n"\\u001b[2J" = 1', r"game\.\\x1b\[2J: unknown key", id="escape"),
        pytest.param(b'[game]\nname = "\\u001b[2J"', r"unknown game '\\x1b\[2J'", id="in a value"),
        pytest.param(b'[display]\ntheme = "' + b"x" * 900_000 + b'"', r"xxx\.\.\.;", id="long"),
        pytest.param(
            b'[game]\nplayers = ["a\\n\\u001b", "A\\n\\u001b"]', r"called .a \\x1b.;", id="a name"
        ),
        pytest.param(b"[panel.seats.99999999999]\nhave = 1", "write 0 to 7", id="far seat"),
    ],
)
def test_files_from_strangers_are_told_of_in_a_line(tmp_path, data, words):
    path = tmp_path / "c.toml"
    path.write_bytes(data)
    with pytest.raises(ConfigError, match=words) as caught:
        load([path])
    text = str(caught.value)
    assert text.startswith(str(path))
    assert len(text) < 1000
    assert text.isprintable()


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "c.toml")
    with pytest.raises(ConfigError, match="is a pipe, not a file"):
        load([tmp_path / "c.toml"])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param(
            'name = "bonace"', "game.name: unknown game 'bonace'; did you mean 'bone-ace'"
        ),
        pytest.param('preset = "kotton"', "game.preset: bone-ace: unknown preset 'kotton'"),
        pytest.param("options = {stak = 3}", "game.options: bone-ace: unknown option 'stak'"),
    ],
)
def test_the_game_itself_is_asked_before_anybody_sits_down(tmp_path, text, words):
    path = write(tmp_path / "c.toml", f"[game]\n{text}\n")
    with pytest.raises(ConfigError) as caught:
        load([path])
    assert str(caught.value).startswith(f"{path}: {words}")


@pytest.mark.parametrize("game", catalog.all_games(), ids=lambda game: game.name)
def test_every_game_can_be_named_alone(tmp_path, game):
    """Also those without a stake that all agree on."""
    loaded = load([write(tmp_path / "c.toml", f'[game]\nname = "{game.name}"\n')]).game
    has_stake = any(info.name == "stake" for info in describe(game.options_type))
    assert loaded.has_stake == has_stake == ("stake" in loaded.changes)
    with pytest.raises(ConfigError, match="unknown option 'stak'"):
        load([write(tmp_path / "d.toml", f'[game]\nname = "{game.name}"\noptions = {{stak=3}}\n')])


# What the program says of its own config


@pytest.fixture
def layers(tmp_path, monkeypatch):
    """The files of system and user, which a test may write."""
    system, home = tmp_path / "system.toml", tmp_path / "home"
    monkeypatch.setattr("device.config.model.SYSTEM_PATH", system)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
    monkeypatch.delenv("BONEACE_CONFIG", raising=False)
    (home / "boneace").mkdir(parents=True)
    return system, home / "boneace" / "config.toml"


def keys():
    return [
        (f"{table.name}.{each.name}", each.metadata["key"], each)
        for table in fields(Config())
        for each in fields(getattr(Config(), table.name))
    ]


def test_the_page_of_every_key_is_a_config_of_the_defaults(layers, tmp_path, capsys):
    assert main(["config", "--explain"]) == 0
    page = capsys.readouterr().out
    path = write(tmp_path / "page.toml", page)
    found = load_layers([path])
    assert found.config == Config()
    assert set(found.sources) == {name for name, _, _ in keys()}
    assert max(map(len, page.splitlines())) <= 120
    text = " ".join(line.removeprefix("# ") for line in page.splitlines())
    for name, key, _ in keys():
        assert key.help in text, name
        assert key.kind[1:] in text, name


@pytest.mark.parametrize("name", [name for name, key, _ in keys() if key.example])
def test_every_example_can_be_used(name, tmp_path):
    key = {each: key for each, key, _ in keys()}[name]
    table, _, last = name.partition(".")
    more = "[panel.console]\nmenu = 24\nundo = 23\n" if table == "power" else ""
    path = write(tmp_path / "c.toml", f"[{table}]\n{last} = {key.example}\n{more}")
    assert name in load_layers([path]).sources


@pytest.mark.parametrize("name", [name for name, key, _ in keys() if isinstance(key.default, int)])
def test_ranges_told_are_ranges_kept(name, layers, capsys):
    key = {each: key for each, key, _ in keys()}[name]
    table, _, last = name.partition(".")

    def problem(value):
        _, problems = validate(type(getattr(Config(), table)), table, {last: value})
        return problems[0] if problems else None

    if isinstance(key.default, bool):
        assert problem(1) is not None
        assert problem(True) is None
        return
    assert main(["config", name, "--explain"]) == 0
    told = " ".join(line.removeprefix("# ") for line in capsys.readouterr().out.splitlines())
    open_end, least, most = re.search(
        r"A whole number(?:, (-?\d+) or more| from (-?\d+) to (-?\d+))\.", told
    ).groups()
    least, most = int(open_end or least), int(most or MOST)
    assert problem(least) is None
    assert problem(most) is None
    assert problem(least - 1) is not None
    assert problem(most + 1) is not None
    assert problem(True) is not None


def test_what_is_in_force_and_where_it_comes_from(layers, tmp_path, capsys):
    system, user = layers
    write(system, "[game]\nstake = 2\n[camera]\nspec = '/dev/video3'\n")
    write(user, "[game]\nstake = 3\n")
    assert main(["config"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert f"stake = 3  # {user}" in lines
    assert f'spec = "/dev/video3"  # {system}' in lines
    assert "hold_s = 5  # default" in lines
    assert load([write(tmp_path / "again.toml", "\n".join(lines))]).game.stake == 3

    assert main(["config", "game.stake", "--json"]) == 0
    (told,) = json.loads(capsys.readouterr().out).values()
    assert (told["value"], told["default"], told["from"]) == (3, 1, str(user))


@pytest.mark.parametrize("before", [True, False])
def test_a_file_of_the_command_line_lies_over_all_others(layers, tmp_path, capsys, before):
    system, _ = layers
    write(system, "[game]\nstake = 2\ndealer = 1\n")
    mine = write(tmp_path / "mine.toml", "[game]\nstake = 7\n")
    named = ["--config", str(mine)]
    assert main([*named, "config", "game"] if before else ["config", "game", *named]) == 0
    out = capsys.readouterr().out
    assert f"stake = 7  # {mine}" in out
    assert f"dealer = 1  # {system}" in out
    assert load().game.stake == 2, "only for that one command"


def test_a_file_of_the_environment_gives_way_to_the_command_line(layers, tmp_path, monkeypatch):
    theirs = write(tmp_path / "theirs.toml", "[game]\nstake = 4\n")
    mine = write(tmp_path / "mine.toml", "[game]\nstake = 7\n")
    monkeypatch.setenv("BONEACE_CONFIG", str(theirs))
    assert load().game.stake == 4
    with with_config_file(mine):
        assert load().game.stake == 7
    with with_config_file(None):
        assert load().game.stake == 4


def test_a_file_that_was_asked_for_must_be_there(layers, tmp_path, capsys):
    assert main(["config", "--config", str(tmp_path / "none.toml")]) == 1
    assert "none.toml: no such file; check its name" in capsys.readouterr().err


def test_check_judges_and_explain_helps_while_a_file_is_broken(layers, capsys):
    _, user = layers
    assert main(["config", "check"]) == 0
    assert f"{user}: not there" in capsys.readouterr().out
    write(user, "[game]\nstake = 0\nstak = 1\n")
    assert main(["config", "check"]) == 1
    told = capsys.readouterr().err
    assert "game.stake: 0 is below 1; try 1" in told
    assert "game.stak: unknown key; did you mean 'stake'?" in told
    assert main(["config", "--explain", "game"]) == 0
    assert main(["config", "gmae"]) == 1
    write(user, "")
    assert main(["config", "gmae"]) == 1
    assert "did you mean 'game'?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ("diagonal_in = 7.0\ndistance_m = 0.6", ""),
        ("diagonal_in = 7.0", ""),
        ("diagonal_in = 24\nwidth = 1920\nheight = 1080", ""),
        ("diagonal_in = 24\nwidth = 1920\nheight = 1080\ndistance_m = 2", ""),
        ("diagonal_in = 7.0\ndistance_m = 1.5", "1.5 m is too far for a panel of 7 inches"),
        (
            "diagonal_in = 12\nwidth = 1280\nheight = 800",
            "1.5 m is too far for a panel of 12 inches",
        ),
        ("distance_m = '2'", "is not a number; try 0.0"),
        ("distance_m = 21.5", "is above 20.0; try 0.0"),
    ],
)
def test_a_distance_that_the_panel_cannot_serve_is_refused(tmp_path, lines, says):
    path = tmp_path / "config.toml"
    path.write_text(f"[display]\n{lines}\n", encoding="utf-8")
    if not says:
        assert load([path]).display.diagonal_in
        return
    with pytest.raises(ConfigError, match=r"display\.distance_m") as problem:
        load([path])
    assert says in str(problem.value)


def test_without_a_size_the_screen_is_asked_for_it(tmp_path, monkeypatch):
    path = tmp_path / "config.toml"
    path.write_text("[display]\ndistance_m = 1.5\n", encoding="utf-8")
    monkeypatch.setattr("device.config.model.panel_inches", lambda: 0.0)
    assert load([path]).display.distance_m == 1.5, "a screen that tells nothing may be any size"
    monkeypatch.setattr("device.config.model.panel_inches", lambda: 7.0)
    with pytest.raises(ConfigError, match=r"write 0\.62 or less"):
        load([path])


@pytest.mark.parametrize(
    ("web", "found"),
    [
        ("", f"http://{socket.gethostname()}.local:8031"),
        ("host = '127.0.0.1'", "http://127.0.0.1:8031"),
        ("host = 'fe80::1'\nport = 80", "http://[fe80::1]:80"),
        ("host = '127.0.0.1'\nurl = 'http://table.example/'", "http://table.example"),
    ],
)
def test_the_pages_are_told_to_be_where_they_are(tmp_path, web, found):
    path = write(tmp_path / "c.toml", f"[web]\n{web}\n")
    assert load([path]).web.address == found


def test_a_table_has_as_many_seats_as_the_largest_mat():
    assert SEATS[-1] == MOST_SEATS
