"""A fair: three tables through an evening, and a hall that listens to them.

python -m tests.acceptance.fair.fair [--hours 4] [--seeds 1 2 3] [--out DIR]

Each table is an evening with real eyes and mixed people (``tests/acceptance/evening``), with two
phones, somebody who only hears, a power cut and an upgrade (``table.py``), a publisher, and with
the others one broker and one hall, each a process of its own. What each journal holds must be what
was really played, and the hall's ledger the sum of the journals, to the token. Prints the figures;
exits 1 where something is not as it must be. Questions, logs and journals stay in DIR.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

from device.hall.store import Store
from device.storage.copies.table_name import rename_table
from tests.acceptance.hall.storm import SETTLED_S, Child, compare, last_of
from tests.support.mosquitto import PROGRAM, Mosquitto, free_port
from tests.support.paths import ROOT

TABLE = Path(__file__).with_name("table.py")


def play(out: Path, seeds: list[int], hours: float) -> tuple[list[str], dict, int]:
    """Play the fair in *out*; return what is wrong, each table's figures, and how many events."""
    folders = [out / f"table-{seed}" for seed in seeds]
    with contextlib.ExitStack() as stack:
        broker = stack.enter_context(Mosquitto(out / "broker"))
        config, store = out / "config.toml", out / "hall.sqlite3"
        config.write_text(
            f"[hall]\nbroker = '127.0.0.1'\nport = {broker.port}\nfile = '{store}'\n"
            f"page_port = {free_port()}\n"
        )
        boneace = ("-m", "device.cli", "--config", config)
        tables = []
        commands = [(*boneace, "hall")]
        for folder, seed in zip(folders, seeds, strict=True):
            folder.mkdir(parents=True)
            rename_table(folder, folder.name)
            commands.append((*boneace, "publish", "--feed", folder / "feed.sock"))
            log = stack.enter_context((folder / "table.log").open("wb"))
            words = [sys.executable, TABLE, folder, str(seed), str(hours)]
            pipe = {"stdin": subprocess.PIPE, "stdout": log, "stderr": log}
            tables.append(subprocess.Popen(words, cwd=ROOT, **pipe))
            stack.callback(tables[-1].kill)
        for number, command in enumerate(commands):
            stack.callback(Child(*command, log=out / f"process-{number}.log").start().kill)
        for folder, table in zip(folders, tables, strict=True):
            while not (folder / "played").exists():
                if table.poll() is not None:
                    return [f"{folder.name} has ended; see {folder / 'table.log'}"], {}, 0
                time.sleep(0.5)
        wrong = _settle(store, folders)
        for table in tables:
            table.communicate(timeout=300)
    told, events = compare(SimpleNamespace(store=store, folders=folders))
    figures = {each.name: json.loads((each / "figures.json").read_text()) for each in folders}
    wrong += told + [f"{n}: {each}" for n, found in figures.items() for each in found["failings"]]
    return wrong, figures, events


def _settle(store: Path, folders: list[Path]) -> list[str]:
    """Wait until the hall has all events of all tables."""
    wanted = {folder.name: last_of(folder) for folder in folders}
    end_s, have = time.monotonic() + SETTLED_S, {}
    while time.monotonic() < end_s:
        with Store(store) as opened:
            have = opened.have()
        if have == wanted:
            return []
        time.sleep(0.2)
    return [f"the hall has {have} of {wanted}"]


def lines_of(figures: dict) -> list[str]:
    """Return the figures of the fair in lines."""
    lines = []
    for name, found in figures.items():
        asked, hands = sum(found["asked"].values()), found["compared"]
        least, *_, most = sorted(each["memory_mb"] for each in found["samples"])
        lines.append(
            f"{name}: {hands} hands in {found['sittings']} sittings, {len(found['wrong'])} wrong, "
            f"{found['mended'].get('hands given up', 0)} given up, {asked} questions; "
            f"{found['by phone']} presses by phone, {sum(found['refused'].values())} refused; "
            f"{found['heard']} times told by ear, {len(found['misheard'])} wrongly; "
            f"{least:.0f} to {most:.0f} MB"
        )
    kinds = Counter()
    for found in figures.values():
        kinds.update(found["asked"])
    return [*lines, "questions: " + ", ".join(f"{kind} {n}" for kind, n in kinds.most_common())]


def main() -> int:
    """Play, print, and return 1 where something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hours", type=float, default=4.0)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--out", type=Path, help="an empty folder; by default a passing one")
    args = parser.parse_args()
    if PROGRAM is None:
        raise SystemExit("mosquitto is not installed; run: sudo apt install mosquitto")
    with contextlib.ExitStack() as stack:
        out = args.out
        if out is None:
            out = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="boneace-fair-")))
        wrong, figures, events = play(out, args.seeds, args.hours)
    print("\n".join(lines_of(figures)))
    print(f"{events:,} events in the hall")
    for each in wrong:
        print(f"WRONG: {each}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
