"""Protocols of the hardware: camera, panel, speaker; and what closes itself after a ``with``."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, Self, TypeAlias

from engine.core.errors import BoneAceError

if TYPE_CHECKING:
    # `boneace mat` must not wait for pygame, nor `boneace ledger` for NumPy.
    import numpy as np
    from numpy.typing import NDArray

    from display.chimes import Chime

MOST_SEATS = 8
"""The largest play mat has so many."""

Image: TypeAlias = "NDArray[np.uint8]"
"""uint8, shape (height, width, 3), BGR."""


class CameraError(BoneAceError, OSError):
    """A camera that cannot be opened or gives no frame; the message says what to do."""


class NoThreadError(CameraError):
    """A camera for which no thread can be started: opening it again will not help."""


class EndOfFramesError(BoneAceError, EOFError):
    """A recording has no more frames."""


class Closing:
    """Closes itself at the end of a ``with`` block."""

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_problem: object) -> None:
        """Close it, whatever happened in the block."""
        self.close()

    def close(self) -> None:
        """Let go; may be called twice."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of the table; *time_s* is monotonic."""

    image: Image
    time_s: float


class Camera(Protocol):
    """A source of frames."""

    def read(self, timeout_s: float = 2.0) -> Frame:
        """Return the next frame.

        Raises:
            CameraError: no frame came within *timeout_s* seconds.
            EndOfFramesError: the recording is over.
        """

    def close(self) -> None:
        """Release the device; may be called twice."""


class Button(StrEnum):
    """What a person can press; ``LEFT``, ``RIGHT`` and ``PUSH`` are the knob's steps and push.

    ``AGAIN`` and ``TELL`` ask the voice, and change nothing: to say that again, and how it stands.
    """

    STICK = "stick"
    HAVE = "have"
    OUT = "out"
    NEXT = "next"
    UNDO = "undo"
    MENU = "menu"
    QUIT = "quit"
    LEFT = "left"
    RIGHT = "right"
    PUSH = "push"
    AGAIN = "again"
    TELL = "tell"


ASKS_VOICE = (Button.AGAIN, Button.TELL)


@dataclass(frozen=True, slots=True)
class Press:
    """A button pressed.

    Attributes:
        seat: set when the button belongs to a seat.
        choice: set when something on the screen was touched: which of the answers, from 0.
        is_word: it came before the open question could be read, and does not answer it.
        moving: hands were seen over the mat, and what they did had not come to rest.
    """

    button: Button
    time_s: float
    seat: int | None = None
    choice: int | None = None
    is_word: bool = False
    moving: bool = False


@dataclass(frozen=True, slots=True)
class Lamps:
    """Which lamps are lit.

    Attributes:
        turn: the seat whose turn it is.
        winners: seats that won; their lamps flash.
        attention: the console's own.
        lit: seats whose lamps are just on: players who have joined the next game.
    """

    turn: int | None = None
    winners: tuple[int, ...] = ()
    attention: bool = False
    lit: tuple[int, ...] = ()


class Panel(Protocol):
    """Buttons and lamps."""

    def poll(self, time_s: float) -> tuple[Press, ...]:
        """Return the presses since the last call, oldest first, bounce removed."""

    def show(self, lamps: Lamps) -> None:
        """Light these lamps and turn off all others."""

    def close(self) -> None:
        """Release the pins; may be called twice."""


class Talk(StrEnum):
    """How much the voice says.

    ``FEW`` is results, payments, questions and whose turn it is; ``NORMAL`` has open cards and
    totals as well, and each question in full once a hand; ``ALL`` has all that the screen says.
    """

    FEW = "few"
    NORMAL = "normal"
    ALL = "all"


class Speaker(Protocol):
    """Chimes and a voice; no method may block the loop."""

    def chime(self, chime: Chime) -> None:
        """Play *chime* now, softer while the voice speaks."""

    def say(self, text: str, topic: str = "", *, urgent: bool = False) -> None:
        """Speak *text* after the current sentence.

        Args:
            text: whole sentences in the table's language.
            topic: a newer text replaces one of the same topic that still waits; texts without a
                topic are all spoken.
            urgent: it is never dropped, breaks off what is not urgent, and takes the place of all
                that waits: that is out of date now. One with a topic gives way to the next urgent
                text.
        """

    def hush(self) -> None:
        """Stop speaking and drop the queue."""

    def tick(self) -> None:
        """Play what has become ready; call it with every frame."""

    def close(self) -> None:
        """Stop all sound and release the device; may be called twice."""
