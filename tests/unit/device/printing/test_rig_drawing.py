"""The drawing of the whole table, and the heights that its page tells."""

import math
import re

import pygame

from device.cli import main
from device.printing.rig_drawing import SIZE, draw
from device.printing.shapes import Text
from display.drawing.text import Face, font
from tests.support.paths import ROOT
from vision.mat.layout import PAPERS

ANGLES = {"Camera Module 3": (66.0, 41.0), "Camera Module 3 Wide": (102.0, 67.0)}
"""What a camera sees across and down, in degrees, as its maker says."""

MARGIN = 1.06
"""The mat must not touch the edges of the picture: no camera hangs quite straight."""


def least_height_mm(mat: tuple[float, float], angles: tuple[float, float]) -> float:
    """Return how high a camera must hang at least to see a whole mat, straight from above."""
    across, down = (math.tan(math.radians(angle) / 2) for angle in angles)
    return max(MARGIN * mat[0] / 2 / across, MARGIN * mat[1] / 2 / down)


def test_all_words_stand_on_the_sheet():
    for shape in draw():
        if isinstance(shape, Text):
            wide = font(Face.PLAIN, round(shape.size)).size(shape.words)[0]
            left = shape.x - shape.align * wide
            assert left >= 0, shape.words
            assert left + wide <= SIZE[0], shape.words


def test_no_words_lie_on_others():
    places = []
    for shape in draw():
        if isinstance(shape, Text):
            wide, high = font(Face.PLAIN, round(shape.size)).size(shape.words)
            place = pygame.Rect(shape.x - shape.align * wide, shape.y - high / 2, wide, high)
            assert place.collidelist(places) < 0, shape.words
            places.append(place)


def test_the_page_tells_the_heights_that_are_reckoned():
    page = (ROOT / "docs" / "how-to" / "rig.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([\w-]+) \| (\d+) cm \| (\d+) cm \|$", page, re.MULTILINE)
    told = {name: tuple(map(int, heights)) for name, *heights in rows}
    assert told == {
        name: tuple(math.ceil(least_height_mm(size, angles) / 10) for angles in ANGLES.values())
        for name, size in PAPERS.items()
    }


def test_the_command_draws_it(tmp_path, capsys):
    svg, png = tmp_path / "rig.svg", tmp_path / "rig.png"
    assert main(["wiring", "--rig", "--svg", str(svg), "--png", str(png)]) == 0
    assert "Gallows" in svg.read_text(encoding="utf-8")
    assert pygame.image.load(str(png)).get_size() == SIZE
    assert main(["wiring", "--rig"]) == 2
    assert "with --svg FILE or --png FILE" in capsys.readouterr().err
