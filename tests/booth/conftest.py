import sys
from pathlib import Path

# Plain modules of this room, and the helpers of the device's; import-mode=importlib needs a path.
HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "device"), str(HERE.parent / "display")]
