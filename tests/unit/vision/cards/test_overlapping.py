"""Fans, rows and columns: every card whose index is seen is read, once, and none wrongly."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from device.simulator.deck.faces import draw_back, draw_face
from device.simulator.scat_table import ScatTable
from device.simulator.sprites import PlacedCard
from engine import Card
from vision import TableReader
from vision.mat.layout import CARD_MM, MatLayout
from vision.readings import Zone, ZoneKind

pytestmark = pytest.mark.slow

WIDE, TALL = 210, 294
"""Pixels of a card in these pictures."""


@pytest.fixture(scope="module")
def reader() -> TableReader:
    return TableReader()


def cloth(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    grain = cv2.resize(rng.normal(0, 9, (240, 320, 3)).astype(np.float32), (1280, 960))
    return (np.array([60, 90, 45], np.float32) + grain).clip(0, 255).astype(np.uint8)


def put(table: np.ndarray, face: np.ndarray, x: float, y: float, degrees: float) -> None:
    """Lay a card with its middle at x, y, turned clockwise, and its shadow, in place."""
    face = cv2.resize(face, (WIDE, TALL), interpolation=cv2.INTER_AREA)
    matrix = cv2.getRotationMatrix2D((WIDE / 2, TALL / 2), -degrees, 1.0)
    matrix[:, 2] += np.array([x - WIDE / 2, y - TALL / 2])
    size = table.shape[1::-1]
    drawn = cv2.warpAffine(face[..., :3], matrix, size, borderMode=cv2.BORDER_REPLICATE)
    cover = cv2.warpAffine(face[..., 3], matrix, size).astype(np.float32)[..., None] / 255
    shade = cv2.GaussianBlur(np.roll(cover[..., 0], (3, 2), (0, 1)), (0, 0), 3)[..., None]
    lit = table * (1 - 0.35 * shade)
    table[:] = (drawn * cover + lit * (1 - cover)).clip(0, 255).astype(np.uint8)


def fan(codes: list[str], style: str, spread: float = 17.0) -> np.ndarray:
    table = cloth(1)
    for number, code in enumerate(codes):
        degrees = (number - (len(codes) - 1) / 2) * spread
        a = np.radians(degrees)
        put(
            table,
            draw_face(Card.parse(code), style),
            640 + 430 * np.sin(a),
            900 - 430 * np.cos(a),
            degrees,
        )
    return table


def row(codes: list[str], style: str, step: float) -> np.ndarray:
    table = cloth(2)
    for number, code in enumerate(codes):
        put(table, draw_face(Card.parse(code), style), 300 + step * number, 460, 2.0)
    return table


def column(codes: list[str], style: str, step: float) -> np.ndarray:
    table = cloth(3)
    for number, code in enumerate(codes):
        put(table, draw_face(Card.parse(code), style), 640, 260 + step * number, -3.0)
    return table


HAND = ["7H", "KS", "2D", "TC", "9S"]


@pytest.mark.parametrize("style", ["modern", "four-colour"])
@pytest.mark.parametrize(
    "lay",
    [
        pytest.param(lambda style: fan(HAND, style), id="fan"),
        pytest.param(lambda style: row(HAND, style, 78), id="row"),
        pytest.param(lambda style: column(HAND, style, 92), id="column"),
    ],
)
def test_cards_of_which_only_the_index_is_seen_are_read(reader, lay, style) -> None:
    reading = reader.read(lay(style))
    read = [str(card.card) for card in reading.cards]
    assert len(read) == len(set(read)), "both indices of a card are one card"
    assert set(read) <= set(HAND)
    assert len(read) >= len(HAND) - 1


def test_a_pile_squared_up_shows_one_card(reader) -> None:
    table = cloth(4)
    for number, code in enumerate(["2C", "8D", "QH"]):
        put(table, draw_face(Card.parse(code), "modern"), 640 + number, 480 - number, 1.0)
    reading = reader.read(table)
    assert [str(card.card) for card in reading.cards] == ["QH"]


def test_backs_in_a_row_are_counted(reader) -> None:
    table = cloth(5)
    for number in range(4):
        put(table, draw_back("modern"), 300 + 110 * number, 460, 2.0)
    reading = reader.read(table)
    assert not reading.cards
    assert len(reading.backs) == 4


@pytest.mark.parametrize("ace", ["AS", "AD"])
def test_an_ace_without_indices_on_a_heap_that_hides_its_frame_is_seen(ace, reader) -> None:
    """Beyond the frame old paper does not show, and the finder takes the heap for nothing."""
    layout = MatLayout(7, "A1")
    table = ScatTable(layout, middle=6, style="old", seed=3, size=(1280, 960))
    x, y, degrees = next(iter(layout.slots(Zone(ZoneKind.DISCARD), card_mm=CARD_MM, gap_mm=8.0)))
    aside = [("5H", 6, 4, 3), ("9C", -5, -3, -2), (ace, -7, 5, 2)]
    table._cards.things = tuple(
        PlacedCard(Card.parse(code), 0, 0, x + dx, y + dy, degrees + turn, True)
        for code, dx, dy, turn in aside
    )
    reading = reader.read(table.frame())
    told = [c.card for c in reading.cards] + [u.candidates[0] for u in reading.unsure]
    assert told[:1] == [Card.parse(ace)]
    assert not reading.bones
