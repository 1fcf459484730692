"""A table of Thirty-one by hand-written readings: hands held, a discard, cards in the middle."""

import random
from dataclasses import replace

from device.croupier.interpreter import Interpreter
from device.croupier.scat.moves import ScatMoves
from device.croupier.scat.words import ScatWords
from engine import Card, Player, new_table
from tests.support.croupier_bench import CroupierBench
from tests.support.mat_readings import NAMES, Mat
from vision.readings import ZoneKind

DISCARD, MIDDLE = -1, -2
"""Rows of the mat for what is no seat."""


def interpreter():
    return Interpreter(ScatMoves(), ScatWords())


class ScatBench(CroupierBench):
    """What is done at the table is done to ``mat``, then looked at."""

    def __init__(self, players=3, preset="wikipedia", cut=False, **options):
        company = [Player(seat, NAMES[seat]) for seat in range(players)]
        dealer = None if cut else players - 1
        start = options.pop("start", {})
        state = new_table(
            "scat", company, dealer=dealer, preset=preset, options=options, start=start
        )
        super().__init__(state, interpreter(), Mat(players))
        self.pile, self._spots = [], []
        self.hands = None
        self._random = random.Random(1)

    def answer(self, key):
        """Choose an answer in words by its key, or a card by its code."""
        wanted = [getattr(each, "key", str(each)) for each in self.question.candidates]
        self.croupier.choose(wanted.index(key))
        return self.press("have")

    def look(self):
        """Show the mat, with the hands that were over it as far as they are told apart."""
        reading = replace(self.mat.reading(), hands=self.hands)
        return self._follow(self.croupier.on_reading(reading, self.state))

    # What people do

    def _aside(self):
        """No two cards are laid on exactly the same place."""
        return (self._random.uniform(-8, 8), self._random.uniform(-8, 8))

    def deal(self, first=None):
        """Deal backs to everybody and to the middle; hands are taken up; the discard is turned."""
        table = self.view.middle.table
        for each in self.view.seats:
            for _ in range(3):
                self.mat.lay(each.seat)
        if table == "switch" and not self.view.middle.piles:
            for _ in range(3):
                self.mat.lay(self.view.dealer)
        if table in ("switch", "widow"):
            self.lay_middle("back", "back", "back", look=False)
        new = self.look()
        new += self.take_up()
        if first is not None:
            new += self.throw(first)
        return new

    def take_up(self):
        for key in [key for key in self.mat.cards if key[0] >= 0]:
            self.mat.lift(*key)
        return self.look()

    def throw(self, code, look=True):
        """Lay a card on the discard."""
        self.pile.append(code)
        self._spots.append(self._aside())
        self._show_top()
        return self.look() if look else []

    def draw_top(self, look=True):
        """Take the top of the discard."""
        taken = self.pile.pop()
        self._spots.pop()
        self._show_top()
        if look:
            self.look()
        return taken

    def _show_top(self):
        self.mat.cards.pop((DISCARD, 0), None)
        if self.pile:
            self.mat.lay(DISCARD, self.pile[-1], slot=0, zone=ZoneKind.DISCARD)
            self.mat.shifts[DISCARD, 0] = self._spots[-1]

    def lay_middle(self, *codes, row=MIDDLE, look=True, first=0):
        """Lay cards side by side between the players; ``None`` leaves a place as it is."""
        for slot, code in enumerate(codes, first):
            if code is not None:
                aside = self._aside()
                self.mat.lay(row, code, slot=slot, zone=None)
                self.mat.shifts[row, slot] = aside
        return self.look() if look else []

    def show(self, seat, codes):
        """Lay a hand open at its place."""
        for slot, code in enumerate(codes.split()):
            self.mat.lay(seat, code, slot=slot)
        return self.look()


def card(code):
    return Card.parse(code)


def cards(text):
    return tuple(Card.parse(code) for code in text.split())


def game(preset, first=None, players=3, **options):
    """A table that is dealt, with *first* on the discard."""
    made = ScatBench(players, preset, **options)
    made.deal(first)
    return made


def bus(preset="stop-the-bus"):
    """A table of Stop the bus, its three cards open."""
    made = game(preset)
    made.lay_middle("2C", "3D", "4H")
    return made


def stock_card(number):
    """One of the cards of the stock, none twice and no other nine of hearts."""
    codes = [rank + suit for suit in "SDCH" for rank in "789TJQK"]
    codes.remove("9H")
    return codes[number]
