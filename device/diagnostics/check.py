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
    """One check; *remedy* is empty when there is nothing to do.

    Attributes:
        title: what was checked; empty until ``boneace doctor`` gives it the name of the check.
    """

    status: Status
    title: str
    detail: str
    remedy: str = ""


def ok(detail: str, *, title: str = "") -> Check:
    """Return a check that found all well."""
    return Check(Status.OK, title, detail)


def info(detail: str, remedy: str = "", *, title: str = "") -> Check:
    """Return a check that found something worth knowing."""
    return Check(Status.INFO, title, detail, remedy)


def warning(detail: str, remedy: str, *, title: str = "") -> Check:
    """Return a check that found something to look after."""
    return Check(Status.WARNING, title, detail, remedy)


def failed(detail: str, remedy: str, *, title: str = "") -> Check:
    """Return a check that found something that does not work."""
    return Check(Status.PROBLEM, title, detail, remedy)
