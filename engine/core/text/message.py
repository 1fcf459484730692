"""Sentences as values: put into a language only where somebody reads or hears them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Listing:
    """Several values in a row, joined as people do: "Ann, Bess and Tom"."""

    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True, init=False)
class Message:
    """One whole sentence, or a phrase that is put into one.

    Attributes:
        id: the English text with ``{placeholders}``; the key in the translation catalogues.
        plural: the English text for several; empty where nothing is counted.
        count: the number that decides between the two.
        values: what stands in each placeholder, by name. A ``str`` is a name and is never
            translated.

    >>> Message("{name}: stick, or have it?", name="Bess").values
    (('name', 'Bess'),)
    """

    id: str
    plural: str
    count: int
    values: tuple[tuple[str, Value], ...]

    def __init__(self, id: str, plural: str = "", count: int = 1, /, **values: Value) -> None:
        """Keep the sentence and its values."""
        object.__setattr__(self, "id", id)
        object.__setattr__(self, "plural", plural)
        object.__setattr__(self, "count", count)
        object.__setattr__(self, "values", tuple(sorted(values.items())))


Value = str | int | Message | Listing
"""What may stand in a placeholder."""
