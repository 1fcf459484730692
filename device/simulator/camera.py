"""The camera over the virtual table."""

from __future__ import annotations

from device.ports import CameraError, Frame, Image
from device.simulator.table import VirtualTable

FRAME_S = 0.1
"""Ten frames a second, by the table's own clock: a demo runs as fast as it can be drawn."""


class VirtualCamera:
    """Takes pictures of a :class:`VirtualTable`; one behind the ``Camera`` port.

    Attributes:
        time_s: the table's clock; each frame moves it on by :data:`FRAME_S`.
        latest: the picture taken last.
    """

    def __init__(self, table: VirtualTable) -> None:
        """Hang over *table*."""
        self.time_s = 0.0
        self.latest: Image | None = None
        self._table: VirtualTable | None = table

    def read(self, timeout_s: float = 2.0) -> Frame:
        """Return the next frame; it is there at once, whatever *timeout_s* says.

        Raises:
            CameraError: the camera is closed.
        """
        if self._table is None:
            raise CameraError("the virtual camera is closed; make another one for the table")
        self.latest = self._table.frame()
        frame = Frame(self.latest, self.time_s)
        self.time_s += FRAME_S
        return frame

    def close(self) -> None:
        """Take no more pictures; may be called twice."""
        self._table = None

    def __enter__(self) -> VirtualCamera:
        """Return the camera itself."""
        return self

    def __exit__(self, *problem: object) -> None:
        """Close."""
        self.close()
