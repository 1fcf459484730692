"""``with`` for everything that must be let go of."""

from __future__ import annotations

from types import TracebackType
from typing import Self


class Closing:
    """Closes itself at the end of a ``with`` block."""

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it, whatever happened in the block."""
        self.close()

    def close(self) -> None:
        """Let go; may be called twice."""
