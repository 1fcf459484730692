"""Where the project lies, and the reference material beside it (which need not be there)."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
