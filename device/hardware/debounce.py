"""One press for one push, however the contact chatters."""

from __future__ import annotations

SETTLE_S = 0.03
"""Arcade and dome buttons chatter for 1-10 ms; nobody presses twice within 30 ms on purpose."""


class Debounce:
    """Decides which edges of one contact are presses.

    The first edge down counts at once, so a press is never late. After any edge, up or down, the
    contact must be quiet for *settle_s* before another edge down counts; times are the caller's.
    """

    def __init__(self, settle_s: float = SETTLE_S) -> None:
        """Start with a quiet contact."""
        if settle_s < 0:
            raise ValueError(f"settle_s must be 0 or more seconds, got {settle_s!r}; try 0.03")
        self._settle_s = settle_s
        self._last_edge_s: float | None = None

    def edge(self, is_down: bool, time_s: float) -> bool:
        """Handle one edge; return ``True`` when it is a press."""
        quiet = self._last_edge_s is None or time_s - self._last_edge_s >= self._settle_s
        self._last_edge_s = time_s
        return is_down and quiet
