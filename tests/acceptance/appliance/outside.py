"""What a machine that upgrades itself finds at the other end of its cable: a clone, and packages.

Python packages as an index serves them (PEP 503), nothing for apt, and the clone as a tar file.
What is asked for can be the moment when the cable is pulled out.
"""

from __future__ import annotations

import io
import re
import tarfile
import threading
import time
from collections.abc import Callable, Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Self

from tests.support.paths import ROOT

HOST = "10.0.2.2"
"""This machine, as seen from the emulated one."""

PIECE = 1 << 16
HANGS_S = 120.0


class Outside:
    """A server on this machine; ``with Outside(...)`` closes it in the end.

    Attributes:
        asked: the paths that were asked for, in order.
        is_cut: whether the cable was pulled out since :meth:`cut_at`.
    """

    def __init__(
        self,
        wheels: Path,
        clone: bytes,
        pull: Callable[[], object],
        *,
        host: str = "127.0.0.1",
    ) -> None:
        """Serve.

        Args:
            wheels: a folder.
            clone: a tar file.
            pull: pulls the cable out.
            host: address of this machine's that it listens at.
        """
        self.asked: list[str] = []
        self.is_cut = threading.Event()
        self._files = {path.name: path for path in wheels.glob("*.whl")}
        self._clone, self._pull = clone, pull
        self._pattern, self._share = "", 0.0
        outside = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outside.answer(self)

            def log_message(self, format: str, *words: object) -> None:
                pass

        self._server = ThreadingHTTPServer((host, 0), Handler)
        self._server.daemon_threads = True
        self.address = f"http://{HOST}:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *problem: object) -> None:
        """Close it."""
        self._server.shutdown()
        self._server.server_close()

    def cut_at(self, pattern: str, share: float) -> None:
        """Pull the cable when *share* (0 to 1) of a path with *pattern* has been sent."""
        self._pattern, self._share = pattern, share
        self.is_cut.clear()

    def answer(self, asked: BaseHTTPRequestHandler) -> None:
        """Answer a request, or pull the cable in the middle."""
        self.asked.append(asked.path)
        data = self._find(asked.path)
        cut = bool(self._pattern) and re.search(self._pattern, asked.path) is not None
        end = int(len(data or b"") * self._share) if cut else len(data or b"")
        if not cut or end:
            asked.send_response(404 if data is None else 200)
            asked.send_header("Content-Type", "text/html" if asked.path.endswith("/") else "x/x")
            asked.send_header("Content-Length", str(len(data or b"")))
            asked.end_headers()
            for at in range(0, end, PIECE):
                asked.wfile.write((data or b"")[at : min(at + PIECE, end)])
        if cut:
            self._pattern = ""
            self._pull()
            self.is_cut.set()
            # The connection stays open on this side, as it does when somebody trips over a cable.
            time.sleep(HANGS_S)

    def _find(self, path: str) -> bytes | None:
        if path == "/clone.tar":
            return self._clone
        kind, _, name = path.strip("/").partition("/")
        if kind == "files" and name in self._files:
            return self._files[name].read_bytes()
        if kind == "simple":
            ours = [file for file in self._files if _plain(file.split("-")[0]) == _plain(name)]
            return "".join(f'<a href="/files/{file}">{file}</a>\n' for file in ours).encode()
        return None


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def packed(names: Iterable[str]) -> bytes:
    """Return these files and folders of the repository as a tar file."""
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w") as tar:
        for name in names:
            tar.add(
                ROOT / name,
                name,
                filter=lambda each: None if "__pycache__" in each.name else each,
            )
    return whole.getvalue()
