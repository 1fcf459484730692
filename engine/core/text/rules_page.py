"""One page of rules: sentences that know which options are in force and where they come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Rule:
    """One sentence of the rules.

    Attributes:
        text: English, with ``{name}`` for each of *values*: a catalogue translates the text
            before the values are put in.
        values: what stands for the names.
        ids: where the rule stands in the rule book (``OT-9``).
    """

    text: str
    ids: tuple[str, ...] = ()
    values: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        """Return the sentence in English."""
        return self.text.format(**self.values)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its sentences."""

    heading: str
    rules: tuple[Rule, ...]


def rule(text: str, *ids: str, **values: object) -> Rule:
    """Return a sentence: its text, the ids it tells, and what stands for the names in it."""
    return Rule(text, ids, values)


def section(heading: str, *rules: Rule | None) -> Section:
    """Return a section of those sentences that are in force (the others are ``None``)."""
    return Section(heading, tuple(each for each in rules if each is not None))
