"""The whole reader on the virtual table, whose decks it never saw, and on bad input."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from device.simulator.table import SimulatedTable
from engine import Card, deck
from vision import TableReader
from vision.cards.classifier import CARDS, CardPrediction
from vision.errors import ImageError
from vision.mat.pose import MatLayout
from vision.readings import CardReading, Place, UnsureReading, ZoneKind
from vision.table_reader import SURE_ON_MAT, _not_elsewhere, _without_repeats

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def reader() -> TableReader:
    return TableReader()


def laid(style: str, seed: int, cards: int = 12) -> SimulatedTable:
    """A table of four with so many cards, every third face down."""
    table = SimulatedTable(MatLayout(4), style=style, seed=seed)
    pack = list(deck())
    random.Random(seed).shuffle(pack)
    for number in range(cards):
        table.lay(number % 4, pack[number], face_up=number % 3 != 2)
        while table.is_moving:
            table.frame()
    return table


@pytest.mark.parametrize("style", ["modern", "four-colour"])
def test_cards_of_a_drawn_deck_are_read_in_their_places(reader, style) -> None:
    table = laid(style, seed=4)
    reading = reader.read(table.frame(), 12.5)
    assert reading.time_s == 12.5
    assert reading.seats == 4
    read = {card.card for card in reading.cards}
    assert read <= table.face_up()
    assert len(read) >= len(table.face_up()) - 1
    where = {lying.card: seat for seat in range(4) for lying in table.at(seat)}
    for card in reading.cards:
        assert card.place.zone is not None
        assert card.place.zone.kind is ZoneKind.SEAT
        assert card.place.zone.seat == where[card.card]
        assert SURE_ON_MAT <= card.confidence <= 1
    backs = [back for back in reading.backs if back.place.zone.kind is ZoneKind.SEAT]
    assert len(backs) == 4


def test_the_edge_of_the_mat_is_no_unsure_card(reader) -> None:
    table = SimulatedTable(MatLayout(4, "A2"), seed=3)
    for code in ("AH", "9C", "4D"):
        table.lay(0, Card.parse(code), face_up=True)
    table.settle()
    reading = reader.read(table.frame())
    assert {str(card.card) for card in reading.cards} == {"AH", "9C", "4D"}
    assert reading.unsure == ()


def test_a_period_deck_without_indices_is_never_misread(reader) -> None:
    table = laid("old", seed=4)
    assert {card.card for card in reader.read(table.frame()).cards} <= table.face_up()


def test_corners_lie_on_the_card(reader) -> None:
    table = laid("modern", seed=4, cards=4)
    reading = reader.read(table.frame())
    assert reading.cards
    for card in reading.cards:
        (lying,) = [lying for lying in table.cards if lying.card == card.card]
        true, seen = table.quad(lying), np.array(card.place.corners)
        off = min(np.abs(true - np.roll(seen, turn, axis=0)).max() for turn in range(4))
        assert off < 12, f"{card.card}: corners up to {off:.0f} px off"


def test_each_card_tells_how_it_is_turned_on_the_mat(reader) -> None:
    """On its side, upright or askew, as it lies on the mat and not in the tilted picture."""
    table = laid("modern", seed=4)
    reading = reader.read(table.frame())
    dealt = [
        each for each in (*reading.cards, *reading.backs) if each.place.zone.kind is ZoneKind.SEAT
    ]
    assert len(dealt) == 12
    for each in dealt:
        x, y = each.place.centre_mm
        lying = min(table.cards, key=lambda card: np.hypot(card.x_mm - x, card.y_mm - y))
        off = abs(each.place.turn_deg - lying.degrees) % 180
        assert 0 <= each.place.turn_deg < 180
        assert min(off, 180 - off) < 3
    turned = {round(each.place.turn_deg / 90) % 2 for each in reading.cards}
    assert turned == {0, 1}


def test_the_stricter_reader_is_unsure_instead(reader) -> None:
    frame = laid("modern", seed=4, cards=4).frame()
    strict = TableReader(sure=1.01).read(frame)
    assert not strict.cards
    found = reader.read(frame)
    assert len(strict.unsure) == len(found.cards) + len(found.unsure)
    assert all(unsure.candidates for unsure in strict.unsure)


def looks(*confidences: float) -> list[CardPrediction]:
    """Readings that say KS with these confidences, and else JS."""
    quad = np.array([[0, 0], [60, 0], [60, 90], [0, 90]], np.float32)
    out = []
    for confidence in confidences:
        cards = np.zeros(52)
        cards[CARDS.index(Card.parse("KS"))] = confidence
        cards[CARDS.index(Card.parse("JS"))] = 1 - confidence
        out.append(CardPrediction(quad, 1.0, 0.0, cards))
    return out


def test_no_card_lies_there_twice() -> None:
    """Of two that say KS the far surer one is it, and the other is in doubt."""
    first, second = _without_repeats(looks(0.8, 0.999))
    assert (str(CARDS[first.best]), first.confidence > 0.99) == ("KS", True)
    assert second.confidence < 0.5
    assert second.candidates()[0] == Card.parse("JS")


def test_two_that_are_as_sure_of_one_card_are_both_asked_about() -> None:
    both = _without_repeats(looks(0.9999, 0.99999))
    assert [each.confidence < 0.6 for each in both] == [True, True]
    assert [each.candidates()[0] for each in both] == [Card.parse("KS")] * 2


def test_with_two_packs_a_card_may_lie_there_twice() -> None:
    assert [each.confidence for each in _without_repeats(looks(0.97, 0.98), packs=2)] == [
        0.98,
        0.97,
    ]
    three = _without_repeats(looks(0.8, 0.99, 0.995), packs=2)
    assert [each.confidence > 0.9 for each in three] == [True, True, False]


def test_nobody_is_asked_whether_it_is_a_card_that_lies_elsewhere() -> None:
    five, six = Card.parse("5H"), Card.parse("6H")
    place = Place(((0.0, 0.0),) * 4)
    unsure, there = UnsureReading((five, six), 0.6, place), [CardReading(six, 0.99, place)]
    assert _not_elsewhere(unsure, there).candidates == (five,)
    assert _not_elsewhere(unsure, there, packs=2).candidates == (five, six)
    assert _not_elsewhere(replace(unsure, candidates=(six,)), there).candidates == (six,)


def test_a_table_without_mat_and_cards_is_empty(reader) -> None:
    reading = reader.read(np.full((480, 640, 3), 70, np.uint8))
    assert reading.seats is None
    assert not reading.cards
    assert not reading.backs


@pytest.mark.parametrize(
    "image",
    [
        np.zeros((40, 40), np.uint8),
        np.zeros((40, 40, 4), np.uint8),
        np.zeros((9, 9, 3), np.float32),
    ],
    ids=["grey", "alpha", "float"],
)
def test_a_picture_of_another_shape_is_refused_with_its_shape(reader, image) -> None:
    with pytest.raises(ImageError, match="BGR"):
        reader.read(image)


@pytest.mark.parametrize("size", [(1, 1), (2, 900), (5, 5)])
def test_tiny_pictures_are_read_as_empty(reader, size) -> None:
    assert not reader.read(np.zeros((*size, 3), np.uint8)).cards
