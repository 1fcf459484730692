"""A table of Thirty-one by hand-written readings, explained by histories."""

from device.croupier.interpreter import Interpreter
from device.croupier.scat.moves import ScatMoves
from device.croupier.scat.words import ScatWords
from tests.support.scat_bench import ScatBench


def interpreter():
    moves = ScatMoves()
    return Interpreter(moves, ScatWords(moves))


class ScatTable(ScatBench):
    """What is done at the table is done to ``mat``, then looked at."""

    def __init__(self, *args, **more):
        super().__init__(*args, **more)
        self.croupier = interpreter()


def game(preset, first=None, players=3, **options):
    """A table that is dealt, with *first* on the discard."""
    made = ScatTable(players, preset, **options)
    made.deal(first)
    return made


def bus(preset="stop-the-bus"):
    """A table of Stop the bus, its three cards open."""
    made = game(preset)
    made.lay_middle("2C", "3D", "4H")
    return made
