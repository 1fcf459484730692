"""Every screen in every theme at both sizes looks as it was last looked at and found good."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.support.goldens import FOLDER, every_screen, show_changed

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
    limit = WORST_IN_FULL if name.endswith(".webp") else WORST
    what = ""
    if drawn.shape != golden.shape:
        what = "its size"
    else:
        mean, worst = difference(drawn, golden)
        what = "all of it" if mean >= MEAN else "a part" if worst >= limit else ""
    assert not what, (
        f"{what} changed; look at it, the golden and the difference in "
        f"{show_changed(name, drawn, golden)}, then run: python tests/support/goldens.py"
    )


def test_what_has_changed_is_put_where_it_can_be_looked_at(tmp_path) -> None:
    golden = np.full((20, 30, 3), 100, np.uint8)
    drawn = golden[:16].copy()
    drawn[0, 0] = 110
    path = show_changed("one-felt-480.webp", drawn, golden, tmp_path / "new")
    shown = cv2.imread(str(path))
    assert shown.shape == (20, 90, 3)
    assert (shown[0, 0] == 110).all()
    assert (shown[0, 30] == 100).all()
    assert (shown[0, 60] == 40).all()
    assert not shown[1:16, 60:].any()


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
