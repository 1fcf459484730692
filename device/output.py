"""Standard output that can no longer be written: what is said of it, and with which status."""

from __future__ import annotations

import contextlib
import errno
import os
import sys

READER_GONE = 141
"""Exit status where the reader of the output has gone, as of other programs in a pipe."""

_UNWRITTEN = (errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EFBIG, errno.EBADF)


def unwritten(problem: OSError) -> str:
    """Return what is wrong with standard output; empty where it is something else."""
    if problem.filename is not None or problem.errno not in _UNWRITTEN:
        return ""
    return (
        f"the output cannot be written ({problem.strerror}), its end is missing; free some "
        "space, or send it elsewhere"
    )


def give_up_output() -> None:
    """Write what is still held back to nowhere: else Python complains of it when it ends."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError, AttributeError):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
