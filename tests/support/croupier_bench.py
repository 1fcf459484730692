"""A croupier at work, by readings written by hand: what every game's bench shares."""

from device.croupier.interpreter import PATIENCE_S
from device.ports import Button, Press
from engine import TABLE, Undo, apply, view

MOST_LOOKS = 200
"""More looks after one reading than any hand has events."""


class CroupierBench:
    """A mat, a game, and the events that came of what was done on the one."""

    def __init__(self, state, croupier, mat):
        self.state, self.croupier, self.mat = state, croupier, mat
        self.events, self.marks = [], []
        self.advice = None
        self.pressed_s = -1000.0  # the croupier's time is that of the readings

    @property
    def view(self):
        return view(self.state, TABLE)

    @property
    def question(self):
        return self.advice.question

    @property
    def said(self):
        said = (*self.advice.refused, *self.advice.notices)
        return " / ".join(str(notice.sentence) for notice in said)

    def look(self):
        """Show the mat; return the events that came of it."""
        return self._follow(self.croupier.on_reading(self.mat.reading(), self.state))

    def wait(self, seconds=PATIENCE_S):
        """Let time pass after the last reading, while nobody does anything."""
        self.mat.time_s += seconds
        advice = self.croupier.on_time(self.mat.time_s, self.state)
        return [] if advice is None else self._follow(advice)

    def press(self, button, seat=None, after_s=1.0):
        self.pressed_s += after_s
        press = Press(Button(button), self.pressed_s, seat)
        return self._follow(self.croupier.on_press(press, self.state))

    def correct(self, event):
        """Say by the menu that something was read wrongly."""
        return self._follow(self.croupier.enter(event, self.state))

    def company(self, event):
        """Let somebody sit down or get up."""
        return self._follow(self.croupier.enter(event, self.state))

    def _follow(self, advice):
        new = []
        for _ in range(MOST_LOOKS):
            for event in (*[Undo()] * advice.back, *advice.events):
                self.state = apply(self.state, event)
                new.append(event)
            self.marks += [mark for mark in advice.marks if mark]
            self.advice = advice
            if not advice.events and not advice.back:
                break
            advice = self.croupier.reinterpret(self.state)
        assert not advice.events, "the croupier does not come to rest"
        self.events.extend(new)
        return new
