"""The order of three-card Brag hands, as Stop the bus has it (SB-1, SB-4 to SB-6)."""

from __future__ import annotations

from collections.abc import Sequence

_ORDER = "23456789TJQKA"

HIGH, PAIR, FLUSH, RUN, RUNNING_FLUSH, PRIAL = range(6)


def brag_rank(cards: Sequence[str]) -> tuple[float, ...]:
    """Return a hand's place in the order: kind first, then what decides among equals.

    A-2-3 is the highest run, 3-3-3 the highest prial; suits never count.
    """
    high, middle, low = sorted((_ORDER.index(card[0]) for card in cards), reverse=True)
    flush = len({card[1] for card in cards}) == 1
    if high == middle == low:
        three = _ORDER.index("3")
        return PRIAL, 13.0 if high == three else float(high)
    run: float | None = None
    if (high, middle, low) == (12, 1, 0):
        run = 13.0
    elif high == middle + 1 == low + 2:
        run = float(high)
    if run is not None:
        return (RUNNING_FLUSH if flush else RUN), run
    if flush:
        return FLUSH, float(high), float(middle), float(low)
    if middle in (high, low):
        odd = low if middle == high else high
        return PAIR, float(middle), float(odd)
    return HIGH, float(high), float(middle), float(low)
