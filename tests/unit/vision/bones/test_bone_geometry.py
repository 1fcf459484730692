"""Where a bone lies, how it is cut out, and how its rim is told; without any network."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.bones import classifier
from vision.bones.classifier import CROP, CROP_BONE, MASK, cut
from vision.bones.detector import BoneCandidate, merge_duplicates


def found(x: float, y: float, length: float = 60.0, score: float = 0.9) -> BoneCandidate:
    return BoneCandidate(x, y, length, score)


def test_of_two_finds_of_one_bone_the_warmer_is_kept() -> None:
    low, high = found(100, 100, score=0.5), found(110, 104, length=70, score=0.8)
    assert merge_duplicates([low, high]) == [high]


def test_bones_that_touch_side_by_side_are_two() -> None:
    pair = [found(100, 100, score=0.9), found(100, 132, score=0.8)]
    assert merge_duplicates(pair) == pair


@pytest.mark.parametrize("length", [20.0, 62.0, 150.0, 600.0])
def test_a_bone_is_cut_out_in_the_middle_and_in_one_size(length: float) -> None:
    picture = np.zeros((900, 1200, 3), np.uint8)
    bone = found(513.0, 402.0, length)
    axes = (length / 2, length / 4)
    shift = 16  # ellipses in sixteenths of pixels; a pixel's middle is half a pixel in
    centre = (round((bone.x - 0.5) * shift), round((bone.y - 0.5) * shift))
    halves = (round(axes[0] * shift), round(axes[1] * shift))
    cv2.ellipse(picture, centre, halves, 0, 0, 360, (255, 255, 255), -1, cv2.LINE_8, 4)
    crop = cut(picture, bone)
    assert crop.shape == (CROP, CROP, 3)
    rows, columns = np.nonzero(crop[..., 0] > 127)
    assert np.ptp(columns) + 1 == pytest.approx(CROP_BONE, abs=4)
    assert columns.mean() + 0.5 == pytest.approx(CROP / 2, abs=1)
    assert rows.mean() + 0.5 == pytest.approx(CROP / 2, abs=1)


def test_a_bone_at_the_edge_of_the_picture_is_cut_out_too() -> None:
    picture = np.full((50, 80, 3), 90, np.uint8)
    for bone in (found(0, 0, 40), found(79, 49, 400), found(79, 0, 9)):
        crop = cut(picture, bone)
        assert crop.shape == (CROP, CROP, 3)
        assert (crop == 90).all()


def test_the_rim_is_told_in_pixels_of_the_picture_and_clockwise() -> None:
    y, x = np.mgrid[0:MASK, 0:MASK] + 0.5 - MASK / 2
    cells = CROP / MASK
    inside = (x * cells / 28) ** 2 + (y * cells / 14) ** 2 < 1
    mask = np.where(inside, 4.0, -4.0).astype(np.float32)
    bone = found(700.0, 300.0, 2.0 * CROP_BONE)
    rim = classifier._outline(mask, bone)
    assert np.ptp(rim[:, 0]) == pytest.approx(2 * 56, rel=0.12)
    assert np.ptp(rim[:, 1]) == pytest.approx(2 * 28, rel=0.2)
    moments = cv2.moments(rim)
    assert moments["m10"] / moments["m00"] == pytest.approx(700, abs=4)
    assert moments["m01"] / moments["m00"] == pytest.approx(300, abs=4)
    ahead = np.roll(rim, -1, axis=0)
    # y points down: a positive area is clockwise as seen.
    assert (rim[:, 0] * ahead[:, 1] - rim[:, 1] * ahead[:, 0]).sum() > 0


def test_without_a_mask_a_circle_says_where_the_bone_is() -> None:
    rim = classifier._outline(np.full((MASK, MASK), -5, np.float32), found(40.0, 30.0, 50.0))
    assert rim.mean(axis=0) == pytest.approx([40, 30], abs=0.5)
    assert 25 < np.ptp(rim[:, 0]) < 50
