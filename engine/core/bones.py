"""The four faces of a sheep's knucklebone."""

from __future__ import annotations

from enum import StrEnum


class Face(StrEnum):
    """The face that lies uppermost, with its points (rule KB-1)."""

    FLAT = "flat"
    CONCAVE = "concave"
    CONVEX = "convex"
    TWISTED = "twisted"

    @property
    def points(self) -> int:
        """Flat 1, concave 3, convex 4, twisted 6."""
        return {"flat": 1, "concave": 3, "convex": 4, "twisted": 6}[self.value]

    @classmethod
    def from_points(cls, points: int) -> Face:
        """Return the face worth *points*.

        Raises:
            ValueError: no face is worth that; allowed are 1, 3, 4 and 6.
        """
        for face in cls:
            if face.points == points:
                return face
        raise ValueError(f"no face of a knucklebone is worth {points!r}; allowed are 1, 3, 4 and 6")
