"""systemd/requirements.lock, read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from tests.support.paths import ROOT

FOLDER = ROOT / "systemd"
LOCK = FOLDER / "requirements.lock"


@dataclass(frozen=True)
class Pin:
    """One package of the lock.

    Attributes:
        name: in lower case, with dashes.
        version: the only one that may be installed.
        hashes: SHA-256 of each file that may be installed, 64 hexadecimal digits.
        via: what depends on it: names of packages, or of pyproject.toml.
    """

    name: str
    version: str
    hashes: frozenset[str]
    via: frozenset[str]


def read_lock(path: Path = LOCK) -> list[Pin]:
    """Return the pins of a lock; ValueError for a line that is neither pin, hash nor comment."""
    pins = []
    for part in re.split(r"^(?=[^\s#])", path.read_text(encoding="ascii"), flags=re.MULTILINE)[1:]:
        first, *more = [line.strip(" \\") for line in part.splitlines()]
        name, _, version = first.partition("==")
        hashes = {line.removeprefix("--hash=sha256:") for line in more if line.startswith("-")}
        via = {re.sub(r"^# *(via)? *| \(.*", "", line) for line in more if line.startswith("#")}
        if not version or not all(re.fullmatch(r"[0-9a-f]{64}", each) for each in hashes):
            raise ValueError(f"{path}: cannot be read: {first}")
        pins.append(Pin(name, version, frozenset(hashes), frozenset(via - {""})))
    return pins


def packages(name: str) -> list[str]:
    """Return one of the lists of packages of install.sh, such as ``NEEDED``."""
    text = (FOLDER / "install.sh").read_text(encoding="utf-8")
    return re.findall(rf'^{name}="([^"]*)"$', text, re.MULTILINE)[0].split()
