"""Pixels in, readings out: which cards lie where, and how sure the reader is."""

from vision.readings import BackReading, CardReading, Place, Reading, UnsureReading
from vision.table_reader import TableReader
from vision.watch import TableWatch

__all__ = [
    "BackReading",
    "CardReading",
    "Place",
    "Reading",
    "TableReader",
    "TableWatch",
    "UnsureReading",
]
