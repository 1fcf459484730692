"""Find knucklebones."""

from __future__ import annotations

STRIDE = 4
"""Pixels of the input for one cell of the heat map."""

SIZE_UNIT = 40.0
"""Pixels of the input for a bone whose length is told as 0."""
