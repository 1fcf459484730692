"""A game of no family: what docs/how-to/add-a-game.md says it gets, it gets."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.plugin_package import TIMEOUT_S, environment, register

HERE = Path(__file__).resolve().parent

SCRIPT = """
import json
from types import SimpleNamespace

import pygame
from device import plugins
from device.booth.attract import AttractMode
from device.booth.scenes.tiles import about, tile_of
from device.narration.story import opening_lines
from display.i18n.translate import Translator
from device.runtime.croupiers import croupier_for
from device.croupier.open_cards import OpenCards
from device.runtime.hints import hint_for
from display import TableScreen, prompt_for
from engine.games import catalog
from tests.support.mat_readings import Bench

plugins.enable()
bench = Bench(3, game="high-card")
session = SimpleNamespace(
    view=bench.view, state=bench.state, looks=lambda: [], open_cards=OpenCards.NONE
)
bench.croupier = croupier_for(session)
said = [prompt_for(bench.view).title]
before = bench.view
for seat, card in ((0, "9C"), (1, "KD"), (2, "4H")):
    bench.lay(seat, card)
    said.append(prompt_for(bench.view).title)
surface = pygame.Surface((800, 480))
drawn = TableScreen((800, 480)).draw(surface, bench.view, prompt_for(bench.view))
game = catalog.find("high-card")
print(json.dumps({
    "said": said,
    "settlement": bench.view.result.settlement,
    "drawn": [piece.text for piece in drawn],
    "opening": opening_lines(before, Translator.of("en")),
    "hint": hint_for(bench.view, bench.state.setup.options),
    "tile": [game.title, str(about(game)), [str(card) for card in tile_of(game, "en").cards]],
    "shown while it waits": list(AttractMode()._games),
}))
"""


@pytest.fixture
def site(tmp_path):
    source = (HERE / "high_card.py").read_text(encoding="utf-8")
    (tmp_path / "high_card.py").write_text(source, encoding="utf-8")
    register(tmp_path, "[boneace.games]\nhigh-card = high_card:HighCard")
    return tmp_path


def run(site, *words):
    return subprocess.run(
        [sys.executable, *map(str, words)], capture_output=True, text=True, check=False,
        env=environment(site, site), cwd=site, timeout=TIMEOUT_S,
    )  # fmt: skip


def test_it_is_dealt_told_and_settled(site):
    done = run(site, "-c", SCRIPT)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["said"] == [
        "Ann: next card face up",
        "Bess: next card face up",
        "Cecil: next card face up",
        "Bess wins with 13",
    ]
    assert told["settlement"] == [[0, -1], [1, 2], [2, -1]]
    assert "Everyone pays 1 token to Bess." in told["drawn"]
    assert told["opening"][0].startswith("High card, the house rules.")
    assert told["hint"] == ""
    assert told["tile"] == ["High card", "", ["None", "None", "None"]]
    assert told["shown while it waits"] == ["one-and-thirty", "bone-ace", "knucklebones", "scat"]


def test_nobody_plays_it_so_no_seat_is_worth_anything(site):
    done = run(site, "-m", "device.cli", "odds", "high-card")
    assert done.returncode == 0, done.stderr
    assert "No simulated player here can play High card." in done.stdout


def test_the_demo_says_that_nobody_plays_it(site):
    done = run(site, "-m", "device.cli", "demo", "--game", "high-card", "--headless")
    assert done.returncode == 1
    assert "nobody here plays high-card; play it with people" in done.stderr
