"""What the teaching mode says beside the prompt: chances from what lies open, and why one won.

What is said belongs to the game (its ``teacher``). Only the view of the whole table
is used (rule G-7): nothing that only a player knows. The chances are exact and may take a board a
while: they are counted on a thread, and shown when they are ready.
"""

from __future__ import annotations

import logging
import pkgutil
import threading
from collections.abc import Callable
from typing import Any

from engine.core.errors import BoneAceError
from engine.core.messages.message import Message, Value
from engine.core.views import Phase, View
from engine.games import catalog
from engine.games.hints import Hints

log = logging.getLogger(__name__)

Start = Callable[[Callable[[], None]], None]
"""Runs a piece of work, now or soon."""


class HintProvider:
    """Answers with what is ready; what is not is counted meanwhile."""

    def __init__(self, start: Start | None = None) -> None:
        """Count on a thread of its own, or as *start* has it."""
        self._start = start or _on_a_thread
        self._lock = threading.Lock()
        self._asked: object = None
        self._said: Value = ""

    def hint(self, view: View, options: Any) -> Value:
        """Return what there is to say at *view*; empty until it is ready.

        Args:
            view: what the whole table sees.
            options: what was agreed; everybody knows it.
        """
        asked = (view, options)
        with self._lock:
            if asked == self._asked:
                return self._said
            self._asked, self._said = asked, ""

        def work() -> None:
            try:
                said: Value = hint_for(view, options)
            except BoneAceError as problem:
                log.debug("no chances here: %s", problem)
                said = ""
            with self._lock:
                if self._asked is asked:
                    self._said = said

        self._start(work)
        with self._lock:
            return self._said if self._asked is asked else ""


def for_onlookers(hint: Value, view: View) -> Value:
    """Return *hint*, marked where the player who is asked knows more: own cards face down."""
    if not hint or view.phase is not Phase.PLAY or view.turn is None:
        return hint
    if None not in view.seat(view.turn).cards:
        return hint
    return Message("For onlookers: {hint}", hint=hint)


def hint_for(view: View, options: Any) -> Value:
    """Return what the teaching mode says at *view*; empty where it has nothing to say.

    Raises:
        OddsError: the cards seen cannot be those of one pack.
        UnknownGameError: there is no such game any more.
    """
    # Imported at the first view of a hand, which comes before the first turn.
    teacher: Hints = pkgutil.resolve_name(catalog.find(view.game).teacher)()
    if view.phase is Phase.DONE and view.result is not None:
        return teacher.why(view, view.result, options)
    if view.phase is not Phase.PLAY or view.turn is None:
        return ""
    return teacher.hint(view, view.seat(view.turn), options)


def _on_a_thread(work: Callable[[], None]) -> None:
    """Reckon beside the loop: an exact chance may take longer than a frame."""
    threading.Thread(target=work, name="teacher", daemon=True).start()
