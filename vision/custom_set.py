"""What custom decks and custom sets of bones share: a named set of examples, and its file.

A custom set is learnt from examples without training. ``CustomDeck`` keeps crops of cards in a ZIP
archive, ``CustomBoneSet`` keeps the network's features of bones as JSON. The size, version, name
and damage of both are checked here. This module turns bytes into sets and back; it writes no files.
"""

from __future__ import annotations

import zipfile
import zlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Self

from vision.errors import EnrolmentError

FORMAT = 1
"""Version of both file formats; another one is refused."""

LONGEST_NAME = 200
"""Characters of a set's name: it is printed, and the file's own name has at most sixty."""

_DAMAGE = (
    *(OSError, EOFError, LookupError, ArithmeticError, ValueError, TypeError, AttributeError),
    # RecursionError from JSON; RuntimeError from a version of ZIP that zipfile does not know.
    *(RuntimeError, zipfile.BadZipFile, zlib.error),
)
"""All that parsing a damaged file has been seen to raise."""


class CustomSet(ABC):
    """A named set of examples that can be kept in a file.

    Attributes:
        name: what the set is called.
    """

    KIND: ClassVar[str]
    """What the file is called in messages."""
    CURE: ClassVar[str]
    """What to do about a bad file; ends the messages."""
    LARGEST_FILE: ClassVar[int]
    """Bytes."""

    name: str

    @abstractmethod
    def to_bytes(self) -> bytes:
        """Return the contents of the set's file."""

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Read what :meth:`to_bytes` gave.

        Raises:
            EnrolmentError: *data* is damaged, too large or of another version; the message begins
                after the file's name, with a verb.
        """
        if len(data) > cls.LARGEST_FILE:
            raise EnrolmentError(f"is too large for a {cls.KIND}; {cls.CURE}")
        try:
            return cls._parse(data)
        except EnrolmentError:
            raise
        except _DAMAGE as problem:
            raise cls._damaged() from problem

    @classmethod
    @abstractmethod
    def _parse(cls, data: bytes) -> Self:
        """Read a file of allowed size; may raise anything in ``_DAMAGE``."""

    @classmethod
    def _damaged(cls) -> EnrolmentError:
        return EnrolmentError(f"is no {cls.KIND}, or is damaged; {cls.CURE}")

    @classmethod
    def _checked_name(cls, header: Mapping[str, Any], key: str) -> str:
        """Return the set's name from a file's header, once its version is checked."""
        if header["format"] != FORMAT:
            raise EnrolmentError(
                f"is of format {header['format']!r}, not {FORMAT}: another version of boneace "
                f"wrote it; {cls.CURE}"
            )
        name = str(header[key])
        if len(name) > LONGEST_NAME or not name.isprintable():
            raise EnrolmentError(f"has a name that does not print; {cls.CURE}")
        return name
