"""Hands of people of software through the real eyes: drawn, read from the pictures, and judged.

python -m tests.acceptance.people.eyes [--game scat] [--preset P] [--mix mixed] [--hands 100]
    [--seed 1] [--only "discard taken..."] [--logs DIR] [--pictures DIR] [--save DIR] [--minutes M]

Each hand is drawn as a camera above the mat would see it (``device/simulator/people/drawn.py``),
read by the networks, and played by the croupier. Who answers a question knows what truly lies
where; the oracle judges what was booked. --logs keeps what the eyes read as a log for ``boneace
play --readings``, and takes it from there where it is known: a croupier that was changed needs no
new pictures. Of Thirty-one it is told where the journal has the card from in each turn in which the
discard was taken and another card laid in one motion. --pictures keeps a picture of each card that
shows and was not read, or misread. --only plays the sittings in which something happens. Prints a
table for each game and kind of people; exits 1 where a hand was booked wrongly without a question.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import time
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

import cv2

from device.croupier.lines import reading_lines
from device.runtime.annotate import annotate
from device.simulator.film_demo import Witness
from device.simulator.people import (
    GAMES,
    PRESETS,
    Happening,
    play_sitting,
    setup_by_chance,
)
from device.simulator.people.drawn import Filming, film_table
from tests.acceptance.people.judge import RIGHT, Tables, Verdict, judge, table, wilson
from tests.acceptance.people.protocol import write_down
from tests.support.readings_player import play
from vision import BoneReader, MotionGate, TableReader
from vision.bones.on_table import BonesOnMat
from vision.readings import Reading

NEAR_MM = 14.0
"""A card read farther than this from where one lies is another one."""

ABOUT_TURNS = ("source", "whose", "history", "turns")
"""Questions about what was done at the pile."""

KEPT = 60
"""Pictures that are kept at most of a cause."""


class Reads:
    """How each card that shows was read, and pictures of those that were not."""

    def __init__(self, folder=None):
        self.counts = Counter()
        self.folder = folder

    def take(self, name, number, image, reading, listed):
        """Compare a reading with the cards and bones that a log lists there."""
        seen = [
            *((str(each.card), each.place.centre_mm) for each in reading.cards),
            *(("back", each.place.centre_mm) for each in reading.backs),
            *(("??", each.place.centre_mm) for each in reading.unsure),
            *((each.value, each.spot.centre_mm) for each in reading.bones),
            *((None, each.spot.centre_mm) for each in reading.unsure_bones),
        ]
        for thing in listed:
            what = thing["card"] if "card" in thing else thing["bone"]
            if what in ("??", None):
                continue
            here = (thing["x"], thing["y"])
            near = [(math.dist(at, here), read) for read, at in seen if at is not None]
            far, read = min(near, key=lambda each: each[0], default=(math.inf, "nothing"))
            if far > NEAR_MM:
                read = "nothing"
            cause = _cause(what, read)
            kind = "card" if "card" in thing else "bone"
            self.counts[f"{kind} {cause}"] += 1
            if cause != "read" and self.folder is not None:
                self._keep(f"{kind} {cause}", f"{name}-{number}-{what}", image, reading, here)

    def _keep(self, cause, name, image, reading, here):
        folder = self.folder / cause.replace(" ", "-")
        if self.counts[cause] > KEPT:
            return
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{name}-at-{here[0]:.0f}-{here[1]:.0f}.jpg"
        cv2.imwrite(str(path), annotate(image, reading))


def _cause(what, read):
    if read == what:
        return "read"
    if read == "nothing":
        return "not found"
    if read in ("??", None):
        return "unsure"
    if what == "back" or read == "back":
        return "side misread"
    return "misread"


class Recording:
    """Eyes that keep the last picture they read."""

    def __init__(self, eyes):
        self._eyes = eyes
        self.image = None

    def see(self, image, time_s):
        reading = self._eyes.see(image, time_s)
        if reading is not None:
            self.image = image
        return reading

    @property
    def idle_s(self):
        return self._eyes.idle_s

    @property
    def hands_move(self):
        return self._eyes.hands_move


def eyes_for(game):
    """Return the eyes of a table, as ``boneace play`` has them."""
    reader = BonesOnMat(BoneReader()) if game == "knucklebones" else TableReader()
    return Recording(MotionGate(reader))


def seen(name, sitting, reads, seed):
    """Return the log of what the eyes read of a sitting, line by line."""
    style = ("modern", "four-colour")[seed % 2]
    drawn = film_table(sitting.setup, seed=seed, style=style)
    eyes = eyes_for(sitting.setup.game)
    filming = Filming(sitting, drawn, eyes)
    lies = [(each["t"], each["lies"]) for each in map(json.loads, sitting.lines) if "lies" in each]
    lines = []
    for number, moment in enumerate(filming.moments()):
        if moment.reading is None:
            moving = {"moving": True} if "press" in moment.line and eyes.hands_move else {}
            lines.append(json.dumps({**moment.line, **moving}))
            continue
        lines += reading_lines(moment.reading)
        listed = next((what for t, what in reversed(lies) if t <= moment.time_s), [])
        if isinstance(moment.reading, Reading) and moment.reading.seats is not None:
            reads.take(name, number, eyes.image, moment.reading, listed)
    return lines


def sittings(game, preset, mix, seed):
    """Yield sittings of one hand without end, each with its name."""
    number = 0
    while True:
        name = f"{game}-{preset}-{mix}-eyes-{seed}-{number}"
        rng = random.Random(name)
        setup = setup_by_chance(game, preset, rng)
        yield name, number, play_sitting(setup, mix, rng, 1)
        number += 1


def without_undone(events):
    """Return what stayed of *events*: each undo takes back the last one before it."""
    stayed = []
    for event in events:
        if event["e"] == "undo":
            stayed.pop()
        else:
            stayed.append(event)
    return stayed


def motions(sitting, lines, played):
    """Return how each turn was booked in which the discard was taken and another laid at once.

    The first hand counts. What lay on top was known where the eyes had read it at the rest before.
    """
    looks = [each for each in map(json.loads, lines) if "lies" in each]
    events = sitting.hands[0].events
    stayed = without_undone(events)
    asked = any("asked" in line and line["asked"]["kind"] in ABOUT_TURNS for line in played.out)
    of_seat = defaultdict(list)
    for drawn, laid in pairwise(without_undone(played.events)):
        if drawn["e"] == "draw" and laid["e"] == "discard":
            of_seat[laid["seat"]].append((drawn, laid["card"]))
    found = Counter()
    for drawn, laid in pairwise(events):
        if drawn["e"] != "draw" or drawn["from"] != "discard" or laid["e"] != "discard":
            continue
        if any(drawn["t"] <= look["t"] < laid["t"] for look in looks):
            continue  # it was seen to be gone
        before = next((look for look in reversed(looks) if look["t"] < drawn["t"]), {"lies": []})
        known = any(
            thing.get("card") == drawn["card"] and thing.get("at") == "discard"
            for thing in before["lies"]
        )
        source = next(
            (turn["from"] for turn, card in of_seat[laid["seat"]] if card == laid["card"]), None
        )
        if source is None:  # it was not read, and lies there as a card that nobody knows
            own = [e for e in stayed if e["e"] == "discard" and e["seat"] == laid["seat"]]
            turns = zip(own, of_seat[laid["seat"]], strict=False)
            unread = (turn["from"] for e, (turn, card) in turns if e is laid and card == "??")
            source = next(unread, "nothing that is known")
        top = "top known" if known else "top unknown"
        found[f"{top}, booked from {source}, {'asked' if asked else 'unasked'}"] += 1
    return found


def log_of(name, sitting, number, reads, folder):
    """Return the log that the eyes make of a sitting, or made before."""
    path = None if folder is None else folder / f"{name}.jsonl"
    if path is not None and path.exists():
        return path.read_text().splitlines()
    lines = seen(name, sitting, reads, number)
    if path is not None:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n")
    return lines


def run(game, mix, args, until_s):
    """Play hands of one game by one kind of people; return what became of them."""
    counted, reads, turns = Tables(), Reads(args.pictures), Counter()
    preset = args.preset or next(iter(PRESETS[game]))
    for name, number, sitting in sittings(game, preset, mix, args.seed):
        if counted.hands >= args.hands or time.monotonic() > until_s:
            break
        if args.only and not any(args.only in str(each) for each in sitting.hands[0].tally):
            continue
        lines = log_of(name, sitting, number, reads, args.logs)
        played = play(lines, sitting.answers, sitting.setup, Witness(sitting))
        (judged, *_), _ = judge(sitting, played)
        counted.add(judged)
        if game == "scat":
            turns += motions(sitting, lines, played)
        if judged.verdict not in RIGHT:
            print(f"  {name}: {judged.verdict} {judged.why}", flush=True)
            if args.save is not None:
                write_down(sitting, args.save, name)
                (args.save / f"{name}.eyes.jsonl").write_text("\n".join(lines) + "\n")
    return counted, reads, turns


def main(argv=None):
    """Run, print the tables, and return 1 if a hand was booked wrongly without a question."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="all", choices=(*GAMES, "all"))
    parser.add_argument("--preset", default="")
    parser.add_argument("--mix", default="all", choices=("careful", "mixed", "wild", "all"))
    parser.add_argument("--hands", type=int, default=100, help="of each game and mix")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="hands in which this happens")
    parser.add_argument("--minutes", type=float, default=math.inf, help="of each game and mix")
    parser.add_argument("--logs", type=Path, metavar="DIR")
    parser.add_argument("--pictures", type=Path, metavar="DIR")
    parser.add_argument("--save", type=Path, metavar="DIR", help="keep what was not right")
    args = parser.parse_args(argv)
    if args.only and not any(args.only in str(each) for each in Happening):
        parser.error("nobody does that; see device/simulator/people/happenings.py")
    wrong = 0
    for game in GAMES if args.game == "all" else (args.game,):
        for mix in ("careful", "mixed") if args.mix == "all" else (args.mix,):
            began_s = time.monotonic()
            counted, reads, turns = run(game, mix, args, began_s + 60 * args.minutes)
            right = sum(counted.verdicts[each] for each in RIGHT)
            low, high = wilson(right, counted.hands)
            print(f"\n{game}, {mix} people, through the real eyes")
            print("\n".join(table(counted)))
            print(f"right: {right} of {counted.hands} ({low:.1%} to {high:.1%})")
            print("cards and bones that show:", dict(reads.counts))
            if turns:
                print("discard taken and another laid in one motion:", dict(turns))
            print(f"{time.monotonic() - began_s:.0f} s", flush=True)
            wrong += counted.verdicts[Verdict.WRONG_SILENT]
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
