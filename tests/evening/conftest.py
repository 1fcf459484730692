import sys
from pathlib import Path

# The helpers of this room are plain modules, and it borrows from three others.
HERE = Path(__file__).parent
for room in (HERE, *(HERE.parent / name for name in ("device", "engine", "bench"))):
    if str(room) not in sys.path:
        sys.path.insert(0, str(room))
