"""The errors of reading pictures."""

from __future__ import annotations

from engine.core.errors import BoneAceError


class ModelError(BoneAceError, RuntimeError):
    """A network cannot be loaded."""


class ImageError(BoneAceError, ValueError):
    """A picture is not what a reader takes."""


class EnrolmentError(BoneAceError, ValueError):
    """A custom deck or set of bones cannot be learnt, read or used."""
