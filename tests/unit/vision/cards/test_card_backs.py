"""One look at a deck's back is enough for all of them; a face is never taken for one."""

from __future__ import annotations

import itertools
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from device.simulator.table import SimulatedTable
from engine import deck
from tests.support.card_evidence import face
from vision import TableReader
from vision.cards.pipeline import CardPipeline, is_same_back, traits
from vision.mat.pose import MatLayout

pytestmark = pytest.mark.slow


def laid(style: str) -> SimulatedTable:
    """Six backs and six faces, courts among them."""
    table = SimulatedTable(MatLayout(6, "A1"), style=style, seed=31, size=(1600, 1200))
    for number, card in enumerate(deck()[9::3][:12]):
        table.lay(number % 6, card, face_up=number % 2 == 1)
        while table.is_moving:
            table.frame()
    return table


@pytest.mark.parametrize("style", ["modern", "four-colour", "old"])
def test_backs_are_alike_and_no_face_is_like_them(style) -> None:
    table = laid(style)
    image = table.frame()
    backs = [traits(image, table.quad(c)) for c in table.cards if not c.face_up]
    faces = [traits(image, table.quad(c)) for c in table.cards if c.face_up]
    assert len(backs) == len(faces) == 6
    assert all(is_same_back(one, other) for one, other in itertools.combinations(backs, 2))
    assert not any(is_same_back(back, face) for back in backs for face in faces)


def test_one_back_is_read_for_all_of_them(monkeypatch) -> None:
    image = laid("modern").frame()
    reader = TableReader()
    read: list[int] = []
    cards = reader._pipeline._faces
    plain = cards.read

    def counting(image, quads, **how):
        read.append(len(quads))
        return plain(image, quads, **how)

    monkeypatch.setattr(cards, "read", counting)
    reading = reader.read(image)
    # The six, and the stock, which may have slipped.
    assert len(reading.backs) == 7
    assert sum(read) <= 4


def touching(*downs: float) -> list[np.ndarray]:
    """Which of some cards that touch are told as backs: each is one with such a probability."""
    image = np.full((300, 600, 3), 255, np.uint8)
    row = [(_CARD + np.array([20 + 120 * n, 40])).astype(np.float32) for n in range(len(downs))]
    for quad, down in zip(row, downs, strict=True):
        (left, top), (right, bottom) = np.rint(quad[0]).astype(int), np.rint(quad[2]).astype(int)
        image[top:bottom, left:right] = (140, 40, 30) if down > 0.5 else (240, 240, 240)
    kinds = iter([1 - down, down, 0.0] for down in downs)
    pipeline = CardPipeline.__new__(CardPipeline)
    pipeline._faces = SimpleNamespace(
        read=lambda _, quads: [replace(face("KS"), kinds=np.array(next(kinds))) for _ in quads]
    )
    return [round((quad[0][0] - 20) / 120) for quad in pipeline._backs(image, row)]


_CARD = np.array([[0, 0], [120, 0], [120, 176], [0, 176]])


def test_backs_that_touch_are_told_one_by_one() -> None:
    assert touching(1.0, 0.95) == [0, 1]
    assert touching(0.0, 0.99, 0.99) == [1, 2]


def test_one_back_beside_others_is_left_to_the_detector() -> None:
    """Cards that overlap may be as large as two that touch."""
    assert touching(0.99, 0.0) == []
    assert touching(0.99, 0.8) == []
