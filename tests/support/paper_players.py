"""People at a table on paper: they lay hand-written cards on a ``mat_readings.Mat``.

They know their own cards and look at the screen, like the people of a real table.
"""

import json
import random

from device.ports import Button, Press
from device.runtime.croupiers import croupier_for
from device.simulator.answers import answer_from_table
from engine import Card, NextHand, Phase, deck
from tests.support.mat_readings import Mat


class PaperPeople:
    """One physical act at a time; everything they know can be written down and read again."""

    def __init__(self, seats, seed=1):
        self.mat = Mat(seats)
        self.random_seed = seed
        self.hand = 0
        self.hands = {}
        self.pack = []

    def shuffle(self, number):
        self.hand = number
        self.pack = [str(card) for card in deck()]
        random.Random(f"{self.random_seed}-{number}").shuffle(self.pack)
        self.hands = {}

    def act(self, seen):
        """Do what the screen asks for; return the presses."""
        if seen.phase is Phase.DONE:
            if self.mat.cards:
                self.mat.clear()
                return []
            return [Press(Button.NEXT, 0.0)]
        if seen.hand_number != self.hand:
            self.shuffle(seen.hand_number)
        if seen.phase is Phase.DEAL:
            seat, up = seen.deal_to
            self._deal(seat, self.pack.pop(0), up)
            return []
        if seen.phase is Phase.SHOWDOWN:
            self._turn_up(seen.to_reveal[0])
            return []
        seat = seen.turn
        total = sum(_points(code) for code in self.hands[str(seat)])
        if seen.card_asked:
            self._deal(seat, self.pack.pop(), False)
            return []
        if total >= 31:
            self._turn_up(seat)
            return []
        return [Press(Button.HAVE if total < 25 else Button.STICK, 0.0, seat)]

    def lying(self):
        """Return the cards that lie face up."""
        return [Card.parse(what) for what in self.mat.cards.values() if what != "back"]

    def answer(self, question):
        return answer_from_table(question, self.lying())

    def save(self, path):
        table = [[seat, slot, what] for (seat, slot), what in self.mat.cards.items()]
        path.write_text(json.dumps([table, self.hand, self.hands, self.pack]))

    def load(self, path):
        table, self.hand, self.hands, self.pack = json.loads(path.read_text())
        self.mat.clear()
        for seat, slot, what in table:
            self.mat.lay(seat, what, slot=slot)

    def _deal(self, seat, code, up):
        self.hands.setdefault(str(seat), []).append(code)
        self.mat.lay(seat, code if up else "back")

    def _turn_up(self, seat):
        for slot, code in enumerate(self.hands[str(seat)]):
            self.mat.cards[seat, slot] = code


def _points(code):
    return {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}.get(code[0]) or int(code[0])


def play_on(session, people, hands, save, after_event=lambda: None):
    """Let *people* play until so many *hands* are done, with a croupier of their own.

    They are saved by *save* before what they press is heard; *after_event* is called after each
    event.
    """
    croupier = croupier_for(session)

    def follow(advice):
        while advice.events or advice.back:
            assert not advice.back, "nothing was unclear"
            lines = croupier.take_lines()
            for event in advice.events:
                session.apply(event, looks=() if isinstance(event, NextHand) else lines)
                lines = ()
                after_event()
            advice = croupier.reinterpret(session.state)

    follow(croupier.on_reading(people.mat.reading(), session.state))
    while not (session.view.phase is Phase.DONE and session.view.hand_number == hands):
        presses = people.act(session.view)
        save()
        for press in presses:
            follow(croupier.on_press(press, session.state))
        follow(croupier.on_reading(people.mat.reading(), session.state))
