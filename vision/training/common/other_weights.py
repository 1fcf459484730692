"""Try other weights than the shipped ones."""

from __future__ import annotations

from pathlib import Path
from unittest import mock

from vision import inference
from vision.models import read_network


def weights(folder: Path) -> mock._patch:
    """Load networks out of *folder*, those that it lacks out of the product, while this is on."""

    def read(name: str) -> bytes:
        file = folder / name
        return file.read_bytes() if file.exists() else read_network(name)

    return mock.patch.object(inference, "read_network", read)
