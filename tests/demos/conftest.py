import sys
from pathlib import Path

# The demos are a plain module of this room.
HERE = str(Path(__file__).parent)
if HERE not in sys.path:
    sys.path.insert(0, HERE)
