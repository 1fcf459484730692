"""Readings written by hand: a mat with cards on it, without a camera."""

from device.croupier.interpreter import Interpreter
from device.croupier.open_cards import OpenCards
from device.croupier.seats.moves import SeatMoves
from device.croupier.seats.words import SeatWords
from engine import Card, Player, new_table
from tests.support.croupier_bench import CroupierBench
from vision.readings import (
    BackReading,
    CardReading,
    JokerReading,
    Place,
    Reading,
    UnsureReading,
    Zone,
    ZoneKind,
)

NAMES = ("Ann", "Bess", "Cecil", "Doll", "Edmund", "Frances", "Giles", "Hester")


def place(seat, slot, zone=ZoneKind.SEAT, shift=(0.0, 0.0)):
    x, y = 80.0 * slot + shift[0], 200.0 * (seat or 0) + shift[1]
    corners = ((x, y), (x + 60, y), (x + 60, y + 88), (x, y + 88))
    where = None if zone is None else Zone(zone, seat if zone is ZoneKind.SEAT else None)
    return Place(corners, (x, y), where)


class Mat:
    """What lies on the mat: ``lay`` and ``turn`` it, then take a ``reading``."""

    def __init__(self, seats=4):
        self.seats = seats
        self.cards = {}
        self.shifts = {}
        self.zones = {}
        self.time_s = 0.0
        self.hands = None

    def lay(self, seat, what="back", slot=None, zone=ZoneKind.SEAT):
        """Lay ``"back"``, ``"joker"``, a card's code, or ``"9D?6D"`` (unsure with candidates)."""
        if slot is None:
            slot = next(n for n in range(20) if (seat, n) not in self.cards)
        self.cards[seat, slot] = what
        self.zones[seat, slot] = zone
        return slot

    def turn(self, seat, *codes):
        """Turn the backs of a seat up, in the order of their slots."""
        backs = [key for key in sorted(self.cards) if key[0] == seat and self.cards[key] == "back"]
        assert len(backs) == len(codes), f"seat {seat} has {len(backs)} backs, not {len(codes)}"
        for key, code in zip(backs, codes, strict=True):
            self.cards[key] = code

    def lift(self, seat, slot):
        del self.cards[seat, slot]
        self.shifts.pop((seat, slot), None)

    def shift(self, seat, slot, by=(30.0, 0.0)):
        old = self.shifts.get((seat, slot), (0.0, 0.0))
        self.shifts[seat, slot] = (old[0] + by[0], old[1] + by[1])

    def clear(self):
        self.cards.clear()
        self.shifts.clear()

    def reading(self):
        self.time_s += 1.0
        cards, backs, unsure, jokers = [], [], [], []
        for (seat, slot), what in self.cards.items():
            zone = self.zones[seat, slot]
            where = place(seat, slot, zone, self.shifts.get((seat, slot), (0.0, 0.0)))
            if what == "back":
                backs.append(BackReading(0.99, where))
            elif what == "joker":
                jokers.append(JokerReading(0.7, where))
            elif "?" in what:
                names = [name for name in what.split("?") if name]
                unsure.append(UnsureReading(tuple(map(Card.parse, names)), 0.5, where))
            else:
                cards.append(CardReading(Card.parse(what), 0.99, where))
        return Reading(
            self.time_s,
            tuple(cards),
            tuple(backs),
            tuple(unsure),
            self.seats,
            hands=self.hands,
            jokers=tuple(jokers),
        )


def croupier_at_seats(open_cards=OpenCards.NONE):
    """Return a croupier of cards at the seats that has seen nothing yet."""
    return Interpreter(SeatMoves(open_cards), SeatWords())


class Bench(CroupierBench):
    """A croupier of cards at the seats, at work."""

    def __init__(self, players=3, game="bone-ace", dealer=None, open_cards=OpenCards.NONE, **more):
        company = [Player(seat, NAMES[seat]) for seat in range(players)]
        dealer = players - 1 if dealer is None else dealer
        state = new_table(game, company, dealer=None if dealer < 0 else dealer, **more)
        super().__init__(state, croupier_at_seats(open_cards), Mat(max(players, 2)))

    def lay(self, seat, what="back", **more):
        self.mat.lay(seat, what, **more)
        return self.look()

    def deal(self, thirds, rounds=2):
        """Deal two backs and the third card to each player, eldest first."""
        seats = [seat.seat for seat in self.view.seats]
        dealer = self.view.dealer
        seats.sort(key=lambda seat: (seat <= dealer, seat))
        for _ in range(rounds):
            for seat in seats:
                self.lay(seat)
        for seat, third in zip(seats, thirds, strict=True):
            self.lay(seat, third)
        return seats


def dealt(thirds=("KC", "7H", "9C"), **more):
    """A bench at which all have three cards."""
    bench = Bench(len(thirds), **more)
    bench.deal(thirds)
    return bench


def card(code):
    return Card.parse(code)


def cards(*codes):
    return tuple(map(card, codes))
