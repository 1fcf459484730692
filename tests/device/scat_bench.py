"""A table of Thirty-one by hand-written readings: hands held, a discard, cards in the middle."""

import random

from mat_readings import NAMES, Mat

from device.ports import Button, Press
from device.scat_croupier import ScatCroupier
from engine import TABLE, Card, Player, apply, new_table, view
from vision.readings import ZoneKind

DISCARD, MIDDLE = -1, -2
"""Rows of the mat for what is no seat."""


class ScatBench:
    """A croupier at work; what is done at the table is done to ``mat``, then looked at."""

    def __init__(self, players=3, preset="wikipedia", cut=False, **options):
        company = [Player(seat, NAMES[seat]) for seat in range(players)]
        dealer = None if cut else players - 1
        start = options.pop("start", {})
        self.state = new_table(
            "scat", company, dealer=dealer, preset=preset, options=options, start=start
        )
        self.croupier = ScatCroupier()
        self.mat = Mat(players)
        self.pile = []
        self.events = []
        self.advice = None
        self._random = random.Random(1)

    # What the croupier makes of it

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
        return self._follow(self.croupier.see(self.mat.reading(), self.state))

    def press(self, button, seat=None):
        return self._follow(self.croupier.press(Press(Button(button), 0.0, seat), self.state))

    def answer(self, key):
        """Choose an answer in words by its key, or a card by its code."""
        wanted = [getattr(each, "key", str(each)) for each in self.question.candidates]
        while wanted[self.question.selected] != key:
            self.press("stick")
        return self.press("have")

    def _follow(self, advice):
        new = []
        for _ in range(200):
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
        self._show_top(self._aside())
        return self.look() if look else []

    def draw_top(self, look=True):
        """Take the top of the discard."""
        taken = self.pile.pop()
        self._show_top(self._aside())
        if look:
            self.look()
        return taken

    def _show_top(self, aside):
        self.mat.cards.pop((DISCARD, 0), None)
        if self.pile:
            self.mat.lay(DISCARD, self.pile[-1], slot=0, zone=ZoneKind.DISCARD)
            self.mat.shifts[DISCARD, 0] = aside

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


def cards(text):
    return tuple(Card.parse(code) for code in text.split())
