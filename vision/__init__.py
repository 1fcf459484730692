"""Pixels in, readings out: which cards lie where, and how sure the reader is."""

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
from vision.watch import TableWatch

__all__ = [
    "BackReading",
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
