"""Every key of the config for people: meaning, value, and source."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from device.config.fields import Key, toml
from device.config.model import Config, LayeredConfig, key_of


@dataclass(frozen=True, slots=True)
class Entry:
    """One key of the config.

    Attributes:
        table: such as ``game``.
        last: its name in the table, such as ``stake``.
        source: the file that set it; empty for the default.
    """

    table: str
    last: str
    key: Key
    default: Any
    value: Any
    source: str

    @property
    def name(self) -> str:
        """The name with its table, such as ``game.stake``."""
        return f"{self.table}.{self.last}"

    @property
    def example(self) -> str:
        """What to write, in TOML."""
        return self.key.example or toml(self.default)


def entries(layers: LayeredConfig) -> tuple[Entry, ...]:
    """Return every key, in the order of the tables."""
    defaults = Config()
    return tuple(
        Entry(
            table.name,
            each.name,
            key_of(each),
            getattr(getattr(defaults, table.name), each.name),
            getattr(getattr(layers.config, table.name), each.name),
            str(layers.sources.get(f"{table.name}.{each.name}", "")),
        )
        for table in fields(layers.config)
        for each in fields(getattr(layers.config, table.name))
    )
