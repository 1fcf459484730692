"""Presses of people who enter cards and throws by five buttons, for tests."""

import json

RANKS, SUITS, FACES = "A23456789TJQK", "SHDC", (1, 3, 4, 6)


def presses(*words):
    """Return the buttons of each word, with the seat after a colon where one is meant.

    A card is its code, a throw is its points after ``b``, an answer is its number after ``#``;
    any other word is a button.
    """
    found = []
    for word in words:
        if len(word) == 2 and word[0] in RANKS and word[1] in SUITS:
            rank, suit = RANKS.index(word[0]), SUITS.index(word[1])
            found += ["next"] * (rank // 4) + ["stick"] * (rank % 4) + ["have"]
            found += ["next"] * (suit // 2) + ["stick"] * (suit % 2) + ["have"]
        elif word[0] == "b":
            for points in word[1:]:
                found += ["stick"] * FACES.index(int(points)) + ["have"]
        elif word[0] == "#":
            found += ["stick"] * int(word[1:]) + ["have"]
        else:
            found.append(word)
    return found


def _entry(press):
    button, _, seat = press.partition(":")
    return {"button": button, **({"seat": int(seat)} if seat else {})}


def script(path, *words):
    """Write the presses of *words* as a script, one press a frame, and return *path*."""
    entries = ({"frame": n, **_entry(press)} for n, press in enumerate(presses(*words)))
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
    return path


def log_lines(start_s, *words):
    """Return the presses of *words* as lines of a readings log, a tenth of a second apart."""
    lines = []
    for number, press in enumerate(presses(*words)):
        entry = _entry(press)
        line = {"t": round(start_s + number / 10, 3), "press": entry.pop("button"), **entry}
        lines.append(json.dumps(line))
    return lines
