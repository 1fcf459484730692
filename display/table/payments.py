"""Who pays whom: coins that glide from plate to plate when a hand is over.

Nothing waits for them: the sums stand on the plates from the first picture, and NEXT goes on at
once. The same time gives the same picture.
"""

from __future__ import annotations

from collections.abc import Mapping

from pygame import Rect

from display.drawing.canvas import Canvas
from display.drawing.shapes import Icon
from engine.core.views import Phase, View

PERIOD_S = 4.0
"""Seconds after which the coins set out again."""

GLIDE_S = 1.4
"""Seconds that one way takes."""

BEHIND_S = 0.12
"""Seconds from one payer's coin to the next."""

MOST = 12
"""More payments than this would be a swarm; the plates show the sums."""

COIN = 0.052
"""Width of a coin as a share of the screen's height."""


def draw_payments(canvas: Canvas, view: View, plates: Mapping[int, Rect]) -> None:
    """Draw the coins that are on their way; *plates* are those of the seats."""
    if view.phase is not Phase.DONE or view.result is None or view.result.end == "misdeal":
        return
    size = canvas.px(COIN)
    for number, (payer, payee, tokens) in enumerate(view.result.payments[:MOST]):
        if not tokens or payer not in plates or payee not in plates:
            continue
        gone = (canvas.time_s % PERIOD_S - number * BEHIND_S) / GLIDE_S
        if not 0.0 < gone < 1.0:
            continue
        eased = gone * gone * (3 - 2 * gone)
        start, end = plates[payer].center, plates[payee].center
        x = start[0] + (end[0] - start[0]) * eased
        y = start[1] + (end[1] - start[1]) * eased
        at = (round(x - size / 2), round(y - size / 2))
        canvas.icon(Icon.TOKEN, size, canvas.theme.brass, canvas.theme.ink, at)
