"""Erases the sittings of the running table that are kept no longer."""

from __future__ import annotations

import logging
import math
from dataclasses import replace

from device.clock import Clock
from device.storage.copies.erase import too_old
from device.storage.journal.errors import JournalError
from device.storage.journal.journal import Journal
from engine.core.text.counted import counted

log = logging.getLogger(__name__)

EVERY_S = 86_400.0


class Keeper:
    """Looks at the journal at the start, and each day. The copies are left to their timer.

    What was closed since it looked the day before is no older than that, whatever its dates say.
    """

    def __init__(self, journal: Journal, clock: Clock, days: int) -> None:
        """Erase what ended more than *days* ago; 0 for nothing."""
        self._journal, self._clock, self._days = journal, clock, days
        self._due_s = -math.inf
        self._closed: set[float] | None = None

    def look(self, now_s: float) -> None:
        """Erase what is too old, if a day is over at *now_s*; a task of the main loop."""
        if now_s < self._due_s:
            return
        self._due_s = now_s + EVERY_S
        wall_s = self._clock.wall()
        try:
            sittings, before = self._journal.sittings(), self._closed
            self._closed = {each.started for each in sittings if each.closed is not None}
            wanted = self._journal.ask(lambda db: too_old(db, self._days, wall_s))
            if wanted is None:
                return
            new = self._closed - before if before is not None else ()
            wanted = replace(wanted, judged={**wanted.judged, **dict.fromkeys(new, False)})
            if not any(wanted.judged.values()):
                return
            done = self._journal.erase(wanted, wall_s)
            gone, days = counted(len(done.gone), "sitting"), counted(self._days, "day")
            log.info("%s erased: kept for %s", gone, days)
        except JournalError as problem:
            # The game is not stopped for it; it is tried again tomorrow.
            log.error("%s", problem)
