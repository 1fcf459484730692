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

from engine import (
    Claim,
    Declare,
    Event,
    Have,
    Join,
    Leave,
    NextHand,
    Phase,
    Player,
    Stick,
    apply,
    new_table,
    view,
)
from engine.core.events import Choose, Roll, Stake
from tests.unit.engine.odds import plain_counts

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
    "bank_passes": ["best_winner", "left", "banker_over", "never"],
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
    """10/40/40/10 % (E13): over 21 3303 of 50 000, mean 17.5."""
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
    odds = json.loads(plain_counts.TABLE.read_text(encoding="utf-8"))
    table = odds["knucklebones"]["five_bone_total"]
    chances: dict[int, Fraction] = Counter()
    for faces, state in first_throws().items():
        counted = Counter(faces)
        weight = Fraction(1)
        for face, times in counted.items():
            weight *= CHANCE[face] ** times
        chances[state.live_play.hand(0).points] += weight
    assert {str(points): str(chance) for points, chance in chances.items()} == table


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
    """Some rounds on paper: what everybody threw, who paid whom, who held the bank.

    People throw in, leave in mid-round and between rounds, and others take their seats.
    """

    def __init__(self, seed: str) -> None:
        """Seat the players, agree on options, and lay stakes, but not for everybody."""
        self.rng = rng = random.Random(seed)
        self.options = {name: rng.choice(values) for name, values in AGREED.items()}
        self.seats = sorted(rng.sample(range(12), rng.randint(2, 8)))
        self.sitting = tuple(self.seats)
        self.first = self.banker = rng.choice(self.seats)
        self.restless = rng.choice([0.0, 0.0, 0.02, 0.1])
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
            self.come_and_go(self.rounds[-1])
            self.banker = self.rounds[-1]["next"]
            if len(self.seats) < 2:
                return

    def round(self) -> dict[str, Any]:
        """Everybody in turn, then the money: KB-2, KB-3, KB-8 to KB-13, KB-16, KB-23."""
        place = self.seats.index(self.banker)
        others = self.seats[place + 1 :] + self.seats[:place]
        self.points: dict[int, int | None] = dict.fromkeys(self.seats)
        self.out: set[int] = set()
        self.left: set[int] = set()
        for seat in others:
            if seat not in self.out and not self.thrown and self.rng.random() < 0.1:
                self.laid[seat] = self.rng.randint(1, 20)
                self.events.append(Stake(seat, self.laid[seat]))
            self.laid.setdefault(seat, 1)
        for seat in others:
            if seat not in self.out and self.banker not in self.left:
                self.turn(seat, others)
        all_out = self.out >= set(others)
        if self.banker not in self.left and (not all_out or self.options["banker_must_roll"]):
            self.turn(self.banker, others)
        all_out = self.out >= set(others)
        over, bank = self.banker in self.out, self.points[self.banker] or 0
        net = {}
        for seat in others:
            sign = -1
            if seat not in self.out and (over or self.points[seat] > bank):
                sign = 1
            elif seat not in self.out and self.points[seat] == bank:
                sign = 0 if self.options["tie"] == "push" else -1
            net[seat] = sign * self.laid[seat]
        winners = [seat for seat in others if net[seat] > 0]
        net[self.banker] = -sum(net.values())
        void = self.banker in self.left
        for seat in self.left:
            self.seats.remove(seat)
            self.laid.pop(seat, None)
        return {
            "banker": self.banker,
            "end": "misdeal" if void else "all-bust" if all_out else "compared",
            "points": {} if void else dict(self.points),
            "out": set() if void else set(self.out),
            "winners": [] if void else winners,
            "net": dict.fromkeys(net, 0) if void else net,
            "next": self.left_of(self.banker) if void else self.passes_to(winners, net),
        }

    @property
    def thrown(self) -> bool:
        return any(points is not None for points in self.points.values())

    def left_of(self, seat: int) -> int | None:
        """The next occupied seat."""
        after = [each for each in self.seats if each > seat]
        return next(iter([*after, *self.seats]), None)

    def best(self, winners: list[int]) -> int:
        """Of the best the one who rolled first (KB-11)."""
        return max(winners, key=lambda seat: (self.points[seat], -winners.index(seat)))

    def passes_to(self, winners: list[int], net: dict[int, int]) -> int | None:
        """KB-11, KB-12, KB-19, KB-22."""
        passes = self.options["bank_passes"]
        if passes == "left":
            return self.left_of(self.banker)
        lost = self.options["banker_loses"] == "any" or net[self.banker] < 0
        if passes == "best_winner" and winners and lost:
            return self.best(winners)
        if passes == "banker_over" and winners and self.banker in self.out:
            return self.best(winners)
        return self.banker

    def come_and_go(self, last: dict[str, Any]) -> None:
        """G-16: who leaves between two rounds, and who holds the bank then."""
        winners = list(last["winners"])
        for _ in range(self.rng.choice([0, 0, 1, 3]) if self.restless else 0):
            if self.rng.random() < 0.3 and len(self.seats) < 8:
                seat = self.rng.choice(sorted(set(range(12)) - set(self.seats)))
                self.events.append(Join(seat, f"N{len(self.events)}"))
                self.seats = sorted([*self.seats, seat])
                continue
            if len(self.seats) < 2:
                return
            seat = self.rng.choice([last["next"], *self.seats])
            self.events.append(Leave(seat))
            self.seats.remove(seat)
            self.laid.pop(seat, None)
            winners = [each for each in winners if each != seat]
            if seat == last["next"]:
                chosen = winners and self.options["bank_passes"] in ("best_winner", "banker_over")
                last["next"] = self.best(winners) if chosen else self.left_of(seat)

    def throw(self, seat: int, count: int) -> None:
        faces = tuple(self.rng.choices((1, 3, 4, 6), (1, 4, 4, 1), k=count))
        self.events.append(Roll(seat, faces))
        self.points[seat] = (self.points[seat] or 0) + sum(faces)
        if self.points[seat] > self.options["target"]:
            self.out.add(seat)

    def ends(self, seat: int, others: list[int]) -> bool:
        """Whether a turn is over; somebody may have thrown in or left just now (G-17, KB-23)."""
        in_play = [each for each in others if each not in self.out]
        for each in (*in_play, self.banker):
            if not self.rng.random() < self.restless or each in self.out:
                continue
            if self.rng.random() < 0.3:
                self.events.append(Leave(each))
                self.left.add(each)
            elif each != self.banker or seat == self.banker:
                self.events.append(Declare(each, Claim.OUT))
            else:
                continue
            self.out.add(each)
            if self.is_over(others):
                return True
        return seat in self.out

    def is_over(self, others: list[int]) -> bool:
        nobody = self.out >= set(others) and not self.options["banker_must_roll"]
        return self.banker in self.out or nobody

    def turn(self, seat: int, others: list[int]) -> None:
        """KB-4 to KB-7, KB-17, KB-18."""
        most, extra = self.options["max_extra"], 0
        bound = seat == self.banker and self.options["banker_rule"] == "stand17"
        if self.ends(seat, others):
            return
        self.throw(seat, self.options["bones_first"])
        one = self.options["extra_mode"] == "one_at_a_time"
        while seat not in self.out and extra < most and not (bound and self.points[seat] >= 17):
            if self.ends(seat, others):
                return
            if one:
                count = 1 if bound else int(self.rng.random() < 0.6)
                self.events.append(Have(seat) if count else Stick(seat))
            else:
                count = self.rng.randint(1 if bound else 0, most)
                self.events.append(Choose(seat, count))
            if not count or self.ends(seat, others):
                return
            self.throw(seat, count)
            extra = extra + 1 if one else most


@pytest.mark.parametrize("batch", range(5))
def test_engine_and_paper_agree_on_every_number_of_two_thousand_rounds(batch: int) -> None:
    seen = Counter()
    for number in range(100):
        paper = Evening(f"{batch} {number}")
        paper.play(rounds=4)
        note = f"{batch} {number}: {paper.options}"
        players = [Player(seat, f"P{seat}") for seat in sorted(paper.sitting)]
        state = new_table(
            "knucklebones",
            players,
            dealer=paper.first,
            options=paper.options,
            start={"stakes": paper.agreed},
        )
        for event in paper.events:
            if not isinstance(event, Leave):
                between = isinstance(event, NextHand | Join)
                assert (state.outcome is None) != between, f"{note}: {event}"
            state = apply(state, event)
        assert len(state.hands) == len(paper.rounds), note
        for found, expected in zip(state.hands, paper.rounds, strict=True):
            passes = paper.options["bank_passes"]
            assert (found.dealer, str(found.end)) == (expected["banker"], expected["end"]), note
            assert dict(found.totals) == expected["points"], note
            assert set(found.out) == expected["out"], note
            assert list(found.winners) == expected["winners"], note
            assert dict(found.settlement) == expected["net"], note
            assert found.next_dealer == expected["next"], note
            seen[expected["end"]] += 1
            seen[f"{passes} passed"] += expected["next"] != expected["banker"]
            seen["over"] += expected["banker"] in expected["out"]
        for event in paper.events:
            seen[event.kind] += 1
    assert seen["never passed"] < seen["best_winner passed"]
    some = ("compared", "all-bust", "misdeal", "over", "declare", "leave", "join")
    kinds = (f"{passes} passed" for passes in ("best_winner", "left", "banker_over"))
    assert min(seen[kind] for kind in (*some, *kinds)) > 8, seen
