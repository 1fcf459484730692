"""``boneace ledger``: who won what, and with ``--audit`` every payment, its cause and its rule."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from device.booth.summary import player_names, share_page, statistics
from device.clock import local, utc
from device.commands.replay import find_sitting
from device.narration.story import signed
from device.reports import audit_tables
from device.reports.audit import Audit, AuditError, audit
from device.storage.journal import Journal, SessionRecord, default_path
from device.storage.record_files import RecordFileError, examine
from device.storage.replay import opening
from display.pages.renderer import save_page
from engine import event_from_dict
from engine.core.counting import GOAL
from engine.core.errors import BoneAceError
from engine.core.text.limits import plain

MATCH = "match"
"""Stands for the hand and its end where the pot of a match is won."""


Net = tuple[int, int]
"""A seat and its net tokens."""


@dataclass(frozen=True, slots=True)
class Line:
    """What one hand did to one player."""

    sitting: int
    date: str
    game: str
    preset: str
    hand: int | str
    end: str
    seat: int
    name: str
    net: int
    total: int


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace ledger --csv > tokens.csv, or: boneace ledger --audit"
    parser.add_argument(
        "records", nargs="*", type=Path, metavar="FILE.json", help="game records, with --audit"
    )
    parser.add_argument(
        "--audit",
        action="store_true",
        help="every payment: from whom, to whom, why, by which rule, and the running totals; "
        "exit 1 if anything does not add up",
    )
    parser.add_argument("--sitting", type=int, help="which sitting, from 1; default: all of them")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="one line a hand and player, as CSV")
    form.add_argument("--json", action="store_true", help="sittings, hands and figures, as JSON")
    form.add_argument(
        "--picture", type=Path, metavar="PNG", help="the last sitting as a picture to share"
    )
    parser.add_argument("--journal", type=Path, help="the journal's file; default: your own")


def run(args: argparse.Namespace) -> int:
    """Print it."""
    if args.records:
        return _audit_records(args)
    with Journal(args.journal or default_path(), read_only=True) as journal:
        sittings = journal.sittings()
        if args.sitting is not None:
            sittings = (find_sitting(journal, args.sitting),)
        followed = list(_follow_all(journal, sittings))
        if args.audit:
            audits = [(_about(sitting), found) for sitting, found in followed]
            return _write_audit(args, audits) or _all_told(followed, sittings)
        if args.picture is not None:
            return _picture(followed, args.picture)
    if args.json:
        told = [_document(found, sitting) for sitting, found in followed]
        json.dump({"sittings": told}, sys.stdout, ensure_ascii=False, indent=2)
        print()
        return _all_told(followed, sittings)
    lines = [line for sitting, found in followed for line in _lines(found, sitting)]
    if args.csv:
        _write_csv(lines)
    else:
        for text in _table(lines):
            print(text)
    return _all_told(followed, sittings)


def _follow_all(
    journal: Journal, sittings: Sequence[SessionRecord]
) -> Iterator[tuple[SessionRecord, Audit]]:
    """Yield what can be followed; one sitting that cannot must not hide the others."""
    for sitting in sittings:
        try:
            yield sitting, follow(journal, sitting)
        except BoneAceError as problem:
            print(plain(f"boneace ledger: left out: {problem}"), file=sys.stderr)


def _all_told(followed: Sequence[object], sittings: Sequence[object]) -> int:
    return 0 if len(followed) == len(sittings) else 1


def follow(journal: Journal, sitting: SessionRecord) -> Audit:
    """Return the audit of *sitting*.

    Raises:
        BoneAceError: an event of it cannot be played; the message names it.
    """
    events = (
        (round(max(0.0, at - sitting.started), 3), event_from_dict(entry))
        for at, entry in journal.events(sitting.number)
    )
    try:
        return audit(opening(sitting), events)
    except AuditError as problem:
        raise AuditError(f"{journal.path}: sitting {sitting.number}: {problem}") from problem


def ledger(journal: Journal, sitting: SessionRecord) -> list[Line]:
    """Return the finished hands of *sitting*, a line for each player in each.

    A match that is over adds a line for each of its players: the pot goes from them to the winner.
    """
    return _lines(follow(journal, sitting), sitting)


def _lines(found: Audit, sitting: SessionRecord) -> list[Line]:
    date = local(sitting.started, "%Y-%m-%d %H:%M")
    totals: dict[tuple[int, str], int] = {}
    everybody: dict[int, str] = {}
    lines: list[Line] = []

    def add(hand: int | str, end: str, people: dict[int, str], nets: Iterable[Net]) -> None:
        for seat, net in nets:
            name = people[seat]
            totals[seat, name] = totals.get((seat, name), 0) + net
            lines.append(
                Line(
                    sitting.number,
                    date,
                    sitting.game,
                    sitting.preset,
                    hand,
                    end,
                    seat,
                    name,
                    net,
                    totals[seat, name],
                )
            )

    for number, hand in enumerate(found.state.hands, 1):
        everybody |= found.people[number]
        add(number, str(hand.end), found.people[number], hand.settlement)
    match = found.state.round.standing
    if match.over:
        add(MATCH, "won" if match.winner is not None else "shared", everybody, match.settlement)
    return lines


def document(journal: Journal, sitting: SessionRecord) -> dict[str, Any]:
    """Return a sitting as JSON data: who played, what each hand brought, and its figures."""
    return _document(follow(journal, sitting), sitting)


def _document(found: Audit, sitting: SessionRecord) -> dict[str, Any]:
    state, lines = found.state, _lines(found, sitting)
    totals = {(line.seat, line.name): line.total for line in lines}
    for seat, name in player_names(state).items():
        totals.setdefault((seat, name), 0)
    goal = getattr(state.setup.options, "target", GOAL)
    told = statistics(state.hands, goal)
    hands = []
    for number, hand in enumerate(state.hands, 1):
        hands.append(
            {
                "hand": number,
                "end": str(hand.end),
                "dealer": hand.dealer,
                "winners": list(hand.winners),
                "tokens": [
                    {"seat": line.seat, "name": line.name, "net": line.net, "total": line.total}
                    for line in lines
                    if line.hand == number
                ],
            }
        )
    return {
        "sitting": sitting.number,
        "started": utc(sitting.started),
        "closed": None if sitting.closed is None else utc(sitting.closed),
        "game": sitting.game,
        "preset": sitting.preset,
        "options": dict(sitting.options),
        "players": [
            {"seat": seat, "name": name, "tokens": total}
            for (seat, name), total in sorted(totals.items())
        ],
        "hands": hands,
        "statistics": {
            "hands": told.hands,
            "misdeals": told.misdeals,
            "over": told.over,
            "exact": told.exact,
            "goal": goal,
            "biggest_win": None
            if told.biggest is None
            else dict(zip(("tokens", "seat", "hand"), told.biggest, strict=True)),
            "luckiest_seats": [] if told.luckiest is None else list(told.luckiest[1]),
            "most_hands_won": 0 if told.luckiest is None else told.luckiest[0],
            "longest_run": None
            if told.run is None
            else dict(zip(("hands", "seat"), told.run, strict=True)),
        },
    }


def _audit_records(args: argparse.Namespace) -> int:
    """Audit records; what in them was changed by hand is told as well."""
    if not args.audit:
        raise RecordFileError(
            f"{args.records[0]}: the tokens of a record are followed one by one; add --audit"
        )
    return _write_audit(args, [_of_record(path) for path in args.records])


def _of_record(path: Path) -> tuple[dict[str, Any], Audit]:
    record, doubts = examine(path)
    try:
        found = audit(record.opening, record.events)
    except AuditError as problem:
        raise AuditError(f"{path}: {problem}") from problem
    found.problems.extend(doubts)
    setup = record.opening.setup
    about = {
        "sitting": record.title or path.name,
        "date": record.started,
        "game": setup.game.name,
        "preset": setup.preset,
    }
    return about, found


def _about(sitting: SessionRecord) -> dict[str, Any]:
    return {
        "sitting": sitting.number,
        "date": utc(sitting.started),
        "game": sitting.game,
        "preset": sitting.preset,
    }


def _write_audit(args: argparse.Namespace, audits: list[tuple[dict[str, Any], Audit]]) -> int:
    """Print audits, and what does not add up on standard error too."""
    if args.picture is not None:
        raise AuditError("--picture: an audit is text; leave one of --audit and --picture out")
    if args.json:
        told = [audit_tables.document(found, about) for about, found in audits]
        json.dump({"sittings": told}, sys.stdout, ensure_ascii=False, indent=2)
        print()
    elif args.csv:
        table = [row for about, found in audits for row in audit_tables.rows(found, about)]
        audit_tables.write_csv(table, sys.stdout)
    else:
        for number, (about, found) in enumerate(audits):
            title = f"{_title(about)}, {about['date']}: {about['game']}, {about['preset']}"
            for line in audit_tables.page(found, title):
                print(plain(line))
            if number < len(audits) - 1:
                print()
    for about, found in audits:
        for problem in found.problems:
            print(plain(f"{_title(about)}: {problem}"), file=sys.stderr)
    return 1 if any(found.problems for _, found in audits) else 0


def _title(about: Mapping[str, Any]) -> str:
    sitting = about["sitting"]
    return f"Sitting {sitting}" if isinstance(sitting, int) else str(sitting)


def _picture(followed: Sequence[tuple[SessionRecord, Audit]], path: Path) -> int:
    """Write the picture of the last sitting in which a hand was finished."""
    for sitting, found in reversed(followed):
        if found.state.hands:
            save_page(share_page(found.state, sitting.started), path)
            return 0
    print("No hand has been finished yet; play one with: boneace play", file=sys.stderr)
    return 1


def _write_csv(lines: Iterable[Line]) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(Line.__slots__)
    for line in lines:
        cells = [getattr(line, name) for name in Line.__slots__]
        writer.writerow([audit_tables.harmless(cell) for cell in cells])


def _table(lines: list[Line]) -> list[str]:
    if not lines:
        return ["No hand has been finished yet."]
    texts: list[str] = []
    for sitting in dict.fromkeys(line.sitting for line in lines):
        mine = [line for line in lines if line.sitting == sitting]
        people = list(dict.fromkeys((line.seat, line.name) for line in mine))
        width = max(8, *(len(name) for _, name in people)) + 2
        texts.append(f"Sitting {sitting}, {mine[0].date}: {mine[0].game}, {mine[0].preset}")
        texts.append(f"{'hand':<20}" + "".join(f"{name:>{width}}" for _, name in people))
        for hand in dict.fromkeys(line.hand for line in mine):
            row = {(line.seat, line.name): line for line in mine if line.hand == hand}
            end = next(iter(row.values())).end
            nets = [signed(row[who].net) if who in row else "" for who in people]
            texts.append(f"{f'{hand} {end}':<20}" + "".join(f"{net:>{width}}" for net in nets))
        last = {(line.seat, line.name): line.total for line in mine}
        sums = "".join(f"{signed(last[who]):>{width}}" for who in people)
        texts.extend([f"{'total':<20}" + sums, ""])
    return texts[:-1]
