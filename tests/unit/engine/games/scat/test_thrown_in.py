"""Hands thrown in at Thirty-one, judged once more on paper (G-17, SC-26 to SC-28).

Rounds of random people who throw in and leave whenever they may. The paper knows every card; of
some hands the engine has read nothing. It is written from the rules alone and shares nothing with
the engine but the events; what hands are worth is counted by ``scat_reference``.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from engine import (
    Claim,
    Deal,
    Declare,
    Event,
    Leave,
    Phase,
    Player,
    Reveal,
    apply,
    deck,
    new_table,
)
from engine.core.events import (
    DealTo,
    Discard,
    Draw,
    Facing,
    Knock,
    Pile,
    Source,
    Stand,
    SwapCards,
    TurnUp,
)
from tests.support.scat_reference import (
    plain_blitz_points,
    plain_brag,
    plain_loss,
    plain_points,
    plain_pot,
    plain_value,
    plainly_gone,
)

LIVES = {
    "wikipedia": {},
    "dollar-bill": {"lives": 4},
    "eenendertigen": {"deck": 32},
    "three-of-a-kind": {"three_kind": "rank"},
    "california-quick": {"knock_tie": "both", "ends": True, "gate": True},
    "west-lansing": {"free_ride": False, "knock_tie": "knocker_only", "three_kind": "rank"},
    "stop-the-bus": {"bus": True, "blitz": False},
}
"""What each preset changes, in the words of section 8 of the rules."""
PRESETS = {**LIVES, "banking": {"scoring": "ante"}, "no-elimination": {"scoring": "points"}}
USUAL = {
    "scoring": "lives",
    "lives": 3,
    "deck": 52,
    "free_ride": True,
    "knock_tie": "safe",
    "three_kind": "off",
    "bus": False,
    "blitz": True,
    "ends": False,
    "gate": False,
}


class Over(Exception):
    """The round has ended."""


class Paper:
    """One round on paper."""

    def __init__(self, seed: str) -> None:
        self.rng = rng = random.Random(seed)
        self.preset = rng.choice([*PRESETS])
        self.law: dict[str, Any] = {**USUAL, **PRESETS[self.preset]}
        self.options: dict[str, Any] = {"knock_penalty": rng.choice([2, 2, 1])}
        if self.law["scoring"] == "lives" and rng.random() < 0.5:
            tie = rng.choice(["safe", "both", "knocker_only", "all_lose"])
            self.law["knock_tie"] = self.options["knock_tie"] = tie
        self.law |= self.options
        self.seats = sorted(rng.sample(range(9), rng.randint(2, 6)))
        self.dealer = rng.choice(self.seats)
        self.order = [s for s in self.seats if s > self.dealer]
        self.order += [s for s in self.seats if s <= self.dealer]
        self.hidden = {seat for seat in self.seats if rng.random() < 0.6}
        self.restless = rng.choice([0.005, 0.05, 0.2])
        self.knocks = 0.2 if self.law["bus"] else rng.choice([0.2, 0.2, 0.2, 0.0])
        least = 0 if self.law["free_ride"] else 1
        self.lives = {seat: rng.randint(least, self.law["lives"]) for seat in self.seats}
        self.pack = [c for c in deck() if self.law["deck"] == 52 or str(c)[0] in "789TJQKA"]
        rng.shuffle(self.pack)
        while self.law["gate"] and self.deals_31():  # that would wait for the first player: CQ-5
            rng.shuffle(self.pack)
        self.hands: dict[int, list[Any]] = {seat: [] for seat in self.seats}
        self.read: set[Any] = set()  # the cards of hands that the engine knows
        self.pile: list[tuple[Any, int | None]] = []
        self.middle: list[Any] = []
        self.thrown: set[int] = set()
        self.left: set[int] = set()
        self.shown: set[int] = set()
        self.knocker: int | None = None
        self.end, self.winners = "", []
        self.events: list[Event] = []

    @property
    def holding(self) -> list[int]:
        return [seat for seat in self.order if seat not in self.thrown | self.left]

    def worth(self, seat: int) -> Any:
        if self.law["bus"]:
            return plain_brag(self.hands[seat])
        return plain_value(self.hands[seat], self.law["three_kind"])

    def knows(self, seat: int) -> bool:
        """Whether the engine knows the whole hand."""
        return seat in self.shown or all(card in self.read for card in self.hands[seat])

    def deals_31(self) -> bool:
        n = len(self.order)
        dealt = (self.pack[-1 - place : -1 - 3 * n : -n] for place in range(n))
        return any(plain_value(hand) == 31 for hand in dealt)

    # --- the round ------------------------------------------------------------------------------

    def play(self) -> None:
        try:
            self.deal()
            self.turns()
            self.show()
        except Over:
            pass

    def deal(self) -> None:
        for _ in range(3):
            for seat in self.order:
                card = self.pack.pop()
                self.hands[seat].append(card)
                if seat not in self.hidden:
                    self.read.add(card)
                face = card if seat not in self.hidden else None
                self.events.append(Deal(seat, face, Facing.DOWN))
            if self.preset == "banking":
                self.events.append(DealTo(Pile.WIDOW, self.pack.pop(), Facing.DOWN))
        if self.law["bus"]:
            self.middle = [self.pack.pop() for _ in range(3)]
            self.events += [DealTo(Pile.TABLE, card, Facing.UP) for card in self.middle]
            return
        self.pile = [(self.pack.pop(), None)]
        self.events.append(TurnUp(self.pile[0][0]))
        self.read.add(self.pile[0][0])
        if not self.law["gate"]:
            dealt = [s for s in self.order if self.knows(s) and self.worth(s) == 31]
            if dealt:
                self.blitz(dealt)

    def turns(self) -> None:
        """One after another; after a knock each of the others once (SC-6)."""
        queue, first = list(self.order), True
        while queue:
            seat = queue.pop(0)
            if seat in self.holding:
                self.anybody(seat)
            if seat in self.holding and self.knocker is None and self.rng.random() < self.knocks:
                self.knocker = seat
                self.events.append(Knock(seat))
                if first and self.law["gate"]:
                    self.end = "out-of-gate"
                    return
                queue = self.after(seat)
            elif seat in self.holding:
                self.turn(seat)
            first = False
            if self.knocker is None:
                queue = self.after(seat)
        self.end = "showdown"

    def after(self, seat: int) -> list[int]:
        place = self.order.index(seat)
        return [*self.order[place + 1 :], *self.order[:place]]

    def turn(self, seat: int) -> None:
        if self.law["bus"]:
            if self.rng.random() < 0.5:
                self.events.append(Stand(seat))
            else:
                give, take = self.rng.randrange(3), self.rng.randrange(3)
                mine, theirs = self.hands[seat][give], self.middle[take]
                self.events.append(SwapCards(seat, (mine,), (theirs,)))
                self.hands[seat][give], self.middle[take] = theirs, mine
                self.read.add(theirs)
            self.finished(seat)
            return
        if self.knocker is not None and (self.rng.random() < 0.4 or not self.pack):
            self.events.append(Stand(seat))
            self.finished(seat)
            return
        taken = self.draw(seat)
        self.anybody(seat, taken)
        if seat not in self.holding:
            return
        self.lay(seat, taken)
        self.finished(seat)

    def draw(self, seat: int) -> Any:
        """From the stock or the discard; the card, if it may not go straight back (SC-16)."""
        top, thrower = self.pile[-1] if self.pile else (None, seat)
        if thrower != seat and self.rng.random() < 0.3:
            self.pile.pop()
            self.hands[seat].append(top)
            self.events.append(Draw(seat, Source.DISCARD))
            self.from_stock = False
            self.taken_from = thrower
            return top
        card = self.pack.pop()
        self.from_stock = True
        self.hands[seat].append(card)
        seen = seat not in self.hidden
        self.events.append(Draw(seat, Source.STOCK, card if seen else None))
        if seen:
            self.read.add(card)
        return None

    def lay(self, seat: int, bound: Any) -> None:
        """Lay a card; some that the engine has not read lie covered (SC-28)."""
        card = self.rng.choice([card for card in self.hands[seat] if card != bound])
        self.hands[seat].remove(card)
        covered = card not in self.read and self.rng.random() < 0.3
        self.events.append(Discard(seat, None if covered else card))
        if not covered:
            self.read.add(card)
        self.pile.append((card, seat))

    def finished(self, seat: int) -> None:
        """The end of a turn: a blitz that is seen (SC-11), or the last card gone (SC-17)."""
        counts = self.law["blitz"] and (self.knocker is None or self.law["ends"])
        if counts and seat != self.knocker and self.knows(seat) and self.worth(seat) == 31:
            self.blitz([seat])
        if self.knocker is None and not self.pack and not self.law["bus"]:
            self.over("draw")

    def anybody(self, turn: int, taken: Any = None) -> None:
        """Somebody throws in or leaves, in their own turn or another's."""
        drawn = len(self.hands[turn]) > 3
        likely = self.restless if self.pack or self.law["bus"] else 0.5  # with the last card
        for seat in self.order:
            if seat in self.left or self.rng.random() > likely:
                continue
            if self.rng.random() < 0.2:
                self.events.append(Leave(seat))
                self.left.add(seat)
                if seat == turn and drawn:  # the turn is void, the card goes back
                    card = self.hands[seat].pop()
                    if self.from_stock:
                        self.pack.append(card)
                        self.read.discard(card)
                    else:
                        self.pile.append((card, self.taken_from))
            elif seat not in self.thrown:
                shown = tuple(self.hands[seat]) if self.rng.random() < 0.3 else ()
                self.events.append(Declare(seat, Claim.OUT, shown))
                self.thrown.add(seat)
            self.one_left(turn if drawn else None)
            used_up = drawn and self.knocker is None and not self.pack
            if seat == turn and seat in self.thrown - self.left and used_up:
                self.over("draw")
            if turn in self.thrown | self.left:
                return

    def one_left(self, drawing: int | None = None) -> None:
        if len(self.holding) > 1:
            return
        if drawing in self.holding:  # a turn cut short by the end of the round is void
            self.hands[drawing].pop()
        if len(self.left) == len(self.seats) - 1:
            self.over("walkover")
        self.over(self.end or "showdown")

    def show(self) -> None:
        """Hands that the engine does not know are shown, or thrown in instead (SC-27)."""
        due = [seat for seat in self.holding if not self.knows(seat)]
        self.rng.shuffle(due)
        for seat in due:
            if seat not in self.holding:
                continue
            cards = self.hands[seat]
            if self.rng.random() < 0.25:
                self.events.append(Declare(seat, Claim.OUT, ()))
                self.thrown.add(seat)
                self.one_left()
            else:
                self.events.append(Reveal(seat, tuple(self.rng.sample(cards, 3))))
                self.shown.add(seat)
        self.over(self.end)

    def blitz(self, seats: list[int]) -> None:
        self.winners = seats
        if self.law["scoring"] == "points":
            self.end = "blitz"
            self.show()
        self.over("blitz")

    def over(self, end: str) -> None:
        self.end = end
        raise Over

    # --- the judge ------------------------------------------------------------------------------

    def ranks(self) -> dict[int, Any]:
        """What is compared: a hand thrown in is lowest, the last one is best, shown or not."""
        low, high = ((-1,), (9,)) if self.law["bus"] else (-1, 32)
        found = {seat: low for seat in self.order if seat in self.thrown - self.left}
        for seat in self.holding:
            found[seat] = high if len(self.holding) == 1 else self.worth(seat)
        return found

    def values(self) -> dict[int, float | None]:
        """Suit values; none of a hand thrown in, nor of a last one that is not all known."""
        found: dict[int, float | None] = dict.fromkeys(self.seats)
        for seat in self.holding:
            if self.knows(seat):
                kind = self.law["three_kind"]
                found[seat] = plain_value(self.hands[seat], kind)
        return found

    def lost(self) -> dict[int, int]:
        active = [seat for seat in self.order if seat not in self.left]
        penalty = self.law["knock_penalty"]
        if self.end == "blitz":
            losers = [seat for seat in active if seat not in self.winners]
            return {seat: penalty if seat == self.knocker else 1 for seat in losers}
        if self.end in ("draw", "walkover"):
            return {}
        ranks, tie = self.ranks(), self.law["knock_tie"]
        knocker = self.knocker if self.knocker in ranks else None
        losses = {seat: plain_loss(seat, ranks, knocker, penalty, tie) for seat in active}
        return {seat: count for seat, count in losses.items() if count}

    def gained(self) -> dict[int, int]:
        found = dict.fromkeys(self.seats, 0)
        ranks = self.ranks()
        for seat in self.holding:
            if self.end == "blitz":
                found[seat] = plain_blitz_points(seat, ranks, self.winners, self.knocker, "rank")
            elif self.end == "showdown":
                found[seat] = plain_points(seat, ranks, self.knocker)
        return found

    def pot(self) -> dict[int, int]:
        winners = list(self.winners)
        if self.end in ("showdown", "walkover"):
            ranks = self.ranks()
            winners = [seat for seat in self.order if ranks.get(seat) == max(ranks.values())]
        if self.end == "draw":
            return dict.fromkeys(self.seats, 0)
        return plain_pot(self.seats, winners, 1, int(self.end == "blitz"), 0)


def check(paper: Paper, state: Any, note: str) -> None:
    assert state.phase is Phase.DONE, note
    last = state.hands[-1]
    record = state.setup.game.views.hand_record(last)
    assert record["end"] == paper.end, note
    assert record["knocker"] == paper.knocker, note
    values = {int(seat): value for seat, value in record["values"].items()}
    if paper.end != "blitz" and not paper.law["bus"]:
        assert values == paper.values(), note
    names = record.get("hands", {})
    assert all(names[str(seat)] is None for seat in paper.thrown | paper.left if names), note
    if paper.law["scoring"] == "points":
        assert dict(last.details.gained) == paper.gained(), note
        return
    if paper.law["scoring"] == "ante":
        assert dict(last.settlement) == paper.pot(), note
        return
    lost = paper.lost()
    active = set(paper.seats) - paper.left
    before = paper.lives
    gone = {s for s, n in lost.items() if plainly_gone(before[s], n, paper.law["free_ride"], "out")}
    if gone == active:
        lost, gone = {}, set()
    assert {s: n for s, n in last.details.lost if n} == lost, note
    assert dict(last.details.lives) == {
        seat: max(0, count - lost.get(seat, 0)) for seat, count in before.items()
    }, note
    assert set(last.details.eliminated) == gone, note
    still = active - gone
    assert set(state.round.standing.eliminated) == set(paper.seats) - still, note
    assert state.round.standing.over == (len(still) == 1), note


def rounds(name: str, count: int) -> Counter[str]:
    seen: Counter[str] = Counter()
    for number in range(count):
        paper = Paper(f"{name} {number}")
        paper.play()
        in_lives = paper.law["scoring"] == "lives"
        state = new_table(
            "scat",
            [Player(seat, f"P{seat}") for seat in paper.seats],
            dealer=paper.dealer,
            preset=paper.preset,
            options=paper.options,
            start={"start": {"lives": {str(s): n for s, n in paper.lives.items()}}}
            if in_lives
            else {},
        )
        note = f"{name} {number}: {paper.preset} {paper.options}"
        for event in paper.events:
            assert state.phase is not Phase.DONE, f"{note}: {event}"
            state = apply(state, event)
        check(paper, state, note)
        seen[paper.end] += 1
        seen[f"{paper.preset} thrown in"] += bool(paper.thrown)
        seen["one hand left"] += paper.end == "showdown" and len(paper.holding) == 1
        seen["knocker"] += paper.knocker in paper.thrown
        seen["both"] += bool(paper.thrown & paper.left)
        seen["covered"] += any(isinstance(e, Discard) and e.card is None for e in paper.events)
    return seen


@pytest.mark.parametrize("batch", range(5))
def test_a_thousand_rounds_come_out_as_on_paper(batch):
    seen = rounds(f"fast {batch}", 200)
    assert min(seen[f"{preset} thrown in"] for preset in PRESETS) >= 3
    ends = ("showdown", "draw", "walkover", "out-of-gate")
    assert min(seen[kind] for kind in (*ends, "one hand left", "knocker", "covered")) >= 1, seen


@pytest.mark.slow
def test_thousands_more_come_out_as_on_paper():
    seen = rounds("slow", 2500)
    assert min(seen.values()) >= 5, seen
