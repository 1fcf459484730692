"""People of software at One-and-Thirty and Bone-Ace, and whether the truth stays explainable."""

import random

from device.croupier.history import History
from device.croupier.lines import read_line
from device.croupier.looks import Looks, Said
from device.croupier.search import Budget, explain
from device.croupier.seats.moves import SeatMoves
from device.ports import Button
from device.runtime.readings import settled
from device.simulator.people import play_sitting, setup_by_chance
from engine import Player, new_table

WORDS = (Button.HAVE, Button.STICK, Button.OUT)


def sitting_of(game, preset, mix, seed):
    """Return one hand of people of a mix."""
    rng = random.Random(f"{game}-{preset}-{mix}-{seed}")
    return play_sitting(setup_by_chance(game, preset, rng), mix, rng, 1)


def first_state(setup):
    """Return the table of a sitting before its first card."""
    players = [
        Player(n, name, age)
        for n, (name, age) in enumerate(zip(setup.players, setup.ages, strict=True))
    ]
    return new_table(setup.game, players, dealer=setup.dealer, preset=setup.preset)


def truth_of(sitting):
    """Return what happened after the deal, words that were taken back left out."""
    found = []
    dealt = 3 * len(sitting.setup.players)
    for event in sitting.hands[0].events:
        if event["e"] == "undo":
            found.pop()
        else:
            found.append((event["e"], event["seat"]))
    return found[dealt:]


def agrees(events, truth, dealt):
    """Return whether *events* are a beginning of the truth; when hands were shown is left out."""
    mine = [(e.kind, e.seat) for e in events if hasattr(e, "seat")]
    said = [each for each in mine[dealt:] if each[0] in ("have", "deal", "stick")]
    true = [each for each in truth if each[0] in ("have", "deal", "stick")]
    out = {seat for kind, seat in mine if kind == "declare"}
    shown = {seat for kind, seat in truth if kind in ("declare", "reveal")}
    return said == true[: len(said)] and out <= shown


def follow_truth(sitting, most=14):
    """Explain the looks of a sitting by what is true; return the cost of each look.

    The last is ``None`` where nothing true explains it: then the generator is short of a move.
    """
    moves, looks = SeatMoves(), Looks()
    state = first_state(sitting.setup)
    truth, dealt = truth_of(sitting), 3 * len(sitting.setup.players)
    kept = [History(state, moves.start(state, looks.last), hands=())]
    costs = []
    for line in settled(read_line(text, sitting.setup.mat_seats) for text in sitting.lines):
        if line.reading is not None and line.reading.seats is not None:
            look = looks.see(line.reading, hands=line.reading.hands, over=line.reading.over)
        elif line.press is not None and line.press.button in WORDS:
            look = looks.hear(Said(line.press))
        else:
            continue
        grown = [
            way
            for each in kept
            for way in explain(moves, each, look, most, Budget(2000))
            if agrees(way.events, truth, dealt)
        ]
        if not grown:
            return [*costs, None]
        best = {}
        for each in sorted(grown, key=lambda each: each.cost):
            best.setdefault((moves.key(each, frozenset()), each.said), each)
        kept = list(best.values())[:40]
        costs.append(kept[0].cost)
    return costs
