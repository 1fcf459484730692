"""Write down what the bytes of an exported network come to; it is not loaded without."""

from __future__ import annotations

import hashlib
from pathlib import Path

from vision.models import SUMS, parse_sums


def note_digest(file: Path) -> None:
    """Put the SHA-256 of *file*, which is complete, into the ``SHA256SUMS`` beside it."""
    sums = file.with_name(SUMS)
    digests = parse_sums(sums.read_bytes()) if sums.exists() else {}
    digests[file.name] = hashlib.sha256(file.read_bytes()).hexdigest()
    lines = (f"{digest}  {name}\n" for name, digest in sorted(digests.items()))
    sums.write_text("".join(lines), encoding="ascii")
