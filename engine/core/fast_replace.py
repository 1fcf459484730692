"""A quicker :func:`dataclasses.replace`: folding events is hardly anything but replacing."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

__all__ = ["replace"]

if TYPE_CHECKING:
    from dataclasses import replace
else:

    def replace(frozen: Any, /, **changes: Any) -> Any:
        """Return a copy of the frozen dataclass *frozen* with some fields changed.

        The fields are copied as they are; ``__init__`` would set them one by one the slow way
        that frozen classes need. ``__post_init__`` is not called, so it is for classes that check
        nothing there. A class with ``slots=True`` keeps no ``__dict__`` and goes the slow way.

        Raises:
            TypeError: there is no such field.
        """
        kind = type(frozen)
        if "__slots__" in kind.__dict__:
            return dataclasses.replace(frozen, **changes)
        copy = object.__new__(kind)
        values = copy.__dict__
        values.update(frozen.__dict__)
        known = len(values)
        values.update(changes)
        if len(values) != known:
            unknown = sorted(changes.keys() - frozen.__dict__.keys())
            raise TypeError(f"{kind.__name__} has no fields {unknown}; name those of the class")
        return copy
