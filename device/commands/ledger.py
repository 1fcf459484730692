"""``boneace ledger``: who won what."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from device.clock import local, utc
from device.evening import company, share_page, statistics
from device.journal import Journal, Sitting, default_path
from device.session import retell
from device.story import signed
from display.pages import save_page
from engine import Event, State
from engine.games.counting import GOAL
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
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="one line a hand and player, as CSV")
    form.add_argument("--json", action="store_true", help="sittings, hands and figures, as JSON")
    form.add_argument(
        "--picture", type=Path, metavar="PNG", help="the last sitting as a picture to share"
    )
    parser.add_argument("--journal", type=Path, help="the journal's file; default: your own")


def run(args: argparse.Namespace) -> int:
    """Print it."""
    with Journal(args.journal or default_path(), read_only=True) as journal:
        if args.json:
            everything = [document(journal, sitting) for sitting in journal.sittings()]
            json.dump({"sittings": everything}, sys.stdout, ensure_ascii=False, indent=2)
            print()
            return 0
        if args.picture is not None:
            return _picture(journal, args.picture)
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
    date = local(sitting.started, "%Y-%m-%d %H:%M")
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


def document(journal: Journal, sitting: Sitting) -> dict[str, Any]:
    """Return a sitting as JSON data: who played, what each hand brought, and its figures."""
    state = _state(journal, sitting)
    lines = ledger(journal, sitting)
    totals = {(line.seat, line.name): line.total for line in lines}
    for seat, name in company(state).items():
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


def _picture(journal: Journal, path: Path) -> int:
    """Write the picture of the last sitting in which a hand was finished."""
    for sitting in reversed(journal.sittings()):
        state = _state(journal, sitting)
        if state.hands:
            save_page(share_page(state, sitting.started), path)
            return 0
    print("No hand has been finished yet; play one with: boneace play", file=sys.stderr)
    return 1


def _state(journal: Journal, sitting: Sitting) -> State:
    return retell(journal, sitting, lambda event, before, after: None)


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
