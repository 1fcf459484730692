"""A tinkerer follows the pages: one file and one line each, and the product knows the thing.

The files are those of the pages (tinkering.py); everything runs in a process of its own, as the
package is there for it alone.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import cv2
import pytest
from babel.messages.frontend import CommandLineInterface
from babel.messages.pofile import read_po

from tests.support.plugin_package import (
    PAGES,
    ROOT,
    TIMEOUT_S,
    configure,
    environment,
    files,
    install,
    lines,
    text,
)

HERE = Path(__file__).resolve().parent
OURS = [path for path in files() if path.startswith("my_table/")]


def run(site: Path, home: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """Run a Python program with what lies in *site*."""
    return subprocess.run(
        [sys.executable, *map(str, words)],
        capture_output=True,
        text=True,
        env=environment(site, home),
        cwd=home,
        check=False,
        timeout=TIMEOUT_S,
    )


def boneace(site: Path, home: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """Run the product."""
    return run(site, home, "-m", "device.cli", *words)


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """The package of docs/how-to/extend.md with all that the pages add."""
    return install(tmp_path_factory.mktemp("site"), *OURS)


# The pages agree with one another


def test_the_pages_hold_five_files_and_five_lines():
    assert len(OURS) == 5
    assert [group for group, named in lines().items() if len(named) == 1] == [
        "boneace.games", "boneace.themes", "boneace.languages", "boneace.cameras",
        "boneace.panels",
    ]  # fmt: skip


def test_each_page_has_the_line_of_the_package():
    told = {}
    for page in PAGES[1:]:
        for group, line in re.findall(
            r'```toml\n\[project\.entry-points\."([\w.]+)"\]\n(.*)\n```', text(page)
        ):
            told[group] = line
    assert told == {
        group: f'{name} = "{place}"'
        for group, named in lines().items()
        for name, place in named.items()
    }


def test_what_is_added_is_told_with_its_package(site, tmp_path):
    done = boneace(site, tmp_path, "doctor", "additions")
    assert done.returncode == 0, done.stdout
    for what in ("games: schwimmen", "themes: midnight", "languages: it", "cameras: phone",
                 "panels: serial"):  # fmt: skip
        assert f"{what} (my-table 1)" in done.stdout
    without = boneace(tmp_path, tmp_path, "doctor", "additions")
    assert "additions: none" in without.stdout


# The config


def test_the_config_knows_the_names(site, tmp_path):
    configure(
        tmp_path,
        """
[game]
name = "einunddreissig"
options = {all_pass = "end"}
[display]
theme = "midnight"
language = "it"
[camera]
spec = "phone:http://127.0.0.1/shot.jpg"
[panel]
backend = "serial:/dev/ttyACM0"
""",
    )
    done = boneace(site, tmp_path, "config", "check")
    assert done.returncode == 0, done.stderr
    assert "can be used" in done.stdout
    page = boneace(site, tmp_path, "config", "--explain").stdout
    page = re.sub(r"\n# ", " ", page)
    for kind in ('"scat", "schwimmen"', '"large", "midnight"', '"nl", "it"',
                 "phone:WHERE", '"keyboard", "serial"'):  # fmt: skip
        assert kind in page, kind
    without = boneace(tmp_path, tmp_path, "config", "check")
    assert without.returncode == 1
    assert len(re.findall(r"unknown (?:game|theme|language|camera|backend)", without.stderr)) == 5


def test_a_mistyped_name_is_answered_with_the_one_that_was_added(site, tmp_path):
    configure(
        tmp_path,
        """
[game]
name = "schwimen"
[display]
theme = "midnigth"
language = "itt"
[camera]
spec = "fone:http://127.0.0.1/"
[panel]
backend = "serail:/dev/ttyACM0"
""",
    )
    done = boneace(site, tmp_path, "config", "check")
    assert done.returncode == 1
    for name in ("schwimmen", "midnight", "it", "phone", "serial"):
        assert f"did you mean '{name}'?" in done.stderr, done.stderr


# The game, in the theme, in the language


def near(colour, wanted):
    return all(abs(int(a) - b) <= 2 for a, b in zip(colour[::-1], wanted, strict=True))


def test_the_game_is_played_to_a_winner_at_the_booth_in_the_colours_and_words(site, tmp_path):
    done = run(site, tmp_path, HERE / "booth_match.py", "schwimmen", "pagat", tmp_path)
    assert done.returncode == 0, done.stderr
    *story, last = done.stdout.splitlines()
    told = json.loads(last)
    # The game, by its own words and its own rules.
    assert ["Schwimmen", "Swap with the table: 31 in one suit, or three alike."] in told["tiles"]
    assert told["game"] == "schwimmen"
    assert told["hands"] > 1
    assert told["eliminated"].count(False) == 1
    assert told["eliminated"][told["winner"]] is False
    assert sum(told["settlement"]) == 0
    assert told["settlement"][told["winner"]] == max(told["settlement"]) > 0
    assert any("swaps" in line for line in story), "dealt as its family is"
    # The language.
    assert told["asks"] == "Quale gioco?"
    assert {"Italiano", "Midnight"} <= set(told["settings"])
    # The theme: what is painted, not what is said.
    tiles = cv2.imread(told["pictures"]["GamesScene"])
    table = cv2.imread(told["pictures"]["schwimmen-pagat-play"])
    assert near(table[470, 5], (6, 10, 24)), "the band"
    assert near(table[4, 4], (8, 12, 28)), "the room"
    blue = table[200:260, 250:330].reshape(-1, 3).mean(axis=0)
    assert blue[0] > 2 * blue[2], "blue cloth"
    assert tiles.std() > 10


def test_the_words_on_the_screen_are_those_of_the_file(site, tmp_path):
    script = """
import pygame
from device import plugins
from display import TableScreen, prompt_for
from display.i18n.translate import Translator
from engine import Player, new_table, view
plugins.enable()
seen = view(new_table("one-and-thirty", [Player(0, "Ann"), Player(1, "Bess")], dealer=None))
screen = TableScreen((800, 480), language="it")
surface = pygame.Surface((800, 480))
drawn = screen.draw(surface, seen, prompt_for(seen, "it"))
print("|".join(piece.text for piece in drawn))
plural = Translator.of("it_IT").plural
print(plural("{n} token", "{n} tokens", 1).format(n=1), Translator.of("it")("Undo"))
"""
    done = run(site, tmp_path, "-c", script)
    assert done.returncode == 0, done.stderr
    drawn, counted = done.stdout.splitlines()[-2:]
    assert "Si taglia per il mazzo" in drawn.split("|")
    assert counted == "1 gettone Undo", "what is not translated yet is English"


def test_its_page_of_rules_and_its_options(site, tmp_path):
    page = boneace(site, tmp_path, "rules", "schwimmen", "--set", "all_pass=end")
    assert page.returncode == 0, page.stderr
    assert "When all pass, the hands are compared." in page.stdout
    wrong = boneace(site, tmp_path, "rules", "schwimmen", "--set", "all_pass=maybe")
    assert wrong.returncode == 1
    assert "all_pass" in wrong.stderr


def commands():
    """Every ``boneace`` command of the pages, from code blocks and from sentences."""
    for page in PAGES:
        blocks = re.findall(r"```sh\n(.*?)```", text(page), re.DOTALL)
        said = [line for block in blocks for line in block.splitlines()]
        said += re.findall(r"`([^`\n]+)`", text(page))
        for line in said:
            found = re.match(r"(?:sudo )?boneace ([a-z].*)", line.strip())
            if found is not None:
                yield shlex.split(found[1], comments=True)


def test_commands_of_the_pages_are_understood(site, tmp_path):
    asked = list(commands())
    assert len(asked) > 10
    script = """
import importlib, json, sys
from device.cli import main
for words in json.loads(sys.argv[1]):
    module = importlib.import_module(f"device.commands.{words[0]}")
    taken = []
    module.run = lambda args: taken.append(args) or 0
    assert main(words) == 0 and len(taken) == 1, words
print("understood")
"""
    done = run(site, tmp_path, "-c", script, json.dumps(asked))
    assert done.stdout.endswith("understood\n"), done.stderr
    without = run(tmp_path, tmp_path, "-c", script, json.dumps(asked))
    assert "invalid choice: 'midnight'" in without.stderr


def test_the_words_of_a_new_language_are_laid_out_and_brought_up_to_date(tmp_path, monkeypatch):
    page = text("docs/how-to/languages.md")
    (begin,) = re.findall(r"`(pybabel init .*)`", page)
    (update,) = re.findall(r"`(pybabel update .*)`", page)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "display").symlink_to(ROOT / "display")
    path = tmp_path / "my-table" / "my_table" / "italian" / "boneace.po"
    CommandLineInterface().run(begin.split())
    catalogue = read_po(BytesIO(path.read_bytes()))
    assert len(catalogue) > 700
    assert not any(
        message.string for message in catalogue if message.id and not message.pluralizable
    )
    told = path.read_text().replace(
        'msgid "Which game?"\nmsgstr ""', 'msgid "Which game?"\nmsgstr "Quale?"'
    )
    path.write_text(told)
    CommandLineInterface().run(update.split())
    again = read_po(BytesIO(path.read_bytes()))
    assert again["Which game?"].string == "Quale?"
    assert len(again) == len(catalogue)
    # Babel from 2.19 on knows the third form that Italian has for millions.
    assert re.fullmatch(r"nplurals=[23]; plural=\(n .*\);", again.plural_forms)
    assert again.plural_forms == catalogue.plural_forms


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_the_service_can_be_let_out_as_the_page_says(tmp_path):
    (told,) = re.findall(r"```ini\n(.*?)```", text("docs/how-to/extend.md"), re.DOTALL)
    shutil.copy(ROOT / "systemd" / "boneace.service", tmp_path)
    extra = tmp_path / "boneace.service.d" / "override.conf"
    extra.parent.mkdir()

    def judged(more):
        extra.write_text(more, encoding="utf-8")
        done = subprocess.run(
            ["systemd-analyze", "security", "--offline=true", "--no-pager", "boneace.service"],
            capture_output=True, text=True, check=False, timeout=TIMEOUT_S,
            env={"PATH": "/usr/bin:/bin", "SYSTEMD_UNIT_PATH": f"{tmp_path}:"},
        )  # fmt: skip
        assert "Unknown" not in done.stderr, done.stderr
        (level,) = re.findall(r"exposure level for boneace.service: ([\d.]+)", done.stdout)
        return float(level)

    before, after = judged("[Service]\n"), judged(told)
    assert before < after < 2.0, "let out a little"
