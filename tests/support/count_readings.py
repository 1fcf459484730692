"""Readings of bones that somebody throws, for what counts them."""

import math
import random

from engine.core.bones import Face
from vision.readings import BoneReading, Reading, Spot, UnsureBoneReading

FLAT, CONCAVE, CONVEX, TWISTED = Face

FIVE = (
    (FLAT, 100, 100),
    (CONVEX, 180, 90),
    (CONVEX, 150, 160),
    (TWISTED, 60, 190),
    (CONCAVE, 230, 200),
)
"""A throw worth 18: each bone's face, and where it lies in millimetres."""


def reading(bones=(), time_s=0.0, mat=True):
    """Return a reading of bones as in :data:`FIVE`; ``None`` for one not read.

    A fourth thing in a bone says that it lies beside the mat.
    """
    sure, unsure = [], []
    for face, x, y, *off in bones:
        outline = ((x - 15, y - 9), (x + 15, y - 9), (x + 15, y + 9), (x - 15, y + 9))
        at = Spot(outline, (x, y), (float(x), float(y)) if mat else None, None, bool(off))
        if face is None:
            unsure.append(UnsureBoneReading((CONCAVE, CONVEX), 0.5, at))
        else:
            sure.append(BoneReading(face, 0.99, at))
    seats = 4 if mat else None
    return Reading(time_s, seats=seats, bones=tuple(sure), unsure_bones=tuple(unsure))


def thrown(seed, count=5):
    """Return a throw by chance below that of :data:`FIVE`, its bones apart, from left to right."""
    rng, found = random.Random(seed), []
    while len(found) < count:
        at = rng.uniform(40, 380), rng.uniform(260, 560)
        if all(math.dist(at, other[1:]) > 35 for other in found):
            found.append((rng.choices(list(Face), (1, 4, 4, 1))[0], *at))
    return tuple(sorted(found, key=lambda bone: bone[1]))
