"""A camera that gives the same picture over and over: its sensor, driver or cable has died.

No two pictures of a real sensor are alike, however still the table lies: the light comes in single
photons. A drawn table, or a recording played into a video device, has no noise, so that its stills
say nothing; a camera must have shown noise before it can be called frozen.
"""

from __future__ import annotations

from device.ports import Camera, CameraError, Frame, Image

FROZEN_S = 3.0
"""Seconds of the very same picture from which a camera with noise is called frozen. In the dark
some cameras give two or three black pictures alike."""

FROZEN_FRAMES = 5
"""At least so many pictures: a slow camera may give one in a second."""

NOISY_FRAMES = 20
"""So many pictures in a row, changed all over, show that the camera has noise."""

ALL_OVER = 0.9
"""Share of the rows looked at that must have changed: a hand or a card changes some of them."""

EVERY = 16
"""One row in so many is compared: that takes a third of a millisecond of a picture from a Pi."""


class FreezeDetector:
    """Compares each picture with the one before.

    Attributes:
        frozen: the camera has frozen, and has given no other picture since, also not when it was
            opened anew.
    """

    def __init__(self) -> None:
        """Start knowing nothing of the camera."""
        self.frozen = False
        self._rows: Image | None = None
        self._noisy = 0
        self._same = 0
        self._since_s = 0.0

    def guard(self, camera: Camera) -> Camera:
        """Return *camera* so that it fails when it has frozen; do so each time it is opened."""
        self._same = 0
        return _GuardedCamera(camera, self)

    def see(self, image: Image, time_s: float) -> bool:
        """Take the next picture; ``True`` when the camera has to be opened anew.

        Args:
            image: uint8, shape (height, width, 3), BGR.
            time_s: when it was taken, monotonic.
        """
        rows, before = image[::EVERY].copy(), self._rows
        self._rows = rows
        if before is None or before.shape != rows.shape:
            self._same, self._since_s, self.frozen = 0, time_s, False
            return False
        changed = float((rows != before).any(axis=(1, 2)).mean())
        if changed == 0.0:
            if self._same == 0:
                self._since_s = time_s
            self._same += 1
            if not self.has_noise or self._same < FROZEN_FRAMES:
                return False
            if time_s - self._since_s < FROZEN_S:
                return False
            self._same, self.frozen = 0, True
            return True
        self._same, self.frozen = 0, False
        if not self.has_noise:
            # Once shown it is known for good: a sensor does not lose its noise.
            self._noisy = self._noisy + 1 if changed >= ALL_OVER else 0
        return False

    @property
    def has_noise(self) -> bool:
        """Say whether the camera has shown noise."""
        return self._noisy >= NOISY_FRAMES


class _GuardedCamera:
    """A camera whose old pictures are not handed on."""

    def __init__(self, camera: Camera, freeze: FreezeDetector) -> None:
        self._camera = camera
        self._freeze = freeze

    def read(self, timeout_s: float = 2.0) -> Frame:
        """Return the next picture that is not the frozen one.

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
        """Let go of the camera; may be called twice."""
        self._camera.close()
