"""``boneace config``: what is set, where each value comes from, and what every key means."""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from device.config.fields import nearest, toml
from device.config.model import (
    Config,
    ConfigError,
    Entry,
    HallConfig,
    LayeredConfig,
    load_layers,
    paths,
)
from device.data_out import write_json

CREDENTIALS = Path("/run/credentials")

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
    layers = LayeredConfig() if args.explain else load_layers()
    if args.name == "check":
        for path in paths():
            print(f"{path}: {'can be used' if path in layers.files else 'not there'}")
        missing = list(_missing(layers.config.hall))
        for line in missing:
            print(line, file=sys.stderr)
        return 1 if missing else 0
    selected = _selected(layers.entries(), args.name)
    if args.json:
        write_json(
            {
                each.name: {
                    "type": each.key.kind,
                    "default": each.default,
                    "help": each.key.help,
                    "example": each.example,
                    "value": each.value,
                    "from": each.source,
                }
                for each in selected
            }
        )
        return 0
    lines_of = _reference if args.explain else _values
    tables = groupby(selected, attrgetter("table"))
    print("\n\n".join("\n".join(lines_of(*each)) for each in tables))
    return 0


def _missing(hall: HallConfig) -> Iterator[str]:
    """Yield what is wrong where a file that ``[hall]`` names is not there."""
    for name in ("password_file", "ca_file"):
        path = Path(getattr(hall, name) or "/")
        # Below it systemd lays the file once the service starts.
        if not path.is_relative_to(CREDENTIALS):
            try:
                path.stat()
            except (FileNotFoundError, NotADirectoryError):
                yield f"hall.{name}: there is no file {toml(str(path))}; write it, or mend its name"
            except OSError:
                pass  # it is for the user of the publisher alone


def _selected(all_entries: Sequence[Entry], name: str | None) -> Sequence[Entry]:
    """Return the entries of table or key *name*, or the key it stands in; all for ``None``."""
    if name is None:
        return all_entries
    found = [each for each in all_entries if name in (each.name, each.table)] or [
        each for each in all_entries if name == each.last or name.startswith(f"{each.name}.")
    ]
    if not found:
        known = dict.fromkeys(each.table for each in all_entries)
        raise ConfigError(f"there is no table or key {name!r}; {nearest(name, known)}")
    return found


def _values(table: str, group: Iterable[Entry]) -> Iterator[str]:
    yield f"[{table}]"
    for entry in group:
        yield f"{entry.last} = {toml(entry.value)}  # {entry.source or 'default'}"


def _reference(table: str, group: Iterable[Entry]) -> Iterator[str]:
    """Yield one table of the reference page: the defaults, each key below its meaning."""
    yield f"[{table}]"
    about = (type(getattr(Config(), table)).__doc__ or "").partition(": ")[2]
    yield from _comment(about[:1].upper() + about[1:])
    for entry in group:
        yield ""
        yield from _comment(entry.key.help)
        kind = entry.key.kind
        yield from _comment(f"{kind[:1].upper()}{kind[1:]}.")
        if entry.example != toml(entry.default):
            yield f"# For example: {entry.last} = {entry.example}"
        yield f"{entry.last} = {toml(entry.default)}"


def _comment(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="# ", subsequent_indent="# ")
