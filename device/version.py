"""Which version of the program this is."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def program_version() -> str:
    """Return the version of this program; ``unknown`` where it runs without being installed.

    It stands in ``pyproject.toml`` and nowhere else.
    """
    try:
        return version("boneace")
    except PackageNotFoundError:
        return "unknown"
