"""Read pictures of strangers: the claimed size is checked before anything is unpacked.

A few kilobytes can claim a picture that fills the memory of any machine. Formats whose size cannot
be read beforehand are refused.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

import cv2
import numpy as np

from vision.errors import ImageError
from vision.geometry import Image

LARGEST_FILE = 128 * 2**20
"""Bytes: the largest photographs that cameras write are half of it."""

LARGEST_PIXELS = 100_000_000
"""No camera that hangs over a table makes more. Unpacked they are 300 MB, and to be read they take
as much again: what a Pi with 1 GB can still hold."""

LONGEST_SIDE = 65_500
"""Pixels: as many as a JPEG can have. OpenCV itself gives up a little later."""

MOST_SEGMENTS = 10_000
"""Of a JPEG before its picture begins; photographs have some dozen."""

_SOI, _PNG = b"\xff\xd8", b"\x89PNG\r\n\x1a\n"


def decode(data: bytes, most_pixels: int = LARGEST_PIXELS) -> Image:
    """Unpack a JPEG, PNG, WebP, BMP or TIFF picture.

    Raises:
        ImageError: it is damaged, torn, no picture, or larger than *most_pixels*.
    """
    if len(data) > LARGEST_FILE:
        raise ImageError(f"is over {LARGEST_FILE // 2**20} MiB; make it smaller")
    size = size_of(data)
    if size is None:
        raise ImageError("is not a picture that can be read, or is damaged; use JPEG or PNG")
    width, height = size
    if width * height > most_pixels or max(size) > LONGEST_SIDE:
        raise ImageError(
            f"has {width} x {height} pixels, over {most_pixels:,} or {LONGEST_SIDE:,} on a side; "
            "make it smaller"
        )
    if is_torn(data):
        raise ImageError("is torn, its end is missing: damaged in copying; copy it again")
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except (cv2.error, MemoryError):
        image = None
    if image is None:
        raise ImageError("is not a picture that can be read, or is damaged; use JPEG or PNG")
    return np.asarray(image, np.uint8)


def size_of(data: bytes) -> tuple[int, int] | None:
    """Return the width and height that the head of a picture claims; ``None`` where it has none."""
    for start, size in _HEADS:
        if data.startswith(start):
            try:
                width, height = size(data)
            except (struct.error, IndexError):
                return None
            return (width, height) if width > 0 and height > 0 else None
    return None


def is_torn(data: bytes) -> bool:
    """Return whether a picture lacks the mark that JPEG and PNG end with.

    OpenCV fills up a torn picture with grey and says nothing.
    """
    if data.startswith(_SOI):
        # After the last scan has begun: an embedded thumbnail has an end of its own before that.
        return b"\xff\xd9" not in data[max(0, data.rfind(b"\xff\xda")) :]
    if data.startswith(_PNG):
        return b"IEND" not in data[-64:]
    return not data


def _jpeg(data: bytes) -> tuple[int, int]:
    """Walk the segments to the frame's own, before the scan."""
    at = 2
    for _ in range(MOST_SEGMENTS):
        at = data.find(0xFF, at)  # decoders pass over what stands between segments
        if at < 0:
            break
        while data[at] == 0xFF:
            at += 1
        kind = data[at]
        at += 1
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", data, at + 3)
            return width, height
        if kind in (0xD9, 0xDA):
            break  # the pixels begin before their count was given
        if 0xD0 <= kind <= 0xD8 or kind == 0x01:
            continue  # these have no length
        at += max(2, struct.unpack_from(">H", data, at)[0])
    return 0, 0


def _bmp(data: bytes) -> tuple[int, int]:
    is_core = struct.unpack_from("<I", data, 14)[0] == 12
    width, height = struct.unpack_from("<HH" if is_core else "<ii", data, 18)
    # A negative height says that the rows come from the top.
    return width, abs(height)


def _webp(data: bytes) -> tuple[int, int]:
    kind = data[12:16]
    if data[8:12] != b"WEBP":
        return 0, 0
    if kind == b"VP8X":
        width = int.from_bytes(data[24:27], "little") + 1
        height = int.from_bytes(data[27:30], "little") + 1
        return (width, height) if len(data) >= 30 else (0, 0)
    if kind == b"VP8L":
        bits = struct.unpack_from("<I", data, 21)[0]
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 ":
        width, height = struct.unpack_from("<HH", data, 26)
        return width & 0x3FFF, height & 0x3FFF
    return 0, 0


def _tiff(data: bytes) -> tuple[int, int]:
    order = "<" if data.startswith(b"II") else ">"
    start = struct.unpack_from(order + "I", data, 4)[0]
    count = struct.unpack_from(order + "H", data, start)[0]
    found = {256: 0, 257: 0}
    for entry in range(count):
        at = start + 2 + 12 * entry
        tag, kind = struct.unpack_from(order + "HH", data, at)
        if tag in found:
            form = "H" if kind == 3 else "I"
            # Given twice, the larger counts: decoders differ in which one they believe.
            found[tag] = max(found[tag], struct.unpack_from(order + form, data, at + 8)[0])
    return found[256], found[257]


_HEADS: tuple[tuple[bytes, Callable[[bytes], tuple[int, int]]], ...] = (
    (_SOI, _jpeg),
    (_PNG, lambda data: struct.unpack_from(">II", data, 16)),
    (b"BM", _bmp),
    (b"RIFF", _webp),
    (b"II*\0", _tiff),
    (b"MM\0*", _tiff),
)
"""How each format begins, and the function that reads its size."""
