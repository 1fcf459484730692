"""``boneace bones stats``: how often each face fell, and whether the bones are fair."""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter
from pathlib import Path

from device.commands.common import add_journal, add_thing, chart_marks, journal_path, open_journal
from device.config.model import load
from device.croupier.counting.counter import Kind
from device.data_out import write_json
from device.files import check_regular
from device.reports.bone_counts import FaceCounts, count_faces
from device.reports.fairness import document, faces_page, report
from device.runtime.counting import ROW, counted, rows_of
from device.storage.counts import counts_path
from device.usage import UsageError
from display.pages.renderer import save_page
from engine.core.bones import Face


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace bones stats --set brass --picture bones.png"
    summary = "how often each face fell in this table's journal, against published odds"
    sub = add_thing(parser, "stats", summary)
    sub.add_argument(
        "--set", metavar="NAME", help="one set, as named by boneace play --bones; default: all"
    )
    sub.add_argument(
        "--counted", action="store_true", help="what boneace count counted, instead of the journal"
    )
    told = sub.add_mutually_exclusive_group()
    told.add_argument("--json", action="store_true", help="counts, bounds and the test, as JSON")
    told.add_argument("--csv", action="store_true", help="with --counted: a line for each bone")
    sub.add_argument("--picture", type=Path, metavar="PNG", help="the chart as a picture, too")
    add_journal(sub)


def run(args: argparse.Namespace) -> int:
    """Print the counts; return 1 when no bone has been thrown yet."""
    if args.counted and args.set:
        raise UsageError("--set: boneace count keeps no sets apart; leave --set out")
    if args.csv and not args.counted:
        raise UsageError("--csv: for what boneace count counted; add --counted, or take --json")
    path = counts_path(journal_path(args))
    if args.counted:
        faces, throws, sittings = counted(path, Kind.BONES)
        first = Counter({face: faces[face] for face in Face})
        counts = FaceCounts(first, throws=throws, sittings=sittings)
    else:
        with open_journal(args) as journal:
            counts = count_faces(journal, args.set)
    if args.json:
        write_json(document(counts, args.set))
    if args.csv:
        csv.writer(sys.stdout, lineterminator="\n").writerows((ROW, *rows_of(path, Kind.BONES)))
    if not counts.bones:
        print(f"No bone has been thrown yet; {_cure(args, path)}", file=sys.stderr)
        return 1
    if not args.json and not args.csv:
        print(*report(counts, args.set, chart_marks(sys.stdout.encoding)), sep="\n")
    if args.picture is not None:
        _save(counts, args.set, args.picture)
    return 0


def _cure(args: argparse.Namespace, path: Path) -> str:
    """Return what to do where there is nothing to tell; *path* is where counts are kept."""
    if args.counted:
        return "count some: boneace count bones"
    number = counted(path, Kind.BONES)[0].total()
    if number and args.set is None:
        return f"boneace count counted {number}: boneace bones stats --counted"
    return "play a round: boneace play --game knucklebones"


def _save(counts: FaceCounts, name: str | None, path: Path) -> None:
    """Write the picture in the language of the table's screen."""
    check_regular(path)
    save_page(faces_page(counts, name), path, load().display.language)
    print(f"picture in {path}", file=sys.stderr)
