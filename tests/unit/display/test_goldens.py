"""Every screen in every theme at both sizes looks as it was last looked at and found good."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.support.goldens import FOLDER, every_screen

SCREENS = dict(every_screen())

BLOCK = 16
"""Pixels of the stored pictures that are compared together."""

MEAN, WORST, WORST_IN_FULL = 2.0, 22.0, 12.0
"""Grey levels by which a picture, and its worst block, may differ: an edge drawn a little otherwise
by another SDL passes; a word gone, moved or of another colour does not."""


def difference(one: np.ndarray, other: np.ndarray) -> tuple[float, float]:
    """Return the mean difference, and that of the block that differs most."""
    apart = np.abs(one.astype(np.float32) - other.astype(np.float32)).mean(axis=2)
    high, wide = (length // BLOCK * BLOCK for length in apart.shape)
    blocks = apart[:high, :wide].reshape(high // BLOCK, BLOCK, wide // BLOCK, BLOCK)
    return float(apart.mean()), float(blocks.mean(axis=(1, 3)).max())


@pytest.mark.parametrize("name", SCREENS)
def test_screen_looks_as_it_did(name: str) -> None:
    golden = cv2.imread(str(FOLDER / name))
    assert golden is not None, "not there; run: python tests/support/goldens.py, and look at it"
    drawn = SCREENS[name]()
    assert drawn.shape == golden.shape
    mean, worst = difference(drawn, golden)
    assert mean < MEAN, "changed; look at it, then run: python tests/support/goldens.py"
    limit = WORST_IN_FULL if name.endswith(".webp") else WORST
    assert worst < limit, "a part changed; look at it, then run: python tests/support/goldens.py"


def test_no_golden_is_left_over() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(SCREENS)


@pytest.mark.parametrize("name", [name for name in SCREENS if name.endswith("felt-480.webp")])
def test_a_stroke_more_is_seen_on_a_main_scene(name: str) -> None:
    """Wherever it lies: four pixels wide and sixteen high, as of a small arrow."""
    golden = cv2.imread(str(FOLDER / name))
    assert golden.shape[:2] == (480, 800)
    for left, top in ((100, 100), (405, 233), (790, 470)):
        drawn = golden.copy()
        stroke = drawn[top : top + 16, left : left + 4]
        stroke[:] = np.where(stroke.mean() < 128, 240, 16)
        assert difference(drawn, golden)[1] > WORST_IN_FULL


def test_a_word_more_or_less_is_seen() -> None:
    """The tolerance itself is held to account: two screens that differ by one mark differ."""
    first, second = (
        cv2.imread(str(FOLDER / f"{name}-felt-480.png")) for name in ("correct", "correct-none")
    )
    assert difference(first, second)[1] > WORST
    menu = cv2.imread(str(FOLDER / "menu-felt-480.png"))
    moved = np.roll(menu, 6, axis=0)
    assert difference(menu, moved)[1] > WORST
