"""Readings written by hand: a mat with cards on it, without a camera."""

from device.card_croupier import CardCroupier
from device.ports import Button, Press
from engine import TABLE, Card, Player, apply, new_table, view
from vision.readings import (
    BackReading,
    CardReading,
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

    def lay(self, seat, what="back", slot=None, zone=ZoneKind.SEAT):
        """Lay ``"back"``, a card's code, or ``"9D?6D"`` (unsure with candidates)."""
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
        cards, backs, unsure = [], [], []
        for (seat, slot), what in self.cards.items():
            zone = self.zones[seat, slot]
            where = place(seat, slot, zone, self.shifts.get((seat, slot), (0.0, 0.0)))
            if what == "back":
                backs.append(BackReading(0.99, where))
            elif "?" in what:
                names = [name for name in what.split("?") if name]
                unsure.append(UnsureReading(tuple(map(Card.parse, names)), 0.5, where))
            else:
                cards.append(CardReading(Card.parse(what), 0.99, where))
        return Reading(self.time_s, tuple(cards), tuple(backs), tuple(unsure), self.seats)


class Bench:
    """A croupier at work: a mat, a game, and the events that came of it."""

    def __init__(self, players=3, game="bone-ace", dealer=None, **more):
        company = [Player(seat, NAMES[seat]) for seat in range(players)]
        dealer = players - 1 if dealer is None else dealer
        self.state = new_table(game, company, dealer=None if dealer < 0 else dealer, **more)
        self.croupier = CardCroupier()
        self.mat = Mat(max(players, 2))
        self.events = []
        self.advice = None

    @property
    def view(self):
        return view(self.state, TABLE)

    @property
    def question(self):
        return self.advice.question

    @property
    def said(self):
        return " / ".join(f"{notice.text} {notice.detail}" for notice in self.advice.notices)

    def look(self):
        """Show the mat; return the events that came of it, by kind."""
        return self._follow(self.croupier.see(self.mat.reading(), self.state))

    def lay(self, seat, what="back", **more):
        self.mat.lay(seat, what, **more)
        return self.look()

    def press(self, button, seat=None):
        return self._follow(self.croupier.press(Press(Button(button), 0.0, seat), self.state))

    def correct(self, event):
        """Say by the menu that something was read wrongly."""
        return self._follow(self.croupier.correct(event, self.state))

    def company(self, event):
        """Let somebody sit down or get up."""
        return self._follow(self.croupier.company(event, self.state))

    def _follow(self, advice):
        new = []
        for _ in range(100):
            for event in advice.events:
                self.state = apply(self.state, event)
                new.append(event)
            self.advice = advice
            if not advice.events:
                break
            advice = self.croupier.look(self.state)
        assert not advice.events, "the croupier does not come to rest"
        self.events.extend(new)
        return new

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
