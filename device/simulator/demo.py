"""Whole hands without a person in the room: drawn people play before the real eyes."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import cv2

from device.clock import Clock
from device.croupier.questions import Notice, Question
from device.narration.story import closing_lines, opening_lines, tell
from device.ports import Image, Press
from device.runtime.camera_worker import ReadingSource
from device.runtime.session import Session
from device.runtime.table import TableController
from display import PromptText, bone_prompt
from display.i18n.translate import _, current_language
from engine import Event
from engine.core.bones import Face
from engine.core.cards import Card
from engine.core.errors import BoneAceError
from engine.core.events import Deal, Have, Knock, Stick
from engine.core.views import Phase, View
from vision.readings import Reading

PATIENCE_FRAMES = 15
"""So long people wait for the eyes before they go on: a second and a half."""

STALL_FRAMES = 400
"""So long nothing may happen before the demo gives up and says where it stands."""

SAME_BONE_MM = 15.0
"""A bone read this near to where one lies is that bone: the shortest is 25 mm long."""

FRAME_S = 0.1
"""The pace of the demo, by its clock."""


class DemoError(BoneAceError, RuntimeError):
    """The drawn table came to a standstill."""


class People(Protocol):
    """Players and dealer who look at the screen and handle their cards."""

    def act(self, view: View) -> list[Press]:
        """Do at most one thing at the table; return the buttons pressed."""
        ...

    def answer(self, question: Question) -> list[Press]:
        """Answer the croupier; return the buttons pressed."""
        ...


class Picture(Protocol):
    """A screen that can be photographed; :class:`display.Window` is one."""

    def show(self, view: View, prompt: PromptText | None = None, time_s: float = 0.0) -> None:
        """Draw the table."""
        ...

    def save(self, path: str | Path) -> None:
        """Write what is shown as a PNG."""
        ...


class Tally(Protocol):
    """Holds what is read against the truth."""

    def take(self, hand: int, reading: Reading) -> None:
        """Hold one reading against the truth."""
        ...

    def line(self, asked: int) -> str:
        """Say honestly how well it went; *asked* is how often the croupier had to ask."""
        ...


@dataclass(slots=True)
class CardTally:
    """Cards read against cards laid.

    Attributes:
        truth: returns the cards that lie face up now, as only the table itself can know.
        laid: ``(hand, card)`` for every card that lay face up when the eyes looked.
        read: those of them that were read rightly at least once.
        wrong: readings of cards that did not lie there.
    """

    truth: Callable[[], Collection[Card]]
    laid: set[tuple[int, Card]] = field(default_factory=set)
    read: set[tuple[int, Card]] = field(default_factory=set)
    wrong: set[tuple[int, Card]] = field(default_factory=set)

    def take(self, hand: int, reading: Reading) -> None:
        """Hold one reading against the truth."""
        truth = self.truth()
        seen = {each.card for each in reading.cards}
        self.laid |= {(hand, card) for card in truth}
        self.read |= {(hand, card) for card in truth if card in seen}
        self.wrong |= {(hand, card) for card in seen if card not in truth}

    def line(self, asked: int) -> str:
        """Say honestly how well it went."""
        return _tally_line("Cards", len(self.read), len(self.laid), len(self.wrong), asked)


@dataclass(slots=True)
class BoneTally:
    """Bones read against bones thrown.

    Attributes:
        truth: returns each bone that lies there: its middle on the mat in millimetres, and the
            face uppermost (``None`` on its end).
        lying: returns something that differs whenever anything on the table does.
        laid: every bone at every rest that the eyes looked at; a bone left lying counts again.
        read: those of them that were read rightly at least once.
        wrong: those of them that were read as another face.
    """

    truth: Callable[[], Collection[tuple[tuple[float, float], Face | None]]]
    lying: Callable[[], object]
    laid: set[tuple[object, tuple[float, float]]] = field(default_factory=set)
    read: set[tuple[object, tuple[float, float]]] = field(default_factory=set)
    wrong: set[tuple[object, tuple[float, float]]] = field(default_factory=set)

    def take(self, hand: int, reading: Reading) -> None:
        """Hold one reading against the truth."""
        seen = [
            (bone.spot.centre_mm, bone.face)
            for bone in reading.bones
            if bone.spot.centre_mm is not None
        ]
        for centre, face in self.truth():
            key = (self.lying(), centre)
            near = [(math.dist(at, centre), said) for at, said in seen]
            distance, said = min(near, key=lambda each: each[0], default=(math.inf, None))
            if face is not None:
                self.laid.add(key)
            if distance < SAME_BONE_MM:
                (self.read if said is face else self.wrong).add(key)

    def line(self, asked: int) -> str:
        """Say honestly how well it went."""
        return _tally_line("Bones", len(self.read), len(self.laid), len(self.wrong), asked)


def _tally_line(what: str, read: int, laid: int, wrong: int, asked: int) -> str:
    wrongly = f", {wrong} wrongly" if wrong else ""
    times = "once" if asked == 1 else f"{asked} times"
    return f"{what} read: {read} of {laid}{wrongly}; asked {times}."


class Transcript:
    """The story, with one line for all that a player says in his turn."""

    def __init__(self) -> None:
        """Begin with nothing said."""
        self._name = ""
        self._said: list[str] = []

    def take(self, event: Event, before: View, after: View) -> list[str]:
        """Return the lines that *event* completes; a turn that goes on is kept back."""
        lines = tell(event, before, after)
        if isinstance(event, Have | Stick):
            name = after.seat(event.seat).name
            done = [] if name == self._name else self.rest()
            self._name = name
            self._said.append(_("“Have it.”") if isinstance(event, Have) else _("“Stick.”"))
            if isinstance(event, Stick) or lines[1:]:
                done += self.rest()
            return [*done, *lines[1:]]
        if isinstance(event, Deal) and before.card_asked:
            # That he got the card that he asked for goes without saying.
            return [*self.rest(), *lines[1:]] if lines[1:] else []
        if before.phase is Phase.CUT and after.phase is not Phase.CUT:
            lines.append("")
        return [*self.rest(), *lines]

    def rest(self) -> list[str]:
        """Return what is kept back."""
        said = " ".join(self._said)
        lines = [_("{name}: {said}").format(name=self._name, said=said)] if said else []
        self._name = ""
        self._said.clear()
        return lines


class RecordingReadingSource:
    """Eyes that let somebody look over their shoulder."""

    def __init__(self, eyes: ReadingSource, note: Callable[[Reading], None]) -> None:
        """Tell *note* of each reading before anybody acts on it."""
        self._eyes = eyes
        self._note = note

    @property
    def frame(self) -> int:
        """Return how many frames have been seen."""
        return self._eyes.frame

    @property
    def trouble(self) -> Notice | None:
        """Return why nothing is seen just now."""
        return self._eyes.trouble

    @property
    def ended(self) -> bool:
        """Say whether no frame will come any more."""
        return self._eyes.ended

    def poll(self) -> tuple[Reading, ...]:
        """Return the readings since the last call."""
        readings = self._eyes.poll()
        for reading in readings:
            self._note(reading)
        return readings

    def close(self) -> None:
        """Let go."""
        self._eyes.close()


class Demo:
    """Plays hands, tells them, photographs them, and checks what was read.

    Attributes:
        lines: the transcript.
        tally: readings against the truth.
        pictures: the files written.
    """

    def __init__(
        self,
        session: Session,
        eyes: ReadingSource,
        people: People,
        clock: Clock,
        *,
        tally: Tally,
        lying: Callable[[], object],
        say: Callable[[str], None] = print,
        picture: Picture | None = None,
        out: Path | None = None,
        app: Callable[[ReadingSource], TableController] | None = None,
        linger: int = 0,
        camera: Callable[[], Image | None] = lambda: None,
    ) -> None:
        """Bring everybody to the table.

        Args:
            session: the game and its journal.
            eyes: what looks at the drawn table.
            people: who plays.
            clock: sets the pace, and the times in the journal.
            tally: holds what is read against the truth.
            lying: something that differs whenever anything on the table does.
            say: takes each line of the transcript.
            picture: a screen to be photographed.
            out: where the pictures go.
            app: makes the loop; a plain one without panels when ``None``.
            linger: frames for which people look at what is new on the screen before they go on.
            camera: the latest frame, to be kept beside each picture of the screen.
        """
        self.lines: list[str] = []
        self.tally = tally
        self.pictures: list[Path] = []
        self.session = session
        self._people = people
        self._lying = lying
        self._say = say
        self._picture = picture
        self._out = out
        self._clock = clock
        self._linger = linger
        self._lingering = 0
        self._camera = camera
        self._read = True
        self._moved = False
        self._have_it_shown = False
        self._story = Transcript()
        self._moments: list[tuple[str, View, PromptText | None]] = []
        noting = RecordingReadingSource(eyes, self._note)
        self.app = TableController(session, noting, [], clock) if app is None else app(noting)
        session.listeners.append(self._listen)
        self._tell(opening_lines(session.view))

    def run(self, hands: int) -> bool:
        """Play until *hands* are done; ``False`` when somebody quit before.

        Raises:
            DemoError: nothing happens any more; the message says what the table waits for.
        """
        idle, events = 0, self.session.events
        waited = PATIENCE_FRAMES
        while not self._is_over(hands) or self._lingering:
            began_s = self._clock.monotonic()
            if not self.app.step():
                return False
            self._photograph()
            self._clock.wait(FRAME_S - (self._clock.monotonic() - began_s))
            if self._lingering or self._is_over(hands):
                self._lingering = max(0, self._lingering - 1)
                continue
            waited += 1
            # Nobody lays a second card before the first has been seen; when nothing comes of it
            # people look up at the screen again after a while.
            if self._answer():
                waited = PATIENCE_FRAMES
            elif self._read or waited >= PATIENCE_FRAMES * (2 if self._moved else 1):
                waited = PATIENCE_FRAMES if self._act() else 0
            idle = 0 if self.session.events > events else idle + 1
            events = self.session.events
            if idle > STALL_FRAMES:
                raise DemoError(
                    f"the drawn table stands still at: {self.app.prompt_text.title} "
                    f"({self.app.prompt_text.detail}); try another --seed and report this one"
                )
        self._photograph()
        self._tell(
            [
                *self._story.rest(),
                "",
                *closing_lines(self.session.view),
                self.tally.line(self.app.asked),
            ]
        )
        return True

    def _act(self) -> bool:
        """Let the people do one thing; say whether it was a press."""
        before = self._lying()
        presses = self._people.act(self.session.view)
        self._moved = self._lying() != before
        self._read = False
        for press in presses:
            self.app.press(press)
        return bool(presses) and not self._moved

    def _is_over(self, hands: int) -> bool:
        seen = self.session.view
        return seen.phase is Phase.DONE and seen.hand_number >= hands

    def _answer(self) -> bool:
        """Let the people answer what the croupier asks."""
        question = self.app.question
        if question is None:
            return False
        for press in self._people.answer(question):
            self.app.press(press)
        return True

    def _note(self, reading: Reading) -> None:
        self._read = True
        if reading.seats is not None:
            self.tally.take(self.session.view.hand_number, reading)

    def _listen(self, event: Event, before: View, after: View) -> None:
        self._tell(self._story.take(event, before, after))
        if (after.result is not None and before.result is None) or (
            after.bone is not None and before.bone is None
        ):
            self._lingering = self._linger
        if self._picture is None or self._out is None:
            return
        dealing = (Phase.DEAL, Phase.TURN_UP, Phase.CHOOSE)
        if after.phase is Phase.PLAY and before.phase in dealing:
            bone = bone_prompt(after, current_language()) if after.bone is not None else None
            self._moments.append(("bone" if bone else "turn", after, bone))
        elif after.card_asked and not self._have_it_shown:
            self._have_it_shown = True
            self._moments.append(("have-it", after, None))
        elif isinstance(event, Knock):
            self._moments.append(("knock", after, None))
        elif after.phase is Phase.SHOWDOWN and before.phase is Phase.PLAY:
            self._moments.append(("showdown", after, None))
        elif after.result is not None and before.result is None:
            self._moments.append((after.result.end, after, None))

    def _photograph(self) -> None:
        """Write the moments of this step as pictures of the screen."""
        if self._picture is None or self._out is None:
            return
        for name, seen, prompt in self._moments:
            path = self._out / f"{len(self.pictures) + 1:02d}-hand{seen.hand_number}-{name}.png"
            self._picture.show(seen, self.app.prompt_text if prompt is None else prompt, 0.0)
            self._picture.save(path)
            self.pictures.append(path)
            frame = self._camera()
            if frame is not None:
                cv2.imwrite(str(path.with_name(f"{path.stem}-camera.jpg")), frame)
        self._moments.clear()

    def _tell(self, lines: list[str]) -> None:
        for line in lines:
            self.lines.append(line)
            self._say(line)
