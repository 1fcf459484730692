"""The small protocols behind which the hardware sits."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.core.errors import BoneAceError

if TYPE_CHECKING:
    # For the name alone: display brings pygame, which `boneace mat` must not wait for.
    from display.chimes import Chime

Image = NDArray[np.uint8]
"""uint8, shape (height, width, 3), BGR."""


class CameraError(BoneAceError, OSError):
    """A camera that cannot be opened or gives no frame; the message says what to do."""


class EndOfFramesError(BoneAceError, EOFError):
    """A recording has no more frames."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of the table; *time_s* is monotonic."""

    image: Image
    time_s: float


class Camera(Protocol):
    """Somewhere frames come from."""

    def read(self, timeout_s: float = 2.0) -> Frame:
        """Return the next frame.

        Raises:
            CameraError: no frame came within *timeout_s* seconds.
            EndOfFramesError: the recording is over.
        """
        ...

    def close(self) -> None:
        """Let go of the device; may be called twice."""
        ...


class Button(StrEnum):
    """What a person can press; ``LEFT``, ``RIGHT`` and ``PUSH`` are the knob's steps and push."""

    STICK = "stick"
    HAVE = "have"
    NEXT = "next"
    UNDO = "undo"
    MENU = "menu"
    QUIT = "quit"
    LEFT = "left"
    RIGHT = "right"
    PUSH = "push"


@dataclass(frozen=True, slots=True)
class Press:
    """A button pressed.

    Attributes:
        seat: set when the button belongs to a seat.
        choice: set when something on the screen was touched: which of the answers, from 0.
    """

    button: Button
    time_s: float
    seat: int | None = None
    choice: int | None = None


@dataclass(frozen=True, slots=True)
class Lamps:
    """Which lamps are lit.

    Attributes:
        turn: the seat whose turn it is.
        winners: seats that won; their lamps flash.
        attention: the console's own.
        lit: seats whose lamps are just on: who has sat down to the next game.
    """

    turn: int | None = None
    winners: tuple[int, ...] = ()
    attention: bool = False
    lit: tuple[int, ...] = ()


class Panel(Protocol):
    """Buttons and lamps."""

    def poll(self, time_s: float) -> tuple[Press, ...]:
        """Return the presses since the last call, oldest first, bounce removed."""
        ...

    def show(self, lamps: Lamps) -> None:
        """Light these lamps and put out all others."""
        ...

    def close(self) -> None:
        """Let go of the pins; may be called twice."""
        ...


class Speaker(Protocol):
    """What the table is heard by: chimes and a voice, neither of which may hold up the loop."""

    def chime(self, chime: Chime) -> None:
        """Sound *chime* now, softer while the voice speaks."""
        ...

    def say(self, text: str, topic: str = "") -> None:
        """Speak *text* when what is being said is over.

        Args:
            text: whole sentences in the table's language.
            topic: a newer text of the same topic takes the place of one that still waits; texts
                without a topic all wait their turn.
        """
        ...

    def hush(self) -> None:
        """Break off what is being said and forget what waits."""
        ...

    def tick(self) -> None:
        """Let be heard what has become ready; call it with every frame."""
        ...

    def close(self) -> None:
        """Fall silent and let go of the device; may be called twice."""
        ...
