"""The moves of Banking, Switch and Stop the bus: exchanges with the cards in the middle."""

from __future__ import annotations

from itertools import product

from device.simulator.people.happenings import Happening
from device.simulator.people.oracle.brag import brag_rank
from device.simulator.people.oracle.scat import value
from device.simulator.people.room import Room
from device.simulator.people.scat_middle import ROW, Middle
from device.simulator.people.scat_mind import keep_best
from device.simulator.people.scat_piles import Piles

_GAIN = 3.0


class VariantMoves:
    """What people do with the cards in the middle."""

    def __init__(
        self,
        room: Room,
        piles: Piles,
        middle: Middle,
        hands: dict[int, list[str]],
        taken: dict[int, set[str]],
    ) -> None:
        """Move the cards of *hands*; *taken* grows by the open cards that they take."""
        self._room = room
        self._piles = piles
        self._middle = middle
        self._hands = hands
        self._taken = taken

    def widow(self, seat: int) -> bool:
        """Exchange cards with the widow (BK-3); return whether that was the turn."""
        room, hand = self._room, self._hands[seat]
        best = self._best_open(seat, ("widow",))
        if best is not None:
            _, place, card = best
            self._exchange(seat, "widow", [place], [card])
            room.event("widow", seat=seat, give=[card], take=[place])
            return True
        if value(hand, room.options) > 13 or room.rng.random() > 0.25:
            return False
        places = sorted(room.rng.sample(range(ROW), room.rng.randint(1, ROW)))
        give = sorted(hand, key=lambda card: value([card], room.options))[: len(places)]
        self._exchange(seat, "widow", places, give)
        room.event("widow", seat=seat, give=give, take=places)
        return True

    def switch(self, seat: int) -> None:
        """Exchange a card, swap the hand, or renew one of the two hands (SW-3 to SW-6)."""
        room, hand = self._room, self._hands[seat]
        if len(self._piles.stock) >= ROW and room.rng.random() < 0.06:
            up = room.rng.random() < 0.5
            self._renew(seat, room.rng.choice("AB"), up=up)
            if up:
                return
        for pile in ("A", "B"):
            cards = self._middle.cards(pile)
            is_open = all(self._middle.known(pile, n) for n in range(ROW))
            if is_open and value(cards, room.options) > value(hand, room.options) + 2 * _GAIN:
                gave = list(hand)
                self._exchange(seat, pile, range(ROW), gave)
                room.event("swap", seat=seat, hand=pile, gave=gave)
                return
        best = self._best_open(seat, ("A", "B"))
        if best is None:
            # Nothing open is of use: take a closed card, or else any.
            spots = [(p, n) for p in ("A", "B") for n in range(ROW)]
            closed = [spot for spot in spots if self._middle.known(*spot) is None]
            pile, place = room.rng.choice(closed or spots)
            worst = min(hand, key=lambda card: value([c for c in hand if c == card], room.options))
            best = pile, place, worst
        pile, place, give = best
        self._exchange(seat, pile, [place], [give])
        room.event("exchange", seat=seat, hand=pile, pos=place, give=give)

    def bus(self, seat: int) -> None:
        """Swap one card or three with the table, or stand (SB-2, SB-8)."""
        room, hand = self._room, self._hands[seat]
        table = self._middle.cards("table")
        must = room.options["must_swap"]
        best, swap = ((-1.0,) if must else brag_rank(hand)), None
        for mine, place in product(hand, range(ROW)):
            after = brag_rank([table[place], *(card for card in hand if card != mine)])
            if after > best:
                best, swap = after, ([mine], [place])
        if brag_rank(table) > best:
            swap = (list(hand), list(range(ROW)))
        if swap is None:
            room.event("stand", seat=seat)
            room.account.append("turns", [seat, "stand"])
            if not room.does(seat, "stand_unsaid", Happening.STAND_UNSAID):
                room.say(seat, "stick")
            return
        give, places = swap
        taken = self._exchange(seat, "table", places, give)
        room.event("swap", seat=seat, give=give, take=taken)

    def _best_open(self, seat: int, piles: tuple[str, ...]) -> tuple[str, int, str] | None:
        """Return the exchange with an open card that gains enough: pile, place, what to give."""
        options, hand = self._room.options, self._hands[seat]
        best, found = value(hand, options) + _GAIN, None
        for pile, place in product(piles, range(ROW)):
            card = self._middle.known(pile, place)
            if card is None:
                continue
            give = keep_best([*hand, card], options, card)
            after = value([card, *(each for each in hand if each != give)], options)
            if after >= best:
                best, found = after, (pile, place, give)
        return found

    def _exchange(
        self, seat: int, pile: str, places: range | list[int], give: list[str]
    ) -> list[str]:
        hand = self._hands[seat]
        open_ones = [self._middle.known(pile, place) for place in places]
        taken = self._middle.exchange(seat, pile, list(places), give)
        self._taken[seat].update(card for card in open_ones if card is not None)
        hand[:] = [card for card in hand if card not in give] + taken
        return taken

    def _renew(self, seat: int, pile: str, *, up: bool) -> None:
        room = self._room
        room.film.hand(seat, ["stock"], 0.5)
        cards = [self._piles.draw() for _ in range(ROW)]
        room.film.rest(0.4)
        self._middle.exchange(seat, pile, list(range(ROW)), cards, up)
        face = "up" if up else "down"
        shown = cards if up else ["??"] * ROW
        room.event("renew", seat=seat, hand=pile, cards=shown, face=face)
