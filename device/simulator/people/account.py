"""What truly happened in a hand, and the answers that people give who know it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from device.simulator.people.happenings import Happening


@dataclass(slots=True)
class HandTruth:
    """One hand, as it truly was.

    Attributes:
        events: what happened, as dicts in the form of a game record.
        result: what the rules give for it, in the form of a record's ``results``: ``settlement``,
            ``lost``, ``gained``, ``next_dealer`` and so on, as far as the game has them.
        tally: what people did, by kind.
        began_s: when the hand began in the log.
        answers: the truth in the form of an ANSWERS file.
    """

    events: list[dict[str, Any]] = field(default_factory=list)
    result: dict[str, Any] = field(default_factory=dict)
    tally: Counter[Happening] = field(default_factory=Counter)
    began_s: float = 0.0
    answers: dict[str, Any] = field(default_factory=dict)

    def add(self, key: str, value: object) -> None:
        """Add to a list of the answers, once."""
        known = self.answers.setdefault(key, [])
        if value not in known:
            known.append(value)

    def append(self, key: str, value: object) -> None:
        """Append to a list of the answers, as often as it happens."""
        self.answers.setdefault(key, []).append(value)


def joined_answers(hands: list[HandTruth]) -> dict[str, Any]:
    """Return one ANSWERS object for a sitting; ``hands`` in it holds those of each hand.

    What is a list stands in it one hand after the other; with one hand it is that hand's truth.
    """
    whole: dict[str, Any] = {}
    for hand in hands:
        for key, value in hand.answers.items():
            if isinstance(value, list):
                known = whole.setdefault(key, [])
                known.extend(each for each in value if key in _REPEATED or each not in known)
            else:
                whole[key] = value
    whole["hands"] = [hand.answers for hand in hands]
    return whole


_REPEATED = frozenset({"turns", "throws", "card", "face", "number"})
