"""One hand, played beforehand: the pictures to be shown and the buttons to be pressed.

The drawn people of ``boneace demo`` play it here through the real eyes. What they lay becomes a
picture of the film, in the very pixels that the machine's camera will give; what they press becomes
a step. Each step says how many events the journal must hold before it is taken: the test's fingers
wait for the croupier, however slow the machine is.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from device.clock import HandClock
from device.croupier.questions import Question
from device.ports import Button, Frame, Image, Press
from device.runtime.camera_worker import SyncReadingSource
from device.runtime.session import Session
from device.runtime.table import TableController
from device.simulator.demo import CardTally, Demo
from device.simulator.players import CardPlayers
from device.simulator.simulation import NAMES
from device.simulator.table import SimulatedTable
from device.storage.journal.journal import Journal
from engine import Player
from engine.core.views import View
from vision import MotionGate, TableReader
from vision.mat.pose import MatLayout

STYLES = ("cautious", "bold", "exact")
SIZE = (1280, 960)
"""Width and height of the pictures: two players' cards can be read in them; more costs time."""

SECTOR = 512
GAME = "one-and-thirty"
PICTURES = "pictures.raw"
SCRIPT = "script.json"


class FilmError(RuntimeError):
    """A hand that cannot be played by rote."""


@dataclass(frozen=True)
class Step:
    """One thing that is done at the table.

    Attributes:
        after: so many events must be in the journal before.
        picture: shown to the camera from now on; ``None`` for a press.
        button: pressed; ``None`` for a picture.
        seat: whose button it is; ``None`` for the console's.
    """

    after: int
    picture: int | None = None
    button: str | None = None
    seat: int | None = None


@dataclass(frozen=True)
class Script:
    """A hand as it must come out.

    Attributes:
        steps: what is done, in order.
        events: all that the journal must hold in the end, as the event language writes it.
        pictures: how many there are; number 0 is the empty mat.
        players: their names, from seat 0.
        ledger: name and net of each player, as the ledger must show it.
        story: what was told of the hand, for who looks at the screen.
    """

    steps: tuple[Step, ...]
    events: tuple[Mapping[str, Any], ...]
    pictures: int
    players: tuple[str, ...]
    ledger: tuple[tuple[str, int], ...]
    story: tuple[str, ...]

    @property
    def won(self) -> str:
        """Return the sentence that says who won."""
        return next(line for line in self.story if " wins with " in line)

    def shown_at(self, step: int) -> int:
        """Return the picture that lies before the camera when *step* is about to be taken."""
        shown = [each.picture for each in self.steps[:step] if each.picture is not None]
        return shown[-1] if shown else 0


def sorted_cards(event: Mapping[str, Any]) -> dict[str, Any]:
    """Return *event* with its cards in order: after a restart they are named as they lie."""
    return {**event, "cards": sorted(event["cards"])} if "cards" in event else dict(event)


def read(folder: Path) -> Script:
    """Read what :func:`make` wrote into *folder*."""
    told = json.loads((folder / SCRIPT).read_text(encoding="utf-8"))
    steps = tuple(Step(**each) for each in told["steps"])
    ledger = tuple((name, net) for name, net in told["ledger"])
    return Script(
        steps,
        tuple(told["events"]),
        told["pictures"],
        tuple(told["players"]),
        ledger,
        tuple(told["story"]),
    )


class FilmCamera:
    """A camera over the drawn table that keeps each settled picture, as YUYV."""

    def __init__(self, table: SimulatedTable, raw: Path) -> None:
        """Look at *table* from now on; the pictures go to *raw*, after a sector with their size."""
        self.pictures = 0
        self._table = table
        self._acts: int | None = None
        self._time_s = 0.0
        self._image: Image | None = None
        self._file = raw.open("wb")
        head = json.dumps({"width": SIZE[0], "height": SIZE[1]}).encode()
        self._file.write(head.ljust(SECTOR, b"\0"))

    def read(self, timeout_s: float = 2.0) -> Frame:
        """Return the table at rest; the hands that laid something are gone again."""
        if self._image is None or self._table.fingerprint() != self._acts:
            self._acts = self._table.fingerprint()
            self._table.settle()
            raw = yuyv(self._table.frame())
            self._file.write(raw.tobytes())
            self.pictures += 1
            # As OpenCV makes it of what a video device gives.
            self._image = np.asarray(cv2.cvtColor(raw, cv2.COLOR_YUV2BGR_YUYV), np.uint8)
        self._time_s += 0.1
        return Frame(self._image, self._time_s)

    def close(self) -> None:
        """Finish the film; may be called twice."""
        self._file.close()


def yuyv(image: Image) -> Image:
    """Return *image* as a video device gives it: uint8 (height, width, 2), of even width."""
    # Two neighbours share their colour, and levels go from 16 to 235.
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2YUV_YUYV), np.uint8)


class Watched:
    """The drawn people, with somebody who writes down what they do."""

    def __init__(
        self, people: CardPlayers, table: SimulatedTable, session: Session, camera: FilmCamera
    ) -> None:
        """Watch *people* at *table*."""
        self.steps: list[Step] = []
        self._people, self._table = people, table
        self._session, self._camera = session, camera

    def act(self, view: View) -> list[Press]:
        """Let them do one thing, and write it down."""
        acts, events = self._table.fingerprint(), self._session.events
        presses = self._people.act(view)
        if self._table.fingerprint() != acts:
            self.steps.append(Step(events, picture=self._camera.pictures))
        for press in presses:
            self.steps.append(Step(events, button=press.button.value, seat=press.seat))
        return presses

    def answer(self, question: Question) -> list[Press]:
        """Refuse: who plays by rote cannot answer."""
        raise FilmError(
            f"the croupier asks {str(question.text)!r}: take another seed, with which he need not"
        )


def make(folder: Path, *, seed: int = 5, hands: int = 1, players: int = 2) -> Script:
    """Play *hands* hands and write film and script into *folder*.

    Raises:
        FilmError: the croupier had to ask.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("journal.sqlite3*"):
        old.unlink()
    names = NAMES[:players]
    clock = HandClock()
    with Journal(folder / "journal.sqlite3") as journal:
        seated = [Player(seat, name) for seat, name in enumerate(names)]
        session = Session.begin(journal, clock, GAME, seated, dealer=None, options={"stake": 1})
        table = SimulatedTable(MatLayout(players, "A1"), seed=seed, size=SIZE)
        camera = FilmCamera(table, folder / PICTURES)
        eyes = SyncReadingSource(camera, MotionGate(TableReader()))
        styles = [STYLES[seat % len(STYLES)] for seat in range(players)]
        people = CardPlayers(
            table, seed, names, styles, session.state.setup.options, lambda: session.view
        )
        watched = Watched(people, table, session, camera)
        demo = Demo(
            TableController(session, eyes, [], clock),
            watched,
            clock,
            tally=CardTally(table.face_up),
            fingerprint=table.fingerprint,
            say=lambda line: None,
        )
        try:
            if not demo.run(hands) or demo.app.asked:
                raise FilmError(f"the croupier asked {demo.app.asked} times: take another seed")
        finally:
            eyes.close()
        events = tuple(entry for _, entry in journal.events(session.record.number))
        settled = [pair for hand in session.state.hands for pair in hand.settlement]
    script = Script(
        tuple(watched.steps),
        events,
        camera.pictures,
        tuple(names),
        tuple((names[seat], net) for seat, net in settled),
        tuple(demo.lines),
    )
    _check(script)
    text = json.dumps(asdict(script), indent=1)
    (folder / SCRIPT).write_text(text, encoding="utf-8")
    return script


def _check(script: Script) -> None:
    """See that every step can be taken on the machine of the test."""
    can = {Button.HAVE.value, Button.STICK.value, Button.NEXT.value}
    for step in script.steps:
        if step.button is not None and step.button not in can:
            raise FilmError(f"no button {step.button!r} is wired: see guest/config.toml")


def main(words: Sequence[str] | None = None) -> None:
    """Make a film from the command line."""
    parser = argparse.ArgumentParser(description="Play a hand to be played again by rote.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=5)
    asked = parser.parse_args(words)
    script = make(asked.folder, seed=asked.seed)
    print(f"{len(script.steps)} steps, {script.pictures} pictures, {len(script.events)} events")
    print("\n".join(script.story))


if __name__ == "__main__":
    main()
