"""Cut an upgrade off before each of its commands, and see that one whole program is left.

Usage: python tests/acceptance/systemd/cut_upgrade.py [STEP]

Needs root. Each cut takes some eight seconds on one core; STEP tries only every so many.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from tests.acceptance.systemd.test_install import Machine, upgrade_cut_at


def main(step: int = 1) -> None:
    """Cut at every *step*-th command, until the upgrade comes to its end before it is cut."""
    with tempfile.TemporaryDirectory() as folder:
        first = Machine(Path(folder) / "first")
        first.install()
        at = done = 0
        ended = False
        while not ended:
            at += step
            place = Path(folder) / "copy"
            machine = Machine(place)
            shutil.rmtree(machine.root)
            shutil.copytree(first.root, machine.root, symlinks=True)
            ended = upgrade_cut_at(machine, place, at)
            shutil.rmtree(place)
            done += not ended
            print(f"command {at}: {'not reached' if ended else 'one whole program is left'}")
    print(f"{done} cuts, each with one whole program left")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
