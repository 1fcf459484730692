"""A variant of your own: a preset with another name, played like any other game."""

from engine import Card, Deal, Player, apply, new_table
from engine.core.options import Preset
from engine.games.one_and_thirty.rules import OneAndThirty


class Ours(OneAndThirty):
    """One-and-Thirty as it is played at our table."""

    name = "ours"
    presets = (Preset("ours", "our table", {"ace_value": 11}),)


table = new_table(Ours(), [Player(0, "Ann"), Player(1, "Bess")], dealer=1)
for seat, code in ((0, "AH"), (1, "2S"), (0, "KC"), (1, "3D"), (0, "TD"), (1, "4H")):
    table = apply(table, Deal(seat, Card.parse(code)))
winner = table.players[table.outcome.winners[0]]
print(f"{winner.name} wins with an ace, a king and a ten: the hand was {table.outcome.end}")
