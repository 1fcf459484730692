"""The demo of people who behave like people: nobody waits for the camera.

What they do is fixed beforehand; of the screen they read only questions, and answer what is true.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator, Sequence
from typing import Any

from device.clock import Clock
from device.croupier.lines import Line, read_line
from device.croupier.questions import Question
from device.ports import Press
from device.runtime.readings import TruthTeller, play_readings
from device.runtime.table import TableController
from device.runtime.truth import Asked, Truth, presses_for
from device.simulator.demo import BoneTally, CardTally, Demo, Players
from device.simulator.people import Setup, Sitting, play_sitting
from device.simulator.people.drawn import Eyes, Filming, FilmTable, Moment
from device.simulator.people.film import SceneBone, SceneCard
from engine.core.bones import Face
from engine.core.cards import Card
from engine.core.views import View
from engine.games import catalog

NEAR_MM = 30.0
"""What lies farther from a place than this is not what is asked about there."""

TOP_MM = 5.0
"""Of things about as near as this to a place the one laid last is seen."""


class Witness:
    """Answers what is asked of a card or bone by what truly lies there, all else from the truth."""

    def __init__(self, sitting: Sitting) -> None:
        """Watch *sitting*."""
        self._truth = TruthTeller(Truth(sitting.answers))
        times = [float(json.loads(line)["t"]) for line in sitting.lines]
        self._scenes = list(zip(times, sitting.scenes, strict=True))

    def presses(self, asked: Asked, time_s: float) -> Sequence[Press]:
        """Return what they press at a question; see ``device.runtime.readings.People``."""
        question = asked.question.whole
        kind = question.kind.word
        if kind not in ("card", "face") or question.place is None:
            return self._truth.presses(asked, time_s)
        scene = next((s for t, s in reversed(self._scenes) if t <= time_s), self._scenes[0][1])
        things = scene.cards if kind == "card" else scene.bones
        answer = _named(_nearest(things, question.place))
        return presses_for(asked.question, answer, time_s, divides=bool(asked.stories)) or ()


def _nearest(
    things: Sequence[SceneCard | SceneBone], place: tuple[float, float]
) -> SceneCard | SceneBone | None:
    """Return what is seen at a place of the mat."""
    far = [(math.dist((each.x, each.y), place), each) for each in things]
    closest = min((mm for mm, _ in far), default=math.inf)
    if closest > NEAR_MM:
        return None
    return [each for mm, each in far if mm <= closest + TOP_MM][-1]


def _named(thing: SceneCard | SceneBone | None) -> object:
    if isinstance(thing, SceneCard):
        return thing.card if thing.up else "none"
    return "none" if thing is None else thing.face or "none"


def line_of(moment: Moment) -> Line:
    """Return a moment of a film as a line that a table plays."""
    if moment.line is None:
        return Line(moment.time_s, reading=moment.reading)
    return read_line(json.dumps(moment.line))


class FilmDemo(Demo):
    """Plays the hands of a film of people of software."""

    def __init__(
        self,
        app: TableController,
        eyes: Eyes,
        table: FilmTable,
        clock: Clock,
        *,
        people: str,
        setup: Setup,
        seed: int,
        **more: Any,
    ) -> None:
        """Film *people*, a mix of them, at *table*; *more* is for the base class."""
        self._listed: list[dict[str, Any]] = []
        self._eyes, self._table = eyes, table
        self._mix, self._setup, self._seed = people, setup, seed
        bones = catalog.find(setup.game).with_bones
        tally = BoneTally(self._bones, self._faces) if bones else CardTally(self._up)
        super().__init__(
            app,
            _Nobody(),
            clock,
            tally=tally,
            fingerprint=lambda: 0,
            camera=table.picture,
            **more,
        )
        app.on_reading = None  # what lies there is compared when it is filmed

    def run(self, hands: int) -> bool:
        """Play a film of *hands* hands; return whether all were played to the end."""
        rng = random.Random(f"{self._seed}-{self._mix}")
        sitting = play_sitting(self._setup, self._mix, rng, hands)
        play_readings(self.app, self._lines(sitting), self._clock, people=Witness(sitting))
        self._save_pictures()
        finished = len(self.session.state.hands) >= len(sitting.hands)
        if not finished:
            said, render = self.app.prompt_text, self._translator.render
            self._tell([*self._story.flush(), "", render(said.title), render(said.detail)])
        self._end()
        return finished

    def _lines(self, sitting: Sitting) -> Iterator[Line]:
        filming = Filming(sitting, self._table, self._eyes)
        for moment in filming.moments():
            self._save_pictures()
            self._listed = filming.listed
            if moment.reading is not None and moment.reading.seats is not None:
                self.tally.take(self.session.view.hand_number, moment.reading)
            yield line_of(moment)

    def _up(self) -> frozenset[Card]:
        """Return the cards of which a camera could see enough."""
        return frozenset(
            Card.parse(each["card"])
            for each in self._listed
            if each.get("card", "back") not in ("back", "??")
        )

    def _faces(self) -> object:
        """Return a value that differs when other bones lie there."""
        return tuple((each["bone"], round(each["x"])) for each in self._listed if "bone" in each)

    def _bones(self) -> tuple[tuple[tuple[float, float], Face | None], ...]:
        """Return where each bone lies, and its face."""
        return tuple(
            ((each["x"], each["y"]), each["bone"] and Face.from_points(each["bone"]))
            for each in self._listed
            if "bone" in each
        )


class _Nobody(Players):
    """Nobody follows the screen."""

    def act(self, view: View) -> list[Press]:
        """Do nothing."""
        return []

    def answer(self, question: Question) -> list[Press]:
        """Answer nothing."""
        return []
