"""``boneace name``: the name of this table, in its copies, support reports and a hall."""

from __future__ import annotations

import argparse

from device.config.model import load
from device.storage.copies.table_name import rename_table, table_name


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: sudo boneace name red-otter"
    parser.add_argument(
        "new",
        nargs="?",
        metavar="NEW",
        help="another name; its copies keep theirs, and a hall's broker needs a user of that name",
    )


def run(args: argparse.Namespace) -> int:
    """Print the name, or change it."""
    folder = load().journal.file.parent
    if args.new is not None:
        old = table_name(folder)
        rename_table(folder, args.new)
        print(f"copies on a stick named {old} are another table's from now on")
    print(table_name(folder))
    return 0
