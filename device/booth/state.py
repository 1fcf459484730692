"""What the booth is doing: one of five states, each with what belongs to it and no more."""

from __future__ import annotations

from dataclasses import dataclass, replace

from device.booth.scenes.base import Context, Scene
from device.runtime.table import TableController

Scenes = tuple[Scene, ...]


@dataclass(frozen=True, slots=True)
class Idle:
    """The booth waits for people and plays with itself; a table that was left can be resumed."""

    left: TableController | None = None


@dataclass(frozen=True, slots=True)
class Setup:
    """People choose what they play in *scenes*; a table that was left can be resumed."""

    scenes: Scenes
    left: TableController | None = None


@dataclass(frozen=True, slots=True)
class Playing:
    """A table is in play, and shown; one that was left stays until something happens at it."""

    table: TableController
    left: TableController | None = None


@dataclass(frozen=True, slots=True)
class Paused:
    """A menu or a question covers the table in play; cards are still read."""

    table: TableController
    scenes: Scenes
    left: TableController | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """The evening is over, and its picture is shown."""

    scenes: Scenes


State = Idle | Setup | Playing | Paused | Summary


class Stage:
    """The state of the booth, and the moves between states.

    Attributes:
        state: what the booth is doing.
        context: what its scenes know.
    """

    def __init__(self, context: Context) -> None:
        """Wait for people."""
        self.state: State = Idle()
        self.context = context

    @property
    def in_play(self) -> TableController | None:
        """The table at which people play now."""
        return self.state.table if isinstance(self.state, Playing | Paused) else None

    @property
    def left(self) -> TableController | None:
        """The table that was left and can be resumed."""
        return None if isinstance(self.state, Summary) else self.state.left

    @property
    def table(self) -> TableController | None:
        """The table in play, or the one that was left."""
        return self.in_play or self.left

    @property
    def scenes(self) -> Scenes:
        """What covers the table or the screen that waits, the last on top."""
        return () if isinstance(self.state, Idle | Playing) else self.state.scenes

    @property
    def top(self) -> Scene | None:
        """The scene that is shown."""
        return self.scenes[-1] if self.scenes else None

    def enter(self, state: State) -> None:
        """Change to *state*."""
        self.state = state
        self.context.session = None if self.table is None else self.table.session

    def forget_left(self) -> None:
        """Let go of the table that was left: something has happened at the one in play."""
        if not isinstance(self.state, Summary):
            self.state = replace(self.state, left=None)

    def open(self, scene: Scene) -> None:
        """Open *scene* over what is shown."""
        self._show((*self.scenes, scene))

    def back(self) -> None:
        """Close the scene on top, if there is one."""
        top = self.top
        if top is not None:
            self._show(self.scenes[:-1])
            top.closed()

    def back_to(self, scene: Scene) -> None:
        """Close what covers *scene*."""
        while self.scenes and self.top is not scene:
            self.back()

    def close(self) -> None:
        """Close every scene: the table is shown, or the screen that waits."""
        while self.scenes:
            self.back()

    def _show(self, scenes: Scenes) -> None:
        table, left = self.in_play, self.left
        if table is not None:
            self.enter(Paused(table, scenes, left) if scenes else Playing(table, left))
        else:
            self.enter(Setup(scenes, left) if scenes else Idle(left))
