"""The decks, things and table tops that scenes are made of, gathered into one atlas."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import torch

from vision.training.cards import things as other_things
from vision.training.cards.deck_art import BARE, FREE, HELD_OUT
from vision.training.common.atlas import Atlas

FACE_W, FACE_H = 180, 252
"""Pixels of a face in the atlas."""


BACKS, THINGS, GROUNDS = 240, 40, 240
"""How many backs, things of each kind and table tops are drawn."""


@dataclass
class Deck:
    """A design: pictures by code (13 * suit + rank), its jokers, and where its indices are."""

    faces: dict[int, int] = field(default_factory=dict)
    jokers: list[int] = field(default_factory=list)
    four: bool = False
    indexed: bool = True


@dataclass
class Art:
    """All that scenes are made of; numbers are those of the atlas."""

    atlas: Atlas
    printed: list[Deck]
    """Designs of makers."""
    drawn: list[Deck]
    """Designs of nobody: see ``synthetic_decks``."""
    backs: list[int]
    things: dict[str, list[int]]
    grounds: list[int]
    mats: list[tuple[int, float]]
    """The printed mats and how many millimetres wide they are."""


def draw_back(rng: np.random.Generator) -> np.ndarray:
    """Draw the back of a card: a border (or none) round a pattern of two colours."""
    w, h = 120, 168
    paper = np.full(3, 255.0) - rng.uniform(0, 25, 3)
    ink = rng.uniform(0, 200, 3)
    back = np.empty((h, w, 3), np.float32)
    back[:] = paper if rng.random() < 0.8 else rng.uniform(0, 255, 3)
    m = int(rng.integers(0, 15))
    y, x = np.mgrid[0 : h - 2 * m, 0 : w - 2 * m].astype(np.float32)
    x, y = np.abs(x - x.mean()), np.abs(y - y.mean())
    waves = np.zeros(x.shape, np.float32)
    for _ in range(int(rng.integers(1, 4))):
        a, b = rng.uniform(0.04, 1.3, 2)
        kind = rng.integers(4)
        if kind == 0:
            waves += np.sin(a * x) * np.sin(b * y)
        elif kind == 1:
            waves += np.sin(a * x + b * y)
        elif kind == 2:
            waves += np.sin(np.hypot(x, y * rng.uniform(0.6, 1.4)) * a)
        else:
            waves += cv2.resize(rng.normal(0, 1, (9, 7)).astype(np.float32), x.shape[::-1])
    mask = np.clip((waves - rng.uniform(-0.6, 0.6)) * rng.uniform(1, 8) + 0.5, 0, 1)[..., None]
    second = paper if rng.random() < 0.6 else rng.uniform(0, 255, 3)
    if rng.random() < 0.15:
        mask = mask * 0 + rng.uniform(0.7, 1)
    if rng.random() < 0.12:  # hardly a print at all
        second, ink = paper, paper - rng.uniform(8, 40, 3)
    back[m : h - m, m : w - m] = mask * ink + (1 - mask) * second
    return back.clip(0, 255).astype(np.uint8)


def _has_four(faces: np.ndarray, labels: np.ndarray) -> bool:
    """Return whether most of a deck's number cards have ink in the top right corner, too."""
    number = (labels >= 0) & (labels % 13 > 0) & (labels % 13 < 10)
    if not number.any():
        return False
    h, w = faces.shape[1:3]
    box = faces[number][:, round(0.04 * h) : round(0.2 * h), round(0.86 * w) : round(0.97 * w)]
    inked = np.ptp(box.reshape(len(box), -1).astype(np.int16), axis=1) > 70
    return bool(inked.mean() > 0.8)


def load(
    work: Path,
    device: torch.device | str = "cpu",
    *,
    held_out: bool = False,
    share: tuple[int, int] = (0, 1),
    most: int = 200,
) -> Art:
    """Load the free designs to train on, or those held out; at most so many drawn ones.

    A *share* (k, n) is for the k-th of n processes that draw for the same training: each has
    other drawn decks, backs, things and table tops.
    """
    faces = np.load(work / "faces.npy", mmap_mode="r")
    labels, names = np.load(work / "labels.npy"), np.load(work / "decks.npy")
    backs, back_names = np.load(work / "backs.npy"), np.load(work / "back-decks.npy")
    number, of = share
    rng = np.random.default_rng([12 if held_out else 11, number])
    pictures: list[np.ndarray] = []

    def add(picture: np.ndarray, size: tuple[int, int] | None = None) -> int:
        if size is not None:
            picture = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
        pictures.append(np.ascontiguousarray(picture))
        return len(pictures) - 1

    def deck(own: np.ndarray, own_labels: np.ndarray, *, indexed: bool = True) -> Deck:
        made = Deck(four=_has_four(own, own_labels), indexed=indexed)
        for face, label in zip(own, own_labels, strict=True):
            number = add(face, (FACE_W, FACE_H))
            if label < 0:
                made.jokers.append(number)
            else:
                made.faces[int(label)] = number
        return made

    def wanted(name: str) -> bool:
        return name in HELD_OUT if held_out else name.startswith(FREE) and name not in HELD_OUT

    printed = [
        deck(np.asarray(faces[names == name]), labels[names == name], indexed=name not in BARE)
        for name in np.unique(names)
        if wanted(str(name))
    ]
    drawn = []
    if not held_out:
        bare = np.load(work / "drawn-bare.npy")[number::of]
        jokers = np.load(work / "drawn-jokers.npy", mmap_mode="r")[number::of]
        every = np.load(work / "drawn.npy", mmap_mode="r")[number::of]
        for own, without, none in zip(every[:most], bare, jokers, strict=False):
            own_labels = np.concatenate([np.arange(52), np.full(len(none), -1)])
            drawn.append(deck(np.concatenate([own, none]), own_labels, indexed=not without))
    few = 4 if held_out else min(of, 4)
    own_backs = [
        add(back, (FACE_W, FACE_H))
        for back, name in zip(backs, back_names, strict=True)
        if wanted(str(name))
    ]
    own_backs += [add(draw_back(rng)) for _ in range(BACKS // few)]
    made = other_things.things(THINGS // few, rng)
    return Art(
        printed=printed,
        drawn=drawn or printed,
        backs=own_backs,
        things={name: [add(each) for each in made[name]] for name in made},
        grounds=[add(each) for each in other_things.grounds(GROUNDS // few, rng)],
        mats=[(add(each), wide) for each, wide in other_things.mats()],
        atlas=Atlas(pictures, device),
    )
