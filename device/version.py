"""Which version of the program this is, and what it needs."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, requires, version


def program_version() -> str:
    """Return the version of this program; ``unknown`` where it runs without being installed.

    It stands in ``pyproject.toml`` and nowhere else.
    """
    try:
        return version("boneace")
    except PackageNotFoundError:
        return "unknown"


def requirement_for(module: str) -> str | None:
    """Return what pip is to install for a module of another package, such as ``numpy>=2``.

    A package of an extra is had with all of it: ``boneace[hall]``; ``None`` where nothing asks for
    it, or the program runs without being installed.
    """
    package = re.escape(module.split(".")[0])
    try:
        wanted = next(r for r in requires("boneace") or () if re.match(rf"{package}\b(?!-)", r))
    except (PackageNotFoundError, StopIteration):
        return None
    extra = re.search(r"extra == .(\w+)", wanted)
    return f"boneace[{extra[1]}]" if extra else wanted


def missing_for(module: str) -> list[str]:
    """Return what pip is to install for *module*, and for all else that a table needs and lacks."""
    wanted = requirement_for(module)
    if wanted is None:
        return []
    rest = [each for each in requires("boneace") or () if ";" not in each and not _is_there(each)]
    return list(dict.fromkeys((wanted, *rest)))


def _is_there(requirement: str) -> bool:
    try:
        version(re.split(r"[^\w.-]", requirement, maxsplit=1)[0])
    except PackageNotFoundError:
        return False
    return True
