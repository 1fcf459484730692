"""Every game of the registry through the real display, with real pins that are pretended."""

import os
import shutil
import subprocess
import sys
from collections import Counter

import cv2
import pytest

from device.ports import Button
from engine.games import catalog
from tests.support.paths import ROOT
from tests.support.playthrough import PLAYERS, Playthrough, everything

GAMES = everything()
SCRIPT = ROOT / "tests" / "support" / "playthrough.py"


def test_every_game_and_every_kind_of_table_is_played():
    assert {name for name, _preset in GAMES} == {game.name for game in catalog.all_games()}
    tables = {
        catalog.make_options(
            catalog.find(name), catalog.find_preset(catalog.find(name), preset), {}
        ).table
        for name, preset in GAMES
        if name == "scat"
    }
    assert tables == {"none", "widow", "switch", "bus"}


@pytest.mark.parametrize(("name", "preset"), GAMES)
def test_a_hand_from_the_waiting_screen_to_the_last_picture(tmp_path, name, preset, capsys):
    out = tmp_path / "pictures"
    out.mkdir()
    play = Playthrough(tmp_path, out=out)
    try:
        play.start(name, preset)
        play.hand()
        play.come_and_go()
        play.end()
    finally:
        play.close()
    report = play.report
    assert report.hands == 1
    assert {Button.HAVE, Button.RIGHT, Button.PUSH, Button.NEXT, Button.MENU} <= {*report.presses}
    phases = Counter(phase for _game, _preset, phase in report.corrected)
    assert phases["done"] == 1, "a reading is put right and taken back when all is over"
    assert len(phases) > 1, "and before that"
    assert bool(report.joined) == (name != "scat" or preset == "banking")
    seen = {picture.split("-")[0] for picture in report.pictures}
    assert {"GamesScene", "SeatsScene", "MenuScene", "CorrectScene", "LedgerScene",
            "RulesScene", "SettingsScene", "EndScene", "waiting"} <= seen  # fmt: skip
    for path in report.pictures.values():
        assert cv2.imread(str(path)).std() > 10, path
    assert "Player 1" in capsys.readouterr().out, "the story of the hand is told"


def test_one_game_after_another_is_played(tmp_path):
    play = Playthrough(tmp_path)
    try:
        for name, preset in GAMES[:2]:
            play.start(name, preset)
            play.hand()
            play.end()
        assert play.report.hands == 2
    finally:
        play.close()


def test_at_most_three_presses_to_the_first_card(tmp_path):
    play = Playthrough(tmp_path)
    try:
        play.step()
        for _ in range(3):
            play.press(Button.HAVE)
        assert len(play.view.seats) == PLAYERS
        assert play.booth.stage.table.prompt_text.title == "Cut for the deal"
        assert sum(play.report.presses.values()) == 3
    finally:
        play.close()


@pytest.mark.skipif(
    not (shutil.which("Xvfb") and shutil.which("xdotool")),
    reason="needs Xvfb and xdotool: apt install xvfb xdotool",
)
@pytest.mark.parametrize("name", ["knucklebones", "bone-ace"])
def test_real_keys_of_a_real_window(tmp_path, name):
    """A game in a window of an X server, each press a key that X sends."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1024x768x24", "-nolisten", "tcp"],
        pass_fds=(write,),
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    try:
        with os.fdopen(read) as answer:
            display = answer.readline().strip()
        if not display:
            pytest.skip("Xvfb does not start here")
        root = ROOT
        env = {**os.environ, "DISPLAY": f":{display}", "SDL_VIDEODRIVER": "x11"}
        env["PYTHONPATH"] = str(root)
        told = subprocess.run(
            [sys.executable, str(SCRIPT), "--out", str(tmp_path), "--keys", "--game", name],
            env=env,
            capture_output=True,
            text=True,
            timeout=500,
        )
        assert told.returncode == 0, told.stderr
        assert told.stdout.splitlines()[-1].startswith("1 hands")
        assert len(list(tmp_path.glob("*.png"))) > 15
    finally:
        server.terminate()
        server.wait(timeout=20)
