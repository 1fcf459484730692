"""What ought to be on the screen, painted here, and how far a photograph is from it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from device.clock import HandClock
from device.runtime.session import Session
from device.storage.journal.journal import Journal
from display import Window, prompt_for
from engine import Player

SCREEN = (1280, 720)
FAR = 48
"""Levels (0-255) by which a colour must differ to count: renderers smooth edges differently."""

REST_S = 60.0
"""Time after which everything on the screen has come to rest."""


def paint(journal: Path | None, path: Path, names: Sequence[str] = ()) -> Path:
    """Paint the table as it stands at the end of *journal*, or before *names*' first card.

    The journal is copied first: to open it for a session would change it.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "journal.sqlite3"
        if journal is not None:
            shutil.copy(journal, copy)
        with Journal(copy) as opened, Window(SCREEN, headless=True) as window:
            session = Session.resume_last(opened, HandClock()) if journal is not None else None
            if session is None:
                seated = [Player(seat, name) for seat, name in enumerate(names)]
                session = Session.begin(opened, HandClock(), "one-and-thirty", seated, dealer=None)
            # The first look starts what moves, the second sees it at rest.
            for time_s in (0.0, REST_S):
                window.show(session.view, prompt_for(session.view), time_s)
            window.save(path)
    return path


def differing(one: Path, other: Path) -> float:
    """Return the share of pixels (0 to 1) of two pictures of the same size that differ."""
    first, second = (cv2.imread(str(path), cv2.IMREAD_COLOR) for path in (one, other))
    if first is None or second is None or first.shape != second.shape:
        raise ValueError(f"{one} and {other} are not two pictures of the same size")
    far = cv2.absdiff(first, second).max(axis=2) > FAR
    return float(np.count_nonzero(far) / far.size)
