"""``boneace play``: its arguments, which camera is waited for, and which sitting goes on."""

import argparse
import json
import signal
import sqlite3
from functools import partial

import cv2
import numpy as np
import pytest

from device import app
from device.cli import main
from device.clock import HandClock
from device.commands import play
from device.config.model import ConfigError, GameConfig
from device.croupier.questions import Notice
from device.ports import CameraError, EndOfFramesError
from device.runtime.camera_worker import SyncReadingSource, ThreadedReadingSource
from device.runtime.observer import ReadingObserver
from device.runtime.session import Session
from device.storage.journal.journal import Journal
from device.storage.journal.reader import JournalReader
from display import PromptKind, Window
from display.i18n.translate import Translator
from engine import Card, Deal
from engine.core.events import Claim, Declare, TurnUp
from engine.games import catalog


class BlindWatch:
    """Sees every frame and nothing in it."""

    def __init__(self, reader=None):
        pass

    def see(self, image, time_s):
        return None


@pytest.fixture(autouse=True)
def own_home(tmp_path, monkeypatch):
    """No config and no journal but the test's own; `play` takes SIGTERM over, the run wants it."""
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.setattr("device.config.model.SYSTEM_PATH", tmp_path / "none.toml")
    old = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, old)


@pytest.fixture
def blind(monkeypatch):
    monkeypatch.setattr(app, "TableReader", lambda **_: object())
    monkeypatch.setattr(app, "MotionGate", BlindWatch)


@pytest.fixture
def film(tmp_path):
    folder = tmp_path / "film"
    folder.mkdir()
    assert cv2.imwrite(str(folder / "0.png"), np.zeros((8, 8, 3), np.uint8))
    return folder


def arguments(*words):
    parser = argparse.ArgumentParser()
    play.add_arguments(parser)
    return parser.parse_args(words)


def headless(film, path, *words):
    return main(["play", "--headless", "--camera", str(film), "--journal", str(path), *words])


def sittings(path):
    with JournalReader(path) as journal:
        return journal.sittings()


# What is said on the command line


def test_without_arguments_the_config_holds():
    config = play.settings(arguments())
    assert config.game == GameConfig()
    assert config.camera.spec == "auto"
    assert play.seats(arguments(), config.game) == (0, 1, 2, 3)


def test_arguments_lie_over_the_config(tmp_path):
    words = ["--players", " Ann, Bess ,", "--stake", "3", "--dealer", "1", "--camera", "v4l2:2"]
    config = play.settings(arguments(*words, "--journal", str(tmp_path / "j")))
    assert config.game.players == ("Ann", "Bess")
    assert (config.game.stake, config.game.dealer) == (3, 1)
    assert config.camera.spec == "v4l2:2"
    assert config.journal.path == str(tmp_path / "j")


def test_another_game_leaves_the_preset_of_the_config_behind(tmp_path):
    file = tmp_path / "XDG_CONFIG_HOME" / "boneace" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text('[game]\npreset = "cotton"\noptions = {decks = 2}\n', encoding="utf-8")
    assert play.settings(arguments()).game.preset == "cotton"
    other = play.settings(arguments("--game", "one-and-thirty")).game
    assert (other.name, other.preset, dict(other.options)) == ("one-and-thirty", "", {})
    named = play.settings(arguments("--game", "one-and-thirty", "--preset", "kerr")).game
    assert named.preset == "kerr"


@pytest.mark.parametrize(
    ("words", "cure"),
    [
        (["--players", "Ann"], "try --players"),
        (["--players", " , "], "try --players"),
        (["--players", "Ann, Bess,ann"], '--players: two players are called "Ann"; give each'),
        (["--stake", "0"], "try --stake 1"),
        (["--stake", "2", "--game", "scat"], "leave --stake out"),
    ],
)
def test_arguments_that_cannot_be_used_name_a_cure(words, cure):
    with pytest.raises(ConfigError, match=cure):
        play.settings(arguments(*words))


@pytest.mark.parametrize("game", [each.name for each in catalog.all_games()])
def test_every_game_begins_by_its_name_alone(game, blind, film, tmp_path):
    """Not every game has a stake that all agree on; the config's is for those that have one."""
    path = tmp_path / "j.sqlite3"
    assert headless(film, path, "--players", "Ann,Bess,Cecil", "--game", game) == 0
    (sitting,) = sittings(path)
    assert sitting.game == game
    assert sitting.dealer == (None if catalog.find(game).cuts_for_deal else 2)


def test_the_taught_deck_of_the_config_is_read_with_by_the_table_and_by_the_booth(
    film, tmp_path, monkeypatch, capsys
):
    """A table that starts with the machine has no command line; what is typed goes first."""
    asked = []
    monkeypatch.setattr(app, "TableReader", lambda **named: asked.append(named["deck"]))
    monkeypatch.setattr(app, "MotionGate", BlindWatch)
    monkeypatch.setattr(app, "find_deck", lambda name: name)
    monkeypatch.setattr("device.storage.taught.LOAD", {"deck": str, "bones": str})
    file = tmp_path / "XDG_CONFIG_HOME" / "boneace" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text('[game]\ndeck = "heirloom"\n', encoding="utf-8")
    assert headless(film, tmp_path / "1.sqlite3") == 0
    assert headless(film, tmp_path / "2.sqlite3", "--deck", "other") == 0
    presses = script(tmp_path / "p.jsonl", "have", "have", "have")
    reel = frames(tmp_path / "reel", 15)
    booth = ("--booth", "--presses", str(presses))
    assert headless(reel, tmp_path / "3.sqlite3", *booth) == 0
    assert asked[:2] == ["heirloom", "other"]
    assert len(asked) > 3, "the booth has chosen a game"
    assert set(asked[2:]) == {"heirloom"}
    file.write_text("", encoding="utf-8")
    assert headless(film, tmp_path / "4.sqlite3") == 0
    assert asked[-1] is None


@pytest.mark.parametrize("how", ["table", "booth"])
@pytest.mark.parametrize("state", ["missing", "of another network"])
@pytest.mark.parametrize("kind", ["bones", "deck"])
def test_a_table_starts_without_a_taught_set_that_cannot_be_used(
    kind, state, how, film, tmp_path, monkeypatch, capsys, caplog
):
    """One that starts with its machine must not stay dark after an upgrade."""
    decks = []
    monkeypatch.setattr(app, "TableReader", lambda **named: decks.append(named["deck"]))
    monkeypatch.setattr(app, "BonesOnMat", lambda *_: object())
    monkeypatch.setattr(app, "MotionGate", BlindWatch)
    said = []
    monkeypatch.setattr(
        "device.runtime.table.Notice", lambda text, **_: said.append(str(text)) or Notice(text)
    )
    file = tmp_path / "XDG_CONFIG_HOME" / "boneace" / "config.toml"
    file.parent.mkdir(parents=True)
    game = "knucklebones" if kind == "bones" else "bone-ace"
    file.write_text(f'[game]\nname = "{game}"\n{kind} = "brass"\n', encoding="utf-8")
    if state != "missing":
        ending = "json" if kind == "bones" else "deck"
        folder = "bones" if kind == "bones" else "decks"
        path = tmp_path / "XDG_STATE_HOME" / "boneace" / folder / f"brass.{ending}"
        path.parent.mkdir(parents=True)
        path.write_text('{"format": 1, "bones": "brass", "network": "0", "samples": []}')
    words, reel = (), film
    if how == "booth":
        words = ("--booth", "--presses", str(script(tmp_path / "p.jsonl", "have", "have", "have")))
        reel = frames(tmp_path / "reel", 15)
    assert headless(reel, tmp_path / "1.sqlite3", *words) == 0
    assert f"The taught {kind} brass cannot be used" in "".join(said)
    assert "the table plays without what was taught" in caplog.text
    assert set(decks) <= {None}
    assert [sitting.bones for sitting in sittings(tmp_path / "1.sqlite3")] == [""]
    assert headless(film, tmp_path / "2.sqlite3", f"--{kind}", "brass", "--game", game) == 1
    assert "teach" in capsys.readouterr().err


def test_seats_are_one_number_a_player():
    game = GameConfig(players=("Ann", "Bess", "Cecil"))
    assert play.seats(arguments("--seats", "0, 2,5"), game) == (0, 2, 5)
    for wrong in ("0,1", "0,1,2,3", "0,1,x", "0,-1,2", ""):
        with pytest.raises(ConfigError, match="try --seats 0,1,2"):
            play.seats(arguments("--seats", wrong), game)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--game", "bonace"], "did you mean 'bone-ace'"),
        (["--preset", "coton"], "'cotton'"),
        (["--players", "Ann,Bess", "--seats", "1,1"], "seat"),
        (["--dealer", "7"], "dealer"),
    ],
)
def test_what_the_engine_refuses_fails_at_once_and_leaves_no_sitting(
    words, said, blind, film, tmp_path, capsys
):
    path = tmp_path / "j.sqlite3"
    assert headless(film, path, *words) == 1
    talk = capsys.readouterr().err
    assert talk.startswith("boneace play: ")
    assert said in talk
    assert not path.exists() or sittings(path) == ()


# Which camera is waited for


@pytest.mark.parametrize(
    "spec", ["no/such/film", "film.mp4", "v4l2:front", "picamera", "~/no-film"]
)
def test_mistyped_recording_fails_at_once(spec, blind, tmp_path, capsys):
    path = tmp_path / "j.sqlite3"
    assert headless(spec, path) == 1
    talk = capsys.readouterr().err
    assert f"unknown camera {spec!r}: no such file or folder; try" in talk
    assert sittings(path) == (), "the next start must not go on with this one"


def test_folder_without_pictures_and_file_that_is_no_video_fail_at_once(tmp_path):
    with pytest.raises(CameraError, match="no picture in it"):
        app.open_source(str(tmp_path), BlindWatch())
    torn = tmp_path / "torn.mp4"
    torn.write_bytes(b"not a video")
    with pytest.raises(CameraError, match="not a video"):
        app.open_source(str(torn), BlindWatch())


def test_an_idle_table_before_a_live_camera_is_looked_at_less_often(monkeypatch):
    """Where the watch can say how long nothing has moved, the camera's thread asks it."""
    pauses = []
    monkeypatch.setattr(app, "problem_with", lambda spec: None)
    monkeypatch.setattr(
        app, "ThreadedReadingSource", lambda *_, pause_s, **more: pauses.append(pause_s())
    )
    monkeypatch.setattr(ReadingObserver, "pause_s", 0.4)
    app.open_source("0", ReadingObserver(BlindWatch()))
    app.open_source("0", BlindWatch())
    assert pauses == [0.4, 0.0]


def test_recording_in_the_home_folder_is_looked_at_frame_by_frame(film, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    eyes = app.open_source("~/film", BlindWatch())
    assert isinstance(eyes, SyncReadingSource)
    assert eyes.poll() == ()
    assert eyes.frame == 1
    eyes.close()


@pytest.mark.fault("camera absent at the start")
@pytest.mark.parametrize("spec", ["auto", "picamera2", "v4l2:0", "0", "/dev/video7", "v4l2:/dev/x"])
def test_absent_camera_is_waited_for(spec, monkeypatch, caplog):
    tries, pauses = [], []

    def absent(name):
        tries.append(name)
        if len(tries) == 4:
            raise EndOfFramesError("enough for a test; start it again")
        raise CameraError("no camera; plug one in. Tried: this and that")

    monkeypatch.setattr(app, "open_camera", absent)
    monkeypatch.setattr(
        app,
        "ThreadedReadingSource",
        lambda opened, watch, **more: ThreadedReadingSource(
            opened, watch, wait=pauses.append, **more
        ),
    )
    eyes = app.open_source(spec, BlindWatch())
    eyes._thread.join()
    assert tries == [spec] * 4
    assert pauses == [1.0, 2.0, 4.0]
    assert "cannot see the table" in str(eyes.trouble.text)
    assert "plug one in" in caplog.text
    assert str(eyes.trouble.detail).startswith("Check the camera"), "for everybody, in any language"


def test_absent_camera_shows_the_calm_screen(blind, tmp_path, monkeypatch):
    """The loop goes on, says so, and takes presses: here the press to quit."""
    prompts = []

    def absent(name):
        raise CameraError("no camera; plug one in")

    class Screen:
        """A window that is closed once it has shown the trouble."""

        def __init__(self, size, **_how):
            self.size, self.is_lost = size, False

        def set_style(self, theme, language):
            pass

        def signs(self):
            return {}

        steps = signs

        def touches(self):
            return ()

        def __enter__(self):
            return self

        def __exit__(self, *problem):
            pass

        def show(self, view, prompt=None, time_s=0.0):
            prompts.append(prompt)

        def show_page(self, page, time_s=0.0):
            raise AssertionError("nobody switches off")

        def keys(self):
            return ["quit"] if prompts and prompts[-1].kind is PromptKind.TROUBLE else []

        def taps(self):
            return []

    monkeypatch.setattr(app, "open_camera", absent)
    monkeypatch.setattr(app, "Window", Screen)
    monkeypatch.setattr(app, "require_screen", lambda: None)
    monkeypatch.setattr(app, "FRAME_S", 0.001)
    path = tmp_path / "j.sqlite3"
    assert main(["play", "--camera", "auto", "--journal", str(path)]) == 0
    assert "cannot see the table" in prompts[-1].title
    assert str(prompts[-1].detail).startswith("Check the camera")


def test_who_has_no_camera_is_told_of_the_option_of_the_same_command(monkeypatch):
    def absent(spec):
        raise CameraError("no camera found")

    def opens(camera, *_words, **_more):
        with pytest.raises(CameraError) as found:
            camera()
        return str(found.value)

    monkeypatch.setattr(app, "open_camera", absent)
    monkeypatch.setattr(app, "ThreadedReadingSource", opens)
    told = app.open_source("auto", BlindWatch())
    assert told == "no camera found. Or do without a camera: --no-camera"


@pytest.mark.parametrize("command", ["play", "count bones", "restore", "support"])
def test_folders_that_are_not_there_are_not_made_for_a_journal(tmp_path, capsys, command):
    path = tmp_path / "jounrals" / "fair" / "j.sqlite3"
    assert main([*command.split(), "--journal", str(path)]) == 2
    assert f"--journal: there is no folder {path.parents[1]}; check" in capsys.readouterr().err
    assert not path.parent.exists()


def test_mistyped_script_of_presses_leaves_no_sitting(blind, film, tmp_path, capsys):
    path = tmp_path / "j.sqlite3"
    assert headless(film, path, "--presses", str(tmp_path / "none.jsonl")) == 1
    assert "check --presses" in capsys.readouterr().err
    assert not path.exists()


# Whether anybody can see it


def test_without_a_screen_nobody_is_played_to(blind, film, tmp_path, monkeypatch, capsys):
    """Where there is no screen SDL draws off screen and says nothing."""
    monkeypatch.delenv("SDL_VIDEODRIVER", raising=False)
    monkeypatch.setattr(app, "Window", partial(Window, headless=True))
    path = tmp_path / "j.sqlite3"
    assert main(["play", "--camera", str(film), "--journal", str(path)]) == 1
    assert "run with --headless" in capsys.readouterr().err
    assert sittings(path) == ()


def test_who_asks_for_a_hidden_window_gets_it(blind, film, tmp_path, monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    path = tmp_path / "j.sqlite3"
    assert main(["play", "--camera", str(film), "--journal", str(path)]) == 0
    assert len(sittings(path)) == 1


def test_demo_without_a_screen_is_headless(monkeypatch, capsys):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    window, headless = app.open_demo_window(headless=False)
    window.close()
    assert headless
    assert "playing headless" in capsys.readouterr().err


# Which sitting goes on


@pytest.fixture
def journal(tmp_path):
    with Journal(tmp_path / "journal.sqlite3") as made:
        yield made


def open_session(journal, *names, new=False):
    game = GameConfig(players=names, dealer=0, stake=2)
    clock = HandClock(wall=1_700_000_000.0)
    session = app.open_session(journal, clock, game, range(len(names)), new=new)
    play.Story().open(session, lambda: Translator.of("en"))
    return session


def test_unfinished_sitting_goes_on_whatever_the_config_names(journal, capsys):
    first = open_session(journal, "Ann", "Bess")
    first.apply(Deal(1, None))
    capsys.readouterr()
    again = open_session(journal, "Cecil", "Doll", "Edith")
    assert again.state == first.state
    assert again.events == 1
    assert capsys.readouterr().out == "Going on with hand 1 of Ann, Bess (--new begins afresh).\n"
    again.apply(Deal(0, None))
    assert len(journal.events(1)) == 2


def test_new_ends_the_unfinished_sitting(journal, capsys):
    open_session(journal, "Ann", "Bess").apply(Deal(1, None))
    other = open_session(journal, "Cecil", "Doll", new=True)
    assert [seat.name for seat in other.view.seats] == ["Cecil", "Doll"]
    assert other.view.stake == 2
    assert [sitting.closed is None for sitting in journal.sittings()] == [False, True]
    assert "Cecil and Doll sit down" in capsys.readouterr().out


def test_a_match_that_is_over_is_not_gone_on_with(journal, capsys):
    lives = {"lives": 1, "free_ride": False}
    config = GameConfig(name="scat", players=("Ann", "Bess"), dealer=0, options=lives)
    clock = HandClock(wall=1_700_000_000.0)
    match = app.open_session(journal, clock, config, range(2))
    for seat in (1, 0) * 3:
        match.apply(Deal(seat, None))
    match.apply(TurnUp(Card.parse("4C")))
    assert Session.unfinished(journal, clock) is not None
    match.apply(Declare(1, Claim.OUT))
    assert match.view.match.over
    assert Session.unfinished(journal, clock) is None
    other = open_session(journal, "Cecil", "Doll")
    assert [seat.name for seat in other.view.seats] == ["Cecil", "Doll"]
    assert [each.closed is None for each in journal.sittings()] == [False, True]


def test_sitting_in_which_nothing_happened_is_not_gone_on_with(journal):
    open_session(journal, "Ann", "Bess")
    other = open_session(journal, "Cecil", "Doll")
    assert [seat.name for seat in other.view.seats] == ["Cecil", "Doll"]
    assert journal.open_sittings()[0].number == 2


def test_ended_sitting_stays_ended(journal):
    first = open_session(journal, "Ann", "Bess")
    first.apply(Deal(1, None))
    first.close()
    assert open_session(journal, "Ann", "Bess").events == 0


def test_recording_that_is_over_leaves_the_hand_for_the_next_start(blind, film, tmp_path, capsys):
    path = tmp_path / "j.sqlite3"
    assert headless(film, path, "--players", "Ann,Bess", "--dealer", "0") == 0
    (sitting,) = sittings(path)
    assert sitting.closed is None
    with Journal(path) as journal:
        journal.append(sitting.number, 0, {"e": "deal", "seat": 1, "card": "??"}, 0.0)
    capsys.readouterr()
    assert headless(film, path) == 0
    assert "Going on with hand 1 of Ann, Bess" in capsys.readouterr().out
    with sqlite3.connect(path) as db:
        assert db.execute("SELECT count(*) FROM sittings").fetchone() == (1,)
    db.close()


BEGUN = [
    *("--game", "one-and-thirty", "--preset", "kerr", "--players", "Ann, Bess,Cecil"),
    *("--seats", "0,2,3", "--stake", "3", "--dealer", "2"),
]


@pytest.fixture
def left(blind, film, tmp_path, capsys):
    """A journal with a game that was left after its first card."""
    path = tmp_path / "j.sqlite3"
    assert headless(film, path, *BEGUN) == 0
    with Journal(path) as journal:
        journal.append(1, 0, {"e": "deal", "seat": 3, "card": "??"}, 0.0)
    capsys.readouterr()
    return path


@pytest.mark.parametrize("before", [[], ["--booth"]], ids=["table", "booth"])
@pytest.mark.parametrize(
    ("words", "has"),
    [
        (["--game", "scat"], "one-and-thirty"),
        (["--preset", "willughby"], "kerr"),
        (["--preset", "wikipedia"], "kerr"),
        (["--players", "Xa,Yb,Zc"], "Ann,Bess,Cecil"),
        (["--players", "Ann,Bess"], "Ann,Bess,Cecil"),
        (["--seats", "0,1,2"], "0,2,3"),
        (["--stake", "2"], "3"),
        (["--set", "late_31=single"], "late_31=in_order"),
        (["--set", "lives=2"], "lives=no such option"),
        (["--dealer", "0"], "2"),
        (["--dealer", "-1"], "2"),
    ],
)
def test_arguments_for_another_game_are_refused_while_one_is_unfinished(
    before, words, has, left, film, monkeypatch, capsys
):
    monkeypatch.setattr(app, "open_source", lambda *_: pytest.fail("a camera was opened"))
    kept = left.read_bytes()
    assert headless(film, left, *before, *words) == 2
    told = capsys.readouterr()
    name, value = words
    assert f"{name} {value} (the unfinished game has {has})" in told.err
    assert f"leave out {name} to go on" in told.err
    assert "add --new" in told.err
    assert told.out == ""
    assert left.read_bytes() == kept


def test_single_rules_and_ages_are_set_for_a_new_game(blind, film, tmp_path, capsys):
    path = tmp_path / "j.sqlite3"
    words = ["--game", "bone-ace", "--players", "Xa,Yb", "--dealer", "0", "--preset", "davis"]
    words += ["--set", "late_31=single", "--set", "double_on_31=yes", "--set", "stake=4"]
    assert headless(film, path, *words, "--ages", "30,41") == 0
    assert "how old" not in capsys.readouterr().err
    (sitting,) = sittings(path)
    assert [player["age"] for player in sitting.players] == [30, 41]
    kept = sitting.options
    assert (kept["late_31"], kept["double_on_31"], kept["stake"]) == ("single", True, 4)
    assert headless(film, path, "--set", "stake=4", "--ages", "30,41", *words) == 0, "goes on"
    assert headless(film, path, "--new", *words) == 0
    assert "Tell how old they are: --ages 30,30 " in capsys.readouterr().err
    assert "age" not in sittings(path)[-1].players[0]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--ages", "30,31"], "--ages: nobody's age decides anything by these rules"),
        (["--preset", "davis", "--ages", "30"], "does not give 2 players an age from 0 to 130"),
        (["--preset", "davis", "--ages", "30,x"], "try --ages 30,31"),
        (["--set", "late_31=no"], "'no' is not allowed; choose 'in_order', 'single', 'double'"),
        (["--set", "late=no"], "unknown option 'late'; did you mean 'late_31'"),
        (["--set", "late_31"], "has no value; write for example --set stake=2"),
    ],
)
def test_rules_and_ages_that_cannot_be_are_refused(blind, film, tmp_path, capsys, words, told):
    path = tmp_path / "j.sqlite3"
    assert headless(film, path, "--game", "one-and-thirty", "--players", "Xa,Yb", *words) == 1
    assert told in capsys.readouterr().err
    assert not path.exists() or sittings(path) == ()


def test_more_players_than_a_mat_has_places_are_refused(blind, film, tmp_path, capsys):
    path = tmp_path / "j.sqlite3"
    words = ["--game", "scat", "--players", ",".join("ABCDEFGHI"), "--set", "max_players=9"]
    assert headless(film, path, *words) == 2
    assert "a mat has places for 8, and 9 are named" in capsys.readouterr().err
    assert not path.exists() or sittings(path) == ()


def test_all_that_differs_is_named_at_once(left, film, capsys):
    words = ["--players", "Xa,Yb,Zc", "--game", "bone-ace", "--stake", "3"]
    assert headless(film, left, *words) == 2
    told = capsys.readouterr().err
    assert "hand 1 of Ann, Bess, Cecil" in told
    assert "leave out --game and --players to go on" in told


def test_the_arguments_it_was_begun_with_go_on(left, film, capsys):
    """The same line is typed again after a power cut."""
    assert headless(film, left, *BEGUN) == 0
    assert "Going on with hand 1 of Ann, Bess, Cecil" in capsys.readouterr().out
    assert headless(film, left, "--seats", " 0,2, 3") == 0, "also without the players"
    assert headless(film, left, "--set", "late_31=in_order") == 0, "a rule as it is"
    assert len(sittings(left)) == 1


def test_new_begins_another_game_beside_the_unfinished_one(left, film):
    words = ["--new", "--game", "bone-ace", "--players", "Xa,Yb", "--dealer", "0"]
    assert headless(film, left, *words) == 0
    first, second = sittings(left)
    assert (first.closed is None, second.closed is None) == (False, True)
    assert [player["name"] for player in second.players] == ["Xa", "Yb"]


def test_the_booth_too_begins_anew(left, film):
    assert headless(film, left, "--booth", "--new", "--game", "bone-ace") == 0
    (first,) = sittings(left)
    assert first.closed is not None


def test_a_game_that_cannot_be_gone_on_with_holds_up_no_other(left, film):
    with Journal(left) as journal:
        journal.append(1, 1, {"e": "knock", "seat": 0}, 0.0)
    assert headless(film, left, "--game", "bone-ace", "--players", "Xa,Yb", "--dealer", "0") == 0
    assert [sitting.game for sitting in sittings(left)] == ["one-and-thirty", "bone-ace"]


def test_an_old_name_and_the_bank_by_default_are_the_same_game(blind, film, tmp_path, capsys):
    path = tmp_path / "j.sqlite3"
    assert headless(film, path, "--players", "Ann,Bess", "--game", "knucklebones") == 0
    with Journal(path) as journal:
        journal.append(1, 0, {"e": "stake", "seat": 0, "amount": 2}, 0.0)
    words = ["--game", "one-and-twenty", "--preset", "west-kingdom", "--dealer", "-1"]
    assert headless(film, path, *words) == 0
    assert "Going on with hand 1 of Ann, Bess" in capsys.readouterr().out
    assert headless(film, path, "--dealer", "0") == 2
    assert "--dealer 0 (the unfinished game has 1)" in capsys.readouterr().err
    assert headless(film, path, "--stake", "2") == 2
    assert "--stake 2 (the unfinished game has 1)" in capsys.readouterr().err


def test_each_player_lays_the_stake_that_is_named_and_so_does_who_had_the_bank(
    blind, film, tmp_path, capsys
):
    path, words = tmp_path / "j.sqlite3", ["--players", "Ann,Bess,Cecil", "--dealer", "2"]
    assert headless(film, path, "--game", "knucklebones", "--stake", "3", *words) == 0
    events = (
        {"e": "roll", "seat": 0, "faces": [6, 6, 6, 1, 1]},
        {"e": "choose", "seat": 0, "n": 0},
        {"e": "declare", "seat": 1, "what": "out"},
        {"e": "declare", "seat": 2, "what": "out"},
        {"e": "next_hand"},
    )
    with Journal(path) as journal:
        for number, event in enumerate(events):
            journal.append(1, number, event, 0.0)
    assert headless(film, path, "--stake", "3", *words) == 0
    assert "Going on with hand 2" in capsys.readouterr().out
    with Journal(path) as journal:
        play = Session.unfinished(journal, HandClock()).state.round.play
    assert (play.dealer, play.stakes) == (0, ((1, 3), (2, 3)))
    assert main(["export", "--journal", str(path)]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["stakes"] == {"0": 3, "1": 3, "2": 3}
    assert [hand["settlement"] for hand in record["results"]["hands"]] == [
        {"0": 3, "1": -3, "2": 0}
    ]
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record))
    assert main(["replay", str(file)]) == 0


def test_an_unfinished_game_is_read_with_what_it_is_played_with(
    blind, film, tmp_path, monkeypatch, capsys
):
    """The config names a card game; the bones of the unfinished one are looked for all the same."""
    path = tmp_path / "j.sqlite3"
    assert headless(film, path, "--players", "Ann,Bess", "--game", "knucklebones") == 0
    with Journal(path) as journal:
        journal.append(1, 0, {"e": "stake", "seat": 0, "amount": 2}, 0.0)
    read_with = []
    monkeypatch.setattr(app, "reader_for", lambda game: read_with.append(game.name))
    assert headless(film, path) == 0
    assert "Going on with hand 1 of Ann, Bess" in capsys.readouterr().out
    assert read_with == ["knucklebones"]


# The booth


def frames(folder, count):
    folder.mkdir()
    for number in range(count):
        assert cv2.imwrite(str(folder / f"{number}.png"), np.zeros((8, 8, 3), np.uint8))
    return folder


def script(path, *buttons):
    """Presses, one a frame."""
    lines = [f'{{"frame": {number}, "button": "{name}"}}' for number, name in enumerate(buttons)]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_the_booth_starts_a_game_by_three_presses(blind, tmp_path, capsys):
    path = tmp_path / "j.sqlite3"
    film = frames(tmp_path / "reel", 5)
    presses = script(tmp_path / "p.jsonl", "have", "have", "have")
    assert headless(film, path, "--booth", "--presses", str(presses)) == 0
    (sitting,) = sittings(path)
    assert sitting.game == "bone-ace"
    names = [player["name"] for player in sitting.players]
    assert names == ["Player 1", "Player 2", "Player 3", "Player 4"]
    assert "They cut for the deal." in capsys.readouterr().out


def test_the_booth_of_the_config_waits_and_names_do_without_it(blind, tmp_path):
    file = tmp_path / "XDG_CONFIG_HOME" / "boneace" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text("[booth]\nenabled = true\nidle_s = 30\n", encoding="utf-8")
    path = tmp_path / "j.sqlite3"
    assert headless(frames(tmp_path / "reel", 3), path) == 0
    assert sittings(path) == (), "nobody has come"
    assert headless(tmp_path / "reel", path, "--players", "Ann,Bess", "--dealer", "0") == 0
    assert len(sittings(path)) == 1


@pytest.mark.parametrize(
    ("text", "cure"),
    [
        ("[booth]\nseats = 9", "try 8"),
        ("[booth]\nidle_s = -1", "is below 0"),
        ('[display]\ntheme = "pink"', "unknown theme"),
        ("[display]\ntheme = 3", 'theme: 3 is not text; try "felt"'),
        ("[display]\nteaching = 1", "write true or false"),
    ],
)
def test_wrong_settings_of_the_booth_name_the_key_and_the_cure(tmp_path, text, cure):
    file = tmp_path / "XDG_CONFIG_HOME" / "boneace" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=cure):
        play.settings(arguments())
