"""Plays one hand of an evening's table again, from its journal and its readings, and prints it.

python -m tests.acceptance.evening.replay FOLDER START [--hand T] [--to T] [--histories T]

FOLDER holds journal.sqlite3 and readings-START.jsonl, as `make evening` and `make fair` leave them;
times are seconds of the evening, as in its log. The hand is that which was in play at --hand; from
--histories on, what lies there and all histories that are kept are printed after each line.
"""

from __future__ import annotations

import argparse
import math
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

from device.clock import HandClock
from device.croupier.lines import read_line
from device.runtime.readings import settled
from device.storage.journal.reader import JournalReader
from device.storage.journal.replay import event_of, opening
from engine import apply, event_to_dict
from engine.core.events import NextHand
from tests.acceptance.evening.machine import BEGAN_S
from tests.support.readings_player import MemorySession, NoSource, TimedTable


def begin_of_hand(folder: Path, at_s: float):
    """Return the state at the beginning of the hand that was in play at *at_s*, and when it was."""
    with JournalReader(folder / "journal.sqlite3") as journal:
        before = [each for each in journal.sittings() if each.started <= BEGAN_S + at_s + 1]
        sitting = max(before, key=lambda each: each.started)
        state = kept = opening(sitting)
        since_s = sitting.started - BEGAN_S
        for stored in journal.stored(sitting.number):
            if stored.time > BEGAN_S + at_s:
                break
            event = event_of(stored.text)
            state = apply(state, event)
            if isinstance(event, NextHand):
                kept, since_s = state, stored.time - BEGAN_S
    return kept, since_s


class Replay:
    """A hand on its way through a table."""

    def __init__(self, state, since_s: float) -> None:
        self.clock = HandClock(since_s)
        self.table = TimedTable(MemorySession(state), NoSource(), (), self.clock)
        self.told, self.said = state.log, ""

    def play(self, line) -> None:
        """Let time pass until *line*, play it, and print what it changed."""
        clock, table = self.clock, self.table
        while clock.monotonic() < line.time_s:
            clock.wait(min(0.1, line.time_s - clock.monotonic()))
            table.pass_time(clock.monotonic())
            self.tell()
        if line.reading is not None:
            table.see(line.reading)
        elif line.press is not None:
            self.print("PRESS", line.press.button.value, line.press.seat, line.press.choice)
            table.press(line.press)
        self.tell()

    def tell(self) -> None:
        """Print which events have gone and come, and what the screen says where that is new."""
        log = self.table.session.state.log
        pairs = zip(log, self.told, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        for sign, events in (("-", self.told[same:]), ("+", log[same:])):
            for event in events:
                self.print(sign, event)
        self.told = log
        prompt = self.table.prompt
        says = f"“{prompt.title}”, {prompt.detail}"
        if says != self.said:
            self.print(says)
        self.said = says

    def print_histories(self) -> None:
        """Print what is believed now."""
        found = self.table.croupier._set
        things = [thing for look in found.looks[-1:] for thing in (*look.cards, *look.bones)]
        self.print("LIES", ", ".join(map(self.thing, things)), "IGNORED", *found.ignored)
        for each in found.kept:
            told = [f"{event_to_dict(event)} {','.join(assumed)}" for event, assumed in each.steps]
            self.print(f"  {each.cost}: {'; '.join(told[-8:])} {each.said} {each.hands}")

    @staticmethod
    def thing(thing) -> str:
        """Return a card or bone in few words."""
        what = getattr(thing, "card", None) or getattr(thing, "face", None) or "?"
        seat = getattr(thing, "seat", None)
        where = getattr(thing, "zone", "mat") if seat is None else seat
        x, y = thing.centre
        return f"{thing.number}:{what}@{where}({x:.0f},{y:.0f})"

    def print(self, *words) -> None:
        """Print a line with the time."""
        print(f"{self.clock.monotonic():9.1f} ", *words)


def main(argv=None) -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("start", type=int)
    parser.add_argument("--hand", type=float, metavar="T")
    parser.add_argument("--to", type=float, default=math.inf, metavar="T")
    parser.add_argument("--histories", type=float, default=math.inf, metavar="T")
    args = parser.parse_args(argv)
    state, since_s = begin_of_hand(args.folder, args.start if args.hand is None else args.hand)
    texts = (args.folder / f"readings-{args.start}.jsonl").read_text().splitlines()
    lines = []
    for each in settled(map(read_line, texts)):
        at_s = each.time_s + args.start
        if since_s <= at_s <= args.to:
            reading = each.reading and replace(each.reading, time_s=at_s)
            press = each.press and replace(each.press, time_s=at_s)
            lines.append(replace(each, time_s=at_s, reading=reading, press=press))
    replay = Replay(state, since_s)
    for line in lines:
        replay.play(line)
        if line.time_s >= args.histories:
            replay.print_histories()


if __name__ == "__main__":
    main()
