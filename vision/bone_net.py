"""Sizes that the bone networks and their training agree on."""

from __future__ import annotations

CROP = 96
"""Width and height of the face reader's input in pixels."""

CROP_BONE = 62
"""Pixels that a bone is long in that input."""

MASK = 24
"""Width and height of the mask it gives."""

KINDS = 6
"""Four faces in the order of ``engine.bones.Face``, odd poses, and no bone at all."""

FEATURES = 64
"""Numbers that it tells of a bone before naming the face: own bones are taught on these."""
