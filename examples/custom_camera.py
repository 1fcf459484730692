"""A camera of your own: whatever has ``read`` and ``close`` will do, such as half of another."""

import sys
from pathlib import Path

from device.hardware.cameras import FolderCamera
from device.ports import Camera, EndOfFramesError, Frame
from vision import TableReader


class LeftHalf:
    """Sees the left half of what another camera sees."""

    def __init__(self, camera: Camera) -> None:
        """Look through *camera*."""
        self.camera, self.close = camera, camera.close

    def read(self, timeout_s: float = 2.0) -> Frame:
        """Return the next frame."""
        frame = self.camera.read(timeout_s)
        return Frame(frame.image[:, : frame.image.shape[1] // 2].copy(), frame.time_s)


camera, reader = LeftHalf(FolderCamera(Path(sys.argv[1]))), TableReader()
try:
    while True:
        print(*(card.card for card in reader.read(camera.read().image).cards))
except EndOfFramesError:
    camera.close()
