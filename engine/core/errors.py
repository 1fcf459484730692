"""The base of all errors that boneace raises, and the error of the event format."""

from __future__ import annotations


class BoneAceError(Exception):
    """Base of all errors that boneace raises; the message says what to do next."""


class EventFormatError(BoneAceError, ValueError):
    """A record that is no event; the message names the key and the cure."""
