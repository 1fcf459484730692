"""Buttons and lamps: on the header, on the keyboard, and from a script."""

from __future__ import annotations

import json
import queue
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from device.clock import Clock, SystemClock
from device.files import parse_json, read_file
from device.hardware.lamps import Buzzer, LampBoard
from device.ports import ASKS_VOICE, Button, Closing, Lamps, Press
from engine.core.errors import BoneAceError

if TYPE_CHECKING:
    from display.chimes import Chime


SETTLE_S = 0.03
"""Arcade and dome buttons chatter for 1-10 ms; nobody presses twice within 30 ms on purpose."""


HOLD_S = 1.5
"""Who holds STICK this long says "I'm out" (rule G-17)..."""

LONGEST_HOLD_S = 10.0
"""...unless it is held for as long as no finger would: then something stands on it."""


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


class Debounce:
    """Decides which edges of one contact are presses.

    The first edge down counts at once, so a press is never late. After any edge, up or down, the
    contact must be quiet for *settle_s* before another edge down counts; times are the caller's.
    """

    def __init__(self, settle_s: float = SETTLE_S) -> None:
        """Start with a quiet contact."""
        if settle_s < 0:
            raise ValueError(f"settle_s must be 0 or more seconds, got {settle_s!r}; try 0.03")
        self._settle_s = settle_s
        self.last_edge_s: float | None = None

    def edge(self, is_down: bool, time_s: float) -> bool:
        """Handle one edge; return ``True`` when it is a press."""
        quiet = self.last_edge_s is None or time_s - self.last_edge_s >= self._settle_s
        self.last_edge_s = time_s
        return is_down and quiet


def pin_factory(chip: int) -> Any:
    """Return gpiozero's factory of pins for ``/dev/gpiochipN``.

    A *chip* of -1 leaves the choice to gpiozero, which knows every Raspberry Pi: ``None``.

    Raises:
        PanelError: lgpio is not installed, or there is no such chip.
    """
    if chip < 0:
        return None
    try:
        from gpiozero.pins.lgpio import LGPIOFactory
    except ImportError as problem:
        raise PanelError(
            f"panel.chip: {chip} needs lgpio, which is not installed; run: sudo apt install "
            "python3-lgpio, or leave the key out"
        ) from problem
    try:
        return LGPIOFactory(chip=chip)
    except Exception as problem:
        # gpiozero raises a family of its own, and lgpio one of its own.
        raise PanelError(
            f"panel.chip: /dev/gpiochip{chip} cannot be used ({problem}); look which there are: "
            "ls -l /dev/gpiochip*, or leave the key out"
        ) from problem


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
        """Claim the pins; *full* is how bright a lamp that is on looks, 0 to 1.

        A contact must be quiet for *settle_s* between two presses.
        *clock* is the machine's when ``None``; *pin_factory* is gpiozero's, or its mock.

        Raises:
            PanelError: gpiozero is missing, or a pin cannot be used.
        """
        self._clock: Clock = clock or SystemClock()
        self._edges: queue.SimpleQueue[tuple[Button, int | None, bool, float]] = queue.SimpleQueue()
        self._contacts = {key: Debounce(settle_s) for key in pins.buttons}
        self._sticking: dict[tuple[Button, int | None], float] = {}
        self._devices: list[Any] = []
        self._buttons: dict[tuple[Button, int | None], Any] = {}
        self.lamps: LampBoard | None = None
        self.buzzer: Buzzer | None = None
        try:
            import gpiozero
        except ImportError as problem:
            raise PanelError(
                "gpiozero is not installed; run: pip install boneace, or write [panel] in the "
                'config and below it backend = "keyboard"'
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
        """Return the presses since the last call, oldest first, bounce removed.

        STICK counts when it is let go: held for :data:`HOLD_S` it is OUT instead.
        """
        presses: list[Press] = []
        while not self._edges.empty():
            button, seat, is_down, at_s = self._edges.get()
            key = (button, seat)
            contact = self._contacts.get(key)
            up_s = None if contact is None else contact.last_edge_s
            # The knob's steps have no contact of their own: each is a press.
            if contact is None or contact.edge(is_down, at_s):
                if key in self._sticking:
                    presses += _stick(seat, self._sticking.pop(key), up_s)
                if button is Button.STICK:
                    self._sticking[key] = at_s
                else:
                    presses.append(Press(button, at_s, seat))
        down = self.held() if self._sticking else ()
        for key in [key for key in self._sticking if key not in down]:
            presses += _stick(key[1], self._sticking.pop(key), self._contacts[key].last_edge_s)
        return tuple(sorted(presses, key=lambda press: press.time_s))

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


def _stick(seat: int | None, down_s: float, up_s: float | None) -> tuple[Press, ...]:
    """Return what a STICK that was held from *down_s* to *up_s* has said."""
    held_s = 0.0 if up_s is None else up_s - down_s
    if held_s >= LONGEST_HOLD_S:
        return ()
    return (Press(Button.STICK if held_s < HOLD_S else Button.OUT, down_s, seat),)


def _by_name(keys: Mapping[Button, tuple[str, ...]]) -> dict[str, Button]:
    return {name: button for button, names in keys.items() for name in names}


KEYS: Mapping[str, Button] = _by_name(
    {
        Button.HAVE: ("h", "return", "enter"),
        Button.STICK: ("s", "space"),
        Button.OUT: ("o",),
        Button.NEXT: ("n", "page down"),
        Button.UNDO: ("u", "backspace"),
        Button.MENU: ("m", "escape"),
        Button.AGAIN: ("r", "f9"),
        Button.TELL: ("t", "f10"),
        Button.QUIT: ("q", "quit"),
    }
)
"""Names of keys, as pygame writes them, and what they press; ``quit`` is the window's cross."""


PAD_KEYS: Mapping[str, Button] = _by_name(
    {
        Button.HAVE: ("pad a", "pad right shoulder"),
        Button.STICK: ("pad b", "pad left shoulder"),
        Button.OUT: ("pad 9", "pad 10"),
        Button.NEXT: ("pad x",),
        Button.UNDO: ("pad y", "pad back"),
        Button.MENU: ("pad start",),
        Button.AGAIN: ("pad 8",),
        Button.TELL: ("pad 11",),
        Button.LEFT: ("pad left", "pad up", "wheel up", "left", "up"),
        Button.RIGHT: ("pad right", "pad down", "wheel down", "right", "down", "tab"),
    }
)
"""What a gamepad, the mouse's wheel and the arrow keys press."""


SEAT_KEYS: Mapping[str, tuple[Button, int]] = {
    **{str(number): (Button.HAVE, number - 1) for number in range(1, 9)},
    **{f"f{number}": (Button.STICK, number - 1) for number in range(1, 9)},
}
"""The seats' own buttons on a keyboard: digits are HAVE of seats 1 to 8, F1 to F8 their STICK."""


_COMMANDS: Mapping[str, tuple[Button, int | None]] = {
    **{name: (button, None) for name, button in {**PAD_KEYS, **KEYS}.items()},
    **SEAT_KEYS,
}
"""What each key presses, at which seat."""


def is_mute(name: str, signs: Collection[str]) -> bool:
    """Return whether a key that types none of *signs* does nothing at all while they are shown.

    Beside letters no other letter or digit does anything, beside digits no other digit.
    """
    types = len(name) == 1 and name.isalnum() and _COMMANDS[name][0] not in ASKS_VOICE
    letters = any(sign.isalpha() and len(sign) == 1 for sign in signs)
    return types and (letters or (name.isdigit() and any(sign.isdigit() for sign in signs)))


class _UnlitPanel(Closing, ABC):
    """A panel without lamps of its own; it keeps the last ones that it is told to show."""

    lamps = Lamps()
    _closed = False

    def poll(self, time_s: float) -> tuple[Press, ...]:
        """Return the presses since the last call; none any more when it is closed."""
        return () if self._closed else tuple(self._presses(time_s))

    def show(self, lamps: Lamps) -> None:
        """Keep the lamps."""
        self.lamps = lamps

    def close(self) -> None:
        """Take no more presses; may be called twice."""
        self._closed = True

    @abstractmethod
    def _presses(self, time_s: float) -> Iterable[Press]: ...


class KeyboardPanel(_UnlitPanel):
    """The keys of the window and every gamepad, for the player to move and for the dealer.

    Where letters or digits are shown to be chosen, those keys type. While there are letters among
    them, no other letter or digit means anything but what asks the voice; beside digits alone no
    other digit does. A key that several answers share only marks them. Unknown keys are ignored.
    """

    def __init__(
        self,
        keys: Callable[[], Iterable[str]],
        signs: Callable[[], Mapping[str, int]] = dict,
        without: Collection[str] = (),
        steps: Callable[[], Mapping[str, int]] = dict,
    ) -> None:
        """Take the names of the keys pressed since the last call from *keys*.

        *signs* returns the names of those that type what is shown now, and the number of each there
        from 0, such as ``Window.signs``. Keys *without* a command only type. *steps* returns how
        far those that several answers share move the mark, such as ``Window.steps``.
        """
        self._keys, self._signs, self._without, self._steps = keys, signs, without, steps
        self._waiting: deque[str] = deque()

    def _presses(self, time_s: float) -> Iterable[Press]:
        self._waiting.extend(name.lower() for name in self._keys())
        while self._waiting:
            name, signs = self._waiting.popleft(), self._signs()
            steps = self._steps().get(name)
            if steps is not None:
                step = Button.RIGHT if steps > 0 else Button.LEFT
                yield from [Press(step, time_s)] * abs(steps)
            elif name in signs:
                yield Press(Button.HAVE, time_s, choice=signs[name])
            elif name in _COMMANDS and name not in self._without and not is_mute(name, signs):
                button, seat = _COMMANDS[name]
                yield Press(button, time_s, seat)
            if signs:
                return  # the next key is for what is shown then


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
    Touchable(0.0, 0.8, 0.5, 1.0, Button.HAVE),
    Touchable(0.5, 0.8, 1.0, 1.0, Button.STICK),
    Touchable(0.25, 0.3, 0.75, 0.7, Button.NEXT),
)
"""Touch areas of the plain table: the bar below, left to have it and right to stick, as it names
them; the centre for the next hand; the upper corners to undo and for the menu. Other screens give
their own."""


class TouchPanel(_UnlitPanel):
    """The touch screen, and the mouse; touches outside all areas are ignored."""

    def __init__(
        self,
        taps: Callable[[], Iterable[tuple[float, float]]],
        places: Callable[[], Iterable[Touchable]] = lambda: BAND,
    ) -> None:
        """Take what was touched since the last call from *taps*, such as ``Window.taps``.

        A tap is across and down, as shares of the window, 0 to 1. *places* returns what can be
        touched now; of several that overlap the last counts, as it is painted last.
        """
        self._taps = taps
        self._places = places

    def _presses(self, time_s: float) -> Iterable[Press]:
        for across, down in self._taps():
            touched = [place for place in self._places() if place.holds(across, down)]
            if touched:
                last = touched[-1]
                yield Press(last.button, time_s, last.seat, last.choice)


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

    def _presses(self, time_s: float) -> Iterable[Press]:
        now = self._frame()
        due = [press for press in self._left if press.frame <= now]
        del self._left[: len(due)]
        return [Press(press.button, time_s, press.seat) for press in due]


LARGEST_SCRIPT = 4 * 2**20
"""Bytes of a script of presses: a line has some fifty."""


def read_presses(path: Path) -> tuple[ScriptedPress, ...]:
    """Read a script of presses.

    Raises:
        PanelError: the file cannot be read; the message names the line and the cure.
    """
    example = 'write {"frame": 41, "button": "stick", "seat": 2}'
    try:
        lines = read_file(path, LARGEST_SCRIPT).decode("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        why = getattr(problem, "strerror", None) or problem
        raise PanelError(f"{path}: cannot be read ({why}); check --presses") from problem
    presses = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        try:
            entry = parse_json(line)
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
