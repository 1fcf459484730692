"""Detects a frozen camera, which gives the same frame over and over.

A real sensor has noise, so no two frames are equal. A drawn table, or a recording played into a
video device, has none: a camera must have shown noise before it can be called frozen.
"""

from __future__ import annotations

from device.ports import Camera, CameraError, Frame, Image

FROZEN_S = 3.0
"""Seconds of equal frames after which a camera with noise is called frozen. In the dark some
cameras give two or three equal black frames."""

FROZEN_FRAMES = 5
"""Minimum number of equal frames: a slow camera may give one in a second."""

NOISY_FRAMES = 20
"""Number of frames in a row, changed all over, that show that the camera has noise."""

ALL_OVER = 0.9
"""Share of the compared rows that must have changed: a hand or a card changes only some."""

EVERY = 16
"""Every 16th row is compared: a third of a millisecond for a frame of a Pi's camera."""


class FreezeDetector:
    """Compares each frame with the one before.

    Attributes:
        frozen: the camera has frozen and given no other frame since, even after it was opened
            again.
    """

    def __init__(self) -> None:
        """Start without any frame."""
        self.frozen = False
        self._rows: Image | None = None
        self._noisy = 0
        self._same = 0
        self._since_s = 0.0

    def guard(self, camera: Camera) -> Camera:
        """Return *camera* so that it fails when it freezes; wrap it each time it is opened."""
        self._same = 0
        return _GuardedCamera(camera, self)

    def see(self, image: Image, time_s: float) -> bool:
        """Check the next frame; return ``True`` when the camera has to be opened again."""
        rows, before = image[::EVERY].copy(), self._rows
        self._rows = rows
        if before is None or before.shape != rows.shape:
            self._same, self._since_s, self.frozen = 0, time_s, False
            return False
        changed = float((rows != before).any(axis=(1, 2)).mean())
        if changed > 0.0:
            self._same, self.frozen = 0, False
            if not self.has_noise:
                # Once shown it stays known: a sensor does not lose its noise.
                self._noisy = self._noisy + 1 if changed >= ALL_OVER else 0
            return False
        if self._same == 0:
            self._since_s = time_s
        self._same += 1
        enough = self._same >= FROZEN_FRAMES and time_s - self._since_s >= FROZEN_S
        if not self.has_noise or not enough:
            return False
        self._same, self.frozen = 0, True
        return True

    @property
    def has_noise(self) -> bool:
        """Whether the camera has shown noise."""
        return self._noisy >= NOISY_FRAMES


class _GuardedCamera:
    """A camera that drops frozen frames."""

    def __init__(self, camera: Camera, freeze: FreezeDetector) -> None:
        self._camera = camera
        self._freeze = freeze

    def read(self, timeout_s: float = 2.0) -> Frame:
        """Return the next frame that is not the frozen one.

        Raises:
            CameraError: the camera has frozen, or fails by itself.
        """
        while True:
            frame = self._camera.read(timeout_s)
            if self._freeze.see(frame.image, frame.time_s):
                raise CameraError(
                    "the camera gives the same picture over and over; unplug it and plug it in "
                    "again"
                )
            if not self._freeze.frozen:
                return frame

    def close(self) -> None:
        """Release the camera; may be called twice."""
        self._camera.close()
