"""What lamps, arms, cameras and lenses do to a picture: one function an evil, all seeded.

Every function takes a BGR picture (uint8, (height, width, 3)) and gives another of the same shape;
strength 1.0 is what a table should still be played in. The soak, the bench and the tests of the
eyes share them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.lens import Lens

Image = NDArray[np.uint8]

COARSE = 8
"""Soft light is worked out on every eighth pixel: it has no finer detail."""

READOUT_S = 0.028
"""Seconds in which a rolling shutter passes over a frame."""


def warm(image: Image, rng: np.random.Generator, strength: float = 1.0) -> Image:
    """A warm lamp (about 2700 K) and a camera that does not correct it."""
    return _gains(image, (1 - 0.34 * strength, 1 - 0.10 * strength, 1.0))


def cold(image: Image, rng: np.random.Generator, strength: float = 1.0) -> Image:
    """Daylight from the north, or a cheap cold tube."""
    return _gains(image, (1.0, 1 - 0.05 * strength, 1 - 0.22 * strength))


def dim(image: Image, rng: np.random.Generator, strength: float = 1.0) -> Image:
    """Half of the light, and the noise that a camera turned up for it has."""
    return noise(_gains(image, (1 - 0.5 * strength,) * 3), rng, 0.6 * strength)


def glare(image: Image, rng: np.random.Generator, strength: float = 1.0) -> Image:
    """A lamp mirrored somewhere on the mat: cards in the middle of it are washed out."""
    height, width = image.shape[0] // COARSE, image.shape[1] // COARSE
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    across, down = rng.uniform(0.2, 0.8, 2) * (width, height)
    wide, turn = float(rng.uniform(0.03, 0.05)) * width, float(rng.uniform(0, np.pi))
    dx, dy = x - np.float32(across), y - np.float32(down)
    along = dx * np.float32(np.cos(turn)) + dy * np.float32(np.sin(turn))
    beside = dy * np.float32(np.cos(turn)) - dx * np.float32(np.sin(turn))
    spot = 200 * strength * np.exp(-((along / 2) ** 2 + beside**2) / (2 * wide**2))
    large = cv2.resize(spot.astype(np.float32), image.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    light = np.clip(large, 0, 255).astype(np.uint8)
    return np.asarray(cv2.add(image, cv2.merge([light] * 3)), np.uint8)


def arm_shadow(image: Image, rng: np.random.Generator, strength: float = 1.0) -> Image:
    """The soft shadow of the dealer's arm, held between the lamp and the mat."""
    height, width = image.shape[0] // COARSE, image.shape[1] // COARSE
    shade = np.zeros((height, width), np.uint8)
    tip = rng.uniform(0.25, 0.75, 2) * (width, height)
    shoulder = np.array([rng.uniform(0, width), height * 1.2])
    half = 0.06 * height
    cv2.line(shade, _whole(shoulder), _whole(tip), 255, round(2 * half))
    soft = cv2.GaussianBlur(shade, (0, 0), 0.02 * height)
    kept = 255 - cv2.resize(soft, image.shape[1::-1]).astype(np.float32) * 0.55 * strength
    return _times(image, kept.astype(np.uint8))


def rolling_bands(
    image: Image, rng: np.random.Generator, strength: float = 1.0, mains_hz: float | None = None
) -> Image:
    """Lamps on 50 or 60 Hz mains, seen by a rolling shutter: bands across the picture."""
    hz = 2 * (float(rng.choice([50.0, 60.0])) if mains_hz is None else mains_hz)
    rows = np.arange(image.shape[0], dtype=np.float32) / image.shape[0] * READOUT_S
    wave = np.sin(2 * np.pi * (hz * rows + float(rng.uniform(0, 1))))
    kept = 255 * (1 - 0.08 * strength * (1 + wave))
    return _times(image, np.repeat(kept.astype(np.uint8)[:, None], image.shape[1], axis=1))


def noise(image: Image, rng: np.random.Generator, strength: float = 1.0) -> Image:
    """The noise of a small sensor in a dim room, coarse in colour as cameras leave it."""
    fine, coarse = _fields()
    height, width = image.shape[:2]
    out = image
    for field, depth in ((fine, 8.0), (coarse, 5.0)):
        top, left = rng.integers(0, 64, 2)
        part = field[top : top + height, left : left + width].astype(np.int16)
        part = (part * np.float32(strength * depth / 32)).astype(np.int16)
        out = np.clip(out + part, 0, 255).astype(np.uint8)
    return out


def defocus(image: Image, rng: np.random.Generator, strength: float = 1.0) -> Image:
    """A lens slightly out of focus: every point becomes a small disc."""
    radius = 1.6 * strength * image.shape[1] / 2304
    size = 2 * int(np.ceil(radius)) + 3
    y, x = np.mgrid[0:size, 0:size].astype(np.float32) - size // 2
    disc = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1)
    return np.asarray(cv2.filter2D(image, -1, disc / disc.sum()), np.uint8)


def jpeg(image: Image, rng: np.random.Generator, strength: float = 1.0) -> Image:
    """The blocks of a cheap camera's JPEG."""
    quality = round(90 - 45 * strength)
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def lens(image: Image, rng: np.random.Generator, strength: float = 1.0) -> Image:
    """A wide lens whose straight lines are bent and were not corrected: see :func:`lens_of`."""
    maps = _lens_maps(lens_of(image, strength))
    return np.asarray(
        cv2.remap(image, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def lens_of(image: Image, strength: float = 1.0) -> Lens:
    """Return the lens of :func:`lens` for *image*; its ``distort`` says where things go."""
    return Lens(-0.06 * strength, image.shape[1], image.shape[0])


EVILS: dict[str, Callable[..., Image]] = {
    "warm lamp": warm,
    "cold lamp": cold,
    "dim": dim,
    "glare": glare,
    "arm's shadow": arm_shadow,
    "rolling bands": rolling_bands,
    "noise": noise,
    "defocus": defocus,
    "JPEG": jpeg,
    "lens": lens,
}
"""Everything that may be wrong with the light or the camera, by its name."""

MILD = tuple(name for name in EVILS if name != "lens")
"""Those that leave everything where it is."""


def some_light(image: Image, rng: np.random.Generator) -> tuple[Image, tuple[str, ...]]:
    """Show *image* in the light of some evening: none to three evils, none of them a lens."""
    names = rng.choice(MILD, int(rng.integers(0, 4)), replace=False).tolist()
    # What happens in the room comes before what happens in the camera.
    names.sort(key=MILD.index)
    for name in names:
        image = EVILS[name](image, rng, float(rng.uniform(0.3, 1.0)))
    return image, tuple(names)


def _gains(image: Image, gains: tuple[float, ...]) -> Image:
    steps = np.arange(256, dtype=np.float32)[:, None] * np.array(gains, np.float32)
    table = np.clip(steps + 0.5, 0, 255).astype(np.uint8)[None]
    return np.asarray(cv2.LUT(image, table), np.uint8)


def _times(image: Image, kept: Image) -> Image:
    """Darken *image*; *kept* is 255 where all of the light stays."""
    return np.asarray(cv2.multiply(image, cv2.merge([kept] * 3), scale=1 / 255), np.uint8)


def _whole(point: NDArray[np.floating]) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))


@lru_cache(maxsize=1)
def _fields() -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Two fields of noise with a standard deviation of 32 steps, larger than any picture here."""
    rng = np.random.default_rng(0)
    size = (2304 + 64, 1600 + 64)

    def field(of: tuple[int, int]) -> NDArray[np.int8]:
        grown = cv2.resize(
            rng.normal(size=(*of[::-1], 3)).astype(np.float32), size, interpolation=cv2.INTER_LINEAR
        )
        return np.clip(grown / grown.std() * 32, -127, 127).astype(np.int8)

    return field(size), field((size[0] // 3, size[1] // 3))


@lru_cache(maxsize=2)
def _lens_maps(bent: Lens) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    rows, columns = np.mgrid[0 : bent.height_px, 0 : bent.width_px]
    flat = bent.undistort(np.stack([columns.ravel(), rows.ravel()], axis=1))
    x, y = flat.reshape(bent.height_px, bent.width_px, 2).astype(np.float32).transpose(2, 0, 1)
    return np.ascontiguousarray(x), np.ascontiguousarray(y)
