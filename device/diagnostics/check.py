"""The result of one check."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """Result of a check."""

    OK = "ok"
    INFO = "info"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Check:
    """One check; *remedy* is empty when there is nothing to do."""

    status: Status
    title: str
    detail: str
    remedy: str = ""
