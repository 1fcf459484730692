"""Evenings to audit: a journal of every game, and sittings played by people who decide."""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "engine"))

from driver import Driver

from device.clock import HandClock
from device.journal import Journal
from device.session import Session
from engine import games
from engine.record import Record, read, write
from engine.strategy import player

ROOT = Path(__file__).resolve().parents[2]
RECORDS = sorted((ROOT / "tests" / "engine" / "records").glob("*.json"))
PRESETS = [(game.name, preset.name) for game in games.all_games() for preset in game.presets]


def record_of(path):
    return read(json.loads(path.read_text(encoding="utf-8")))


def keep(path, records):
    """Play *records* again into the journal at *path*, at the times they were played."""
    clock = HandClock(wall=1_700_000_000.0)
    with Journal(path) as journal:
        for record in records:
            setup = record.opening.setup
            agreed = {name: getattr(setup.options, name) for name in type(setup.options).__slots__}
            session = Session.begin(
                journal,
                clock,
                setup.game.name,
                setup.players,
                dealer=setup.dealer,
                preset=setup.preset,
                options=agreed,
            )
            before = 0.0
            for at, event in record.events:
                clock.wait(at - before)
                session.apply(event)
                before = at
            session.close()
    return path


def played(game, preset, seed, hands=2):
    """Return the record of a sitting of 2 to 5 people, as JSON would have it."""
    people = [player(("cautious", "bold")[(each + seed) % 2], game) for each in range(2 + seed % 4)]
    table = Driver(
        game, preset, people, seed=f"audit {seed}", blind=(0.6, 0.0)[seed % 2], dealer=seed % 2
    )
    opening = table.state
    table.play(hands)
    events = tuple((float(at), event) for at, event in enumerate(table.state.events))
    return json.loads(json.dumps(write(Record(opening, events))))
