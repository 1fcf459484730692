"""Hands laid open, thrown in, or turned face down in One-and-Thirty and Bone-Ace."""

from __future__ import annotations

from device.simulator.people.counting_cards import CountingCards
from device.simulator.people.happenings import Happening
from device.simulator.people.mat import Lying, Spot
from device.simulator.people.oracle.counting import GOAL, best_total, totals
from device.simulator.people.room import Room

_FAN_MM = 22.0
_SPREAD_MM = (15.0, 24.0)


class Showing:
    """How people show their hands."""

    def __init__(self, room: Room, cards: CountingCards) -> None:
        """Watch the cards of a hand."""
        self._room = room
        self._cards = cards

    def cards(self, seat: int) -> list[str]:
        """Return the cards of a seat in the order dealt, for an event."""
        return list(self._cards.hands[seat].cards)

    def lay_open(self, seat: int) -> None:
        """Lay a hand open: turned up where it lies, in a row, as a fan or a packet spread out."""
        room, lying = self._room, self._cards.lying[seat]
        room.hand(seat, [f"seat {seat}"], 0.6)
        self._cards.hands[seat].shown = True
        held = [each is None for each in lying]
        if not any(held):
            for each in lying:
                assert each is not None
                room.mat.take(each)
            for number, each in enumerate(lying):
                assert each is not None
                spot = room.jitter((each.x, each.y, each.deg), 2.0, 2.0)
                lying[number] = room.lay(each.card, True, spot, seat)
            return
        order = [n for n, is_held in enumerate(held) if is_held]
        if room.rng.random() < 0.6:  # a hand that was taken up has no order
            room.rng.shuffle(order)
        for number, spot in zip(order, self._spots(seat, len(order)), strict=True):
            lying[number] = room.lay(self.cards(seat)[number], True, spot, seat)
        if any(e is not None and not e.up for e in lying):
            self._turn_up_rest(seat)
        self._uncover(seat)

    def throw_in(self, seat: int) -> None:
        """Say "I'm out", push the cards into the middle, or turn open cards face down (G-17)."""
        room, cards = self._room, self._cards
        cards.hands[seat].word = cards.moment
        cards.moment += 1
        way = room.rng.random()
        upcard = next((e for e in cards.lying[seat] if e is not None and e.up), None)
        if way < 0.35:
            room.did(Happening.SAID_OUT)
            room.say(seat, "out", own=True)
        elif way < 0.5 and upcard is not None and upcard.seen:
            room.did(Happening.TURNED_DOWN)
            room.hand(seat, [f"seat {seat}"])
            self._turn_down(seat, upcard)
        else:
            room.did(Happening.THROWN_IN)
            room.hand(seat, [f"seat {seat}"])
            self._away(seat)
            room.into_middle(seat, cards.hands[seat].cards)
        room.event("declare", seat=seat, what="out")

    def showdown(self, order: list[int]) -> None:
        """Everybody who is not out shows, or throws in what is beaten (OT-18)."""
        room, cards = self._room, self._cards
        room.look("the showdown")
        for seat in order:
            if cards.is_over:
                break
            if seat in cards.gone or seat in cards.open:
                continue
            if self._is_beaten(seat) and room.does(seat, "throw_in", Happening.THROWN_AT_SHOWDOWN):
                self.throw_in(seat)
                cards.gone.add(seat)
            else:
                self.lay_open(seat)
                room.event("reveal", seat=seat, cards=self.cards(seat))
                cards.open.add(seat)
            room.pause(seat)
        room.film.rest(0.8)

    def after_the_end(self) -> None:
        """Look at the screen; some turn up their hands all the same (OT-19)."""
        room, cards = self._room, self._cards
        room.film.rest(0.8)
        room.look("the end")
        for seat, hand in cards.hands.items():
            if hand.shown or hand.word is not None:
                continue
            if room.does(seat, "show_early", Happening.SHOWN_AFTER_END):
                self.lay_open(seat)
                room.event("reveal", seat=seat, cards=self.cards(seat))
                room.pause(seat)
        room.clear_up()
        room.end()

    def _is_beaten(self, seat: int) -> bool:
        """Return whether a hand that lies open, and is not over, beats this one."""
        ace = self._room.options["ace_value"]
        hands = self._cards.hands
        mine = best_total(hands[seat].cards, ace)
        mine = -1 if mine > GOAL else mine
        return any(
            hand.shown and other not in self._cards.gone and mine < best_total(hand.cards, ace)
            for other, hand in hands.items()
            if totals(hand.cards, ace)[0] <= GOAL
        )

    def _spots(self, seat: int, count: int) -> list[Spot]:
        room = self._room
        way = room.rng.random()
        first = room.mat.slots[seat][0]
        if way < 0.4:
            return [room.spot(seat, n) for n in range(count)]
        first = room.jitter(first, 6.0, 6.0)
        if way < 0.7:
            room.did(Happening.FAN)
            step, turn = _FAN_MM, 7.0
        else:
            room.did(Happening.SPREAD)
            step, turn = room.rng.uniform(*_SPREAD_MM), 0.0
        along = _along(first[2])
        return [
            (
                first[0] + along[0] * step * n + room.rng.uniform(-1.5, 1.5),
                first[1] + along[1] * step * n + room.rng.uniform(-1.5, 1.5),
                first[2] + turn * (n - count / 2) + room.rng.uniform(-2.0, 2.0),
            )
            for n in range(count)
        ]

    def _turn_up_rest(self, seat: int) -> None:
        room, lying = self._room, self._cards.lying[seat]
        for number, each in enumerate(lying):
            if each is not None and not each.up:
                room.mat.take(each)
                lying[number] = room.lay(each.card, True, (each.x, each.y, each.deg), seat)

    def _uncover(self, seat: int) -> None:
        """Lay cards apart that cover each other, when the table does not count them."""
        room, lying = self._room, self._cards.lying[seat]
        if all(each is not None and each.readable for each in lying):
            return
        room.did(Happening.COVERED_SHOW)
        room.film.rest(0.8)
        room.look("a card is covered")
        room.hand(seat, [f"seat {seat}"])
        self._away(seat)
        for number, card in enumerate(self.cards(seat)):
            slots = room.mat.slots[seat]
            spot = room.jitter(slots[number % len(slots)], 1.0, 1.0)
            if number >= len(slots):
                spot = (spot[0] + 22.0, spot[1] + 22.0, spot[2])
            lying[number] = room.lay(card, True, spot, seat)

    def _turn_down(self, seat: int, upcard: Lying) -> None:
        room, lying = self._room, self._cards.lying[seat]
        number = lying.index(upcard)
        room.mat.take(upcard)
        spot = room.jitter((upcard.x, upcard.y, upcard.deg), 3.0, 3.0)
        lying[number] = room.lay(upcard.card, False, spot, seat)

    def _away(self, seat: int) -> None:
        lying = self._cards.lying[seat]
        for number, each in enumerate(lying):
            if each is not None:
                self._room.mat.take(each)
                lying[number] = None


def _along(deg: float) -> tuple[float, float]:
    """Return the direction in which a row runs for a player who reads cards turned so."""
    return {0: (1.0, 0.0), 90: (0.0, 1.0), 180: (-1.0, 0.0), 270: (0.0, -1.0)}[
        round(deg / 90.0) * 90 % 360
    ]
