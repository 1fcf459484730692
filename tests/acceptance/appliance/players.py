"""The people at the machine's table: they lay what the script says, and press its buttons."""

from __future__ import annotations

import time
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from tests.acceptance.appliance.recording import Script, Step

CONFIG = Path(__file__).parent / "guest" / "config.toml"


class Hands(Protocol):
    """What :class:`Fingers` need of a machine."""

    @property
    def events(self) -> int:
        """Return how many events the journal holds."""
        ...

    def until_events(self, count: int, limit_s: float) -> float:
        """Wait until the journal holds *count* events; return the seconds that it took."""
        ...

    def show(self, picture: int) -> None:
        """Put a picture before the camera."""
        ...

    def press(self, pin: int) -> None:
        """Press a button."""
        ...


def pins(config: Mapping[str, Any]) -> dict[tuple[str, int | None], int]:
    """Return which pin each ``(button, seat)`` is wired to, by *config*."""
    panel = config["panel"]
    found: dict[tuple[str, int | None], int] = {
        (name, None): pin for name, pin in panel["console"].items()
    }
    for seat, wires in panel["seats"].items():
        for name, pin in wires.items():
            found[name, int(seat)] = pin
    return found


class Fingers:
    """Plays a script at a machine, from wherever it stands.

    Attributes:
        done: so many steps have been taken; it outlives a power cut, as the cards on a table do.
        waits: how long each event took to come, in seconds, from the step that brings it.
    """

    def __init__(
        self,
        script: Script,
        *,
        done: int = 0,
        limit_s: float = 900.0,
        unseen_s: float = 20.0,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        """Know the script.

        Args:
            script: what is done.
            done: so many of its steps have been taken before.
            limit_s: longest time until an event comes.
            unseen_s: what is laid or taken up without an event of its own lies so long.
            sleep: lets that time pass.
        """
        self.script = script
        self.done = done
        self.waits: list[float] = []
        self._pins = pins(tomllib.loads(CONFIG.read_text(encoding="utf-8")))
        self._limit_s, self._unseen_s, self._sleep = limit_s, unseen_s, sleep

    def play(self, machine: Hands, until: int | None = None) -> None:
        """Take steps until *until* are done, or all; wait for the last one's event."""
        end = len(self.script.steps) if until is None else until
        while self.done < end:
            self.step(machine)
        self.settle(machine)

    def step(self, machine: Hands) -> None:
        """Wait for what the step needs, and take it."""
        self.settle(machine)
        step = self.script.steps[self.done]
        self._take(machine, step)
        self.done += 1

    def settle(self, machine: Hands) -> None:
        """Wait until the last step has come to something."""
        if not self.done:
            return
        before, needed = self.script.steps[self.done - 1].after, self.needed(self.done)
        if needed > before:
            self.waits.append(machine.until_events(needed, self._limit_s))
        else:
            self._sleep(self._unseen_s)

    def needed(self, done: int) -> int:
        """Return how many events the journal holds when *done* steps have been seen."""
        steps = self.script.steps
        return steps[done].after if done < len(steps) else len(self.script.events)

    def sit_down_again(self, machine: Hands) -> None:
        """Go on after the machine was off: what lies there lies there; a lost press is repeated."""
        last = self.script.steps[self.done - 1] if self.done else None
        if last is not None and last.picture is None and machine.events <= last.after:
            self.done -= 1
        machine.show(self.script.shown_at(self.done))

    def _take(self, machine: Hands, step: Step) -> None:
        if step.picture is not None:
            machine.show(step.picture)
            return
        assert step.button is not None
        machine.press(self._pins[step.button, step.seat])
