"""People of software who behave like people, and an oracle that knows what they really did.

They sit at a table without pixels: cards lie in millimetres, hands come and go, words are said late
or not at all. What a camera could have seen of it comes out as a log of readings; what truly
happened comes out as events, and what the rules give for it as a settlement worked out from the
text of the rules, without the engine and without the croupier.
"""

from __future__ import annotations

from device.simulator.people.account import HandTruth
from device.simulator.people.happenings import Happening
from device.simulator.people.settings import GAMES, PRESETS, bank_customs, options_of
from device.simulator.people.sitting import (
    Setup,
    Sitting,
    play_sitting,
    setup_by_chance,
    setup_for,
)
from device.simulator.people.temperament import MIXES

__all__ = [
    "GAMES",
    "MIXES",
    "PRESETS",
    "HandTruth",
    "Happening",
    "Setup",
    "Sitting",
    "bank_customs",
    "options_of",
    "play_sitting",
    "setup_by_chance",
    "setup_for",
]
