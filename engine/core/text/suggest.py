"""Suggest which word was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(word: object, allowed: Iterable[str], *, cutoff: float = 0.5) -> str:
    """Return the one of *allowed* that was probably meant; empty where none is near.

    >>> nearest("raed", ["play", "read"])
    'read'
    """
    return next(iter(difflib.get_close_matches(str(word), list(allowed), n=1, cutoff=cutoff)), "")


def did_you_mean(word: object, allowed: Iterable[str]) -> str:
    """Return the end of an error sentence: the nearest word if one is near, then all of them.

    >>> did_you_mean("bonace", ["bone-ace", "one-and-thirty"])
    "did you mean 'bone-ace'? known are: bone-ace, one-and-thirty"
    """
    words = list(allowed)
    known = f"known are: {', '.join(words)}" if words else "none are known"
    near = nearest(word, words)
    return f"did you mean {near!r}? {known}" if near else known
