"""The result of one check."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial


class Status(StrEnum):
    """Result of a check."""

    OK = "ok"
    INFO = "info"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Check:
    """One check.

    Attributes:
        title: what was checked; empty until ``boneace doctor`` gives it the name of the check.
        remedy: empty when there is nothing to do.
    """

    status: Status
    title: str = field(default="", kw_only=True)
    detail: str
    remedy: str = ""


ok = partial(Check, Status.OK)
info = partial(Check, Status.INFO)
warning = partial(Check, Status.WARNING)
failed = partial(Check, Status.PROBLEM)
"""Each takes the detail, and a remedy where something is to be done."""
