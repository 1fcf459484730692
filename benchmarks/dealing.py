"""Drawn tables to be read, and the count of what was read on them: for the bench and the soak."""

from __future__ import annotations

import random
import sys
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from device.simulator.deck.faces import draw_face
from device.simulator.scenery import Sprite
from device.simulator.sprites import ART_PX, PlacedCard, draw_sprite, place
from device.simulator.table import SimulatedTable
from engine import Card, deck
from vision import Reading
from vision.cards.classifier import CARDS
from vision.cards.custom_deck import CustomDeck
from vision.cards.enrolment import DeckEnrolment, EnrolmentStatus
from vision.mat.pose import MatLayout
from vision.readings import ZoneKind

Image = NDArray[np.uint8]

NEAR_PX = 40
"""How far from the middle of a card what is read of it may lie, in a frame 2304 pixels wide."""


class PackagedTable(SimulatedTable):
    """A virtual table on which a deck of pictures lies, such as one out of a package."""

    def __init__(self, layout: MatLayout, art: dict[Card, Image], **how: object) -> None:
        """Lay the mat; *art* holds a BGRA picture of every card, *how* goes to the table."""
        super().__init__(layout, **how)  # type: ignore[arg-type]
        size = (self.frame().shape[1], self.frame().shape[0])

        def sprite(lying: PlacedCard) -> Sprite | None:
            if lying.face_up:
                return place(art[lying.card], self.matrix, size, lying)
            return draw_sprite(self.matrix, "modern", size, lying)

        self._sprite = lru_cache(maxsize=256)(sprite)


def packaged(work: Path) -> dict[str, dict[Card, Image]]:
    """Load the designs that training never sees from its work folder (docs/how-to/training.md)."""
    from vision.training.cards.deck_art import HELD_OUT

    faces = np.load(work / "faces.npy", mmap_mode="r")
    labels, names = np.load(work / "labels.npy"), np.load(work / "decks.npy")
    decks: dict[str, dict[Card, Image]] = {}
    outline = draw_face(CARDS[0], "modern", ART_PX)
    size = outline.shape[1::-1]
    for name in HELD_OUT:
        art: dict[Card, Image] = {}
        for place_ in np.flatnonzero((names == name) & (labels >= 0)):
            face = cv2.resize(np.array(faces[place_]), size, interpolation=cv2.INTER_AREA)
            art[CARDS[labels[place_]]] = np.dstack([face, outline[..., 3]])
        if len(art) == len(CARDS):
            decks[name] = art
        else:
            print(f"{name}: only {len(art)} faces are packaged; left out", file=sys.stderr)
    return decks


@dataclass(frozen=True, slots=True)
class Style:
    """A deck to lie on the table: drawn by its name, or pictures out of a package."""

    name: str
    art: dict[Card, Image] | None = field(default=None, compare=False)

    def table(self, layout: MatLayout, **how: object) -> SimulatedTable:
        """Lay a mat for this deck."""
        if self.art is not None:
            return PackagedTable(layout, self.art, **how)
        return SimulatedTable(layout, style=self.name, **how)  # type: ignore[arg-type]


def deal(table: SimulatedTable, cards: int, seed: int, down: int = 0) -> None:
    """Clear the table and lay so many cards on it, round by round; every *down*-th lies turned."""
    table.take_up(by=0)
    pack = list(deck())
    random.Random(seed).shuffle(pack)
    seat = 0
    for number in range(cards):
        while not table.room(seat % table.layout.seats):
            seat += 1
        table.lay(
            seat % table.layout.seats, pack.pop(), face_up=not down or number % down < down - 1
        )
        seat += 1
    table.settle()


def teach(style: Style, looks: int, seed: int = 7000) -> CustomDeck:
    """Show every card of a deck alone, as `boneace teach deck` does.

    Raises:
        SystemExit: a card could not be taught.
    """
    teacher = DeckEnrolment(CustomDeck(style.name), looks=looks)
    tables = [style.table(MatLayout(4), seed=seed + number) for number in range(2)]
    turn = 0
    while (card := teacher.wanted) is not None:
        turn += 1
        table = tables[turn % len(tables)]
        table.take_up(by=0)
        table.lay(turn % 4, card, face_up=True)
        table.settle()
        if teacher.show(table.frame(), surely=True).status is not EnrolmentStatus.TAKEN:
            raise SystemExit(f"{style.name}: {card} could not be taught; look at turn {turn}")
    return teacher.deck


@dataclass(slots=True)
class Tally:
    """Counts over tables, and every confidence with whether it was right.

    Attributes:
        counts: tables, up and down (cards that lay there), read, unsure, wrong, turned (cards
            face up that were taken for backs), missed, backs.
        sayings: (confidence, whether right) of every card read or asked about.
        wrong: each silent mistake in words.
    """

    counts: Counter[str] = field(default_factory=Counter)
    sayings: list[tuple[float, bool]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def take(self, table: SimulatedTable, reading: Reading, scale: float = 1.0) -> int:
        """Compare a reading with what lies there, place by place; how many were wrong.

        Args:
            table: what lies there.
            reading: what was read.
            scale: pixels of the picture that was read for one of the table's.
        """
        lying = list(table.cards)
        middles = np.array([table.quad(each).mean(axis=0) for each in lying]).reshape(-1, 2)

        def at(corners: object) -> PlacedCard | None:
            away = np.hypot(*(middles - np.mean(corners, axis=0) / scale).T)  # type: ignore[call-overload]
            nearest = int(away.argmin())
            return lying[nearest] if away[nearest] < NEAR_PX else None

        read: set[Card] = set()
        asked: set[Card] = set()
        turned = 0
        wrong = []
        for card in reading.cards:
            there = at(card.place.corners)
            right = there is not None and there.face_up and there.card == card.card
            if right:
                read.add(card.card)
            else:
                wrong.append(f"{card.card} for {_name(there)} ({card.confidence:.3f})")
            self.sayings.append((card.confidence, right))
        for doubt in reading.unsure:
            there = at(doubt.place.corners)
            if there is not None and there.face_up:
                asked.add(there.card)
                if doubt.candidates:
                    self.sayings.append((doubt.confidence, doubt.candidates[0] == there.card))
        backs = 0
        for back in reading.backs:
            if back.place.zone is None or back.place.zone.kind is ZoneKind.SEAT:
                there = at(back.place.corners)
                backs += there is not None and not there.face_up
                turned += there is not None and there.face_up
        up = sum(each.face_up for each in lying)
        self.counts.update(
            tables=1,
            up=up,
            down=len(lying) - up,
            read=len(read),
            unsure=len(asked - read),
            wrong=len(wrong),
            turned=turned,
            missed=max(up - len(read | asked) - len(wrong) - turned, 0),
            backs=backs,
        )
        self.wrong += wrong
        return len(wrong)

    def add(self, other: Tally) -> None:
        """Count what another counted as well."""
        self.counts.update(other.counts)
        self.sayings += other.sayings
        self.wrong += other.wrong


def _name(there: PlacedCard | None) -> str:
    if there is None:
        return "nothing"
    return str(there.card) if there.face_up else "a back"


EDGES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""Where the ten bins of the reliability table begin."""

THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99)


def reliability(sayings: list[tuple[float, bool]]) -> str:
    """Return, in Markdown, how often each confidence was right, and what each threshold costs."""
    sure = np.array([each for each, _ in sayings], np.float64)
    right = np.array([each for _, each in sayings], bool)
    lines = ["| confidence | cards | mean confidence | right |", "|---|---:|---:|---:|"]
    error = 0.0
    bins = np.searchsorted(EDGES, sure, side="right") - 1
    for number, low in enumerate(EDGES):
        own = bins == number
        if own.any():
            said, was = float(sure[own].mean()), float(right[own].mean())
            error += float(own.mean()) * abs(said - was)
            lines.append(f"| {low:.1f}-{low + 0.1:.1f} | {own.sum()} | {said:.3f} | {was:.3f} |")
    lines += ["", f"Expected calibration error over {len(sure)} cards: {error:.4f}.", ""]
    lines += [
        "| threshold | reported | wrong | of reported | unsure |",
        "|---:|---:|---:|---:|---:|",
    ]
    for least in THRESHOLDS:
        told = sure >= least
        wrong = int((told & ~right).sum())
        lines.append(
            f"| {least:g} | {told.sum()} | {wrong} | {wrong / max(int(told.sum()), 1):.2%} "
            f"| {(~told).sum()} |"
        )
    return "\n".join(lines)
