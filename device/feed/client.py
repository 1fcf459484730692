"""A reader's end of the feed: its lines, and questions with their answers.

It reconnects by itself, with growing waits.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from device.clock import Backoff
from engine.core.errors import BoneAceError

log = logging.getLogger(__name__)

Json = dict[str, Any]

LONGEST_LINE = 1 << 20
"""Bytes of a line of the table."""

ANSWER_S = 5.0
"""Seconds for which an answer is waited for; events that are told again take longer."""

FIRST_WAIT_S, LONGEST_WAIT_S = 0.1, 2.0


class NoTableError(BoneAceError, RuntimeError):
    """The table is not there, or does not answer."""


class FeedClient:
    """One connection to a table at a time; used by one task that reads and any that ask."""

    def __init__(self, socket: Path) -> None:
        """Read *socket*, whenever there is one."""
        self._socket = socket
        self._writer: asyncio.StreamWriter | None = None
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Json]] = {}

    async def lines(self) -> AsyncIterator[Json]:
        """Yield ``hello``, states and events of each connection, one after the other, for ever.

        ``{"kind": "gone"}`` is yielded when a connection has ended.
        """
        pause = Backoff(LONGEST_WAIT_S, FIRST_WAIT_S)
        while True:
            try:
                lines, self._writer = await asyncio.open_unix_connection(
                    self._socket, limit=LONGEST_LINE
                )
                while data := await lines.readline():
                    told = json.loads(data)
                    if told["kind"] == "answer":
                        self._answered(told)
                        continue
                    pause.reset()
                    yield told
            except OSError:
                pass  # not there, or gone: it is tried again
            except ValueError as problem:
                log.warning("the table sends what cannot be read: %s", problem)
            finally:
                if self._writer is not None:
                    self._writer.close()
            if self._writer is not None:
                self._writer = None
                for waiting in self._waiting.values():
                    if not waiting.done():
                        waiting.set_exception(NoTableError("the table has gone"))
                yield {"kind": "gone"}
            await asyncio.sleep(pause.next_s() * random.uniform(0.5, 1.0))

    def _answered(self, told: Json) -> None:
        waiting = self._waiting.get(told["to"])
        if waiting is not None and not waiting.done():
            waiting.set_result(told)

    async def ask(self, what: str, *, timeout_s: float = ANSWER_S, **asked: Any) -> Json:
        """Return the answer to a question, with its ``to``.

        Raises:
            NoTableError: there is no table, or it does not answer in time.
        """
        if self._writer is None:
            raise NoTableError("no table")
        number = next(self._numbers)
        waiting: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._waiting[number] = waiting
        try:
            body = {"id": number, "ask": what, **asked}
            self._writer.write(json.dumps(body).encode() + b"\n")
            async with asyncio.timeout(timeout_s):
                return await waiting
        except (OSError, TimeoutError) as problem:
            raise NoTableError("the table does not answer") from problem
        finally:
            del self._waiting[number]
