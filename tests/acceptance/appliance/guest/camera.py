#!/usr/bin/python3
"""Inside the machine: plays pictures of the drawn table into a video device.

They lie one after the other, ready as YUYV, on a disk of their own; ``/run/appliance/picture``
holds the number of the one to be shown. Width and height are in the disk's first sector.
"""

import fcntl
import json
import os
import struct
import time

DISK = "/dev/vdb"
DEVICE = "/dev/video0"
PICTURE = "/run/appliance/picture"
SECTOR = 512
EVERY_S = 0.25

SET_FORMAT = 0xC0D05605  # VIDIOC_S_FMT: _IOWR('V', 5, struct v4l2_format) on 64 bits
OUTPUT = 2  # V4L2_BUF_TYPE_VIDEO_OUTPUT
PROGRESSIVE = 1  # V4L2_FIELD_NONE
SRGB = 8  # V4L2_COLORSPACE_SRGB


def main():
    disk = os.open(DISK, os.O_RDONLY)
    size = json.loads(os.pread(disk, SECTOR, 0).rstrip(b"\0"))
    width, height = size["width"], size["height"]
    length = 2 * width * height
    yuyv = int.from_bytes(b"YUYV", "little")
    picture = (width, height, yuyv, PROGRESSIVE, 2 * width, length, SRGB, 0)
    asked = struct.pack("<I4x", OUTPUT) + struct.pack("<8I", *picture).ljust(200, b"\0")
    device = os.open(DEVICE, os.O_RDWR)
    fcntl.ioctl(device, SET_FORMAT, bytearray(asked))
    shown, pixels = None, b""
    while True:
        with open(PICTURE, encoding="ascii") as file:
            number = file.read().strip()
        if number and number != shown:
            pixels = os.pread(disk, length, SECTOR + int(number) * length)
            shown = number
        os.write(device, pixels)
        time.sleep(EVERY_S)


if __name__ == "__main__":
    main()
