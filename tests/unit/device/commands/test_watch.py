"""``boneace watch``: a line for each change before a camera."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from device.cli import main
from tests.support.paths import ROOT

pytestmark = pytest.mark.slow

STILL = 30
"""Pictures of each table in the film, more than it takes to come to rest and be looked at."""


@pytest.fixture
def film(tmp_path):
    """A table with cards, and then one without any."""
    cards = cv2.imread(str(ROOT / "docs/pictures/camera.jpg"))
    for number in range(2 * STILL):
        picture = cards if number < STILL else np.full_like(cards, 90)
        cv2.imwrite(str(tmp_path / f"{number:03}.png"), cv2.resize(picture, None, fx=0.5, fy=0.5))
    return tmp_path


def test_each_change_is_a_line(film, capsys):
    assert main(["watch", "--camera", str(film), "--format", "json"]) == 0
    first, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert len(first["cards"]) >= 5
    assert first["t"] < last["t"]
    assert last["cards"] == last["unsure"] == []


def test_a_camera_that_is_not_there_is_one_clear_line(tmp_path, capsys):
    assert main(["watch", "--camera", str(tmp_path / "none.mp4")]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("boneace watch: unknown camera")


def test_one_photograph_is_no_film_and_it_says_what_reads_it(film, capsys):
    photograph = film / "000.png"
    assert main(["watch", "--camera", str(photograph)]) == 0
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("boneace watch: 1 picture, on which nothing came to rest")
    assert told.err.endswith(f"is read by: boneace read {photograph}\n")
