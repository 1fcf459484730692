"""The networks, with a card beside each that says how it was made."""

from __future__ import annotations

from importlib.resources import as_file, files

import cv2

from vision.errors import ModelError


def load_network(name: str) -> cv2.dnn.Net:
    """Load a network of this folder, such as ``"reader.onnx"``.

    Raises:
        ModelError: it is missing or damaged.
    """
    with as_file(files("vision.models") / name) as path:
        try:
            return cv2.dnn.readNetFromONNX(str(path))
        except cv2.error as problem:
            raise ModelError(
                f"vision/models/{name} is missing or damaged; install boneace again"
            ) from problem
