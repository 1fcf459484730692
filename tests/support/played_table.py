"""A table that tells what happens on its socket: real hands, a real loop, and no camera."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

from device.app import attach
from device.clock import SystemClock
from device.feed.feed import Feed, Shown, shown_at
from device.runtime.camera_worker import NoCamera
from device.runtime.session import Session
from device.runtime.table import TableController
from device.storage.journal.journal import Journal
from engine import NextHand, Phase, Player, bots
from tests.support.game_driver import Driver

NAMES = ("Ann", "Bess", "Cecil", "Doll")
STYLES = ("bold", "cautious", "exact", "bold", "cautious", "exact", "bold", "cautious")
FRAME_S = 0.01


class PlayedTable:
    """A loop in a thread of its own; people of software go on when they are told to."""

    def __init__(
        self,
        folder: Path,
        game: str = "one-and-thirty",
        preset: str | None = None,
        *,
        seats: int = 3,
        seed: int = 1,
        blind: float = 0.0,
        by_hand: bool = False,
        names: Sequence[str] = NAMES,
        dealer: int | None = 0,
    ) -> None:
        self.folder, self.path = folder, folder / "feed.sock"
        folder.mkdir(parents=True, exist_ok=True)
        people = [bots.player(style, game) for style in STYLES[:seats]]
        self.driver = Driver(game, preset, people, seed=seed, blind=blind)
        self._begin = (game, preset, [Player(n, name, 30) for n, name in enumerate(names[:seats])])
        self._by_hand, self._dealer = by_hand, dealer
        self._work: queue.SimpleQueue = queue.SimpleQueue()
        self.page = None
        self.is_played = True
        """Whether a session is in play; else only a page is shown."""
        self.question = None
        """What the table is made to ask, as a prompt and whose it is; for tests of answers."""
        self.pressed: list = []
        ready = threading.Event()
        self._over = False
        self._thread = threading.Thread(target=self._run, args=(ready,), daemon=True)
        self._thread.start()
        assert ready.wait(20), "the table has not started"

    def __enter__(self) -> PlayedTable:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the loop, and all that it has opened."""
        self._over = True
        self._thread.join(20)

    def do(self, work):
        """Do *work* in the loop's thread, and return what it does."""
        done: Future = Future()
        self._work.put((work, done))
        return done.result(20)

    def go_on(self, steps: int = 1) -> None:
        """Let the people play some events, and new hands."""
        for _ in range(steps):
            self.do(self._go_on)

    def _go_on(self) -> None:
        self.driver.state = self.session.state
        over = self.driver.state.phase is Phase.DONE
        event = self.driver.do(NextHand()) if over else self.driver.go_on()
        self.session.apply(event)

    def deal(self) -> None:
        """Go on while cards are dealt, or somebody waits for theirs."""
        self.do(self._deal)

    def _deal(self) -> None:
        while self.session.view.phase in (Phase.CUT, Phase.DEAL) or self.session.view.card_asked:
            self._go_on()

    @property
    def secrets(self) -> dict[int, str]:
        """The secret of each seat."""
        return self.do(lambda: dict(self.feed.phones.secrets))

    def _run(self, ready: threading.Event) -> None:
        clock = SystemClock()
        with contextlib.ExitStack() as stack:
            journal = stack.enter_context(Journal(self.folder / "journal.sqlite3"))
            game, preset, people = self._begin
            self.session = Session.unfinished(journal, clock) or Session.begin(
                journal, clock, game, people, dealer=self._dealer, preset=preset
            )
            self.driver.state = self.session.state
            self.table = TableController(self.session, NoCamera(), [], clock, by_hand=self._by_hand)
            self.table.on_press = self.pressed.append
            self.feed = stack.enter_context(
                Feed(self.path, journal.path, "oak-hare-7", clock, "http://oak:8031", clock.wake)
            )
            assert self.feed.ready.wait(5)
            self.feed.shows = self._shown
            self.feed.open(self.session)
            attach(self.feed, self.table)
            self.table.step()
            ready.set()
            while not self._over:
                with contextlib.suppress(queue.Empty):
                    while True:
                        work, done = self._work.get_nowait()
                        try:
                            done.set_result(work())
                        except Exception as problem:
                            done.set_exception(problem)
                self.table.step()
                clock.wait(FRAME_S)

    def _shown(self) -> Shown:
        if not self.is_played:
            return Shown(page=self.page)
        shown = replace(shown_at(self.table), session=self.session, page=self.page)
        if self.question is None:
            return shown
        prompt, whose = self.question
        return replace(shown, prompt=prompt, whose=whose)
