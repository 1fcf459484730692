"""The web service on the loopback, in a thread of the test."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from device.web.app import Server, build


def until(condition, most_s=5.0):
    """Wait for what *condition* returns; fail after *most_s* seconds."""
    end = time.monotonic() + most_s
    while not (found := condition()):
        assert time.monotonic() < end, "it has not happened"
        time.sleep(0.02)
    return found


@contextlib.contextmanager
def served(feed: Path, *, language="en", port=0) -> Iterator[str]:
    """Serve the table of *feed*; yields the address."""
    listening = socket.create_server(("127.0.0.1", port))
    address = f"http://127.0.0.1:{listening.getsockname()[1]}"
    app = build(feed, address, language, "felt")
    server = Server(app)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    until(lambda: server.started and (app.state.table.is_there or not feed.exists()), 10.0)
    try:
        yield address
    finally:
        server.should_exit = True
        thread.join(10)
        listening.close()
