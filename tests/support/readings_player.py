"""Plays logs of readings with the croupier and the engine, without a disk."""

import time
from contextlib import contextmanager

from device.clock import HandClock
from device.croupier.lines import read_line
from device.croupier.open_cards import OpenCards
from device.runtime.readings import TruthTeller, play_readings
from device.runtime.table import TableController
from device.runtime.truth import Truth
from engine import TABLE, Player, Undo, apply, event_to_dict, new_table, view
from tests.acceptance.people.protocol import Played


class MemorySession:
    """A session that is nowhere written."""

    def __init__(self, state):
        self.state = state
        self.view = view(state, TABLE)
        self.open_cards = OpenCards.NONE
        self.listeners = []
        self.events = 0

    def apply(self, event, assumed="", looks=()):
        self._play([event])

    def amend(self, back, steps, looks=()):
        self._play([*[Undo()] * back, *(event for event, _ in steps)])

    def _play(self, events):
        after = self.state
        for event in events:
            after = apply(after, event)
        self.state, self.view = after, view(after, TABLE)
        self.events += len(events)

    def looks(self):
        return []

    def entry_due(self):
        return None

    def settles(self, entry):
        return False


class NoSource:
    trouble = None
    ended = False

    def poll(self):
        return ()


class TimedTable(TableController):
    """A table that notes its seconds of computing.

    ``looks_s`` has those until a look was taken in, ``whole_s`` with all that is computed for it
    until the next one: repairs that go on meanwhile, presses.
    """

    def __init__(self, *parts):
        super().__init__(*parts)
        self.looks_s, self.whole_s = [], [0.0]

    def see(self, reading):
        self.whole_s.append(0.0)
        with self._timed():
            super().see(reading)
        self.looks_s.append(self.whole_s[-1])

    def press(self, press):
        with self._timed():
            super().press(press)

    def pass_time(self, now_s):
        with self._timed():
            super().pass_time(now_s)

    @contextmanager
    def _timed(self):
        start_s = time.process_time()
        yield
        self.whole_s[-1] += time.process_time() - start_s


def table_of(setup):
    """Return a table for a setup of the people of software, and its clock."""
    players = [
        Player(n, name, age)
        for n, (name, age) in enumerate(zip(setup.players, setup.ages, strict=True))
    ]
    state = new_table(
        setup.game,
        players,
        dealer=setup.dealer,
        preset=setup.preset,
        options=setup.changes,
    )
    clock = HandClock()
    return TimedTable(MemorySession(state), NoSource(), (), clock), clock


def play_log(lines, answers, setup, people=None):
    """Play a log; return the table and what was told.

    *people* answer what is asked; without them it is answered from *answers*.
    """
    table, clock = table_of(setup)
    told = []
    play_readings(
        table,
        [read_line(text, setup.mat_seats) for text in lines],
        clock,
        told=told.append,
        people=people or TruthTeller(Truth(answers)),
    )
    return table, told


def play(lines, answers, setup, people=None):
    """Play a log as ``tests/acceptance/people/people.py --player`` wants it."""
    table, told = play_log(lines, answers, setup, people)
    state = table.session.state
    hands = [state.setup.game.views.hand_record(hand) for hand in state.hands]
    events = tuple(map(event_to_dict, state.events))
    return Played(tuple(hands), tuple(told), events, tuple(table.looks_s), tuple(table.whole_s[1:]))
