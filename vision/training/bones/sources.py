"""Where the shapes of training bones come from."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from vision.bones.shape import knucklebone
from vision.training.bones.meshes import Mesh, ShapeModel

OWN = 0.3
"""Share of bones that start from the project's own shape where there is a model besides."""


class Shapes:
    """Hands out bones: of a shape model of real ones, and of the project's own shape."""

    def __init__(self, folder: Path | None, own: float = OWN) -> None:
        """Load ``bone_model_public.npz`` of *folder*; without one every bone is our own."""
        self.model = ShapeModel(folder / "bone_model_public.npz") if folder else None
        self.share = own if self.model is not None else 1.0
        shape = knucklebone()
        self.own = Mesh(shape.points.copy(), shape.triangles)

    def sample(self, rng: np.random.Generator) -> Mesh:
        """One bone, of any size."""
        if self.model is None or rng.random() < self.share:
            return self.own
        return self.model.sample(rng)
