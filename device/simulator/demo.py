"""Whole hands without people: simulated players, real camera reading and croupier."""

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
from display.i18n.languages import ENGLISH
from display.i18n.translate import Translator
from engine import Event
from engine.core.bones import Face
from engine.core.cards import Card
from engine.core.errors import BoneAceError
from engine.core.events import Deal, Have, Knock, Stick
from engine.core.views import Phase, View
from vision.readings import Reading

PATIENCE_FRAMES = 15
"""Frames that the players wait for a reading before they go on."""

STALL_FRAMES = 400
"""Frames without an event after which the demo gives up."""

SAME_BONE_MM = 15.0
"""Greatest distance from a bone to its reading; the shortest bone is 25 mm long."""

FRAME_S = 0.1
"""Seconds between frames, by the demo's clock."""


class DemoError(BoneAceError, RuntimeError):
    """Nothing happens any more on the simulated table."""


class Players(Protocol):
    """Players and dealer: they follow the screen and handle their cards or bones."""

    def act(self, view: View) -> list[Press]:
        """Make at most one move at the table; return the buttons pressed."""
        ...

    def answer(self, question: Question) -> list[Press]:
        """Answer the croupier; return the buttons pressed."""
        ...


class Picture(Protocol):
    """A screen that can be saved as a picture; :class:`display.Window` is one."""

    def show(self, view: View, prompt: PromptText | None = None, time_s: float = 0.0) -> None:
        """Draw the table."""
        ...

    def save(self, path: str | Path) -> None:
        """Write what is shown as a PNG."""
        ...


class Tally(Protocol):
    """Compares readings with what lies on the table."""

    def take(self, hand: int, reading: Reading) -> None:
        """Compare one reading with what lies there."""
        ...

    def line(self, asked: int) -> str:
        """Return a summary line; *asked* is how often the croupier had to ask."""
        ...


@dataclass(slots=True)
class CardTally:
    """Cards read, compared with cards laid; each is a pair ``(hand, card)``.

    Attributes:
        truth: returns the cards that lie face up now.
        laid: every card that lay face up at a reading.
        read: those of them that were read correctly at least once.
        wrong: readings of cards that did not lie there.
    """

    truth: Callable[[], Collection[Card]]
    laid: set[tuple[int, Card]] = field(default_factory=set)
    read: set[tuple[int, Card]] = field(default_factory=set)
    wrong: set[tuple[int, Card]] = field(default_factory=set)

    def take(self, hand: int, reading: Reading) -> None:
        """Compare one reading with what lies there."""
        truth = self.truth()
        seen = {each.card for each in reading.cards}
        self.laid |= {(hand, card) for card in truth}
        self.read |= {(hand, card) for card in truth if card in seen}
        self.wrong |= {(hand, card) for card in seen if card not in truth}

    def line(self, asked: int) -> str:
        """Return a summary line."""
        return _tally_line("Cards", len(self.read), len(self.laid), len(self.wrong), asked)


@dataclass(slots=True)
class BoneTally:
    """Bones read, compared with bones thrown.

    Attributes:
        truth: returns each bone that lies there: its centre on the mat in millimetres, and the
            face up (``None`` on its end).
        fingerprint: returns a value that differs whenever anything on the table does.
        laid: every bone at every state that was read; a bone left there counts again.
        read: those of them that were read correctly at least once.
        wrong: those of them that were read as another face.
    """

    truth: Callable[[], Collection[tuple[tuple[float, float], Face | None]]]
    fingerprint: Callable[[], object]
    laid: set[tuple[object, tuple[float, float]]] = field(default_factory=set)
    read: set[tuple[object, tuple[float, float]]] = field(default_factory=set)
    wrong: set[tuple[object, tuple[float, float]]] = field(default_factory=set)

    def take(self, hand: int, reading: Reading) -> None:
        """Compare one reading with what lies there."""
        seen = [
            (bone.spot.centre_mm, bone.face)
            for bone in reading.bones
            if bone.spot.centre_mm is not None
        ]
        for centre, face in self.truth():
            key = (self.fingerprint(), centre)
            near = [(math.dist(at, centre), said) for at, said in seen]
            distance, said = min(near, key=lambda each: each[0], default=(math.inf, None))
            if face is not None:
                self.laid.add(key)
            if distance < SAME_BONE_MM:
                (self.read if said is face else self.wrong).add(key)

    def line(self, asked: int) -> str:
        """Return a summary line."""
        return _tally_line("Bones", len(self.read), len(self.laid), len(self.wrong), asked)


def _tally_line(what: str, read: int, laid: int, wrong: int, asked: int) -> str:
    wrongly = f", {wrong} wrongly" if wrong else ""
    times = "once" if asked == 1 else f"{asked} times"
    return f"{what} read: {read} of {laid}{wrongly}; asked {times}."


class Transcript:
    """The story, with one line for everything that a player says in a turn."""

    def __init__(self, translator: Translator) -> None:
        """Start an empty transcript in the language of *translator*."""
        self._translator = translator
        self._name = ""
        self._said: list[str] = []

    def take(self, event: Event, before: View, after: View) -> list[str]:
        """Return the lines that *event* completes; those of an open turn are held back."""
        _ = self._translator
        lines = tell(event, before, after, _)
        if isinstance(event, Have | Stick):
            name = after.seat(event.seat).name
            done = [] if name == self._name else self.flush()
            self._name = name
            self._said.append(_("“Have it.”") if isinstance(event, Have) else _("“Stick.”"))
            if isinstance(event, Stick) or lines[1:]:
                done += self.flush()
            return [*done, *lines[1:]]
        if isinstance(event, Deal) and before.card_asked:
            # A card that was asked for needs no line of its own.
            return [*self.flush(), *lines[1:]] if lines[1:] else []
        if before.phase is Phase.CUT and after.phase is not Phase.CUT:
            lines.append("")
        return [*self.flush(), *lines]

    def flush(self) -> list[str]:
        """Return and clear the line that is held back."""
        _, said = self._translator, " ".join(self._said)
        lines = [_("{name}: {said}").format(name=self._name, said=said)] if said else []
        self._name = ""
        self._said.clear()
        return lines


class RecordingReadingSource:
    """A reading source that reports each reading before it is acted on."""

    def __init__(self, source: ReadingSource, on_reading: Callable[[Reading], None]) -> None:
        """Call *on_reading* with each reading of *source*."""
        self._source = source
        self._on_reading = on_reading

    @property
    def frame(self) -> int:
        """Return how many frames have been seen."""
        return self._source.frame

    @property
    def trouble(self) -> Notice | None:
        """Return why nothing is seen now."""
        return self._source.trouble

    @property
    def ended(self) -> bool:
        """Return whether no frame will follow."""
        return self._source.ended

    def poll(self) -> tuple[Reading, ...]:
        """Return the readings since the last call."""
        readings = self._source.poll()
        for reading in readings:
            self._on_reading(reading)
        return readings

    def close(self) -> None:
        """Close the source."""
        self._source.close()


class Demo:
    """Plays hands, tells their story, saves pictures, and checks the readings.

    Attributes:
        lines: the transcript.
        tally: compares readings with what lies there.
        pictures: the files written.
    """

    def __init__(
        self,
        session: Session,
        source: ReadingSource,
        players: Players,
        clock: Clock,
        *,
        tally: Tally,
        fingerprint: Callable[[], object],
        say: Callable[[str], None] = print,
        picture: Picture | None = None,
        out: Path | None = None,
        app: Callable[[ReadingSource], TableController] | None = None,
        linger: int = 0,
        camera: Callable[[], Image | None] = lambda: None,
        language: str = ENGLISH,
    ) -> None:
        """Connect the table, its players and the session.

        Args:
            session: the game and its journal.
            source: readings of the simulated table.
            players: who plays.
            clock: sets the pace, and the times in the journal.
            tally: compares readings with what lies there.
            fingerprint: returns a value that differs whenever anything on the table does.
            say: called with each line of the transcript.
            picture: a screen to be saved as pictures.
            out: folder for the pictures.
            app: makes the controller; by default one without panels.
            linger: frames that the players wait when the screen shows something new.
            camera: returns the latest frame, which is saved beside each picture of the screen.
            language: of the transcript and the pictures.
        """
        self.lines: list[str] = []
        self.tally = tally
        self.pictures: list[Path] = []
        self.session = session
        self._players = players
        self._fingerprint = fingerprint
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
        self._language = language
        self._translator = Translator.of(language)
        self._story = Transcript(self._translator)
        self._moments: list[tuple[str, View, PromptText | None]] = []
        noted = RecordingReadingSource(source, self._note)
        self.app = TableController(session, noted, [], clock) if app is None else app(noted)
        session.listeners.append(self._listen)
        self._tell(opening_lines(session.view, self._translator))

    def run(self, hands: int) -> bool:
        """Play until *hands* are done; return ``False`` when somebody quit before.

        Raises:
            DemoError: nothing happens any more; the message says what the table waits for.
        """
        idle, events = 0, self.session.events
        waited = PATIENCE_FRAMES
        while not self._is_over(hands) or self._lingering:
            began_s = self._clock.monotonic()
            if not self.app.step():
                return False
            self._save_pictures()
            self._clock.wait(FRAME_S - (self._clock.monotonic() - began_s))
            if self._lingering or self._is_over(hands):
                self._lingering = max(0, self._lingering - 1)
                continue
            waited += 1
            # Nobody lays a second card before the first was read; without a reading the players
            # act on the screen again after a while.
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
        self._save_pictures()
        self._tell(
            [
                *self._story.flush(),
                "",
                *closing_lines(self.session.view, self._translator),
                self.tally.line(self.app.asked),
            ]
        )
        return True

    def _act(self) -> bool:
        """Let the players make one move; return whether it was a press only."""
        before = self._fingerprint()
        presses = self._players.act(self.session.view)
        self._moved = self._fingerprint() != before
        self._read = False
        for press in presses:
            self.app.press(press)
        return bool(presses) and not self._moved

    def _is_over(self, hands: int) -> bool:
        seen = self.session.view
        return seen.phase is Phase.DONE and seen.hand_number >= hands

    def _answer(self) -> bool:
        """Let the players answer the croupier; return whether there was a question."""
        question = self.app.question
        if question is None:
            return False
        for press in self._players.answer(question):
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
            bone = bone_prompt(after, self._language) if after.bone is not None else None
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

    def _save_pictures(self) -> None:
        """Save the moments of this step as pictures of the screen."""
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
