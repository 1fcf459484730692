"""Whole hands without people: simulated players, real camera reading and croupier."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol

import cv2

from device.clock import Clock
from device.croupier.questions import Question
from device.narration.story import closing_lines, opening_lines, tell_live
from device.ports import Image, Press
from device.runtime.session import REPAIRED
from device.runtime.table import TableController
from display import PromptText, bone_prompt
from display.i18n.languages import ENGLISH
from display.i18n.translate import Translator
from engine import Event
from engine.core.bones import Face
from engine.core.cards import Card
from engine.core.errors import BoneAceError
from engine.core.events import Deal, Facing, Have, Knock, Stick
from engine.core.messages.message import N_, Message
from engine.core.views import Phase, View
from vision.readings import Reading

if TYPE_CHECKING:
    from display import Window

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

    def answer(self, question: Question) -> list[Press]:
        """Answer the croupier; return the buttons pressed."""


class Tally(ABC):
    """Things read, compared with what lies on the table.

    Attributes:
        laid: everything that lay there at a reading.
        read: what of it was read correctly at least once.
        wrong: what was read as something else.
    """

    said: ClassVar[tuple[str, str]]
    """How many were read of those that lay there, and the same where some were read wrongly."""

    def __init__(self) -> None:
        """Start before the first reading."""
        self.laid: set[tuple[object, object]] = set()
        self.read: set[tuple[object, object]] = set()
        self.wrong: set[tuple[object, object]] = set()

    @abstractmethod
    def take(self, hand: int, reading: Reading) -> None:
        """Compare one reading with what lies there."""

    def line(self, asked: int) -> Message:
        """Return a summary; *asked* is how often the croupier had to ask."""
        read, wrong = self.said[bool(self.wrong)], len(self.wrong)
        return Message(
            "{read}; {asked}.",
            read=Message(read, read=len(self.read), laid=len(self.laid), wrong=wrong),
            asked=Message("asked {n} time", "asked {n} times", asked, n=asked),
        )


class CardTally(Tally):
    """Cards read, compared with cards that lie face up; each is a pair ``(hand, card)``."""

    said = (
        N_("Cards read: {read} of {laid}"),
        N_("Cards read: {read} of {laid}, {wrong} wrongly"),
    )

    def __init__(self, truth: Callable[[], Collection[Card]]) -> None:
        """Compare with *truth*: it returns the cards that lie face up now."""
        super().__init__()
        self._truth = truth

    def take(self, hand: int, reading: Reading) -> None:
        """Compare one reading with what lies there."""
        truth = self._truth()
        seen = {each.card for each in reading.cards}
        self.laid |= {(hand, card) for card in truth}
        self.read |= {(hand, card) for card in truth if card in seen}
        self.wrong |= {(hand, card) for card in seen if card not in truth}


class BoneTally(Tally):
    """Bones read, compared with bones thrown; a bone left there counts again at each state."""

    said = (
        N_("Bones read: {read} of {laid}"),
        N_("Bones read: {read} of {laid}, {wrong} wrongly"),
    )

    def __init__(
        self,
        truth: Callable[[], Collection[tuple[tuple[float, float], Face | None]]],
        fingerprint: Callable[[], object],
    ) -> None:
        """Compare with *truth*: it returns the centre of each bone in millimetres, and the face up.

        *fingerprint* returns a value that differs whenever anything on the table does.
        """
        super().__init__()
        self._truth, self._fingerprint = truth, fingerprint

    def take(self, hand: int, reading: Reading) -> None:
        """Compare one reading with what lies there."""
        seen = [
            (bone.spot.centre_mm, bone.face)
            for bone in reading.bones
            if bone.spot.centre_mm is not None
        ]
        for centre, face in self._truth():
            key = (self._fingerprint(), centre)
            near = [(math.dist(at, centre), said) for at, said in seen]
            distance, said = min(near, key=lambda each: each[0], default=(math.inf, None))
            if face is not None:
                self.laid.add(key)
            if distance < SAME_BONE_MM:
                (self.read if said is face else self.wrong).add(key)


class Transcript:
    """The story, with one line for everything that a player says in a turn."""

    def __init__(self, translator: Translator) -> None:
        """Start an empty transcript in the language of *translator*."""
        self._translator = translator
        self._name = ""
        self._said: list[str] = []

    def take(self, event: Event, before: View, after: View, assumed: str = "") -> list[str]:
        """Return the lines that *event* completes; those of an open turn are held back."""
        _ = self._translator
        lines = tell_live(event, before, after, assumed, _)
        if assumed == REPAIRED:
            return [*self.flush(), *lines]
        if isinstance(event, Have | Stick):
            name = after.seat(event.seat).name
            done = [] if name == self._name else self.flush()
            self._name = name
            self._said.append(_("“Have it.”") if isinstance(event, Have) else _("“Stick.”"))
            if isinstance(event, Stick) or lines[1:]:
                done += self.flush()
            return [*done, *lines[1:]]
        if isinstance(event, Deal) and before.card_asked and event.face is Facing.DOWN:
            # A card that was asked for and that nobody sees needs no line of its own.
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


class Demo:
    """Plays hands, tells their story, saves pictures, and checks the readings."""

    def __init__(
        self,
        app: TableController,
        players: Players,
        clock: Clock,
        *,
        tally: Tally,
        fingerprint: Callable[[], object],
        say: Callable[[str], None] = print,
        picture: Window | None = None,
        out: Path | None = None,
        linger: int = 0,
        holds: bool = False,
        camera: Callable[[], Image | None] = lambda: None,
        language: str = ENGLISH,
    ) -> None:
        """Let *players* play at the table that *app* runs, at the pace of *clock*.

        *fingerprint* returns a value that differs whenever anything on the table does; the players
        wait *linger* frames when the screen shows something new. With a *picture* and a folder
        *out*, moments of the screen are saved, each beside the latest frame of *camera*. One that
        *holds* shows its result in the end until somebody presses a key.
        Transcript and pictures are in *language*.
        """
        self.lines: list[str] = []
        self.tally = tally
        self.pictures: list[Path] = []
        self.app = app
        self.session = session = app.session
        self._players = players
        self._fingerprint = fingerprint
        self._say = say
        self._picture = picture
        self._out = out
        self._clock = clock
        self._linger = linger
        self._lingering = 0
        self._holds = holds
        self._camera = camera
        self._read = True
        self._moved = False
        self._have_it_shown = False
        self._language = language
        self._translator = Translator.of(language)
        self._story = Transcript(self._translator)
        self._moments: list[tuple[str, View, PromptText | None]] = []
        app.on_reading = self._note
        session.listeners.append(self._listen)
        self._tell(opening_lines(session.view, self._translator))

    def run(self, hands: int) -> bool:
        """Play until *hands* are done, or the match; return ``False`` when somebody quit before.

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
        self._end()
        return True

    def _end(self) -> None:
        """Tell the ledger, and how much was read."""
        ending = [
            *closing_lines(self.session.view, self._translator),
            self._translator.render(self.tally.line(self.app.asked)),
        ]
        self._tell([*self._story.flush(), "", *ending])
        if self._holds and self._picture is not None:
            self._hold(self._picture)

    def _hold(self, window: Window) -> None:
        """Show the result until a key is pressed, or the window touched or closed."""
        words = self._translator.render(Message("That was the demo. Press any key to end it."))
        shown = replace(self.app.prompt_text, detail=words, keys=())
        window.keys()  # what was pressed before was meant for the table
        window.taps()
        while not (window.keys() or window.taps()):
            window.show(self.session.view, shown, self._clock.monotonic())
            self._clock.wait(FRAME_S)

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
        seen, over = self.session.view, self.session.state.round.standing.over
        return seen.phase is Phase.DONE and (over or seen.hand_number >= hands)

    def _answer(self) -> bool:
        """Let the players answer the croupier; return whether there was a question."""
        question = self.app.question
        if question is None:
            return False
        self.app.note_read()
        for press in self._players.answer(question):
            self.app.press(press)
        return True

    def _note(self, reading: Reading) -> None:
        self._read = True
        if reading.seats is not None:
            self.tally.take(self.session.view.hand_number, reading)

    def _listen(self, event: Event, before: View, after: View, assumed: str) -> None:
        self._tell(self._story.take(event, before, after, assumed))
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
        if self._picture is None or self._out is None:
            return
        for name, seen, prompt in self._moments:
            path = self._out / f"{len(self.pictures) + 1:02d}-hand{seen.hand_number}-{name}.png"
            shown = self.app.prompt_text if prompt is None else prompt
            # What opens or flies has come to rest.
            self._picture.show(seen, replace(shown, moment_s=math.inf, result_s=math.inf), 0.0)
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
