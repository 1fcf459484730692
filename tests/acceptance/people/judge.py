"""What became of each hand: booked rightly, asked, left open, given up, or booked wrongly."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from device.simulator.people import Happening, Sitting
from tests.acceptance.people.protocol import Played


class Verdict(StrEnum):
    """How a hand ended for the player under test."""

    RIGHT_UNASKED = "right unasked"
    RIGHT_ASKED = "asked, right"
    OPEN = "left open"
    GIVEN_UP = "given up"
    STUCK = "no result"
    WRONG_ASKED = "asked, wrong"
    WRONG_SILENT = "SILENT WRONG"


RIGHT = (Verdict.RIGHT_UNASKED, Verdict.RIGHT_ASKED)

_COMPARED = (
    *("settlement", "next_dealer", "next_banker"),
    *("lost", "void", "eliminated", "lives", "gained"),
)
"""What of a hand's result is money, lives, points, deal or bank."""

_Z95 = 1.96


@dataclass(slots=True)
class Judged:
    """One hand with its verdict; *asked* are the kinds of its questions, *why* what differs."""

    verdict: Verdict
    tally: Counter[Happening]
    asked: Counter[str] = field(default_factory=Counter)
    why: str = ""


@dataclass(slots=True)
class Tables:
    """Everything that was judged, added up.

    Attributes:
        by_kind: how many hands with each happening had each verdict.
        times: how often each happening happened.
        asked: how many questions of each kind there were.
        after_wrong: hands not judged, as one before them in the sitting was not right.
        looks_s, whole_s: the seconds of computing of each look, as in ``Played``.
    """

    verdicts: Counter[Verdict] = field(default_factory=Counter)
    by_kind: dict[Happening, Counter[Verdict]] = field(default_factory=dict)
    times: Counter[Happening] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    after_wrong: int = 0
    looks_s: list[float] = field(default_factory=list)
    whole_s: list[float] = field(default_factory=list)

    def add(self, judged: Judged) -> None:
        """Count one hand."""
        self.verdicts[judged.verdict] += 1
        self.asked.update(judged.asked)
        self.times.update(judged.tally)
        for happening in judged.tally:
            self.by_kind.setdefault(happening, Counter())[judged.verdict] += 1

    def join(self, other: Tables) -> None:
        """Add what was counted elsewhere."""
        self.verdicts.update(other.verdicts)
        self.times.update(other.times)
        self.asked.update(other.asked)
        self.after_wrong += other.after_wrong
        self.looks_s += other.looks_s
        self.whole_s += other.whole_s
        for happening, verdicts in other.by_kind.items():
            self.by_kind.setdefault(happening, Counter()).update(verdicts)

    @property
    def hands(self) -> int:
        """Return how many hands were judged."""
        return self.verdicts.total()


def wilson(hits: int, of: int) -> tuple[float, float]:
    """Return the bounds, 95 %, of a share of which *hits* of *of* were seen (Wilson 1927)."""
    if of == 0:
        return 0.0, 1.0
    share, z2 = hits / of, _Z95 * _Z95
    middle = share + z2 / (2 * of)
    wide = _Z95 * math.sqrt(share * (1 - share) / of + z2 / (4 * of * of))
    return max(0.0, (middle - wide) / (1 + z2 / of)), min(1.0, (middle + wide) / (1 + z2 / of))


def judge(sitting: Sitting, played: Played) -> tuple[list[Judged], int]:
    """Judge the hands of a sitting, up to the first that is not right.

    Returns:
        The hands judged, and how many after them were not.
    """
    judged: list[Judged] = []
    starts = [hand.began_s for hand in sitting.hands]
    for number, hand in enumerate(sitting.hands):
        until = starts[number + 1] if number + 1 < len(starts) else math.inf
        asked = Counter(
            str(e["asked"]["kind"])
            for e in played.out
            if "asked" in e and starts[number] <= e["t"] < until
        )
        found = played.hands[number] if number < len(played.hands) else None
        verdict, why = _verdict(hand.result, found, asked, played.out)
        judged.append(Judged(verdict, hand.tally, asked, why))
        if verdict not in RIGHT:
            return judged, len(starts) - number - 1
    return judged, 0


def _verdict(
    truth: Mapping[str, Any],
    found: Mapping[str, Any] | None,
    asked: Counter[str],
    out: Sequence[Mapping[str, Any]],
) -> tuple[Verdict, str]:
    if found is None:
        is_open = any("end" in line and line["end"].get("open") is not None for line in out)
        return (Verdict.OPEN, "") if is_open else (Verdict.STUCK, "")
    if found.get("end") == "misdeal":
        return Verdict.GIVEN_UP, ""
    why = ", ".join(differing(truth, found))
    if why:
        return (Verdict.WRONG_ASKED if asked else Verdict.WRONG_SILENT), why
    return (Verdict.RIGHT_ASKED if asked else Verdict.RIGHT_UNASKED), ""


def differing(truth: Mapping[str, Any], found: Mapping[str, Any]) -> list[str]:
    """Return in words what a booked hand has otherwise than the truth."""
    wrong = []
    for key in _COMPARED:
        if key not in truth or (key == "lost" and truth.get("void")):
            continue
        want, got = _plain(truth[key]), _plain(found.get(key))
        if want != got:
            wrong.append(f"{key} {got}, not {want}")
    return wrong


def _plain(value: Any) -> Any:
    """Return a value in which nothing and nought are the same; lives keep their noughts."""
    if isinstance(value, Mapping):
        return {str(seat): number for seat, number in value.items() if number}
    if isinstance(value, (list, tuple)):
        return sorted(value)
    return False if value is None else value


def table(counted: Tables) -> list[str]:
    """Return the lines of the table: every happening, how often, and how it ended."""
    heads = ["what people did", "times", "hands", *Verdict, "wrong at most"]
    rows = [heads]
    for happening in Happening:
        verdicts = counted.by_kind.get(happening)
        if verdicts is not None:
            rows.append(_row(happening, counted.times[happening], verdicts))
    rows.append(_row("all hands", counted.hands, counted.verdicts))
    wide = [max(len(row[n]) for row in rows) for n in range(len(heads))]
    lines = [
        "  ".join(
            cell.ljust(wide[n]) if n == 0 else cell.rjust(wide[n]) for n, cell in enumerate(row)
        )
        for row in rows
    ]
    each = counted.asked.total() / max(counted.hands, 1)
    kinds = ", ".join(f"{kind} {times}" for kind, times in counted.asked.most_common())
    return [
        *lines,
        f"questions a hand: {each:.3f} ({kinds or 'none'}); not judged after a hand that was not "
        f"right: {counted.after_wrong}",
        *_times("until each", sorted(counted.looks_s)),
        *_times("with all that follows, for each", sorted(counted.whole_s)),
    ]


def _times(until: str, looks_s: Sequence[float]) -> list[str]:
    """Return how long looks took to explain; the figures belong to the machine they were run on."""
    if not looks_s:
        return []
    shares = {"median": 0.5, "99 %": 0.99, "worst": 1.0}
    places = {name: math.ceil(share * len(looks_s)) - 1 for name, share in shares.items()}
    told = ", ".join(f"{name} {1000 * looks_s[place]:.1f}" for name, place in places.items())
    return [f"ms of computing, on this machine, {until} of {len(looks_s)} looks: {told}"]


def _row(name: str, times: int, verdicts: Counter[Verdict]) -> list[str]:
    hands = verdicts.total()
    wrong = verdicts[Verdict.WRONG_SILENT] + verdicts[Verdict.WRONG_ASKED]
    most = wilson(wrong, hands)[1]
    counts = [str(verdicts[verdict]) for verdict in Verdict]
    return [str(name), str(times), str(hands), *counts, f"{most:.2%}"]
