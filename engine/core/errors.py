"""The errors everything in boneace descends from."""

from __future__ import annotations


class BoneAceError(Exception):
    """Anything boneace itself reports; its message says what to do next."""


class IllegalActionError(BoneAceError, ValueError):
    """An event the rules refuse now; the state is as it was (rule G-19).

    Attributes:
        code: one of the refusal codes of the event language, such as ``"NOT_YOUR_TURN"``.
    """

    def __init__(self, code: str, message: str) -> None:
        """Keep the refusal *code* and a sentence a dealer understands."""
        super().__init__(message)
        self.code = code


class EventFormatError(BoneAceError, ValueError):
    """A record that is no event; the message names the key and the cure."""
