"""Messages to the service manager: ready, alive, status; and lines for its log.

systemd listens on a datagram socket named in ``NOTIFY_SOCKET`` (see ``sd_notify(3)``); where there
is none everything here says nothing.
"""

from __future__ import annotations

import contextlib
import logging
import os
import socket
from collections.abc import Mapping

log = logging.getLogger(__name__)

LEVELS = {logging.CRITICAL: 2, logging.ERROR: 3, logging.WARNING: 4, logging.INFO: 6}
"""Syslog's number for each of Python's levels; what is below INFO is 7, for debugging."""


class Notifier:
    """Sends datagrams to the service manager; never waits, and a lost one does no harm.

    Attributes:
        watchdog_s: how often it wants to hear that the program lives; ``None`` when it does not.
    """

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        """Read the address from the environment."""
        self._address = _address(environment.get("NOTIFY_SOCKET", ""))
        self.watchdog_s = _watchdog_s(environment) if self._address else None
        self._socket: socket.socket | None = None
        self._failed = False

    def send(self, **lines: str | int) -> None:
        """Send *lines* in one datagram: ``send(READY=1, STATUS="Hand 3")``."""
        if self._address is None:
            return
        # A line's end inside a value would begin another line.
        text = "\n".join(f"{key}={' '.join(str(value).split())}" for key, value in lines.items())
        try:
            if self._socket is None:
                self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
                # A manager that does not read must not stop the game.
                self._socket.setblocking(False)
            self._socket.sendto(text.encode("utf-8", "replace"), self._address)
            self._failed = False
        except OSError as problem:
            if not self._failed:
                log.warning(
                    "the service manager cannot be told (%s); it may restart boneace; "
                    "look at: systemctl status boneace",
                    problem,
                )
            self._failed = True

    def close(self) -> None:
        """Close the socket; may be called twice."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None


def _address(named: str) -> bytes | None:
    """Return where to send to; ``@`` begins a name in the abstract namespace."""
    if named.startswith("@"):
        return b"\0" + os.fsencode(named[1:])
    if named.startswith("/"):
        return os.fsencode(named)
    if named:
        log.warning("NOTIFY_SOCKET=%s is no socket that boneace can use; it starts without", named)
    return None


def _watchdog_s(told: Mapping[str, str]) -> float | None:
    with contextlib.suppress(ValueError):
        for_us = told.get("WATCHDOG_PID", "") in ("", str(os.getpid()))
        microseconds = int(told.get("WATCHDOG_USEC", "0"))
        if for_us and microseconds > 0:
            return microseconds / 1e6
    return None


class _JournalFormatter(logging.Formatter):
    """Each line with its level, as ``sd-daemon(3)`` reads it: ``journalctl -p warning`` works."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the lines of *record*."""
        return _marked(super().format(record), record.levelno)


def formatter(environment: Mapping[str, str], stream: int = 2) -> logging.Formatter:
    """Return how log lines look: bare for people, with their level where systemd reads them.

    systemd names in ``JOURNAL_STREAM`` the file that it reads; *stream* is the number of ours.
    """
    is_read = _is_read(environment, stream)
    return (_JournalFormatter if is_read else logging.Formatter)("%(message)s")


def error_lines(text: str, environment: Mapping[str, str], stream: int = 2) -> str:
    """Return *text*, which ends the program, as :func:`formatter` would write an error."""
    return _marked(text, logging.ERROR) if _is_read(environment, stream) else text


def _is_read(environment: Mapping[str, str], stream: int) -> bool:
    """Return whether systemd's journal reads *stream*; child processes inherit the variable too."""
    with contextlib.suppress(OSError):
        about = os.fstat(stream)
        return environment.get("JOURNAL_STREAM") == f"{about.st_dev}:{about.st_ino}"
    return False


def _marked(text: str, level: int) -> str:
    mark = f"<{LEVELS.get(level, 7)}>"
    return "\n".join(f"{mark}{line}" for line in text.splitlines() or [""])
