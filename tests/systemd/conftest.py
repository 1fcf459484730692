import sys
from pathlib import Path

# lock.py is a plain module of this folder; import-mode=importlib needs a path.
sys.path.insert(0, str(Path(__file__).parent))
