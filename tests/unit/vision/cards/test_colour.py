"""Without colour a diamond is taken for a spade: then neither is said surely."""

from __future__ import annotations

import csv
from collections import Counter

import cv2
import numpy as np
import pytest

from device.simulator.table import SimulatedTable
from engine import Card, Suit
from tests.support import lights
from tests.support.paths import SHARED
from vision import TableReader
from vision.cards.classifier import CARDS
from vision.cards.colour import has_colour, without_colour
from vision.mat.pose import MatLayout

CARDS_FOLDER = SHARED / "cards"
CODES = ("7D", "7S", "QH", "4C", "AS", "KD")


def grey(image):
    return cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)


def tinted(image, *gains):
    return np.clip(image.astype(np.float32) * np.float32(gains), 0, 255).astype(np.uint8)


@pytest.fixture(scope="module", params=["modern", "old"])
def table(request):
    drawn = SimulatedTable(MatLayout(6, "A1"), style=request.param, seed=5, size=(1600, 1200))
    for seat, code in enumerate(CODES):
        drawn.lay(seat, Card.parse(code), face_up=True)
        while drawn.is_moving:
            drawn.frame()
    return drawn.frame()


def test_pointed_suits_share_what_speaks_for_one_of_them():
    cards = np.zeros(52)
    cards[CARDS.index(Card.parse("9S"))] = 1.0
    told = without_colour(cards)
    assert told.sum() == pytest.approx(1.0)
    assert str(CARDS[int(told.argmax())]) == "9S"
    assert {str(CARDS[n]) for n in np.flatnonzero(told)} == {"9S", "9H", "9D"}
    clubs = np.zeros(52)
    clubs[CARDS.index(Card.parse("9C"))] = 1.0
    assert np.array_equal(without_colour(clubs), clubs)


def test_no_light_is_taken_for_grey(table):
    rng = np.random.default_rng(3)
    assert has_colour(table)
    for gains in ((0.25,) * 3, (0.55, 0.85, 1.1), (0.3, 0.4, 1.0), (1.0, 0.55, 0.4)):
        assert has_colour(tinted(table, *gains))
    for evil in lights.EVILS.values():
        assert has_colour(evil(table, rng))


def test_grey_is_grey_in_any_tint(table):
    for gains in ((1.0,) * 3, (0.3,) * 3, (0.6, 0.85, 1.0), (1.3, 1.1, 0.9)):
        assert not has_colour(tinted(grey(table), *gains))
    assert not has_colour(np.full((40, 60, 3), 255, np.uint8))
    assert not has_colour(np.zeros((1, 1, 3), np.uint8))


@pytest.mark.slow
def test_drawn_cards_without_colour_are_asked_about(table):
    reader = TableReader()
    known = {str(each.card) for each in reader.read(table).cards}
    assert len(known) >= 4
    seen = reader.read(grey(table))
    assert {str(each.card) for each in seen.cards} <= {"4C"}
    asked = [set(map(str, each.candidates)) for each in seen.unsure]
    for code in known - {"4C"}:
        assert any(code in candidates for candidates in asked)


@pytest.mark.slow
@pytest.mark.skipif(not CARDS_FOLDER.exists(), reason="needs the photographs of ../shared/cards")
def test_photographs_without_colour_say_no_diamond_is_a_spade():
    with (CARDS_FOLDER / "manifest.csv").open(encoding="utf-8") as handle:
        rows = [row for row in csv.DictReader(handle) if "D" in row["labels"]]
    reader = TableReader()
    unsure = 0
    for row in rows[::12]:
        seen = reader.read(grey(cv2.imread(str(CARDS_FOLDER / row["file"]))))
        surely = Counter(str(each.card) for each in seen.cards)
        assert not surely - Counter(row["labels"].split()), row["file"]
        assert all(each.card.suit is Suit.CLUBS for each in seen.cards), row["file"]
        unsure += len(seen.unsure)
    assert unsure >= len(rows[::12])
