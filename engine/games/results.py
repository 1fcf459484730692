"""What a finished hand changed, in sentences: who pays whom, lives and points, the match."""

from __future__ import annotations

from engine.core.messages.message import Value, as_title
from engine.core.views import View
from engine.games.prompts import payment_lines
from engine.games.scat.prompts import ending, fate_line, pot_line, toll_lines


def cost_lines(view: View) -> tuple[Value, ...]:
    """Return a sentence for each sum that is paid, and for all who lost as many lives (SC-7).

    What the title of the hand says already is left out.
    """
    result = view.result
    if result is None or result.end == "misdeal":
        return ()
    tolls = toll_lines(view, result)
    is_title = bool(tolls) and as_title(tolls[0]) == ending(view, result)
    return (*payment_lines(view), *tolls[is_title:])


def match_lines(view: View) -> tuple[Value, ...]:
    """Return who is out of the match by it, or plays on without a life, and the pot at its end."""
    if view.result is None or view.result.end == "misdeal":
        return ()
    lines = (fate_line(view, view.result), pot_line(view))
    return tuple(line for line in lines if line)
