"""Square types of one even stroke, as casinos and makers of large indices print them.

Few installed types look like them: an 8 of two boxes, a 9 with a flat foot, a Q with a bar.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

LETTERS = "A2345678910JQKBDVHR"
"""The letters that these types have."""

_Line = list[tuple[float, ...]]


@dataclass(frozen=True)
class StrokeType:
    """One type: its parts are measured in parts of a letter's height."""

    width: float
    """Of a letter, from middle to middle of its strokes."""
    stroke: float
    """Thickness of the strokes."""
    radius: float
    """Of its bends."""
    waist: float
    """Height at which 8, B and R are divided, from the top, between 0 and 1."""
    hook: float
    """Length of the ends of 2, 3, 5, 6, 9 and J."""
    narrow: float
    """How much narrower the upper half of an 8 is on each side, in parts of its width."""
    forms: tuple[bool, ...]
    """Which of two forms the letters have: pointed or square ace, flat or round 3, and so on."""

    @classmethod
    def random(cls, rng: np.random.Generator) -> StrokeType:
        """Return a random type."""
        width = rng.uniform(0.34, 0.8)
        return cls(
            width=width,
            stroke=rng.uniform(0.07, 0.2),
            radius=rng.uniform(0.12, 0.5) * width,
            waist=rng.uniform(0.4, 0.52),
            hook=rng.uniform(0.08, 0.3),
            narrow=rng.uniform(0.0, 0.12) if rng.random() < 0.5 else 0.0,
            forms=tuple(bool(b) for b in rng.random(8) < 0.5),
        )

    def lines(self, letter: str) -> list[_Line]:
        """Return the strokes of a letter: points (x, y) in its unit box, y down.

        A third value of 0 keeps a corner sharp.
        """
        w, t, form = self.waist, self.hook, self.forms
        six: _Line = [(1, t), (1, 0), (0, 0), (0, 1), (1, 1), (1, w), (0, w)]
        n = self.narrow
        shapes: dict[str, list[_Line]] = {
            "0": [[(0.5, 0), (1, 0), (1, 1), (0, 1), (0, 0), (0.5, 0)]],
            "1": [[(0.15, 0.25), (0.55, 0, 0), (0.55, 1)]],
            "2": [[(0, t), (0, 0), (1, 0), (1, w), (0, w if form[0] else 1), (0, 1, 0), (1, 1)]],
            "3": [
                [(0, t), (0, 0), (1, 0), (1, w), (0.3, w)],
                [(0.3, w), (1, w), (1, 1), (0, 1), (0, 1 - t)],
            ],
            "4": [[(0.75, 1), (0.75, 0, 0), (0, 0.7, 0), (1.05, 0.7)]],
            "5": [[(0.95, 0), (0, 0, 0), (0, w, 0.3), (1, w), (1, 1), (0, 1), (0, 1 - t)]],
            "6": [six],
            "7": [[(0, 0), (1, 0, 0), (0.35, 1)]],
            "8": [
                [(0.5, 0), (1 - n, 0), (1 - n, w), (n, w), (n, 0), (0.5, 0)],
                [(0.5, w), (1, w), (1, 1), (0, 1), (0, w), (0.5, w)],
            ],
            "9": [[(1 - x, 1 - y) for x, y in six]],
            "A": [[(0, 1), (0.5, 0, 0), (1, 1)], [(0.2, 0.66), (0.8, 0.66)]],
            "J": [[(1, 0), (1, 1), (0, 1), (0, 1 - t)]],
            "Q": [[(0.5, 0), (1, 0), (1, 1), (0, 1), (0, 0), (0.5, 0)], [(0.55, 0.7), (1.1, 1.08)]],
            "K": [[(0, 0), (0, 1)], [(1, 0), (0, 0.6)], [(0.3, 0.42), (1, 1)]],
            "B": [
                [(0, w), (0, 0, 0), (0.9, 0), (0.9, w), (0, w)],
                [(0, w), (1, w), (1, 1), (0, 1, 0), (0, w)],
            ],
            "D": [[(0, 0.5), (0, 0, 0), (1, 0), (1, 1), (0, 1, 0), (0, 0.5)]],
            "V": [[(0, 0), (0.5, 1, 0), (1, 0)]],
            "H": [[(0, 0), (0, 1)], [(1, 0), (1, 1)], [(0, w), (1, w)]],
            "R": [[(0, 1), (0, 0, 0), (1, 0), (1, w), (0, w)], [(0.45, w), (1, 1)]],
        }
        if form[1]:  # a seven on a stand
            shapes["7"] = [[(0, 0), (1, 0, 0), (1, 0.2), (0.4, 0.7), (0.4, 1)]]
        if form[2]:  # a flat 3
            shapes["3"] = [[(0, 0), (1, 0, 0), (0.4, w, 0), (1, w), (1, 1), (0, 1), (0, 1 - t)]]
        if form[3]:  # an open 4
            shapes["4"] = [[(0, 0), (0, 0.65, 0), (1.05, 0.65)], [(0.75, 0.3), (0.75, 1)]]
        if form[4]:  # a square ace
            shapes["A"] = [[(0, 1), (0, 0), (1, 0), (1, 1)], [(0, 0.6), (1, 0.6)]]
        if form[5]:  # a jack with a roof
            shapes["J"].append([(0.45, 0), (1, 0)])
        if form[6]:  # a queen with a bar below
            shapes["Q"][1] = [(0.5, 0.8), (0.5, 1.12)]
        if form[7]:  # a one with a foot
            shapes["1"].append([(0.2, 1), (0.9, 1)])
        return shapes[letter]

    def lettering(
        self, text: str, height: float, squeeze: float, colour: tuple[int, int, int]
    ) -> Image.Image:
        """Draw *text* to a transparent picture *height* pixels tall, *squeeze* times as wide."""
        scale = height * 2
        pen = max(scale * self.stroke, 1.0)
        tall, wide = scale - pen, scale * self.width
        step = wide + pen + scale * 0.08
        # Taller than a letter: a queen's tail hangs below.
        picture = Image.new("L", (int(len(text) * step + pen), int(scale * 1.2)))
        draw = ImageDraw.Draw(picture)
        for i, letter in enumerate(text):
            for line in self.lines(letter):
                corners = np.array([p[:2] for p in line]) * (wide, tall)
                bends = [self.radius * scale * (p[2] if len(p) == 3 else 1.0) for p in line]
                points = _bend(corners, bends) + np.array([pen / 2 + i * step, pen / 2])
                draw.line([tuple(p) for p in points], fill=255, width=round(pen), joint="curve")
                for (x, y), bend in zip(corners, bends, strict=True):
                    if not bend and x in (0, wide) and y in (0, tall):  # not round outside either
                        at = (x + i * step, y, x + i * step + pen - 1, y + pen - 1)
                        draw.rectangle(at, fill=255)
        left, top, right, bottom = picture.getbbox() or (0, 0, 1, 1)
        alpha = picture.crop((left, top, right, bottom))
        size = (max(int(alpha.width * height / alpha.height * squeeze), 2), max(int(height), 2))
        drawn = Image.new("RGBA", size, (*colour, 255))
        drawn.putalpha(alpha.resize(size, Image.Resampling.LANCZOS))
        return drawn


def _bend(corners: np.ndarray, radii: list[float]) -> np.ndarray:
    """Round the inner corners of a line: (n, 2) points and their radii to (m, 2) points."""
    points = [corners[:1]]
    s = np.linspace(0, 1, 9)[:, None]
    for before, at, after, radius in zip(
        corners, corners[1:], corners[2:], radii[1:], strict=False
    ):
        room = min(np.linalg.norm(before - at), np.linalg.norm(after - at)) / 2
        reach = min(radius, room)
        a = at + (before - at) * reach / max(np.linalg.norm(before - at), 1e-9)
        b = at + (after - at) * reach / max(np.linalg.norm(after - at), 1e-9)
        points.append((1 - s) ** 2 * a + 2 * s * (1 - s) * at + s**2 * b)
    return np.concatenate([*points, corners[-1:]])
