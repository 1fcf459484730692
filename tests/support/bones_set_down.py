"""Bones laid down by hand on a drawn table."""

from __future__ import annotations

from device.simulator.bone_table import BonesTable, PlacedBone
from engine.core.bones import Face


def set_down(
    table: BonesTable, by: int, at: tuple[float, float], face: Face | None, degrees: float = 0.0
) -> None:
    """Lay one bone down with its centre *at* a point in millimetres, beside the mat too.

    Without a *face* it stands on its end; *degrees* are clockwise as seen from above.
    """
    taken = {bone.number for bone in table.bones}
    number = next(n for n in range(len(taken) + 1) if n not in taken)
    table._reach(by, [*table.bones, PlacedBone(number, *at, degrees, face)], at)
