"""The engine alone: two people throw five bones, and one more while they have less than 17."""

import random

from engine import Choose, Phase, Player, Roll, apply, legal_actions, new_table

rng = random.Random(2001)
table = new_table("knucklebones", [Player(0, "Ann"), Player(1, "Bess")], dealer=1)
while table.phase is not Phase.DONE:
    action = legal_actions(table)[0]
    if action.kind == "roll":
        event = Roll(action.seat, tuple(rng.choices((1, 3, 4, 6), (1, 4, 4, 1), k=action.bones)))
    else:
        event = Choose(action.seat, 1 if sum(event.faces) < 17 else 0)
    print(event)
    table = apply(table, event)
for player in table.players:
    print(player.name, f"{table.ledger.of(player.seat):+d}")
