"""Put a fault into the croupier in twenty places, and see whether the people of software notice.

python -m tests.acceptance.people.check_mutants [--hands 40] [--seed 5] [--only TEXT]. Each fault is
put into a copy of the tree; then hands of mixed people of its game, in which somebody does what the
changed part is there for, are played in both until one ends worse than without it: booked wrongly,
left open, without a result, asked about though it was right unasked, or the table crashed. Of
knucklebones, whose hands are short, ten times as many are played.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path

from device.simulator.people import Happening
from tests.acceptance.mutants.mutants import Copy
from tests.acceptance.people.judge import wilson

BONES, SEATS, SCAT = "knucklebones", "one-and-thirty", "scat"

FAULTS: tuple[tuple[str, str, str, str, Happening | None], ...] = (
    (BONES, "bones/moves.py", "if each.bones != len(bones):", "if each.bones < len(bones):", None),
    (
        *(BONES, "bones/moves.py"),
        "yield Move((Choose(seat, number),), at.mat, more, said)",
        "pass",
        None,
    ),
    (BONES, "bones/moves.py", "event = Declare(seat, Claim.OUT)", "return", None),
    (
        *(BONES, "bones/moves.py"),
        "yield Move((), mat, tuple(words), about=about)",
        "pass",
        Happening.BUMPED,
    ),
    (BONES, "bones/mat.py", "PUSHED_MM = 40.0", "PUSHED_MM = 400.0", Happening.NO_EMPTY_MAT),
    (
        *(SEATS, "seats/turns.py"),
        "        event = Have(seat)\n",
        "        event = Stick(seat)\n",
        None,
    ),
    (
        *(SEATS, "seats/turns.py"),
        "yield Move((_last_word(at, look, turn),), at.mat, silent_stick,",
        "Move((), at.mat,",
        Happening.STICK_UNSAID,
    ),
    (SEATS, "seats/showing.py", "total > game.target:", "total < game.target:", None),
    (
        *(SEATS, "seats/throwing_in.py"),
        "ways.append((cards, (*assumed, *(Assumption.STRAY,) * (2 * theirs + at_ease))))",
        "pass",
        Happening.THROWN_IN,
    ),
    (
        *(SEATS, "seats/dealing.py"),
        "after = at.mat.dealt(seat, card.number)",
        "after = at.mat",
        None,
    ),
    (
        *(SEATS, "seats/orders.py"),
        "points == target else",
        "points != target else",
        Happening.UNCLAIMED_31,
    ),
    (
        *(SCAT, "scat/turns.py"),
        "turn, lower, Source.DISCARD,",
        "turn, lower, Source.STOCK,",
        Happening.ONE_MOTION,
    ),
    (
        *(SCAT, "scat/knocking.py"),
        "assumed, leaves_trace=False)\n\n\ndef _is_puz",
        ")\n\n\ndef _is_puz",
        Happening.KNOCK_UNSAID,
    ),
    (
        SCAT,
        "scat/knocking.py",
        "yield Move((Knock(seat),), replace(",
        "yield Move((), replace(",
        None,
    ),
    (
        *(SCAT, "scat/showing.py"),
        "yield Move((show,), at.mat, about=about)",
        "pass",
        Happening.SHOWN_EARLY,
    ),
    (
        *(SCAT, "scat/retelling.py"),
        "word = Assumption.SQUARED\n        spots",
        "return\n        spots",
        Happening.PILE_SQUARED,
    ),
    (SCAT, "scat/pile.py", "MOVED_MM = 2.5", "MOVED_MM = 0.1", None),
    (
        *(SCAT, "doubts.py"),
        "frozenset({Assumption.SILENT_KNOCK, Assumption.IDLE_HAND})",
        "frozenset[Assumption]()",
        Happening.KNOCK_UNSAID,
    ),
    (SCAT, "search.py", "return RANK[Assumption.OTHER_HAND]", "return 0", Happening.NO_REST),
    (SCAT, "looks.py", "SAME_PLACE_MM = 20.0", "SAME_PLACE_MM = 0.2", None),
)
"""The game whose people are to notice it, the file of the croupier, what stands there, what takes
its place, and what people must do for it to matter: nothing unusual where it is ``None``."""

CROUPIER = "device/croupier/"
PLAYED = """
import itertools, random, sys
from device.simulator.people import PRESETS, play_sitting, setup_by_chance
from tests.acceptance.people.judge import judge
from tests.support.readings_player import play
game, seed, hands, needed = sys.argv[1:]
preset, left = next(iter(PRESETS[game])), int(hands)
for hand in itertools.count():
    if left <= 0:
        break
    rng = random.Random(f"{game}-{preset}-mixed-{seed}-{hand}")
    sitting = play_sitting(setup_by_chance(game, preset, rng), "mixed", rng)
    if needed and needed not in sitting.hands[0].tally:
        continue
    left -= 1
    (found,), _ = judge(sitting, play(sitting.lines, sitting.answers, sitting.setup))
    print("verdict", found.verdict, flush=True)
"""


def verdicts(
    copy: Copy, game: str, seed: str, hands: int, needed: Happening | None
) -> Generator[str, None, None]:
    """Yield how each hand ends in the copy of the tree, and "crashed" if the table does."""
    command = [sys.executable, "-c", PLAYED, game, seed, str(hands), needed or ""]
    with subprocess.Popen(
        command,
        cwd=copy.root, env=copy.environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        try:
            for line in process.stdout:
                if line.startswith("verdict "):
                    yield line.removeprefix("verdict ").strip()
        finally:
            process.kill()
        if process.wait() > 0:
            yield "crashed"


def is_worse(now: str, was: str) -> bool:
    """Return whether a hand ended worse than before: not right, or asked about without need."""
    order = ["right unasked", "asked, right"]
    places = [order.index(each) if each in order else len(order) for each in (was, now)]
    return now == "crashed" or places[0] < places[1]


def main(argv: list[str] | None = None) -> int:
    """Say of each fault which hand noticed it; return 1 if none did."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hands", type=int, default=40, help="so many at most for each fault")
    parser.add_argument("--seed", default="5")
    parser.add_argument("--only", default="", help="faults of which something has this text")
    args = parser.parse_args(argv)
    faults = [fault for fault in FAULTS if args.only in " ".join(map(str, fault))]
    caught = 0
    with tempfile.TemporaryDirectory() as folder:
        good, bad = Copy(Path(folder) / "good"), Copy(Path(folder) / "bad")
        for game, name, old, new, needed in faults:
            hands = args.hands * (10 if game == BONES else 1)
            path = CROUPIER + name
            text = (bad.root / path).read_text()
            assert text.count(old) == 1, f"{path} has not just once: {old}"
            bad.write(path, text.replace(old, new))
            found = None
            now, was = (verdicts(copy, game, args.seed, hands, needed) for copy in (bad, good))
            for hand, ended in enumerate(now):
                if is_worse(ended, next(was, "")):
                    found = f"hand {hand}: {ended}"
                    break
            now.close()
            was.close()
            bad.write(path, text)
            caught += found is not None
            print(f"{found or 'NOT NOTICED'}: {game}, {name}: {old!r} -> {new!r}", flush=True)
    least, most = wilson(caught, len(faults))
    print(f"noticed: {caught} of {len(faults)} ({least:.0%} to {most:.0%})")
    return 0 if caught == len(faults) else 1


if __name__ == "__main__":
    sys.exit(main())
