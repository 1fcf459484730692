"""Plays logs of readings with the croupier and the engine, without a disk."""

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
    return TableController(MemorySession(state), NoSource(), (), clock), clock


def play_log(lines, answers, setup, people=None):
    """Play a log; return the outcomes of its hands, what was told, and the table.

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
    return Played(tuple(hands), tuple(told), tuple(map(event_to_dict, state.events)))
