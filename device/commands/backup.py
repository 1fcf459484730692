"""``boneace backup``: copy the journal and all that was set and taught, also in mid-game."""

from __future__ import annotations

import argparse
import contextlib
import logging
import sqlite3
from pathlib import Path

from device.clock import SystemClock
from device.commands.common import complain
from device.commands.state_files import copy_folders, parts_of
from device.config.model import Config, load
from device.storage.copies.backup import BackupError, back_up
from device.storage.copies.erase import copies_of, erase_files, too_old
from device.storage.copies.turns import turn
from device.storage.journal.errors import JournalError
from device.storage.journal.journal import Journal
from device.storage.journal.reading import reading
from engine.core.text.limits import one_line

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace backup --to /media/stick"
    parser.add_argument(
        "--to", type=Path, metavar="FOLDER", help="only there; default: as the config says"
    )
    parser.add_argument("--journal", type=Path, metavar="PATH", help="the journal's file")
    parser.add_argument("--if-any", action="store_true", help="no journal yet is no error")


def run(args: argparse.Namespace) -> int:
    """Copy the journal to its backup folder and to the USB stick, if there is one."""
    config = load()
    journal = args.journal or config.journal.file
    if args.if_any and not journal.exists():
        print(f"{journal}: no journal yet, nothing to copy")
        return 0
    _forget_old(config, journal)
    folders = [args.to] if args.to else copy_folders(config, journal)
    failed = 0
    for folder in folders:
        try:
            copy = back_up(
                journal,
                folder,
                keep=config.backup.keep,
                wall_s=SystemClock().wall(),
                most_bytes=config.backup.max_mb * 1_000_000,
                parts=parts_of(journal),
            )
        except BackupError as problem:
            # The other place is still tried.
            log.error("%s", problem)
            failed += 1
            continue
        gone = f"; {copy.removed} older removed" if copy.removed else ""
        gone = gone if copy.new else "; nothing has changed since"
        if copy.damage:
            log.error("%s: %s", journal, copy.damage[0])
        print(one_line(f"{copy.path}: {copy.events} events{gone}"))
        failed += bool(copy.damage)
        if args.to and _on_one_disk(copy.path, journal):
            complain(
                f"boneace backup: {folder} is on the disk of the journal itself; "
                "if it was to be a stick, mount that first"
            )
    return int(failed > 0)


def _on_one_disk(*paths: Path) -> bool:
    """Return whether all *paths* would be lost with one disk; a path that is not there has none."""
    with contextlib.suppress(OSError):
        return len({path.stat().st_dev for path in paths}) == 1
    return False


def _forget_old(config: Config, journal: Path) -> None:
    """Erase what is kept no longer from journal, copies, and what lies beside the journal."""
    days = config.keep_days
    if not days:
        return
    wall_s = SystemClock().wall()
    try:
        with reading(journal) as db:
            wanted = too_old(db, days, wall_s)
        if wanted is not None:
            with turn(journal):
                copies = copies_of(journal, copy_folders(config, journal))
                if any(wanted.judged.values()):
                    # Where somebody plays, that program has the lock, and does it.
                    with contextlib.suppress(JournalError), Journal(journal) as opened:
                        opened.erase(wanted, wall_s)
                for problem in erase_files(journal, copies, wanted, wall_s).failed:
                    log.error("%s", problem)
    except (OSError, sqlite3.Error) as problem:
        log.error("%s: what is too old was not erased from the copies (%s)", journal, problem)
