"""Pictures that stand in for what a camera over a real table would give."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import cv2
import numpy as np

from device.simulator.bone_table import BonesTable
from device.simulator.table import SimulatedTable
from engine import Card, Face
from vision.mat.layout import MatLayout

SIZE = (1280, 960)
"""Pixels; small, for there are many, and large enough for a card's index on an A2 mat."""

STILL = 3
"""So many frames of each scene: the eyes wait until nothing moves."""


def _table(seed: int = 3, style: str = "modern") -> SimulatedTable:
    return SimulatedTable(MatLayout(4, "A2"), style=style, seed=seed, size=SIZE)


def photograph(path: Path, up: str = "AH TD 9C", down: int = 1, style: str = "modern") -> Path:
    """Draw cards before one player, *down* more before another, and the stock; return *path*."""
    table = _table(style=style)
    for code in up.split():
        table.lay(0, Card.parse(code), face_up=True)
    for code in ("4D", "4C", "4S")[:down]:
        table.lay(1, Card.parse(code), face_up=False)
    table.settle()
    assert cv2.imwrite(str(path), table.frame())
    return path


def bones(*throws: Iterable[Face], seed: int = 5) -> Iterator[np.ndarray]:
    """Draw bones thrown one time after another, with the given faces uppermost."""
    table = BonesTable(MatLayout(4, "A2"), seed=seed)
    for throw in throws:
        faces = list(throw)
        table.throw(0, len(faces), faces=faces)
        table.settle()
        yield table.frame()
        table.lift(0)
        table.settle()


def bones_by_face() -> dict[Face, list[np.ndarray]]:
    """Draw two throws of two bones for each face, in which every bone shows it."""
    drawn = bones(*([face] * 2 for face in Face for _ in range(2)))
    return {face: [next(drawn), next(drawn)] for face in Face}


def one_card_each(cards: Iterable[Card], style: str) -> Iterator[np.ndarray]:
    """Draw each card alone on the mat."""
    table = _table(style=style)
    for card in cards:
        table.lay(0, card, face_up=True)
        table.settle()
        yield table.frame()
        table.take_up(0, by=0)


def empty_mat() -> Iterator[np.ndarray]:
    """Draw a mat on which nothing lies but the stock."""
    picture = _table().frame()
    for _ in range(8):
        yield picture


def cut_and_deal() -> Iterator[np.ndarray]:
    """Draw four players who cut (the third deals), and a hand of Bone-Ace dealt."""
    table = _table()
    yield from [table.frame()] * STILL
    for seat, code in enumerate(("9C", "5S", "4S", "6H")):
        table.lay(seat, Card.parse(code), face_up=True)
    table.settle()
    yield from [table.frame()] * STILL
    for seat in range(4):
        table.take_up(seat, by=seat)
    table.settle()
    yield from [table.frame()] * STILL
    for third in (False, False, True):
        for seat, code in ((3, "6S"), (0, "JH"), (1, "3H"), (2, "KC")):
            table.lay(seat, Card.parse(code), face_up=third)
        table.settle()
        yield from [table.frame()] * STILL


def save(folder: Path, pictures: Iterable[np.ndarray]) -> Path:
    """Write a recording: a folder of pictures, in order."""
    folder.mkdir()
    for number, picture in enumerate(pictures):
        assert cv2.imwrite(str(folder / f"{number:04d}.jpg"), picture)
    return folder
