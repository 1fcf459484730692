"""Read single knucklebones: which face lies uppermost, and where the bone's rim is.

A small network sees a square cut out round each bone. It gives six kinds (the four faces, an odd
pose, no bone), the features that custom sets are learnt on, and a mask of the bone in the middle.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.core.bones import Face
from vision.bones.detector import BoneCandidate
from vision.geometry import Image, Points
from vision.inference import Network

CROP = 96
"""Width and height of the network's input in pixels."""

CROP_BONE = 62
"""Pixels that a bone is long in that input."""

MASK = 24
"""Width and height of the mask in its output."""

KINDS = 6
"""Four faces in the order of ``Face``, odd poses, and no bone at all."""

FEATURES = 64
"""Numbers before the last layer, on which custom sets are learnt."""

TEMPERATURE = 0.8
"""What the logits are divided by, to calibrate the confidence."""

OFF_CENTRE = 0.12
"""How far off, in lengths, the middle may be before a bone is cropped again."""

CLEAR = 0.97
"""Probability of a kind from which a bone is not classified again."""

FACES = tuple(Face)

NETWORK = "bones-faces.onnx"


@dataclass(frozen=True, slots=True, eq=False)
class BonePrediction:
    """What the network makes of one bone.

    Attributes:
        kinds: float32 (KINDS,), probabilities: the faces in the order of ``Face``, an odd pose
            (leaning, on its end), no bone.
        features: float32 (FEATURES,), 0 or more.
        outline: float32 (n, 2), the rim in pixels of the picture, clockwise as seen.
    """

    kinds: NDArray[np.float32]
    features: NDArray[np.float32]
    outline: Points


class BoneClassifier:
    """Runs the face network on many bones of a picture at once."""

    def __init__(self) -> None:
        """Load the network."""
        self._net = Network(NETWORK)  # gives (n, KINDS + FEATURES + MASK * MASK)

    def classify(
        self, image: Image, found: list[BoneCandidate], *, thorough: bool = False
    ) -> list[BonePrediction]:
        """Classify bones of one picture, in the order given.

        *thorough* classifies every bone twice, not only the doubtful ones: features can only be
        compared when they were made alike.
        """
        if not found:
            return []
        outputs = self._net.run([cut(image, bone) for bone in found])
        bones = [_corrected(_mask(each), bone) for each, bone in zip(outputs, found, strict=True)]
        moved = [bone is not old for bone, old in zip(bones, found, strict=True)]
        unsure = [
            k
            for k, output in enumerate(outputs)
            if thorough or moved[k] or _probabilities(output).max() < CLEAR
        ]
        if unsure:
            # Mirrored at its diagonal a bone is one of the other leg, with the same face uppermost.
            second = self._net.run(
                [np.ascontiguousarray(cut(image, bones[k]).transpose(1, 0, 2)) for k in unsure]
            )
            for k, output in zip(unsure, second, strict=True):
                output[KINDS + FEATURES :] = _mask(output).T.reshape(-1)
                # The first crop says little where it was off.
                outputs[k] = output if moved[k] else (outputs[k] + output) / 2
        return [
            BonePrediction(
                _probabilities(output),
                output[KINDS : KINDS + FEATURES],
                _outline(_mask(output), bone),
            )
            for output, bone in zip(outputs, bones, strict=True)
        ]


def cut(image: Image, bone: BoneCandidate) -> Image:
    """Crop a bone: uint8 (CROP, CROP, 3), the bone CROP_BONE long in its middle."""
    scale = CROP_BONE / max(bone.length, 4.0)
    if scale < 0.5:
        # Reduce by whole areas first: a plain warp would skip pixels and let cloth flicker.
        half = 0.5 * CROP / scale
        x0, y0 = max(int(bone.x - half) - 2, 0), max(int(bone.y - half) - 2, 0)
        part = image[y0 : int(bone.y + half) + 3, x0 : int(bone.x + half) + 3]
        if min(part.shape[:2]) > 0:
            factor = scale * 1.4
            size = (max(round(part.shape[1] * factor), 1), max(round(part.shape[0] * factor), 1))
            image = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)
            sx, sy = size[0] / part.shape[1], size[1] / part.shape[0]
            return _warp(image, (bone.x - x0) * sx, (bone.y - y0) * sy, scale / sx, scale / sy)
    return _warp(image, bone.x, bone.y, scale, scale)


def _warp(image: Image, x: float, y: float, sx: float, sy: float) -> Image:
    """Crop a picture resized by *sx* and *sy* round a point of it, half a pixel in."""
    matrix = np.array([[sx, 0, CROP / 2 - sx * x], [0, sy, CROP / 2 - sy * y]], np.float64)
    matrix[:, 2] += matrix[:, :2] @ [0.5, 0.5] - 0.5
    warped = cv2.warpAffine(
        image, matrix, (CROP, CROP), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(warped, np.uint8)


def _mask(output: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the mask (logits) in the network's output for one crop."""
    return output[KINDS + FEATURES :].reshape(MASK, MASK)


def _corrected(mask: NDArray[np.float32], bone: BoneCandidate) -> BoneCandidate:
    """Return where a bone lies if its mask shows that the crop was off; else *bone* itself."""
    rim = _rim(mask)
    if rim is None:
        return bone
    (x, y), size, _ = cv2.minAreaRect(rim.astype(np.float32))
    ratio = max(size) / CROP_BONE
    if np.hypot(x, y) < OFF_CENTRE * CROP_BONE and abs(np.log(max(ratio, 1e-3))) < 1.5 * OFF_CENTRE:
        return bone
    scale = max(bone.length, 4.0) / CROP_BONE
    # A mask may be torn, or run over to a neighbour: believe it within bounds only.
    length = bone.length * float(np.clip(ratio, 0.6, 1.6))
    return BoneCandidate(bone.x + x * scale, bone.y + y * scale, length, bone.score)


def _probabilities(output: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the probabilities of the kinds in the network's output for one crop."""
    logits = output[:KINDS]
    powers = np.exp((logits - logits.max()) / TEMPERATURE)
    return np.asarray(powers / powers.sum(), np.float32)


def _rim(mask: NDArray[np.float32]) -> NDArray[np.float64] | None:
    """Return the rim of the largest thing in a mask, in crop pixels from its middle."""
    fine = cv2.resize(mask, (CROP, CROP), interpolation=cv2.INTER_CUBIC)
    contours, _ = cv2.findContours(
        (fine > 0).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
    )
    best = max(contours, key=cv2.contourArea, default=None)
    if best is None or cv2.contourArea(best) < 0.02 * CROP * CROP:
        return None
    simple = cv2.approxPolyDP(best, 0.9, True)
    kept = simple if len(simple) >= 3 else best
    return np.asarray(kept.reshape(-1, 2), np.float64) + 0.5 - CROP / 2


def _outline(mask: NDArray[np.float32], bone: BoneCandidate) -> Points:
    """Return the rim of the bone in the middle of a mask, in pixels of the picture."""
    rim = _rim(mask)
    if rim is None:
        # The mask is empty: a circle says at least where the bone lies.
        angles = np.linspace(0, 2 * np.pi, 12, endpoint=False)
        rim = np.stack([np.cos(angles), np.sin(angles)], axis=1) * 0.35 * CROP_BONE
    x, y = rim[:, 0], rim[:, 1]
    turning = float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())
    if turning < 0:  # y points down: positive is clockwise as seen
        rim = rim[::-1]
    scale = max(bone.length, 4.0) / CROP_BONE
    return np.asarray(rim * scale + [bone.x, bone.y], np.float32)
