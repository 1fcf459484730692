"""What is none of the 52 is never forced into them."""

from __future__ import annotations

from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from tests.support.card_evidence import face, index
from vision import Place, TableReader
from vision.cards.classifier import CardPrediction
from vision.cards.evidence import Evidence
from vision.cards.jokers import SHARP, mark_jokers, sharpness

pytestmark = pytest.mark.slow

WIDE, TALL = 252, 352
MIDDLE = (480.0, 360.0)


def joker(mark: str) -> np.ndarray:
    """A card with a jester's cap and face, and letters down its side, as jokers have them."""
    face = np.full((TALL, WIDE, 3), 245, np.uint8)
    cap = [(70, 150), (40, 90), (100, 120), (126, 60), (152, 120), (212, 90), (182, 150)]
    cv2.fillPoly(face, [np.array(cap, np.int32)], (40, 40, 190))
    for bell in (cap[1], cap[3], cap[5]):
        cv2.circle(face, bell, 11, (60, 190, 230), -1)
    cv2.ellipse(face, (126, 190), (46, 58), 0, 0, 360, (170, 200, 235), -1)
    for x in (108, 144):
        cv2.circle(face, (x, 178), 6, (30, 30, 30), -1)
    cv2.ellipse(face, (126, 205), (22, 16), 0, 10, 170, (30, 30, 150), 4)
    cv2.fillPoly(face, [np.array([(60, 250), (126, 235), (192, 250), (126, 300)])], (60, 140, 40))
    for each, letter in enumerate(mark):
        cv2.putText(
            face, letter, (12, 40 + 30 * each), cv2.FONT_HERSHEY_DUPLEX, 0.9, (30, 30, 30), 2
        )
    return np.maximum(cv2.flip(face, -1) // 2, face) if mark == "FOOL" else face


def on_a_table(face: np.ndarray, degrees: float) -> np.ndarray:
    """The card in the middle of a green cloth."""
    rng = np.random.default_rng(degrees)
    table = np.full((720, 960, 3), (70, 105, 60), np.uint8)
    table = cv2.add(table, rng.integers(0, 14, table.shape, np.uint8))
    matrix = cv2.getRotationMatrix2D((WIDE / 2, TALL / 2), degrees, 0.9)
    matrix[:, 2] += (MIDDLE[0] - WIDE / 2, MIDDLE[1] - TALL / 2)
    cover = cv2.warpAffine(np.ones((TALL, WIDE), np.float32), matrix, (960, 720))[..., None]
    card = cv2.warpAffine(face, matrix, (960, 720))
    return (card * cover + table * (1 - cover)).astype(np.uint8)


def is_in_the_middle(place: Place) -> bool:
    quad = np.array(place.corners, np.float32)
    return cv2.pointPolygonTest(quad, MIDDLE, False) > 0


@pytest.fixture(scope="module")
def reader() -> TableReader:
    return TableReader()


def test_jokers_are_told_as_jokers_or_doubted(reader) -> None:
    told = doubted = forced = 0
    for mark in ("JOKER", "FOOL", "JOLLY"):
        for degrees in (0, 35, 140, 250):
            reading = reader.read(on_a_table(joker(mark), degrees))
            told += any(is_in_the_middle(each.place) for each in reading.jokers)
            doubted += any(is_in_the_middle(each.place) for each in reading.unsure)
            forced += bool(reading.cards)
    # The J that begins the word is taken for an index; one is read as a three.
    assert told >= 1
    assert told + doubted >= 11
    assert forced <= 1


def test_a_blurred_joker_is_left_in_doubt(reader) -> None:
    """So is a card that is blurred as much: it would look the same."""
    clear = on_a_table(joker("FOOL"), 0)
    (found,) = reader.read(clear).jokers
    quad = np.array(found.place.corners, np.float32)
    blurred = cv2.GaussianBlur(clear, (0, 0), 6)
    assert sharpness(blurred, quad) < SHARP < sharpness(clear, quad)
    assert not reader.read(blurred).jokers


QUAD = np.array([[0, 0], [60, 0], [60, 90], [0, 90]], np.float32)


def prediction(confidence: float, **flags: bool) -> CardPrediction:
    cards = np.full(52, (1 - confidence) / 51)
    cards[0] = confidence
    return CardPrediction(QUAD, 1.0, 0.0, cards, **flags)


@pytest.mark.parametrize(
    ("others", "jokers"),
    [
        ([], 1),
        ([prediction(0.99, has_index=True)], 1),
        # Of a deck without indices any card may look like a joker.
        ([prediction(0.99)], 0),
        ([prediction(0.99, has_index=True), prediction(0.99)], 0),
        ([prediction(0.4, has_index=True)], 1),
    ],
)
def test_only_a_deck_with_indices_is_known_to_have_jokers(reader, others, jokers) -> None:
    doubtful = prediction(0.3, is_joker=True)
    reading = reader._reading(np.zeros((99, 99, 3), np.uint8), [doubtful, *others], None, 0.0)
    assert len(reading.jokers) == jokers
    assert len(reading.cards) + len(reading.unsure) == len(others) + 1 - jokers


def test_alone_it_must_be_hardly_like_any_card(reader) -> None:
    """Index and face of strange decks are hard to read: a seven with large indices was 0.54."""
    picture = np.zeros((99, 99, 3), np.uint8)
    likely = prediction(0.55, is_joker=True)
    assert not reader._reading(picture, [likely], None, 0.0).jokers
    beside = prediction(0.99, has_index=True)
    assert reader._reading(picture, [likely, beside], None, 0.0).jokers


def test_what_is_sure_of_being_a_card_is_one(reader) -> None:
    sure = prediction(0.8, is_joker=True)
    reading = reader._reading(np.zeros((99, 99, 3), np.uint8), [sure], None, 0.0)
    assert (len(reading.cards), reading.jokers) == (1, ())


def evidence(**changes: object) -> Evidence:
    e = Evidence(QUAD, 0.9, True, face("KS", 0.5), [index("KS", readable=0.1)] * 2)
    for name, value in changes.items():
        setattr(e, name, value)
    return e


STRIPES = np.full((120, 120, 3), 230, np.uint8)
STRIPES[:, ::8] = 20


@pytest.mark.parametrize(
    ("changes", "other_corners", "is_joker"),
    [
        ({}, 0.1, True),
        ({}, 0.9, False),  # a deck with four indices
        ({"indices": [index("KS", 0.1, readable=0.6)] * 2}, 0.1, False),
        ({"score": 0.5}, 0.1, False),
        ({"covered": 0.1}, 0.1, False),
        ({"face": face("KS", 9.0)}, 0.1, False),  # its face is that of a card
        ({"similarity": np.eye(53)[3]}, 0.1, False),  # a card of the deck that was taught
        ({"similarity": np.full(53, 0.2)}, 0.1, True),
        ({"is_on_mat": True}, 0.1, False),  # on a mat only what has a card's outline
        ({"is_on_mat": True, "score": 1.0}, 0.1, True),
        # The stock, on which a card lies.
        ({"is_on_mat": True, "score": 1.0, "covered": 0.1}, 0.1, False),
    ],
)
def test_a_joker_is_whole_and_like_no_card(changes, other_corners, is_joker) -> None:
    def read(_image, frames, **_):
        return [index("KS", readable=other_corners) for _ in frames]

    e = evidence(**changes)
    mark_jokers(STRIPES, [e], SimpleNamespace(read=read))
    assert e.is_joker is is_joker
    assert e.fuse().is_joker is is_joker
