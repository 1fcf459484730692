import sys
import threading
import types
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import cv2
import numpy as np
import pytest

from device.hardware import cameras
from device.hardware.cameras import (
    FolderCamera,
    LiveCamera,
    VideoFileCamera,
    open_camera,
    open_picamera2,
    video_devices,
)
from device.ports import CameraError, EndOfFramesError, NoThreadError
from engine.core.errors import BoneAceError

COUNT = 5


def picture(number: int) -> np.ndarray:
    """Blue says which frame; red is always low, green always half: a swap would show."""
    image = np.zeros((48, 64, 3), np.uint8)
    image[..., 0], image[..., 1] = 40 * number + 20, 128
    return image


def folder(path: Path) -> FolderCamera:
    for number in range(COUNT):
        assert cv2.imwrite(str(path / f"{number:03d}.png"), picture(number))
    (path / "notes.txt").write_text("not a picture")
    return FolderCamera(path)


def video(path: Path) -> VideoFileCamera:
    file = path / "hand.avi"
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), 25.0, (64, 48))
    if not writer.isOpened():
        pytest.skip("this OpenCV writes no MJPG video")
    for number in range(COUNT):
        writer.write(picture(number))
    writer.release()
    return VideoFileCamera(file)


def live(path: Path) -> LiveCamera:
    numbers = iter(range(COUNT))
    ticks = iter(range(100))
    return LiveCamera(
        "toy", lambda: picture(next(numbers)), lambda: None, clock=lambda: next(ticks) / 10
    )


class FakeLens:
    """Behaves as picamera2's Picamera2 does with one camera on the port."""

    made: ClassVar[list["FakeLens"]] = []
    fault: Exception | None = None
    camera_controls: ClassVar[dict[str, object]] = {"AfMode": (0, 2, 0)}

    def __init__(self) -> None:
        if self.fault is not None:
            raise self.fault
        self.calls: list[object] = []
        self.taken = 0
        self.made.append(self)

    def create_video_configuration(self, main: dict[str, object]) -> dict[str, object]:
        return main

    def configure(self, config: dict[str, object]) -> None:
        self.calls.append(config)

    def set_controls(self, controls: dict[str, object]) -> None:
        self.calls.append(controls)

    def start(self) -> None:
        self.calls.append("start")

    def capture_array(self, name: str) -> np.ndarray:
        assert name == "main"
        self.taken += 1
        return picture(self.taken - 1)

    def stop(self) -> None:
        self.calls.append("stop")

    def close(self) -> None:
        self.calls.append("close")


@pytest.fixture
def lens(monkeypatch: pytest.MonkeyPatch) -> type[FakeLens]:
    module = types.ModuleType("picamera2")
    module.Picamera2 = FakeLens  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", module)
    monkeypatch.setattr(FakeLens, "made", [])
    return FakeLens


@pytest.fixture
def no_pi(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)


@pytest.fixture(params=[folder, video, live, "picamera2"])
def camera(request: pytest.FixtureRequest, tmp_path: Path):
    if request.param == "picamera2":
        request.getfixturevalue("lens")
        opened = open_picamera2()
    else:
        opened = request.param(tmp_path)
    yield opened
    opened.close()


# The contract: the same for every camera.


def test_frames_are_bgr_in_order_with_growing_times(camera):
    frames = [camera.read() for _ in range(COUNT)]
    for number, frame in enumerate(frames):
        assert frame.image.dtype == np.uint8
        assert frame.image.shape == (48, 64, 3)
        assert np.abs(frame.image.mean(axis=(0, 1)) - [40 * number + 20, 128, 0]).max() < 6
    times = [frame.time_s for frame in frames]
    assert times == sorted(times)


def test_close_twice_then_reading_says_so(camera):
    camera.read()
    camera.close()
    camera.close()
    with pytest.raises(CameraError, match="closed; open it again"):
        camera.read()


def test_camera_is_a_context_manager(camera):
    with camera as same:
        assert same is camera
        same.read()
    with pytest.raises(CameraError):
        camera.read()


# Recordings


@pytest.mark.parametrize("make", [folder, video])
def test_recording_ends_and_stays_ended(make: Callable[[Path], FolderCamera], tmp_path: Path):
    with make(tmp_path) as recording:
        for _ in range(COUNT):
            recording.read()
        for _ in range(2):
            with pytest.raises(EndOfFramesError, match="all 5"):
                recording.read()


def test_recordings_keep_their_own_pace(tmp_path: Path):
    with folder(tmp_path) as pictures, video(tmp_path) as film:
        assert [pictures.read().time_s for _ in range(3)] == pytest.approx([0, 0.1, 0.2])
        assert [film.read().time_s for _ in range(3)] == pytest.approx([0, 0.04, 0.08])


def torn_jpeg() -> bytes:
    noise = np.random.default_rng(1).integers(0, 255, (200, 200, 3), dtype=np.uint8)
    return cv2.imencode(".jpg", noise)[1].tobytes()[:-3000]


def torn_png() -> bytes:
    noise = np.random.default_rng(1).integers(0, 255, (200, 200, 3), dtype=np.uint8)
    return cv2.imencode(".png", noise)[1].tobytes()[:-3000]


@pytest.mark.parametrize(
    "damage", [torn_jpeg(), torn_png(), b"", b"no picture at all", b"\xff\xd8"]
)
@pytest.mark.parametrize("suffix", [".jpg", ".png"])
def test_torn_picture_is_named_and_the_next_one_read(tmp_path: Path, damage: bytes, suffix: str):
    with folder(tmp_path):
        pass
    (tmp_path / f"001{suffix}").write_bytes(damage)
    with FolderCamera(tmp_path) as recording:
        names = sorted(path.name for path in tmp_path.iterdir() if path.suffix != ".txt")
        for number, name in enumerate(names):
            if name == f"001{suffix}":
                with pytest.raises(CameraError, match=f"001{suffix}.*torn or no picture"):
                    recording.read()
            else:
                assert recording.read().time_s == pytest.approx(number / 10)


def test_whole_jpeg_is_read(tmp_path: Path):
    cv2.imwrite(str(tmp_path / "a.JPG"), picture(2))
    # A phone appends a film to its pictures, and pads them.
    with (tmp_path / "a.JPG").open("ab") as file:
        file.write(bytes(1000))
    assert FolderCamera(tmp_path).read().image.shape == (48, 64, 3)


def test_folder_without_pictures_says_what_to_put_there(tmp_path: Path):
    with pytest.raises(CameraError, match=r"no picture in it; put files there.*\.jpg"):
        FolderCamera(tmp_path)


def test_file_that_is_no_video(tmp_path: Path):
    (tmp_path / "x.avi").write_bytes(b"nothing" * 100)
    with pytest.raises(CameraError, match="not a video"):
        VideoFileCamera(tmp_path / "x.avi")
    with pytest.raises(CameraError, match="no such file"):
        VideoFileCamera(tmp_path / "y.avi")


# Live cameras


def test_late_frame_is_an_error_now_and_the_answer_to_the_next_read():
    may_go, asked = threading.Event(), []

    def take() -> np.ndarray:
        asked.append(1)
        may_go.wait()
        return picture(len(asked))

    with LiveCamera("slow", take, lambda: None) as slow:
        for _ in range(3):
            with pytest.raises(CameraError, match="slow: no frame within 0 s; check the cable"):
                slow.read(timeout_s=0)
        may_go.set()
        assert slow.read(timeout_s=60).image[0, 0, 0] == 60
    assert len(asked) == 1


def test_device_is_released_after_the_read_that_hangs():
    may_go, released, order = threading.Event(), threading.Event(), []

    def take() -> np.ndarray:
        may_go.wait()
        order.append("taken")
        return picture(1)

    def release() -> None:
        order.append("released")
        released.set()

    hung = LiveCamera("hung", take, release)
    with pytest.raises(CameraError):
        hung.read(timeout_s=0)
    hung.close()
    hung.close()
    may_go.set()
    assert released.wait(60)
    assert order == ["taken", "released"]


def test_device_is_released_when_no_thread_can_be_started(monkeypatch: pytest.MonkeyPatch):
    def start(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    released: list[bool] = []
    monkeypatch.setattr(threading.Thread, "start", start)
    with pytest.raises(NoThreadError, match="start boneace again"):
        LiveCamera("poor", lambda: picture(1), lambda: released.append(True))
    assert released == [True]


def test_driver_that_fails_may_be_asked_again():
    answers = iter([RuntimeError("bus error"), None, picture(1)])

    def take() -> np.ndarray | None:
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    with LiveCamera("flaky", take, lambda: None) as flaky:
        with pytest.raises(CameraError, match=r"driver failed \(bus error\)"):
            flaky.read()
        with pytest.raises(CameraError, match="gave no frame; check the cable"):
            flaky.read()
        assert flaky.read().image.shape == (48, 64, 3)


def test_picamera2_is_asked_for_bgr_and_let_go_once(lens: type[FakeLens]):
    camera = open_picamera2()
    camera.close()
    camera.close()
    assert lens.made[0].calls == [
        {"size": cameras.SIZE, "format": "RGB888"},
        {"AfMode": 2},
        "start",
        "stop",
        "close",
    ]


def test_no_camera_on_the_port(lens: type[FakeLens], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(lens, "fault", IndexError("list index out of range"))
    with pytest.raises(
        CameraError, match=r"no camera found on the CSI port.*boneace doctor camera"
    ):
        open_picamera2()


@pytest.mark.usefixtures("no_pi")
def test_picamera2_not_installed():
    with pytest.raises(CameraError, match="sudo apt install python3-picamera2"):
        open_picamera2()


# Specs


@pytest.mark.parametrize("spec", ["v4l2:7", "7"])
def test_number_names_a_video_device(spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cameras, "DEVICES", tmp_path)
    (tmp_path / "video0").touch()
    with pytest.raises(CameraError, match=r"no video device .*video7 \(there: .*video0\)"):
        open_camera(spec)


@pytest.mark.parametrize("spec", ["/dev/no-such-video", "v4l2:/dev/no-such-video"])
def test_path_names_a_video_device(spec: str):
    with pytest.raises(CameraError, match="no video device /dev/no-such-video"):
        open_camera(spec)


def test_file_that_is_no_device_cannot_be_a_camera(tmp_path: Path):
    (tmp_path / "video0").write_bytes(b"x")
    with pytest.raises(CameraError, match="is no video device"):
        open_camera(f"v4l2:{tmp_path / 'video0'}")


def test_devices_come_by_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cameras, "DEVICES", tmp_path)
    for name in ("video10", "video2", "video-codec", "video0"):
        (tmp_path / name).touch()
    assert [path.name for path in video_devices()] == ["video0", "video2", "video10"]


def test_spec_of_a_folder_and_of_a_video(tmp_path: Path):
    folder(tmp_path)
    video(tmp_path).close()
    with open_camera(str(tmp_path)) as pictures:
        assert isinstance(pictures, FolderCamera)
    with open_camera(str(tmp_path / "hand.avi")) as film:
        assert isinstance(film, VideoFileCamera)


def test_unknown_spec_lists_what_is_known():
    with pytest.raises(BoneAceError, match=r"unknown camera 'vidoe.avi'.*picamera2, v4l2:0.*auto"):
        open_camera("vidoe.avi")


@pytest.mark.usefixtures("lens")
def test_auto_takes_the_first_that_gives_a_frame(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr(cameras, "DEVICES", tmp_path)
    with caplog.at_level("INFO"), open_camera("auto") as camera:
        assert camera.name == "the CSI camera"
    assert "camera auto: the CSI camera, 64x48" in caplog.text


@pytest.mark.usefixtures("no_pi")
def test_auto_without_any_says_why_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cameras, "DEVICES", tmp_path)
    (tmp_path / "video0").write_bytes(b"x")
    with pytest.raises(CameraError, match=r"no camera.*picamera2 is not.*video0: is no ") as e:
        open_camera("auto")
    assert "--no-camera" not in str(e.value), "not every command has it: the appliance adds it"
