"""What a finished hand changed, in sentences: who pays whom, lives and points, the match."""

from __future__ import annotations

from engine.core.messages.message import Value
from engine.core.views import View
from engine.games.prompts import payment_lines
from engine.games.scat.prompts import fate_line, pot_line, toll_lines


def cost_lines(view: View) -> tuple[Value, ...]:
    """Return a sentence for each sum that is paid, and for all who lost as many lives (SC-7)."""
    if view.result is None or view.result.end == "misdeal":
        return ()
    return (*payment_lines(view), *toll_lines(view, view.result))


def match_lines(view: View) -> tuple[Value, ...]:
    """Return who is out of the match by it, or plays on without a life, and the pot at its end."""
    if view.result is None or view.result.end == "misdeal":
        return ()
    lines = (fate_line(view, view.result), pot_line(view))
    return tuple(line for line in lines if line)
