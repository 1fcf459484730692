"""Pixels in, readings out: which cards and bones lie where, and how sure the reader is."""

from vision.bones.pipeline import BoneReader
from vision.readings import (
    BackReading,
    BoneReading,
    CardReading,
    Place,
    Reading,
    Spot,
    UnsureBoneReading,
    UnsureReading,
)
from vision.table_reader import TableReader
from vision.tracking.motion_gate import TableWatch

__all__ = [
    "BackReading",
    "BoneReader",
    "BoneReading",
    "CardReading",
    "Place",
    "Reading",
    "Spot",
    "TableReader",
    "TableWatch",
    "UnsureBoneReading",
    "UnsureReading",
]
