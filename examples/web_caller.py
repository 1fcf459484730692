"""A caller in another language: python web_caller.py http://raspberrypi.local:8031 nl."""

import json
import sys
from urllib.request import urlopen

if len(sys.argv) != 3 or sys.argv[1].startswith("-"):
    sys.exit(__doc__)
address, language = sys.argv[1:]
for line in urlopen(f"{address}/api/events", timeout=30):
    told = json.loads(line[6:]) if line.startswith(b"data: ") else {}
    for sentence in told.get("texts", {}).get(language, ()):
        # To hear it: subprocess.run(["espeak-ng", "-v", language, sentence])
        print(sentence, flush=True)
    if told.get("result"):
        break
