"""The networks, with model cards, and ``SHA256SUMS``, by which each is checked when it is loaded.

A network with one wrong bit loads and misreads. ``sha256sum -c SHA256SUMS`` checks by hand.
"""

from __future__ import annotations

import hashlib
from importlib.resources import files

from vision.errors import ModelError

SUMS = "SHA256SUMS"


def read_network(name: str) -> bytes:
    """Return the checked bytes of a network of this folder, such as ``"reader.onnx"``.

    Raises:
        ModelError: it is missing or damaged, or not listed in ``SHA256SUMS``.
    """
    data = _read(name)
    check(name, data)
    return data


def check(name: str, data: bytes) -> None:
    """Check the SHA-256 of *data*, the bytes of the network *name*, against ``SHA256SUMS``.

    Raises:
        ModelError: it differs, or is not listed.
    """
    if hashlib.sha256(data).hexdigest() != digest(name):
        raise ModelError(
            f"vision/models/{name} is damaged: its SHA-256 is not the one in {SUMS}; "
            "install boneace again"
        )


def digest(name: str) -> str:
    """Return the SHA-256 of the network *name*, in hexadecimal, as ``SHA256SUMS`` lists it.

    Raises:
        ModelError: it is not listed.
    """
    listed = parse_sums(_read(SUMS)).get(name)
    if listed is None:
        raise ModelError(f"vision/models/{SUMS} does not list {name}; install boneace again")
    return listed


def parse_sums(data: bytes) -> dict[str, str]:
    """Return the digest of each file, by its name, from what ``sha256sum`` prints."""
    lines = data.decode("ascii", "replace").splitlines()
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


def _read(name: str) -> bytes:
    try:
        return (files("vision.models") / name).read_bytes()
    except FileNotFoundError as problem:
        raise ModelError(f"vision/models/{name} is missing; install boneace again") from problem
    except OSError as problem:
        raise ModelError(
            f"vision/models/{name} cannot be read ({problem.strerror}); install boneace again"
        ) from problem
