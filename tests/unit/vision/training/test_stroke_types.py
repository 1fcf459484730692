"""The square types that decks for training are printed in."""

from itertools import combinations

import cv2
import numpy as np
import pytest

from vision.training.cards.stroke_types import LETTERS, StrokeType

BLACK = (0, 0, 0)


def ink(kind, letter, size=(48, 64)):
    """The letter as it is read: 0 to 1, whatever its width was."""
    picture = kind.lettering(letter, 96, 1.0, BLACK)
    return cv2.resize(np.asarray(picture)[..., 3] / 255, size, interpolation=cv2.INTER_AREA)


@pytest.mark.parametrize("seed", range(5))
def test_no_two_letters_look_alike(seed):  # a 0 stands in a 10 only
    kind = StrokeType.random(np.random.default_rng(seed))
    drawn = {letter: ink(kind, letter) for letter in sorted(set(LETTERS) - {"0"})}
    for one, other in combinations(drawn, 2):
        a, b = drawn[one], drawn[other]
        shared = np.minimum(a, b).sum() / np.maximum(a, b).sum()
        assert shared < 0.95, (one, other)


def test_a_nine_is_a_six_turned():
    kind = StrokeType.random(np.random.default_rng(1))
    assert np.abs(ink(kind, "9") - ink(kind, "6")[::-1, ::-1]).mean() < 0.02


def test_letters_are_as_tall_and_as_wide_as_asked():
    kind = StrokeType.random(np.random.default_rng(2))
    whole = kind.lettering("K", 80, 1.0, (200, 0, 0))
    slim = kind.lettering("K", 80, 0.5, (200, 0, 0))
    assert whole.height == slim.height == 80
    assert slim.width == pytest.approx(whole.width / 2, abs=1)
    assert set(np.unique(np.asarray(whole)[..., 0])) == {200}


def test_an_eight_and_a_jack_called_b_differ_at_their_left_corners():
    for seed in range(20):
        kind = StrokeType.random(np.random.default_rng(seed))
        eight, b = ink(kind, "8"), ink(kind, "B")
        assert b[:3, :3].mean() > eight[:3, :3].mean() + 0.1, seed
