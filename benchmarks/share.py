"""``make bench-share``: one line on how fast the table is on this machine, for an issue.

python benchmarks/share.py

Some three minutes on a quiet machine. The line names the kind of machine and the versions of what
counts for speed, nothing of you and nothing of what was played; the columns are those of the table
in docs/why/performance.md, *On other machines*. All is measured as ``make bench`` does.
"""

from __future__ import annotations

import platform
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2

from benchmarks.chain import SIZES, Played, Running, play, run_program
from benchmarks.table import RUNS, laid, median_ms, watching
from device.version import program_version
from vision import TableReader
from vision.inference import Network

MODEL = Path("/proc/device-tree/model")
PROCESSOR = Path("/proc/cpuinfo")
COLUMNS = (
    "machine", "system", "with", "card to the screen, ms", "press, ms", "24 cards, ms",
    "one changed, ms", "start, s", "idle", "memory, MB",
)  # fmt: skip


def machine(model: Path = MODEL, processor: Path = PROCESSOR) -> str:
    """Return which machine this is: a board by its name, another by its processor."""
    if model.exists():
        return model.read_text().strip("\0\n ")
    for text in processor.read_text().splitlines() if processor.exists() else ():
        if text.startswith("model name"):
            return " ".join(text.partition(":")[2].split())
    return platform.machine()


def system() -> str:
    """Return the operating system with its kind of processor."""
    try:
        name = platform.freedesktop_os_release()["PRETTY_NAME"]
    except OSError:
        name = platform.system()
    return f"{name}, {platform.machine()}"


def line(played: Played, reading: Mapping[str, float], running: Running) -> str:
    """Return the line.

    Args:
        played: hands played before a camera of 2304x1296.
        reading: milliseconds for ``24 cards`` and for ``one changed``.
        running: the program itself.
    """
    versions = (
        f"boneace {program_version()}", f"Python {platform.python_version()}",
        f"OpenCV {cv2.__version__}", Network("reader.onnx").runtime,
    )  # fmt: skip
    cells = (
        machine(), system(), ", ".join(versions),
        f"{statistics.median(chain.whole for chain in played.every):.0f}",
        f"{statistics.median(played.presses_ms):.0f}",
        f"{reading['24 cards']:.0f}", f"{reading['one changed']:.0f}",
        f"{statistics.median(running.starts_s):.1f}", f"{running.asking:.1%}",
        f"{running.most_mb:.0f}",
    )  # fmt: skip
    return _row(cells)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def main() -> None:
    """Measure, and print the line."""
    cv2.setNumThreads(1)
    size = SIZES[0]
    reader, image = TableReader(), laid(24, size)
    changed = {name: ms for name, ms in watching() if name.startswith("one card")}
    reading = {
        "24 cards": median_ms(lambda: reader.read(image), RUNS),
        "one changed": changed[f"one card laid or taken of 24, {size[0]}x{size[1]}"],
    }
    told = line(play(size, hands=3, seed=3), reading, run_program(quick=True))
    print("Put this line into an issue; the columns are:")
    print(_row(COLUMNS))
    print(told)


if __name__ == "__main__":
    main()
