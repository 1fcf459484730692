"""Learn a custom set of bones: each face is shown, and what the network sees is kept."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.core.bones import Face
from vision.bones.custom_set import CustomBoneSet, EnrolmentSample
from vision.bones.pipeline import BoneReader
from vision.errors import EnrolmentError

IS_BONE = 0.1
"""Probability of being a bone below which a thing shown is not taken for one: odd bones are odd."""


class BoneSetEnrolment:
    """Takes samples of bones from pictures.

    Attributes:
        bones: what is learnt so far.
    """

    def __init__(self, bones: CustomBoneSet, reader: BoneReader | None = None) -> None:
        """Go on with the set *bones*; *reader* finds them.

        Raises:
            ModelError: a network is missing or damaged.
        """
        self.bones = bones
        self._reader = reader or BoneReader(is_bone=IS_BONE)

    def show(self, face: Face, image: NDArray[np.uint8], px_per_mm: float | None = None) -> int:
        """Take a picture on which every bone lies with *face* uppermost.

        *px_per_mm* is the scale where a mat is in view.

        Returns:
            How many bones were seen on it.

        Raises:
            EnrolmentError: no bone was seen.
            ImageError: *image* has another shape or type.
        """
        showing = 1 + max((sample.showing for sample in self.bones.samples), default=0)
        count = 0
        # Turned by quarters the same bone looks a little different: four samples for one.
        for quarters in range(4):
            turned = np.ascontiguousarray(np.rot90(image, quarters))
            found = self._reader.detect(turned, px_per_mm, thorough=True)
            # The doubtful ones count only where there are no others.
            found = [bone for bone in found if bone.prediction.kinds[-1] < 0.5] or found
            if quarters == 0:
                if not found:
                    raise EnrolmentError(
                        f"no bone is seen with {face} uppermost; lay one or more bones apart from "
                        f"each other on a plain cloth of another colour, and light them evenly"
                    )
                count = len(found)
            for bone in found:
                features = np.asarray(bone.prediction.features, np.float64)
                kinds = np.asarray(bone.prediction.kinds, np.float64)
                self.bones.samples.append(EnrolmentSample(face, showing, features, kinds))
        return count
