"""How long a journal of a thousand hands takes: resuming, ``ledger`` and ``replay``, in CPU time.

python benchmarks/journal.py [--hands 1000] [--game bone-ace]

The hands are one sitting, played by :class:`engine.bots.Driver`. Each figure is the median of
several programs of their own; starting Python and importing the program count.
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from device.clock import HandClock
from device.runtime.session import Session
from device.storage.journal.journal import Journal
from engine import Phase, Player
from engine.bots import Driver, player
from engine.core.events import NextHand

RUNS = 5
COMPANY = [Player(seat, name) for seat, name in enumerate(("Ann", "Bess", "Cecil", "Dora"))]
STYLES = ("cautious", "bold", "exact", "bold")

RESUME = """
import sys
from pathlib import Path
from device.clock import HandClock
from device.runtime.session import Session
from device.storage.journal.journal import Journal
with Journal(Path(sys.argv[1])) as journal:
    session = Session.unfinished(journal, HandClock())
    print(0 if session is None else session.events)
"""


def write(path: Path, game: str, hands: int, *, close: bool) -> int:
    """Write a journal with one sitting of *hands* hands, and return how many events it has."""
    clock = HandClock(wall=1_700_000_000.0)
    with Journal(path) as journal:
        journal._connection().execute("PRAGMA synchronous = OFF")
        session = Session.begin(journal, clock, game, COMPANY, dealer=0)
        people = [player(style, game) for style in STYLES]
        driver = Driver(session.state, people, random.Random(1))
        while True:
            driver.state = session.state
            event = driver.decision() or driver.chance() if _is_on(session) else NextHand()
            if isinstance(event, NextHand):
                if session.state.hand_number == hands:
                    break
                driver.shuffle()
            session.apply(driver.filled(event))
            clock.wait(3.0)
        if close:
            session.close()
        return session.events


def _is_on(session: Session) -> bool:
    return session.state.phase is not Phase.DONE


def cpu_s(*words: str | Path) -> float:
    """Return the median CPU time of the program *words*, in seconds."""
    found = []
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(found)


def main() -> int:
    """Write the journals and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=1000)
    parser.add_argument("--game", default="bone-ace")
    args = parser.parse_args()
    boneace = ("-m", "device.cli")
    with tempfile.TemporaryDirectory() as folder:
        empty, open_, closed = (Path(folder) / f"{name}.sqlite3" for name in ("0", "1", "2"))
        Journal(empty).close()
        events = write(open_, args.game, args.hands, close=False)
        write(closed, args.game, args.hands, close=True)
        print(f"{args.game}: {args.hands} hands, {events} events, {open_.stat().st_size} bytes")
        resumed = cpu_s("-c", RESUME, open_) - cpu_s("-c", RESUME, empty)
        figures = [
            ("resuming, beside an empty journal", resumed, 0.5),
            ("ledger", cpu_s(*boneace, "ledger", "--journal", open_), 1.0),
            ("ledger of a closed sitting", cpu_s(*boneace, "ledger", "--journal", closed), 1.0),
            ("replay", cpu_s(*boneace, "replay", "--journal", open_), 2.0),
        ]
    for name, took, bar in figures:
        print(f"{name}: {took:.2f} s (at most {bar})")
    return 1 if any(took > bar for _, took, bar in figures) else 0


if __name__ == "__main__":
    sys.exit(main())
