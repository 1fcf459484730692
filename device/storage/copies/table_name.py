"""The name of this table: in the names of its copies, so that two tables can share a stick."""

from __future__ import annotations

import logging
import re
import secrets
from pathlib import Path

from device.storage.atomic_file import write_whole
from engine.core.errors import BoneAceError

log = logging.getLogger(__name__)

FILE = "name"
"""In the state folder."""

NAMELESS = "table"
"""Where no name can be kept."""

FORM = r"[a-z0-9](?:[a-z0-9-]{0,28}[a-z0-9])?"

_FIRST = "amber brass calm early felt green ivory late lucky merry oak quiet red round silver tall"
_SECOND = "ace bone card crow deck finch fox hare heron king knave lamp otter owl queen wren"


class TableNameError(BoneAceError, ValueError):
    """A name that a table cannot have, or that cannot be kept."""


def table_name(folder: Path) -> str:
    """Return the name of the table whose state is in *folder*; a table without one gets one."""
    path = folder / FILE
    try:
        name = path.read_text(encoding="utf-8", errors="replace")[:100].strip()
        if re.fullmatch(FORM, name):
            return name
        log.warning("%s: holds no name of a table; a new one is made", path)
    except FileNotFoundError:
        pass
    except OSError as problem:
        log.warning("%s: cannot be read (%s); check its owner", path, problem)
        return NAMELESS
    words = (secrets.choice(each.split()) for each in (_FIRST, _SECOND))
    name = f"{'-'.join(words)}-{secrets.randbelow(900) + 100}"
    try:
        write_whole(path, f"{name}\n".encode())
    except OSError:
        return NAMELESS  # on a read-only disk
    return name


def rename_table(folder: Path, name: str) -> None:
    """Give the table whose state is in *folder* another *name*.

    Raises:
        TableNameError: it cannot be one, or cannot be written.
    """
    if not re.fullmatch(FORM, name):
        raise TableNameError(
            f"{name!r} cannot be a table's name; use up to 30 small letters a to z, digits and "
            "hyphens, such as red-otter"
        )
    try:
        write_whole(folder / FILE, f"{name}\n".encode())
    except OSError as problem:
        raise TableNameError(
            f"{folder / FILE}: cannot be written ({problem.strerror}); is the folder yours?"
        ) from problem
