"""``boneace config``: what is set, where each value comes from, and what every key means."""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from device.config.describe import Entry, entries
from device.config.fields import nearest, toml
from device.config.model import Config, ConfigError, LayeredConfig, load_layers, paths

WIDTH = 92
"""Characters of a line of explanation."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace config --explain camera"
    parser.add_argument(
        "name",
        nargs="?",
        metavar="check|TABLE|KEY",
        help="check only judges the files; else one table or key, such as camera or game.stake",
    )
    parser.add_argument(
        "--explain", action="store_true", help="every key with its type, default and meaning"
    )
    parser.add_argument("--json", action="store_true", help="for another program to read")


def run(args: argparse.Namespace) -> int:
    """Print what is asked for.

    Raises:
        ConfigError: a file cannot be used, or there is no such key.
    """
    # The meaning of a key is needed most while a file is broken.
    layers = LayeredConfig(Config(), {}, ()) if args.explain else load_layers()
    if args.name == "check":
        for path in paths():
            print(f"{path}: {'can be used' if path in layers.files else 'not there'}")
        return 0
    selected = _selected(entries(layers), args.name)
    if args.json:
        found = {each.name: _record(each) for each in selected}
        print(json.dumps(found, indent=2, ensure_ascii=False))
        return 0
    for line in _page(selected) if args.explain else _values(selected):
        print(line)
    return 0


def _selected(all_entries: Sequence[Entry], name: str | None) -> Sequence[Entry]:
    """Return the entries of table or key *name*; all for ``None``."""
    if name is None:
        return all_entries
    found = [each for each in all_entries if name in (each.name, _table_of(each))]
    if not found:
        known = dict.fromkeys(map(_table_of, all_entries))
        raise ConfigError(f"there is no table or key {name!r}; {nearest(name, known)}")
    return found


def _record(entry: Entry) -> Mapping[str, Any]:
    return {
        "type": entry.kind,
        "default": entry.default,
        "help": entry.help,
        "example": entry.example,
        "value": entry.value,
        "from": entry.source,
    }


def _values(selected: Sequence[Entry]) -> Iterator[str]:
    """Yield a config of the current values, each with its source."""
    for number, (table, those) in enumerate(groupby(selected, _table_of)):
        if number:
            yield ""
        yield f"[{table}]"
        for entry in those:
            yield f"{_key_of(entry)} = {toml(entry.value)}  # {entry.source or 'default'}"


def _page(selected: Sequence[Entry]) -> Iterator[str]:
    """Yield the reference page: a config of the defaults, each key below its meaning."""
    for number, (table, those) in enumerate(groupby(selected, _table_of)):
        if number:
            yield ""
        yield f"[{table}]"
        about = (type(getattr(Config(), table)).__doc__ or "").partition(": ")[2]
        yield from _comment(about[:1].upper() + about[1:])
        for entry in those:
            yield ""
            yield from _comment(entry.help)
            yield from _comment(f"{entry.kind[:1].upper()}{entry.kind[1:]}.")
            name = _key_of(entry)
            if entry.example != toml(entry.default):
                yield f"# For example: {name} = {entry.example}"
            yield f"{name} = {toml(entry.default)}"


def _table_of(entry: Entry) -> str:
    return entry.name.partition(".")[0]


def _key_of(entry: Entry) -> str:
    return entry.name.partition(".")[2]


def _comment(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="# ", subsequent_indent="# ")
