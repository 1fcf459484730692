"""What face and indices say is weighed: agreement makes sure, contradiction makes doubt."""

from __future__ import annotations

import numpy as np
import pytest

from engine import Card
from vision.cards.classifier import CARDS, FaceLook
from vision.cards.fusion import weigh
from vision.cards.index_classifier import IndexLook


def words(code: str, strength: float) -> tuple[np.ndarray, np.ndarray]:
    number = CARDS.index(Card.parse(code))
    ranks, suits = np.zeros(13), np.zeros(4)
    ranks[number % 13], suits[number // 13] = strength, strength
    return ranks, suits


def face(code: str, strength: float = 5.0) -> FaceLook:
    return FaceLook(np.array([1.0, 0, 0]), *words(code, strength), np.ones(4, np.float32) / 2)


def index(code: str, strength: float = 4.0, readable: float = 1.0) -> IndexLook:
    return IndexLook(readable, *words(code, strength))


def best(cards: np.ndarray) -> tuple[str, float]:
    return str(CARDS[int(cards.argmax())]), float(cards.max())


def test_agreement_is_surer_than_either() -> None:
    alone = best(weigh(face("KS"), []))
    both = best(weigh(face("KS"), [index("KS")]))
    assert alone[0] == both[0] == "KS"
    assert both[1] > alone[1]


def test_two_indices_that_contradict_each_other_leave_doubt() -> None:
    assert best(weigh(None, [index("KS")]))[1] > 0.9
    assert best(weigh(None, [index("KS"), index("QS")]))[1] < 0.6


def test_a_face_that_contradicts_the_index_leaves_doubt() -> None:
    # A face must shout to be heard over an index; then neither is believed.
    assert best(weigh(face("QS", 12.0), [index("KS")]))[1] < 0.6


def test_an_index_that_cannot_be_read_counts_for_nothing() -> None:
    told = weigh(face("KS"), [index("2H", 9.0, readable=0.0)])
    assert np.allclose(told, weigh(face("KS"), []))


def test_a_covered_face_counts_for_less() -> None:
    cards = weigh(face("QS", 12.0), [index("KS")], face_counts=0.0)
    assert best(cards)[0] == "KS"
    assert best(cards)[1] > 0.9


def test_a_taught_deck_is_heard() -> None:
    taught = np.zeros(52)
    taught[CARDS.index(Card.parse("JC"))] = 20.0
    assert best(weigh(face("KC"), [], taught=taught))[0] == "JC"


@pytest.mark.parametrize("looks", [[], [index("7D")]])
def test_probabilities_sum_to_one(looks) -> None:
    assert weigh(face("7D"), looks).sum() == pytest.approx(1.0)
