"""A lamp that follows the turn, on any machine: python web_lamp.py http://raspberrypi.local:8031."""

import json
import sys
from urllib.request import urlopen

if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
    sys.exit(__doc__)
lit = None
for line in urlopen(f"{sys.argv[1]}/api/events", timeout=30):
    told = json.loads(line[6:]) if line.startswith(b"data: ") else {}
    view = told.get("view")
    if view is None:
        continue
    if view["turn"] != lit:
        lit = view["turn"]
        # Here a lamp of yours goes on and another one off.
        print("dark" if lit is None else f"lamp {lit + 1}", flush=True)
    if view["result"]:
        break
