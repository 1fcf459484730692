"""A whole hall on this machine: ``make hall``. A broker, four tables, a hall, and a browser.

python -m tests.acceptance.hall.demo [--speed 4] [--minutes M] [--pictures DIR] [--no-browser]

People of every temperament play four games as readings without pixels. Each process is the one that
a real hall has: Mosquitto, ``boneace publish`` for each table, ``boneace hall``. --pictures writes
the pages as Chromium shows them, on a phone and on a television, in five languages.
"""

import argparse
import os
import signal
import sys
import tempfile
import time
import webbrowser
from contextlib import ExitStack
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from device.storage.copies.table_name import rename_table
from display.i18n.languages import LANGUAGES
from tests.acceptance.hall.storm import Child
from tests.support.chromium import pictures
from tests.support.mosquitto import PROGRAM, Mosquitto, free_port

TABLES = {
    "red-otter": ("bone-ace", "careful"),
    "blue-owl": ("one-and-thirty", "mixed"),
    "green-hare": ("scat", "wild"),
    "brass-finch": ("knucklebones", "mixed"),
}
SIZES = {"phone": (360, 640), "television": (3840, 2160)}


def start(folder, stack, speed, broker=None):
    """Start everything in *folder*; return the address of the hall's page."""
    broker = stack.enter_context(broker or Mosquitto(folder / "broker"))
    config = folder / "config.toml"
    port = free_port()
    config.write_text(
        f"[hall]\nbroker = '127.0.0.1'\nport = {broker.port}\npage_port = {port}\n"
        f"file = '{folder / 'hall.sqlite3'}'\n"
    )
    boneace = ("-m", "device.cli", "--config", config)
    here = Path(__file__).parent
    commands = [(*boneace, "hall")]
    for name, (game, mix) in TABLES.items():
        (folder / name).mkdir()
        rename_table(folder / name, name)
        commands.append((here / "virtual_table.py", folder / name, game, mix, speed))
        commands.append((*boneace, "publish", "--feed", folder / name / "feed.sock"))
    for number, command in enumerate(commands):
        child = Child(*command, log=folder / f"{number}.log").start()
        stack.callback(child.kill)
    return f"http://127.0.0.1:{port}/"


def wait_for(address, tables, longest_s=180.0):
    """Wait until the page shows that *tables* are online."""
    end_s = time.monotonic() + longest_s
    while time.monotonic() < end_s:
        try:
            page = urlopen(f"{address}?lang=en").read().decode()
        except URLError:
            page = ""
        if page.count(">online<") >= tables and page.count('class="turn"') > 0:
            return
        time.sleep(0.5)
    raise SystemExit("the tables do not come; see the logs")


def end(_number, _frame):
    """End as after Ctrl-C: no process that was started stays."""
    for each in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)
    raise KeyboardInterrupt


def main(argv=None):
    """Play until Ctrl-C, or for some minutes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--speed", type=float, default=4.0, help="so many times as fast as people")
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--pictures", type=Path, metavar="DIR")
    parser.add_argument("--no-browser", action="store_true")
    args = parser.parse_args(argv)
    if PROGRAM is None:
        raise SystemExit("mosquitto is not installed; run: sudo apt install mosquitto")
    for each in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, end)
    with tempfile.TemporaryDirectory(prefix="boneace-hall-") as folder, ExitStack() as stack:
        address = start(Path(folder), stack, args.speed)
        wait_for(address, len(TABLES))
        print(f"{address}   (logs in {folder}; Ctrl-C ends it)", flush=True)
        if args.pictures is not None:
            time.sleep(60 / args.speed)  # until something has happened
            pages = ("", "board", *(f"table/{name}" for name in ("red-otter", "green-hare")))
            for name, size in SIZES.items():
                shots = {
                    args.pictures / f"{name}-{page.replace('/', '-') or 'hall'}-{code}.png":
                        f"{address}{page}?lang={code}"
                    for page in pages
                    for code in (LANGUAGES if page in pages[:2] else ("en",))
                }  # fmt: skip
                pictures(shots, size)
            return 0
        if not args.no_browser and (os.environ.get("DISPLAY") or sys.platform == "darwin"):
            webbrowser.open(address)
        try:
            time.sleep(min(60 * args.minutes, 10**8))
        except KeyboardInterrupt:
            print()
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:  # before all were there
        sys.exit(130)
