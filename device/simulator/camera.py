"""The camera over the simulated table."""

from __future__ import annotations

from device.ports import CameraError, Frame, Image
from device.simulator.table import SimulatedTable

FRAME_S = 0.1
"""Seconds between frames, by the camera's own clock."""


class SimulatedCamera:
    """A ``Camera`` that takes pictures of a :class:`SimulatedTable`.

    Attributes:
        time_s: its clock; each frame advances it by :data:`FRAME_S`.
        latest: the last picture.
    """

    def __init__(self, table: SimulatedTable) -> None:
        """Point the camera at *table*."""
        self.time_s = 0.0
        self.latest: Image | None = None
        self._table: SimulatedTable | None = table

    def read(self, timeout_s: float = 2.0) -> Frame:
        """Return the next frame, at once.

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
        """Close the camera; may be called twice."""
        self._table = None

    def __enter__(self) -> SimulatedCamera:
        """Return the camera itself."""
        return self

    def __exit__(self, *problem: object) -> None:
        """Close."""
        self.close()
