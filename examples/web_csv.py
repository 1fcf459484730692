"""The evening as a table: python web_csv.py http://raspberrypi.local:8031 >evening.csv."""

import csv
import json
import sys
from urllib.request import urlopen

if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
    sys.exit(__doc__)
hands = {}
for line in urlopen(f"{sys.argv[1]}/api/events?after=all", timeout=30):
    told = json.loads(line[6:]) if line.startswith(b"data: ") else {}
    if "view" in told:
        break  # all that has happened has been told
    if told.get("result"):
        hands[told["sitting"], told["hand"]] = told["players"]  # what is put right later counts
rows = csv.writer(sys.stdout)
rows.writerow(["sitting", "hand", "player", "tokens"])
for hand, players in hands.items():
    rows.writerows([*hand, each["name"], each["tokens"]] for each in players)
