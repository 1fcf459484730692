"""Cameras: the Pi's own, any video device, and recordings as files or folders."""

from __future__ import annotations

import logging
import os
import queue
import re
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from device.files import is_video_device
from device.hardware.camera_names import AUTO, CAMERAS, NO_VIDEO, forms, parse_camera
from device.hardware.pictures import load_picture
from device.ports import (
    Camera,
    CameraError,
    Closing,
    EndOfFramesError,
    Frame,
    Image,
    NoThreadError,
)
from engine.core.plugins import PluginError
from vision.camera.image_files import LARGEST_PIXELS
from vision.errors import ImageError

log = logging.getLogger(__name__)

SIZE = (1920, 1080)
"""Width and height in pixels asked of a live camera: about 1.7 pixels a millimetre on an A1 mat."""

PICTURES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})
FOLDER_FPS = 10.0
"""Frames a second of a folder of pictures, and of the simulated table."""

DEVICES = Path("/dev")


class _Recording(Closing):
    """Base of recordings: the number of the next frame, and closing."""

    def __init__(self) -> None:
        self._next = 0
        self._closed = False

    def close(self) -> None:
        """Release the recording; may be called twice."""
        self._closed = True

    def _check_open(self, name: Path) -> None:
        if self._closed:
            raise CameraError(f"{name} was closed; open it again to read on")


class FolderCamera(_Recording):
    """The pictures of a folder, in the order of their names."""

    def __init__(self, folder: Path) -> None:
        """List the pictures; a torn one takes its time too.

        Raises:
            CameraError: there are none.
        """
        super().__init__()
        self._folder = folder
        try:
            entries = sorted(folder.iterdir())
        except OSError as problem:
            raise CameraError(
                f"{folder}: cannot be listed ({problem.strerror}); check its name and permissions"
            ) from problem
        self._files = [entry for entry in entries if entry.suffix.lower() in PICTURES]
        if not self._files:
            raise CameraError(
                f"{folder}: no picture in it; put files there that end in "
                f"{', '.join(sorted(PICTURES))}"
            )

    def read(self, timeout_s: float = 2.0) -> Frame:
        """Return the next picture.

        Raises:
            CameraError: this one cannot be read; the next call goes on with the one after it.
            EndOfFramesError: that was the last.
        """
        self._check_open(self._folder)
        if self._next == len(self._files):
            raise EndOfFramesError(f"{self._folder}: all {self._next} pictures have been seen")
        number, path = self._next, self._files[self._next]
        self._next += 1
        try:
            return Frame(load_picture(path), number / FOLDER_FPS)
        except ImageError as problem:
            raise CameraError(
                f"{path}: torn or no picture ({problem}); copy it again or delete it"
            ) from problem


class VideoFileCamera(_Recording):
    """A video file, frame by frame."""

    def __init__(self, path: Path) -> None:
        """Open the file.

        Raises:
            CameraError: it is not there, or no video.
        """
        super().__init__()
        self._path = path
        if not path.is_file():
            raise CameraError(f"{path}: no such file; check its name")
        self._capture = cv2.VideoCapture(str(path))
        if not self._capture.isOpened():
            raise CameraError(
                f"{path}: is not a video that can be read, or is damaged; use MP4 or AVI"
            )
        wide = self._capture.get(cv2.CAP_PROP_FRAME_WIDTH)
        high = self._capture.get(cv2.CAP_PROP_FRAME_HEIGHT)
        if wide * high > LARGEST_PIXELS:
            self.close()
            raise CameraError(
                f"{path}: claims {wide:.0f} x {high:.0f} pixels, over {LARGEST_PIXELS:,}; "
                "make it smaller"
            )
        fps = float(self._capture.get(cv2.CAP_PROP_FPS))
        self._fps = fps if 0 < fps < 1000 else FOLDER_FPS

    def read(self, timeout_s: float = 2.0) -> Frame:
        """Return the next frame.

        Raises:
            EndOfFramesError: that was the last; what follows damage is lost.
            CameraError: not even the first can be read.
        """
        self._check_open(self._path)
        seen, image = self._capture.read()
        if not seen or image is None:
            if self._next == 0:
                raise CameraError(f"{self._path}: no frame can be read; record it again")
            raise EndOfFramesError(f"{self._path}: all {self._next} frames have been seen")
        number = self._next
        self._next += 1
        return Frame(np.asarray(image, np.uint8), number / self._fps)

    def close(self) -> None:
        """Release the file."""
        super().close()
        self._capture.release()


class LiveCamera(Closing):
    """A camera that is read on its own thread; messages call it *name*.

    A driver may block for ever when a cable is pulled; the reader must not.
    """

    def __init__(
        self,
        name: str,
        take: Callable[[], Image | None],
        release: Callable[[], object],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Make a camera from two functions of a driver.

        *take* gives a frame (BGR), or ``None`` when the driver has failed; *release* releases the
        device and is called once, after the last *take*.

        Raises:
            NoThreadError: there are as many threads as there may be.
        """
        self.name = name
        self._take = take
        self._release = release
        self._clock = clock
        self._jobs: queue.SimpleQueue[Future[tuple[Image | None, float]] | None]
        self._jobs = queue.SimpleQueue()
        self._waiting: Future[tuple[Image | None, float]] | None = None
        self._closed = False
        # A daemon: a driver that never returns must not keep the program from ending.
        self._thread = threading.Thread(target=self._work, name="camera", daemon=True)
        try:
            self._thread.start()
        except RuntimeError as problem:
            release()
            raise NoThreadError(
                f"{name}: no more threads can be started ({problem}); start boneace again: no "
                "event is lost"
            ) from problem

    def read(self, timeout_s: float = 2.0) -> Frame:
        """Return the next frame.

        Raises:
            CameraError: none came in time, or the driver failed.
        """
        if self._closed:
            raise CameraError(f"{self.name} was closed; open it again to go on")
        # A frame that came too late for the last call answers this one.
        waiting = self._waiting
        if waiting is None:
            self._waiting = waiting = Future()
            self._jobs.put(waiting)
        try:
            image, time_s = waiting.result(timeout_s)
        except TimeoutError as problem:
            if waiting.done():
                self._waiting = None
            raise CameraError(
                f"{self.name}: no frame within {timeout_s:g} s; check the cable, "
                f"then run: boneace doctor camera"
            ) from problem
        except Exception as problem:
            self._waiting = None
            raise CameraError(
                f"{self.name}: the driver failed ({problem}); unplug it and plug it in again"
            ) from problem
        self._waiting = None
        if image is None:
            raise CameraError(
                f"{self.name}: gave no frame; check the cable, and that no other program uses it"
            )
        return Frame(np.ascontiguousarray(image, np.uint8), time_s)

    def close(self) -> None:
        """Release the device after the pending frame; may be called twice."""
        if self._closed:
            return
        self._closed = True
        self._jobs.put(None)
        if self._waiting is None:
            self._thread.join()

    def _work(self) -> None:
        """Take frames on request, then release: drivers crash when released during a read."""
        while (job := self._jobs.get()) is not None:
            try:
                job.set_result((self._take(), self._clock()))
            except Exception as problem:
                job.set_exception(problem)
        try:
            self._release()
        except Exception as problem:
            log.warning(
                "%s: could not be closed (%s); unplug it if it stays busy", self.name, problem
            )


def open_camera(spec: str) -> Camera:
    """Open the camera or recording *spec*.

    Args:
        spec: ``picamera2``; ``v4l2:0``, ``/dev/video0`` or ``0``; a kind of a plugin, such as
            ``phone:http://...``; a video file; a folder of pictures; or ``auto`` for the first
            live camera that gives a frame.

    Raises:
        CameraError: it cannot be opened, or is unknown.
    """
    if spec == AUTO:
        return _first_that_works()
    path = Path(os.path.expanduser(spec))
    # Unlike Path.is_dir, this is no error for a name that is too long for one.
    if os.path.isdir(path):
        return FolderCamera(path)
    kind = parse_camera(spec)
    if kind is not None:
        name, where = kind
        try:
            opened = CAMERAS[name]
        except PluginError as problem:
            raise CameraError(str(problem)) from problem
        return opened(where)
    if os.path.isfile(path):
        return VideoFileCamera(path)
    what = "neither a file nor a folder" if os.path.exists(path) else "no such file or folder"
    raise CameraError(f"unknown camera {spec!r}: {what}; try {forms()}")


def open_v4l2(where: str) -> LiveCamera:
    """Open a USB camera, or any other video device of the kernel, by its number or its path.

    Raises:
        CameraError: it is not there, may not be used, or gives no video.
    """
    device = DEVICES / f"video{where}" if where.isdecimal() else Path(where)
    if not os.path.exists(device):
        there = ", ".join(str(path) for path in video_devices()) or "none"
        raise CameraError(
            f"no video device {device} (there: {there}); plug the camera in, or name another"
        )
    if not is_video_device(device):
        raise CameraError(f"{device}: {NO_VIDEO}")
    if not os.access(device, os.R_OK | os.W_OK):
        raise CameraError(
            f"{device} may not be used by this user; join its group: "
            f"sudo usermod -aG video $USER, then log in again"
        )
    capture = cv2.VideoCapture(str(device), cv2.CAP_V4L2)
    if not capture.isOpened():
        capture.release()
        raise CameraError(
            f"{device}: cannot be opened as a camera; close other programs that use it, "
            f"or name another video device"
        )
    # Uncompressed, USB 2 carries five such frames a second; an old frame is of no use.
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, SIZE[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, SIZE[1])
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def take() -> Image | None:
        seen, image = capture.read()
        return np.asarray(image, np.uint8) if seen else None

    return LiveCamera(str(device), take, capture.release)


def open_picamera2(where: str = "") -> LiveCamera:
    """Open the Raspberry Pi's own camera; there is one, so *where* is ignored.

    Raises:
        CameraError: picamera2 is not installed, or there is no camera.
    """
    try:
        from picamera2 import Picamera2
    except ImportError as problem:
        raise CameraError(
            "picamera2 is not installed; on a Raspberry Pi run: sudo apt install "
            "python3-picamera2, and make the virtual environment with --system-site-packages"
        ) from problem
    camera: Any = None
    try:
        camera = Picamera2()
        # libcamera names formats by their bytes in a word: "RGB888" lies as B, G, R in memory.
        wanted = {"size": SIZE, "format": "RGB888"}
        camera.configure(camera.create_video_configuration(main=wanted))
        if "AfMode" in camera.camera_controls:
            camera.set_controls({"AfMode": 2})  # continuous: hands and cards change the depth
        camera.start()
    except Exception as problem:
        if camera is not None:
            camera.close()
        # IndexError is what picamera2 raises when libcamera lists no camera.
        raise CameraError(
            f"no camera found on the CSI port ({problem}); check the ribbon cable, "
            f"then run: boneace doctor camera"
        ) from problem

    def take() -> Image | None:
        return np.asarray(camera.capture_array("main")[..., :3], np.uint8)

    def release() -> None:
        camera.stop()
        camera.close()

    return LiveCamera("the CSI camera", take, release)


def video_devices() -> Sequence[Path]:
    """Return the kernel's video devices, in the order of their numbers."""
    found = {
        int(match[1]): path
        for path in DEVICES.glob("video*")
        if (match := re.fullmatch(r"video(\d+)", path.name))
    }
    return [found[number] for number in sorted(found)]


def _first_that_works() -> Camera:
    devices = video_devices()
    tries: list[Callable[[], LiveCamera]] = [open_picamera2]
    tries.extend(partial(open_v4l2, str(device)) for device in devices)
    refusals = [] if devices else ["no USB camera: there is no /dev/video0"]
    for opened in tries:
        camera = None
        try:
            camera = opened()
            height, width = camera.read().image.shape[:2]
        except CameraError as problem:
            if camera is not None:
                camera.close()
            refusals.append(str(problem))
            continue
        for refusal in refusals:
            log.info("camera auto, not taken: %s", refusal)
        log.info("camera auto: %s, %sx%s", camera.name, width, height)
        return camera
    raise CameraError(
        "no camera found; plug one in, or name a video or a folder of pictures with --camera. "
        f"Tried: {'; '.join(refusals)}"
    )
