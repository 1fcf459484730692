"""Pictures of what lies on tables beside cards, and of the tables; all are drawn."""

from __future__ import annotations

import cv2
import numpy as np

from vision.mat.artwork import draw_mat
from vision.mat.layout import MatLayout
from vision.training.common.backgrounds import cloth, weave

GROUND = 512
"""Pixels of a drawn table top."""

MATS = (("A2", 4), ("A1", 4), ("A1", 6), ("A2", 2))
MAT_PX_PER_MM = 2.5

SIZES = {
    "note": (1.15, 2.15, 0.0),
    "business": (1.35, 0.62, 0.02),
    "phone": (1.15, 2.0, 0.12),
    "chip": (0.62, 1.0, 0.5),
    "coin": (0.36, 1.0, 0.5),
    "sheet": (2.6, 1.41, 0.0),
    "cover": (2.0, 1.4, 0.03),
    "pattern": (1.0, 1.4, 0.06),
    "cable": (0.1, 30.0, 0.3),
}
"""Things by name: width in widths of a card, height in their own widths, how round they are."""

FINGER, PALM = "finger", "palm"


def grounds(count: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Draw table tops: felt, cloth, wood, stone, tiles, paper with print."""
    drawn = []
    for _ in range(count):
        image = _KINDS[rng.choice(len(_KINDS), p=_OFTEN)](rng).astype(np.float32)
        # Few tables are as bright as the cards on them, and fewer are gaudy.
        grey = image.mean(axis=2, keepdims=True)
        keep = rng.uniform(0, 0.7) if rng.random() < 0.65 else 1.0
        drawn.append((grey + (image - grey) * keep).astype(np.uint8))
    return drawn


def mats() -> list[tuple[np.ndarray, float]]:
    """The printed mats, and how many millimetres wide each is."""
    layouts = [MatLayout(seats, paper) for paper, seats in MATS]
    return [(draw_mat(each, MAT_PX_PER_MM), each.size_mm[0]) for each in layouts]


def _cloth(rng: np.random.Generator) -> np.ndarray:
    return cloth(GROUND, GROUND, rng)


def _weave(rng: np.random.Generator) -> np.ndarray:
    return weave(GROUND, GROUND, rng).astype(np.uint8)


def _smooth(rng: np.random.Generator, cells: tuple[int, int]) -> np.ndarray:
    """Noise of so many cells down and across, float32 (GROUND, GROUND)."""
    small = rng.normal(0, 1, cells).astype(np.float32)
    return cv2.resize(small, (GROUND, GROUND), interpolation=cv2.INTER_CUBIC)


def _wood(rng: np.random.Generator) -> np.ndarray:
    """Planks with rings and pores."""
    light, dark = rng.uniform(0.35, 1.0), rng.uniform(0.45, 0.9)
    base = np.array([rng.uniform(60, 150), rng.uniform(105, 185), rng.uniform(140, 225)]) * light
    y, x = np.mgrid[0:GROUND, 0:GROUND].astype(np.float32) / GROUND
    planks = int(rng.integers(1, 7))
    plank = np.floor(x * planks)
    shift = rng.uniform(0, 50, planks + 1)[plank.astype(int)]
    rings = rng.uniform(6, 30) / planks * (x * planks % 1 - 0.5) + shift
    rings = rings + _smooth(rng, (5, 9)) * 0.7 + 0.4 * np.sin(y * rng.uniform(2, 9) + shift)
    grain = (np.sin(2 * np.pi * rings) ** 3) * 0.5 + 0.7 * _smooth(rng, (12, 256))
    grain = grain + 0.4 * _smooth(rng, (48, 500))
    tone = 1 - (1 - dark) * 0.35 * grain + rng.normal(0, 0.05, planks + 1)[plank.astype(int)]
    tone = tone * (1 - 0.6 * (np.abs(x * planks % 1 - 0.5) > 0.5 - 0.004 * planks) * (planks > 1))
    image = np.clip(base * tone[..., None], 0, 255).astype(np.uint8)
    return image if rng.random() < 0.5 else np.ascontiguousarray(image.transpose(1, 0, 2))


def _stone(rng: np.random.Generator) -> np.ndarray:
    """Marble, laminate or concrete; now and then in tiles."""
    base = rng.uniform(40, 245) + rng.normal(0, 10, 3)
    field = sum(_smooth(rng, (2**k, 2**k)) / 2 ** (k - 2) for k in range(2, 8))
    veins = np.exp(-np.abs(field) * rng.uniform(1, 8)) * rng.normal(0, 45)
    speckle = _smooth(rng, (400, 400)) * rng.uniform(0, 22)
    image = base + (veins + speckle + field * rng.uniform(0, 8))[..., None]
    if rng.random() < 0.35:
        step, wide = int(rng.integers(60, 256)), int(rng.integers(2, 9))
        colour = rng.uniform(30, 220)
        for k in range(wide):
            image[k::step] = colour
            image[:, k::step] = colour
    return np.clip(image, 0, 255).astype(np.uint8)


def _paper(rng: np.random.Generator) -> np.ndarray:
    """Newspapers, magazines and other print, close together."""
    image = np.full((GROUND, GROUND, 3), rng.uniform(60, 250), np.uint8)
    for _ in range(int(rng.integers(3, 9))):
        page = sheet(rng)
        scale = rng.uniform(0.8, 2.0)
        h, w = (np.array(page.shape[:2]) * scale).astype(int)
        h, w = min(h, GROUND), min(w, GROUND)
        x, y = int(rng.integers(0, GROUND - w + 1)), int(rng.integers(0, GROUND - h + 1))
        image[y : y + h, x : x + w] = cv2.resize(page, (w, h))
    return image


def _checked(rng: np.random.Generator) -> np.ndarray:
    """A table cloth with checks or stripes, printed with leaves now and then."""
    image = _weave(rng).astype(np.float32)
    step = int(rng.integers(24, 140))
    part = rng.uniform(0.2, 0.6)
    bands = (np.arange(GROUND) % step < part * step).astype(np.float32)
    both = bands[None] + bands[:, None] if rng.random() < 0.6 else bands[None] + 0 * bands[:, None]
    image += both[..., None] / 2 * rng.uniform(-120, 120, 3)
    for _ in range(int(rng.integers(5, 60)) if rng.random() < 0.4 else 0):
        at, axes = rng.integers(0, GROUND, 2), rng.integers(3, 24, 2)
        cv2.ellipse(
            image, at.tolist(), axes.tolist(), rng.uniform(0, 180), 0, 360,
            rng.uniform(0, 255, 3).tolist(), -1, cv2.LINE_AA,
        )  # fmt: skip
    return np.clip(image, 0, 255).astype(np.uint8)


_KINDS = (_cloth, _weave, _wood, _stone, _paper, _checked)
_OFTEN = (0.3, 0.2, 0.24, 0.13, 0.03, 0.1)


def _words(image: np.ndarray, box: tuple[int, int, int, int], rng: np.random.Generator) -> None:
    """Print lines of words in a box, in place: they need not be read."""
    left, top, right, bottom = box
    tall = int(rng.integers(3, 8))
    ink = rng.uniform(0, 110, 3).tolist()
    for y in range(top + tall, bottom - tall, int(tall * rng.uniform(1.6, 2.6)) + 1):
        x = left
        while x < right - 6:
            long = int(rng.integers(3, 26))
            end = min(x + long, right)
            if rng.random() < 0.25:
                letters = "".join(rng.choice(list("AKQJ1234567890ahgerTOS"), 3))
                cv2.putText(image, letters, (x, y), 2, tall / 17, ink, 1, cv2.LINE_AA)
            else:
                cv2.rectangle(image, (x, y - tall // 2), (end, y), ink, -1)
            x = end + 4
        if rng.random() < 0.1:
            break


def sheet(rng: np.random.Generator) -> np.ndarray:
    """A sheet of paper with print, a table or a sketch."""
    w, h = 200, 282
    image = np.full((h, w, 3), 255 - rng.uniform(0, 45, 3), np.uint8)
    if rng.random() < 0.85:
        for _ in range(int(rng.integers(1, 4))):
            x, y = rng.integers(8, 90), rng.integers(8, 140)
            _words(image, (int(x), int(y), int(rng.integers(110, w - 6)), h - 10), rng)
    if rng.random() < 0.4:
        x, y = int(rng.integers(5, 90)), int(rng.integers(5, 150))
        image[y : y + 90, x : x + 90] = cv2.resize(cloth(64, 64, rng), (90, 90))
    if rng.random() < 0.3:
        for k in range(0, h, int(rng.integers(10, 30))):
            cv2.line(image, (0, k), (w, k), (190, 170, 150), 1)
    return image


def _note(rng: np.random.Generator) -> np.ndarray:
    """A banknote: two colours, guilloches, a portrait, figures."""
    w, h = 160, 344
    paper = rng.uniform(150, 245, 3)
    image = np.empty((h, w, 3), np.float32)
    image[:] = paper
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    for _ in range(4):
        a, b, c = rng.uniform(0.02, 0.5, 3)
        wave = np.sin(a * x + 6 * np.sin(b * y)) * np.sin(c * y + rng.uniform(0, 6))
        image += (wave > rng.uniform(0, 0.8))[..., None] * rng.uniform(-90, 25, 3)
    image = np.clip(image, 0, 255).astype(np.uint8)
    ink = rng.uniform(0, 120, 3).tolist()
    middle = int(rng.integers(90, h - 90))
    cv2.ellipse(image, (w // 2, middle), (48, 62), 0, 0, 360, rng.uniform(60, 210, 3).tolist(), -1)
    cv2.ellipse(image, (w // 2, middle), (22, 34), 0, 0, 360, ink, -1, cv2.LINE_AA)
    number = str(rng.choice(["1", "2", "5", "10", "20", "50", "100"]))
    turned = np.ascontiguousarray(np.rot90(image))
    for at in ((6, 30), (h - 70, w - 10), (6, w - 10), (h - 70, 30)):
        if rng.random() < 0.7:
            size = rng.uniform(0.6, 1.4)
            cv2.putText(turned, number, at, int(rng.choice([0, 2, 3])), size, ink, 2, cv2.LINE_AA)
    image = np.ascontiguousarray(np.rot90(turned, -1))
    if rng.random() < 0.6:
        cv2.rectangle(image, (5, 5), (w - 6, h - 6), rng.uniform(80, 255, 3).tolist(), 4)
    return image


def _business(rng: np.random.Generator) -> np.ndarray:
    """A business card, a bank card, a membership card."""
    w, h = 240, 150
    plain = rng.random() < 0.6
    image = np.full((h, w, 3), rng.uniform(225, 255) if plain else rng.uniform(0, 255, 3), np.uint8)
    if not plain and rng.random() < 0.6:
        image = cv2.resize(cloth(40, 25, rng), (w, h), interpolation=cv2.INTER_CUBIC)
    if rng.random() < 0.5:
        at = int(rng.integers(10, 180)), int(rng.integers(10, 90))
        far = at[0] + int(rng.integers(15, 60)), at[1] + int(rng.integers(15, 50))
        cv2.rectangle(image, at, far, rng.uniform(0, 255, 3).tolist(), -1)
    _words(image, (int(rng.integers(8, 90)), int(rng.integers(8, 90)), w - 12, h - 8), rng)
    return image


def _phone(rng: np.random.Generator) -> np.ndarray:
    """A phone: dark glass, or a lit screen of lines and pictures."""
    w, h = 140, 280
    image = np.full((h, w, 3), rng.uniform(5, 60), np.uint8)
    if rng.random() < 0.5:
        screen = sheet(rng) if rng.random() < 0.6 else cloth(64, 64, rng)
        image[14:-14, 6:-6] = cv2.resize(screen, (w - 12, h - 28)) // int(rng.integers(1, 3))
    elif rng.random() < 0.5:
        cv2.rectangle(image, (18, 14), (58, 54), rng.uniform(20, 120, 3).tolist(), -1)
        cv2.circle(image, (38, 34), 10, (20, 20, 20), -1, cv2.LINE_AA)
    return image


def _chip(rng: np.random.Generator) -> np.ndarray:
    """A chip with blocks round its edge, or a draughtsman."""
    side = 128
    image = np.full((side, side, 3), rng.uniform(0, 255, 3), np.uint8)
    other = rng.uniform(0, 255, 3).tolist()
    blocks = int(rng.choice([4, 6, 8, 12]))
    middle = (side // 2, side // 2)
    for k in range(blocks):
        start = k * 360 / blocks
        cv2.ellipse(image, middle, (56, 56), 0, start, start + 180 / blocks, other, 18)
    cv2.circle(image, middle, 36, rng.uniform(60, 255, 3).tolist(), -1, cv2.LINE_AA)
    cv2.circle(image, middle, 38, other, 2, cv2.LINE_AA)
    number = str(rng.choice(["1", "5", "10", "25", "100", ""]))
    ink = rng.uniform(0, 100, 3).tolist()
    cv2.putText(image, number, (38, 76), 2, 0.9, ink, 2, cv2.LINE_AA)
    return image


def _coin(rng: np.random.Generator) -> np.ndarray:
    side = 96
    metal = np.array(((60, 120, 165), (150, 155, 160), (90, 170, 205))[rng.integers(3)])
    image = np.empty((side, side, 3), np.float32)
    image[:] = metal * rng.uniform(0.6, 1.2)
    relief = cv2.resize(rng.normal(0, 1, (12, 12)).astype(np.float32), (side, side))
    image += relief[..., None] * rng.uniform(5, 25)
    image = np.clip(image, 0, 255).astype(np.uint8)
    cv2.circle(image, (side // 2, side // 2), 40, (metal * 0.7).tolist(), 2, cv2.LINE_AA)
    return image


def _cover(rng: np.random.Generator) -> np.ndarray:
    """A book, a magazine, a box of cards."""
    w, h = 200, 280
    image = cv2.resize(cloth(50, 70, rng), (w, h), interpolation=cv2.INTER_CUBIC)
    for _ in range(int(rng.integers(1, 5))):
        corner = rng.integers(0, 150, 2)
        far = corner + rng.integers(10, 150, 2)
        cv2.rectangle(image, corner.tolist(), far.tolist(), rng.uniform(0, 255, 3).tolist(), -1)
    if rng.random() < 0.7:
        _words(image, (15, int(rng.integers(10, 150)), w - 15, h - 15), rng)
    return np.ascontiguousarray(image)


def _pattern(rng: np.random.Generator) -> np.ndarray:
    """A card of another game: pictures in a frame, figures that belong to no suit."""
    w, h = 200, 280
    image = np.full((h, w, 3), rng.uniform(120, 255, 3), np.uint8)
    m = int(rng.integers(4, 24))
    cv2.rectangle(image, (m, m), (w - m, h - m), rng.uniform(0, 255, 3).tolist(), -1)
    for _ in range(int(rng.integers(1, 9))):
        at = rng.uniform([40, 50], [w - 40, h - 50])
        kind, size = rng.integers(4), rng.uniform(10, 55)
        colour = rng.uniform(0, 255, 3).tolist()
        where = tuple(int(v) for v in at)
        if kind == 0:
            cv2.circle(image, where, int(size), colour, -1, cv2.LINE_AA)
        elif kind == 1:
            turns = rng.uniform(0, 6.3) + np.arange(5) * 2 * np.pi / 5 * 2
            star = at + size * np.stack([np.cos(turns), np.sin(turns)], 1)
            cv2.fillPoly(image, [star.astype(np.int32)], colour, cv2.LINE_AA)
        elif kind == 2:
            number = str(rng.integers(1, 20))
            cv2.putText(image, number, where, 3, size / 22, colour, 2, cv2.LINE_AA)
        else:
            far = tuple(int(v) for v in at + size)
            cv2.rectangle(image, where, far, colour, -1)
    if rng.random() < 0.5:
        _words(image, (m + 8, int(h * 0.65), w - m - 8, h - m - 6), rng)
    return image


def _cable(rng: np.random.Generator) -> np.ndarray:
    shade = np.sin(np.linspace(0.15, np.pi - 0.1, 16))[None, :, None]
    return np.tile(shade * rng.uniform(20, 250, 3), (64, 1, 1)).astype(np.uint8)


def skin(kind: str, rng: np.random.Generator) -> np.ndarray:
    """Skin of one finger (its tip above) or of a back of a hand; medium brown, to be tinted."""
    w, h = (48, 160) if kind == FINGER else (160, 180)
    x = np.linspace(-1, 1, w)[None]
    y = np.linspace(0, 1, h)[:, None]
    # Round: darker towards both sides, one more than the other.
    light = np.sqrt(1 - 0.75 * x**2) if kind == FINGER else 1 - 0.22 * np.abs(x) ** 3
    light = light * (1 + rng.uniform(-0.2, 0.2) * x) + 0 * y
    if kind == FINGER:
        for joint in (0.42, 0.72):
            for k in range(3):
                at = joint + (k - 1) * 0.018
                light = light - 0.12 * np.exp(-(((y - at) / 0.006) ** 2)) * (np.abs(x) < 0.75)
    else:
        for k in range(4):
            ridge = np.exp(-(((x - (k - 1.5) * 0.48) / 0.12) ** 2))
            light = light + 0.08 * ridge * (1 - y) ** 2
    image = np.empty((h, w, 3), np.float32)
    image[:] = np.array([120, 150, 205]) * light[..., None]
    image += rng.normal(0, 3, (h, w, 1)) + 8 * cv2.resize(
        rng.normal(0, 1, (14, 5)).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC
    )[..., None] * np.array([1, 0.8, 0.3])
    if kind == FINGER and rng.random() < 0.7:  # seen from above: a nail
        nail = np.array([165, 175, 215]) if rng.random() < 0.8 else rng.uniform(0, 255, 3)
        cv2.ellipse(image, (w // 2, 21), (11, 15), 0, 0, 360, nail.tolist(), -1, cv2.LINE_AA)
        cv2.ellipse(image, (w // 2, 21), (11, 15), 0, 0, 360, (90, 110, 160), 1, cv2.LINE_AA)
    return np.clip(image, 0, 255).astype(np.uint8)


_DRAW = {
    "note": _note,
    "business": _business,
    "phone": _phone,
    "chip": _chip,
    "coin": _coin,
    "sheet": sheet,
    "cover": _cover,
    "pattern": _pattern,
    "cable": _cable,
}


def things(each: int, rng: np.random.Generator) -> dict[str, list[np.ndarray]]:
    """Draw *each* many of everything, by name."""
    drawn = {name: [draw(rng) for _ in range(each)] for name, draw in _DRAW.items()}
    return drawn | {name: [skin(name, rng) for _ in range(each)] for name in (FINGER, PALM)}
