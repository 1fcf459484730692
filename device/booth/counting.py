"""The loop of ``boneace count``: camera and reader, buttons, and the booth's scene that counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from device.booth.presentation import Presentation
from device.booth.scenes.base import BackTo, Close, Context, Do, Open
from device.booth.scenes.count import CountScene
from device.booth.state import Stage
from device.clock import Clock
from device.croupier.counting.counter import Kind
from device.ports import Lamps, Panel, Press
from device.runtime.camera_worker import ReadingSource
from device.runtime.counting import Counting
from device.runtime.loop import MainLoop
from vision.readings import Reading


class CountLoop(MainLoop):
    """Counts until somebody ends it, or the film is over.

    Attributes:
        scene: what counts.
    """

    def __init__(
        self,
        source: ReadingSource,
        panels: Sequence[Panel],
        clock: Clock,
        presentation: Presentation,
        context: Context,
        counting: Counting,
        *,
        by_hand: bool = False,
    ) -> None:
        """Show *counting* on *presentation*; *by_hand* people enter what lies there."""
        super().__init__(source, panels, clock)
        self._presentation = presentation
        self.stage = Stage(context)
        open_count: Callable[[Kind], Counting] = lambda _kind: counting  # noqa: E731
        self.scene = CountScene(
            context,
            open_count,
            counting.kind,
            other=False,
            trouble=self.trouble,
            by_hand=by_hand,
        )
        self.stage.open(self.scene)

    @property
    def lamps(self) -> Lamps:
        """No lamp is lit."""
        return Lamps()

    def press(self, press: Press) -> None:
        """Handle one press."""
        top = self.stage.top
        match None if top is None else top.press(press):
            case Open(above, _):
                self.stage.open(above)
            case BackTo(below):
                self.stage.back_to(below)
            case Do.BACK if top is not self.scene:
                self.stage.back()
            case Close():
                self.stage.close()

    def see(self, reading: Reading) -> None:
        """Count one reading."""
        self.scene.see(reading)

    def show(self, now_s: float) -> None:
        """Show and say how things stand."""
        top = self.stage.top
        if top is not None:
            self._presentation.show_page(top.page(), now_s, aloud=True)

    def failed(self) -> None:
        """Report nothing: what was counted is kept, and the loop goes on."""

    def step(self) -> bool:
        """Take one step; return ``False`` when it is over."""
        return super().step() and bool(self.stage.scenes)
