"""Read and write the files of custom decks and custom sets of bones."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from device.files import read_file
from device.storage.atomic_file import write_whole
from vision.custom_set import CustomSet
from vision.errors import EnrolmentError

SetT = TypeVar("SetT", bound=CustomSet)


def load_set(kind: type[SetT], path: Path) -> SetT:
    """Read the set of that kind in the file *path*.

    Raises:
        EnrolmentError: the file is missing, damaged, too large or of another version.
    """
    try:
        data = read_file(path, kind.LARGEST_FILE)
    except OSError as problem:
        raise EnrolmentError(
            f"{path}: cannot be read ({problem.strerror}); {kind.CURE}"
        ) from problem
    try:
        return kind.from_bytes(data)
    except EnrolmentError as problem:
        raise EnrolmentError(f"{path}: {problem}") from problem


def save_set(custom: CustomSet, path: Path) -> None:
    """Write a set to the file *path*, whole or not at all.

    Raises:
        EnrolmentError: the file cannot be written.
    """
    try:
        write_whole(path, custom.to_bytes())
    except OSError as problem:
        raise EnrolmentError(
            f"{path}: cannot be written ({problem.strerror}); is the folder yours, and the disk "
            "free?"
        ) from problem
