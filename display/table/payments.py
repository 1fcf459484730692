"""Who pays whom, to be seen: coins that glide from plate to plate when a hand is over.

Nothing waits for them: the sums stand on the plates from the first frame, and NEXT goes on at
once. Like all that moves they hang on the clock alone, so the same time gives the same picture.
"""

from __future__ import annotations

from collections.abc import Mapping

from pygame import Rect

from display.drawing.shapes import Icon, sign, stamp
from display.drawing.text import TextPainter
from display.drawing.theme import Theme
from engine.core.views import Phase, View

PERIOD_S = 4.0
"""The coins set out again after so long: who looked away sees them too."""

GLIDE_S = 1.4
"""So long one way takes."""

BEHIND_S = 0.12
"""Each payer's coin follows so long after the one before."""

MOST = 12
"""More payments than this would be a swarm; the plates say them all."""

COIN = 0.052
"""Width of a coin as a share of the screen's height."""


def draw_payments(
    pen: TextPainter, theme: Theme, view: View, plates: Mapping[int, Rect], unit: int, time_s: float
) -> None:
    """Draw the coins that are on their way at *time_s*; *plates* are those of the seats."""
    if view.phase is not Phase.DONE or view.result is None or view.result.end == "misdeal":
        return
    size = round(COIN * unit)
    for number, (payer, payee, tokens) in enumerate(view.result.payments[:MOST]):
        if not tokens or payer not in plates or payee not in plates:
            continue
        gone = (time_s % PERIOD_S - number * BEHIND_S) / GLIDE_S
        if not 0.0 < gone < 1.0:
            continue
        eased = gone * gone * (3 - 2 * gone)
        start, end = plates[payer].center, plates[payee].center
        x = start[0] + (end[0] - start[0]) * eased
        y = start[1] + (end[1] - start[1]) * eased
        coin = sign(pen.sprites, Icon.TOKEN, size, theme.brass, theme.ink)
        stamp(pen.surface, coin, (round(x - size / 2), round(y - size / 2)))
