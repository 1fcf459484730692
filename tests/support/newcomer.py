"""Somebody who has just unpacked the table, and types what the pages say.

The commands are run by a shell, word for word, with the real ``boneace`` of this environment. What
a page takes for granted (a photograph called table.jpg, a stick at /media/stick, a camera) is made
first; ``sudo``, ``systemctl`` and ``journalctl`` are stand-ins, since the machine is not ours.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NoReturn

import cv2
import pytest

from engine import Card, Face, deck
from tests.support.camera_images import (
    STILL,
    bones,
    bones_by_face,
    cut_and_deal,
    one_card_each,
    photograph,
    save,
)
from tests.support.doc_pages import ROOT

BIN = Path(sys.executable).parent

STAND_INS = {
    "sudo": 'exec "$@"',
    "systemctl": 'echo "systemctl $*" >> "$CALLED"',
    "journalctl": 'echo "journalctl $*" >> "$CALLED"',
    # There is no user called boneace here to give the file to.
    "install": 'args=("$@"); exec /usr/bin/install "${args[@]:4}"',
}
"""Commands that need a machine of one's own, and what stands in for them (bash)."""


@dataclass(frozen=True)
class Done:
    """What a command came to: its exit status, and what it wrote."""

    status: int
    out: str
    err: str


class House:
    """What all newcomers share, made once, and only if somebody asks for it."""

    def __init__(self, root: Path) -> None:
        """Take an empty folder."""
        self.root = root
        self.count = 0

    @cached_property
    def table(self) -> Path:
        """Return a photograph: the ace of hearts, the ten of diamonds, the nine of clubs."""
        return photograph(self.root / "table.jpg")

    @cached_property
    def dealt(self) -> Path:
        """Return a recording: four players have cut, and three cards lie before each."""
        return save(self.root / "dealt", cut_and_deal())

    @cached_property
    def lessons(self) -> tuple[Path, Path]:
        """Return two films in which twelve cards are shown, alone: six, then the other six."""
        pictures = list(one_card_each(deck()[:12], "old"))
        film = [picture for picture in pictures for _ in range(STILL + 1)]
        half = len(film) // 2
        return save(self.root / "lesson1", film[:half]), save(self.root / "lesson2", film[half:])

    @cached_property
    def portraits(self) -> Path:
        """Return a folder of pictures that are called after the card they show."""
        folder = self.root / "portraits"
        folder.mkdir()
        cards = [Card.parse(code) for code in ("AS", "KS", "QH", "7D")]
        for card, picture in zip(cards, one_card_each(cards, "old"), strict=True):
            assert cv2.imwrite(str(folder / f"{card}.jpg"), picture)
        return folder

    @cached_property
    def bones(self) -> tuple[Path, Path]:
        """Return pictures of bones in a folder for each face, and a film of the same pictures."""
        drawn = bones_by_face()
        folder = self.root / "bones"
        folder.mkdir()
        for face, pictures in drawn.items():
            save(folder / face.value, pictures)
        # The camera is read five times for each picture that is taken.
        film = [each for pictures in drawn.values() for each in pictures for _ in range(5)]
        return folder, save(self.root / "bones-film", film)

    @cached_property
    def thrown(self) -> Path:
        """Return a photograph of four bones: flat, convex, convex and twisted."""
        path = self.root / "thrown.jpg"
        (shown,) = bones([Face.FLAT, Face.CONVEX, Face.CONVEX, Face.TWISTED])
        assert cv2.imwrite(str(path), shown)
        return path

    @cached_property
    def brass(self) -> Path:
        """Return the file of a set of bones that was taught."""
        one = Newcomer(self)
        one.run(f"boneace teach bones brass --from {self.bones[0]}")
        return one.state / "bones" / "brass.json"

    @cached_property
    def demo(self) -> Done:
        """Return what ``make demo`` told, word for word; its pictures are in ``clone``."""
        one = Newcomer(self)
        one.at = self.clone
        return one.run("make demo")

    @cached_property
    def evening(self) -> Path:
        """Return the journal of three hands of cards, played before a drawn camera."""
        one = Newcomer(self)
        one.at = self.clone
        assert one.run("boneace demo --headless --out out/evening").status == 0
        return self.clone / "out" / "evening" / "journal.sqlite3"

    @cached_property
    def clone(self) -> Path:
        """Return the project as it lies here, with this environment in it, made already."""
        place = self.root / "boneace"
        (place / ".venv").mkdir(parents=True)
        for entry in ROOT.iterdir():
            if not entry.name.startswith(".") and entry.name not in ("out", "build", "dist"):
                (place / entry.name).symlink_to(entry)
        for entry in Path(sys.prefix).iterdir():
            if entry.name != ".installed":
                (place / ".venv" / entry.name).symlink_to(entry)
        (place / ".venv" / ".installed").touch()
        return place


class Newcomer:
    """One person with a home and a folder of their own.

    Attributes:
        ran: the commands run so far, as they stand in the page.
        excused: nothing can be run here, for want of something.
        at: where they are typed.
        state: where the table keeps its things.
        stick: what ``/media/stick`` stands for.
    """

    def __init__(self, house: House) -> None:
        """Move in."""
        house.count += 1
        home = house.root / f"home{house.count}"
        self.ran: list[str] = []
        self.excused = False
        self.at = home / "here"
        self.state = home / "state" / "boneace"
        self.stick = home / "stick"
        self._config = home / "config" / "boneace" / "config.toml"
        self._called = home / "called"
        self._tools = home / "tools"
        for folder in (self.at, self.state, self.stick, self._config.parent, self._tools):
            folder.mkdir(parents=True)
        for name, does in STAND_INS.items():
            self.stands_in(name, does)
        self._environment = {
            **{"HOME": str(home), "LC_ALL": "C.UTF-8", "CALLED": str(self._called)},
            **{"XDG_STATE_HOME": str(home / "state"), "XDG_CONFIG_HOME": str(home / "config")},
            **{"XDG_RUNTIME_DIR": str(home), "GPIOZERO_PIN_FACTORY": "mock"},
            **{"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"},
            "PATH": f"{self._tools}:{BIN}:{os.environ['PATH']}",
        }

    def stands_in(self, name: str, does: str) -> None:
        """Have a command do something else (bash)."""
        file = self._tools / name
        file.write_text(f"#!/bin/bash\n{does}\n", encoding="utf-8")
        file.chmod(0o755)

    def knows(self, **variables: str) -> None:
        """Set variables of the environment."""
        self._environment |= variables

    def writes(self, config: str) -> None:
        """Write the settings."""
        self._config.write_text(config, encoding="utf-8")

    def sees(self, recording: Path, more: str = "") -> None:
        """Write settings with a camera that gives *recording*, a folder of pictures."""
        self.writes(f'[camera]\nspec = "{recording}"\n{more}')

    def played(self, journal: Path) -> None:
        """Have an evening in the journal."""
        shutil.copy(journal, self.state / "journal.sqlite3")

    def keeps(self, bones: Path) -> None:
        """Have a set of bones that was taught."""
        (self.state / "bones").mkdir()
        shutil.copy(bones, self.state / "bones" / bones.name)

    def finds(self, file: Path, name: str = "") -> None:
        """Have a file lie where commands are typed."""
        shutil.copy(file, self.at / (name or file.name))

    def run(
        self, command: str, *, more: str = "", status: int = 0, says: str = "", **names: str
    ) -> Done:
        """Type a command.

        Args:
            command: as it stands in the page.
            more: words behind it that make it shorter.
            status: how it must end.
            says: what is typed when it asks.
            **names: what stands for a word in capitals (``GAME="scat"``).
        """
        self.ran.append(command)
        for name, word in names.items():
            command = re.sub(rf"\b{name}\b", word, command)
        command = command.replace("/var/lib/boneace", str(self.state))
        command = command.replace("/media/stick", str(self.stick))
        done = subprocess.run(
            ["bash", "-c", f"{command} {more}"],
            cwd=self.at,
            env=self._environment,
            input=says,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == status, f"{command}\n{done.stdout}\n{done.stderr}"
        return Done(done.returncode, done.stdout, done.stderr)

    def excuse(self, reason: str) -> NoReturn:
        """Skip the test, for want of something that its commands need."""
        self.excused = True
        pytest.skip(reason)

    def called(self) -> list[str]:
        """Return what was asked of the machine's own programs so far."""
        return self._called.read_text(encoding="utf-8").splitlines()

    def path(self, name: str) -> Path:
        """Return a file that a command has left where it was typed; it must be there."""
        found = self.at / name
        assert found.is_file(), f"{name} is not there, but {sorted(os.listdir(self.at))}"
        return found
