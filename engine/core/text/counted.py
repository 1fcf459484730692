"""A number with its noun, for lines that are only in English."""

from __future__ import annotations


def counted(number: int, noun: str, several: str = "") -> str:
    """Return *number* with *noun*, or with *several*, which is the noun with an s where not given.

    >>> counted(1, "card"), counted(0, "card"), counted(2, "copy", "copies")
    ('1 card', '0 cards', '2 copies')
    """
    return f"{number} {noun if number == 1 else several or noun + 's'}"
