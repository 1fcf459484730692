"""Ask the package index whether systemd/requirements.lock suits every machine we support.

Run by ``make lock``; needs a network, so it is no test. Every pin must have a wheel, with a hash in
the lock, for both processors and each Python. The exit status is 1 when one is missing.
"""

from __future__ import annotations

import json
import sys
import urllib.request
from collections.abc import Iterator

from packaging.tags import Tag, compatible_tags, cpython_tags
from packaging.utils import parse_wheel_filename

from tests.acceptance.systemd.lock import Pin, read_lock

INDEX = "https://pypi.org/simple"
PROCESSORS = ("aarch64", "x86_64")
GLIBC = {(3, 11): 36, (3, 12): 39, (3, 13): 41}
"""Each Python, and the minor version of the glibc 2 in the Debian or Ubuntu that has it."""

KNOWN_GAPS = {("lgpio", (3, 13))}
"""Without a wheel: Raspberry Pi OS packages it (python3-lgpio), and install.sh takes that."""


def tags(python: tuple[int, int], processor: str) -> set[Tag]:
    """Return the tags of the wheels that a machine can install."""
    platforms = [f"manylinux_2_{minor}_{processor}" for minor in range(17, GLIBC[python] + 1)]
    platforms += [f"manylinux2014_{processor}", f"linux_{processor}"]
    interpreter = f"cp{python[0]}{python[1]}"
    return {
        *cpython_tags(python, abis=[interpreter], platforms=platforms),
        *compatible_tags(python, interpreter=interpreter, platforms=platforms),
    }


def wheels(pin: Pin) -> list[frozenset[Tag]]:
    """Return the tags of each wheel on the index that a pin allows."""
    asked = urllib.request.Request(
        f"{INDEX}/{pin.name}/", headers={"Accept": "application/vnd.pypi.simple.v1+json"}
    )
    with urllib.request.urlopen(asked, timeout=60) as answer:
        files = json.load(answer)["files"]
    return [
        parse_wheel_filename(file["filename"])[3]
        for file in files
        if file["filename"].endswith(".whl") and file["hashes"].get("sha256") in pin.hashes
    ]


def gaps() -> Iterator[tuple[str, tuple[int, int], str]]:
    """Yield each package, Python and processor for which the lock holds no wheel."""
    for pin in read_lock():
        there = wheels(pin)
        for python in GLIBC:
            for processor in PROCESSORS:
                fit = tags(python, processor)
                if not any(wheel & fit for wheel in there):
                    yield pin.name, python, processor


def main() -> int:
    """Name what is missing."""
    found = list(gaps())
    unknown = [gap for gap in found if gap[:2] not in KNOWN_GAPS]
    for name, python, processor in unknown:
        print(f"{name}: no wheel for Python {python[0]}.{python[1]} on {processor}")
    closed = KNOWN_GAPS - {gap[:2] for gap in found}
    for name, _ in sorted(closed):
        page = "docs/how-to/install.md"
        print(f"{name}: has wheels everywhere now; take it out of KNOWN_GAPS and {page}")
    if not unknown and not closed:
        print(f"{len(read_lock())} packages: wheels for {', '.join(PROCESSORS)} on every Python")
    return 1 if unknown or closed else 0


if __name__ == "__main__":
    sys.exit(main())
