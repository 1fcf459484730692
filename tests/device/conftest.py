import sys
from pathlib import Path

# The helpers of this room are plain modules; with import-mode=importlib they need a path.
sys.path.insert(0, str(Path(__file__).parent))
