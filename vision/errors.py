"""What can go wrong while seeing."""

from __future__ import annotations

from engine.core.errors import BoneAceError


class ModelError(BoneAceError, RuntimeError):
    """A network that cannot be loaded."""


class ImageError(BoneAceError, ValueError):
    """A picture that is not what a reader takes."""


class DeckError(BoneAceError, ValueError):
    """A taught deck that cannot be used."""
