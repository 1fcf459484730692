"""An hour of play with six players: what memory the program holds; writes "An hour of play".

python benchmarks/memory.py [--minutes 60] [--games scat ...] [--folder DIR] [--dry]

``boneace demo --record`` plays so long and keeps every picture (12 GB an hour, in DIR while a game
lasts). Then ``boneace play`` plays that film with its presses before screens of 800x480, the
default, and of 1920x1080: the program alone, without the drawn room. It is looked at every two
seconds.
"""

from __future__ import annotations

import argparse
import math
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from benchmarks.page import write_section
from benchmarks.program import allocator, resident_mb
from device.simulator.simulation import NAMES
from engine.games import catalog

HEADING = "## An hour of play"
PLAYERS = 6
BAR_MB = 250.0
EVERY_S = 2.0
FPS = 10
HAND_S = 18.0
"""No hand of six is shorter: so many are recorded as certainly fill the minutes."""

PRESETS = {"scat": "no-elimination"}
"""A match would be over before the hour."""

SCREENS = ((800, 480), (1920, 1080))


def main() -> int:
    """Measure and write; 1 where a game holds more than the bar."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60.0, help="at the table, each game")
    parser.add_argument("--games", nargs="+", default=list(catalog.GAMES))
    parser.add_argument("--folder", type=Path, help="where the film lies meanwhile")
    parser.add_argument("--dry", action="store_true", help="print the section, write nothing")
    args = parser.parse_args()
    lines, most = [], 0.0
    for game in args.games:
        with tempfile.TemporaryDirectory(dir=args.folder) as folder:
            film = Path(folder) / "film"
            hands = math.ceil(args.minutes * 60 / HAND_S)
            record(film, game, hands)
            minutes = cut(film, args.minutes)
            for screen in SCREENS:
                samples = play(film, game, screen)
                most = max(most, max(samples))
                lines.append(row(game, screen, minutes, samples))
                print(lines[-1], flush=True)
    section = "\n".join(
        [
            HEADING,
            "",
            f"Measured by `python benchmarks/memory.py` on {date.today().isoformat()}: a "
            f"{platform.machine()} machine, Python {platform.python_version()}, pictures of "
            f"1280x960 played from a film, {PLAYERS} players. Resident "
            f"memory of `boneace play` in MB, looked at every {EVERY_S:.0f} s; wanted: "
            f"{BAR_MB:.0f}.",
            "",
            "| game | screen | minutes | first tenth, middle | last tenth, middle | most |",
            "|---|---|---:|---:|---:|---:|",
            *lines,
            "",
        ]
    )
    if args.dry:
        print(section)
    else:
        write_section(section)
    return int(most > BAR_MB)


def program(*words: str, **changes: str) -> tuple[list[str], dict[str, str]]:
    """Return how boneace is started, and its environment."""
    environment = {
        **os.environ,
        "SDL_VIDEODRIVER": "dummy",
        "SDL_AUDIODRIVER": "dummy",
        "LC_ALL": "C.UTF-8",
        **allocator(),
        **changes,
    }
    return [sys.executable, "-m", "device.cli", *words], environment


def rules(game: str) -> tuple[str, ...]:
    """Return the words that choose the game and its preset."""
    return "--game", game, *(("--preset", PRESETS[game]) if game in PRESETS else ())


def record(film: Path, game: str, hands: int) -> None:
    """Play *hands* hands before a drawn table, and keep each picture and press in *film*.

    The drawn people may come to a stop before; what they played until then is kept.
    """
    words, environment = program(
        *("demo", "--headless", "--record", str(film), "--hands", str(hands)),
        *("--players", str(PLAYERS), *rules(game)),
    )
    subprocess.run(words, env=environment, check=False, stdout=subprocess.DEVNULL)


def cut(film: Path, minutes: float) -> float:
    """Leave so many minutes of *film*; return how many it has."""
    pictures = sorted(film.glob("*.jpg"))
    wanted = round(minutes * 60 * FPS)
    for picture in pictures[wanted:]:
        picture.unlink()
    return min(len(pictures), wanted) / FPS / 60


def play(film: Path, game: str, screen: tuple[int, int]) -> list[float]:
    """Play the film; return the memory that was held, in MB, from the first second to the last."""
    width, height = screen
    home = film.with_name(f"home-{width}")
    home.mkdir()
    config = home / "config.toml"
    config.write_text(f"[display]\nwidth = {width}\nheight = {height}\n", encoding="utf-8")
    words, environment = program(
        *("--config", str(config), "play", "--camera", str(film)),
        *("--presses", str(film / "presses.jsonl"), "--journal", str(home / "journal.sqlite3")),
        *("--players", ",".join(NAMES[:PLAYERS]), *rules(game)),
        HOME=str(home),
        XDG_CONFIG_HOME=str(home),
        XDG_STATE_HOME=str(home),
    )
    samples = []
    with (home / "said").open("w+") as said:
        running = subprocess.Popen(words, env=environment, stdout=said, stderr=said)
        while running.poll() is None:
            time.sleep(EVERY_S)
            held = resident_mb(running.pid)
            if held is not None:
                samples.append(held)
        said.seek(0)
        story = said.read()
    if running.returncode or not samples:
        raise RuntimeError(f"boneace play ended with {running.returncode}: {story[-500:]}")
    return samples


def row(game: str, screen: tuple[int, int], minutes: float, samples: Sequence[float]) -> str:
    """Return the row of a game."""
    tenth = max(1, len(samples) // 10)
    first, last = statistics.median(samples[:tenth]), statistics.median(samples[-tenth:])
    name = catalog.choose(game, None)[0].title
    size = "x".join(map(str, screen))
    return f"| {name} | {size} | {minutes:.0f} | {first:.0f} | {last:.0f} | {max(samples):.0f} |"


if __name__ == "__main__":
    raise SystemExit(main())
