"""The errors of reading pictures."""

from __future__ import annotations

import numpy as np

from engine.core.errors import BoneAceError
from vision.geometry import Image


class ModelError(BoneAceError, RuntimeError):
    """A network cannot be loaded."""


class ImageError(BoneAceError, ValueError):
    """A picture is not what a reader takes."""


class EnrolmentError(BoneAceError, ValueError):
    """A custom deck or set of bones cannot be learnt, read or used."""


def check_image(image: Image) -> None:
    """Check the type and shape of a picture.

    Raises:
        ImageError: *image* has another shape or type.
    """
    if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3:
        raise ImageError(
            f"image must be uint8 of shape (height, width, 3), got {image.dtype} "
            f"{image.shape}; convert it to BGR first"
        )
