"""The error for wrong arguments of a command."""

from engine.core.errors import BoneAceError


class UsageError(BoneAceError):
    """Arguments that cannot be followed now; the program ends with exit status 2."""
