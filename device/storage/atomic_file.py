"""Write files atomically: after a power cut the old file is there or the new one, never half."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from device.files import check_regular, write_file


def write_whole(path: Path, data: bytes, *, private: bool = False) -> None:
    """Write *data* to *path*, making its folder where there is none; *private*, for us alone.

    Raises:
        OSError: the disk refuses; what stood at *path* still does.
    """
    check_regular(path)  # a device must not be renamed over
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.new")
    try:
        if private:
            part.touch()
            part.chmod(0o600)
        write_file(part, data)
        put_in_place(part, path)
    except OSError:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)  # a full disk has no room for half a file
        raise


def put_in_place(part: Path, path: Path) -> None:
    """Sync the finished file *part* to the disk, then rename it to *path*.

    Renaming alone is not enough: some file systems keep the new name and lose the contents. On FAT
    a new name is one of an empty file until the file itself is synced again.

    Raises:
        OSError: the disk refuses; what stood at *path* still does, unless it refused only after
            the renaming.
    """
    settle(part)
    os.replace(part, path)
    settle(path)
    settle(path.parent)


def settle(path: Path) -> None:
    """Wait until the file or folder *path* is on the disk.

    Raises:
        OSError: the disk refuses.
    """
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError:
        if not path.is_dir():  # some sticks' file systems cannot sync a folder
            raise
    finally:
        os.close(handle)
