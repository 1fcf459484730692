"""Evenings to audit: a journal of every game, and sittings played by people who decide."""

from __future__ import annotations

import json
from dataclasses import asdict

from device.storage.journal.journal import Journal
from device.storage.journal.reader import SessionRecord
from engine import event_to_dict
from engine.bots import player
from engine.games import catalog
from engine.records.record import Record, read, write
from tests.support.game_driver import Driver
from tests.support.paths import ROOT

PAYING = [
    path for path in sorted((ROOT / "engine/games").rglob("*.py")) if path.name != "rulebook.py"
]
"""Where payments name their rules; a page of rules names rules that no payment has."""

RECORDS = sorted((ROOT / "tests/unit/engine/records/kept").glob("*.json"))
PRESETS = [(game.name, preset.name) for game in catalog.all_games() for preset in game.presets]


def record_of(path):
    return read(json.loads(path.read_text(encoding="utf-8")))


def keep(path, records):
    """Write *records* into the journal at *path* as they were played, one session after another."""
    started = 1_700_000_000.0
    with Journal(path) as journal:
        journal._connection().execute("PRAGMA synchronous = OFF")  # there are thousands of events
        for record in records:
            setup = record.opening.setup
            people = tuple(
                {"seat": each.seat, "name": each.name, "age": each.age} for each in setup.players
            )
            sitting = journal.begin(
                SessionRecord(
                    setup.game.name,
                    setup.preset,
                    asdict(setup.options),
                    people,
                    setup.dealer,
                    started,
                    rules=setup.edition,
                )
            )
            for number, (at, event) in enumerate(record.events):
                journal.append(sitting.number, number, event_to_dict(event), started + at)
            started += max(at for at, _ in record.events) + 60.0
            journal.end(sitting.number, started)
    return path


def played(game, preset, seed, hands=2):
    """Return the record of a session of 2 to 5 people, as JSON would have it."""
    people = [player(("cautious", "bold")[(each + seed) % 2], game) for each in range(2 + seed % 4)]
    table = Driver(
        game, preset, people, seed=f"audit {seed}", blind=(0.6, 0.0)[seed % 2], dealer=seed % 2
    )
    opening = table.state
    table.play(hands)
    events = tuple((float(at), event) for at, event in enumerate(table.state.events))
    return json.loads(json.dumps(write(Record(opening, events))))
