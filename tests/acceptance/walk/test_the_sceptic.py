"""Somebody who does not believe the table follows docs/why/audit.md."""

import csv
import io
import json

import pytest


@pytest.mark.tries(
    "boneace ledger --audit",
    "boneace ledger --audit --csv",
    "boneace export --all evening",
    "boneace export --out evening.json",
    "boneace ledger --audit evening.json",
    "boneace rules scat --ids",
    "boneace referee --check evening.json",
    "boneace referee evening.json --check --unsealed",
)
def test_every_token_is_followed(newcomer, house):
    newcomer.played(house.evening)
    told = newcomer.run("boneace ledger --audit").out
    assert told.splitlines()[-1].startswith("Every hand's payments make its settlement")
    rows = list(csv.DictReader(io.StringIO(newcomer.run("boneace ledger --audit --csv").out)))
    assert {row["kind"] for row in rows} >= {"paid", "note"}
    assert all(row["rules"] for row in rows if row["kind"] == "paid")

    newcomer.run("boneace export --all evening")
    assert newcomer.path("evening/sitting-1.json").is_file()
    printed = newcomer.run("boneace export --out evening.json").out
    record = json.loads(newcomer.path("evening.json").read_text(encoding="utf-8"))
    assert f"digest {record['digest'][:16]}" in printed
    from_file = newcomer.run("boneace ledger --audit evening.json").out
    assert from_file.splitlines()[1:] == told.splitlines()[-len(from_file.splitlines()) + 1 :]
    told = newcomer.run("boneace referee --check evening.json").out
    assert f"digest {record['digest'][:16]}, worked out again" in told
    newcomer.run("boneace referee evening.json --check --unsealed")
    assert "[SC-7]" in newcomer.run("boneace rules scat --ids").out
