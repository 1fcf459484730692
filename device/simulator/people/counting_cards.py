"""The cards of a hand of One-and-Thirty: dealt, held, laid back, and where they lie."""

from __future__ import annotations

from device.simulator.people.happenings import Happening
from device.simulator.people.mat import Lying
from device.simulator.people.oracle.counting import GOAL, Holding, thirty_one_at, totals
from device.simulator.people.packs import UNREAD, pack
from device.simulator.people.room import Room


class CountingCards:
    """Who has which cards, in the order dealt, and which of them lie on the mat.

    Attributes:
        hands: by seat, in truth.
        lying: the cards of each seat on the mat; ``None`` where the hand holds it.
        upcards: the third cards of Bone-Ace.
        gone: who is out for everybody to see.
        open: who has laid the hand open.
        unnoticed: who has overlooked an own 31.
        late_words: words that will be said after the next card.
        moment: counts everything that happens in the hand.
    """

    def __init__(self, room: Room, dealer: int, *, upcard: bool) -> None:
        """Shuffle."""
        self._room = room
        self._dealer = dealer
        self._upcard = upcard
        self._pack = pack()
        room.rng.shuffle(self._pack)
        self.hands = {seat: Holding(seat) for seat in room.seats}
        self.lying: dict[int, list[Lying | None]] = {seat: [] for seat in room.seats}
        self.upcards: dict[int, str] = {}
        self.gone: set[int] = set()
        self.open: set[int] = set()
        self.unnoticed: set[int] = set()
        self.late_words: list[tuple[int, str]] = []
        self.moment = 0
        self._holds = {seat: room.does(seat, "hold") for seat in room.seats}
        self._stock: Lying | None = None

    @property
    def is_over(self) -> bool:
        """Return whether everybody can see that the hand is over (OT-9, OT-11, OT-22)."""
        ace = self._room.options["ace_value"]
        inside = []
        for seat, hand in self.hands.items():
            if hand.shown and thirty_one_at(hand, ace) is not None:
                return True
            over = hand.shown and totals(hand.cards, ace)[0] > GOAL
            if hand.word is None and not over:
                inside.append(hand)
        if len(inside) != 1:
            return not inside
        return inside[0].shown or inside[0].acted is None

    def deal(self) -> None:
        """Deal three cards to each, in rounds or in packets (OT-3, BA-1, BA-9)."""
        room = self._room
        if room.rng.random() < 0.5:
            self._stock = room.mat.lay("back", False, room.mat.middle("stock"))
        order = room.after(self._dealer)
        style = room.options["deal_style"]
        if style == "packet" or (style == "any" and room.rng.random() < 0.3):
            turns = [[(seat, n) for n in range(3)] for seat in order]
        else:
            turns = [[(seat, n) for seat in order] for n in range(3)]
        card_by_card = room.rng.random() < 0.3
        for turn in turns:
            for seat, number in turn:
                self._deal_one(seat, up=self._upcard and number == 2)
                if card_by_card:
                    room.pause(self._dealer, 0.3)
            if not card_by_card and room.rng.random() < 0.7:
                room.pause(self._dealer, 0.4)
        room.film.rest(0.8)
        room.look("the deal is over")
        for seat in order:
            if self._holds[seat]:
                self.take_up(seat)
                room.pause(seat, 0.3)

    def give(self, seat: int) -> None:
        """Give a card that was asked for (OT-7)."""
        room = self._room
        number = len(self.lying[seat])
        room.hand(self._dealer, ["stock", f"seat {seat}"])
        if self._stock is not None:
            self._stock = room.mat.move(self._stock, room.jitter(room.mat.middle("stock"), 2, 2))
        card = self._pack.pop()
        if room.does(self._dealer, "mislay", Happening.MISLAID):
            neighbour = room.after(seat)[0]
            wrong = room.lay(card, False, room.spot(neighbour, number + 1), self._dealer)
            room.film.rest(0.5)
            room.film.hand(self._dealer, [f"seat {neighbour}", f"seat {seat}"], 0.5)
            room.mat.take(wrong)
        lying = room.lay(card, False, room.spot(seat, number, self._dealer), self._dealer)
        self._take_in(seat, card, lying, "down")
        snatched = self._holds[seat] and room.does(seat, "snatch", Happening.SNATCHED)
        if snatched:
            room.hand(seat, [f"seat {seat}"], 0.3)
            self.take_up(seat, with_hand=False)
        room.pause(self._dealer)
        self._say_late()
        if self._holds[seat] and not snatched:
            self.take_up(seat)
            room.pause(seat, 0.3)
        elif room.does(seat, "lay_back") and self._holds[seat] and not self._upcard:
            self._lay_back(seat)

    def take_up(self, seat: int, *, with_hand: bool = True) -> None:
        """Take the cards of a seat into the hand; a card face up stays."""
        room, lying = self._room, self.lying[seat]
        if with_hand:
            room.hand(seat, [f"seat {seat}"])
        for number, each in enumerate(lying):
            if each is not None and not each.up:
                room.mat.take(each)
                lying[number] = None
        room.did(Happening.HELD)
        room.account.add("held", seat)

    def _deal_one(self, seat: int, *, up: bool) -> None:
        room = self._room
        card = self._pack.pop(0)
        number = len(self.lying[seat])
        room.hand(self._dealer, [f"seat {seat}"], 0.25)
        lying = room.lay(card, up, room.spot(seat, number, self._dealer), self._dealer)
        self._take_in(seat, card, lying, "up" if up else "down")

    def _take_in(self, seat: int, card: str, lying: Lying, face: str) -> None:
        self.moment += 1
        hand = self.hands[seat]
        hand.cards.append(card)
        hand.when.append(self.moment)
        self.lying[seat].append(lying)
        if face == "up":
            self.upcards[seat] = card
        known = card if face == "up" else UNREAD
        self._room.event("deal", seat=seat, card=known, face=face)

    def _say_late(self) -> None:
        for seat, word in self.late_words:
            self._room.say(seat, word, own=True)
        self.late_words.clear()

    def _lay_back(self, seat: int) -> None:
        """Lay the cards in the hand back face down, as a packet: it says nothing."""
        room, lying = self._room, self.lying[seat]
        room.did(Happening.LAID_BACK)
        room.hand(seat, [f"seat {seat}"])
        spot = room.spot(seat, 0)
        for number, card in enumerate(self.hands[seat].cards):
            if lying[number] is None:
                lying[number] = room.lay(card, False, room.jitter(spot, 2.0, 3.0), seat)
        room.pause(seat)
