"""Light a scene of bones: shadows, hollows, gloss, metal and glass, from its geometry alone.

The geometry is what one camera sees: at each pixel the way the surface faces and how high it lies
over the table. Shadows are found by walking from each pixel towards the lamp through the heights.
Colours are BGR and linear until :func:`developed`.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np


@dataclass(slots=True, eq=False)
class Geometry:
    """What lies where; float32, (h, w) unless said otherwise.

    Attributes:
        cover: 0-1, how much of a pixel is not table.
        normal: (h, w, 3), x right, y down, z to the camera.
        height: over the table, in pixels.
        hollow: -3 (ridge) to 3 (pit).
        owner: int16, the number of the thing there, -1 for the table.
        up: (3,), the table's normal.
    """

    cover: np.ndarray
    normal: np.ndarray
    height: np.ndarray
    hollow: np.ndarray
    owner: np.ndarray
    up: np.ndarray

    @classmethod
    def empty(cls, width: int, height: int, up: np.ndarray) -> Geometry:
        """A bare table."""
        zeros = np.zeros((height, width), np.float32)
        normal = np.broadcast_to(up.astype(np.float32), (height, width, 3)).copy()
        owner = np.full((height, width), -1, np.int16)
        return cls(zeros.copy(), normal, zeros.copy(), zeros.copy(), owner, up)


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """What a thing is made of.

    Attributes:
        colour: (3,), linear BGR, 0-1.
        gloss: strength of highlights; *sharp* is their exponent.
        mirror: 0 (none) to 1 (metal): how much of the room it mirrors.
        clear: 0 (none) to 1 (glass): how much of the table shines through.
        dirt, wear, blotch, rough: darkening of hollows, paling of ridges, patches, bumps.
    """

    colour: np.ndarray
    gloss: float = 0.1
    sharp: float = 20.0
    mirror: float = 0.0
    clear: float = 0.0
    dirt: float = 0.2
    wear: float = 0.0
    blotch: float = 0.1
    rough: float = 0.03


BONE_COLOURS = (
    (0.60, 0.74, 0.80),
    (0.76, 0.80, 0.82),
    (0.27, 0.52, 0.72),
    (0.13, 0.26, 0.42),
    (0.50, 0.53, 0.55),
    (0.06, 0.11, 0.18),
    (0.40, 0.62, 0.78),
)
DYES = (
    (0.05, 0.06, 0.50),
    (0.42, 0.14, 0.06),
    (0.10, 0.32, 0.08),
    (0.03, 0.03, 0.03),
    (0.03, 0.03, 0.40),
    (0.45, 0.10, 0.03),
    (0.06, 0.20, 0.04),
    (0.04, 0.03, 0.03),
    (0.35, 0.06, 0.30),
    (0.06, 0.35, 0.65),
    (0.08, 0.60, 0.75),
    (0.45, 0.40, 0.08),
)
METALS = ((0.75, 0.78, 0.80), (0.30, 0.55, 0.78), (0.30, 0.45, 0.65), (0.2, 0.2, 0.2))


def material(rng: np.random.Generator) -> Material:
    """Something that knucklebones are made of."""

    def near(colour: tuple[float, ...], spread: float = 0.25) -> np.ndarray:
        tuned = np.array(colour) * np.exp(rng.normal(0, spread) + rng.normal(0, 0.06, 3))
        return np.clip(tuned, 0.012, 0.92).astype(np.float32)

    kind = rng.random()
    if kind < 0.50:
        return Material(
            near(BONE_COLOURS[rng.integers(len(BONE_COLOURS))]),
            gloss=rng.uniform(0, 0.35) if rng.random() < 0.7 else rng.uniform(0.3, 1.2),
            sharp=np.exp(rng.uniform(1.5, 4.5)),
            dirt=rng.uniform(0.0, 0.6),
            wear=rng.uniform(0, 0.15),
            blotch=rng.uniform(0, 0.3),
            rough=rng.uniform(0, 0.12),
        )
    if kind < 0.78:
        return Material(
            near(DYES[rng.integers(len(DYES))], 0.4),
            gloss=rng.uniform(0, 0.5),
            sharp=np.exp(rng.uniform(1.5, 4.5)),
            dirt=rng.uniform(-0.2, 0.5),
            wear=rng.uniform(0, 0.5),
            blotch=rng.uniform(0, 0.3),
            rough=rng.uniform(0, 0.1),
        )
    if kind < 0.91:  # resin, or wet
        colours = BONE_COLOURS + DYES
        return Material(
            near(colours[rng.integers(len(colours))], 0.4),
            gloss=rng.uniform(0.4, 2.5),
            sharp=np.exp(rng.uniform(3.0, 6.0)),
            mirror=rng.uniform(0, 0.12),
            dirt=rng.uniform(0, 0.2),
            blotch=rng.uniform(0, 0.1),
            rough=rng.uniform(0, 0.02),
        )
    if kind < 0.97:
        return Material(
            near(METALS[rng.integers(len(METALS))]),
            gloss=rng.uniform(0.5, 3),
            sharp=np.exp(rng.uniform(2.0, 5.0)),
            mirror=rng.uniform(0.4, 1.0),
            dirt=rng.uniform(0, 0.6),
            rough=rng.uniform(0, 0.08),
        )
    return Material(
        near((0.8, 0.8, 0.8) if rng.random() < 0.5 else DYES[rng.integers(len(DYES))], 0.3),
        gloss=rng.uniform(1, 4),
        sharp=np.exp(rng.uniform(4.0, 6.0)),
        mirror=rng.uniform(0.05, 0.3),
        clear=rng.uniform(0.4, 0.85),
        dirt=rng.uniform(0, 0.3),
        rough=0.0,
    )


def noise(
    shape: tuple[int, int], cell: float, rng: np.random.Generator, channels: int = 1
) -> np.ndarray:
    """Smooth noise of unit size whose bumps are about *cell* pixels wide."""
    small = (max(int(shape[0] / cell), 2) + 2, max(int(shape[1] / cell), 2) + 2)
    field = rng.standard_normal((*small, channels)).astype(np.float32)
    out = cv2.resize(field, shape[::-1], interpolation=cv2.INTER_CUBIC)
    return out if channels > 1 or out.ndim == 2 else out[..., 0]


def lit(
    scene: Geometry,
    ground: np.ndarray,
    materials: list[Material],
    thing_px: float,
    rng: np.random.Generator,
) -> np.ndarray:
    """Light a scene.

    Args:
        scene: the geometry.
        ground: uint8 (h, w, 3), the table top without light.
        materials: of each owner.
        thing_px: length of a bone in pixels.
        rng: where the lamps stand, and how strong they are.

    Returns:
        float32 (h, w, 3), linear BGR.
    """
    shape = scene.cover.shape
    up = scene.up
    table = (ground.astype(np.float32) / 255) ** 2.2
    colour, normal = _surface(scene, materials, thing_px, rng)
    # What faces away at the rim is seen all the same: turn it to the camera.
    normal[..., 2] = np.maximum(normal[..., 2], 0.05)
    normal /= np.linalg.norm(normal, axis=2, keepdims=True)

    hidden = _nearby(scene.height, thing_px, rng.uniform(0.6, 1.6))
    ambient = rng.uniform(0.1, 0.9) * np.exp(rng.normal(0, 0.1, 3)).astype(np.float32)
    window = _unit(rng.normal(0, 1, 3))
    lean = rng.uniform(0, 0.6)
    bounce = table.mean((0, 1)) * rng.uniform(0.2, 0.9)

    def sky(facing: np.ndarray) -> np.ndarray:
        above = np.clip(0.5 + 0.5 * (facing @ up.astype(np.float32)), 0, 1)[..., None]
        side = 1 + lean * (facing @ window.astype(np.float32))[..., None]
        return ambient * (above * side + (1 - above) * bounce)

    flat = np.broadcast_to(up.astype(np.float32), (*shape, 3))
    on_things = sky(normal) * hidden[..., None]
    on_table = sky(flat[:1, :1]) * hidden[..., None]
    shine = np.zeros(shape, np.float32)
    glare = np.zeros((*shape, 3), np.float32)
    gloss, sharp = (
        _by_owner(scene.owner, [getattr(m, n) for m in materials], v)
        for n, v in (("gloss", 0.0), ("sharp", 20.0))
    )
    for k in range(1 if rng.random() < 0.65 else 2):
        lamp = _lamp(up, rng)
        power = rng.uniform(0.5, 2.4) * (0.5 if k else 1.0)
        tint = (np.array([rng.uniform(0.6, 1), rng.uniform(0.8, 1), 1]) * power).astype(np.float32)
        light = 1 - _shadow(scene, lamp, thing_px, rng)
        toward = np.clip(normal @ lamp.astype(np.float32), 0, 1)
        on_things = on_things + tint * (toward * light)[..., None]
        on_table = on_table + tint * (light * max(float(up @ lamp), 0))[..., None]
        half = _unit(lamp + np.array([0, 0, 1.0])).astype(np.float32)
        shine = gloss * np.clip(normal @ half, 0, 1) ** sharp * light
        glare += tint * shine[..., None]
    image = colour * on_things
    mirror = _by_owner(scene.owner, [m.mirror for m in materials], 0.0)[..., None]
    if mirror.any():
        image = image * (1 - mirror) + colour * _room(normal, rng) * mirror * (
            0.35 + 0.65 * hidden[..., None]
        )
    clear = _by_owner(scene.owner, [m.clear for m in materials], 0.0)[..., None]
    lit_table = table * on_table
    if clear.any():
        image = image * (1 - clear) + clear * colour * _through(lit_table, scene, normal, rng)
    image = image + glare
    cover = scene.cover[..., None]
    return image * cover + lit_table * (1 - cover)


def developed(image: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Expose a linear picture and give it a camera's tones: uint8 (h, w, 3)."""
    white = max(float(np.percentile(image[::2, ::2], rng.uniform(93, 99.7))), 1e-3)
    exposed = image / white * rng.uniform(0.5, 1.1)
    if rng.random() < 0.5:  # a soft shoulder, as phones have, instead of clipping
        exposed = exposed / (1 + 0.35 * exposed) * 1.35
    toned = np.clip(exposed, 0, 1) ** (1 / rng.uniform(1.7, 2.5))
    return (toned * 255).astype(np.uint8)


def _surface(
    scene: Geometry, materials: list[Material], thing_px: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Colours and bumpy normals of all things."""
    shape = scene.cover.shape

    def per_thing(name: str) -> np.ndarray:
        return _by_owner(scene.owner, [getattr(m, name) for m in materials], 0.0)

    colours = np.array([m.colour for m in materials] + [[0.5, 0.5, 0.5]], np.float32)
    colour = colours[scene.owner]
    pit, ridge = np.clip(scene.hollow, 0, 3), np.clip(-scene.hollow, 0, 3)
    tone = 1 - per_thing("dirt") * pit / 2
    tone += per_thing("blotch") * np.clip(
        noise(shape, thing_px * rng.uniform(0.1, 0.6), rng), -2, 2
    )
    if rng.random() < 0.4:  # pores
        tone -= per_thing("blotch") * (noise(shape, max(thing_px * 0.03, 1.0), rng) > 1.2)
    colour = colour * np.clip(tone, 0.1, 1.6)[..., None]
    warm = (per_thing("dirt") * pit * 0.15)[..., None] * np.array([1.0, 0.4, 0.0], np.float32)
    colour = colour * np.clip(1 - warm * rng.uniform(0, 2), 0.1, 1)
    pale = np.array([0.5, 0.6, 0.65], np.float32) * rng.uniform(0.4, 1.2)
    worn = np.clip(per_thing("wear") * ridge, 0, 0.9)[..., None]
    colour = np.clip(colour * (1 - worn) + pale * worn, 0.005, 0.95)
    normal = scene.normal.copy()
    rough = per_thing("rough")
    if rough.any():
        bumps = noise(shape, max(thing_px * rng.uniform(0.02, 0.12), 1.0), rng, 2)
        normal[..., :2] += bumps * rough[..., None]
    return colour.astype(np.float32), normal


def _by_owner(owner: np.ndarray, values: list[float], table: float) -> np.ndarray:
    """Spread a value of each thing over its pixels."""
    return np.array([*values, table], np.float32)[owner]


def _unit(vector: np.ndarray) -> np.ndarray:
    return vector / max(float(np.linalg.norm(vector)), 1e-9)


def _lamp(up: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Where a lamp stands, as a unit vector: 25 to 85 degrees over the table."""
    raised = np.radians(rng.uniform(25, 85))
    around = rng.uniform(0, 2 * np.pi)
    side = _unit(np.cross(up, [0.2, 1.0, 0.1]))
    other = np.cross(up, side)
    way = np.cos(around) * side + np.sin(around) * other
    return _unit(np.sin(raised) * up + np.cos(raised) * way)


def _nearby(height: np.ndarray, thing_px: float, strength: float) -> np.ndarray:
    """How much of the sky is not hidden by what stands near, 0-1."""
    hidden = np.zeros_like(height)
    for part in (0.05, 0.15, 0.4):
        sigma = max(part * thing_px, 0.6)
        around = cv2.GaussianBlur(height, (0, 0), sigma)
        hidden += np.clip((around - height) / (2.2 * sigma + 0.15 * thing_px), 0, 1)
    return np.exp(-strength * hidden)


def _shadow(
    scene: Geometry, lamp: np.ndarray, thing_px: float, rng: np.random.Generator
) -> np.ndarray:
    """How much of the lamp is hidden at each pixel, 0-1."""
    shape = scene.height.shape
    tall = float(scene.height.max())
    total = np.zeros(shape, np.float32)
    if tall <= 0:
        return total
    size = rng.uniform(0.0, 0.25)  # of the lamp, as the tangent of half its angle
    rays = 2 if size < 0.03 else 5
    for _ in range(rays):
        way = _unit(lamp + rng.normal(0, 1, 3) * size * 0.6)
        gain = max(float(way @ scene.up), 0.15)
        longest = min(tall / gain, 3.0 * thing_px)
        steps = int(np.clip(longest / max(0.07 * thing_px, 1.0), 4, 14))
        most = np.zeros(shape, np.float32)
        soft = 0.035 * thing_px + 0.3
        for s in np.linspace(0.06 * thing_px + 0.7, longest, steps):
            shift = np.array([[1, 0, s * way[0]], [0, 1, s * way[1]]])
            seen = cv2.warpAffine(
                scene.height, shift, shape[::-1], flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
            )
            seen -= scene.height
            seen -= np.float32(s * gain + 0.02 * thing_px)
            np.maximum(most, seen, out=most)
        total += np.clip(most / np.float32(soft), 0, 1)
    return np.clip(total / rays, 0, 1) * np.float32(rng.uniform(0.75, 1.0))


def _room(normal: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """What a mirror would show of a room: dim walls, a few bright windows."""
    around = 2 * normal[..., 2:] * normal - np.array([0, 0, 1], np.float32)
    out = np.full((*normal.shape[:2], 3), rng.uniform(0.05, 0.35), np.float32)
    out += rng.uniform(0, 0.4) * np.clip(around[..., 2:], 0, 1)
    for _ in range(int(rng.integers(2, 7))):
        way = _unit(rng.normal(0, 1, 3) + np.array([0, 0, 0.6])).astype(np.float32)
        wide = rng.uniform(0.6, 0.97)
        edge = np.clip(((around @ way) - wide) / rng.uniform(0.02, 0.3), 0, 1)
        tint = (np.exp(rng.normal(0, 0.15, 3)) * rng.uniform(-0.2, 2.0)).astype(np.float32)
        out += edge[..., None] * tint
    return np.clip(out, 0, 3)


def _through(
    table: np.ndarray, scene: Geometry, normal: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """The table as glass bends it."""
    h, w = scene.height.shape
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    bend = scene.height * np.float32(rng.uniform(0.3, 0.8))
    seen = cv2.remap(
        table.astype(np.float32),
        x - normal[..., 0] * bend,
        y - normal[..., 1] * bend,
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REFLECT,
    )
    return seen * (0.6 + 0.6 * normal[..., 2:])
