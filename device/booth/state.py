"""What the booth is doing: one of five states, each with what belongs to it and no more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from device.booth.scenes.base import Context, Scene
from device.runtime.table import TableController

Scenes = tuple[Scene, ...]


@dataclass(frozen=True, slots=True)
class Idle:
    """The booth waits for people and plays with itself.

    Attributes:
        left: the table at which people left a hand unfinished; it can be resumed.
    """

    left: TableController | None = None
    scenes: ClassVar[Scenes] = ()

    def with_scenes(self, scenes: Scenes) -> State:
        """Return the state in which *scenes* are open, the last on top."""
        return Setup(scenes, self.left) if scenes else self


@dataclass(frozen=True, slots=True)
class Setup:
    """People choose what they play.

    Attributes:
        scenes: what is open, at least one.
        left: as for :class:`Idle`.
    """

    scenes: Scenes
    left: TableController | None = None

    def with_scenes(self, scenes: Scenes) -> State:
        """Return the state in which *scenes* are open, the last on top."""
        return Setup(scenes, self.left) if scenes else Idle(self.left)


@dataclass(frozen=True, slots=True)
class Playing:
    """A table is in play, and shown."""

    table: TableController
    scenes: ClassVar[Scenes] = ()

    def with_scenes(self, scenes: Scenes) -> State:
        """Return the state in which *scenes* are open, the last on top."""
        return Paused(self.table, scenes) if scenes else self


@dataclass(frozen=True, slots=True)
class Paused:
    """A menu or a question covers the table in play; cards are still read."""

    table: TableController
    scenes: Scenes

    def with_scenes(self, scenes: Scenes) -> State:
        """Return the state in which *scenes* are open, the last on top."""
        return Paused(self.table, scenes) if scenes else Playing(self.table)


@dataclass(frozen=True, slots=True)
class Summary:
    """The evening is over, and its picture is shown."""

    scenes: Scenes

    def with_scenes(self, scenes: Scenes) -> State:
        """Return the state in which *scenes* are open, the last on top."""
        return Setup(scenes) if scenes else Idle()


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
        return self.state.left if isinstance(self.state, Idle | Setup) else None

    @property
    def table(self) -> TableController | None:
        """The table in play, or the one that was left."""
        return self.in_play or self.left

    @property
    def top(self) -> Scene | None:
        """The scene that is shown."""
        return self.state.scenes[-1] if self.state.scenes else None

    def enter(self, state: State) -> None:
        """Change to *state*."""
        self.state = state
        self.context.session = None if self.table is None else self.table.session

    def open(self, scene: Scene) -> None:
        """Open *scene* over what is shown."""
        self.enter(self.state.with_scenes((*self.state.scenes, scene)))

    def back(self) -> None:
        """Close the scene on top, if there is one."""
        top = self.top
        if top is not None:
            self.enter(self.state.with_scenes(self.state.scenes[:-1]))
            top.closed()

    def close(self) -> None:
        """Close every scene: the table is shown, or the screen that waits."""
        while self.state.scenes:
            self.back()
