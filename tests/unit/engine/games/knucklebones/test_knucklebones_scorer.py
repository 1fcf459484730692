"""Knucklebones counted a second time: every throw there is, and evenings of rounds on paper.

The scorer below reads the rule book again from the start: no states, no stages, no corrections.
It shares nothing with ``engine/`` but the events.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from engine import Event, Have, NextHand, Phase, Player, Stick, apply, new_table, view
from engine.core.events import Choose, Roll, Stake
from tests.support.paths import SHARED

ODDS = SHARED / "rules" / "odds.json"
CHANCE = {1: Fraction(1, 10), 3: Fraction(4, 10), 4: Fraction(4, 10), 6: Fraction(1, 10)}
AGREED: dict[str, list[Any]] = {
    "target": [21, 21, 31],
    "bones_first": [5, 5, 4],
    "max_extra": [5, 5, 1, 0],
    "extra_mode": ["single_decision", "one_at_a_time"],
    "tie": ["banker", "push"],
    "banker_rule": ["free", "stand17"],
    "banker_loses": ["any", "net"],
    "banker_must_roll": [True, False],
}


# --- every throw of five bones ------------------------------------------------------------------


def first_throws(**options: Any) -> dict[tuple[int, ...], Any]:
    """The hand of the first player, and what is asked next, after each of the 1024 throws."""
    players = [Player(0, "Ann"), Player(1, "Bess")]
    start = new_table("knucklebones", players, dealer=1, options=options)
    return {faces: apply(start, Roll(0, faces)) for faces in product((1, 3, 4, 6), repeat=5)}


@pytest.mark.parametrize("target", [21, 31])
def test_every_first_throw_is_counted_and_over_or_not(target):
    found = first_throws(target=target)
    assert len(found) == 1024
    for faces, state in found.items():
        points = sum(faces)
        seen = view(state).seat(0)
        assert (seen.total, seen.throws) == (points, (faces,))
        assert state.live_play.hand(0).out == (points > target)
        assert (state.phase is Phase.DONE) == (points > target)  # the only player against the bank
        assert view(state).stage == (None if points > target else "choose")


def test_the_chances_of_the_first_throw_are_those_of_the_tables():
    """10/40/40/10 % (E13): over 21 3303 of 50 000, mean 17.5, and the whole table if it is here."""
    chances: dict[int, Fraction] = Counter()
    over = Fraction(0)
    for faces, state in first_throws().items():
        weight = Fraction(1)
        for face in faces:
            weight *= CHANCE[face]
        chances[state.live_play.hand(0).points] += weight
        over += weight if state.live_play.hand(0).out else 0
    assert sum(chances.values()) == 1
    assert over == Fraction(3303, 50_000)
    assert chances[21] == Fraction(39, 625)
    assert sum(points * chance for points, chance in chances.items()) == Fraction(35, 2)


def test_every_total_has_the_chance_that_the_odds_give_it():
    if not ODDS.exists():
        pytest.skip(f"no table of odds at {ODDS}")
    table = json.loads(ODDS.read_text(encoding="utf-8"))["knucklebones"]["five_bone_total"]
    chances: dict[int, Fraction] = Counter()
    for faces, state in first_throws().items():
        counted = Counter(faces)
        weight = Fraction(1)
        for face, times in counted.items():
            weight *= CHANCE[face] ** times
        chances[state.live_play.hand(0).points] += weight
    assert {str(points): str(chance) for points, chance in chances.items()} == {
        points: entry["fraction"] for points, entry in table.items()
    }


def test_every_throw_of_a_bound_banker_stands_on_17_and_not_on_16():
    players = [Player(0, "Ann"), Player(1, "Bess")]
    bound = {"banker_rule": "stand17"}
    start = new_table("knucklebones", players, dealer=1, options=bound)
    for event in (Roll(0, (3,) * 5), Choose(0, 0)):
        start = apply(start, event)
    for faces in product((1, 3, 4, 6), repeat=5):
        points = sum(faces)
        state = apply(start, Roll(1, faces))
        assert (state.phase is Phase.DONE) == (points >= 17)
        if points >= 17:
            net = 1 if points > 21 else -1
            assert dict(state.hands[-1].settlement) == {0: net, 1: -net}


# --- evenings on paper --------------------------------------------------------------------------


class Evening:
    """Some rounds on paper: what everybody threw, who paid whom, who held the bank."""

    def __init__(self, seed: str) -> None:
        """Seat the players, agree on options, and lay stakes, but not for everybody."""
        self.rng = rng = random.Random(seed)
        self.options = {name: rng.choice(values) for name, values in AGREED.items()}
        self.seats = sorted(rng.sample(range(12), rng.randint(2, 8)))
        self.first = self.banker = rng.choice(self.seats)
        self.laid = {seat: rng.randint(1, 9) for seat in self.seats if rng.random() < 0.6}
        self.agreed = {str(seat): amount for seat, amount in self.laid.items()}
        self.events: list[Event] = []
        self.rounds: list[dict[str, Any]] = []

    def play(self, rounds: int) -> None:
        for number in range(rounds):
            if number:
                new = {s: self.rng.randint(1, 9) for s in self.seats if self.rng.random() < 0.2}
                self.events.append(NextHand(tuple(new.items())))
                self.laid |= new
            self.rounds.append(self.round())
            self.banker = self.rounds[-1]["next"]

    def round(self) -> dict[str, Any]:
        """Everybody in turn, then the money: KB-2, KB-3, KB-8 to KB-13, KB-16, KB-19."""
        place = self.seats.index(self.banker)
        others = self.seats[place + 1 :] + self.seats[:place]
        for seat in others:
            if self.rng.random() < 0.1:
                self.laid[seat] = self.rng.randint(1, 20)
                self.events.append(Stake(seat, self.laid[seat]))
            self.laid.setdefault(seat, 1)
        points: dict[int, int | None] = {seat: self.turn(seat) for seat in others}
        out = {seat for seat in others if points[seat] > self.options["target"]}
        all_bust = len(out) == len(others)
        points[self.banker] = None
        if not all_bust or self.options["banker_must_roll"]:
            points[self.banker] = self.turn(self.banker)
        bank = points[self.banker] or 0
        over = bank > self.options["target"]
        net = {}
        for seat in others:
            sign = -1
            if seat not in out and (over or points[seat] > bank):
                sign = 1
            elif seat not in out and points[seat] == bank and self.options["tie"] == "push":
                sign = 0
            net[seat] = sign * self.laid[seat]
        winners = [seat for seat in others if net[seat] > 0]
        net[self.banker] = -sum(net.values())
        lost = bool(winners)
        if self.options["banker_loses"] == "net":
            lost = net[self.banker] < 0
        best = [seat for seat in winners if points[seat] == max(points[w] for w in winners)]
        return {
            "banker": self.banker,
            "end": "all-bust" if all_bust else "compared",
            "points": points,
            "out": out | ({self.banker} if over else set()),
            "winners": winners,
            "net": net,
            "next": best[0] if lost else self.banker,
        }

    def throw(self, seat: int, count: int) -> int:
        faces = tuple(self.rng.choices((1, 3, 4, 6), (1, 4, 4, 1), k=count))
        self.events.append(Roll(seat, faces))
        return sum(faces)

    def turn(self, seat: int) -> int:
        """KB-4 to KB-7, KB-17, KB-18."""
        target, most = self.options["target"], self.options["max_extra"]
        bound = seat == self.banker and self.options["banker_rule"] == "stand17"
        total, extra = self.throw(seat, self.options["bones_first"]), 0
        if self.options["extra_mode"] == "one_at_a_time":
            while total <= target and extra < most:
                more = total < 17 if bound else self.rng.random() < 0.6
                if not more:
                    if not bound:
                        self.events.append(Stick(seat))
                    break
                self.events.append(Have(seat))
                total, extra = total + self.throw(seat, 1), extra + 1
            return total
        if total <= target and most and not (bound and total >= 17):
            count = self.rng.randint(1 if bound else 0, most)
            self.events.append(Choose(seat, count))
            total += self.throw(seat, count) if count else 0
        return total


@pytest.mark.parametrize("batch", range(5))
def test_engine_and_paper_agree_on_every_number_of_two_thousand_rounds(batch: int) -> None:
    seen = Counter()
    for number in range(100):
        paper = Evening(f"{batch} {number}")
        paper.play(rounds=4)
        players = [Player(seat, f"P{seat}") for seat in paper.seats]
        state = new_table(
            "knucklebones",
            players,
            dealer=paper.first,
            options=paper.options,
            start={"stakes": paper.agreed},
        )
        for event in paper.events:
            assert (state.outcome is None) != isinstance(event, NextHand), f"before {event}"
            state = apply(state, event)
        assert len(state.hands) == len(paper.rounds)
        for found, expected in zip(state.hands, paper.rounds, strict=True):
            note = f"{batch} {number}: {paper.options}"
            assert (found.dealer, str(found.end)) == (expected["banker"], expected["end"]), note
            assert dict(found.totals) == expected["points"], note
            assert set(found.out) == expected["out"], note
            assert list(found.winners) == expected["winners"], note
            assert dict(found.settlement) == expected["net"], note
            assert found.next_dealer == expected["next"], note
            seen[expected["end"]] += 1
            seen["passed"] += expected["next"] != expected["banker"]
            seen["over"] += expected["banker"] in expected["out"]
    assert min(seen["compared"], seen["all-bust"], seen["passed"], seen["over"]) > 10
