"""Turn pygame's events into names of keys and places of touches; panels give them a meaning.

A key is its name, a gamepad's button is ``"pad a"``, a touch is a place in the window.
"""

from __future__ import annotations

from collections.abc import Iterable

import pygame

QUIT_KEY = "quit"
"""What is reported as a key when the window was asked to close."""

PAD_BUTTONS = ("a", "b", "x", "y", "left shoulder", "right shoulder", "back", "start")
"""Buttons of the common gamepads in the order in which Linux numbers them."""

STICK_FAR = 0.6
"""A stick further out than this is pushed ..."""

STICK_NEAR = 0.3
"""... until it is nearer than this: one push is one step, however the stick trembles."""

Place = tuple[float, float]
"""Across and down, as shares of the window: 0 to 1."""


class Inputs:
    """Turns pygame's events into names of keys and places of touches."""

    def __init__(self, size: tuple[int, int]) -> None:
        """Listen to a window of *size* pixels, and to every gamepad, now or plugged in later."""
        self._size = size
        self._keys: list[str] = []
        self._taps: list[Place] = []
        self._pads: dict[int, object] = {}
        self._pushed: dict[tuple[int, int], int] = {}
        try:
            pygame.joystick.init()
        except pygame.error:
            return  # a machine without a subsystem for gamepads has no gamepads

    def take(self, events: Iterable[pygame.event.Event]) -> None:
        """Take pygame's events since the last call."""
        for event in events:
            self._take(event)

    def keys(self) -> list[str]:
        """Return the names of the keys and gamepad buttons pressed since the last call."""
        keys, self._keys = self._keys, []
        return keys

    def taps(self) -> list[Place]:
        """Return where the window was touched or clicked since the last call."""
        taps, self._taps = self._taps, []
        return taps

    def close(self) -> None:
        """Close the gamepads; may be called twice."""
        self._pads.clear()
        if pygame.joystick.get_init():
            pygame.joystick.quit()

    def _take(self, event: pygame.event.Event) -> None:
        match event.type:
            case pygame.QUIT:
                self._keys.append(QUIT_KEY)
            case pygame.KEYDOWN:
                sign = getattr(event, "unicode", "")
                types = sign.strip() and sign.isprintable()
                self._keys.append(sign if types else pygame.key.name(event.key))
            # SDL makes a click of every touch as well: it counts once, as the touch.
            case pygame.MOUSEBUTTONDOWN if event.button == 1 and not getattr(event, "touch", False):
                across, down = event.pos
                self._tap(across / self._size[0], down / self._size[1])
            case pygame.MOUSEWHEEL if event.y:
                self._keys.append("wheel up" if event.y > 0 else "wheel down")
            case pygame.FINGERDOWN:
                self._tap(event.x, event.y)
            case _:
                self._take_pad(event)

    def _take_pad(self, event: pygame.event.Event) -> None:
        match event.type:
            case pygame.JOYDEVICEADDED:
                pad = pygame.joystick.Joystick(event.device_index)
                # pygame reports nothing of a gamepad that nobody holds.
                self._pads[pad.get_instance_id()] = pad
            case pygame.JOYDEVICEREMOVED:
                self._pads.pop(event.instance_id, None)
            case pygame.JOYBUTTONDOWN:
                known = event.button < len(PAD_BUTTONS)
                name = PAD_BUTTONS[event.button] if known else str(event.button)
                self._keys.append(f"pad {name}")
            case pygame.JOYHATMOTION:
                self._hat(event.value)
            case pygame.JOYAXISMOTION if event.axis in (0, 1):
                self._stick(event)

    def _tap(self, across: float, down: float) -> None:
        self._taps.append((min(max(across, 0.0), 1.0), min(max(down, 0.0), 1.0)))

    def _hat(self, value: tuple[int, int]) -> None:
        across, up = value
        if across:
            self._keys.append("pad right" if across > 0 else "pad left")
        elif up:
            self._keys.append("pad up" if up > 0 else "pad down")

    def _stick(self, event: pygame.event.Event) -> None:
        key = (getattr(event, "instance_id", 0), event.axis)
        before = self._pushed.get(key, 0)
        way = 1 if event.value > 0 else -1
        if abs(event.value) < STICK_NEAR:
            self._pushed[key] = 0
        elif abs(event.value) > STICK_FAR and before != way:
            self._pushed[key] = way
            names = (("pad left", "pad right"), ("pad up", "pad down"))[event.axis]
            self._keys.append(names[way > 0])
