"""Remove names of people and taught sets, home folders and the host name from a report."""

from __future__ import annotations

import hashlib
import re
import secrets
import socket
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

NAMED = frozenset({"name", "names"})
"""Keys of records and events whose values are people's names."""

_HOMES = re.compile(
    r"/(?:home|Users|run/user|run/media|media)/[^/\s\"':;,]+|/root(?=[/\s\"':;,]|$)"
)


class Redactor:
    """Replaces each name by a token: the same within one report, another in the next."""

    def __init__(self, names: Iterable[str], *, host: str | None = None) -> None:
        """Prepare the patterns: *names* in any spelling of upper and lower case.

        *host* is the machine's own name; looked up when ``None``.
        """
        # New for each report: else a list of first names would undo all tokens.
        self._salt = secrets.token_bytes(16)
        self._home = str(Path.home())
        found = {_normal(name).strip() for name in names}
        found.discard("")
        # The longest first: "Mary Ann" must not be left as "Mary" and a token.
        words = "|".join(re.escape(name) for name in sorted(found, key=len, reverse=True))
        self._names = re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE) if words else None
        called = socket.gethostname() if host is None else host
        self._host = re.compile(rf"(?<!\w){re.escape(called)}(?!\w)") if called else None

    def token(self, name: str) -> str:
        """Return the token of *name*."""
        text = _normal(name).strip().casefold().encode("utf-8", "replace")
        return f"name-{hashlib.sha256(self._salt + text).hexdigest()[:6]}"

    def text(self, text: str) -> str:
        """Return *text* without names."""
        text = _normal(text)
        if self._names is not None:
            text = self._names.sub(lambda found: self.token(found[0]), text)
        if self._home not in ("", "/"):
            text = text.replace(self._home, "~")
        text = _HOMES.sub("~", text)
        return text if self._host is None else self._host.sub("host", text)

    def value(self, value: Any, key: str = "") -> Any:
        """Return the JSON data *value* without names."""
        if isinstance(value, Mapping):
            return {self.text(str(k)): self.value(each, str(k)) for k, each in value.items()}
        if isinstance(value, list | tuple):
            return [self.value(each, key) for each in value]
        if isinstance(value, str):
            return self.token(value) if key in NAMED and value else self.text(value)
        return value


def _normal(text: str) -> str:
    """Return *text* in Unicode normal form C: ``é`` may be one code point or two."""
    return unicodedata.normalize("NFC", text)
