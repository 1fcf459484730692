"""Buttons and lamps: on the header, on the keyboard, and from a script."""

from __future__ import annotations

import json
import logging
import queue
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from device.clock import Clock, SystemClock
from device.hardware.debounce import SETTLE_S, Debounce
from device.hardware.lamps import Buzzer, LampBoard
from device.ports import Button, Closing, Lamps, Press
from engine.core.errors import BoneAceError

if TYPE_CHECKING:
    from display.chimes import Chime

log = logging.getLogger(__name__)


class PanelError(BoneAceError, OSError):
    """Buttons that cannot be used, or a script of presses that cannot be read."""


@dataclass(frozen=True, slots=True)
class Pins:
    """What is wired where, by BCM number.

    Attributes:
        buttons: ``(button, seat)`` to pin; seat ``None`` is the console's own button. Buttons
            connect their pin to ground.
        turn_lamps: seat to the pin of the lamp that says "your turn".
        attention_lamp: the console's lamp: the table waits for an answer.
        knob: the two phases of a rotary encoder, A and B; its push is a button.
        buzzer: an active buzzer.
    """

    buttons: Mapping[tuple[Button, int | None], int] = field(default_factory=dict)
    turn_lamps: Mapping[int, int] = field(default_factory=dict)
    attention_lamp: int | None = None
    knob: tuple[int, int] | None = None
    buzzer: int | None = None


class GpioPanel(Closing):
    """Buttons, knob, lamps and buzzer on the header, by gpiozero."""

    def __init__(
        self,
        pins: Pins,
        *,
        clock: Clock | None = None,
        settle_s: float = SETTLE_S,
        full: float = 1.0,
        pin_factory: Any = None,
    ) -> None:
        """Claim the pins.

        Args:
            pins: what is wired where.
            clock: stamps the edges and moves the lamps; the machine's when ``None``.
            settle_s: how long a contact must be quiet between two presses.
            full: how bright a lamp that is on looks, 0 to 1.
            pin_factory: gpiozero's; its mock stands in where there is no header.

        Raises:
            PanelError: gpiozero is missing, or a pin cannot be used.
        """
        self._clock: Clock = clock or SystemClock()
        self._edges: queue.SimpleQueue[tuple[Button, int | None, bool, float]] = queue.SimpleQueue()
        self._contacts = {key: Debounce(settle_s) for key in pins.buttons}
        self._devices: list[Any] = []
        self._buttons: dict[tuple[Button, int | None], Any] = {}
        self.lamps: LampBoard | None = None
        self.buzzer: Buzzer | None = None
        try:
            import gpiozero
        except ImportError as problem:
            raise PanelError(
                "gpiozero is not installed; run: pip install boneace, or use --panel keyboard"
            ) from problem
        try:
            for (button, seat), pin in pins.buttons.items():
                # bounce_time stays off: gpiozero's cannot be tested, ours runs on any clock.
                device = gpiozero.Button(pin, pull_up=True, pin_factory=pin_factory)
                self._devices.append(device)
                self._buttons[button, seat] = device
                device.when_pressed = self._edge(button, seat, True)
                device.when_released = self._edge(button, seat, False)
            if pins.knob is not None:
                # Its table of four phases passes over chatter by itself; 0 is no end stop.
                knob = gpiozero.RotaryEncoder(*pins.knob, max_steps=0, pin_factory=pin_factory)
                self._devices.append(knob)
                knob.when_rotated_clockwise = self._edge(Button.RIGHT, None, True)
                knob.when_rotated_counter_clockwise = self._edge(Button.LEFT, None, True)
            if pins.turn_lamps or pins.attention_lamp is not None:
                self.lamps = LampBoard(
                    pins.turn_lamps,
                    pins.attention_lamp,
                    clock=self._clock,
                    full=full,
                    pin_factory=pin_factory,
                )
                self._devices.append(self.lamps)
            if pins.buzzer is not None:
                self.buzzer = Buzzer(pins.buzzer, clock=self._clock, pin_factory=pin_factory)
                self._devices.append(self.buzzer)
        except Exception as problem:
            # gpiozero raises a family of its own and whatever its pin library raises.
            self.close()
            raise PanelError(
                f"the buttons on the header cannot be used: {problem}; check [panel] pins in the "
                "config and that you are in the group gpio, then run: boneace doctor"
            ) from problem

    def _edge(self, button: Button, seat: int | None, is_down: bool) -> Callable[[], None]:
        """Return a callback for gpiozero's thread: it only puts the edge on the queue."""

        def put() -> None:
            self._edges.put((button, seat, is_down, self._clock.monotonic()))

        return put

    def poll(self, time_s: float) -> tuple[Press, ...]:
        """Return the presses since the last call, oldest first, bounce removed."""
        presses: list[Press] = []
        while True:
            try:
                button, seat, is_down, at_s = self._edges.get_nowait()
            except queue.Empty:
                return tuple(presses)
            contact = self._contacts.get((button, seat))
            # The knob's steps have no contact of their own: each is a press.
            if contact is None or contact.edge(is_down, at_s):
                presses.append(Press(button, at_s, seat))

    def held(self) -> tuple[tuple[Button, int | None], ...]:
        """Return the buttons that are down now, as ``(button, seat)``."""
        return tuple(key for key, device in self._buttons.items() if device.is_pressed)

    def show(self, lamps: Lamps) -> None:
        """Light these lamps and turn off all others; winners' lamps flash."""
        if self.lamps is not None:
            self.lamps.show(lamps)
        if self.buzzer is not None:
            self.buzzer.tick()

    def beep(self, chime: Chime) -> None:
        """Beep for *chime*, if there is a buzzer."""
        if self.buzzer is not None:
            self.buzzer.beep(chime)

    def close(self) -> None:
        """Release the pins; may be called twice."""
        while self._devices:
            self._devices.pop().close()
        self._buttons.clear()
        self.lamps = self.buzzer = None


KEYS: Mapping[str, Button] = {
    "h": Button.HAVE,
    "return": Button.HAVE,
    "enter": Button.HAVE,
    "s": Button.STICK,
    "space": Button.STICK,
    "n": Button.NEXT,
    "u": Button.UNDO,
    "backspace": Button.UNDO,
    "m": Button.MENU,
    "escape": Button.MENU,
    "q": Button.QUIT,
    "quit": Button.QUIT,
}
"""Names of keys, as pygame writes them, and what they press; ``quit`` is the window's cross."""


PAD_KEYS: Mapping[str, Button] = {
    "pad a": Button.HAVE,
    "pad b": Button.STICK,
    "pad x": Button.NEXT,
    "pad y": Button.UNDO,
    "pad left shoulder": Button.STICK,
    "pad right shoulder": Button.HAVE,
    "pad back": Button.UNDO,
    "pad start": Button.MENU,
    "pad left": Button.LEFT,
    "pad up": Button.LEFT,
    "pad right": Button.RIGHT,
    "pad down": Button.RIGHT,
    "wheel up": Button.LEFT,
    "wheel down": Button.RIGHT,
    "left": Button.LEFT,
    "up": Button.LEFT,
    "right": Button.RIGHT,
    "down": Button.RIGHT,
    "tab": Button.RIGHT,
}
"""What a gamepad, the mouse's wheel and the arrow keys press."""


SEAT_KEYS: Mapping[str, tuple[Button, int]] = {
    **{str(number): (Button.HAVE, number - 1) for number in range(1, 9)},
    **{f"f{number}": (Button.STICK, number - 1) for number in range(1, 9)},
}
"""The seats' own buttons on a keyboard: digits are HAVE of seats 1 to 8, F1 to F8 their STICK."""


class _UnlitPanel(Closing):
    """A panel without lamps of its own; it keeps what it is told to show.

    Attributes:
        lamps: the last ones shown.
    """

    lamps = Lamps()

    def show(self, lamps: Lamps) -> None:
        """Keep the lamps."""
        self.lamps = lamps


class KeyboardPanel(_UnlitPanel):
    """The keys of the window and every gamepad, for the player to move and for the dealer."""

    def __init__(self, keys: Callable[[], Iterable[str]]) -> None:
        """Take the names of the keys pressed since the last call from *keys*."""
        self._keys: Callable[[], Iterable[str]] | None = keys

    def poll(self, time_s: float) -> tuple[Press, ...]:
        """Return the presses since the last call; unknown keys are ignored."""
        if self._keys is None:
            return ()
        names = [name.lower() for name in self._keys()]
        alone = {name: (button, None) for name, button in (*PAD_KEYS.items(), *KEYS.items())}
        meant: dict[str, tuple[Button, int | None]] = {**alone, **SEAT_KEYS}
        presses = (meant[name] for name in names if name in meant)
        return tuple(Press(button, time_s, seat) for button, seat in presses)

    def close(self) -> None:
        """Stop taking keys."""
        self._keys = None


@dataclass(frozen=True, slots=True)
class Touchable:
    """An area of the screen that presses a button.

    Attributes:
        left: with *top*, *right* and *bottom* its edges, as shares of the window, 0 to 1.
        seat: set when it is a seat's own button.
        choice: set when it is one of several answers, from 0.
    """

    left: float
    top: float
    right: float
    bottom: float
    button: Button
    seat: int | None = None
    choice: int | None = None

    def holds(self, across: float, down: float) -> bool:
        """Return whether this point lies in the area."""
        return self.left <= across <= self.right and self.top <= down <= self.bottom


BAND = (
    Touchable(0.0, 0.0, 0.12, 0.12, Button.UNDO),
    Touchable(0.88, 0.0, 1.0, 0.12, Button.MENU),
    Touchable(0.0, 0.8, 0.5, 1.0, Button.STICK),
    Touchable(0.5, 0.8, 1.0, 1.0, Button.HAVE),
    Touchable(0.25, 0.3, 0.75, 0.7, Button.NEXT),
)
"""Touch areas of the plain table: the bar below, left to stick and right to have it; the centre
for the next hand; the upper corners to undo and for the menu. Other screens give their own."""


class TouchPanel(_UnlitPanel):
    """The touch screen, and the mouse."""

    def __init__(
        self,
        taps: Callable[[], Iterable[tuple[float, float]]],
        places: Callable[[], Iterable[Touchable]] = lambda: BAND,
    ) -> None:
        """Take what was touched since the last call from *taps*, such as ``Window.taps``.

        Args:
            taps: across and down, as shares of the window, 0 to 1.
            places: what can be touched now; of several that overlap the last counts, as it is
                painted last.
        """
        self._taps: Callable[[], Iterable[tuple[float, float]]] | None = taps
        self._places = places

    def poll(self, time_s: float) -> tuple[Press, ...]:
        """Return the presses since the last call; touches outside all areas are ignored."""
        presses = []
        for across, down in self._taps() if self._taps is not None else ():
            touched = [place for place in self._places() if place.holds(across, down)]
            if touched:
                last = touched[-1]
                presses.append(Press(last.button, time_s, last.seat, last.choice))
        return tuple(presses)

    def close(self) -> None:
        """Stop taking touches."""
        self._taps = None


@dataclass(frozen=True, slots=True)
class ScriptedPress:
    """A press that comes with frame number *frame*, counted from 0."""

    frame: int
    button: Button
    seat: int | None = None


class ScriptedPanel(_UnlitPanel):
    """Presses from a script, for recordings and tests: JSON Lines, one press a line.

    ``{"frame": 41, "button": "stick", "seat": 2}``; ``seat`` may be left out.
    """

    def __init__(self, presses: Iterable[ScriptedPress], frame: Callable[[], int]) -> None:
        """Give *presses* when *frame* reaches theirs."""
        self._left = sorted(presses, key=lambda press: press.frame)
        self._frame = frame

    @classmethod
    def from_file(cls, path: Path, frame: Callable[[], int]) -> Self:
        """Read a script.

        Raises:
            PanelError: the file cannot be read; the message names the line and the cure.
        """
        return cls(read_presses(path), frame)

    def poll(self, time_s: float) -> tuple[Press, ...]:
        """Return the presses whose frame has come."""
        now = self._frame()
        due = [press for press in self._left if press.frame <= now]
        del self._left[: len(due)]
        return tuple(Press(press.button, time_s, press.seat) for press in due)

    def close(self) -> None:
        """Stop giving presses."""
        self._left.clear()


def read_presses(path: Path) -> tuple[ScriptedPress, ...]:
    """Read a script of presses.

    Raises:
        PanelError: the file cannot be read; the message names the line and the cure.
    """
    example = 'write {"frame": 41, "button": "stick", "seat": 2}'
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        raise PanelError(f"{path}: cannot be read ({problem}); check --presses") from problem
    presses = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        try:
            entry = json.loads(line)
        except ValueError as problem:
            raise PanelError(f"{where}: is not JSON ({problem}); {example}") from problem
        if not isinstance(entry, dict) or not isinstance(entry.get("frame"), int):
            raise PanelError(f"{where}: has no whole 'frame' number; {example}")
        if entry.get("button") not in list(Button):
            known = ", ".join(Button)
            raise PanelError(
                f"{where}: unknown button {entry.get('button')!r}; the buttons are {known}"
            )
        seat = entry.get("seat")
        if seat is not None and not isinstance(seat, int):
            raise PanelError(f"{where}: seat {seat!r} is not a number; {example}")
        presses.append(ScriptedPress(entry["frame"], Button(entry["button"]), seat))
    return tuple(presses)


def write_press(press: ScriptedPress) -> str:
    """Return *press* as one line of a script, without the line's end."""
    entry: dict[str, object] = {"frame": press.frame, "button": press.button.value}
    if press.seat is not None:
        entry["seat"] = press.seat
    return json.dumps(entry)
