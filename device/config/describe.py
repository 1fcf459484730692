"""Every key of the config for people: meaning, value, and source."""

from __future__ import annotations

from dataclasses import MISSING, Field, dataclass, fields
from typing import Any

from device.config.fields import toml
from device.config.model import LayeredConfig, key_of


@dataclass(frozen=True, slots=True)
class Entry:
    """One key of the config.

    Attributes:
        name: with its table, such as ``game.stake``.
        kind: type and range in words.
        help: what it means.
        default: value where no file sets it.
        example: what to write, in TOML.
        value: current value.
        source: the file that set it; empty for the default.
    """

    name: str
    kind: str
    help: str
    default: Any
    example: str
    value: Any
    source: str


def entries(layers: LayeredConfig) -> tuple[Entry, ...]:
    """Return every key, in the order of the tables."""
    found = []
    for table in fields(layers.config):
        values = getattr(layers.config, table.name)
        for each in fields(values):
            name = f"{table.name}.{each.name}"
            key = key_of(each)
            default = _default(each)
            found.append(
                Entry(
                    name,
                    key.kind,
                    key.help,
                    default,
                    key.example or toml(default),
                    getattr(values, each.name),
                    str(layers.sources.get(name, "")),
                )
            )
    return tuple(found)


def _default(each: Field[Any]) -> Any:
    return each.default_factory() if each.default_factory is not MISSING else each.default
