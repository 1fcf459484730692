"""Pixels in, readings out: which cards and bones lie where, and how sure the reader is."""

from vision.bones.pipeline import BoneReader
from vision.readings import (
    BackReading,
    BoneReading,
    CardReading,
    JokerReading,
    Place,
    Reading,
    Spot,
    UnsureBoneReading,
    UnsureReading,
)
from vision.table_reader import TableReader
from vision.tracking.motion_gate import MotionGate

__all__ = [
    "BackReading",
    "BoneReader",
    "BoneReading",
    "CardReading",
    "JokerReading",
    "MotionGate",
    "Place",
    "Reading",
    "Spot",
    "TableReader",
    "UnsureBoneReading",
    "UnsureReading",
]
