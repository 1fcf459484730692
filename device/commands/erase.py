"""``boneace erase``: remove a player's name, or whole sittings, from journal and copies."""

from __future__ import annotations

import argparse
import math
import sys
import time
from pathlib import Path

from device.clock import SystemClock
from device.commands.common import confirm, open_journal
from device.commands.state_files import copy_folders, parts_of
from device.config.model import load
from device.hall.store import Store
from device.storage.copies.erase import copies_of, erase_files
from device.storage.copies.turns import turn
from device.storage.counts import counts_path
from device.storage.journal.erase_rows import Erased, Erasure, ended_before, in_text
from device.storage.journal.journal import Journal
from device.usage import UsageError
from engine.core.players import name_key
from engine.core.text.counted import counted


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace erase --player Ann, or: boneace erase --before 2026-11-01"
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--player", metavar="NAME", help='a name becomes "Player 3"; scores stay')
    what.add_argument("--before", metavar="DATE", help="sittings that ended before it: 2026-11-01")
    what.add_argument("--all", action="store_true", help="all sittings")
    parser.add_argument("--journal", type=Path, metavar="PATH", help="the journal's file")
    parser.add_argument("--yes", action="store_true", help="do not ask")


def run(args: argparse.Namespace) -> int:
    """Erase from the journal, from what is kept beside it, and from the copies."""
    config = load()
    journal = args.journal or config.journal.file
    wanted = _wanted(args)
    if args.journal is not None:
        with open_journal(args):  # one that is named and is not there is not made
            pass
    # What a hall keeps belongs to this machine, not to a journal that lies anywhere.
    hall = config.hall.store if args.journal is None and config.hall.store.exists() else None
    if not args.yes and not _is_sure(args, hall):
        print("nothing was erased")
        return 1
    wall_s = SystemClock().wall()
    # Both lock: nobody may play meanwhile, or make a copy of what is erased.
    with Journal(journal) as opened, turn(journal):
        copies = copies_of(journal, copy_folders(config, journal))
        if args.before is not None:
            before_s = wanted.before_s or 0.0
            wanted = opened.ask(
                lambda db: ended_before(db, before_s, latest_s=wall_s, unfinished=True)
            )
        done = opened.erase(wanted, wall_s)
        more = erase_files(journal, copies, wanted, wall_s)
    if wanted.player:
        print(f"{journal}: the name was replaced in {counted(len(done.renamed), 'sitting')}")
    else:
        print(f"{journal}: {counted(len(done.gone), 'sitting')} erased")
    for number in done.kept:
        print(f"sitting {number} was kept: its date cannot be right; boneace erase --all erases it")
    _tell_files(journal, wanted, more)
    # Last: what was done is told even if the hall's file cannot be used.
    if hall is not None and (changed := _erase_from_hall(hall, wanted)):
        print(f"{hall}: {counted(changed, 'sitting')} of the hall's tables changed")
    return 1 if more.failed else 0


def _tell_files(journal: Path, wanted: Erasure, more: Erased) -> None:
    """Say what became of the files beside the journal, and of the copies."""
    print(f"{counted(len(more.files), 'copy', 'copies')} and other files written anew")
    if counts_path(journal) in more.files:
        print("what was counted without a game is erased too")
    for path in more.deleted:
        print(f"{path}: could not be read, and was deleted")
    for problem in more.failed:
        print(f"boneace erase: {problem}; mend it, then run this again", file=sys.stderr)
    for name, path in parts_of(journal).items():
        if wanted.player and name.startswith("config/") and _names(path, wanted.player):
            print(f"{path} names the player too; change it there")


def _erase_from_hall(path: Path, wanted: Erasure) -> int:
    """Erase from what a hall on this machine keeps; return how many sittings were changed."""
    with Store(path) as store:
        done = store.erase(wanted)
    return len(done.gone) + len(done.renamed)


def _wanted(args: argparse.Namespace) -> Erasure:
    if args.all:
        return Erasure(before_s=math.inf)
    if args.before is not None:
        try:
            return Erasure(before_s=time.mktime(time.strptime(args.before, "%Y-%m-%d")))
        except (ValueError, OverflowError) as problem:
            raise UsageError(f"--before: {args.before!r} is no date; try 2026-11-01") from problem
    if not name_key(args.player):
        raise UsageError("--player: needs a name; try --player Ann")
    return Erasure(args.player)


def _names(config: Path, player: str) -> bool:
    try:
        text = config.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return in_text(text, player, "") != text


def _is_sure(args: argparse.Namespace, hall: Path | None) -> bool:
    what = f'the name "{args.player}"' if args.player else "these sittings"
    where = "the journal and all its copies" + (f" and {hall}" if hall is not None else "")
    return confirm(f"Erase {what} from {where}, for good?", "erase")
