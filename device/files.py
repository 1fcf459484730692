"""Open files that people name: a regular file of a bounded size, or an error; nothing hangs.

A pipe never ends or never begins, a device may do both. What a name stands for is asked of the
opened file: it may change between a question and the opening.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import stat
from pathlib import Path
from typing import Any, BinaryIO

VIDEO_MAJOR = 81
"""The kernel's number of video devices."""

_KINDS = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a disk",
    stat.S_IFSOCK: "a socket",
}


def read_file(path: Path, most: int) -> bytes:
    """Return the contents of a regular file of at most *most* bytes.

    Raises:
        OSError: it cannot be opened or read, is no regular file, or is larger.
    """
    # Not blocking: else a pipe would be waited for until somebody writes to it.
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    with open(handle, "rb") as file:
        _check(os.fstat(handle).st_mode, path)
        data = file.read(most + 1)
    if len(data) > most:
        size = f"{most // 2**20} MiB" if most >= 2**20 else f"{most} bytes"
        raise OSError(errno.EFBIG, f"it is too large, over {size}", str(path))
    return data


def read_json(path: Path, most: int) -> Any:
    """Return the JSON document in a regular file of at most *most* bytes.

    Raises:
        OSError: as for :func:`read_file`.
        ValueError: as for :func:`parse_json`.
    """
    return parse_json(read_file(path, most))


def parse_json(text: str | bytes) -> Any:
    """Return the JSON document *text*.

    Raises:
        ValueError: it is none, or is nested too deeply to be read.
    """
    try:
        return json.loads(text)
    except RecursionError as problem:
        raise ValueError("nested too deeply") from problem


def write_file(path: Path, data: bytes) -> None:
    """Write *data* to *path*, over what was there; to a pipe only while somebody reads it.

    Raises:
        OSError: it cannot be opened or written.
    """
    with _opened(path) as file:
        file.write(data)


class LineFile:
    """A file that is written line by line, each at once."""

    def __init__(self, path: Path) -> None:
        """Open *path* over what was there; a pipe only while somebody reads it.

        Raises:
            OSError: it cannot be opened.
        """
        self._path, self._file = path, _opened(path)
        self._problem: OSError | None = None

    def write(self, text: str) -> None:
        """Write one line; what cannot be written is told by :meth:`close`."""
        if self._problem is not None:
            return
        try:
            self._file.write(text.encode("utf-8") + b"\n")
            self._file.flush()
        except OSError as problem:
            self._problem = OSError(problem.errno, problem.strerror, str(self._path))

    def close(self) -> None:
        """Close it.

        Raises:
            OSError: not all lines could be written.
        """
        with contextlib.suppress(OSError):  # it has been told already
            self._file.close()
        if self._problem is not None:
            raise self._problem


def _opened(path: Path) -> BinaryIO:
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
    try:
        handle = os.open(path, flags, 0o666)
    except OSError as problem:
        if problem.errno == errno.ENXIO:
            said = "it is a pipe or a socket that nobody reads"
            raise OSError(errno.ENXIO, said, str(path)) from problem
        raise
    os.set_blocking(handle, True)
    return open(handle, "wb")


def check_regular(path: Path) -> None:
    """Refuse what is there and is no regular file, for what opens files by their names itself.

    Raises:
        OSError: *path* is a folder, a pipe or a device, or may not be looked at.
    """
    try:
        _check(os.stat(path).st_mode, path)
    except FileNotFoundError:
        return


def is_video_device(path: Path) -> bool:
    """Return whether *path* is a video device of the kernel."""
    try:
        about = os.stat(path)
    except (OSError, ValueError):
        return False
    return stat.S_ISCHR(about.st_mode) and os.major(about.st_rdev) == VIDEO_MAJOR


def _check(mode: int, path: Path) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder, not a file", str(path))
    if not stat.S_ISREG(mode):
        kind = _KINDS.get(stat.S_IFMT(mode), "something else")
        raise OSError(errno.EINVAL, f"it is {kind}, not a file", str(path))
