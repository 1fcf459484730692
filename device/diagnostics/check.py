"""What a look at one part of the machine comes to."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """How a check came out."""

    OK = "ok"
    INFO = "info"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at; *remedy* is empty when there is nothing to do."""

    status: Status
    title: str
    detail: str
    remedy: str = ""
