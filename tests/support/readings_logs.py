"""Logs of readings made by hand, for tests."""

import json

PLAYERS = ("--players", "Ann,Bess", "--game", "bone-ace", "--dealer", "1")
"""The table of :func:`bone_ace`."""

PLACES = ((100.0, 400.0), (700.0, 400.0))


def bone_ace(third=("??", "9D", "9H"), look="which card is it?"):
    """Return the lines of a deal of Bone-Ace for two whose first open card is not read."""
    lines, lies, at = [{"t": 0.0, "lies": []}], [], 0.0
    cards = [(0, "back"), (1, "back"), (0, "back"), (1, "back"), (0, third[0]), (1, "KC")]
    for number, (seat, card) in enumerate(cards):
        x, y = PLACES[seat]
        at += 1.0
        lines.append({"t": at, "hand": 1})
        thing = {"card": card, "at": f"seat {seat}", "x": x + 70 * (number // 2), "y": y}
        if card == "??":
            thing["maybe"] = list(third[1:])
        lies.append(thing)
        at += 0.5
        lines.append({"t": at, "lies": list(lies)})
        if number == 4:
            at += 1.0
            lines.append({"t": at, "look": look})
    return [json.dumps(line) for line in lines]


def written(path, lines):
    """Write a log to *path*, and return that."""
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
