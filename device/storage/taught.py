"""Whether what the config names as taught, a deck and a set of bones, can be used."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from device.storage.bone_sets import load_bones
from device.storage.decks import find_deck
from engine.core.errors import BoneAceError

LOAD: Mapping[str, Callable[[str], object]] = {"bones": load_bones, "deck": find_deck}
"""What loads each kind, by the key that names it in ``[game]``."""


def problem_with_set(kind: str, name: str) -> str:
    """Return why the set *name* of that kind cannot be used; empty where it can, or none is named.

    Args:
        kind: a key of :data:`LOAD`.
        name: as the config has it.
    """
    if not name:
        return ""
    try:
        LOAD[kind](name)
    except BoneAceError as problem:
        return str(problem)
    return ""
