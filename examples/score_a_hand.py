"""Score a hand: Ann has 26, Bess 29, and the cards lie open."""

from engine import Card, Deal, Player, Stick, apply, new_table

table = new_table("one-and-thirty", [Player(0, "Ann"), Player(1, "Bess")], dealer=1)
for seat, code in ((0, "TH"), (1, "KS"), (0, "9C"), (1, "QD"), (0, "7D"), (1, "9H")):
    table = apply(table, Deal(seat, Card.parse(code)))
for event in (Stick(0), Stick(1)):
    table = apply(table, event)
for player in table.players:
    print(player.name, f"{table.ledger.of(player.seat):+d}")
