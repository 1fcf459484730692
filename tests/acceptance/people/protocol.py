"""How a player under test is called: readings in, what was booked and asked out."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from device.simulator.people import Setup, Sitting
from engine.records.referee import replay


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a log.

    Attributes:
        hands: the finished hands in order, as in ``results.hands`` of a record.
        out: the lines that ``--told`` writes, each an object with ``t``.
        events: the events of the record, in order.
        looks_s: for each look the seconds of computing until it was taken in.
        whole_s: the same with all that was computed until the next look.
    """

    hands: tuple[Mapping[str, Any], ...]
    out: tuple[Mapping[str, Any], ...] = ()
    events: tuple[Mapping[str, Any], ...] = ()
    looks_s: tuple[float, ...] = field(default=(), compare=False)
    whole_s: tuple[float, ...] = field(default=(), compare=False)


Player = Callable[[Sequence[str], Mapping[str, Any], Setup], Played]
"""``play(lines, answers, setup)``: lines of a log, an ANSWERS object, and the table."""


def case_of(setup: Setup, events: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return events as a case that the referee can replay."""
    return {
        "id": "people",
        "game": setup.game,
        "preset": setup.preset,
        "options": dict(setup.changes),
        "players": [
            {"seat": seat, "name": name, "age": setup.ages[seat]}
            for seat, name in enumerate(setup.players)
        ],
        "dealer": setup.dealer,
        "events": [{k: v for k, v in event.items() if k != "t"} for event in events],
    }


def truth_told(sitting: Sitting) -> Played:
    """Return what the engine makes of the true events: a player who sees everything."""
    events = tuple(event for hand in sitting.hands for event in hand.events)
    found = replay(case_of(sitting.setup, events))
    refused = [
        {"t": 0.0, "said": f"{entry['code']} at {entry['at']}"} for entry in found["rejected"]
    ]
    return Played(tuple(found["hands"]), tuple(refused), events)


def player_named(name: str) -> Player:
    """Return the player ``module:function``.

    Raises:
        SystemExit: there is none.
    """
    module, _, function = name.partition(":")
    try:
        return getattr(import_module(module), function)
    except (ImportError, AttributeError) as problem:
        raise SystemExit(f"--player {name}: {problem}; write MODULE:FUNCTION") from problem


def write_down(sitting: Sitting, folder: Path, name: str) -> None:
    """Write a sitting as files: readings, answers, the table and the truth."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.jsonl").write_text("\n".join(sitting.lines) + "\n")
    answers = json.dumps(sitting.answers, indent=1)
    (folder / f"{name}.answers.json").write_text(answers + "\n")
    truth = {
        "setup": asdict(sitting.setup),
        "mix": sitting.mix,
        "hands": [
            {"began_s": h.began_s, "result": h.result, "tally": h.tally, "events": h.events}
            for h in sitting.hands
        ],
    }
    (folder / f"{name}.truth.json").write_text(json.dumps(truth, indent=1) + "\n")
