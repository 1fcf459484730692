"""One turned bit of a journal is told, or changes nothing; `make bitflips` turns them all."""

from collections import Counter

import pytest

from tests.acceptance.faults import bitflips


@pytest.mark.fault("journal with a turned bit")
@pytest.mark.parametrize(("tail", "share"), [("", 0.0025), ("-wal", 0.005)])
def test_no_turned_bit_is_silently_wrong(tail, share):
    found, examples, _ = bitflips.run(tail, part=0, parts=1, share=share, seed=7)
    bad = {kind: examples[kind] for kind in found if not bitflips.is_good(kind)}
    assert not bad
    assert found["told, and everything is there"] > found["told, as far as it is sound"]
    assert found.total() > 100


def test_what_is_silently_wrong_would_be_found(tmp_path):
    bitflips.make(tmp_path / "journal.sqlite3")
    files = {"": (tmp_path / "journal.sqlite3").read_bytes()}
    (tmp_path / "work").mkdir()
    flipper = bitflips.Flipper(tmp_path / "work", files, "")
    sittings, events, notes = flipper.truth
    must = {1: 30, 2: 70}
    fewer = {**events, 2: events[2][:69]}
    said = Counter(
        [
            flipper.judge((sittings, events, notes), [], must),
            flipper.judge((sittings, fewer, notes), [], must),
            flipper.judge((sittings, fewer, notes), ["told"], must),
            flipper.judge((sittings, fewer, notes), ["told"], {1: 30, 2: 69}),
            flipper.judge((sittings, events, notes[:1]), [], must),
        ]
    )
    assert said == {
        "equal": 1,
        "SILENTLY WRONG": 2,
        "told, but too few events: 69 of sitting 2": 1,
        "told, as far as it is sound": 1,
    }
