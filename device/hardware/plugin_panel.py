"""Button boxes of plugins, opened again when they are lost."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable

from device.clock import Backoff
from device.hardware.panel_names import PANELS, box_of
from device.ports import Closing, Lamps, Panel, Press

log = logging.getLogger(__name__)

LONGEST_PAUSE_S = 30.0
"""Between two attempts to open a box that is gone."""


class PluginPanel(Closing):
    """A panel that is opened again when it is lost; meanwhile it gives no presses.

    *trouble* says why it cannot be used now; it is empty while it can.
    """

    def __init__(self, name: str, opened: Callable[[], Panel]) -> None:
        """Call *opened* with the first poll, and after each loss; *name* is for messages."""
        self.name = name
        self.trouble = ""
        self._opened = opened
        self._panel: Panel | None = None
        self._lamps = Lamps()
        self._retry_s = -math.inf
        self._backoff = Backoff(LONGEST_PAUSE_S)

    def poll(self, time_s: float) -> tuple[Press, ...]:
        """Return the presses since the last call, oldest first; none while the box is lost."""
        try:
            if self._panel is None:
                if time_s < self._retry_s:
                    return ()
                self._panel = self._opened()
                self._panel.show(self._lamps)
            presses = tuple(self._panel.poll(time_s))
            for press in presses:
                if not isinstance(press, Press):
                    raise TypeError(f"poll gave {press!r}, which is no device.ports.Press")
        except Exception as problem:
            # A plugin may raise anything; the table goes on without its buttons.
            self._lose(problem, time_s)
            return ()
        if self.trouble:
            log.info("button box %s: is back", self.name)
        self.trouble = ""
        self._backoff.reset()
        return presses

    def show(self, lamps: Lamps) -> None:
        """Light these lamps and turn off all others."""
        self._lamps = lamps
        if self._panel is not None:
            try:
                self._panel.show(lamps)
            except Exception as problem:
                self._lose(problem, -math.inf)

    def close(self) -> None:
        """Release the box; may be called twice."""
        self._retry_s = math.inf
        self._release()

    def _release(self) -> None:
        panel, self._panel = self._panel, None
        if panel is not None:
            try:
                panel.close()
            except Exception as problem:
                log.debug("a button box could not be closed: %s", problem)

    def _lose(self, problem: Exception, time_s: float) -> None:
        self._release()
        trouble = f"{problem}" or type(problem).__name__
        if trouble != self.trouble:
            # Once, not with every attempt, so that the log does not fill up.
            log.warning(
                "button box %s: lost (%s); plug it in again, it is tried again by itself",
                self.name,
                trouble,
            )
        self.trouble = trouble
        self._retry_s = time_s + self._backoff.next_s()


def open_box(backend: str) -> PluginPanel:
    """Return the box called *backend*, ``BOX`` or ``BOX:WHERE``; opened with the first poll.

    Raises:
        PluginError: the plugin cannot be used.
        KeyError: there is no such box.
    """
    box = box_of(backend)
    if box is None:
        raise KeyError(backend)
    name, where = box
    opener = PANELS[name]
    return PluginPanel(backend, lambda: opener(where))
