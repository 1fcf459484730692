"""How the people of the evening are: each has a character, as the people of software have."""

from __future__ import annotations

from device.ports import Button
from device.simulator.people import Happening
from device.simulator.people.temperament import CHARACTERS, person
from engine.core.events import Choose, Have, Stick

TEMPO = {"fast": 0.1, "two-handed": 0.6, "hesitant": 1.6}
"""How long a character takes for a move, beside the others."""

UNSAID = {
    Have: ("have_unsaid", Happening.HAVE_UNSAID),
    Stick: ("stick_unsaid", Happening.STICK_UNSAID),
    Choose: ("number_unpressed", Happening.NUMBER_UNPRESSED),
}
"""Words that the next card, move or throw says too: who leaves them out, and what that is."""


class Tempers:
    """What the people at the table do their own way.

    Attributes:
        people: by their seats; no two of the first nine have one character.
    """

    def __init__(self, seats, rng):
        self.rng = rng
        characters = rng.sample(CHARACTERS, len(CHARACTERS))
        self.people = [
            person("mixed", seat, f"seat {seat}", rng, characters[seat % len(characters)])
            for seat in range(seats)
        ]

    @property
    def styles(self):
        """Return how each plays: by their nerve."""
        return [
            "bold" if each.nerve > 0 else "cautious" if each.nerve < 0 else "exact"
            for each in self.people
        ]

    def tempo(self, event):
        """Return how slow who does *event* is; at times nobody rests before a move."""
        who = self._who(event)
        if who is None:
            return 1.0
        hurried = who.does("no_rest", self.rng)
        return 0.1 if hurried else TEMPO.get(who.character, 1.0)

    def happening(self, event, habit):
        """Return whether who does *event* has this habit, and it shows this time."""
        who = self._who(event)
        return who is not None and who.does(habit, self.rng)

    def unsaid(self, event):
        """Return what it is that a word is left out; ``None`` where it is said.

        That nobody throws more is said: no throw would tell it.
        """
        habit, what = UNSAID.get(type(event), ("", None))
        if what is None or (isinstance(event, Choose) and event.n == 0):
            return None
        return what if self.happening(event, habit) else None

    def taken_back(self, event):
        """Return the buttons of a word that is said and taken back before it is meant."""
        if not isinstance(event, Have | Stick) or not self.happening(event, "word_back"):
            return []
        word = Button.HAVE if isinstance(event, Have) else Button.STICK
        return [(word, event.seat), (Button.UNDO, None)]

    def _who(self, event):
        seat = getattr(event, "seat", None)
        return None if seat is None else self.people[seat]
