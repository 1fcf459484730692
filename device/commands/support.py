"""``boneace support``: a report for an issue, with nobody's name in it."""

from __future__ import annotations

import argparse
import contextlib
import time
from pathlib import Path

from device.commands.common import check_folder
from device.commands.doctor import CHECKS, examine
from device.config.model import load
from device.diagnostics.support_bundle import write_report
from device.storage.journal.reader import default_folder, default_path
from engine.core.errors import BoneAceError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace support --out report.zip"
    parser.add_argument("--out", type=Path, metavar="FILE.zip", help="default: in the state folder")
    parser.add_argument("--journal", type=Path, metavar="PATH", help="the journal's file")


def run(args: argparse.Namespace) -> int:
    """Write the report and print its path."""
    check_folder(args.journal)
    journal = args.journal or default_path()
    # The report says what is wrong with an invalid config.
    with contextlib.suppress(BoneAceError):
        journal = args.journal or load().journal.file
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    path = args.out or default_folder() / "support" / f"boneace-{stamp}.zip"
    write_report(path, journal, [examine(name) for name in CHECKS])
    print(f"{path}: look it through, then put it into an issue")
    return 0
