"""The networks of a booth: those of what was asked for last read, and no fault ends the table."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from device.booth.tables import Tables

PATIENCE_S = 10.0


class Loader:
    """Makes what reads a game, once that game's turn has come."""

    def __init__(self) -> None:
        self.go = {name: threading.Event() for name in ("bones", "cards")}
        self.begun = threading.Event()
        self.at_work = self.most = 0

    def make(self, game: str, options: object) -> str:
        self.at_work += 1
        self.most = max(self.most, self.at_work)
        self.begun.set()
        assert self.go[game].wait(PATIENCE_S)
        self.at_work -= 1
        return f"reads {game}"


def tables(make: Callable[[str, object], object]) -> tuple[Tables, SimpleNamespace]:
    observer = SimpleNamespace(watch="reads nothing")
    return Tables(SimpleNamespace(observer=observer, processor_for=make), None, None), observer


def threads() -> list[threading.Thread]:
    return [each for each in threading.enumerate() if each.name == "refit"]


def finish() -> None:
    for thread in threads():
        thread.join(PATIENCE_S)
    assert not threads()


def test_what_was_asked_for_last_reads_even_if_it_is_loaded_first() -> None:
    """NEXT twice while counting: what finishes last must not read bones while cards are counted."""
    loader = Loader()
    booth, observer = tables(loader.make)
    booth.load_networks("bones")
    assert loader.begun.wait(PATIENCE_S)
    booth.load_networks("cards")
    loader.go["cards"].set()
    threads()[-1].join(0.2)  # where nothing holds it back it ends now
    loader.go["bones"].set()
    finish()
    assert observer.watch == "reads cards"
    assert loader.most == 1, "what is loaded is kept in one place for all"


@pytest.mark.parametrize("problem", [MemoryError(), OSError("no such file")], ids=repr)
def test_a_fault_of_any_kind_is_logged_and_the_next_game_is_read(problem, caplog) -> None:
    def make(game: str, options: object) -> str:
        if game == "bones":
            raise problem
        return f"reads {game}"

    booth, observer = tables(make)
    booth.load_networks("bones")
    finish()
    assert "bones cannot be read; run: boneace doctor" in caplog.text
    booth.load_networks("cards")
    finish()
    assert observer.watch == "reads cards"
