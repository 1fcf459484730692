"""Pictures and videos of strangers: what they claim is judged before it is unpacked."""

import contextlib
import resource
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.hardware.cameras import FolderCamera, VideoFileCamera
from device.hardware.pictures import load_picture
from device.ports import CameraError, Frame
from device.runtime.camera_worker import SyncReadingSource
from vision.camera import image_files
from vision.camera.image_files import (
    LARGEST_FILE,
    LARGEST_PIXELS,
    LONGEST_SIDE,
    MOST_SEGMENTS,
    decode,
    is_torn,
    size_of,
)
from vision.errors import ImageError
from vision.tracking.motion_gate import MotionGate

CASES = Path(__file__).with_name("cases") / "pictures"
KINDS = (".jpg", ".png", ".webp", ".bmp", ".tiff")


def encoded(kind, height=40, width=60):
    rng = np.random.default_rng(5)
    return cv2.imencode(kind, rng.integers(0, 255, (height, width, 3)).astype(np.uint8))[
        1
    ].tobytes()


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png_claiming(width, height):
    """A sound PNG of a few bytes that claims so many pixels."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = zlib.compress(bytes(1 + 3 * min(width, 10)))
    whole = chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + whole


def bmp_claiming(width, height):
    return b"BM" + bytes(12) + struct.pack("<IiiHH", 40, width, height, 1, 24) + bytes(100)


def jpeg_claiming(width, height):
    data = bytearray(encoded(".jpg"))
    at = data.index(b"\xff\xc0") + 5
    data[at : at + 4] = struct.pack(">HH", height, width)
    return bytes(data)


def tiff_claiming(width, height):
    tags = struct.pack("<HHHIIHHII", 2, 256, 4, 1, width, 257, 4, 1, height)
    return b"II*\0" + struct.pack("<I", 8) + tags + bytes(4)


@pytest.fixture
def no_unpacking(monkeypatch):
    """Nothing here may be unpacked: a look at the head must do."""

    def imdecode(*args):
        raise AssertionError("a bomb was unpacked")

    monkeypatch.setattr(image_files.cv2, "imdecode", imdecode)


@pytest.mark.parametrize(
    "bomb",
    [
        png_claiming(30_000, 30_000),
        png_claiming(2**31 - 1, 2**31 - 1),
        png_claiming(1, 90_000_000),
        bmp_claiming(20_000, -20_000),
        jpeg_claiming(65_500, 65_500),
        tiff_claiming(50_000, 50_000),
    ],
    ids=["900 MP", "all there are", "a line", "upside down", "jpeg", "tiff"],
)
def test_bombs_are_refused_by_their_heads(bomb, no_unpacking, tmp_path, capsys):
    assert len(bomb) < 10_000
    with pytest.raises(ImageError, match=r"pixels, over .*make it smaller"):
        decode(bomb)
    path = tmp_path / "bomb.png"
    path.write_bytes(bomb)
    with pytest.raises(ImageError):
        load_picture(path)
    with FolderCamera(tmp_path) as camera, pytest.raises(CameraError, match="make it smaller"):
        camera.read()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [(1, 1), (1, 700), (333, 2), (40, 60)])
def test_the_head_tells_the_size_that_is_unpacked(kind, size):
    data = encoded(kind, *size)
    assert size_of(data) == (size[1], size[0])
    assert decode(data).shape == (*size, 3)


@pytest.mark.parametrize("kind", KINDS)
def test_the_limit_is_to_the_pixel(kind):
    data = encoded(kind, 40, 60)
    assert decode(data, most_pixels=2400).shape == (40, 60, 3)
    with pytest.raises(ImageError, match="60 x 40"):
        decode(data, most_pixels=2399)


def test_a_hundred_megapixels_are_taken_and_one_more_row_is_not(no_unpacking):
    side = 10_000
    assert side * side == LARGEST_PIXELS
    with pytest.raises(AssertionError, match="was unpacked"):
        decode(png_claiming(side, side))
    with pytest.raises(ImageError, match="make it smaller"):
        decode(png_claiming(side, side + 1))
    with pytest.raises(ImageError, match="make it smaller"):
        decode(png_claiming(LONGEST_SIDE + 1, 1))


def test_a_file_without_end_is_refused():
    """/dev/zero has no size that could be asked for."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(ImageError, match="it is a device, not a file"):
        load_picture(Path("/dev/zero"))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000  # KiB
    assert LARGEST_FILE == 128 * 2**20


def test_segments_without_end_are_counted():
    data = b"\xff\xd8" + b"\xff\xe1\x00\x02" * (MOST_SEGMENTS + 10) + encoded(".jpg")[2:]
    assert size_of(data) is None
    data = b"\xff\xd8" + b"\xff\xe1\x00\x02" * 100 + encoded(".jpg")[2:]
    assert size_of(data) == (60, 40)
    assert size_of(b"\xff\xd8" + bytes(2_000_000)) is None


@pytest.mark.parametrize("kind", [".jpg", ".png"])
def test_a_file_cut_anywhere_is_never_read_as_a_whole_one(kind):
    data = encoded(kind)
    for end in range(0, len(data) - 30, max(1, len(data) // 40)):
        with pytest.raises(ImageError, match=r"damaged|torn"):
            decode(data[:end])
    assert is_torn(data[:-30])


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=25, deadline=None, derandomize=True)
@given(data=st.data())
def test_pictures_with_bytes_turned_are_read_or_refused(kind, data):
    whole = bytearray(encoded(kind))
    for _ in range(data.draw(st.integers(1, 6))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(ImageError):
        image = decode(bytes(whole), most_pixels=1_000_000)
        assert image.dtype == np.uint8
        assert image.shape[0] * image.shape[1] <= 1_000_000


@settings(max_examples=80, deadline=None, derandomize=True)
@given(st.binary(max_size=200), st.sampled_from([b"", b"\xff\xd8", b"\x89PNG\r\n\x1a\n", b"BM"]))
def test_any_bytes_are_no_picture(data, head):
    with pytest.raises(ImageError):
        decode(head + data, most_pixels=1000)


@pytest.mark.parametrize("path", sorted(CASES.glob("*")), ids=lambda path: path.name)
def test_what_was_found_stays_found(path):
    with pytest.raises(ImageError):
        load_picture(path)


# --- videos -------------------------------------------------------------------------------------


class SpyReader:
    def __init__(self):
        self.shapes = []

    def read(self, image, time_s=0.0):
        self.shapes.append(image.shape)
        return image.shape


def test_a_video_whose_size_changes_is_read_in_each(tmp_path):
    """Two films glued together, as a stranger's: each size settles and is read by itself."""

    class Glued:
        def __init__(self):
            rng = np.random.default_rng(1)
            one = rng.integers(0, 255, (90, 160, 3)).astype(np.uint8)
            images = [one] * 6 + [np.ascontiguousarray(one[:1, :1])] * 6 + [one[::2, ::2]] * 6
            self.frames = [Frame(image, 0.1 * n) for n, image in enumerate(images)]

        def read(self, timeout_s=2.0):
            return self.frames.pop(0)

        def close(self):
            pass

    reader = SpyReader()
    eyes = SyncReadingSource(Glued(), MotionGate(reader))
    readings = [each for _ in range(18) for each in eyes.poll()]
    assert eyes.frame == 18
    assert readings[0] == (90, 160, 3)
    assert readings[-1] == (45, 80, 3)


def test_a_follower_takes_pictures_of_another_size():
    from vision.mat.artwork import draw_mat
    from vision.mat.pose import MatLayout
    from vision.mat.segmentation import FrameAnalysis
    from vision.tracking.change_tracker import ChangeTracker

    class CardPipeline:
        def detect_on_mat(self, frame, pose, wanted=None, boxes=None, backs=()):
            assert wanted is None, "nothing can be compared with another size"
            return []

    mat = np.asarray(draw_mat(MatLayout(2), 1.0), np.uint8)
    follower = ChangeTracker(CardPipeline())
    for scale in (1.0, 0.7, 1.0):
        resized = np.asarray(cv2.resize(mat, None, fx=scale, fy=scale))
        assert follower.update(FrameAnalysis(resized)) == []


def test_a_video_that_claims_too_much_is_not_begun(tmp_path, monkeypatch):
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 25.0, (64, 48))
    if not writer.isOpened():
        pytest.skip("this OpenCV writes no MJPG video")
    writer.write(np.zeros((48, 64, 3), np.uint8))
    writer.release()
    monkeypatch.setattr("device.hardware.cameras.LARGEST_PIXELS", 64 * 48 - 1)
    with pytest.raises(CameraError, match="claims 64 x 48 pixels"):
        VideoFileCamera(path)
