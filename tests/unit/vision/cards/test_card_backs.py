"""One look at a deck's back is enough for all of them; a face is never taken for one."""

from __future__ import annotations

import itertools

import pytest

from device.simulator.table import SimulatedTable
from engine import deck
from vision import TableReader
from vision.cards.pipeline import is_same_back, traits
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
