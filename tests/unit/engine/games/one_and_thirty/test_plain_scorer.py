"""Hands played at random, paid a second time by plain arithmetic that knows no engine.

The scorer below reads the rule book again from the start: no states, no events, no unread cards.
It shares nothing with ``engine/`` but the short form of a card.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import pytest

from engine import Card, Deal, Event, Facing, Have, Player, State, Stick, apply, new_table

RANKS = "A23456789TJQK"
COMMON: dict[str, list[Any]] = {
    "stake": [1, 2, 3, 5],
    "decks": [1, 1, 2],
    "ace_value": [1, 11, "1or11"],
    "eldest_means": ["seat", "age"],
    "tie_rule": ["eldest", "split"],
    "double_on_31": [True, False],
    "dealer_wins_if_all_out": [True, False],
    "next_dealer": ["left", "winner", "same", "recut"],
}
BONE: dict[str, list[Any]] = {
    "bone_ace": ["AH", "AD"],
    "upcard_ace": ["low", "high"],
    "bone_effect": ["stake_each", "half_pot", "first_turn"],
    "cap_double": ["game_only", "whole_hand"],
}
GAMES = {"one-and-thirty": COMMON, "bone-ace": COMMON | BONE}


@dataclass
class Evening:
    """One hand on paper: who sat where, who got what, and what comes of it."""

    game: str
    rolls: random.Random
    options: dict[str, Any] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Seat the players, shuffle, and agree on options."""
        rolls = self.rolls
        self.options = {name: rolls.choice(values) for name, values in GAMES[self.game].items()}
        self.seats = sorted(rolls.sample(range(12), rolls.randint(2, 8)))
        self.dealer = rolls.choice(self.seats)
        self.ages = {seat: rolls.randint(20, 25) for seat in self.seats}
        left = [seat for seat in self.seats if seat > self.dealer]
        self.others = left + [seat for seat in self.seats if seat < self.dealer]  # G-1
        seated = [*self.others, self.dealer]
        by_age = self.options["eldest_means"] == "age"
        self.elders = sorted(seated, key=lambda seat: -self.ages[seat]) if by_age else seated
        self.pack = [rank + suit for rank in RANKS for suit in "SHDC"] * self.options["decks"]
        rolls.shuffle(self.pack)
        self.hands: dict[int, list[str]] = {seat: [] for seat in seated}
        for turn in range(3):
            for seat in seated:
                self.give(seat, up=turn == 2 and self.game == "bone-ace")
        self.holder, self.bone = self.find_bone()
        self.out = {seat for seat in seated if self.total(seat) > 31}
        self.end, self.winners = self.play()

    def give(self, seat: int, up: bool = False) -> None:
        card = self.pack.pop()
        self.hands[seat].append(card)
        self.events.append(Deal(seat, Card.parse(card), Facing.UP if up else Facing.DOWN))

    def total(self, seat: int) -> int:
        """OT-4, OT-16, OT-25."""
        cards = self.hands[seat]
        aces = sum(card[0] == "A" for card in cards)
        rest = sum(min(RANKS.index(card[0]) + 1, 10) for card in cards if card[0] != "A")
        if self.options["ace_value"] != "1or11":
            return int(rest + aces * self.options["ace_value"])
        totals = [rest + aces + 10 * high for high in range(aces + 1)]
        return max((each for each in totals if each <= 31), default=totals[0])

    def find_bone(self) -> tuple[int | None, dict[int, int]]:
        """BA-2 to BA-8: the holder, and what each seat gets or pays at once."""
        nothing = dict.fromkeys(self.seats, 0)
        if self.game != "bone-ace":
            return None, nothing

        def rank(seat: int) -> int:
            card = self.hands[seat][2]
            if card == self.options["bone_ace"]:
                return 99
            high = card[0] == "A" and self.options["upcard_ace"] == "high"
            return 50 if high else RANKS.index(card[0])

        holder = max(self.elders, key=rank)  # of equals the first, who is eldest
        stake, many = self.options["stake"], len(self.seats)
        if self.options["bone_effect"] == "first_turn":
            return holder, nothing
        if self.options["bone_effect"] == "half_pot":
            return holder, {**nothing, holder: stake * many // 2}
        return holder, {**dict.fromkeys(self.seats, -stake), holder: stake * (many - 1)}

    def turns(self) -> list[int]:
        """OT-5, OT-15, BA-8."""
        first = self.others[0]
        if self.options.get("bone_effect") == "first_turn" and self.holder is not None:
            if self.holder == self.dealer:
                return [self.dealer, *self.others]
            first = self.holder
        elif self.options["eldest_means"] == "age":
            first = max(self.others, key=lambda seat: self.ages[seat])
        place = self.others.index(first)
        return [*self.others[place:], *self.others[:place], self.dealer]

    def play(self) -> tuple[str, list[int]]:
        """OT-6 to OT-16, OT-22: play the turns at random and say who wins and why."""
        dealt = [seat for seat in self.elders if self.total(seat) == 31]
        if dealt:
            return "thirty-one", dealt[:1]
        acted: list[int] = []
        for seat in [None, *self.turns()]:
            if seat is not None and seat not in self.out:
                acted.append(seat)
                if self.take_turn(seat) == 31:
                    return "thirty-one", [seat]
            alive = [each for each in self.seats if each not in self.out]
            if not alive:
                return "all-out", []
            waits = alive == [self.dealer] and self.dealer not in acted
            if len(alive) == 1 and not (waits and not self.options["dealer_wins_if_all_out"]):
                return ("dealer-wins" if waits else "sole-survivor"), alive
        best = max(self.total(each) for each in alive)
        tied = [each for each in self.elders if each in alive and self.total(each) == best]
        return "showdown", tied if self.options["tie_rule"] == "split" else tied[:1]

    def take_turn(self, seat: int) -> int:
        stop = self.rolls.choice([20, 24, 27, 29, 31])
        while self.total(seat) < stop and self.pack:
            self.events.append(Have(seat))
            self.give(seat)
        if self.total(seat) > 31:
            self.out.add(seat)
        elif self.total(seat) < 31:
            self.events.append(Stick(seat))
        return self.total(seat)

    def settlement(self) -> dict[int, int]:
        """OT-10, OT-12, OT-14, BA-3, BA-6, BA-10, G-18."""
        stake, winners, net = self.options["stake"], self.winners, dict(self.bone)
        if self.options.get("bone_effect") == "half_pot":
            for seat in net:
                net[seat] -= stake
            pool = stake * len(net)
            won, winners = pool - pool // 2, winners or self.elders
        elif not winners:
            return net
        else:
            won = 0
            for seat in set(net) - set(winners):
                double = self.end == "thirty-one" and self.options["double_on_31"]
                spared = self.options.get("cap_double") == "whole_hand" and self.bone[seat] < 0
                due = 2 * stake if double and not spared else stake
                net[seat] -= due
                won += due
        for seat in winners:
            net[seat] += won // len(winners)
        net[winners[0]] += won % len(winners)
        return net

    def next_dealer(self) -> int | None:
        """G-4."""
        left = self.others[0]
        winner = self.winners[0] if len(self.winners) == 1 else left
        due = {"left": left, "winner": winner, "same": self.dealer, "recut": None}
        return due[self.options["next_dealer"]]


def judged(evening: Evening) -> State:
    """Play the evening's events in the engine."""
    players = [Player(seat, f"P{seat}", evening.ages[seat]) for seat in evening.seats]
    state = new_table(evening.game, players, dealer=evening.dealer, options=evening.options)
    for event in evening.events:
        assert state.outcome is None, f"the engine ended the hand before {event}"
        state = apply(state, event)
    return state


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("batch", range(4))
def test_engine_and_plain_arithmetic_agree_on_every_number(game: str, batch: int) -> None:
    ends = set()
    for number in range(100):
        paper = Evening(game, random.Random(f"{game} {batch} {number}"))
        outcome = judged(paper).outcome
        assert outcome is not None, f"hand {number}: the engine waits for more"
        holder = None if outcome.bone is None else outcome.bone.holder
        found = (str(outcome.end), set(outcome.winners), holder, outcome.next_dealer)
        expected = (paper.end, set(paper.winners), paper.holder, paper.next_dealer())
        assert found == expected, f"hand {number}: {paper.options}"
        assert dict(outcome.totals) == {seat: paper.total(seat) for seat in paper.seats}
        assert set(outcome.out) == paper.out, f"hand {number}: {paper.options}"
        assert dict(outcome.settlement) == paper.settlement(), f"hand {number}: {paper.options}"
        ends.add(paper.end)
    assert {"showdown", "thirty-one", "sole-survivor"} <= ends
