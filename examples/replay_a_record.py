"""Replay a game record: ``python examples/replay_a_record.py evening.json`` prints its ledger."""

import sys
from pathlib import Path

from device.storage.record_files import load
from engine import apply

record = load(Path(sys.argv[1]))
table = record.opening
for _, event in record.events:
    table = apply(table, event)
for player in table.players:
    print(player.name, f"{table.ledger.of(player.seat):+d}")
