"""In bad light cards may be asked about or missed; they are hardly ever lost, and never misread."""

from __future__ import annotations

import random

import numpy as np
import pytest

from device.simulator.table import SimulatedTable
from engine import Card, deck
from tests.support import lights
from vision import Reading, TableReader
from vision.cards.custom_deck import CustomDeck
from vision.cards.enrolment import DeckEnrolment, EnrolmentStatus
from vision.mat.pose import MatLayout
from vision.mat.segmentation import FrameAnalysis

pytestmark = pytest.mark.slow

FLOORS = {
    "warm lamp": 11,
    "cold lamp": 11,
    "dim": 11,
    "glare": 8,
    "arm's shadow": 11,
    "rolling bands": 11,
    "noise": 11,
    "defocus": 11,
    "JPEG": 11,
    "lens": 11,
}
"""Cards of twelve that must be read in each light, at full strength; glare drowns some."""


@pytest.fixture(scope="module")
def reader() -> TableReader:
    return TableReader()


@pytest.fixture(scope="module", params=["modern", "four-colour"])
def table(request) -> SimulatedTable:
    """Twelve cards face up and four backs, in front of four people."""
    table = SimulatedTable(MatLayout(4), style=request.param, seed=11)
    pack = list(deck())
    random.Random(11).shuffle(pack)
    for number in range(16):
        table.lay(number % 4, pack[number], face_up=number < 12)
    table.settle()
    return table


def wrongly(reading: Reading, table: SimulatedTable, lens=None) -> list[str]:
    """Name the cards that were read where another card lies, or none."""
    wrong = []
    for card in reading.cards:
        at = np.mean(card.place.corners, axis=0)
        lying = [each for each in table.cards if each.face_up and each.card == card.card]
        middles = [table.quad(each).mean(axis=0) for each in lying]
        if lens is not None:
            middles = [lens.distort(middle[None])[0] for middle in middles]
        if not any(np.hypot(*(middle - at)) < 30 for middle in middles):
            wrong.append(str(card.card))
    return wrong


@pytest.mark.parametrize("name", list(lights.EVILS))
def test_bad_light_loses_few_cards_and_changes_none(reader, table, name) -> None:
    plain = table.frame()
    image = lights.EVILS[name](plain, np.random.default_rng(5))
    assert float(np.abs(image.astype(np.int16) - plain).mean()) > 1, "the light does nothing"
    lens = lights.lens_of(plain) if name == "lens" else None
    reading = reader.read(image)
    assert not wrongly(reading, table, lens)
    assert {card.card for card in reading.cards} <= table.face_up()
    assert len(reading.cards) >= FLOORS[name]


@pytest.mark.parametrize("mains_hz", [50.0, 60.0])
def test_bands_that_roll_over_the_table_change_no_card(table, mains_hz) -> None:
    """Each frame has its bands elsewhere; what was read stays as it was."""
    reader = TableReader()
    rng = np.random.default_rng(6)
    seen: list[set[Card]] = []
    for _ in range(4):
        image = lights.rolling_bands(table.frame(), rng, mains_hz=mains_hz)
        reading = reader.follow(FrameAnalysis(image))
        assert not wrongly(reading, table)
        seen.append({card.card for card in reading.cards})
    assert all(len(cards) >= 11 for cards in seen)
    assert seen[0] <= seen[-1]


def test_a_card_drowned_by_glare_is_asked_about_or_missed(reader) -> None:
    table = SimulatedTable(MatLayout(4), style="modern", seed=12)
    for seat, code in enumerate(["7H", "KS", "4D", "9C"]):
        table.lay(seat, Card.parse(code), face_up=True)
    table.settle()
    image = table.frame().astype(np.float32)
    lost = next(each for each in table.cards if each.seat == 1)
    x, y = table.quad(lost).mean(axis=0)
    rows, columns = np.mgrid[0 : image.shape[0], 0 : image.shape[1]]
    image += 600 * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * 90.0**2))[..., None]
    reading = reader.read(np.clip(image, 0, 255).astype(np.uint8))
    assert {str(card.card) for card in reading.cards} == {"7H", "4D", "9C"}


@pytest.fixture(scope="module")
def taught() -> tuple[SimulatedTable, TableReader]:
    """Eight cards of a deck without indices, and a reader that was shown each of them once."""
    codes = ["7H", "KS", "4D", "9C", "2S", "JH", "TD", "AC"]
    table = SimulatedTable(MatLayout(4), style="old", seed=13)
    teacher = DeckEnrolment(CustomDeck("old"))
    for number, code in enumerate(codes):
        table.take_up(by=0)
        table.lay(number % 4, Card.parse(code), face_up=True)
        table.settle()
        result = teacher.show(table.frame(), Card.parse(code), surely=True)
        assert result.status is EnrolmentStatus.TAKEN
    table.take_up(by=0)
    for number, code in enumerate(codes):
        table.lay((number + 1) % 4, Card.parse(code), face_up=True)
    table.settle()
    return table, TableReader(deck=teacher.deck)


@pytest.mark.parametrize("name", ["warm lamp", "cold lamp", "noise", "arm's shadow", "defocus"])
def test_a_taught_deck_without_indices_is_read_in_bad_light(taught, name) -> None:
    table, reader = taught
    reading = reader.read(lights.EVILS[name](table.frame(), np.random.default_rng(8)))
    assert not wrongly(reading, table)
    assert len(reading.cards) >= 6
