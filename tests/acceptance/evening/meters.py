"""What the evening is measured by: memory, files, the log, and the ledger on disk."""

from __future__ import annotations

import contextlib
import gc
import json
import os
import platform
import re
import sqlite3
import sys
import time
from collections import Counter
from pathlib import Path

from device.booth.summary import player_names
from device.clock import HandClock
from device.runtime.session import Session
from device.storage.journal.journal import Journal
from tests.support.paths import ROOT

PAGE = ROOT / "docs" / "why" / "evening.md"
MEASURED = Path(__file__).with_name("measured.json")
EVERY_S = 600.0
HOUR_S = 3600.0

SETTLED_S = 3600.0
"""After so long every game, deck and screen has been seen, and memory should be flat: until then
what was drawn and worked out once is kept, up to fixed numbers of texts, fonts and chances."""

MEMORY_MB = 48.0
"""So much may it go up and down after that."""

EVENT_SPREAD = 0.2
"""Bytes of an event in the journal, of each hour, may differ so much from those of the evening."""

GIVEN_UP = 0.05
"""In so many hands the dealer may have to call a misdeal, because a card cannot be read."""

EXPLAINED = {
    "the camera or the mat was moved": ("the mat is knocked", "a hand on the camera",
                                        "an arm over the mat", "black pictures"),
    "the camera gives no pictures": ("the camera is unplugged",),
    "no camera found": ("the camera is unplugged",),
}  # fmt: skip
"""How a warning may begin, and the mishaps of which each may bring it once."""


def memory_mb() -> float:
    """Return the resident memory of this process, the drawn table in it included."""
    with Path("/proc/self/statm").open(encoding="ascii") as handle:
        pages = int(handle.read().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def event_bytes(path) -> int:
    """Return how many bytes the events in the journal take, without what was seen beside them.

    How much is seen for one event depends on the game and on what goes wrong.
    """
    query = "SELECT TOTAL(LENGTH(event) + LENGTH(assumed) + LENGTH(digest)) FROM events"
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as opened:
        (found,) = opened.execute(query).fetchone()
    return int(found)


class Meters:
    """Takes the figures of an evening as it goes on."""

    def __init__(self, machine, folder):
        self.machine, self.folder = machine, Path(folder)
        self.samples = []
        self.began_s = time.process_time()
        self._next_s = EVERY_S

    def tick(self, evening):
        """Take the figures if it is time."""
        if self.machine.now >= self._next_s:
            self._next_s += EVERY_S
            self.sample(evening)

    def sample(self, evening):
        """Take all figures now."""
        gc.collect()
        true = evening.dealer.true
        session = self.machine.session
        files = {
            path.relative_to(self.folder).as_posix(): path.stat().st_size
            for path in sorted(self.folder.rglob("*"))
            if path.is_file()
        }
        journal = {name: size for name, size in files.items() if name.startswith("journal")}
        others = {n: size for n, size in files.items() if n not in journal}
        self.samples.append(
            {
                "at_s": round(self.machine.now, 1),
                "memory_mb": round(memory_mb(), 1),
                "journal": event_bytes(self.folder / "journal.sqlite3"),
                "file": journal.get("journal.sqlite3", 0),
                "wal": journal.get("journal.sqlite3-wal", 0),
                "pictures": sum(1 for name in others if name.startswith("pictures/")),
                "others": sum(size for n, size in others.items() if not n.startswith("pictures/")),
                "hands": evening.hands,
                "events": evening.events
                + (0 if true is None or session is None else session.events),
                "readings": self.machine.eyes.readings,
                "corrections": evening.dealer.done["readings corrected"],
                "questions": sum(self.machine.asked.values()),
                "warnings": len(self.machine.warnings.said),
                "frames": evening.room.frames,
                "presses": sum(self.machine.pressed.values()),
            }
        )

    def told(self, evening):
        """Return everything that was found; the evening is over and its journal closed."""
        warnings = Counter(kind_of(text) for _at, _level, text in self.machine.warnings.said)
        return {
            "machine": f"{platform.machine()}, Python {platform.python_version()}",
            "date": time.strftime("%Y-%m-%d"),
            "seed": evening.seed,
            "room_mb": round(evening.room_mb),
            "cpu_s": round(time.process_time() - self.began_s),
            "hours": hourly(self.samples),
            "samples": self.samples,
            "games": sorted(evening.games),
            "mishaps": dict(sorted(evening.mishaps.counts.items())),
            "mended": dict(sorted(evening.dealer.done.items())),
            "asked": dict(sorted(self.machine.asked.items())),
            "warnings": dict(warnings.most_common()),
            "failures": self.machine.failures,
            **compare(evening),
        }


def kind_of(text: str) -> str:
    """Return what a warning says, without its numbers."""
    return re.sub(r"\d+(\.\d+)?", "N", text)


def compare(evening):
    """Hold every hand of the journal on disk against what was really played."""
    wrong, hands, tokens, lived = [], 0, Counter(), Counter()
    with Journal(evening.meters.folder / "journal.sqlite3") as journal:
        sittings = {each.number: each for each in journal.sittings()}
        events = sum(len(journal.events(number)) for number in sittings)
        for number, true in evening.played.items():
            session = Session.resume(journal, HandClock(), sittings[number])
            for each in true.state.players:
                lived[each.name] += 0
            for place, (mine, read) in enumerate(
                zip(true.state.hands, session.state.hands, strict=False), 1
            ):
                hands += 1
                for name in ("end", "winners", "settlement", "dealer", "next_dealer"):
                    if getattr(mine, name) != getattr(read, name):
                        wrong.append(
                            f"sitting {number} ({true.game}), hand {place}: {name} "
                            f"{getattr(read, name)}, not {getattr(mine, name)}"
                        )
            counts = len(true.state.hands), len(session.state.hands)
            if counts[0] != counts[1]:
                wrong.append(f"sitting {number}: {counts[1]} hands on disk, {counts[0]} played")
            if true.state.ledger != session.state.ledger:
                wrong.append(f"sitting {number}: the ledgers differ")
            names = player_names(session.state)
            for seat, amount in session.state.ledger.entries:
                tokens[names[seat]] += amount
        if sorted(sittings) != sorted(evening.played):
            wrong.append(f"sittings on disk {sorted(sittings)}, played {sorted(evening.played)}")
    return {
        "compared": hands, "sittings": len(sittings), "journal_events": events,
        "wrong": wrong, "ledger": dict(tokens),
    }  # fmt: skip


def hourly(samples):
    """Return the figures of each hour: the last of it, and what came to it in the hour."""
    rows, before = [], samples[0]
    hours = max(1, round(samples[-1]["at_s"] / HOUR_S + 0.2))
    for hour in range(1, hours + 1):
        last = hour == hours
        mine = [s for s in samples if last or s["at_s"] <= hour * HOUR_S + EVERY_S / 2]
        now = mine[-1]
        within = [s for s in mine if s["at_s"] > before["at_s"]] or [now]
        row = {"hour": hour, "memory_mb": now["memory_mb"], "wal": now["wal"],
               "least_mb": min(s["memory_mb"] for s in within),
               "most_mb": max(s["memory_mb"] for s in within)}  # fmt: skip
        for name in ("journal", "pictures", "others", "hands", "events", "readings",
                     "corrections", "questions", "warnings", "frames", "presses"):  # fmt: skip
            row[name] = now[name] - before[name]
        rows.append(row)
        before = now
    return rows


def failings(found, *, full=True):
    """Return what is not as it must be."""
    wrong = list(found["wrong"])
    wrong += [f"a step failed: {each}" for each in found["failures"]]
    given_up = found["mended"].get("hands given up", 0)
    if given_up > GIVEN_UP * found["compared"]:
        wrong.append(f"{given_up} of {found['compared']} hands were given up")
    for text, times in found["warnings"].items():
        causes = next((c for start, c in EXPLAINED.items() if text.startswith(start)), None)
        if causes is None:
            wrong.append(f"a warning that nothing explains, {times} times: {text}")
            continue
        may = sum(found["mishaps"].get(cause, 0) for cause in causes)
        # What is put before the camera is taken away again: the mat is found moved, and back.
        may *= 2 if causes[0] == "the mat is knocked" else 1
        if times > may:
            wrong.append(f"a warning came {times} times for {may} causes: {text}")
    if full:
        wrong += _not_flat(found)
    return wrong


def _not_flat(found):
    wrong = []
    late = [s["memory_mb"] for s in found["samples"] if s["at_s"] >= SETTLED_S]
    if len(late) > 1 and max(late) - late[0] > MEMORY_MB:
        wrong.append(f"memory grows from {late[0]} MB to {max(late)} MB")
    whole = found["samples"][-1]
    each = whole["journal"] / max(whole["events"], 1)
    for row in found["hours"]:
        if row["events"] > 200 and row["journal"]:
            mine = row["journal"] / row["events"]
            if abs(mine / each - 1) > EVENT_SPREAD:
                wrong.append(
                    f"hour {row['hour']}: {mine:.0f} bytes an event, {each:.0f} in the evening"
                )
    if max(s["wal"] for s in found["samples"]) > 8 * 2**20:
        wrong.append("the WAL grows beyond 8 MB")
    return wrong


def lines_of(found):
    """Return the figures as lines of the page."""
    hours = found["hours"]
    lines = [
        "| hour | hands | events | readings | corrections | questions | presses | warnings "
        "| memory, least to most | journal, bytes an event | WAL at its end |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in hours:
        each = row["journal"] / max(row["events"], 1)
        lines.append(
            f"| {row['hour']} | {row['hands']} | {row['events']:,} | {row['readings']:,} "
            f"| {row['corrections']} | {row['questions']} | {row['presses']:,} "
            f"| {row['warnings']} | {row['least_mb']:.0f} to {row['most_mb']:.0f} MB "
            f"| {row['journal']:,} ({each:.0f}) | {row['wal']:,} |"
        )
    last = found["samples"][-1]
    lines += [
        "",
        f"- Hands compared: {found['compared']} in {found['sittings']} sittings, "
        f"{found['journal_events']:,} events on disk; **wrong: {len(found['wrong'])}**.",
        f"- Frames drawn: {last['frames']:,}; processor time {found['cpu_s'] / 60:.0f} min "
        f"(drawing and people included); steps that failed: {len(found['failures'])}.",
        f"- Other files at the end: {last['pictures']} pictures of an evening, "
        f"{last['others']:,} bytes of settings.",
        "- The ledger of the evening: "
        + ", ".join(f"{name} {net:+d}" for name, net in sorted(found["ledger"].items()))
        + ".",
        "",
        "| what went wrong | times |",
        "|---|---|",
        *(f"| {name} | {times} |" for name, times in found["mishaps"].items()),
        "",
        "| what the dealer did about it | times |",
        "|---|---|",
        *(f"| {name} | {times} |" for name, times in found["mended"].items()),
        "",
        "| questions asked | times |",
        "|---|---|",
        *(f"| {name} | {times} |" for name, times in found["asked"].items()),
        "",
        "| warnings in the log | times |",
        "|---|---|",
        *(f"| {text} | {times} |" for text, times in found["warnings"].items()),
    ]
    return lines


def page_of(found):
    """Return docs/why/evening.md."""
    words = (Path(__file__).with_name("evening.md")).read_text(encoding="utf-8")
    games = ", ".join(f"{game} ({preset})" for game, preset in found["games"])
    return words.format(
        figures="\n".join(lines_of(found)), games=games, seed=found["seed"],
        machine=found["machine"], date=found["date"], room=found["room_mb"],
        memory=f"{MEMORY_MB:.0f}", spread=f"{100 * EVENT_SPREAD:.0f}",
    )  # fmt: skip


def write_page(found):
    """Write docs/why/evening.md, and keep the figures it is made from."""
    PAGE.write_text(page_of(found), encoding="utf-8")
    MEASURED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    # The page once more, from figures that were kept: meters.py FIGURES.json
    write_page(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
