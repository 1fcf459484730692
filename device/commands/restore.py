"""``boneace restore``: list the copies there are, or bring one of them back."""

from __future__ import annotations

import argparse
import contextlib
from pathlib import Path

from device.clock import SystemClock
from device.commands.common import check_folder, confirm
from device.commands.state_files import copy_folders, part_path, parts_of
from device.config.model import load
from device.storage.copies import copies
from device.storage.copies.copies import CopyError, Found
from device.storage.copies.restore import restore
from device.storage.copies.table_name import table_name
from engine.core.text.counted import counted

NEWEST = "newest"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace restore, then: boneace restore newest"
    parser.add_argument(
        "copy",
        nargs="?",
        metavar="COPY",
        help="a file, a name from the list, or: newest; without it the copies are listed",
    )
    parser.add_argument("--from", dest="folder", type=Path, help="where the copies are")
    parser.add_argument("--journal", type=Path, metavar="PATH", help="the journal's file")
    parser.add_argument("--yes", action="store_true", help="do not ask")


def run(args: argparse.Namespace) -> int:
    """List the copies, or check one, keep what is there, and bring the copy back."""
    config = load()
    check_folder(args.journal)
    journal = args.journal or config.journal.file
    folders = [args.folder] if args.folder else copy_folders(config, journal)
    if args.copy is None:
        return _list(folders, journal)
    path = _find(args.copy, folders, journal)
    held = copies.check(path)
    told = f"{counted(held.sittings, 'sitting')}, {counted(held.events, 'event')}"
    print(f"{path}: {told}{_damage(held.damage)}")
    question = f"Replace {journal} and the settings by it? What is there is kept."
    if not args.yes and not confirm(question, "bring it back"):
        print("nothing was changed")
        return 1
    done = restore(
        path,
        journal,
        config.backup.folder_of(journal),
        lambda name: part_path(journal, name),
        wall_s=SystemClock().wall(),
        parts=parts_of(journal),
    )
    if done.aside is not None:
        print(f"{done.aside}: what was there before")
    print(f"{journal}: brought back, with {counted(max(0, len(held.parts) - 1), 'other file')}")
    for file, target in done.left:
        print(f"{target} could not be written; put it there: sudo cp {file} {target}")
    return 0


def _list(folders: list[Path], journal: Path) -> int:
    own = table_name(journal.parent)
    for folder in folders:
        found = copies.found_in(folder)
        found.sort(key=lambda each: each.table != own)  # others come after its own
        print(f"{folder}: {counted(len(found), 'copy', 'copies')}")
        for each in found:
            print(f"  {each.path.name}  {each.table or 'no name'}  {each.when}  {_about(each)}")
    return 0


def _about(each: Found) -> str:
    try:
        held = copies.check(each.path)
    except CopyError as problem:
        return f"not sound: {problem}"
    before = ", what a restore replaced" if each.kind == copies.BEFORE else ""
    told = f"{counted(held.sittings, 'sitting')}, {counted(held.events, 'event')}{before}"
    return f"{told}{_damage(held.damage) or ', sound'}"


def _damage(damage: tuple[str, ...]) -> str:
    return f", the journal in it is damaged: {damage[0]}" if damage else ""


def _find(wanted: str, folders: list[Path], journal: Path) -> Path:
    if wanted == NEWEST:
        own, others = table_name(journal.parent), set()
        for folder in folders:
            found = copies.found_in(folder)
            found = [each for each in found if not each.kind and not _is_blank(each)]
            others |= {each.table or "no name" for each in found}
            mine = [each for each in found if each.table == own] or [
                each for each in found if len({each.table for each in found}) == 1
            ]
            if mine:
                return mine[0].path
        if others:
            there = ", ".join(sorted(others))
            raise CopyError(f"no copy is of this table, {own}, but of {there}; name one of them")
        raise CopyError("there is no sound copy with a hand in it; see them all: boneace restore")
    named = (folder / wanted for folder in folders)
    return next((path for path in (Path(wanted), *named) if path.is_file()), Path(wanted))


def _is_blank(each: Found) -> bool:
    """Return whether nothing was played: so a new machine copies itself before it is restored."""
    with contextlib.suppress(CopyError):
        return copies.manifest_of(each.path).events == 0
    return False
