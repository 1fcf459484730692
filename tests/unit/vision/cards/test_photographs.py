"""A floor under the accuracy on real photographs; the whole table is in docs/why/accuracy.md."""

from __future__ import annotations

import csv
from collections import Counter

import cv2
import pytest

from tests.support.paths import SHARED
from vision import TableReader

pytestmark = pytest.mark.slow

CARDS = SHARED / "cards"
EVERY = 12
"""A sample keeps the test short; the scorer reads them all."""


def sample(*kinds: str) -> tuple[int, int, int]:
    """Read every so many of the photographs: cards labelled, read, and read wrongly."""
    with (CARDS / "manifest.csv").open(encoding="utf-8") as handle:
        rows = [row for row in csv.DictReader(handle) if row["kind"] in kinds]
    reader = TableReader()
    read = wrong = labelled = 0
    for row in rows[::EVERY]:
        image = cv2.imread(str(CARDS / row["file"]))
        seen = Counter(str(card.card) for card in reader.read(image).cards)
        wanted = Counter(row["labels"].split())
        labelled += wanted.total()
        read += (seen & wanted).total()
        wrong += (seen - wanted).total()
    return labelled, read, wrong


@pytest.mark.skipif(not CARDS.exists(), reason="needs the photographs of ../shared/cards")
def test_single_and_separate_cards_are_read_and_hardly_ever_wrongly() -> None:
    labelled, read, wrong = sample("single", "separate")
    assert labelled > 40
    assert read >= 0.96 * labelled
    assert wrong <= max(1, 0.01 * labelled)


@pytest.mark.skipif(not CARDS.exists(), reason="needs the photographs of ../shared/cards")
def test_overlapping_and_fanned_cards_are_read_and_hardly_ever_wrongly() -> None:
    labelled, read, wrong = sample("overlap", "fan")
    assert labelled > 25
    assert read >= 0.85 * labelled
    assert wrong <= 1
