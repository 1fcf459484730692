"""How loud the sounds of the table are."""

from __future__ import annotations

from display.chimes import Chime, Chimes


def volume_of(chimes: Chimes, chime: Chime) -> float:
    """Return how loud *chime* sounds or sounded last, 0 to 1; 0 where there is no sound."""
    sound = chimes._sounds.get(chime)
    return 0.0 if sound is None else sound.get_volume()
