"""The check of what was taught: the deck and the bones that the config names."""

from __future__ import annotations

from device.config.model import load
from device.diagnostics.check import Check, info, ok, warning


def taught() -> Check:
    """Check that the taught deck and bones that the config names can be used."""
    from device.storage.taught import LOAD, problem_with_set

    game = load().game
    named = {kind: name for kind in LOAD if (name := getattr(game, kind))}
    if not named:
        return info("the config names no taught deck and no taught bones")
    problems = {kind: problem_with_set(kind, name) for kind, name in named.items()}
    if bad := [kind for kind in named if problems[kind]]:
        cures = " and ".join(f"boneace teach {kind} {named[kind]}" for kind in bad)
        return warning(
            "; ".join(problems[kind] for kind in bad),
            f"the table starts and plays without; teach again: {cures}",
        )
    return ok(f"{' and '.join(f'{kind} {name}' for kind, name in named.items())} can be used")
