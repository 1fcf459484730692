"""Ask boneace from another program, in any language: ``python examples/ask_boneace.py table.jpg``.

A picture goes in by the standard input, one line of JSON comes out: docs/reference/read.md.
"""

import json
import subprocess
import sys

with open(sys.argv[1], "rb") as picture:
    said = subprocess.run(
        ["boneace", "read", "--format", "json", "-"], stdin=picture, capture_output=True, check=True
    )
reading = json.loads(said.stdout)
if (reading["format"], reading["version"]) != ("boneace-reading", 1):
    sys.exit("another version of boneace is needed")
for card in reading["cards"]:
    print(card["card"], "at", *card["corners"][0])
for doubt in reading["unsure"]:
    print("perhaps", *doubt["candidates"])
print(reading["face_down"], "face down")
