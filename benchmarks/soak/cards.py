"""``make soak``: thousands of drawn tables read with taught decks; silent misreadings are counted.

python benchmarks/soak/cards.py [--cards 52000] [--seed 1] [--jobs 1] [--packaged WORK]

The anchor is the manual of a machine that deals duplicate bridge: at most one misreading in 5,200
cards. Every deck is taught first, by one look a card. Deck, mat, seats, camera height and tilt
change from table to table; the cards and the light change from picture to picture, so that no two
cards are counted from the same picture. What was read is kept in ``out/soak-cards.jsonl``, a line
a table: stopped and started again the soak goes on where it was. Exits 1 above the anchor.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from benchmarks.dealing import Style, Tally, deal, packaged, reliability, teach
from device.simulator.deck.faces import DECK_STYLES
from tests.support.lights import some_light
from vision import TableReader
from vision.mat.pose import MatLayout

SIZE = (2304, 1296)
MATS = ((8, "A1"), (8, "A1"), (6, "A1"), (4, "A1"), (5, "A1"), (8, "A0"), (4, "A2"))
HEIGHTS = (1.0, 0.9, 0.84)
"""How large the camera sees the table: it hangs higher for the smaller ones."""

ON_TABLE, DEALS, LIGHTS = 24, 6, 2
DOWN = 6
"""Every sixth card lies face down."""

MOST = 1 / 5200
"""Silent misreadings a card at most."""


def main() -> int:
    """Soak, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cards", type=int, default=52_000, help="cards face up to read")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--packaged", type=Path, metavar="WORK", help="training's work folder")
    parser.add_argument("--out", type=Path, default=Path("out/soak-cards.jsonl"))
    parser.add_argument("--again", action="store_true", help="forget what was read before")
    args = parser.parse_args()
    if args.again:
        args.out.unlink(missing_ok=True)
    done = kept(args.out, args.seed)
    began, before = time.monotonic(), cards(done)
    number = 0
    with ProcessPoolExecutor(args.jobs) as pool:
        while cards(done) < args.cards:
            batch = []
            while len(batch) < 4 * args.jobs:
                if number not in done:
                    batch.append(pool.submit(read_table, args.seed, number, args.packaged))
                number += 1
            for future in as_completed(batch):
                line = future.result()
                done[line["table"]] = line
                with args.out.open("a", encoding="utf-8") as handle:
                    handle.write(json.dumps({"seed": args.seed, **line}) + "\n")
                for wrong in line["wrong"]:
                    print(f"table {line['table']} ({line['deck']}): {wrong}", flush=True)
            so_far, wrong = cards(done), sum(line["counts"]["wrong"] for line in done.values())
            pace = (time.monotonic() - began) / max(so_far - before, 1)
            left = pace * max(args.cards - so_far, 0) / 60
            print(
                f"{so_far} of {args.cards} cards, {wrong} misread; {left:.0f} min left", flush=True
            )
    return report(done)


def kept(path: Path, seed: int) -> dict[int, dict]:
    """Return the tables that were read before with this seed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        return {}
    lines = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line)
    return {line["table"]: line for line in lines if line["seed"] == seed}


def cards(done: dict[int, dict]) -> int:
    """Return how many cards lay face up on tables that were read."""
    return sum(line["counts"]["up"] for line in done.values())


def read_table(seed: int, number: int, work: Path | None) -> dict:
    """Deal, light and read one table several times; what came of it, for JSON."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng([seed, number])
    decks = styles(work)
    style = decks[number % len(decks)]
    seats, paper = MATS[int(rng.integers(len(MATS)))]
    tilt, scale = float(rng.uniform(0, 18)), HEIGHTS[int(rng.integers(len(HEIGHTS)))]
    if paper == "A0":
        scale = 1.0  # nobody hangs a camera higher over the largest mat
    table = style.table(
        MatLayout(seats, paper), seed=1000 * seed + number, size=SIZE, tilt_deg=tilt
    )
    room = sum(table.room(seat) for seat in range(seats))
    tally = Tally()
    wrong: list[str] = []
    lamps: Counter[str] = Counter()
    for turn in range(DEALS):
        deal(table, min(ON_TABLE, room), seed=int(rng.integers(2**31)), down=DOWN)
        for _ in range(LIGHTS):
            frame = table.frame()
            if scale < 1:
                frame = cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            image, lights = some_light(np.asarray(frame, np.uint8), rng)
            lamps.update(lights)
            for _ in range(tally.take(table, reader(style.name, work).read(image), scale)):
                wrong.append(f"{tally.wrong[-1]} (deal {turn}; {', '.join(lights) or 'plain'})")
    return {
        "table": number,
        "deck": style.name,
        "mat": f"{seats} {paper}",
        "scale": scale,
        "counts": dict(tally.counts),
        "lights": dict(lamps),
        "wrong": wrong,
        "sayings": [[round(sure, 4), int(right)] for sure, right in tally.sayings],
    }


@lru_cache(maxsize=1)
def styles(work: Path | None) -> tuple[Style, ...]:
    """Return the drawn decks, and those of packages that were left out of training."""
    drawn = tuple(Style(name) for name in DECK_STYLES)
    if work is None:
        return drawn
    return drawn + tuple(Style(name, art) for name, art in packaged(work).items())


@lru_cache(maxsize=8)
def reader(name: str, work: Path | None) -> TableReader:
    """Return a reader that was taught the deck."""
    style = next(each for each in styles(work) if each.name == name)
    return TableReader(deck=teach(style, looks=1))


def report(done: dict[int, dict]) -> int:
    """Print the tables of results; 1 where more was misread than the anchor allows."""
    total: Counter[str] = Counter()
    print("\n| deck (taught) | pictures | face up | read | unsure | missed | as a back | wrong |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for name in dict.fromkeys(line["deck"] for line in done.values()):
        n: Counter[str] = Counter()
        for line in done.values():
            if line["deck"] == name:
                n.update(line["counts"])
        total.update(n)
        print(_row(name, n))
    print(_row("all", total))
    print(f"\nbacks counted: {total['backs']} of {total['down']}\n")
    print(
        reliability(
            [(sure, bool(right)) for line in done.values() for sure, right in line["sayings"]]
        )
    )
    for line in done.values():
        for wrong in line["wrong"]:
            print(f"table {line['table']} ({line['deck']}, {line['mat']}): {wrong}")
    return int(total["wrong"] > MOST * total["up"])


def _row(name: str, n: Counter[str]) -> str:
    return (
        f"| {name} | {n['tables']} | {n['up']} | {n['read'] / max(n['up'], 1):.4f} | {n['unsure']} "
        f"| {n['missed']} | {n['turned']} | {n['wrong']} |"
    )


if __name__ == "__main__":
    sys.exit(main())
