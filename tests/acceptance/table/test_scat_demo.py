"""Thirty-one from pixels to the lives lost: a drawn table through the real eyes."""

import pytest

from device.cli import main
from device.storage.journal.reader import JournalReader
from engine.records.codec import event_from_dict


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """One hand of Stop the bus: cards in the middle, swapped while the eyes look on."""
    out = tmp_path_factory.mktemp("scat")
    words = ["--game", "scat", "--preset", "stop-the-bus", "--hands", "1", "--players", "3"]
    assert main(["demo", *words, "--seed", "3", "--headless", "--out", str(out)]) == 0
    return out


def test_every_swap_is_seen_and_every_hand_shown(demo):
    with JournalReader(demo / "journal.sqlite3") as journal:
        (sitting,) = journal.sittings()
        kinds = [event_from_dict(record).kind for _, record in journal.events(sitting.number)]
    assert kinds.count("reveal") == 3
    assert "knock" in kinds
    assert "swap" in kinds
    assert not {"undo", "correct", "misdeal"} & set(kinds)


def test_the_story_tells_the_swaps_and_who_lost(demo):
    lines = (demo / "transcript.txt").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("Thirty-one, the stop-the-bus rules.")
    assert any(" swaps the " in line for line in lines)
    assert any(" loses " in line or "Nobody loses" in line for line in lines)
    assert "wrongly" not in lines[-1]
