"""How long until a card laid on the idle table of a booth is named on the screen that waits.

python benchmarks/welcome.py [--cards 40] [--size 1920x1080]

The real eyes, on a thread, over drawn pictures at 15 frames a second; the booth's own loop; a
window off screen. Timed by the clock, from the moment at which the hand is gone.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from pathlib import Path

from device.app import FRAME_S, build_booth
from device.booth.tables import Services
from device.clock import SystemClock
from device.config.model import BoothConfig, Config, DisplayConfig, SoundConfig
from device.ports import Frame
from device.runtime.camera_worker import ThreadedReadingSource
from device.runtime.observer import ReadingObserver
from device.simulator.scat_table import ScatTable
from device.storage.journal.journal import Journal
from display import Window
from engine.core.cards import deck
from engine.core.messages.words import card_words
from vision import MotionGate, TableReader
from vision.mat.pose import MatLayout

PERIOD_S = 1 / 15


class Camera:
    """A camera at the pace of the clock; it notes when the hand over the table has gone."""

    def __init__(self, table: ScatTable) -> None:
        self.table = table
        self.rested_s = 0.0
        self._next_s = time.monotonic()

    def read(self, timeout_s: float = 2.0) -> Frame:
        self._next_s = max(self._next_s + PERIOD_S, time.monotonic())
        time.sleep(max(self._next_s - time.monotonic(), 0.0))
        moved = self.table.is_moving
        image = self.table.frame()
        if moved and not self.table.is_moving:
            self.rested_s = time.monotonic()
        return Frame(image, time.monotonic())

    def close(self) -> None:
        pass


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cards", type=int, default=40)
    parser.add_argument("--size", default="1920x1080")
    args = parser.parse_args()
    width, height = (int(part) for part in args.size.split("x"))
    table, pick = ScatTable(MatLayout(6, "A1"), seed=5), random.Random(5)
    camera, clock = Camera(table), SystemClock()
    observer = ReadingObserver(MotionGate(TableReader()))
    source = ThreadedReadingSource(
        lambda: camera, observer, pause_s=lambda: observer.pause_s, wake=clock.wake
    )
    config = Config(
        display=DisplayConfig(language="en"),
        sound=SoundConfig(mute=True),
        booth=BoothConfig(enabled=True),
    )
    took, missed = [], 0
    with (
        tempfile.TemporaryDirectory() as folder,
        Journal(Path(folder) / "journal.sqlite3") as journal,
        Window((width, height), headless=True) as window,
    ):
        booth = build_booth(config, Services(journal, clock, source, observer=observer), window)

        def run(seconds: float, until: str = "") -> bool:
            end_s = time.monotonic() + seconds
            while time.monotonic() < end_s:
                booth.step()
                labels = getattr(booth.view.page, "labels", ())
                if until and any(str(each.text) == until for each in labels):
                    return True
                clock.wait(FRAME_S)
            return False

        run(3.0)
        for number, card in enumerate(pick.sample(deck(), args.cards)):
            if number % 4 == 0:
                table.take_up(by=0)
                run(2.5)
            camera.rested_s = 0.0
            table.lay(number % 6, card, face_up=True)
            if run(6.0, str(card_words(card))) and camera.rested_s:
                took.append(time.monotonic() - camera.rested_s)
            else:
                missed += 1
        booth.shut()
        source.close()
    took.sort()
    print(
        f"{len(took)} of {args.cards} cards named; after the hand has gone: median "
        f"{took[len(took) // 2]:.2f} s, longest {took[-1]:.2f} s; not named in 6 s: {missed}"
    )


if __name__ == "__main__":
    main()
