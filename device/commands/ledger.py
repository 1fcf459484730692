"""``boneace ledger``: who won what."""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from device.journal import Journal, Sitting, default_path
from device.session import retell
from device.story import signed
from engine import Event
from engine.views import View


@dataclass(frozen=True, slots=True)
class Line:
    """What one hand did to one player."""

    sitting: int
    date: str
    game: str
    preset: str
    hand: int
    end: str
    seat: int
    name: str
    net: int
    total: int


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.epilog = "Example: boneace ledger --csv > tokens.csv"
    parser.add_argument("--csv", action="store_true", help="one line a hand and player, as CSV")
    parser.add_argument("--journal", type=Path, help="the journal's file; default: your own")


def run(args: argparse.Namespace) -> int:
    """Print it."""
    with Journal(args.journal or default_path(), read_only=True) as journal:
        lines = [line for sitting in journal.sittings() for line in ledger(journal, sitting)]
    if args.csv:
        _write_csv(lines)
    else:
        for text in _table(lines):
            print(text)
    return 0


def ledger(journal: Journal, sitting: Sitting) -> list[Line]:
    """Return the finished hands of *sitting*, a line for each player in each."""
    names: dict[int, dict[int, str]] = {}

    def listen(event: Event, before: View, after: View) -> None:
        names.setdefault(after.hand_number, {}).update((s.seat, s.name) for s in after.seats)

    state = retell(journal, sitting, listen)
    date = time.strftime("%Y-%m-%d %H:%M", time.localtime(sitting.started))
    totals: dict[tuple[int, str], int] = {}
    lines = []
    for number, hand in enumerate(state.hands, 1):
        for seat, net in hand.settlement:
            name = names[number].get(seat, f"seat {seat}")
            totals[seat, name] = totals.get((seat, name), 0) + net
            lines.append(
                Line(
                    sitting.number,
                    date,
                    sitting.game,
                    sitting.preset,
                    number,
                    str(hand.end),
                    seat,
                    name,
                    net,
                    totals[seat, name],
                )
            )
    return lines


def _write_csv(lines: Iterable[Line]) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(Line.__slots__)
    for line in lines:
        writer.writerow([getattr(line, name) for name in Line.__slots__])


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
